"""Computation of a game from its log: each event is applied by the row of its type.

The engine's state is computed from the seed and the moves and compared with recorded digests
(GEN-1). An event that cannot follow raises a LogError with its version.

Two event types need more than the preceding game and therefore have no fold in `ROWS`: GameCreated
creates the game, and MovesRetracted returns to an earlier state.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engine import registry
from engine.errors import EngineError
from engine.shuffle import commitment
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import (
    Event,
    GameCreated,
    GameStarted,
    Hidden,
    MovePlayed,
    MovesRetracted,
    Recorded,
    is_choice,
)
from pbem.domain.table import act_folds, card_folds, clock_folds, motions, plies, seat_folds
from pbem.domain.table.game import Game, SeatState, replace
from pbem.domain.table.retraction import retracted, went_back_to
from pbem.domain.table.rows import Rows, row, unchanged
from pbem.domain.terms import timing
from pbem.domain.terms.seats import controller_of, first_status
from pbem.errors import LogError, MissingRulesetError

ROWS: Final[Rows] = {
    **row(GameCreated, unchanged, during=()),
    **row(MovesRetracted, unchanged),
    **seat_folds.ROWS,
    **card_folds.ROWS,
    **clock_folds.ROWS,
    **motions.ROWS,
    **act_folds.ROWS,
}
"""One row for each member of `Event`."""


def rebuild(
    recorded: Sequence[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
) -> Game:
    """Fold events into a game, checking only the last digest of the log and of each branch.

    The hash chain proves that the log was not changed. Digests additionally prove that the current
    rules produce the same state. If the digests match at the end and at each version that an undo
    returned to, the game is correct. Otherwise all digests are checked, so that the error names the
    first differing event. `pbem verify`, imports and exports always check all digests.

    Raises:
        LogError: the events do not form a valid game.
    """
    try:
        return fold(recorded, game_id, game, past, lasting(recorded))
    except LogError:
        return fold(recorded, game_id, game, past)


def fold(
    recorded: Iterable[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
    compared: Container[int] | None = None,
) -> Game:
    """Fold events into a game.

    Args:
        past: as in `evolve`.
        compared: versions of the events whose digests are compared. None means all of them.

    Raises: LogError.
    """
    events = tuple(recorded)
    wanted, known = _known(events, game, past)
    index = 0
    while index < len(events):
        begun = index
        if game is not None:
            game, index = plies.run(game, events, index, compared, wanted)
        if index == begun:
            is_compared = compared is None or events[index].version in compared
            game, index = (
                evolve(game, events[index], game_id, known, is_compared=is_compared),
                index + 1,
            )
        if game is not None and game.version in wanted:
            known[game.version] = game
    if game is None:
        raise LogError(f"game {game_id} has no events", version=1)
    return game


def folded(
    recorded: Iterable[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
) -> Iterator[Game]:
    """Yield the game after each event, comparing all digests.

    Args:
        past: as in `evolve`.

    Raises: LogError.
    """
    events = tuple(recorded)
    wanted, known = _known(events, game, past)
    for item in events:
        game = evolve(game, item, game_id, known)
        if game.version in wanted:
            known[game.version] = game
        yield game


def _known(
    events: Sequence[Recorded], game: Game | None, past: Mapping[int, Game] | None
) -> tuple[frozenset[int], dict[int, Game]]:
    """Return the versions that undos return to, and the games whose version is already known."""
    known = {**(past or {})}
    if game is not None:
        known[game.version] = game
    return frozenset(went_back_to(events)), known


def evolve(
    game: Game | None,
    recorded: Recorded,
    game_id: GameId,
    past: Mapping[int, Game] | None = None,
    *,
    is_compared: bool = True,
) -> Game:
    """Apply one event and return the resulting game.

    Args:
        past: the game at each version that a `MovesRetracted` goes back to.
        is_compared: True to compare the event's digest with the resulting state.

    Raises: LogError if the event cannot follow or if the rules do not allow it.
    """
    version, event = recorded.version, recorded.event
    if version != (0 if game is None else game.version) + 1:
        raise LogError(f"event {version} does not follow the one before it", version=version)
    try:
        if game is None:
            return _created(event, recorded, game_id)
        why_not = objection(game, event)
        if why_not is not None:
            raise LogError(f"event {version} cannot follow: {why_not}", version=version)
        if isinstance(event, MovesRetracted):
            changed = retracted(game, event, recorded, (past or {}).get(event.back_to))
        else:
            changed = ROWS[type(event)].fold(game, event, recorded)
        digest = digest_of(event) if is_compared else None
        if digest is not None:
            plies.compare(changed.ruleset, changed.state, digest, version)
    except (EngineError, IndexError, ValueError) as error:
        # The rules' error text repeats the event, which may contain hidden cards or forged text.
        rule = getattr(error, "rule", None)
        is_said = rule is not None and not isinstance(event, Hidden)
        why = f" ({rule})" if is_said else ""
        raise LogError(f"event {version} does not fit the rules{why}", version=version) from None
    return replace(motions.swept(game, changed, recorded), version=version, head=recorded.hash)


def objection(game: Game, event: Event) -> str | None:
    """Return why an event cannot follow, apart from the game's rules, or None if it can."""
    if isinstance(event, GameCreated):
        return "the game is created twice"
    row = ROWS[type(event)]
    if game.status not in row.during:
        return "the game is over" if game.is_over else f"the game is {game.status}"
    seat = getattr(event, "seat", None)
    if seat is not None:
        if not 0 <= seat < len(game.seats):
            return f"there is no seat {seat}"
        if row.by_player and game.seats[seat].status != "joined":
            return "the seat is empty"
    return None if row.objection is None else row.objection(game, event)


