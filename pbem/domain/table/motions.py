"""Open motions: missing votes, results, and the folds of their events.

At most one motion of each type can be open. `pause` and `resume` stay open until they are carried,
and votes on them can be changed. Other motions end with the deciding vote. `motion_kinds` contains
the differences between the types.
"""

from __future__ import annotations

from dataclasses import replace

from engine.api import JsonObject
from pbem.domain.log.events import GameStarted, MovesRetracted, Recorded
from pbem.domain.log.motion_events import CLOCK, TERMS, MotionEnded, MotionOpened, VoteCast
from pbem.domain.log.seat_events import (
    ObserverLeft,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.table import card_folds
from pbem.domain.table.game import Game, News, OpenMotion, OpenOffer, with_fact
from pbem.domain.table.motion import NOBODY, electorate, without
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.domain.table.rows import Rows, row, unless


def open_motion(game: Game, kind: str) -> OpenMotion | None:
    """Return the open motion with this name, or None. Votes on pausing and resuming are excluded."""
    return next((motion for motion in game.motions if motion.kind == kind), None)


def missing_votes(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that have not voted on a motion yet."""
    given = game.votes.get(motion.kind, {})
    return [seat for seat in electorate(game, motion) if seat not in given]


def outcome(game: Game, motion: OpenMotion) -> str:
    """Return the current result: `open`, `carried`, `refused`, or `withdrawn` by its proposer."""
    given = game.votes.get(motion.kind, {})
    if given.get(motion.seat) is False:
        return "withdrawn"
    kind = MOTIONS[motion.kind]
    people = kind.deciders(game, motion)
    if not people:  # a player among bots may hand over their seat
        return "carried" if motion.seat == motion.terms.get("of") else "open"
    for_it = sum(given.get(seat) is True for seat in people)
    against = sum(given.get(seat) is False for seat in people)
    if kind.needs_all(game, motion):
        return "refused" if against else "carried" if for_it == len(people) else "open"
    if for_it * 2 > len(people):
        return "carried"
    return "refused" if (len(people) - against) * 2 <= len(people) else "open"


# --- the fold -------------------------------------------------------------------------------------


def _motion(event: MotionOpened, version: int) -> OpenMotion:
    seat = NOBODY if event.seat is None else event.seat
    return OpenMotion(event.motion, version, seat, event.terms)


def _other_offers(game: Game, seat: int) -> tuple[OpenOffer, ...]:
    return tuple(offer for offer in game.offers if offer.seat != seat)


def _voted(game: Game, event: VoteCast, item: Recorded) -> Game:
    """Record a vote. If the motion can no longer be carried, close it."""
    motion = open_motion(game, event.motion)
    given = {**game.votes.get(event.motion, {}), event.seat: event.is_for}
    game = replace(game, votes={**game.votes, event.motion: given})
    data: JsonObject = {"motion": event.motion, "for": event.is_for}
    game = with_fact(game, item.version, "motion_voted", event.seat, data)
    why = "open" if motion is None else outcome(game, motion)
    if motion is None or why not in ("refused", "withdrawn"):
        return game
    return _ended(game, item.version, motion, why)


def _closed(game: Game, event: MotionEnded, item: Recorded) -> Game:
    """End a motion, carried out or not."""
    version, seat = item.version, event.seat
    if seat is not None:
        (player,) = [offer.player for offer in game.offers if offer.seat == seat]
        game = replace(game, offers=_other_offers(game, seat))
        return with_fact(game, version, _OFFER_ENDS[event.why], seat, {"player": player})
    motion = open_motion(game, event.motion)
    if event.why == "league":
        return _at_round_end(game, version)
    if motion is None:  # pragma: no cover  (refused before)
        return game
    if event.why != "carried":
        return _ended(game, version, motion, event.why)
    return MOTIONS[motion.kind].fold(without(game, motion.kind), motion, version)


def _at_round_end(game: Game, version: int) -> Game:
    """Stop a league game at the end of its round, without a vote."""
    game = card_folds.stepped(game, game.ruleset.stop(game.state), version)
    return replace(game, news=tuple(map(_for_the_round, game.news)))


def _for_the_round(news: News) -> News:
    if news.fact.kind != "stopped":
        return news
    data: JsonObject = {**news.fact.data, "cause": "round"}
    return news._replace(fact=news.fact._replace(data=data))


_OFFER_ENDS = {
    "declined": "replacement_declined",
    "expired": "replacement_expired",
    "back": "replacement_over",
}
"""Kinds of facts that report how an offer ended, by `MotionEnded.why`."""
_ENDINGS = ("carried", "refused", "back")
"""Endings of a motion that are recorded by a separate event."""


def _watches_no_more(game: Game, event: ObserverLeft, item: Recorded) -> Game:
    left = tuple(observer for observer in game.observers if observer != event.player)
    game = replace(game, observers=left)
    return with_fact(game, item.version, "observer_left", data={"player": event.player})


def swept(before: Game, game: Game, recorded: Recorded) -> Game:
    """End motions that an event has made pointless, such as an undo after another move."""
    event = recorded.event
    if isinstance(event, GameStarted) or not (game.motions or game.offers):
        return game
    if game.is_over:
        return replace(game, motions=(), votes={}, offers=())
    game = _without_offers(game, recorded)
    is_new = isinstance(event, SeatReplaced)
    if isinstance(event, SeatReplaced):
        for motion in game.motions:
            if motion.terms.get("player") == event.player:  # who may watch or take over a seat
                game = without(game, motion.kind)
            elif motion.seat == event.seat:
                game = _ended(game, recorded.version, motion, "moved")
    undo = open_motion(game, "undo")
    if undo is None or (game.position == before.position and not is_new):
        return game
    if isinstance(event, MovesRetracted):
        return without(game, "undo")
    return _ended(game, recorded.version, undo, "moved")


def _without_offers(game: Game, recorded: Recorded) -> Game:
    """End offers of a seat whose player is back, was replaced, or left."""
    event = recorded.event
    if not isinstance(event, SeatControllerChanged | SeatReplaced | SeatResigned | SeatRemoved):
        return game
    is_back = isinstance(event, SeatControllerChanged) and event.why == "back"
    if isinstance(event, SeatControllerChanged) and not is_back:
        return game
    for motion in game.motions:
        if motion.terms.get("of") == event.seat:
            game = _ended(game, recorded.version, motion, "moved")
    for offer in game.offers:
        if is_back and offer.seat == event.seat:
            data: JsonObject = {"player": offer.player}
            game = with_fact(game, recorded.version, "replacement_over", event.seat, data)
    return replace(game, offers=_other_offers(game, event.seat))


def _ended(game: Game, version: int, motion: OpenMotion, why: str) -> Game:
    data: JsonObject = {"motion": motion.kind, "why": why, **motion.terms}
    seat = None if motion.seat == NOBODY else motion.seat
    return with_fact(without(game, motion.kind), version, "motion_ended", seat, data)


# --- what cannot be -------------------------------------------------------------------------------


def _against_opening(game: Game, event: MotionOpened) -> str | None:
    if (event.seat is None) is not (event.motion == "observer"):
        return "nobody can ask for that"
    if {name: type(value) for name, value in event.terms.items()} != TERMS.get(event.motion):
        return "its terms are not those of such a motion"
    return MOTIONS[event.motion].objection(game, _motion(event, 0))


def _against_end(game: Game, event: MotionEnded) -> str | None:
    if event.motion == "offer":
        is_open = event.why in _OFFER_ENDS and event.seat in [offer.seat for offer in game.offers]
        return None if is_open else "nobody asked them"
    if event.why == "league":
        is_due = event.motion == "end" and event.seat is None and game.league
        return None if is_due else "the game belongs to no league"
    motion = open_motion(game, event.motion)
    can_end = motion is not None and event.seat is None and event.why in _ENDINGS
    is_ended = event.why != "carried" or (can_end and MOTIONS[event.motion].is_ended_when_carried)
    return None if can_end and is_ended else "nothing of that kind is voted on"


ROWS: Rows = {
    **row(
        MotionOpened,
        lambda game, event, item: MOTIONS[event.motion].opened(game, _motion(event, item.version)),
        _against_opening,
        by_player=True,
    ),
    **row(
        VoteCast,
        _voted,
        unless(
            lambda game, event: (
                event.motion in CLOCK or open_motion(game, event.motion) is not None
            ),
            "nothing of that kind is voted on",
        ),
        by_player=True,
    ),
    **row(MotionEnded, _closed, _against_end),
    **row(
        ObserverLeft,
        _watches_no_more,
        unless(lambda game, event: event.player in game.observers, "that person does not watch"),
    ),
}
