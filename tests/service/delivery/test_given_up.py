"""Test that no player is late because a turn message was not sent."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.log.clock_events import DeadlineExtended, TurnTimedOut
from pbem.domain.log.seat_events import PlayerUnreachable
from pbem.domain.table.game import Game
from pbem.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError
from pbem.service.admin.clock_acts import deadlines
from pbem.service.clock.contact import tell_games
from tests.service.conftest import Table

MOVE_TIME = timedelta(days=3)
NO_LOGIN = TransientDeliveryError("the server refused our login (535)", scope="server")
GREYLISTED = TransientDeliveryError("later", scope="recipient", status="4.2.1")
SPAM = PermanentDeliveryError("no", scope="mail", status="5.7.1")
GONE = PermanentDeliveryError("no such user", scope="recipient", status="5.1.1")


def start_with_unsent_turn(table: Table, error: DeliveryError) -> tuple[Game, int]:
    """Start a game whose first turn message fails. Return it and the seat to act."""
    game = table.new_game(2)
    table.answer(0, "join")
    table.delivery.error = error
    table.answer(1, "join")
    game = table.game(game.id)
    return game, int(game.to_act[0])


def let_pass(table: Table, *, days: float, steps: int) -> None:
    """Time goes by, and the service looks so many times."""
    for _ in range(steps):
        table.wait(days=days / steps)
        tell_games(table.service)


@pytest.mark.parametrize(
    "error",
    [
        NO_LOGIN,
        PermanentDeliveryError("the server refused the sender (550)", scope="server"),
        TransientDeliveryError("no room (452 4.3.1)", scope="recipient", status="4.3.1"),
    ],
)
def test_trouble_of_our_server_ends_no_mail_and_no_turn(table: Table, error: DeliveryError) -> None:
    """After eight days the message is sent, and its player has the full time."""
    game, seat = start_with_unsent_turn(table, error)
    let_pass(table, days=8, steps=4)
    assert "failed" not in {mail.status for mail in table.outbox()}
    assert not table.events(game, TurnTimedOut)
    table.delivery.error = None
    let_pass(table, days=0.1, steps=1)
    now = table.game(game.id)
    assert now.to_act == (seat,)
    assert now.deadline.due_at == table.clock.now() + MOVE_TIME


def test_a_reader_who_was_refused_for_days_is_a_bounce(table: Table) -> None:
    """The message is abandoned and counts like a soft bounce."""
    game, seat = start_with_unsent_turn(table, NO_LOGIN)
    with table.service.store.unit_of_work() as uow:
        for mail in uow.outbox.list("pending"):
            for _ in range(70):
                uow.outbox.retry_at(mail.id, table.clock.now(), "later")
    table.delivery.error = GREYLISTED
    table.wait(days=4)
    assert "failed" not in {mail.status for mail in table.outbox()}, "four days"
    table.wait(days=2)
    assert "failed" in {mail.status for mail in table.outbox()}
    player = table.game(game.id).seats[seat].player
    assert (
        table.read(
            lambda uow: uow.deliverability.score(player, table.clock.now() - timedelta(days=1))
        )
        >= 1
    )


def test_a_turn_mail_that_was_refused_is_written_anew_and_nobody_is_late(table: Table) -> None:
    """Write it again twice a day until one is sent. The full time starts then."""
    game, seat = start_with_unsent_turn(table, SPAM)
    let_pass(table, days=9, steps=18)
    assert not table.events(game, TurnTimedOut)
    assert [due.state for due in deadlines(table.service)] == ["given_up"]
    mails = [mail for mail in table.outbox() if mail.seat == seat and mail.kind == "turn"]
    assert 8 <= len(mails) <= 14
    table.delivery.error = None
    let_pass(table, days=1, steps=2)
    now = table.game(game.id)
    assert now.to_act == (seat,)
    assert now.deadline.due_at > table.clock.now() + MOVE_TIME - timedelta(days=1)
    assert [e.reason for e in table.events(game, DeadlineExtended)] == ["delivery"]  # type: ignore[attr-defined]
    let_pass(table, days=4, steps=8)
    assert len(table.events(game, TurnTimedOut)) >= 1, "they heard of it, and were silent"


def test_who_cannot_be_reached_is_known_to_be_before_their_time_is_over(table: Table) -> None:
    """Bounces mark the player as unreachable before the timeout policy applies."""
    game, seat = start_with_unsent_turn(table, GONE)
    table.delivery.error = None
    real = table.delivery.send

    async def send(raw: bytes, mail_from: str, rcpt_to: str) -> None:
        if rcpt_to == f"{('anna', 'bob')[seat]}@example.org":
            raise GONE
        await real(raw, mail_from, rcpt_to)

    table.delivery.send = send  # type: ignore[method-assign]
    let_pass(table, days=8, steps=16)
    kinds = [type(item.event) for item in table.log(game)]
    assert PlayerUnreachable in kinds
    assert kinds.index(PlayerUnreachable) < kinds.index(TurnTimedOut)