def _created(event: Event, recorded: Recorded, game_id: GameId) -> Game:
    if not isinstance(event, GameCreated):
        raise LogError("the log does not begin with GameCreated", version=recorded.version)
    if commitment(bytes.fromhex(event.server_secret)).hex() != event.commitment:
        raise LogError("event 1 commits to another secret", version=recorded.version)
    if not registry.has(event.ruleset, event.ruleset_version):
        # Anyone can write a log, so the text does not advise installing the package that it names.
        wanted = f"the rules {event.ruleset}/{event.ruleset_version} are not here"
        names = f"; the log names the package {event.package}" if event.package else ""
        raise MissingRulesetError(wanted + names, version=recorded.version)
    rules = registry.find(event.ruleset, event.ruleset_version)
    rules.check_options(len(event.seats), event.options)
    kind, _, player = recorded.actor.partition(":")
    return Game(
        id=game_id,
        version=recorded.version,
        head=recorded.hash,
        status="inviting",
        ruleset=rules,
        options=event.options,
        seats=tuple(
            SeatState(player, first_status(player), controller=controller_of(player))
            for player in event.seats
        ),
        operator_seats=event.operator_seats,
        timing=timing.from_json(event.timing),
        commitment=event.commitment,
        server_secret=event.server_secret,
        creator=player if kind == "player" else "",
        league=event.league,
        is_challenge=event.challenge,
        created_at=recorded.recorded_at,
    )


# --- digests --------------------------------------------------------------------------------------


def digest_of(event: Event) -> str | None:
    """Return the state digest recorded in an event, or None."""
    if isinstance(event, MovePlayed | GameStarted):
        return event.digest
    if isinstance(event, Hidden) and is_choice(event):
        payload: Any = event.payload
        return str(payload["digest"])
    return None


def lasting(recorded: Sequence[Recorded]) -> frozenset[int]:
    """Return the versions of the last digest of the log and of each branch."""
    digests: list[int] = []
    result = set()
    if not any(isinstance(item.event, MovesRetracted) for item in recorded):
        last = (item.version for item in reversed(recorded) if digest_of(item.event) is not None)
        return frozenset(islice(last, 1))
    for item in recorded:
        if digest_of(item.event) is not None:
            digests.append(item.version)
        elif isinstance(item.event, MovesRetracted):
            back_to = item.event.back_to
            result.update([version for version in digests if version <= back_to][-1:])
    result.update(digests[-1:])
    return frozenset(result)
