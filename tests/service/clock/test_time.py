"""Test reminders, timeouts, and deadlines extended after downtimes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.log.clock_events import DeadlineExtended, DeadlineSet, TurnTimedOut
from pbem.domain.log.events import MovePlayed
from pbem.domain.play import decide as decide_module
from pbem.domain.table.game import Game
from pbem.errors import TransientDeliveryError
from pbem.service.clock import fire_due as module
from pbem.service.clock.fire_due import HELD_GRACE, fire_due
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from tests.service.conftest import START, Table, failing

MOVE_TIME = timedelta(days=3)


def list_kinds(table: Table, seat: int | None = None) -> list[str]:
    return [mail.kind for mail in table.outbox() if seat is None or mail.seat == seat]


# --- reminders ------------------------------------------------------------------------------------


def test_reminders_at_half_and_at_nine_tenths_once_each(table: Table) -> None:
    """Send each reminder once, and not before its time."""
    _, seat, _ = table.start(2)
    table.wait(hours=35.9)
    assert list_kinds(table).count("reminder") == 0
    table.clock.forward(hours=0.2)
    for _ in range(5):
        table.run()
    assert list_kinds(table, seat).count("reminder") == 1
    table.clock.instant = START + MOVE_TIME * 0.9
    for _ in range(5):
        table.run()
    assert list_kinds(table, seat).count("reminder") == 2
    assert list_kinds(table, 1 - seat).count("reminder") == 0
    assert "Still your turn" in table.last_to(seat).words
    assert len({sent.message["Message-ID"] for sent in table.delivery.mails}) == len(
        table.delivery.mails
    )


def test_without_receipts_only_the_last_reminder_comes(table: Table) -> None:
    """At nine tenths of the time, and none at half of it."""
    _, seat, _ = table.start(2)
    table.answer(seat, "receipts off")
    table.run_at(START + MOVE_TIME * 0.89)
    assert list_kinds(table, seat).count("reminder") == 0
    table.run_at(START + MOVE_TIME * 0.9)
    table.run()
    assert list_kinds(table, seat).count("reminder") == 1


def test_service_that_was_down_over_both_reminders_sends_the_latest_only(
    table: Table, game: Game
) -> None:
    table.clock.forward(hours=70)
    for _ in range(3):
        table.run()
    assert list_kinds(table, int(game.to_act[0])).count("reminder") == 1


# --- timeouts -------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-7", "GEN-12")
def test_timeout_plays_the_standby_move_and_tells_both(table: Table) -> None:
    """The log marks the move as standby. The late player and the next one both get a message."""
    game, seat, order = table.start(2)
    before = len(table.delivery.mails)
    table.wait(days=3, seconds=2)
    log = table.log(game)
    moves = [item for item in log if isinstance(item.event, MovePlayed)]
    assert moves[0].event.source == "standby"
    assert moves[0].event.move == order
    assert moves[0].actor == "clock"
    deadline = next(item for item in log if isinstance(item.event, DeadlineSet))
    assert moves[0].cause == f"deadline:{deadline.version}"
    assert table.events(game, TurnTimedOut) == [TurnTimedOut(seat, deadline.version)]
    mails = table.delivery.mails[before:]
    late = [mail for mail in mails if mail is table.last_to(seat)]
    assert len(late) == 1
    assert "safe move was made for you" in late[0].words
    assert order in late[0].words
    other = table.last_to(1 - seat)
    assert other in mails
    assert "ran out of time" in other.words
    assert table.game(game.id).to_act == (1 - seat,)


def test_mail_that_arrived_in_time_and_is_handled_late_wins(table: Table) -> None:
    """The time of arrival counts. No timeout happens while such a message waits."""
    game, seat, order = table.start(2)
    table.clock.instant = START + MOVE_TIME
    table.answer(seat, order, run=False)
    table.clock.forward(days=2)
    assert fire_due(table.service) == 0
    assert not table.events(game, TurnTimedOut)
    handle_all(table.service)
    fire_due(table.service)
    assert not table.events(game, TurnTimedOut)
    moves = table.events(game, MovePlayed)
    assert [move.source for move in moves] == ["mail"]


def test_mail_that_came_late_is_answered_with_the_table_as_it_is(table: Table) -> None:
    """A message after the timeout is refused with one answer."""
    game, seat, order = table.start(2)
    address = table.last_to(seat).reply_to
    table.wait(days=3, seconds=30)
    version = table.game(game.id).version
    before = len(table.mails_to(seat))
    table.answer(seat, order, to=address)
    assert table.game(game.id).version == version
    assert len(table.mails_to(seat)) == before + 1
    assert "It is not your turn" in table.last_to(seat).words


def test_shunted_mail_that_came_in_time_blocks_the_timeout(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the program never costs a player a turn."""
    game, seat, order = table.start(2)
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, failing(RuntimeError()))
        table.answer(seat, order)
    assert table.inbox()[-1].status == "shunted"
    for _ in range(10):
        table.wait(days=1)
    assert not table.events(game, TurnTimedOut)
    table.write(lambda uow: uow.inbox.mark(table.inbox()[-1].id, "new"))
    table.run()
    assert table.game(game.id).to_act == (1 - seat,)
    assert not table.events(game, TurnTimedOut)


