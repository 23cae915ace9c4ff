"""Test that random and damaged messages give a value or `MalformedMailError`."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedMailError
from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.quotes.answered import page_text
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.samples import FOLDER, RECOGNISER, is_order, load

RAWS = [sample.raw for sample in load()]
TURN = (FOLDER / "turn.txt").read_text("utf-8")
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

PIECES = st.sampled_from(
    [
        *(
            b"\r\n",
            b"\n",
            b"\r",
            b"\0",
            b"--",
            b": ",
            b"<",
            b">",
            b"=",
            b"=?",
            b"?=",
            b"\xff",
            b'"',
        ),
        *(
            b"From: ",
            b"Content-Type: ",
            b"multipart/mixed; boundary=b",
            b"--b\r\n",
            b"message/rfc822",
        ),
        *(
            b"charset=utf-8",
            b"charset=idna",
            b"base64",
            b"quoted-printable",
            b"text/html",
            b"\r\n\r\n",
        ),
        *(
            b"<div>",
            b"</div>",
            b"<blockquote>",
            b"> ",
            b"On 1.1.2026 18:00 x wrote:\n",
            b"play 9s\n",
        ),
    ]
)


def read(raw: bytes) -> InboundMail | None:
    """Parse and extract, whatever the bytes are."""
    try:
        mail = parse_mail(raw)
    except MalformedMailError:
        return None
    for answered in (None, TURN):
        reply = extract_reply(mail, answered=answered, recogniser=RECOGNISER)
        assert isinstance(reply, Reply)
        reply.text.encode("utf-8")
        assert "\0" not in reply.text
        assert "\r" not in reply.text
    assert mail.subject.isprintable()
    assert mail.sender is None or (mail.sender.isascii() and mail.sender == mail.sender.lower())
    return mail


@QUICK
@given(st.binary(max_size=2000))
def test_random_bytes(raw: bytes):
    """Bytes that mean nothing."""
    read(raw)


@QUICK
@given(st.data())
def test_damaged_mails_of_the_corpus(data: st.DataObject):
    """A real mail with pieces cut out, doubled, exchanged or put in."""
    raw = bytearray(data.draw(st.sampled_from(RAWS)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw)))
        end = min(len(raw), at + data.draw(st.integers(0, 80)))
        match data.draw(st.integers(0, 3)):
            case 0:
                del raw[at:end]
            case 1:
                raw[at:at] = raw[at:end]
            case 2:
                raw[at:at] = data.draw(st.one_of(PIECES, st.binary(max_size=8)))
            case _:
                raw[at:end] = bytes(byte ^ 0x20 for byte in raw[at:end])
    read(bytes(raw))


@QUICK
@given(st.text(max_size=600), st.text(max_size=600))
def test_random_text_and_html(plain: str, html: str):
    """Any characters in both forms."""
    mail = InboundMail(
        message_id=None,
        sender=None,
        recipients=(),
        subject="",
        answers=(),
        triage=Triage.HUMAN,
        plain=plain,
        html=html,
    )
    reply = extract_reply(
        mail, answered=plain[::-1], answered_page=page_text(html), recogniser=RECOGNISER
    )
    written = reply.text.encode("utf-8", "surrogatepass")
    assert written.decode("utf-8", "surrogatepass") == reply.text


@QUICK
@given(st.data())
def test_own_order_on_top_of_any_quoted_mail_is_found(data: st.DataObject):
    """Our mail quoted with `>` at any width: the order above it, and only that, is own."""
    width = data.draw(st.integers(30, 100))
    order = data.draw(st.sampled_from(["play 9s", "21", "pickup", "flip 2", ""]))
    quoted: list[str] = []
    for line in TURN.split("\n"):
        marked = f"> {line}"
        while len(marked) > width and " " in marked[3:width]:
            cut = marked.rindex(" ", 3, width)
            quoted.append(marked[:cut])
            marked = marked[cut + 1 :]
        quoted.append(marked)
    text = f"{order}\n\nOn 20/11/2026 18:00, PBEM wrote:\n" + "\n".join(quoted)
    mail = parse_mail(b"From: a@example.org\r\n\r\n" + text.encode())
    reply = extract_reply(mail, answered=TURN, recogniser=RECOGNISER)
    assert [line for line in reply.text.split("\n") if is_order(line)] == [order] * bool(order)
