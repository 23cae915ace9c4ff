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
from typing import Annotated, Any, Final

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

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of export.

    Attributes:
        name: its name in the header.
        stream: the field of the header with the ID of the game or league.
        ids: the form of these IDs.
    """

    name: str
    stream: str
    ids: re.Pattern[str]

    def header(self, events: Sequence[StoredEvent], *, complete: bool) -> JsonObject:
        """Return the first line of an export of these events. `complete` means with secrets."""
        return {
            "format": self.name,
            "format_version": FORMAT_VERSION,
            self.stream: events[0].game_id,
            "events": len(events),
            "head": events[-1].hash,
            "complete": complete,
        }


GAME_EXPORT: Final = Format("pbem-export", "game_id", re.compile(r"[a-z2-7]{10}", re.ASCII))
LEAGUE_EXPORT: Final = Format("pbem-league", "league", re.compile(r"league:[a-z2-7]{10}", re.ASCII))


class _Secret(msgspec.Struct, forbid_unknown_fields=True):
    """The secret of an event in an export."""

    salt: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    payload: dict[str, Any]


class _Shuffle(msgspec.Struct, forbid_unknown_fields=True):
    """The line of a shuffle in an export."""

    shuffle: Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Export:
    """An export read from a file. It has at least one event."""

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
    yield canonical_json(GAME_EXPORT.header(events, complete=is_over))
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
        for number, before, after in shuffles:
            yield canonical_json({"shuffle": number, "before": [*before], "after": [*after]})


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


def read_file(data: bytes, form: Format = GAME_EXPORT) -> Export:
    """Parse an export from its bytes. Raises: LogError, like `read_export`."""
    if not data.endswith(b"\n"):
        raise LogError("the file does not end with a line end: something is cut off")
    return read_export(data[:-1].split(b"\n"), form)


def read_export(lines: Sequence[bytes], form: Format = GAME_EXPORT) -> Export:
    """Parse the lines of an export, and check that its header is that of its events.

    Raises: LogError, which names the damaged line (and event). Every byte counts, because every
    line must be canonical JSON.
    """
    header = _read_header(lines[0], form)
    events: list[StoredEvent] = []
    shuffles: list[Shuffle] = []
    for number, line in enumerate(lines[1:], 2):
        data = _read_line(line, f"line {number} (after event {len(events)})", len(events) + 1)
        if "shuffle" in data:
            shuffles.append(_read_shuffle(data, number))
        elif shuffles:
            version = len(events) + 1
            raise LogError(f"line {number}: an event stands behind a shuffle", version=version)
        else:
            events.append(_read_event(data, len(events) + 1))
    if not events:
        raise LogError("the export holds no event", version=1)
    actual = form.header(events, complete=bool(header["complete"]))
    for name, value in actual.items():
        if canonical_json(header[name]) != canonical_json(value):
            raise LogError(f"the header says another {name} than the events", version=len(events))
    return Export(header, tuple(events), tuple(shuffles))


def event_json(event: StoredEvent, *, opened: bool) -> JsonObject:
    """Return an event as JSON, including its secret if it opens at the end and was not erased."""
    secret = event.secret if opened and opens(event) == "game_end" else None
    data: JsonObject = {name: getattr(event, name) for name in (*HASHED_FIELDS, "hash")}
    data["secret"] = None
    if secret is not None and secret.payload is not None:
        data["secret"] = {"salt": secret.salt.hex(), "payload": secret.payload}
    return data


def _read_line(line: bytes, where: str, version: int | None = None) -> dict[str, Any]:
    """Parse a line of a file. Raises: LogError, about the event with this version."""
    try:
        data = json.loads(line)
        if not isinstance(data, dict) or canonical_json(data) != line:
            raise ValueError("not canonical JSON")
    except (ValueError, TypeError, RecursionError) as error:
        raise LogError(f"{where} is damaged: {error}", version=version) from None
    return data


def _read_header(line: bytes, form: Format) -> JsonObject:
    header = _read_line(line, "the header")
    wanted = {"format", "format_version", form.stream, "events", "head", "complete"}
    if header.get("format") != form.name or set(header) != wanted:
        raise LogError(f"the header is not that of a {form.name}")
    if canonical_json(header["format_version"]) != canonical_json(FORMAT_VERSION):
        raise LogError(f"this program reads export format {FORMAT_VERSION} only")
    stream = header[form.stream]
    if not isinstance(stream, str) or not form.ids.fullmatch(stream):
        raise LogError(f"the {form.stream} is no id as pbem draws them")
    return header


def _read_event(data: dict[str, Any], version: int) -> StoredEvent:
    """Parse event number `version` of a file and validate all its fields. Raises: LogError.

    A valid hash is no evidence here, because anyone can hash a forged event.
    """
    try:
        secret = data.pop("secret")
        if set(data) != {*HASHED_FIELDS, "hash"}:
            raise ValueError("its fields are not those of an event")
        event = msgspec.convert(data, StoredEvent)
        if secret is None:
            return event
        opened = msgspec.convert(secret, _Secret)
        return replace(event, secret=Secret(bytes.fromhex(opened.salt), opened.payload))
    except KeyError:
        raise LogError(f"event {version} is damaged: it has no secret", version=version) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise LogError(f"event {version} is damaged: {error}", version=version) from None


def _read_shuffle(data: dict[str, Any], number: int) -> Shuffle:
    try:
        line = msgspec.convert(data, _Shuffle)
    except (ValueError, TypeError, RecursionError) as error:
        raise LogError(f"line {number}: the shuffle is damaged: {error}") from None
    return Shuffle(line.shuffle, line.before, line.after)
