"""Folds of talk events, which store permissions only. The texts are read from the log."""

from __future__ import annotations

from typing import Any

from pbem.domain.log.events import (
    MUTE_SET,
    AnonymousTalkSet,
    Hidden,
    MessagePosted,
    PageSet,
    Recorded,
)
from pbem.domain.table.game import UNFINISHED, Game, replace, with_fact, with_seat
from pbem.domain.table.rows import EVER, Rows, row, unchanged


def _anonymous(game: Game, event: AnonymousTalkSet, item: Recorded) -> Game:
    game = replace(game, anonymous_talk=event.is_allowed)
    return with_fact(game, item.version, "anonymous_talk", data={"is_allowed": event.is_allowed})


def _page(game: Game, event: PageSet, _item: Recorded) -> Game:
    against = {*game.against_page} - {event.seat}
    against |= set() if event.is_allowed else {event.seat}
    return replace(game, against_page=tuple(sorted(against)))


def muted(game: Game, event: Hidden) -> Game:
    """Update a seat's muted senders if the event is a `MuteSet`."""
    if event.type != MUTE_SET:
        return game
    payload: Any = event.payload
    heard = {*game.seats[payload["seat"]].muted} - {payload["player"]}
    heard |= {payload["player"]} if payload["is_muted"] else set()
    return with_seat(game, payload["seat"], muted=tuple(sorted(heard)))


def against_private_talk(game: Game, event: Hidden) -> str | None:
    """Return why a private talk event is invalid, or None. Erased events are always valid."""
    if not isinstance(event.payload, dict):
        return None
    payload: Any = event.payload
    is_mute = event.type == MUTE_SET
    return _against_speaker(game, payload["seat"], None if is_mute else payload["player"])


def _against_speaker(game: Game, seat: int, player: str | None) -> str | None:
    if not 0 <= seat < len(game.seats):
        return f"there is no seat {seat}"
    is_theirs = player in (None, game.seats[seat].player)
    return None if is_theirs else "the seat is another player's"


ROWS: Rows = {
    **row(
        MessagePosted,
        unchanged,
        lambda game, event: _against_speaker(game, event.seat, event.player),
        during=EVER,
    ),
    **row(AnonymousTalkSet, _anonymous, during=UNFINISHED),
    **row(PageSet, _page, during=UNFINISHED, by_player=True),
}
