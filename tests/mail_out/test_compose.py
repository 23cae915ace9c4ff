"""Test header fields and structure of messages, and that no line can inject a header."""

from __future__ import annotations

import email
import re
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import resources
from pbem.domain.log.chain import Head
from pbem.mail_out.compose import MailHead, compose, mailto_link
from pbem.mail_out.render import Rendered, Renderer
from tests.mail_out.samples import (
    GAME,
    HEAD,
    HEAD_BEFORE,
    MAIL_HEAD,
    READER,
    REPLY_TO,
    SAMPLES,
)

RENDERER = Renderer([resources.templates_dir() / "email"])
SIMPLE = Rendered(subject="[k7q2] Phyliss with Bob", text="Hello!\n", html="<p>Hello!</p>\n")

INJECTION = "Bob\r\nBcc: eve@example.org\r\n\r\n<b>body</b>\x00"


def parsed(rendered: Rendered = SIMPLE, head: MailHead = MAIL_HEAD, **changes: object) -> Message:
    """Compose a message with a changed header, and parse it like a mail program."""
    return email.message_from_bytes(compose(rendered, replace(head, **changes)))


@pytest.mark.parametrize("name", SAMPLES)
def test_lines(name: str):
    """Every line is plain ASCII, below 78 columns, ended by CRLF."""
    raw = compose(RENDERER.render(SAMPLES[name]), MAIL_HEAD)
    assert raw.isascii()
    assert raw.endswith(b"\r\n")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 78


def test_known_bytes():
    """The form of a whole message, so that no Python changes it unnoticed."""
    raw = compose(
        SIMPLE, replace(MAIL_HEAD, answers="abc@mail.example.org", automatic="auto-replied")
    )
    boundary = "=_d922b31d186c7eb041473990739e3a0f7de86c65"
    assert raw.decode().split("\r\n") == [
        f"From: Card table <{MAIL_HEAD.own_address}>",
        "To: anna@example.org",
        "Reply-To: Card table",
        f" <{REPLY_TO}>",
        "Subject: [k7q2] Phyliss with Bob",
        "Date: Sat, 21 Nov 2026 06:33:49 +0000",
        "Message-ID: <k7q2m3x9ab.57.0.abcd2345@pbem.example.org>",
        "In-Reply-To: <abc@mail.example.org>",
        "References: <k7q2m3x9ab.0@pbem.example.org> <abc@mail.example.org>",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: OOF, AutoReply, RN, NRN, DR",
        "PBEM-Loop: cards@pbem.example.org",
        "PBEM-Chain-Head:",
        f" {HEAD}",
        f" 57 {GAME}",
        "PBEM-Chain-Before:",
        f" {HEAD_BEFORE}",
        f" 53 {GAME}",
        "MIME-Version: 1.0",
        "Content-Type: multipart/alternative;",
        f' boundary="{boundary}"',
        "",
        f"--{boundary}",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: 7bit",
        "",
        "Hello!",
        "",
        f"--{boundary}",
        'Content-Type: text/html; charset="utf-8"',
        "Content-Transfer-Encoding: 7bit",
        "",
        "<p>Hello!</p>",
        "",
        f"--{boundary}--",
        "",
    ]


@pytest.mark.parametrize(
    ("answers", "references"),
    [
        (None, "<r@x>"),
        ("", "<r@x>"),
        ("<a@b>", "<r@x> <a@b>"),
        ("a@b", "<r@x> <a@b>"),
        ("r@x", "<r@x>"),
        ("a b@c", "<r@x>"),
        ("a\r\nBcc: eve@example.org", "<r@x>"),
        ("x" * 300, "<r@x>"),
        ("ü@b", "<r@x>"),
        ("<>", "<r@x>"),
    ],
)
def test_answered_id(answers: str | None, references: str):
    """The id of the answered mail is a stranger's: it is used if well-formed, else left out."""
    message = parsed(head=replace(MAIL_HEAD, root="r@x", answers=answers))
    assert message["References"] == references
    assert message["In-Reply-To"] == references.rsplit(" ", maxsplit=1)[-1]


def test_unsubscribe():
    """List-Unsubscribe opens a mail, if there is a link for it."""
    message = parsed(unsubscribe=mailto_link("cards+u-1@pbem.example.org", "stop"))
    assert message["List-Unsubscribe"].strip() == (
        "<mailto:cards%2Bu-1@pbem.example.org?subject=stop>"
    )


