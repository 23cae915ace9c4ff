"""What no server could have written is refused, whoever hashed it: by `verify`, by `import`, in replays."""

from __future__ import annotations

import random  # noqa: TID251  (where a test damages a file)
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.domain.terms.timing import Timing
from pbem.errors import LogError
from pbem.service.admin import acts, clock_acts
from pbem.service.lobby import making as lobby
from pbem.service.logbook import importing
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.service.forging import Change, forged
from tests.service.logbook.test_outside_verifier import outside

RULESETS = ("phyliss", "cathedral", "phalanx", "phase10", "phase10-family")


def rich_games(folder: Path) -> dict[str, bytes]:
    """One finished game of each ruleset, with events of many types."""
    with sqlite_store(folder) as store:
        table = make_table(store)
        lobby.add_player(table.service, lobby.Person("Dora", "dora@example.org"))
        return {ruleset: _rich(table, ruleset, seed) for seed, ruleset in enumerate(RULESETS, 1)}


def _rich(table: Table, ruleset: str, seed: int) -> bytes:
    """A game with phrases, talk, a vacation, an undo, a bot, an observer and a missed deadline."""
    timing = Timing(86400, bank=3600, on_timeout="bot", reminders=(50,))
    game = table.new_game(3, seed, ruleset=ruleset, timing=timing)
    table.answer(0, "join phrase: green tea")
    table.answer(1, "join")
    table.answer(2, "join phrase: Kaffee 🍵")
    table.answer(0, "say Hello to all of you.")
    table.answer(1, "vacation 2026-12-20 - 2026-12-22")
    table.answer(3, f"observe {game.id}", to=table.service.own_address)
    table.answer(3, "yes")  # From alone proves nothing
    for seat in range(3):
        if table.game(game.id).motions:
            table.answer(seat, "yes")
    table.skip(table.game(game.id), 6)
    clock_acts.pause(table.service, game.id, "A storm.")
    clock_acts.resume(table.service, game.id, "It is over.")
    acts.undo(table.service, game.id, "2", "read wrongly")
    table.run()
    deadline = table.game(game.id).deadline
    assert deadline is not None
    table.clock.instant = deadline.fires_at + timedelta(seconds=1)
    table.run()
    table.skip(table.game(game.id), 6)
    acts.stop(table.service, game.id, "enough")
    with table.service.store.reading() as uow:
        return b"".join(line + b"\n" for line in export_lines(uow, game.id))


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every value in a JSON value, the inner ones too."""
    found = [path] if path else []
    if isinstance(value, dict):
        found += [one for key in sorted(value) for one in places(value[key], (*path, key))]
    if isinstance(value, list):
        found += [one for at, item in enumerate(value) for one in places(item, (*path, at))]
    return found


FRAME = ("actor", "cause", "public", "recorded_at", "schema_version", "type")


def mutated(events: list[dict[str, Any]], chance: random.Random) -> tuple[str, str, Any, Any]:
    """Change one value of one event to something of the same JSON type; gives what became of it."""
    event = chance.choice(events)
    parts = {name: event[name] for name in FRAME}
    if event["secret"] is not None:
        parts["secret"] = event["secret"]["payload"]
    path = chance.choice(places(parts))
    holder: Any = parts
    for step in path[:-1]:
        holder = holder[step]
    old = holder[path[-1]]
    new = changed(old, events, chance)
    holder[path[-1]] = new
    for name in FRAME:
        event[name] = parts[name]
    if event["secret"] is not None:
        event["secret"]["payload"] = parts["secret"]
    where = ".".join("*" if isinstance(step, int) else step for step in path)
    return event["type"], where, old, new


def changed(old: Any, events: list[dict[str, Any]], chance: random.Random) -> Any:
    match old:
        case bool():
            return not old
        case int():
            return chance.choice([old + 1, old - 1, -1, 0, 99, 2**31, 2**52])
        case str():
            other = chance.choice(events)
            words = [other["actor"], other["type"], other["recorded_at"], other["hash"]]
            words += [v for v in other["public"].values() if isinstance(v, str)]
            odd = ["", "<b>evil", "2999-01-01T00:00:00.000000Z", "x" * 500, old + "x", old[:-1]]
            return chance.choice([*words, *odd, old.upper()])
        case list():
            return chance.choice([old * 2, old[:-1], old[::-1], [*old, "x"], [*old, 7]])
        case dict():
            return {**old, "more": 1} if chance.random() < 0.5 else dict(list(old.items())[:-1])
        case _:
            return chance.choice(["mail:" + "0" * 64, "command:aaaaaaaaaaaaaaaa", "x"])


NOW = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return rich_games(tmp_path_factory.mktemp("rich"))


def of(kind: str, **values: Any) -> Change:
    """Change public fields (or those of the event) of the first event of a type."""

    def change(events: list[dict[str, Any]]) -> None:
        event = next(one for one in events if one["type"] == kind)
        for name, value in values.items():
            (event if name in event else event["public"])[name] = value

    return change


def two_seats(events: list[dict[str, Any]]) -> None:
    """The first player sits in the second seat as well, wherever the log names who sits there."""
    first, second, *_ = events[0]["public"]["seats"]
    for event in events:
        for name, value in event["public"].items():
            if value == second:
                event["public"][name] = first
            if name == "seats" and event["type"] == "GameCreated":
                event["public"][name] = [first if one == second else one for one in value]


def shouted(events: list[dict[str, Any]]) -> None:
    """The same move, as a player may write it and the log does not."""
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


@pytest.mark.parametrize("what", HOSTILE)
def test_what_no_server_writes_is_refused(games: dict[str, bytes], table: Table, what: str) -> None:
    """In a file, by import, and of what matters without rules by the verifier for strangers."""
    data = forged(games["phyliss"], HOSTILE[what])
    assert data != games["phyliss"]
    with pytest.raises(LogError):
        verify_file(data, now=NOW)
    table.clock.instant = NOW
    with pytest.raises(LogError):
        importing.take_in(table.service, data)
    if what not in WITH_RULES:
        verifier = outside()
        with pytest.raises(verifier.VerifyError):
            list(verifier.check(data, now=NOW))


WITH_RULES = {"no such game", "move in other words", "ply", "late before the deadline", "schema"}
WITH_RULES |= {"schema of a newer program", "more fields", "hides nothing", "hides something"}


def test_the_event_is_named(games: dict[str, bytes]) -> None:
    data = forged(games["phyliss"], HOSTILE["code"])
    last = len([line for line in data.splitlines() if b'"hash"' in line])
    with pytest.raises(LogError, match=f"event {last} is none that a server writes: its code"):
        verify_file(data, now=NOW)


def test_the_time_of_the_check_counts(games: dict[str, bytes]) -> None:
    """A day of tolerance: clocks differ, and zones are mistaken for each other."""
    data = games["phyliss"]
    last = max(re.findall(rb'"recorded_at":"([^"]+)"', data)).decode()
    at = datetime.fromisoformat(last)
    verify_file(data, now=at - timedelta(hours=23))
    with pytest.raises(LogError, match="is of the future"):
        verify_file(data, now=at - timedelta(hours=25))


def test_a_clock_that_was_set_back(table: Table) -> None:
    """The log goes forward all the same, and verifies."""
    game = table.started(2)
    table.clock.forward(hours=-5)
    table.answer(*table.standby(game))
    table.clock.forward(days=-2)
    table.answer(0, "say What time is it?")
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)
    times = [item.recorded_at for item in table.log(game)]
    assert times == sorted(times)


TAKEN = """
    [A-Za-z]+ cause                            who knows which mail or command it was?
    (GameCreated|Player\\w+|Motion\\w+|Observer\\w+|Move\\w+|Game(Paused|Resumed)|Seat\\w+) actor
    (PhraseGiven|VoteCast|DisputeOpened|Message\\w+|Vacation\\w+) actor
    Hidden secret\\.(actor|cause)
    [A-Za-z]+ recorded_at                      a moment before or behind, in order
    DeadlineSet public.*                       a calendar and zones that are not in the log
    DeadlineExtended public.*
    GameCreated public\\.(options|timing)\\..*   another option under which the same was legal
    GameCreated public\\.(timing|operator_seats).*
    BankChanged public\\..*                     follows from calendars, too
    VoteCast public\\.is_for                    what follows from votes is not derived
    (VacationTaken|VacationEnded) public\\..*
    (SeatControllerChanged|PlayerUnreachable|TurnTimedOut|AdminAsked) public\\..*
    MovesRetracted public\\.back_to             a place in which the table was the same
    MovePlayed public\\.source                  another way in which it may have come
    Hidden secret\\.payload\\.source
    (Motion|Observer)\\w+ public\\..*
    Adjudicated public\\..*                     an admin's word
