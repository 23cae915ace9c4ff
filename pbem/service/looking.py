"""Looking at a game as it was: the redacted way, or through a seat's eyes, which leaves a trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.api import JsonObject, Seat
from pbem.domain import decide
from pbem.domain.events import Hidden, MovePlayed, Recorded
from pbem.domain.evolve import evolve
from pbem.domain.game import Game
from pbem.domain.log import GameId
from pbem.errors import LogError, Refusal
from pbem.service import games
from pbem.service.context import Service
from pbem.store import codec


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a replay, in words, and the table after it.

    Attributes:
        view: as these eyes see it; None before the deal.
    """

    version: int
    recorded_at: str
    actor: str
    text: str
    view: JsonObject | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A game replayed up to a version."""

    game: Game
    names: tuple[str, ...]
    steps: tuple[Step, ...]


def replay(
    service: Service,
    game_id: GameId,
    *,
    up_to: int | None = None,
    seats: Sequence[int] = (),
    reason: str | None = None,
    admin: str = "local",
) -> Replay:
    """Replay a game from its log.

    Args:
        up_to: last version to show; None = to the end.
        seats: through whose eyes; none = an observer's. In a running game that is a reveal: it
            needs `reason`, is recorded, and every player reads of it.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    with service.store.reading() as uow:
        game = games.load(uow, game_id)
    _check_asked(game, up_to, seats)
    if seats and not game.is_over:
        _record_reveal(service, game_id, seats, up_to, reason, admin)
    with service.store.reading() as uow:
        events = uow.events.read(game_id, up_to=up_to)
        names = games.shown_names(uow, [state.player for state in game.seats])
    return _fold(game_id, [codec.decode(event) for event in events], names, seats)


def _check_asked(game: Game, up_to: int | None, seats: Sequence[int]) -> None:
    if any(not 0 <= seat < len(game.seats) for seat in seats):
        raise Refusal("seat", f"The game has seats 0 to {len(game.seats) - 1}.")
    if up_to is not None and not 1 <= up_to <= game.version:
        raise Refusal("version", f"The game has events 1 to {game.version}.")


def _record_reveal(
    service: Service,
    game_id: GameId,
    seats: Sequence[int],
    up_to: int | None,
    reason: str | None,
    admin: str,
) -> None:
    with service.store.unit_of_work() as uow:
        if not uow.lock_game(game_id):
            raise Refusal("busy", "The game is being changed at this moment; try again.")
        game = games.load(uow, game_id)
        decision = decide.decision_on(
            game,
            actor=f"admin:{admin}",
            cause=f"command:{service.new_id(16)}",
            now=service.now(),
        )
        decide.reveal(decision, seats, up_to or game.version, reason or "")
        if decision.events:
            games.record(uow, decision)


def _fold(
    game_id: GameId, recorded: Sequence[Recorded], names: tuple[str, ...], seats: Sequence[int]
) -> Replay:
    game: Game | None = None
    steps = []
    for item in recorded:
        game = evolve(game, item, game_id)
        view = None if game.state is None else _seen(game, seats)
        moment = f"{item.recorded_at:%Y-%m-%d %H:%M:%S}"
        steps.append(Step(item.version, moment, item.actor, _say(item, names), view))
    if game is None:
        raise LogError(f"game {game_id} has no events", version=1)
    return Replay(game, names, tuple(steps))


def _seen(game: Game, seats: Sequence[int]) -> JsonObject:
    """Give what these seats know together; what nobody at the table knows stays hidden."""
    if len(seats) == 1:
        return game.ruleset.view(game.state, Seat(seats[0]))
    view: dict[str, Any] = game.ruleset.view(game.state, None)
    for seat in seats:
        own: dict[str, Any] = game.ruleset.view(game.state, Seat(seat))
        view["seats"][seat] = own["seats"][seat]
    return view


def _say(item: Recorded, names: Sequence[str]) -> str:
    """Say what an event is, without its hidden part."""
    event = item.event
    kind = type(event).__name__
    seat = getattr(event, "seat", None)
    who = "" if seat is None else f" {names[seat]}"
    if isinstance(event, Hidden):
        return "Hidden"
    if isinstance(event, MovePlayed):
        how = "" if event.source == "mail" else f" ({event.source})"
        return f"{kind}{who}: {event.move}{how}"
    return f"{kind}{who}"
