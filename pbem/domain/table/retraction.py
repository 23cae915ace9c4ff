"""Retraction of moves: the table becomes as it was after an earlier event.

Only the cards go back. Players keep what they learned in the branch that is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.api import Fact, JsonObject, Seat
from engine.replay import state_digest
from engine.sentences import sentence
from pbem.domain.log.events import (
    ChoicesRevealed,
    GameStarted,
    MovePlayed,
    MovesRetracted,
    Recorded,
    is_choice,
)
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table.game import Game, with_news
from pbem.domain.table.standing_fold import CLEARED, used_up
from pbem.errors import LogError

_TABLE_EVENTS = (
    GameStarted,
    MovePlayed,
    ChoicesRevealed,
    SeatResigned,
    SeatRemoved,
    MovesRetracted,
)
"""Event types after which a game can be restored. No one may see who made a secret choice."""


def place_at(events: Iterable[Recorded], version: int) -> int | None:
    """Return the last event up to `version` after which the table had the same state.

    Incomplete secret choices are ignored because they are made again. Returns None before the deal.
    """
    result = None
    has_chosen = False
    amid: set[int] = set()
    for item in events:
        event = item.event
        if item.version > version:
            break
        if isinstance(event, MovesRetracted):
            has_chosen = event.back_to in amid
        elif not isinstance(event, SeatResigned | SeatRemoved):
            is_settled = isinstance(event, _TABLE_EVENTS)
            has_chosen = is_choice(event) or (has_chosen and not is_settled)
        if has_chosen:
            amid.add(item.version)
        elif isinstance(event, _TABLE_EVENTS):
            result = item.version
    return result


def went_back_to(events: Iterable[Recorded]) -> list[int]:
    """Return the versions that undos returned to."""
    return [item.event.back_to for item in events if isinstance(item.event, MovesRetracted)]


def why_not(game: Game, past: Game) -> str | None:
    """Return why a game cannot return to an earlier state, or None if it can."""
    if past.state is None:
        return sentence("no card was dealt then")
    if any(first <= past.version <= last for first, last in game.retracted):
        return sentence("that place was taken back itself")
    seats = zip(game.seats, past.seats, strict=True)
    if any((now.status, now.generation) != (was.status, was.generation) for now, was in seats):
        return sentence("somebody has left or taken a seat since then")
    if state_digest(game.ruleset, past.state) == state_digest(game.ruleset, game.state):
        return sentence("no move was made since then")
    return None


def retracted(game: Game, event: MovesRetracted, recorded: Recorded, past: Game | None) -> Game:
    """Restore an earlier state. The seats that must act then decide again. Raises: LogError."""
    version = recorded.version
    if past is None or past.version != event.back_to:
        raise LogError(f"event {version} goes back to a place that is not there", version=version)
    problem = why_not(game, past)
    if problem is not None:
        raise LogError(f"event {version} cannot follow: {problem}", version=version)
    if game.ruleset.ply(past.state) != event.ply:
        raise LogError(f"event {version} counts its ply wrong", version=version)
    to_act = frozenset(int(seat) for seat in game.ruleset.to_act(past.state))
    branches = [branch for branch in game.retracted if branch[1] <= event.back_to]
    changed = replace(
        game,
        state=past.state,
        position=version,
        deadline=None,
        asked=(),
        retracted=(*branches, (event.back_to + 1, version - 1)),
        seats=tuple(
            replace(
                seat,
                decision=version if number in to_act else None,
                standing=used_up(seat.standing),
            )
            for number, seat in enumerate(game.seats)
        ),
    )
    data: JsonObject = {"first": event.ply + 1, "last": game.ruleset.ply(game.state)}
    kind, _, admin = recorded.actor.partition(":")
    if kind != "admin":
        return with_news(changed, version, [Fact("moves_undone", None, data), *_cleared(game)])
    data |= {"admin": admin, "reason": event.reason}
    return with_news(changed, version, [Fact("moves_retracted", None, data), *_cleared(game)])


def _cleared(game: Game) -> list[Fact]:
    """Return a fact for each player whose standing order was cleared."""
    return [
        Fact(CLEARED, Seat(number), {}, audience=Seat(number))
        for number, seat in enumerate(game.seats)
        if seat.standing.wanted
    ]
