"""Test which message the window opens by itself, and its text while waiting."""

from __future__ import annotations

import dataclasses

import pytest

from pbem.demo.clients import ReceivedMail
from pbem.demo.mailboxes import DemoMailbox, Mailboxes
from pbem.demo.window import Window
from tests.demo.mails import received
from tests.demo.test_window import ask

BACK = "Back to your moves"


@pytest.fixture
def anna(mailboxes: Mailboxes) -> DemoMailbox:
    """A mailbox with an invitation and, as the second mail, a turn mail of event 57."""
    return mailboxes.boxes["anna"]


def at_event(mail: ReceivedMail, number: int, **changes: str) -> ReceivedMail:
    """Return a mail of the game as if it told of another event."""
    return dataclasses.replace(mail, event=number, **changes)


def thanks(number: int) -> ReceivedMail:
    """Return a message after a move, which lists no moves and needs no answer."""
    return at_event(received("turn"), number, text="Thank you.\n")


@pytest.mark.parametrize("kind", ["rules", "help", "standings"])
def test_who_asked_something_is_led_back_to_the_moves(
    kind: str, window: Window, mailboxes: Mailboxes, anna: DemoMailbox
) -> None:
    assert anna.waiting is anna.letters[1]
    anna.letters[1].answer = kind
    assert anna.waiting is None  # that may have been the move
    mailboxes.take(anna.person, received(kind), None)
    assert anna.waiting is anna.letters[1]
    page = ask(window, "/anna/3")[1]
    assert BACK in page
    assert "data-follows" not in page  # it is being read


def test_the_mail_with_moves_is_opened_whatever_came_last(
    mailboxes: Mailboxes, anna: DemoMailbox
) -> None:
    anna.letters[1].answer = "21"
    mailboxes.take(anna.person, at_event(received("turn"), 60), None)
    mailboxes.take(anna.person, thanks(58), None)
    assert anna.waiting is anna.letters[2]
    assert anna.next_after(2) == 3
    assert anna.next_after(3) == 4


def test_the_last_mail_says_that_the_game_is_over(
    window: Window, mailboxes: Mailboxes, anna: DemoMailbox
) -> None:
    mailboxes.take(anna.person, received("finished"), None)
    page = ask(window, "/anna/3")[1]
    assert "is being verified" in page
    assert "Reply: rematch" in page
    mailboxes.finish(["3 events hold"])
    page = ask(window, "/anna/3")[1]
    assert "What was checked" in page
    assert "data-over" in page
    assert '"over":true' in ask(window, "/anna/state")[1]
