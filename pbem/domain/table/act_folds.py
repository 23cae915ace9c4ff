"""Folds of disputes, admin actions and talk.

Talk events change only permissions. The texts are read from the log.
"""

from __future__ import annotations

from typing import Any

from engine.api import JsonObject
from pbem.domain.log.events import (
    MUTE_SET,
    Adjudicated,
    AnonymousTalkSet,
    DisputeOpened,
    DisputeResolved,
    GameFinished,
    GameStopped,
    HandsRevealedToAdmin,
    Hidden,
    MessagePosted,
    PageSet,
    ReasonGiven,
    Recorded,
)
from pbem.domain.table.game import (
    REVEALED,
    UNFINISHED,
    Game,
    OpenDispute,
    ended,
    replace,
    with_act,
    with_fact,
    with_seat,
)
from pbem.domain.table.rows import EVER, Rows, against_other_secret, row, unchanged, unless

_NO_DISPUTE = "no dispute has that number now"


def _stopped(game: Game, event: GameStopped, item: Recorded) -> Game:
    data = {"code": event.code, "reason": event.reason}
    return with_fact(
        ended(game, "stopped", item.recorded_at), item.version, "game_stopped", data={**data}
    )


def _adjudicated(game: Game, event: Adjudicated, item: Recorded) -> Game:
    finished = GameFinished(event.ranking, "adjudicated", None, event.server_secret)
    game = replace(ended(game, "finished", item.recorded_at), finished=finished)
    return with_act(game, item, "adjudicated", data={"with_judge": event.with_judge})


def _against_judgement(game: Game, event: Adjudicated) -> str | None:
    if sorted(seat for group in event.ranking for seat in group) != [*range(len(game.seats))]:
        return "its ranking does not name every seat once"
    return against_other_secret(game, event)


def _disputed(game: Game, event: DisputeOpened, item: Recorded) -> Game:
    dispute = OpenDispute(event.number, event.seat, item.version)
    game = replace(game, disputes=(*game.disputes, dispute), disputed=event.number)
    data = {"number": event.number}
    return with_fact(game, item.version, "dispute_opened", event.seat, {**data})


def _resolved(game: Game, event: DisputeResolved, item: Recorded) -> Game:
    left = tuple(dispute for dispute in game.disputes if dispute.number != event.number)
    data: JsonObject = {"number": event.number, "reason": event.text}
    return with_fact(replace(game, disputes=left), item.version, "dispute_resolved", data=data)


def _with_talk(game: Game, event: HandsRevealedToAdmin | ReasonGiven, item: Recorded) -> Game:
    return with_act(game, item, "reason_given" if isinstance(event, ReasonGiven) else REVEALED)


# --- talk -----------------------------------------------------------------------------------------


def _anonymous(game: Game, event: AnonymousTalkSet, item: Recorded) -> Game:
    game = replace(game, anonymous_talk=event.is_allowed)
    return with_fact(game, item.version, "anonymous_talk", data={"is_allowed": event.is_allowed})


def _page_set(game: Game, event: PageSet, _item: Recorded) -> Game:
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
    **row(GameStopped, _stopped, against_other_secret, during=UNFINISHED),
    **row(Adjudicated, _adjudicated, _against_judgement),
    **row(
        DisputeOpened,
        _disputed,
        unless(lambda game, event: event.number == game.disputed + 1, _NO_DISPUTE),
    ),
    **row(
        DisputeResolved,
        _resolved,
        unless(
            lambda game, event: event.number in [dispute.number for dispute in game.disputes],
            _NO_DISPUTE,
        ),
    ),
    **row(HandsRevealedToAdmin, _with_talk, during=UNFINISHED),
    **row(ReasonGiven, _with_talk),
    **row(
        MessagePosted,
        unchanged,
        lambda game, event: _against_speaker(game, event.seat, event.player),
        during=EVER,
    ),
    **row(AnonymousTalkSet, _anonymous, during=UNFINISHED),
    **row(PageSet, _page_set, during=UNFINISHED, by_player=True),
}
