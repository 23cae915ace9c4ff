"""Replay a game log to its state, and compute the state's digest (GEN-1, GEN-12).

A log is plain JSON: the input of the game, and one entry per move, resignation or end by agreement:

    {"ruleset": "phyliss", "version": 1, "players": 2, "seed": "<64 hex digits>",
     "options": {"dealer": 1, …},
     "entries": [{"seat": 0, "move": "play 7c", "source": "chosen"}, {"seat": 1, "resign": true},
                 {"stop": true}]}

It includes forced and standby moves. A replay never recomputes them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from engine import registry
from engine.api import AnyRuleset, JsonObject, JsonValue, Seat, Setup, Source, Step
from engine.canonical import canonical_json
from engine.errors import EngineError, ReplayError

T = TypeVar("T")

DIGEST_VERSION = 1
"""Version of the digest computation. Recorded with each digest."""

_SEED = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """An accepted move."""

    seat: Seat
    move: str
    """The move as canonical text."""
    source: Source = Source.CHOSEN


@dataclass(frozen=True, slots=True)
class ResignEntry:
    """A resignation or removal of a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StopEntry:
    """An agreement of all players to end the game."""


Entry: TypeAlias = MoveEntry | ResignEntry | StopEntry


@dataclass(frozen=True, slots=True)
class GameLog:
    """The log of a game so far."""

    ruleset: AnyRuleset
    setup: Setup
    entries: tuple[Entry, ...] = ()


def state_digest(ruleset: AnyRuleset, state: object) -> str:
    """Return the SHA-256 of the canonical JSON of a state, as 64 hex digits."""
    return hashlib.sha256(canonical_json(ruleset.state_json(state))).hexdigest()


def play_entry(ruleset: AnyRuleset, state: object, entry: Entry) -> Step[Any]:
    """Apply one log entry. Raises: ReplayError if the rules do not allow it."""
    try:
        if isinstance(entry, StopEntry):
            return ruleset.stop(state)
        if isinstance(entry, ResignEntry):
            return ruleset.resign(state, entry.seat)
        move = ruleset.parse_order(state, entry.seat, entry.move)
        canonical = ruleset.format_move(state, entry.seat, move)
        if canonical != entry.move:
            raise ReplayError(f"{entry.move!r} is not the canonical text {canonical!r}")
        return ruleset.apply(state, entry.seat, move, entry.source)
    except ReplayError:
        raise
    except EngineError as error:
        where = "stop" if isinstance(entry, StopEntry) else f"seat {entry.seat}"
        raise ReplayError(f"{where}: {error.message}", rule=error.rule) from error


def replay(ruleset: AnyRuleset, setup: Setup, entries: Iterable[Entry]) -> Iterator[Step[Any]]:
    """Yield the step of the deal, then one step per entry. Raises: ReplayError."""
    step = ruleset.start(setup)
    yield step
    for number, entry in enumerate(entries, start=1):
        try:
            step = play_entry(ruleset, step.state, entry)
        except ReplayError as error:
            raise ReplayError(f"entry {number}: {error.message}", rule=error.rule) from error
        yield step


def final_state(log: GameLog) -> object:
    """Return the state at the end of a log. Raises: ReplayError."""
    *_, last = replay(log.ruleset, log.setup, log.entries)
    return last.state


# --- JSON -----------------------------------------------------------------------------------------


def log_json(log: GameLog) -> JsonObject:
    """Return a log as JSON."""
    options: JsonObject = {
        name: [*value] if isinstance(value, list) else value
        for name, value in log.setup.options.items()
    }
    return {
        "ruleset": log.ruleset.id.name,
        "version": log.ruleset.id.version,
        "players": log.setup.players,
        "seed": log.setup.seed.hex(),
        "options": options,
        "entries": [_entry_json(entry) for entry in log.entries],
    }


def _entry_json(entry: Entry) -> JsonValue:
    if isinstance(entry, StopEntry):
        return {"stop": True}
    if isinstance(entry, ResignEntry):
        return {"seat": entry.seat, "resign": True}
    return {"seat": entry.seat, "move": entry.move, "source": entry.source.value}


def log_from_json(data: Mapping[str, object]) -> GameLog:
    """Parse a log. Raises: ReplayError (not a log), SetupError (invalid game)."""
    name, version = _field(data, "ruleset", str), _field(data, "version", int)
    ruleset = registry.find(name, version)
    players = _field(data, "players", int)
    options = ruleset.check_options(players, _field(data, "options", dict))
    setup = Setup(players, seed_from_hex(_field(data, "seed", str)), options)
    entries = tuple(_entry_from_json(entry) for entry in _field(data, "entries", list))
    return GameLog(ruleset, setup, entries)


def seed_from_hex(text: str) -> bytes:
    """Parse the 32 bytes of a game seed. Raises: ReplayError."""
    if not _SEED.fullmatch(text):
        raise ReplayError("a game seed is written as 64 hex digits")
    return bytes.fromhex(text)


def _entry_from_json(data: object) -> Entry:
    if not isinstance(data, dict):
        raise ReplayError("an entry of a log is an object")
    if "stop" in data:
        if data != {"stop": True} or data["stop"] is not True:
            raise ReplayError('the end by agreement is {"stop": true}')
        return StopEntry()
    seat = Seat(_field(data, "seat", int))
    if "resign" in data:
        if data["resign"] is not True or len(data) != 2:  # noqa: PLR2004  (seat and resign)
            raise ReplayError('a resignation is {"seat": …, "resign": true}')
        return ResignEntry(seat)
    word = _field(data, "source", str) if "source" in data else Source.CHOSEN.value
    try:
        source = Source(word)
    except ValueError:
        raise ReplayError(f"{word[:40]!r} is no source of a move") from None
    return MoveEntry(seat, _field(data, "move", str), source)


def _field(data: Mapping[str, object], name: str, kind: type[T]) -> T:
    value = data.get(name)
    # `type(…) is` excludes booleans.
    if not isinstance(value, kind) or type(value) is not kind:
        words = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}
        raise ReplayError(f"“{name}” of a log or entry is {words[kind]}")
    return value