@pytest.mark.parametrize(
    ("text", "sender", "status"),
    [("pickup", "strange@elsewhere.example", "held"), ("resign confirm", None, "asked")],
)
def test_held_mail_blocks_the_timeout_for_the_grace_period_only(
    table: Table, text: str, sender: str | None, status: str
) -> None:
    """Otherwise players gain time with unknown addresses or unconfirmed orders."""
    game, seat, _ = table.start(2)
    table.clock.forward(days=2, hours=23)
    table.answer(seat, text, sender=sender)
    assert table.inbox()[-1].status == status
    held_at = table.clock.now()
    table.wait(hours=2)
    assert not table.events(game, TurnTimedOut)
    table.run_at(held_at + HELD_GRACE + timedelta(minutes=6))
    assert len(table.events(game, TurnTimedOut)) == 1


def test_unsent_turn_mail_blocks_the_timeout_and_moves_the_deadline(table: Table) -> None:
    """The player's time starts when the turn message is sent."""
    game = table.new_game(2)
    table.answer(0, "join")
    table.delivery.error = TransientDeliveryError("no connection to the server")
    table.answer(1, "join")
    game = table.game(game.id)
    seat = int(game.to_act[0])
    table.wait(days=3, hours=1)
    table.run()
    assert not table.events(game, TurnTimedOut)
    table.delivery.error = None
    table.wait(hours=3)
    sent_at = table.clock.now()
    game = table.game(game.id)
    assert game.deadline.due_at == sent_at + MOVE_TIME
    extended = table.events(game, DeadlineExtended)
    assert [event.reason for event in extended] == ["delivery"]
    table.run_at(sent_at + MOVE_TIME - timedelta(seconds=1))
    assert not table.events(game, TurnTimedOut)
    table.wait(seconds=3)
    assert [event.seat for event in table.events(game, TurnTimedOut)] == [seat]


@pytest.mark.parametrize("text", ["board", "play nonsense 99", "hello there"])
def test_answer_to_a_mail_that_changed_nothing_does_not_move_the_deadline(
    table: Table, text: str
) -> None:
    """Otherwise a player could gain time with questions and mistakes."""
    game, seat, _ = table.start(2)
    due_at = START + MOVE_TIME
    for _ in range(3):
        table.clock.forward(hours=20)
        table.answer(seat, text)
        assert table.game(game.id).deadline.due_at == due_at
    table.run_at(due_at + timedelta(seconds=2))
    assert len(table.events(game, TurnTimedOut)) == 1


@pytest.mark.rule("GEN-7")
def test_two_standby_turns_of_everybody_stop_the_game(table: Table) -> None:
    """A table that is asleep is not played to the end by the clock."""
    game = table.started(3)
    for _ in range(60):
        if table.game(game.id).is_over:
            break
        table.wait(days=3, seconds=2)
    game = table.game(game.id)
    assert game.finished.reason == "stopped"
    per_seat = [sum(t.seat == seat for t in table.events(game, TurnTimedOut)) for seat in range(3)]
    assert per_seat == [2, 2, 2]
    for seat in range(3):
        assert "nobody answered for two turns" in table.last_to(seat).words


def test_fault_in_one_game_does_not_stop_the_time_of_the_others(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retry a game with a fault later, and go on with the other one."""
    first, second = table.started(2, seed=1), table.started(2, seed=2)
    real = module.timeouts.time_out

    def time_out(decision: decide_module.Decision, seat: int, deadline: int) -> None:
        if decision.game_id == first.id:
            raise RuntimeError("a fault of ours")
        real(decision, seat, deadline)

    monkeypatch.setattr(module.timeouts, "time_out", time_out)
    table.clock.forward(days=3, seconds=2)
    for _ in range(3):
        table.run()
    assert len(table.events(second, TurnTimedOut)) == 1
    assert not table.events(first, TurnTimedOut)
    monkeypatch.setattr(module.timeouts, "time_out", real)
    table.wait(hours=2)
    assert len(table.events(first, TurnTimedOut)) == 1
