"""Test header fields and parts: which are read, ignored or recorded."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.addresses import normal_address
from pbem.mail_in.mime.charsets import clean_text, decode_text
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.mime.parts import WRAPPED
from pbem.mail_in.quotes.html import UNREADABLE_HTML
from pbem.mail_in.sandbox.reader import DirectReader

HEAD = b"From: Alice <alice@example.org>\r\nMessage-ID: <m@example.org>\r\n"


def parse(head: bytes, body: bytes = b"play 9s\r\n") -> InboundMail:
    """Read a mail with these additional header fields."""
    return parse_mail(HEAD + head + b"\r\n" + body)


def container(kind: bytes, *parts: bytes) -> InboundMail:
    """Read a mail with these parts (header and content of each)."""
    body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"
    return parse(b"Content-Type: multipart/" + kind + b'; boundary="b"\r\n', body)


def test_answered_mails_the_nearest_first_each_once():
    """In-Reply-To counts before References, the last reference before the first."""
    mail = parse(b"References: <a@x> <b@x>\r\n <c@x>\r\nIn-Reply-To: <c@x>\r\n")
    assert mail.answers == ("c@x", "b@x", "a@x")


@pytest.mark.parametrize(
    "field",
    [b"<>", b"<a b@x>", b"no brackets", b"<a@x> <b@x>", b"<open@x", b"<" + b"x" * 600 + b">"],
)
def test_malformed_message_id_is_none(field: bytes):
    """Unless there is exactly one well-formed Message-ID, it is None and recorded as a defect."""
    mail = parse_mail(b"From: a@example.org\r\nMessage-ID: " + field + b"\r\n\r\n")
    assert mail.message_id is None
    assert "no well-formed Message-ID" in mail.problems


def test_recipients_of_all_fields_in_lower_case_each_once():
    """The token may be in any of the fields that servers write."""
    mail = parse(
        b"Delivered-To: pbem+T0K@play.example\r\nTo: PBEM <pbem+t0k@play.example>, x, <y@z>\r\n"
        b"X-Original-To: o@play.example\r\nEnvelope-To: e@play.example\r\nCc: c@play.example\r\n"
    )
    assert mail.recipients == (
        *("pbem+t0k@play.example", "y@z", "o@play.example"),
        *("e@play.example", "c@play.example"),
    )


def test_subject_is_one_line_of_at_most_500_characters():
    """No control character reaches a mail of ours through the subject."""
    mail = parse(b"Subject: =?utf-8?q?a=0D=0Ab=00c=1B=E2=80=AEd?= " + b"x" * 900 + b"\r\n")
    assert mail.subject.startswith("a bcd ")
    assert len(mail.subject) == 500


def test_alternative_keeps_both_forms():
    """Text and HTML of the same words."""
    mail = container(
        b"alternative",
        b"Content-Type: text/plain\r\n\r\nplay 9s",
        b"Content-Type: text/html\r\n\r\n<p>play 9s</p>",
    )
    assert (mail.plain, mail.html) == ("play 9s", "<p>play 9s</p>")


def test_text_beside_html_is_in_the_html_form_too():
    """A text part and a footer as HTML: neither form may lack what the other says."""
    mail = container(
        b"mixed",
        b"Content-Type: text/plain\r\n\r\nplay <9s>",
        b"Content-Type: text/html\r\n\r\n<p>footer</p>",
    )
    assert mail.plain is None
    assert mail.html == "<pre>play &lt;9s&gt;</pre>\n<p>footer</p>"


@pytest.mark.parametrize(
    "part",
    [
        b"Content-Type: message/rfc822\r\n\r\nFrom: x@y\r\n\r\nplay Kd",
        b"Content-Type: text/plain; name=a.txt\r\n\r\nplay Kd",
        b"Content-Disposition: attachment\r\n\r\nplay Kd",
        b"Content-Disposition: inline; filename=a.txt\r\n\r\nplay Kd",
        b"Content-Type: text/calendar\r\n\r\nplay Kd",
        b"Content-Type: damaged\r\n\r\nplay Kd",
        b"Content-Type: " + b"a" * 3000 + b"\r\n\r\nplay Kd",
        b'Content-Type: multipart/mixed; boundary=""\r\n\r\nplay Kd',
        b"Content-Type: multipart/encrypted; boundary=c\r\n\r\n--c\r\n\r\nplay Kd\r\n--c--",
    ],
)
def test_what_is_not_the_text_is_not_read(part: bytes):
    """Attachments, attached messages and undecodable parts are ignored."""
    mail = container(b"mixed", b"\r\nplay 9s", part)
    assert mail.plain == "play 9s"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (b"multipart/encrypted; boundary=b", "an encrypted mail or a digest is not read"),
        (b"application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", WRAPPED),
        (b"application/ms-tnef; name=winmail.dat", WRAPPED),
        (b"multipart/mixed", "a container without boundary"),
        (b"application/pkcs7-mime; smime-type=certs-only", None),
        (b"image/png", None),
    ],
)
def test_why_there_is_no_text_is_said(kind: bytes, why: str | None):
    """A person wrote one, and sees it: what we lack is told, and not that nothing was written."""
    assert parse(b"Content-Type: " + kind + b"\r\n").unread == why
    beside = container(b"mixed", b"\r\nplay 9s", b"Content-Type: " + kind + b"\r\n\r\n")
    assert (beside.unread, beside.plain) == (None, "play 9s")


def test_html_alone_that_cannot_be_read_is_told():
    """Beside a text nothing is missed."""
    deep = b"<b>" * 3000 + b"play 9s"
    html, text = b"Content-Type: text/html\r\n\r\n" + deep, b"\r\nplay 9s"
    for parts, why in (((html,), UNREADABLE_HTML), ((text, html), None)):
        body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"
        head = HEAD + b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n'
        assert DirectReader().read(head + body).unread == why


@pytest.mark.parametrize(("mail_from", "triage"), [("<>", "auto"), ("", "auto"), ("a@b", "human")])
def test_envelope_decides_about_the_null_sender(mail_from: str, triage: str):
    """The envelope counts more than a Return-Path that somebody wrote into the mail."""
    raw = b"Return-Path: <a@b>\r\n" + HEAD + b"\r\nplay 9s"
    assert parse_mail(raw, mail_from=mail_from).triage is Triage(triage)


@pytest.mark.parametrize(("hops", "triage"), [(30, Triage.HUMAN), (31, Triage.AUTO)])
def test_mail_that_goes_round_is_automatic(hops: int, triage: Triage):
    """A loop that no header names is seen by the number of servers."""
    assert parse(b"Received: from a by b\r\n" * hops).triage is triage


@pytest.mark.parametrize(
    ("sender", "triage"), [("anna@example.org", Triage.HUMAN), ("game@play.example", Triage.OWN)]
)
def test_a_detail_makes_no_address_ours(sender: str, triage: Triage):
    """Who sends a copy to `anna+cards@example.org` is no loop; ours are those that we are told."""
    raw = f"From: {sender}\nTo: game+x@play.example\nCc: anna+cards@example.org\n\njoin\n".encode()
    assert parse_mail(raw, own_addresses=frozenset({"game@play.example"})).triage is triage
    assert parse_mail(raw).triage is Triage.OWN


def test_nothing_of_the_mail_is_in_its_repr_or_problems():
    """Logs and tracebacks show neither addresses nor words of a player."""
    mail = parse(b"From: bob@evil.example\r\nSubject: secret\r\n", b"play secret\r\n")
    shown = repr(mail)
    assert not any(word in shown for word in ("secret", "alice", "bob", "evil"))


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf-16", "21\n♣".encode("utf-16"), "21\n♣"),
        ("utf-16le", "21\n♣".encode("utf-16-le"), "21\n♣"),
        ("utf-16", b"21 is no UTF-16", "21 is no UTF-16"),
        ("utf-7", b"21\nSch+APY-n", "21\nSch+APY-n"),
        ("iso-8859-1", "play 7♣".encode(), "play 7♣"),
        ("koi8-r", "ход 7♣".encode(), "ход 7♣"),
        ("koi8-r", "ход".encode("koi8-r"), "ход"),
        ("big5", "7♣ é".encode(), "7♣ é"),
        ("gb2312", "出牌 21".encode("gb18030"), "出牌 21"),
        ("utf-8", "Grün".encode("windows-1252"), "Grün"),
    ],
)
def test_bytes_count_more_than_what_is_said_about_them(charset: str, data: bytes, text: str):
    """Wrong declarations are common, and cost nobody a suit."""
    assert clean_text(decode_text(data, charset)[0]) == text


def test_signs_are_cleaned_the_same_in_whatever_text():
    """Texts of letters, of ASCII and others go different ways; all lead to the same."""
    for sign in ("\u200b", "\xa0", "\x00", "\x85", "\u2028", "\ud800", "\ufeff", "\x7f"):
        alone = clean_text(sign)
        assert clean_text(f"7♥{sign}\n") == f"7♥{alone}\n"
        assert clean_text(f"7{sign}\t") == f"7{alone}\t"
    assert clean_text("a\r\nb\rc♥") == "a\nb\nc♥"
    assert clean_text("play 7♥") == "play 7♥"


def test_boundary_lines_stand_alone():
    """A longer line that begins like a boundary, or contains one, separates no parts."""
    mail = parse_mail(
        b"From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\none --b\n--bb\ntwo\n--b  \n\nthree\n--b--\nfour\n"
    )
    assert mail.plain == "one --b\n--bb\ntwo\nthree"


def test_no_other_letter_becomes_an_ascii_letter_of_an_address() -> None:
    """The lower case of the sign for Kelvin is k, so frank's mailbox would be another one's."""
    assert normal_address("fran\u212a@example.org") is None
    assert normal_address("Frank@Example.org") == "frank@example.org"
