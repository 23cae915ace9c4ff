"""Test messages with mailing-list headers: only orders to a secret address are answered."""

from __future__ import annotations

import pytest

from pbem.domain.terms.tokens import PlayerToken
from tests.service.conftest import Sent, Table, configured, raw_mail

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
}


def write(
    table: Table, text: str, to: str, marks: dict[str, str], *, sender: str = ANNA
) -> list[Sent]:
    before = len(table.delivery.mails)
    table.counter += 1
    ident = f"<listed{table.counter}@example.org>"
    table.receive(raw_mail(sender, to, text, message_id=ident, **marks), to)
    table.run()
    return table.delivery.mails[before:]


def own_address(table: Table) -> str:
    with table.service.store.reading() as uow:
        anna = uow.players.by_address(ANNA)
    assert anna is not None
    return table.service.tokens.address(PlayerToken(anna.id))


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
def test_a_players_order_is_carried_out(table: Table, marks: dict[str, str]) -> None:
    """Alias services and groups mark what they pass on."""
    game = table.started(2)
    seat, order = table.standby(game)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    mail = table.last_to(seat)
    quote = "\n".join(f"> {line}" for line in mail.text.splitlines())
    text = f"{order}\n\nOn Sat, Nov 28, 2026 at 7:00 AM Cards <{BARE}> wrote:\n\n{quote}"
    mails = write(table, text, mail.reply_to, marks, sender=sender)
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
    to = table.last_to(0).reply_to
    assert write(table, text, to, marks, sender=sender) == []
    assert table.game(game.id).version == game.version
    assert table.inbox()[-1].status == "ignored"


def test_list_mail_to_the_plain_address_is_not_answered(table: Table) -> None:
    """Any person can subscribe the address to a list and forge Anna's From."""
    table.started(2)
    for marks in MARKS.values():
        assert write(table, "help", BARE, marks) == []


@pytest.mark.parametrize("marks", ROBOTS.values(), ids=list(ROBOTS))
def test_robots_are_never_answered(table: Table, marks: dict[str, str]) -> None:
    """Even if their mail has the right sender, a secret address and an order in it."""
    game = table.started(2)
    seat, order = table.standby(game)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    assert write(table, order, table.last_to(seat).reply_to, marks, sender=sender) == []
    assert table.game(game.id).version == game.version


def test_a_robot_that_marks_its_answers_as_bulk_ends_a_loop_at_once(table: Table) -> None:
    """It answers our answer, and has no order of its own: what it quotes is ours."""
    table.started(2)
    table.service = configured(table.service, idle_answers_per_hour=50)
    (mail,) = write(table, "help", own_address(table), MARKS["bulk"])
    quote = "\n".join(f"> {line}" for line in mail.text.splitlines())
    away = f"I am away.\n\nOn Sat, Nov 28, 2026, Cards <{BARE}> wrote:\n{quote}"
    assert write(table, away, mail.reply_to, MARKS["bulk"]) == []