def test_nobody_else_reads_along():
    """One mail, one reader."""
    message = parsed()
    assert message["Cc"] is None
    assert message["Bcc"] is None
    assert getaddresses([message["To"]]) == [("", READER)]
    assert getaddresses([message["Reply-To"]])[0][1] == REPLY_TO


@pytest.mark.parametrize(
    "name",
    [
        "Card table",
        'Zoë "Zed" Müller',
        "O'Neill, Dörte",
        'a"b\\c',
        "דניאל",
        "=?utf-8?q?x?=",
        "日本" * 30,
    ],
)
def test_display_names(name: str):
    """Names come back as they were, whatever they hold, and beside one address."""
    message = parsed(sender_name=name, recipient_name=name)
    for header, of in (("From", MAIL_HEAD.own_address), ("To", READER), ("Reply-To", REPLY_TO)):
        [(shown, address)] = getaddresses([message[header]])
        assert str(make_header(decode_header(shown))) == name
        assert address == of


@pytest.mark.parametrize(
    "where",
    ["recipient", "reply_to", "token", "own_address", "message_id", "root", "unsubscribe",
     "heads", "automatic"],
)  # fmt: skip
@pytest.mark.parametrize("what", [INJECTION, "a@b\r\nBcc: c@d", "a@b> <c@d", "", "ü@example.org\n"])
def test_malformed_values_of_ours(where: str, what: str):
    """Addresses and ids that are malformed are our fault: refused, and not repeated in the error."""
    value: object = ((GAME, Head(57, what), Head()),) if where == "heads" else what
    with pytest.raises(ValueError, match=r"malformed|is one of") as caught:
        compose(SIMPLE, replace(MAIL_HEAD, **{where: value}))
    assert "eve" not in str(caught.value)


@given(st.text(max_size=200), st.text(max_size=100))
def test_any_text_is_one_message(subject: str, name: str):
    """With any names, the message has its headers, two parts and no defects."""
    raw = compose(replace(SIMPLE, subject=subject), replace(MAIL_HEAD, sender_name=name))
    message = email.message_from_bytes(raw)
    assert len(message.keys()) == 15
    assert len(message.get_payload()) == 2
    assert message.defects == []


@given(st.text(alphabet=st.characters(exclude_characters="\r"), max_size=400))
def test_any_body_comes_back(body: str):
    """Bodies of any content come back, however they have to be encoded."""
    text = "\n".join(body.splitlines()).rstrip("\n") + "\n"
    payload = parsed(replace(SIMPLE, text=text)).get_payload()[0].get_payload(decode=True)
    expected = text.encode("utf-8", "replace").decode()
    assert payload.decode("utf-8").replace("\r\n", "\n") == expected


@pytest.mark.parametrize("line", ["From here on", ".", "blank at the end ", "x" * 500])
def test_fragile_lines(line: str):
    """Lines that mail systems change on the way are encoded."""
    raw = compose(replace(SIMPLE, text=f"Hello\n{line}\nBye\n"), MAIL_HEAD)
    assert f"\r\n{line}\r\n".encode() not in raw
    payload = email.message_from_bytes(raw).get_payload()[0].get_payload(decode=True)
    assert payload.decode().split("\r\n")[1] == line


@given(st.text(max_size=80), st.text(max_size=80))
def test_links_read_back(subject: str, body: str):
    """A link gives back exactly subject and body (line breaks as CRLF)."""
    subject, body = (text.encode("utf-8", "replace").decode() for text in (subject, body))
    link = mailto_link(REPLY_TO, subject or "s", body)
    assert re.fullmatch(r"mailto:[A-Za-z0-9.@%_~-]+\?[A-Za-z0-9%=&._~-]+", link)
    parts = urlsplit(link)
    assert unquote(parts.path) == REPLY_TO
    fields = parse_qs(parts.query, keep_blank_values=True)
    assert fields["subject"] == ["\r\n".join((subject or "s").splitlines())]
    assert fields.get("body", [""]) == ["\r\n".join(body.splitlines())]


def test_html_that_mail_programs_would_cut_is_left_out():
    """The text says the same; up to 100 kB it stays."""
    for size, kinds in ((99_000, ["text/plain", "text/html"]), (101_000, ["text/plain"])):
        message = parsed(replace(SIMPLE, html="x" * size))
        assert [part.get_content_type() for part in message.get_payload()] == kinds
