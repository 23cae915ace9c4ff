"""Two players who are one person: how a game goes on under one id. The seat stays what it was."""

from __future__ import annotations

from dataclasses import replace

from engine.api import Fact, Seat
from pbem.domain.game import Game, OpenMotion, SeatState, with_news
from pbem.domain.person_events import PlayerMerged


def merged(game: Game, event: PlayerMerged, version: int) -> Game:
    """Put the id that stays wherever the other one stood; tokens, decisions and cards stay."""
    seated = [number for number, seat in enumerate(game.seats) if seat.player == event.player]
    seats = tuple(_renamed(seat, event) for seat in game.seats)
    at_table = {seat.player for seat in seats}
    observers = dict.fromkeys(_one(player, event) for player in game.observers)
    offers = (replace(offer, player=_one(offer.player, event)) for offer in game.offers)
    motions = [(motion, _with_one(motion, event)) for motion in game.motions]
    empty = {
        motion.kind
        for motion, now in motions
        if (player := now.terms.get("player")) in at_table
        or (motion.kind == "observer" and player in observers)
    }
    game = replace(
        game,
        seats=seats,
        creator=_one(game.creator, event),
        observers=tuple(player for player in observers if player not in at_table),
        offers=tuple(offer for offer in offers if offer.player not in at_table),
        motions=tuple(now for _, now in motions if now.kind not in empty),
        votes={kind: given for kind, given in game.votes.items() if kind not in empty},
    )
    facts = [] if game.is_over else [Fact("player_merged", Seat(seat), {}) for seat in seated]
    return with_news(game, version, facts)


def objection_to_merger(game: Game, event: PlayerMerged) -> str | None:
    """Say why these two cannot be one here; None if they can."""
    if event.player == event.into:
        return "that is one player already"
    seated = {seat.player for seat in game.seats}
    if not game.is_over and {event.player, event.into} <= seated:
        return "both have a seat"
    return None


def _one(player: str, event: PlayerMerged) -> str:
    return event.into if player == event.player else player


def _renamed(seat: SeatState, event: PlayerMerged) -> SeatState:
    muted = {_one(player, event) for player in seat.muted}
    player = _one(seat.player, event)
    return replace(seat, player=player, muted=tuple(sorted(muted - {player})))


def _with_one(motion: OpenMotion, event: PlayerMerged) -> OpenMotion:
    player = motion.terms.get("player")
    if player != event.player:
        return motion
    return replace(motion, terms={**motion.terms, "player": event.into})
