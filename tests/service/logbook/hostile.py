"""Play games with events of many types, and forge their logs with recomputed hashes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.domain.terms.timing import Timing
from pbem.service.admin import acts, clock_acts
from pbem.service.lobby import creation as lobby
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.service.forging import Change

NOW = datetime(2027, 1, 1, tzinfo=UTC)
RULESETS = ("phyliss", "cathedral", "phalanx", "phase10", "phase10-family")


def rich_games(folder: Path, rulesets: Sequence[str] = RULESETS) -> dict[str, bytes]:
    """Return the export of a finished game of each ruleset, with events of many types."""
    with sqlite_store(folder) as store:
        table = make_table(store)
        lobby.add_player(table.service, lobby.Person("Dora", "dora@example.org"))
        return {ruleset: _rich(table, ruleset, seed) for seed, ruleset in enumerate(rulesets, 1)}


def _rich(table: Table, ruleset: str, seed: int) -> bytes:
    """Play a game and return its export.

    It has phrases, talk, a vacation, an undo, a bot, an observer and a missed deadline.
    """
    timing = Timing(86400, bank=3600, on_timeout="bot", reminders=(50,))
    game = table.new_game(3, seed, ruleset=ruleset, timing=timing)
    table.answer(0, "join phrase: green tea")
    table.answer(1, "join")
    table.answer(2, "join phrase: Kaffee 🍵")
    table.answer(0, "say Hello to all of you.")
    table.answer(1, "vacation 2026-12-20 - 2026-12-22")
    table.answer(3, f"observe {game.id}", to=table.service.own_address)
    table.answer(3, "yes")  # From alone does not authenticate
    for seat in range(3):
        if table.game(game.id).motions:
            table.answer(seat, "yes")
    table.skip(table.game(game.id), 6)
    acts.carry_out(table.service, game.id, clock_acts.pause, "A storm.")
    acts.carry_out(table.service, game.id, clock_acts.resume, "It is over.")
    acts.undo(table.service, game.id, "2", "read wrongly")
    table.run()
    table.run_at(table.deadline(game).fires_at + timedelta(seconds=1))
    table.skip(table.game(game.id), 6)
    acts.stop(table.service, game.id, "enough")
    return table.export(game.id)


def of(kind: str, **values: Any) -> Change:
    """Return a change of public fields, or fields of the event itself, of the first event of a type."""

    def change(events: list[dict[str, Any]]) -> None:
        event = next(one for one in events if one["type"] == kind)
        for name, value in values.items():
            (event if name in event else event["public"])[name] = value

    return change


def two_seats(events: list[dict[str, Any]]) -> None:
    """Replace the second seat's player by the first seat's in all events."""
    first, second, *_ = events[0]["public"]["seats"]
    for event in events:
        for name, value in event["public"].items():
            if value == second:
                event["public"][name] = first
            if name == "seats" and event["type"] == "GameCreated":
                event["public"][name] = [first if one == second else one for one in value]


def shouted(events: list[dict[str, Any]]) -> None:
    """Write a move in capitals, which is valid in an order but not in the log."""
    public = next(one["public"] for one in events if one["type"] == "MovePlayed")
    public["move"] = public["move"].upper()


HOSTILE: dict[str, Change] = {
    "two seats": two_seats,
    "first event of the future": of("GameCreated", recorded_at="2999-01-01T00:00:00.000000Z"),
    "last event of the future": of("GameStopped", recorded_at="2999-01-01T00:00:00.000000Z"),
    "before the one before": of("GameStopped", recorded_at="2026-11-21T12:00:00.000000Z"),
    "code": of("GameStopped", code="<b>evil"),
    "code of somebody else": of("GameStopped", code="expired"),
    "actor": of("GameStopped", actor="admin:<script>"),
    "no such seat": of("MovePlayed", actor="seat:77"),
    "somebody else moved": of("PhraseGiven", actor="seat:2"),
    "cause": of("GameStopped", cause="command:<b>"),
    "cause is no deadline": of("GameStopped", cause="deadline:2"),
    "player is no id": of("MotionOpened", terms={"player": "<b>eve</b>"}),
    "more fields": of("GameStopped", public={"code": "admin", "server_secret": "", "more": 1}),
    "schema": of("MovePlayed", schema_version=0),
    "schema of a newer program": of("DeadlineSet", schema_version=2),
    "type": of("MotionOpened", type="MotionWished"),
    "move in other words": shouted,
    "ply": of("MovePlayed", ply=2**40),
    "source": of("MovePlayed", source="telepathy"),
    "deadline in no order": of("DeadlineSet", base_at="2026-11-21T11:00:00.000000Z"),
    "deadline in 2999": of("DeadlineSet", fires_at="2999-01-01T00:00:00.000000Z"),
    "late before the deadline": of("TurnTimedOut", recorded_at="2026-11-21T12:00:00.000000Z"),
    "vacation": of("VacationTaken", first="0001-01-01"),
    "who decides": of("SeatControllerChanged", why="boredom"),
    "vote": of("VoteCast", motion="lunch"),
    "hides nothing": of("MovePlayed", secret_commitment=None, secret=None),
    "hides something": of("MotionOpened", secret_commitment="0" * 64),
    "challenge of three": of("GameCreated", challenge=True),
    "challenge that is none": of("GameCreated", challenge=False),
    "no such game": of("GameCreated", ruleset="poker"),
}
