"""Test that random and damaged messages give a value or `MalformedMailError`."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedMailError
from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.quotes.answered import page_text
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.samples import FOLDER, RECOGNISER, is_order

TURN = (FOLDER / "turn.txt").read_text("utf-8")
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


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
