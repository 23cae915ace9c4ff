"""Test attacks with full rights on the database, and who notices them (docs/security.md)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.api import Seat, Source
from engine.canonical import canonical_json
from engine.replay import state_digest
from pbem.domain.log.chain import NewEvent, chain, parse_time
from pbem.domain.table.game import Game
from pbem.errors import LogError, UpcastError
from pbem.service.core import games
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_causes, verify_file
from pbem.store.rows.core import EVENT, EVENT_SECRET
from tests.service.conftest import Table

Change = Callable[[list[NewEvent]], list[NewEvent]]


@pytest.fixture
def game(table: Table) -> Game:
    """Return a running game after some messages."""
    return table.skip(table.started(2), 12)


def find_file(table: Table) -> str:
    return str(table.service.store.db_engine.url.database)


def list_heads(table: Table, seat: int) -> list[str]:
    """Return the fingerprints in a player's messages."""
    told = [mail.message["PBEM-Chain-Head"] for mail in table.mails_to(seat)]
    return [str(head).split()[0] for head in told if head is not None]


def find_complaint(table: Table, game: Game, *heads: str) -> str | None:
    """Return the complaint of `pbem verify GAME`, or None if it succeeds."""
    try:
        table.verify(game, heads)
    except (LogError, UpcastError) as error:
        return str(error)
    return None


def drop_guards(table: Table) -> sqlite3.Connection:
    connection = sqlite3.connect(find_file(table))
    for name in ("event_no_update", "event_no_delete", "event_no_replace"):
        connection.execute(f"DROP TRIGGER {name}")
    return connection