"""
"""What may be exchanged for something of its own kind, and why nobody could tell."""


def test_one_value_exchanged(games: dict[str, bytes]) -> None:
    """Of each game one value of one event for another of its JSON type, and hashed anew.

    Nearly all of it is refused. What is not is a value that a server may have written there.
    """
    known = [
        re.compile(line.split("  ")[0])
        for line in TAKEN.strip().replace("    ", "", 1).split("\n    ")
    ]
    chance = random.Random(17)  # noqa: S311
    taken = 0
    for _ in range(400):
        data = games[chance.choice(RULESETS)]
        done: list[tuple[str, str, Any, Any]] = []

        def change(events: list[dict[str, Any]], done: list[Any] = done) -> None:
            done.append(mutated(events, chance))

        changed_data = forged(data, change)
        ((kind, path, old, new),) = done
        if changed_data == data:
            continue
        try:
            verify_file(changed_data, now=NOW)
        except LogError:
            continue
        taken += 1
        where = f"{kind} {path}"
        assert any(one.fullmatch(where) for one in known), (where, old, new)
        assert "<b>" not in str(new)
        assert "2999" not in str(new)
    assert taken < 40


@pytest.mark.parametrize("value", [False, 1, "true", None])
def test_a_challenge_says_so_or_nothing(table: Table, value: object) -> None:
    """Of a game of two: it holds as it is, and with no other value, nor as a game of a league."""
    timing, plan = Timing(86400), lobby.GamePlan("phyliss", challenge=True)
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in ("Anna", "Bob")]
    plan = replace(plan, timing=timing)
    game = lobby.create_game(table.service, people, plan)
    acts.stop(table.service, game.id, "enough")
    with table.service.store.reading() as uow:
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
    verifier = outside()
    verify_file(data, now=NOW)
    list(verifier.check(data, now=NOW))
    for change in (of("GameCreated", challenge=value), in_a_league):
        with pytest.raises(LogError):
            verify_file(forged(data, change), now=NOW)
        with pytest.raises(verifier.VerifyError):
            list(verifier.check(forged(data, change), now=NOW))


def in_a_league(events: list[dict[str, Any]]) -> None:
    events[0]["public"]["league"] = "abcdefghij:1"
