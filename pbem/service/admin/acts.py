"""What an admin does to a game: each act is an event with a reason, and every player is mailed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.sentences import sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, handover
from pbem.domain.play.decide import running
from pbem.domain.table import retraction
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.service.core import games, served
from pbem.service.core.context import Service
from pbem.service.lobby import making as lobby
from pbem.service.lobby import uninvited
from pbem.service.logbook import looking, replaying
from pbem.service.notify import mailings, to_admins
from pbem.service.votes import offers
from pbem.store.db.uow import UnitOfWork


@dataclass(slots=True)
class Act:
    """An act in the making; `after` is the game with it, once it is done."""

    uow: UnitOfWork
    game: Game
    decision: Decision
    after: Game


@contextmanager
def acting(service: Service, game_id: GameId) -> Iterator[Act]:
    """Decide on a game as an admin; at the end record it and queue the mails, in one transaction.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    with service.store.unit_of_work() as uow:
        games.lock(uow, game_id)
        game = games.load(uow, game_id)
        decision = games.begin_by_command(service, uow, game)
        act = Act(uow, game, decision, game)
        yield act
        act.after, recorded = games.record(uow, decision)
        mailings.queue(service, uow, act.after, recorded, position_before=game.position)
        if act.after.is_over:  # all is open now
            served.tell(service, uow)


def stop(service: Service, game_id: GameId, reason: str) -> Game:
    """End a game without a ranking; opens the secret. Raises: Refusal."""
    with acting(service, game_id) as act:
        acts.stop(act.decision, reason)
    return act.after


def remove(service: Service, game_id: GameId, who: str, reason: str) -> Game:
    """Take a seat, by name or number, out of a game (GEN-7). Raises: Refusal."""
    seat = looking.seat_of(service, game_id, who)
    with acting(service, game_id) as act:
        acts.remove(act.decision, seat, reason)
    return act.after


def undo(service: Service, game_id: GameId, place: str, reason: str) -> Game:
    """Take moves back: `17` to before move 17, `@41` to after event 41. Raises: Refusal."""
    with acting(service, game_id) as act:
        running(act.game)
        names = games.shown_names(act.uow, [seat.player for seat in act.game.seats])
        steps = replaying.walk(act.uow, game_id, names)
        version = steps[replaying.find(steps, place)].version
        if not place.strip().startswith("@"):
            version -= 1
        back_to = retraction.place_at([step.recorded for step in steps], version)
        if back_to is None:
            raise Refusal("undo", "The deal itself cannot be taken back; stop the game instead.")
        acts.retract(act.decision, steps[back_to - 1].game, reason)
    return act.after


def replace(
    service: Service,
    game_id: GameId,
    who: str,
    person: lobby.Person,
    reason: str,
    *,
    agreed: bool = False,
) -> Game:
    """Offer a seat, by name or number, to another person; all are told. Raises: Refusal.

    Args:
        agreed: the person has said yes already, and sits down at once; before the deal everybody
            is invited anyway.
    """
    seat = looking.seat_of(service, game_id, who)
    with acting(service, game_id) as act:
        uow, game = act.uow, act.game
        uninvited.check(service, uow, lobby.checked_address(person.address))
        player = lobby.player_of(service, uow, person)
        is_offer = game.status == "running" and not agreed
        if is_offer:
            handover.offer(act.decision, seat, player)
            acts.explain(act.decision, reason)
        else:
            acts.replace_player(act.decision, seat, player, reason)
        others = [state.player for n, state in enumerate(game.seats) if n != seat]
        names = [person.name, *games.shown_names(uow, others)]
        lobby.check_names(names, game.ruleset.id.name)
        if not is_offer:
            why = sentence("The reason that the admin gave: {reason}", reason=reason.strip())
            offers.tell_former(service, uow, game, seat, why)
    return act.after


def adjudicate(
    service: Service,
    game_id: GameId,
    ranking: str,
    reason: str,
    *,
    judge: str | None = None,
) -> Game:
    """End a game with a ranking as `Anna, Bob = Carol`: places by comma, shared ones by `=`.

    Args:
        judge: address of an admin who does not play in it; needed where an admin does.

    Raises: Refusal.
    """
    places = [
        [looking.seat_of(service, game_id, who) for who in place.split("=")]
        for place in ranking.split(",")
    ]
    with acting(service, game_id) as act:
        _check_judge(service, act, judge)
        acts.adjudicate(act.decision, places, reason, with_judge=judge is not None)
        if judge is not None:
            to_admins.queue(
                service,
                act.uow,
                key=f"adjudicated:{game_id}",
                message=f"Game {game_id} was ended with an admin's ranking, and one of you was named"
                f" as its neutral judge. The reason given: {reason.strip()} If none of you agreed,"
                " tell the players.",
            )
    return act.after


def _check_judge(service: Service, act: Act, judge: str | None) -> None:
    """Who plays in a game does not decide it alone. Raises: Refusal."""
    admins = service.settings.admins
    at_table = [
        admins.intersection(act.uow.players.addresses(seat.player))
        for seat in act.game.seats
        if seat.status == "joined"
    ]
    playing = frozenset[str]().union(*at_table)
    neutral = admins - playing
    if judge is not None:
        if judge.strip().lower() not in neutral:
            raise Refusal(
                "judge", "A judge is an admin of this server (its address) who does not play here."
            )
        return
    if playing:
        what = "stop the game instead: then nobody has won"
        if neutral:
            what = f"agree with another admin and name them (--judge ADDRESS), or {what}"
        raise Refusal(
            "judge", f"An admin plays in this game and does not decide it alone. You can {what}."
        )