def written_anew(table: Table, game: Game, change: Change, later: float = 0) -> None:
    """Replace the log by another one with correct numbers, hashes and commitments."""
    drop_guards(table).close()
    with table.service.store.unit_of_work() as uow:
        old = uow.events.read(game.id)
        for rows in (EVENT_SECRET, EVENT):
            uow.connection.execute(rows.delete().where(rows.c.game_id == game.id))
        times = [parse_time(event.recorded_at) + timedelta(seconds=later) for event in old]
        for at, event in enumerate(
            change(
                [
                    NewEvent(
                        event.type,
                        event.schema_version,
                        event.actor,
                        event.cause,
                        event.public,
                        event.secret,
                    )
                    for event in old
                ]
            )
        ):
            uow.events.append(game.id, at, [event], times[min(at, len(times) - 1)])


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE event SET public = replace(public, '"ply":', '"ply":1') WHERE type = 'MovePlayed'""",
        "UPDATE event SET recorded_at = '2020-01-01T00:00:00.000000Z' WHERE version = 9",
        "UPDATE event SET actor = 'seat:1' WHERE version = 9 AND actor != 'seat:1'",
        "UPDATE event SET cause = 'mail:none' WHERE type = 'MovePlayed'",
        "DELETE FROM event WHERE version = 9",
        "UPDATE event SET version = CASE version WHEN 8 THEN -9 ELSE 8 END WHERE version IN (8, 9)",
        "UPDATE event_secret SET salt = lower(hex(randomblob(32))) WHERE version = 1",
        "UPDATE event_secret SET payload = (SELECT max(payload) FROM event_secret)",
    ],
)
def test_a_row_that_was_changed(table: Table, game: Game, statement: str) -> None:
    """Without triggers, detect changed, missing and exchanged rows."""
    connection = drop_guards(table)
    if "-9" in statement:
        connection.execute(statement)
        connection.execute("UPDATE event SET version = 9 WHERE version = -9")
    else:
        assert connection.execute(statement).rowcount > 0
    connection.commit()
    connection.close()
    assert find_complaint(table, game) is not None


def test_the_last_events_cut_off(table: Table, game: Game) -> None:
    """The rest is a valid log, but a message names a later event."""
    seat = table.move(game)
    heads = list_heads(table, seat)
    assert find_complaint(table, game, heads[-1]) is None
    connection = drop_guards(table)
    connection.execute("DELETE FROM event_secret WHERE version > ?", (game.version,))
    connection.execute("DELETE FROM event WHERE version > ?", (game.version,))
    connection.commit()
    connection.close()
    assert find_complaint(table, game) is None
    assert "not the log that was mailed" in str(find_complaint(table, game, heads[-1]))


def test_a_new_log_in_which_all_is_right(table: Table, game: Game) -> None:
    """A log with other times verifies, but does not agree with any message."""
    heads = list_heads(table, 1)
    assert len(heads) > 1
    assert find_complaint(table, game, *heads) is None
    written_anew(table, game, lambda events: events, later=60)
    assert find_complaint(table, game) is None
    for head in heads:
        assert "not the log that was mailed" in str(find_complaint(table, game, head))


def test_another_move_with_its_digest(table: Table, game: Game) -> None:
    """An attacker with keys can compute the digest, but no later message agrees."""
    table.move(game)
    heads = [list_heads(table, seat)[-1] for seat in (0, 1)]
    with table.service.store.reading() as uow:
        made = next(e for e in reversed(uow.events.read(game.id)) if e.type == "MovePlayed")
        before = games.load(uow, game.id, up_to=made.version - 1)
    seat, rules = Seat(before.to_act[0]), before.ruleset
    move, text = next(
        (move, text)
        for move in rules.legal_moves(before.state, seat)
        if (text := rules.format_move(before.state, seat, move)) != made.public["move"]
    )
    digest = state_digest(rules, rules.apply(before.state, seat, move, Source.CHOSEN).state)

    def change(events: list[NewEvent]) -> list[NewEvent]:
        move = events[made.version - 1]
        assert move.secret.payload is not None
        secret = replace(move.secret, payload={**move.secret.payload, "digest": digest})
        changed = replace(move, public={**move.public, "move": text}, secret=secret)
        return [*events[: made.version - 1], changed]

    written_anew(table, game, change)
    assert find_complaint(table, game) is None
    for head in heads:
        assert "not the log that was mailed" in str(find_complaint(table, game, head))


def test_a_move_in_the_name_of_a_player(table: Table, game: Game) -> None:
    """The log verifies, but no received message caused the move."""
    seat = table.move(game)
    after = table.game(game.id)
    forged = table.read(
        lambda uow: next(
            event for event in reversed(uow.events.read(game.id)) if event.type == "MovePlayed"
        )
    )
    assert forged.cause is not None

    def change(events: list[NewEvent]) -> list[NewEvent]:
        events[forged.version - 1] = replace(events[forged.version - 1], cause="mail:" + "0" * 64)
        return events

    written_anew(table, after, change)
    assert find_complaint(table, after) is None
    with table.service.store.reading() as uow:
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
        with pytest.raises(LogError, match="names a mail that never came in") as found:
            verify_causes(uow, game.id)
    assert found.value.version == forged.version
    verify_file(data)
    with pytest.raises(LogError, match="not the log that was mailed"):
        verify_file(data, heads=list_heads(table, seat)[-1:])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET actor = 'seat:7' WHERE version = ?",
        """UPDATE event SET public = replace(public, ':"', ': "') WHERE version = ?""",
    ],
)
def test_a_game_whose_log_was_changed_is_not_played_on(
    table: Table, game: Game, statement: str
) -> None:
    """Loading checks the chain of what it reads.

    The bytes are checked that the database holds: not even a blank can be added.
    """
    table.service.store.close()  # after a restart no game is cached
    connection = drop_guards(table)
    connection.execute(statement, (game.version,))
    connection.commit()
    connection.close()
    assert table.check()[-1].startswith(f"game {game.id}: event")
    match = f"event {game.version} was changed"
    with table.service.store.reading() as uow, pytest.raises(LogError, match=match):
        games.load(uow, game.id)


def test_an_event_that_somebody_else_added(table: Table, game: Game) -> None:
    """Its hash is correct. The game stops, and the check reports it."""
    seat, order = table.standby(game)
    head = game.head
    added = chain(
        game.id,
        (game.version, head),
        [
            NewEvent(
                "SeatReplaced", 1, "admin:local", None, {"seat": seat, "player": "x" * 10}, None
            )
        ],
        "2026-11-21T12:00:00.000000Z",
    )[0]
    statement = (
        "INSERT INTO event (game_id, version, type, schema_version, recorded_at, actor, public,"
        " prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    with sqlite3.connect(find_file(table)) as connection:
        public = canonical_json(added.public).decode()
        connection.execute(statement, (game.id, added.version, added.type, 1, added.recorded_at,
            added.actor, public, added.prev_hash, added.hash))  # fmt: skip
    connection.close()
    with pytest.raises(LogError, match="does not end where it ended"):
        table.game(game.id)
    table.answer(seat, order)
    assert table.read(lambda uow: uow.events.head(game.id)) == (added.version, added.hash)
    problems = table.check()
    assert any("does not end where it ended" in problem for problem in problems)
    assert "Your hand" not in "".join(mail.words for mail in table.delivery.mails[-1:])
