"""Test daily digests and personal reminder times."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.admin import acts, clock_acts
from pbem.service.upkeep import maintenance
from tests.service.conftest import START, Table


def list_kinds(table: Table, seat: int) -> list[str]:
    return [row.kind for row in table.outbox() if row.seat == seat or row.kind == "digest"]


def test_news_wait_for_the_daily_mail(table: Table) -> None:
    """Events such as pauses are reported once a day with their reasons, but turn messages come at once."""
    game, reader, _ = table.start(3)
    assert (
        "one mail a day, at 18:00"
        in (table.answer(reader, "digest on"), table.last_to(reader))[1].words
    )
    acts.carry_out(table.service, game.id, clock_acts.pause, "Bob is in hospital")
    acts.carry_out(table.service, game.id, clock_acts.resume, "Bob is well")
    table.run()
    assert list_kinds(table, (reader + 1) % 3).count("notice") == 2
    assert "notice" not in list_kinds(table, reader)
    table.run_at(START.replace(hour=17))
    digest = table.last_to(reader)
    assert digest.message["Subject"] == "One game waits for you"
    assert "Bob is in hospital" in digest.words
    assert "Bob is well" in digest.words
    assert "Answer by " in digest.words
    assert table.game(game.id).head.encode() in digest.raw
    table.run()
    assert list_kinds(table, reader).count("digest") == 1
    # the next day the same news are not told again, but whose turn it is
    table.wait(days=1)
    assert list_kinds(table, reader).count("digest") == 2
    assert "hospital" not in table.last_to(reader).words


def test_reminders_are_folded_only_where_a_daily_mail_comes_in_time(table: Table) -> None:
    """The digest replaces the reminder at 50 %. The reminder at 90 % comes at once."""
    _, seat, _ = table.start(2, timing=Timing(86400, reminders=(10, 90)))
    table.answer(seat, "digest on")
    table.wait(hours=3)
    assert "reminder" not in list_kinds(table, seat)
    for hours in (17 - 12, 23):
        table.run_at(START + timedelta(hours=hours))
    assert [kind for kind in list_kinds(table, seat) if kind in ("digest", "reminder")] == [
        "digest",
        "reminder",
    ]


def test_two_services_send_one_digest(both: Table) -> None:
    """Only one service moves the hour and queues the message, in one transaction."""
    _, reader, _ = both.start(2)
    both.answer(reader, "digest on")
    (player,) = both.read(lambda uow: uow.players.due_for_digest(START.replace(hour=17), 9))
    with both.service.store.unit_of_work() as uow:
        assert uow.players.move_digest(player, START + timedelta(days=1))
        assert not uow.players.move_digest(player, START + timedelta(days=1))
    later = replace(player, digest_at=START + timedelta(days=1))
    assert both.read(lambda uow: uow.players.next_digest()) == later.digest_at
    both.wait(days=2)
    both.run()
    assert list_kinds(both, reader).count("digest") == 1


def test_reminders_of_ones_own(table: Table) -> None:
    """A player's own reminder times replace those of all games, without an event."""
    game, seat, _ = table.start(2, timing=Timing(2 * 86400, reminders=(50,)))
    assert (
        "you are reminded 20 hours and 1 hour before a deadline"
        in table.ask(seat, "reminders 20h, 1h").words
    )
    assert table.game(game.id).version == game.version
    told = []
    for hour in range(1, 48):
        table.clock.instant = START + timedelta(hours=hour)
        if hour == 27:
            maintenance.rebuild(table.service, lambda count: None)
        before = list_kinds(table, seat).count("reminder")
        table.run()
        if list_kinds(table, seat).count("reminder") > before:
            told.append(hour)
    assert told == [28, 47]
    table.answer(seat, table.standby(game)[1])
    assert int(table.game(game.id).to_act[0]) == 1 - seat
    table.answer(1 - seat, table.standby(table.game(game.id))[1])
    deadline = table.deadline(game)
    (entry,) = table.read(lambda uow: uow.projections.open_deadlines(game.id))
    assert entry.next_at == deadline.due_at - timedelta(hours=20)
    table.answer(seat, "reminders on")
    (entry,) = table.read(lambda uow: uow.projections.open_deadlines(game.id))
    assert entry.next_at == deadline.reminders[0]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("digest", "at which hour"),
        ("digest 24", "at which hour"),
        ("reminders 5", "how long before a deadline"),
        ("reminders 1h 2h 3h 4h 5h 6h", "how long before a deadline"),
        ("timezone Europe/Berln", "timezone Europe/Berlin"),
    ],
)
def test_wishes_that_cannot_be(table: Table, game: Game, wish: str, said: str) -> None:
    """The refusal names possible values, and the previous setting stays (GEN-10)."""
    assert said in table.ask(0, wish, to=table.own_address(0)).words
    table.answer(0, wish, to=None)
    assert table.game(game.id).version == game.version
