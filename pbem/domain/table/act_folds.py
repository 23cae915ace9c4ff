"""Folds of disputes and of admin actions."""

from __future__ import annotations

from engine.api import JsonObject
from pbem.domain.log.events import (
    Adjudicated,
    DisputeOpened,
    DisputeResolved,
    GameFinished,
    GameStopped,
    HandsRevealedToAdmin,
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
)
from pbem.domain.table.rows import Rows, against_other_secret, row, unless

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
    if sorted(seat for place in event.ranking for seat in place) != [*range(len(game.seats))]:
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


def _told(game: Game, event: HandsRevealedToAdmin | ReasonGiven, item: Recorded) -> Game:
    return with_act(game, item, "reason_given" if isinstance(event, ReasonGiven) else REVEALED)


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
    **row(HandsRevealedToAdmin, _told, during=UNFINISHED),
    **row(ReasonGiven, _told),
}
