"""Test that `verify` finds a changed byte, card or event, and events that no server writes."""

from __future__ import annotations

import json
import random  # noqa: TID251  (where a test damages a file)
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.canonical import canonical_json
from pbem.domain.log.chain import StoredEvent
from pbem.domain.log.events import EVENT_TYPES, GameFinished, GameStarted
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.domain.terms import spoken_hash
from pbem.domain.terms.timing import Timing
from pbem.errors import LogError
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.event_words import WORDS
from pbem.service.logbook.exports import export_lines, read_export, shuffles_of
from pbem.service.logbook.verify import verify_file
from pbem.store.log import codec
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.service.forging import forged
from tests.service.logbook.hostile import HOSTILE, NOW, of, rich_games
from tests.service.logbook.test_outside_verifier import load_verifier


@dataclass(frozen=True)
class Played:
    """Exports of a finished game with secret choices and several shuffles, and of a running game."""

    finished: tuple[bytes, ...]
    running: tuple[bytes, ...]
    stored: tuple[StoredEvent, ...]
    game: Game


def join_lines(lines: tuple[bytes, ...] | list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with sqlite_store(tmp_path_factory.mktemp("verify")) as store:
        table = make_table(store)
        table.run = lambda: None  # type: ignore[method-assign]  # no mail is rendered here
        first = table.new_game(2, 1, ruleset="phalanx", max_battles=1)
        second = table.new_game(2, 2)
        for game in (first, second):
            with table.changing(game, "seat:0") as decision:
                decide.join(decision, 0, "grüner Tee 🍵")
                decide.join(decision, 1, None)
                decide.settle(decision)
        game = table.skip(first, 3000)
        table.skip(second, 30)
        with store.reading() as uow:
            yield Played(
                tuple(export_lines(uow, game.id)),
                tuple(export_lines(uow, second.id)),
                tuple(uow.events.read(game.id)),
                game,
            )


def find_damage(data: bytes) -> LogError:
    with pytest.raises(LogError) as caught:
        verify_file(data)
    assert str(caught.value)
    return caught.value


def test_sound_exports_verify(played: Played) -> None:
    """The finished game is complete, and the running one is redacted."""
    report = verify_file(join_lines(played.finished))
    assert report.complete
    assert report.head == played.game.head
    assert report.events == played.game.version
    assert sum("shuffle" in check for check in report.checks) == 1
    report = verify_file(join_lines(played.running))
    assert not report.complete
    assert "closed" in " ".join(report.checks)


def test_one_changed_byte_anywhere_is_found(played: Played) -> None:
    """Change four bytes in every line of both files. The damaged event is named."""
    chance = random.Random(1)  # noqa: S311
    for lines in (played.finished, played.running):
        count = sum(b'"prev_hash"' in line for line in lines)
        for number, line in enumerate(lines):
            for _ in range(4):
                at = chance.randrange(len(line))
                new = chance.choice([b for b in range(256) if b not in (line[at], 10)])
                wrong = line[:at] + bytes([new]) + line[at + 1 :]
                error = find_damage(join_lines([*lines[:number], wrong, *lines[number + 1 :]]))
                if 0 < number <= count:
                    assert error.version == number, (number, wrong, error)


def test_heads_of_mails(played: Played) -> None:
    """Every head that was mailed is in the chain; another one is not."""
    data = join_lines(played.finished)
    heads = [json.loads(line)["hash"] for line in played.finished[1:20]]
    report = verify_file(data, heads=heads)
    assert sum("is that of event" in check for check in report.checks) == len(heads)
    verify_file(
        data, heads=[heads[3].upper(), f" {heads[4]} ", spoken_hash.hash_words(heads[5]).upper()]
    )
    with pytest.raises(LogError, match="no event has the hash"):
        verify_file(data, heads=[spoken_hash.hash_words("00" * 32)])
    for wrong in ("0" * 64, heads[0][:-1], "", "x"):
        with pytest.raises(LogError, match="not the log that was mailed"):
            verify_file(data, heads=[heads[1], wrong])


# --- who can write the database can write a new chain; what still cannot be forged ------------------


def test_export_of_a_running_game_with_an_opened_secret_is_refused(played: Played) -> None:
    """Such a file would reveal hands although it looks redacted."""
    lines = list(played.running)
    data = json.loads(lines[1])
    data["secret"] = {"salt": "00" * 32, "payload": {"server_secret": "11" * 32}}
    lines[1] = canonical_json(data)
    assert find_damage(join_lines(lines)).version == 1


def test_read_export_gives_back_what_was_written(played: Played) -> None:
    """Events as stored, shuffles as played."""
    export = read_export(list(played.finished))
    assert [event.hash for event in export.events] == [event.hash for event in played.stored]
    recorded = [codec.decode(event) for event in export.events]
    assert isinstance(recorded[-1].event, GameFinished)
    assert any(isinstance(item.event, GameStarted) for item in recorded)
    assert tuple(shuffles_of(played.game, recorded)) == export.shuffles


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return rich_games(tmp_path_factory.mktemp("rich"), ["phyliss"])


def test_every_event_has_words_for_readers() -> None:
    assert set(WORDS) == set(EVENT_TYPES)


def test_the_event_is_named(games: dict[str, bytes]) -> None:
    data = forged(games["phyliss"], HOSTILE["code"])
    last = len([line for line in data.splitlines() if b'"hash"' in line])
    with pytest.raises(LogError, match=rf"event {last} .*invalid value - at `\$\.code`"):
        verify_file(data, now=NOW)


def test_the_time_of_the_check_counts(games: dict[str, bytes]) -> None:
    """A day of tolerance: clocks differ, and zones are mistaken for each other."""
    data = games["phyliss"]
    at = datetime.fromisoformat(max(re.findall(rb'"recorded_at":"([^"]+)"', data)).decode())
    verify_file(data, now=at - timedelta(hours=23))
    with pytest.raises(LogError, match="is of the future"):
        verify_file(data, now=at - timedelta(hours=25))


def test_a_clock_that_was_set_back(table: Table, game: Game) -> None:
    """The log goes forward all the same, and verifies."""
    table.clock.forward(hours=-5)
    table.move(game)
    table.clock.forward(days=-2)
    table.answer(0, "say What time is it?")
    table.verify(game)
    times = [item.recorded_at for item in table.log(game)]
    assert times == sorted(times)


@pytest.mark.parametrize("value", [False, 1, "true", None])
def test_a_challenge_says_so_or_nothing(table: Table, value: object) -> None:
    """Of a game of two: it holds as it is, and with no other value, nor as a game of a league."""
    timing, plan = Timing(86400), lobby.GamePlan("phyliss", challenge=True)
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in ("Anna", "Bob")]
    plan = replace(plan, timing=timing)
    game = lobby.create_game(table.service, people, plan)
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    verifier = load_verifier()
    verify_file(data, now=NOW)
    list(verifier.check(data, now=NOW))
    for change in (of("GameCreated", challenge=value), in_a_league):
        with pytest.raises(LogError):
            verify_file(forged(data, change), now=NOW)
        with pytest.raises(verifier.VerifyError):
            list(verifier.check(forged(data, change), now=NOW))


def in_a_league(events: list[dict[str, Any]]) -> None:
    events[0]["public"]["league"] = "abcdefghij:1"
