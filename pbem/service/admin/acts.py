"""Admins' acts on games. Each is recorded as an event with a reason that the players read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from engine.sentences import sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, handover
from pbem.domain.table import retraction
from pbem.domain.table.decision import running
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.service.change import Change, changing, retried
from pbem.service.core import games, operators
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.logbook import replaying, replays
from pbem.service.notify import to_admins
from pbem.service.votes import offers
from pbem.store.db.uow import UnitOfWork

P = ParamSpec("P")


def carry_out(
    service: Service,
    game_id: GameId,
    act: Callable[Concatenate[Change, P], object],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Game:
    """Carry out an act on a game for a command, in a separate transaction.

    Args:
        act: changes the game or raises a Refusal. It is called with the change and the other
            arguments.

    Raises: Refusal, UnknownStreamError, LogError, VersionConflictError.
    """

    def step(uow: UnitOfWork) -> Game:
        actor, cause = games.LOCAL_ADMIN, service.new_cause()
        with changing(service, uow, game_id, actor=actor, cause=cause) as change:
            act(change, *args, **kwargs)
        return change.game

    return retried(service, step)


def stop(service: Service, game_id: GameId, reason: str) -> Game:
    """Stop a game without a ranking, which reveals the secret. Raises: Refusal."""
    return carry_out(service, game_id, lambda change: acts.stop(change.decision, reason))


def remove(service: Service, game_id: GameId, who: str, reason: str) -> Game:
    """Remove a seat, given by name or number, from a game (GEN-7). Raises: Refusal."""
    seat = replays.seat_of(service, game_id, who)
    return carry_out(service, game_id, lambda change: acts.remove(change.decision, seat, reason))


def undo(service: Service, game_id: GameId, move: str, reason: str) -> Game:
    """Take moves back to a position: `17` is before move 17, `@41` is after event 41.

    Raises: Refusal.
    """

    def act(change: Change) -> None:
        running(change.game)
        names = games.seat_names(change.uow, change.game.seats)
        steps = replaying.walk(change.uow, game_id, names)
        version = steps[replaying.find(steps, move)].version
        if not move.strip().startswith("@"):
            version -= 1
        back_to = retraction.place_at([step.recorded for step in steps], version)
        if back_to is None:
            raise Refusal("undo", "The deal itself cannot be taken back; stop the game instead.")
        acts.retract(change.decision, steps[back_to - 1].game, reason)

    return carry_out(service, game_id, act)


def replace(
    service: Service,
    game_id: GameId,
    who: str,
    person: lobby.Person,
    reason: str,
    *,
    agreed: bool = False,
) -> Game:
    """Offer a seat, given by name or number, to another person, and notify everyone.

    Args:
        agreed: True if the person has agreed and takes the seat at once. Before the deal a new
            person is always invited.

    Raises: Refusal.
    """
    seat = replays.seat_of(service, game_id, who)

    def act(change: Change) -> None:
        uow, game = change.uow, change.game
        never_invite.check(service, uow, lobby.checked_address(person.address))
        player = lobby.player_of(service, uow, person)
        is_offer = game.status == "running" and not agreed
        if is_offer:
            handover.offer(change.decision, seat, player)
            acts.explain(change.decision, reason)
        else:
            acts.replace_player(change.decision, seat, player, reason)
        others = [state.player for n, state in enumerate(game.seats) if n != seat]
        names = [person.name, *games.shown_names(uow, others)]
        lobby.check_names(names, game.ruleset.id.name)
        if not is_offer:
            why = sentence("The reason that the admin gave: {reason}", reason=reason.strip())
            offers.tell_former(service, uow, game, seat, why)

    return carry_out(service, game_id, act)


def adjudicate(
    service: Service,
    game_id: GameId,
    ranking: str,
    reason: str,
    *,
    judge: str | None = None,
) -> Game:
    """End a game with a ranking such as `Anna, Bob = Carol`, where `=` is a tie.

    Args:
        judge: address of an admin who does not play in it. Needed if another admin does.

    Raises: Refusal.
    """
    places = [
        [replays.seat_of(service, game_id, who) for who in group.split("=")]
        for group in ranking.split(",")
    ]

    def act(change: Change) -> None:
        _check_judge(change, judge)
        acts.adjudicate(change.decision, places, reason, with_judge=judge is not None)
        if judge is not None:
            to_admins.queue(
                service,
                change.uow,
                key=f"adjudicated:{game_id}",
                message=f"Game {game_id} was ended with an admin's ranking, and one of you was named"
                f" as its neutral judge. The reason given: {reason.strip()} If none of you agreed,"
                " tell the players.",
            )

    return carry_out(service, game_id, act)


def _check_judge(change: Change, judge: str | None) -> None:
    """Refuse an admin who would decide their own game alone. Raises: Refusal."""
    admins = frozenset(change.service.config.service.admins)
    at_table = [
        operators.admins_among(change.service, change.uow.players.addresses(seat.player))
        for seat in change.game.seats
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
