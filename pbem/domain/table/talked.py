"""What talk changes in a game: hardly anything; the words themselves are read from the log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.api import Fact
from pbem.domain.log.events import Event, Hidden, Recorded
from pbem.domain.log.private import MUTE_SET, is_talk
from pbem.domain.log.talk_events import AnonymousTalkSet, MessagePosted, TalkEvent
from pbem.domain.table.game import Game, with_news, with_seat


def is_of_talk(event: Event) -> bool:
    """True if an event belongs to talk, or is erased and may have."""
    return isinstance(event, TalkEvent) or is_talk(event)


def talked(game: Game, recorded: Recorded) -> Game:
    """Apply an event of `talk_events`, or one of `private`; most change nothing here."""
    event = recorded.event
    if isinstance(event, AnonymousTalkSet):
        fact = Fact("anonymous_talk", None, {"is_allowed": event.is_allowed})
        game = replace(game, anonymous_talk=event.is_allowed)
        return with_news(game, recorded.version, [fact])
    if isinstance(event, Hidden) and event.type == MUTE_SET:
        payload: Any = event.payload
        muted = {*game.seats[payload["seat"]].muted} - {payload["player"]}
        muted |= {payload["player"]} if payload["is_muted"] else set()
        return with_seat(game, payload["seat"], muted=tuple(sorted(muted)))
    return game


def objection_to_talk(game: Game, event: Event) -> str | None:
    """Say why talk cannot follow; it can at any time, also before the deal and after the end."""
    if isinstance(event, AnonymousTalkSet):
        return "the game is over" if game.is_over else None
    if isinstance(event, MessagePosted):
        seat, player = event.seat, event.player
    elif isinstance(event, Hidden) and isinstance(event.payload, dict):
        payload: Any = event.payload
        seat = payload["seat"]
        player = game.seats[seat].player if event.type == MUTE_SET else payload["player"]
    else:
        return None  # erased
    if not 0 <= seat < len(game.seats):
        return f"there is no seat {seat}"
    return None if game.seats[seat].player == player else "the seat is another player's"
