"""What no server could have written is refused, whoever hashed it: by `verify`, by `import`, in replays."""

from __future__ import annotations

import random  # noqa: TID251  (where a test damages a file)
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.domain.terms.timing import Timing
from pbem.errors import LogError
from pbem.service.admin import acts
from pbem.service.lobby import making as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from tests.service.conftest import Table
from tests.service.forging import forged
from tests.service.logbook.hostile import HOSTILE, NOW, RULESETS, of, rich_games
from tests.service.logbook.test_outside_verifier import outside


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


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return rich_games(tmp_path_factory.mktemp("rich"))


def test_the_event_is_named(games: dict[str, bytes]) -> None:
    data = forged(games["phyliss"], HOSTILE["code"])
    last = len([line for line in data.splitlines() if b'"hash"' in line])
    with pytest.raises(LogError, match=rf"event {last} .*invalid value - at `\$\.code`"):
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
