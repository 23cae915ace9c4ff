"""What the players of a game vote on: open motions, who is asked, and what their votes mean.

One motion of a kind is open at a time. `pause` and `resume` stay open until they are carried, and a
vote may be changed; the others end with the vote that decides them.
"""

from __future__ import annotations

from dataclasses import replace

from engine.api import Fact, JsonObject, Seat
from pbem.domain.log.events import GameStarted, MovesRetracted, Recorded, VoteCast
from pbem.domain.log.motion_events import (
    MotionEnded,
    MotionEvent,
    ObserverAdmitted,
    ObserverLeft,
    ObserverProposed,
    ReplacementDeclined,
    ReplacementExpired,
    ReplacementOffered,
    ReplacementOver,
    ReplacementProposed,
    TempoChanged,
    TempoProposed,
    UndoRequested,
)
from pbem.domain.log.seat_events import (
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.table.game import Game, OpenMotion, OpenOffer, with_news
from pbem.domain.table.rows import Rows, row
from pbem.domain.terms.occupants import is_person
from pbem.domain.terms.timing import problems

CLOCK = ("pause", "resume")
"""Motions about the clock's standing still: `VoteCast` alone opens them."""

KINDS = (*CLOCK, "undo", "tempo", "observer", "replace")
NOBODY = -1
"""Who asked, where it is somebody who does not play."""


def voters(game: Game) -> list[int]:
    """Return the seats whose players decide on motions: nobody votes for a bot."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "person"
    ]


def is_away(game: Game, seat: int) -> bool:
    """True if nobody has heard of a seat's player for a while: a bot plays, or mails come back."""
    state = game.seats[seat]
    return state.controller == "bot" or state.is_unreachable or state.misses > 0


def people_away(game: Game) -> set[int]:
    """Return the seats of people for whom a bot sits in."""
    return {
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "bot" and is_person(seat.player)
    }


def open_motion(game: Game, kind: str) -> OpenMotion | None:
    """Return the open motion of a kind, None if there is none; not for those about the clock."""
    return next((motion for motion in game.motions if motion.kind == kind), None)


def needs_all(game: Game, motion: OpenMotion) -> bool:
    """True if everybody must be for it: to take moves back, or to play faster."""
    if motion.kind == "tempo":
        return motion.number("time_per_move") < game.time_per_move
    return motion.kind == "undo"


def electorate(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that vote on a motion; whose seat is to be taken over does not."""
    of = motion.number("of") if motion.kind == "replace" else NOBODY
    return [seat for seat in voters(game) if seat != of]


def asked(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that have still to vote on a motion."""
    given = game.votes.get(motion.kind, {})
    return [seat for seat in electorate(game, motion) if seat not in given]


def deciders(game: Game, motion: OpenMotion) -> set[int]:
    """Return the seats whose votes decide: those of people who are there and, if it is faster, away.

    For a player for whom a bot sits in nobody agrees to less time: that waits until they are back.
    """
    people = set(electorate(game, motion))
    if motion.kind == "tempo" and needs_all(game, motion):
        people |= people_away(game)
    return people


def outcome(game: Game, motion: OpenMotion) -> str:
    """Say how it stands: `open`, `carried`, `refused`, or `withdrawn` by who asked."""
    given = game.votes.get(motion.kind, {})
    if given.get(motion.seat) is False:
        return "withdrawn"
    people = deciders(game, motion)
    if not people:  # beside who hands over the own seat there may be bots alone
        is_own = motion.kind == "replace" and motion.seat == motion.number("of")
        return "carried" if is_own else "open"
    for_it = sum(given.get(seat) is True for seat in people)
    against = sum(given.get(seat) is False for seat in people)
    if needs_all(game, motion):
        return "refused" if against else "carried" if for_it == len(people) else "open"
    if for_it * 2 > len(people):
        return "carried"
    return "refused" if (len(people) - against) * 2 <= len(people) else "open"


# --- the fold -------------------------------------------------------------------------------------


def moved(game: Game, recorded: Recorded) -> Game:
    """Apply an event of motions; news for everybody."""
    event, version = recorded.event, recorded.version
    match event:
        case UndoRequested(seat=seat, back_to=back_to, ply=ply):
            last = game.ruleset.ply(game.state)
            game = _opened(replace(game, undo_asked=game.position), recorded, "undo", seat)
            data: JsonObject = {"back_to": back_to, "first": ply + 1, "last": last}
            return with_news(game, version, [Fact("undo_requested", Seat(seat), data)])
        case TempoProposed(seat=seat, time_per_move=seconds):
            data = {"seconds": seconds, "was": game.time_per_move}
            game = _opened(game, recorded, "tempo", seat, time_per_move=seconds)
            return with_news(game, version, [Fact("tempo_proposed", Seat(seat), data)])
        case TempoChanged(time_per_move=seconds):
            data = {"seconds": seconds, "was": game.time_per_move}
            timing = replace(game.timing, time_per_move=seconds)
            game = without(replace(game, timing=timing), "tempo")
            return with_news(game, version, [Fact("tempo_changed", None, data)])
        case ReplacementProposed(seat=seat, of=of, player=player):
            game = _opened(game, recorded, "replace", seat, of=of, player=player)
            data = {"of": of, "player": player}
            return with_news(game, version, [Fact("replacement_proposed", Seat(seat), data)])
        case ReplacementOffered(seat=seat, player=player, expires_at=expires_at):
            offer = OpenOffer(seat, player, expires_at, version, _is_offered_away(game, seat))
            game = replace(without(game, "replace"), offers=(*_other_offers(game, seat), offer))
            data = {"player": player}
            return with_news(game, version, [Fact("replacement_offered", Seat(seat), data)])
        case ReplacementDeclined(seat=seat, player=player):
            game = replace(game, offers=_other_offers(game, seat))
            data = {"player": player}
            return with_news(game, version, [Fact("replacement_declined", Seat(seat), data)])
        case ReplacementExpired(seat=seat, player=player):
            game = replace(game, offers=_other_offers(game, seat))
            data = {"player": player}
            return with_news(game, version, [Fact("replacement_expired", Seat(seat), data)])
        case ReplacementOver(seat=seat, player=player):
            game = replace(game, offers=_other_offers(game, seat))
            fact = Fact("replacement_over", Seat(seat), {"player": player})
            return with_news(game, version, [fact])
        case MotionEnded(motion=kind, why=why):
            ended = open_motion(game, kind)
            return game if ended is None else _ended(game, version, ended, why)
        case ObserverProposed(player=player):
            game = without(game, "observer")
            motion = OpenMotion("observer", version, NOBODY, {"player": player})
            game = replace(game, motions=(*game.motions, motion))
            return with_news(game, version, [Fact("observer_proposed", None, {"player": player})])
        case ObserverAdmitted(player=player):
            game = replace(game, observers=(*game.observers, player))
            game = without(game, "observer") if _is_about(game, player) else game
            return with_news(game, version, [Fact("observer_admitted", None, {"player": player})])
        case ObserverLeft(player=player):
            left = tuple(one for one in game.observers if one != player)
            game = replace(game, observers=left)
            return with_news(game, version, [Fact("observer_left", None, {"player": player})])
        case _:
            raise AssertionError(f"{type(event).__name__} is no event of a motion")


def _is_offered_away(game: Game, seat: int) -> bool:
    """True if a seat is offered because its player is away, not because they asked for it."""
    motion = open_motion(game, "replace")
    is_own = motion is not None and motion.seat == motion.number("of") == seat
    return is_away(game, seat) and not is_own


def _other_offers(game: Game, seat: int) -> tuple[OpenOffer, ...]:
    return tuple(offer for offer in game.offers if offer.seat != seat)


def _is_about(game: Game, player: str) -> bool:
    motion = open_motion(game, "observer")
    return motion is not None and _names(motion, player)


def voted(game: Game, recorded: Recorded, event: VoteCast) -> Game:
    """Note a vote; the one that decides against a motion ends it."""
    motion = open_motion(game, event.motion)
    if motion is not None or event.motion in CLOCK:
        given = {**game.votes.get(event.motion, {}), event.seat: event.is_for}
        game = replace(game, votes={**game.votes, event.motion: given})
    data: JsonObject = {"motion": event.motion, "for": event.is_for}
    kind = "voted" if event.motion in CLOCK else "motion_voted"
    game = with_news(game, recorded.version, [Fact(kind, Seat(event.seat), data)])
    why = "open" if motion is None else outcome(game, motion)
    if motion is None or why not in ("refused", "withdrawn"):
        return game
    return _ended(game, recorded.version, motion, why)


def swept(before: Game, game: Game, recorded: Recorded) -> Game:
    """End what has lost its object: no move is taken back once another one was made, or a person came."""
    event = recorded.event
    if isinstance(event, GameStarted) or not (game.motions or game.offers):
        return game
    if game.is_over:
        return replace(game, motions=(), votes={}, offers=())
    game = _without_offers(game, recorded)
    is_new = isinstance(event, SeatReplaced)
    if isinstance(event, SeatReplaced):
        for motion in game.motions:
            if _names(motion, event.player):
                game = without(game, motion.kind)
            elif motion.seat == event.seat:
                game = _ended(game, recorded.version, motion, "moved")
    undo = open_motion(game, "undo")
    if undo is None or (game.position == before.position and not is_new):
        return game
    if isinstance(event, MovesRetracted):
        return without(game, "undo")
    return _ended(game, recorded.version, undo, "moved")


def _names(motion: OpenMotion, player: str) -> bool:
    """True if a motion is about somebody who wants to look on, or to take over a seat."""
    return motion.terms.get("player") == player


def _without_offers(game: Game, recorded: Recorded) -> Game:
    """Offer no seat that is its player's again, another one's, or nobody's."""
    event = recorded.event
    if not isinstance(event, SeatControllerChanged | SeatReplaced | SeatResigned | SeatRemoved):
        return game
    is_back = isinstance(event, SeatControllerChanged) and event.why == "back"
    if isinstance(event, SeatControllerChanged) and not is_back:
        return game
    motion = open_motion(game, "replace")
    if motion is not None and motion.number("of") == event.seat:
        game = _ended(game, recorded.version, motion, "moved")
    for offer in game.offers:
        if is_back and offer.seat == event.seat:
            fact = Fact("replacement_over", Seat(event.seat), {"player": offer.player})
            game = with_news(game, recorded.version, [fact])
    return replace(game, offers=_other_offers(game, event.seat))


def without(game: Game, kind: str) -> Game:
    """Return the game without a motion and its votes."""
    return replace(
        game,
        motions=tuple(motion for motion in game.motions if motion.kind != kind),
        votes={name: given for name, given in game.votes.items() if name != kind},
    )


def _opened(game: Game, recorded: Recorded, kind: str, seat: int, **terms: int | str) -> Game:
    game = without(game, kind)
    event = recorded.event
    back_to = {"back_to": event.back_to} if isinstance(event, UndoRequested) else {}
    motion = OpenMotion(kind, recorded.version, seat, {**back_to, **terms})
    return replace(game, motions=(*game.motions, motion), votes={**game.votes, kind: {seat: True}})


def _ended(game: Game, version: int, motion: OpenMotion, why: str) -> Game:
    data: JsonObject = {"motion": motion.kind, "why": why, **motion.terms}
    seat = None if motion.seat == NOBODY else Seat(motion.seat)
    fact = Fact("motion_ended", seat, data)
    return with_news(without(game, motion.kind), version, [fact])


# --- what cannot be -------------------------------------------------------------------------------


def objection(game: Game, event: MotionEvent | VoteCast) -> str | None:
    """Say why an event of a motion cannot follow; None if it can."""
    match event:
        case VoteCast(motion=kind):
            # Logs may hold votes on what had lost its object: earlier programs asked on.
            return None if kind in KINDS else "nothing of that kind is voted on"
        case UndoRequested() if game.is_choosing:
            return "seats choose secretly just now"
        case (
            ReplacementProposed()
            | ReplacementOffered()
            | ReplacementDeclined()
            | ReplacementExpired()
            | ReplacementOver()
        ):
            return _objection_to_replacement(game, event)
        case MotionEnded(motion=kind):
            is_open = open_motion(game, kind) is not None
            return None if is_open else "nothing of that kind is voted on"
        case UndoRequested() | TempoProposed():
            if game.seats[event.seat].status != "joined":
                return "the seat is empty"
            if isinstance(event, UndoRequested):
                return None if event.back_to < game.position else "no move was made since then"
            return wrong_tempo(game, event.time_per_move)
        case TempoChanged():
            return wrong_tempo(game, event.time_per_move)
        case ObserverProposed(player=player) | ObserverAdmitted(player=player):
            is_known = player in (*game.observers, *(seat.player for seat in game.seats))
            return "that person knows the game already" if is_known else None
        case ObserverLeft(player=player):
            return None if player in game.observers else "that person does not look on"


def _objection_to_replacement(
    game: Game,
    event: ReplacementProposed
    | ReplacementOffered
    | ReplacementDeclined
    | ReplacementExpired
    | ReplacementOver,
) -> str | None:
    of = event.of if isinstance(event, ReplacementProposed) else event.seat
    if not 0 <= of < len(game.seats) or game.seats[of].status != "joined":
        return "there is no such seat to take over"
    if isinstance(event, ReplacementDeclined | ReplacementExpired | ReplacementOver):
        is_asked = any((one.seat, one.player) == (of, event.player) for one in game.offers)
        return None if is_asked else "nobody asked them"
    if any(seat.player == event.player for seat in game.seats):
        return "that person has a seat in the game already"
    return None


def wrong_tempo(game: Game, seconds: int) -> str | None:
    """Say why there cannot be so much time per move; None if there can."""
    return next(iter(problems(replace(game.timing, time_per_move=seconds))), None)


def _moved(game: Game, _: MotionEvent, item: Recorded) -> Game:
    return moved(game, item)


def _voted(game: Game, event: VoteCast, item: Recorded) -> Game:
    return voted(game, item, event)


ROWS: Rows = {
    **row(UndoRequested, _moved, objection),
    **row(TempoProposed, _moved, objection),
    **row(TempoChanged, _moved, objection),
    **row(ObserverProposed, _moved, objection),
    **row(ObserverAdmitted, _moved, objection),
    **row(ObserverLeft, _moved, objection),
    **row(ReplacementProposed, _moved, objection),
    **row(ReplacementOffered, _moved, objection),
    **row(ReplacementDeclined, _moved, objection),
    **row(ReplacementExpired, _moved, objection),
    **row(ReplacementOver, _moved, objection),
    **row(MotionEnded, _moved, objection),
    **row(VoteCast, _voted, objection, by_player=True),
}
