"""Test answers between the lines of our message, and quoted lines that were changed."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.samples import FOLDER, RECOGNISER, orders_of

TURN = (FOLDER / "turn.txt").read_text("utf-8")
INTRO = "On Fri, Nov 20, 2026 at 6:00 PM PBEM wrote:\n"


def reply_to(plain: str, *, known: bool = True) -> Reply:
    mail = InboundMail("m@x", None, (), "", (), Triage.HUMAN, plain, None)
    return extract_reply(
        mail,
        answered=TURN if known else None,
        answered_page="" if known else None,
        recogniser=RECOGNISER,
    )


def marked(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


@pytest.mark.parametrize("quote", [marked, str], ids=["marked", "unmarked"])
@pytest.mark.parametrize("typed", ["play 3h", "22", "Kd, sorry Bob\n22"])
def test_line_that_is_one_too_many_in_our_mail_is_an_answer(quote, typed: str):
    """Our mail goes on behind it where it broke off; so nothing of ours is missing there."""
    changed = TURN.replace("  22  play Kd\n", f"  22  play Kd\n{typed}\n")
    reply = reply_to(INTRO + quote(changed))
    assert orders_of(reply.text) == [typed.rsplit("\n", maxsplit=1)[-1]]
    assert reply.doubts == ()


@pytest.mark.parametrize("quote", [marked, str], ids=["marked", "unmarked"])
@pytest.mark.parametrize("damaged", ["  21  play 9h\n", "play 9d\n", "  21\n", ""])
def test_line_in_place_of_one_of_ours_is_no_answer(quote, damaged: str):
    """It may be ours, changed on its way: nothing is carried out."""
    reply = reply_to(INTRO + quote(TURN.replace("  21  play 9s\n", damaged)))
    assert orders_of(reply.text) == []


def test_what_the_quoted_mail_quotes_was_said_before():
    """Who answers her own answer repeats nothing."""
    changed = TURN.replace("  22  play Kd\n", "  22  play Kd\nplay 3h\n")
    reply = reply_to("Did you get this?\n\n" + INTRO + marked(INTRO + changed))
    assert orders_of(reply.text) == []


def test_ends_of_wrapped_lines_do_not_make_an_order_above_doubtful():
    """A relay wrapped the quote; our mail is not known."""
    tails = "> the pile lies one card and\n7c\n> you may go on with\nwhatever\n> and then it is\nyours\n> end"
    reply = reply_to(f"play 9s\n\n{INTRO}{tails}", known=False)
    assert (orders_of(reply.text), reply.doubts) == (["play 9s"], ())


def test_an_answer_below_a_quote_below_a_signature_is_own():
    """Clients put the signature above the quote, and people write below it."""
    reply = reply_to(f"-- \nAnna\n\n{INTRO}{marked(TURN)}\n\nplay 9s\n", known=False)
    assert (reply.text, reply.doubts) == ("play 9s", ())
