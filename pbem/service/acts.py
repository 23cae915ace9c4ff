"""What an admin does to a game: each act is an event with a reason, and every player is mailed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.domain import decide, retraction
from pbem.domain.decision import Decision
from pbem.domain.game import Game
from pbem.domain.log import GameId
from pbem.errors import Refusal
from pbem.service import games, looking, mailings, replaying
from pbem.service.context import Service
from pbem.store import codec
from pbem.store.uow import UnitOfWork


@dataclass(slots=True)
class Act:
    """An act in the making; `after` is the game with it, once it is done."""

    uow: UnitOfWork
    game: Game
    decision: Decision
    after: Game


@contextmanager
def acting(service: Service, game_id: GameId, admin: str) -> Iterator[Act]:
    """Decide on a game as an admin; at the end record it and queue the mails, in one transaction.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    with service.store.unit_of_work() as uow:
        if not uow.lock_game(game_id):
            raise Refusal("busy", "The game is being changed at this moment; try again.")
        game = games.load(uow, game_id)
        decision = games.begin(
            uow, service, game, actor=f"admin:{admin}", cause=f"command:{service.new_id(16)}"
        )
        act = Act(uow, game, decision, game)
        yield act
        act.after, recorded = games.record(uow, decision)
        mailings.queue(uow, service, act.after, recorded, position_before=game.position)


def stop(service: Service, game_id: GameId, reason: str, *, admin: str = "local") -> Game:
    """End a game without a ranking; opens the secret. Raises: Refusal."""
    with acting(service, game_id, admin) as act:
        decide.stop(act.decision, reason)
    return act.after


def remove(
    service: Service, game_id: GameId, who: str, reason: str, *, admin: str = "local"
) -> Game:
    """Take a seat, by name or number, out of a game (GEN-7). Raises: Refusal."""
    seat = looking.seat_of(service, game_id, who)
    with acting(service, game_id, admin) as act:
        decide.remove(act.decision, seat, reason)
    return act.after


def undo(
    service: Service, game_id: GameId, place: str, reason: str, *, admin: str = "local"
) -> Game:
    """Take moves back: `17` to before move 17, `@41` to after event 41. Raises: Refusal."""
    with acting(service, game_id, admin) as act:
        decide.running(act.game)
        recorded = [codec.decode(event) for event in act.uow.events.read(game_id)]
        names = games.shown_names(act.uow, [seat.player for seat in act.game.seats])
        steps = replaying.walk(game_id, recorded, names)
        version = steps[replaying.find(steps, place)].version
        if not place.strip().startswith("@"):
            version -= 1
        back_to = retraction.place_at(recorded, version)
        if back_to is None:
            raise Refusal("undo", "The deal itself cannot be taken back; stop the game instead.")
        decide.retract(act.decision, steps[back_to - 1].game, reason)
    return act.after
