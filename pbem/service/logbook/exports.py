"""Export a game as a file that anyone can verify: `pbem export`, docs/dev/log-format.md.

The file is JSON Lines in canonical JSON: a header, one line per event, one line per shuffle. While
a game is running, its secrets and shuffles are left out (the chain contains their commitments).
Once it has ended, everything is included except the parts that can be erased on request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from engine.api import JsonObject, Shuffle
from engine.canonical import canonical_json
from engine.errors import EngineError
from pbem.domain.log.chain import HASHED_FIELDS, GameId, Secret, StoredEvent, check_chain
from pbem.domain.log.events import MovesRetracted, Recorded, is_ended, opens
from pbem.domain.table.card_folds import engine_step
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.domain.table.retraction import went_back_to
from pbem.errors import LogError, UpcastError
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec

FORMAT = "pbem-export"
FORMAT_VERSION = 1
_MAX_SHUFFLES = 2**32
GAME_ID = re.compile(r"[a-z2-7]{10}", re.ASCII)
_SALT = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Export:
    """An export read from a file."""

    header: JsonObject
    events: tuple[StoredEvent, ...]
    shuffles: tuple[Shuffle, ...]


def export_lines(
    uow: UnitOfWork, game_id: GameId, *, even_if_broken: bool = False
) -> Iterator[bytes]:
    """Yield the lines of an export, without line endings.

    Secrets are not decrypted while the game is running, or if another program has written to the
    log, because it could have forged the end of the game.

    Args:
        even_if_broken: True to leave out the shuffles of a log that cannot be replayed.

    Raises: UnknownStreamError, LogError.
    """
    events = uow.events.read_public(game_id)
    is_over = is_ended([event.type for event in events]) and _is_ours(uow, events)
    if is_over:
        events = uow.events.read(game_id)
    yield canonical_json(
        {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "game_id": game_id,
            "events": len(events),
            "head": events[-1].hash,
            "complete": is_over,
        }
    )
    for event in events:
        yield canonical_json(event_json(event, opened=is_over))
    if is_over:
        try:
            recorded = [codec.decode(event) for event in events]
            shuffles = [*shuffles_of(fold(recorded, game_id), recorded)]
        except (LogError, UpcastError, EngineError):
            if not even_if_broken:
                raise
            shuffles = []
        for shuffle in shuffles:
            yield canonical_json(_shuffle_json(shuffle))


def _is_ours(uow: UnitOfWork, events: Sequence[StoredEvent]) -> bool:
    """True if this program wrote the log. A forged end must not reveal secrets."""
    game_id = events[0].game_id
    try:
        check_chain(events, game_id)
        uow.events.sealed_head(game_id)
    except LogError:
        return False
    return True


def shuffles_of(game: Game, recorded: Iterable[Recorded]) -> Iterator[Shuffle]:
    """Replay a game and yield all shuffles in order.

    Taking moves back also resets the shuffle number, so a number can occur twice.
    """
    events = tuple(recorded)
    wanted = frozenset(went_back_to(events))
    past: dict[int, Any] = {}
    state: Any = None
    setup = game.setup
    for item in events:
        if isinstance(item.event, MovesRetracted):
            state = past[item.event.back_to]
        step = engine_step(game.ruleset, setup, state, item.event)
        if step is not None:
            state = step.state
            yield from step.shuffles
        if item.version in wanted:
            past[item.version] = state


def read_file(data: bytes) -> Export:
    """Parse an export from its bytes. Raises: LogError, like `read_export`."""
    if not data.endswith(b"\n"):
        raise LogError("the file does not end with a line end: something is cut off")
    return read_export(data[:-1].split(b"\n"))


def read_export(lines: Iterable[bytes]) -> Export:
    """Parse the lines of an export.

    Raises: LogError, which names the damaged line (and event). Every byte counts, because every
    line must be canonical JSON.
    """
    header: JsonObject | None = None
    events: list[StoredEvent] = []
    shuffles: list[Shuffle] = []
    for number, line in enumerate(lines, 1):
        data = read_line(line, number, len(events))
        if header is None:
            header = _read_header(data)
        elif "shuffle" in data:
            shuffles.append(_read_shuffle(data, number))
        elif shuffles:
            version = len(events) + 1
            raise LogError(f"line {number}: an event stands behind a shuffle", version=version)
        else:
            events.append(read_event(data, len(events) + 1))
    if header is None:
        raise LogError("the file is empty")
    return Export(header, tuple(events), tuple(shuffles))


def event_json(event: StoredEvent, *, opened: bool) -> JsonObject:
    """Return an event as JSON, including its secret if it opens at the end and was not erased."""
    secret = event.secret if opened and opens(event) == "game_end" else None
    data: JsonObject = {name: getattr(event, name) for name in (*HASHED_FIELDS, "hash")}
    data["secret"] = None
    if secret is not None and secret.payload is not None:
        data["secret"] = {"salt": secret.salt.hex(), "payload": secret.payload}
    return data


def _shuffle_json(shuffle: Shuffle) -> JsonObject:
    return {"shuffle": shuffle.number, "before": list(shuffle.before), "after": list(shuffle.after)}


def read_line(line: bytes, number: int, events: int) -> dict[str, Any]:
    """Parse line `number` of a file, which follows `events` events. Raises: LogError."""
    where = "the header" if number == 1 else f"line {number} (after event {events})"
    try:
        data = json.loads(line)
        if not isinstance(data, dict) or canonical_json(data) != line.rstrip(b"\n"):
            raise ValueError("not canonical JSON")
    except (ValueError, TypeError, RecursionError) as error:
        version = events + 1 if number > 1 else None
        raise LogError(f"{where} is damaged: {error}", version=version) from None
    return data


def _read_header(data: dict[str, Any]) -> JsonObject:
    wanted = {"format", "format_version", "game_id", "events", "head", "complete"}
    if data.get("format") != FORMAT or set(data) != wanted:
        raise LogError("the header is not that of a pbem export")
    if type(data["format_version"]) is not int or data["format_version"] != FORMAT_VERSION:
        raise LogError(f"this program reads export format {FORMAT_VERSION} only")
    if not isinstance(data["game_id"], str) or not GAME_ID.fullmatch(data["game_id"]):
        raise LogError("the game has no id as pbem draws them")
    return data


def read_event(data: dict[str, Any], version: int) -> StoredEvent:
    """Parse event number `version` of a file and validate all its fields. Raises: LogError.

    A valid hash is no evidence here, because anyone can hash a forged event.
    """
    try:
        secret = data.pop("secret")
        if set(data) != {*HASHED_FIELDS, "hash"}:
            raise ValueError("its fields are not those of an event")
        event = msgspec.convert(data, StoredEvent, strict=True)
        return event if secret is None else replace(event, secret=_read_secret(secret))
    except KeyError:
        raise LogError(f"event {version} is damaged: it has no secret", version=version) from None
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError) as error:
        raise LogError(f"event {version} is damaged: {error}", version=version) from None


def _read_secret(data: dict[str, Any]) -> Secret:
    if set(data) != {"salt", "payload"}:
        raise ValueError("its secret has other fields than salt and payload")
    if not isinstance(data["payload"], dict):
        raise ValueError("its hidden payload is not an object")
    return Secret(_read_salt(data["salt"]), data["payload"])


def _read_salt(text: object) -> bytes:
    """Parse a salt, accepting only the form that this program writes."""
    if not isinstance(text, str) or not _SALT.fullmatch(text):
        raise ValueError("its salt is not 64 hex digits in lower case")
    return bytes.fromhex(text)


def _read_shuffle(data: dict[str, Any], number: int) -> Shuffle:
    try:
        if set(data) != {"shuffle", "before", "after"}:
            raise ValueError("its fields")
        if type(data["shuffle"]) is not int or not 0 <= data["shuffle"] < _MAX_SHUFFLES:
            raise ValueError("its number")
        return msgspec.convert([*map(data.get, ("shuffle", "before", "after"))], Shuffle)
    except (TypeError, ValueError, msgspec.ValidationError) as error:
        raise LogError(f"line {number}: the shuffle is damaged: {error}") from None
