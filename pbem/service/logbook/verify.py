"""Verify a log: chain, commitments, shuffles, moves, result.

An export is verified from its bytes alone, without a database. Checks raise LogError at the first
fault and name the event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from engine.api import Seat, Shuffle
from engine.errors import EngineError
from pbem.domain.log.chain import HIDDEN, GameId, StoredEvent, check_chain, checked, day_of
from pbem.domain.log.clock_events import AdminAsked, TurnTimedOut
from pbem.domain.log.events import (
    EVENT_TYPES,
    Hidden,
    MovePlayed,
    MovesRetracted,
    Recorded,
    is_choice,
    is_ended,
    secret_fields,
)
from pbem.domain.play.log_validation import not_written, validate_log
from pbem.domain.table.game import Game
from pbem.domain.terms import spoken_hash
from pbem.errors import KeyMissingError, LogError, UpcastError
from pbem.service.core import games
from pbem.service.logbook.exports import Export, export_lines, read_file, shuffles_of
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec


@dataclass(frozen=True, slots=True)
class Verification:
    """The checks that a log passed.

    Attributes:
        checks: a sentence for each check.
        complete: False for a running game with closed secrets.
    """

    game_id: str
    events: int
    head: str
    complete: bool
    checks: tuple[str, ...]


def verify_file(
    data: bytes, *, heads: Sequence[str] = (), now: datetime | None = None
) -> Verification:
    """Verify an export from its bytes. No event may be later than `now`. Raises: LogError."""
    return verify_export(read_file(data), heads=heads, now=now)


def checked_export(uow: UnitOfWork, game_id: GameId) -> bytes:
    """Verify the whole log of a game and return its export.

    The secrets of a running game are skipped if their key is lost.

    Raises: LogError, UpcastError.
    """
    data = b"".join(line + b"\n" for line in export_lines(uow, game_id))
    if not verify_file(data).complete:
        try:
            verify_game(uow, game_id)
        except UpcastError as error:
            if not isinstance(error.__cause__, KeyMissingError):
                raise
    return data


def verify_public(uow: UnitOfWork, game_id: GameId, *, heads: Sequence[str] = ()) -> Verification:
    """Verify the public part of a game in the database, without a key. Raises: LogError."""
    events = uow.events.read_public(game_id)
    checks = (
        _check_chain(events),
        *_check_heads(events, heads),
        "secrets were left out, their commitments stand in the chain",
    )
    return Verification(game_id, len(events), events[-1].hash, complete=False, checks=checks)


def verify_game(uow: UnitOfWork, game_id: GameId, *, heads: Sequence[str] = ()) -> Verification:
    """Verify a game in the database, including its secrets. Raises: LogError."""
    events = [*checked(uow.events.read_written(game_id), game_id)]
    checks = [_check_days(events), *_check_heads(events, heads)]
    recorded = _decode(events)
    validate_log(events, recorded)
    game = _replay(recorded, game_id)
    return _report(events, [*checks, *_summary(recorded, game)], complete=game.is_over)


def verify_causes(uow: UnitOfWork, game_id: GameId) -> str:
    """Verify that the log names only messages from the inbox as causes. Raises: LogError.

    A forged move has no such message.
    """
    if not uow.outbox.was_played_here(game_id):
        return "the game was played on another server: its mails are there"
    recorded = _decode(uow.events.read(game_id))
    unfound = uow.inbox.unfound(item.real_cause for item in recorded)
    for item in recorded:
        if item.real_cause in unfound:
            raise LogError(
                f"event {item.version} names a mail that never came in: pbem audit {game_id} --move"
                f" @{item.version} says more",
                version=item.version,
            )
    return "every mail that the log names as a cause came in"


def verify_export(
    export: Export, *, heads: Sequence[str] = (), now: datetime | None = None
) -> Verification:
    """Verify an export. No event may be later than `now`. Raises: LogError."""
    events = export.events
    checks = [_check_chain(events), *_check_heads(events, heads)]
    complete = is_ended([event.type for event in events])
    if export.header["complete"] is not complete:
        raise LogError("the header is wrong about whether the game is over", version=len(events))
    recorded = _decode(events, redacted=not complete)
    validate_log(events, recorded, now)
    checks.append("nothing in it but what a server writes")
    if complete:
        _check_opened(export)
        game = _replay(recorded, events[0].game_id)
        checks += [*_summary(recorded, game), _check_shuffles(export.shuffles, game, recorded)]
    else:
        _check_closed(export)
        checks.append("the game runs: secrets are closed, their commitments stand in the chain")
    return _report(events, checks, complete=complete)


def _report(
    events: Sequence[StoredEvent], checks: Sequence[str], *, complete: bool
) -> Verification:
    return Verification(events[0].game_id, len(events), events[-1].hash, complete, tuple(checks))


def _check_chain(events: Sequence[StoredEvent]) -> str:
    check_chain(events, events[0].game_id)
    return _check_days(events)


def _check_days(events: Sequence[StoredEvent]) -> str:
    """Verify that hidden events show only their day, in a log whose chain was verified."""
    for event in events:
        if event.type == HIDDEN and event.recorded_at != day_of(event.recorded_at):
            raise LogError(
                f"event {event.version} tells more than the day of what is private",
                version=event.version,
            )
    return f"{len(events)} events: numbers, hashes and commitments hold"


def _check_heads(events: Iterable[StoredEvent], heads: Sequence[str]) -> list[str]:
    known = {event.hash: event.version for event in events}
    spoken = {spoken_hash.hash_words(event_hash): version for event_hash, version in known.items()}
    checks = []
    for head in heads:
        spoken_head = spoken_hash.tidy(head)
        position = spoken.get(spoken_head) if " " in spoken_head else known.get(spoken_head)
        if position is None:
            raise LogError(f"no event has the hash {head}: this is not the log that was mailed")
        shown = f'"{spoken_head}"' if " " in spoken_head else f"{spoken_head[:12]}…"
        checks.append(f"the head {shown} is that of event {position}")
    return checks


def _check_closed(export: Export) -> None:
    opened = next((event for event in export.events if event.secret is not None), None)
    if opened is not None or export.shuffles:
        version = None if opened is None else opened.version
        raise LogError("the export of a running game holds secrets", version=version)


def _check_opened(export: Export) -> None:
    """Verify that all secrets of a finished game are open. For `Hidden` the replay decides."""
    for event in export.events:
        known = EVENT_TYPES.get(event.type)
        is_needed = known not in (None, Hidden) and "game_end" in secret_fields(known).values()
        if is_needed and event.secret is None:
            raise LogError(
                f"event {event.version} stays closed although the game is over",
                version=event.version,
            )


def _check_shuffles(opened: Sequence[Shuffle], game: Game, recorded: Sequence[Recorded]) -> str:
    """Verify that the shuffles are those that follow from the secret and the phrases."""
    for number, (shown, used) in enumerate(zip_longest(opened, shuffles_of(game, recorded))):
        if shown != used:
            raise LogError(f"shuffle {number} is not the one that the game was played with")
    return f"shuffles that follow from the opened secret and the phrases: {len(opened)}"


def _decode(events: Sequence[StoredEvent], *, redacted: bool = False) -> list[Recorded]:
    try:
        return [codec.decode(event, redacted=redacted) for event in events]
    except UpcastError as error:
        raise LogError(str(error)) from error


def _replay(recorded: Sequence[Recorded], game_id: GameId) -> Game:
    """Fold a log. This verifies the commitment to the secret (GEN-4), the moves and the result."""
    try:
        for step in games.steps(recorded, game_id):
            if step.before is not None:
                _check_against_table(step.before, step.recorded)
    except EngineError as error:  # its message repeats content of the log
        rule = f": {error.rule}" if error.rule else ""
        raise LogError(f"the log does not replay{rule}") from None
    # raised by payloads that this program never writes
    except (TypeError, KeyError, AttributeError) as error:
        raise LogError(f"the log does not replay: {type(error).__name__}") from error
    return step.game


def _check_against_table(game: Game, item: Recorded) -> None:
    """Verify that moves are in canonical text, and that no deadline fired early."""
    match item.event:
        case TurnTimedOut() | AdminAsked():
            if game.deadline is not None and item.recorded_at < game.deadline.fires_at:
                raise not_written(item, "the deadline had not passed")
            return
        case MovePlayed(seat=seat, move=move):
            pass
        case Hidden(payload={"seat": int(seat), "move": str(move)}) if is_choice(item.event):
            pass
        case _:
            return
    rules = game.ruleset
    try:
        read = rules.parse_order(game.state, Seat(seat), move)
        is_canonical = rules.format_move(game.state, Seat(seat), read) == move
    except EngineError:  # its message repeats the move
        is_canonical = False
    if not is_canonical:
        raise not_written(item, "its move is not in the words of the rules")


def _summary(recorded: Sequence[Recorded], game: Game) -> list[str]:
    plies = sum(isinstance(item.event, MovePlayed) for item in recorded)
    undone = sum(isinstance(item.event, MovesRetracted) for item in recorded)
    times = "once" if undone == 1 else f"{undone} times"
    back = f", {times} some of them were taken back" if undone else ""
    end = ", and the ranking is right" if game.finished is not None else ""
    if game.finished is not None and game.finished.reason == "adjudicated":
        end = "; the ranking is an admin's"
    checks = [
        f"{plies} moves are legal under {game.ruleset.id} and lead to the recorded states{back}{end}"
    ]
    if game.is_over:
        checks.append("the opened server secret is the one that was committed to before the deal")
    return checks
