"""Test messages with mailing-list headers: only orders to a secret address are answered."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table, configured

ANNA, BARE = "anna@example.org", "game@play.example.org"
MARKS = {
    "mail tracker": {"List_Unsubscribe": "<https://tracker.example/u/1>"},
    "alias service": {
        "List_Unsubscribe": "<https://app.addy.example/deactivate/9?signature=0>",
        "X_AnonAddy_Original_Sender": ANNA,
    },
    "group before the mailbox": {
        "List_ID": "<table.club.example>",
        "Mailing_list": "list table@club.example; contact table+owners@club.example",
        "Precedence": "list",
    },
    "bulk": {"Precedence": "bulk"},
}
ROBOTS = {
    "vacation program": {"Precedence": "bulk", "X_Vacation": "yes"},
    "RFC 3834": {"Precedence": "bulk", "Auto_Submitted": "auto-replied"},
    "autoreply": {"List_Unsubscribe": "<https://x.example>", "X_Autoreply": "yes"},
    "junk": {"Precedence": "junk"},
    "notice of a list": {"List_Id": "<cards.example.org>", "Auto_Submitted": "auto-generated"},
    "bounce": {"Auto_Submitted": "auto-generated", "X_Failed_Recipients": "x@example.org"},
    "own message": {"PBEM_Loop": BARE},
    "own message of 1.0": {"X_Loop": BARE},
}


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
def test_a_players_order_is_carried_out(table: Table, marks: dict[str, str]) -> None:
    """Alias services and groups mark forwarded messages."""
    game, seat, order = table.start(2)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    mail = table.last_to(seat)
    text = f"{order}\n\n{mail.quote}"
    mails = table.send(sender, mail.reply_to, text, **marks)
    assert table.game(game.id).position > game.position
    assert mails
    assert table.inbox()[-1].status == "done"


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("I am away until Monday. Please write to Bob.", ANNA),  # no order
        ("play 21", "eve@example.org"),  # somebody else's address
    ],
)
def test_other_mails_of_lists_are_not_answered(
    table: Table, marks: dict[str, str], text: str, sender: str
) -> None:
    """A vacation program marks its notices as bulk and has no order in them."""
    game = table.started(2)
    assert table.send(sender, table.last_to(0).reply_to, text, **marks) == []
    assert table.game(game.id).version == game.version
    assert table.inbox()[-1].status == "ignored"


def test_list_mail_to_the_plain_address_is_not_answered(table: Table) -> None:
    """Any person can subscribe the address to a list and forge Anna's From."""
    table.started(2)
    for marks in MARKS.values():
        assert table.send(ANNA, BARE, "help", **marks) == []


@pytest.mark.parametrize("marks", ROBOTS.values(), ids=list(ROBOTS))
def test_robots_are_never_answered(table: Table, marks: dict[str, str]) -> None:
    """Even if their mail has the right sender, a secret address and an order in it."""
    game, seat, order = table.start(2)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    assert table.send(sender, table.last_to(seat).reply_to, order, **marks) == []
    assert table.game(game.id).version == game.version


def test_a_robot_that_marks_its_answers_as_bulk_ends_a_loop_at_once(table: Table) -> None:
    """Its answer contains only quoted orders."""
    table.started(2)
    table.service = configured(table.service, idle_answers_per_hour=50)
    (mail,) = table.send(ANNA, table.own_address(0), "help", **MARKS["bulk"])
    away = f"I am away.\n\n{mail.quote}"
    assert table.send(ANNA, mail.reply_to, away, **MARKS["bulk"]) == []
