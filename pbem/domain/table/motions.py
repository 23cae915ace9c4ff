"""Motions: which are open, who is asked, and what the votes mean.

One motion of a kind is open at a time. `pause` and `resume` stay open until they are carried, and a
vote may be changed; the others end with the vote that decides them.
"""

from __future__ import annotations

from dataclasses import replace

from engine.api import JsonObject
from pbem.domain.log.chain import parse_time
from pbem.domain.log.events import GameStarted, MovesRetracted, Recorded
from pbem.domain.log.motion_events import (
    CLOCK,
    TERMS,
    MotionEnded,
    MotionOpened,
    VoteCast,
)
from pbem.domain.log.seat_events import (
    ObserverLeft,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.table import card_folds
from pbem.domain.table.game import Game, News, OpenMotion, OpenOffer, with_fact
from pbem.domain.table.rows import Rows, row
from pbem.domain.terms.seats import is_person
from pbem.domain.terms.timing import problems

CARRIED = ("tempo", "observer", "end", "drop")
"""Motions that `MotionEnded` carries out; other events carry out the rest."""
ABOUT_A_SEAT = ("replace", "drop")
"""Motions about the seat of somebody, who has no vote."""
NOBODY = -1
"""The seat of a person who asked and does not play."""


def voters(game: Game) -> list[int]:
    """Return the seats whose players decide on motions: nobody votes for a bot."""
    return [
        number
        for number, seat in enumerate(game.seats)
        if seat.status == "joined" and seat.controller == "person"
    ]


def is_away(game: Game, seat: int) -> bool:
    """True if a bot plays for a seat, its mails come back, or it missed a turn."""
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
    """Return the open motion of a kind, None if there is none; not for `CLOCK`."""
    return next((motion for motion in game.motions if motion.kind == kind), None)


def needs_all(game: Game, motion: OpenMotion) -> bool:
    """True if all players must agree: to take moves back, to end the game, or to play faster."""
    if motion.kind == "tempo":
        return motion.number("time_per_move") < game.time_per_move
    return motion.kind in ("undo", "end")


def electorate(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that vote on a motion; a seat to be taken over does not."""
    of = motion.number("of") if motion.kind in ABOUT_A_SEAT else NOBODY
    return [seat for seat in voters(game) if seat != of]


def asked(game: Game, motion: OpenMotion) -> list[int]:
    """Return the seats that have still to vote on a motion."""
    given = game.votes.get(motion.kind, {})
    return [seat for seat in electorate(game, motion) if seat not in given]


def deciders(game: Game, motion: OpenMotion) -> set[int]:
    """Return the seats whose votes decide; for a faster pace, people away too.

    Nobody can agree to less time for a player who is away: that waits until they are back.
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


def _opened(game: Game, event: MotionOpened, item: Recorded) -> Game:
    version, seat = item.version, event.seat
    motion = OpenMotion(event.motion, version, NOBODY if seat is None else seat, event.terms)
    is_asked = event.motion != "observer" or (bool(voters(game)) and game.timing.observers == "ask")
    if event.motion == "undo":
        game = replace(game, undo_asked=game.position)
    told = _told_at_first(game, motion)
    if event.motion == "offer":
        game = _offered(game, motion)
    else:
        game = without(game, event.motion)
        votes = {} if seat is None else {event.motion: {seat: True}}
        game = replace(game, motions=(*game.motions, motion), votes={**game.votes, **votes})
    return with_fact(game, version, *told) if is_asked else game


def _told_at_first(game: Game, motion: OpenMotion) -> tuple[str, int | None, JsonObject]:
    """Return the fact that a motion was put: kind, seat and data."""
    seat, player = motion.seat, motion.terms.get("player")
    match motion.kind:
        case "undo":
            first, last = motion.number("ply") + 1, game.ruleset.ply(game.state)
            data = {"back_to": motion.number("back_to"), "first": first, "last": last}
            return "undo_requested", seat, {**data}
        case "end":
            return "end_proposed", seat, {}
        case "drop":
            return "drop_proposed", seat, {"of": motion.number("of")}
        case "tempo":
            seconds = motion.number("time_per_move")
            return "tempo_proposed", seat, {"seconds": seconds, "was": game.time_per_move}
        case "observer":
            return "observer_proposed", None, {"player": player}
        case "replace":
            return "replacement_proposed", seat, {"of": motion.number("of"), "player": player}
        case _:
            return "replacement_offered", seat, {"player": player}


def _offered(game: Game, motion: OpenMotion) -> Game:
    """Offer a seat to one person: the players are not asked about it any more."""
    asked = open_motion(game, "replace")
    is_own = asked is not None and asked.seat == asked.number("of") == motion.seat
    offer = OpenOffer(
        motion.seat,
        str(motion.terms["player"]),
        parse_time(str(motion.terms["expires_at"])),
        motion.version,
        while_away=is_away(game, motion.seat) and not is_own,
    )
    offers = (*_other_offers(game, motion.seat), offer)
    return replace(without(game, "replace"), offers=offers)


def _other_offers(game: Game, seat: int) -> tuple[OpenOffer, ...]:
    return tuple(offer for offer in game.offers if offer.seat != seat)


def _voted(game: Game, event: VoteCast, item: Recorded) -> Game:
    """Note a vote; the one that decides against a motion ends it."""
    motion = open_motion(game, event.motion)
    given = {**game.votes.get(event.motion, {}), event.seat: event.is_for}
    game = replace(game, votes={**game.votes, event.motion: given})
    data: JsonObject = {"motion": event.motion, "for": event.is_for}
    kind = "voted" if event.motion in CLOCK else "motion_voted"
    game = with_fact(game, item.version, kind, event.seat, data)
    why = "open" if motion is None else outcome(game, motion)
    if motion is None or why not in ("refused", "withdrawn"):
        return game
    return _ended(game, item.version, motion, why)


def _closed(game: Game, event: MotionEnded, item: Recorded) -> Game:
    """End a motion: by what it asked for, or without it."""
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
    game = without(game, event.motion)
    if event.motion == "tempo":
        data: JsonObject = {"seconds": motion.number("time_per_move"), "was": game.time_per_move}
        timing = replace(game.timing, time_per_move=motion.number("time_per_move"))
        return with_fact(replace(game, timing=timing), version, "tempo_changed", data=data)
    if event.motion == "end":
        return card_folds.stepped(game, game.ruleset.stop(game.state), version)
    if event.motion == "drop":
        return with_fact(game, version, "seat_dropped", motion.number("of"))
    player = str(motion.terms["player"])
    game = replace(game, observers=(*game.observers, player))
    return with_fact(game, version, "observer_admitted", data={"player": player})


def _at_round_end(game: Game, version: int) -> Game:
    """Stop a game of a league; its players agreed to that when they joined, not just now."""
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
"""The kinds of facts that tell how an offer ended."""


def _watches_no_more(game: Game, event: ObserverLeft, item: Recorded) -> Game:
    left = tuple(one for one in game.observers if one != event.player)
    game = replace(game, observers=left)
    return with_fact(game, item.version, "observer_left", data={"player": event.player})


def swept(before: Game, game: Game, recorded: Recorded) -> Game:
    """End motions that lost their object.

    After a move or a new player nothing is taken back.
    """
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
    """True if a motion is about a person who wants to watch or to take over a seat."""
    return motion.terms.get("player") == player


def _without_offers(game: Game, recorded: Recorded) -> Game:
    """End offers of a seat whose player is back, was replaced, or left."""
    event = recorded.event
    if not isinstance(event, SeatControllerChanged | SeatReplaced | SeatResigned | SeatRemoved):
        return game
    is_back = isinstance(event, SeatControllerChanged) and event.why == "back"
    if isinstance(event, SeatControllerChanged) and not is_back:
        return game
    for kind in ABOUT_A_SEAT:
        motion = open_motion(game, kind)
        if motion is not None and motion.number("of") == event.seat:
            game = _ended(game, recorded.version, motion, "moved")
    for offer in game.offers:
        if is_back and offer.seat == event.seat:
            data: JsonObject = {"player": offer.player}
            game = with_fact(game, recorded.version, "replacement_over", event.seat, data)
    return replace(game, offers=_other_offers(game, event.seat))


def without(game: Game, kind: str) -> Game:
    """Return the game without a motion and its votes."""
    return replace(
        game,
        motions=tuple(motion for motion in game.motions if motion.kind != kind),
        votes={name: given for name, given in game.votes.items() if name != kind},
    )


def _ended(game: Game, version: int, motion: OpenMotion, why: str) -> Game:
    data: JsonObject = {"motion": motion.kind, "why": why, **motion.terms}
    seat = None if motion.seat == NOBODY else motion.seat
    return with_fact(without(game, motion.kind), version, "motion_ended", seat, data)


# --- what cannot be -------------------------------------------------------------------------------


def _against_opening(game: Game, event: MotionOpened) -> str | None:
    shape, terms = TERMS.get(event.motion), event.terms
    if shape is None or (event.seat is None) is not (event.motion == "observer"):
        return "nobody can ask for that"
    if {name: type(value) for name, value in terms.items()} != shape:
        return "its terms are not those of such a motion"
    match terms:
        case {"back_to": int(back_to)}:
            if game.is_choosing:
                return "seats choose secretly just now"
            return None if back_to < game.position else "no move was made since then"
        case {"time_per_move": int(seconds)}:
            return wrong_tempo(game, seconds)
        case {"of": int(of)} if not 0 <= of < len(game.seats) or game.seats[of].status != "joined":
            return "there is no such seat"
        case {"of": event.seat} if event.motion == "drop":
            return "nobody votes about the own seat"
        case {"player": player} if player in (
            *(seat.player for seat in game.seats),
            *_watching(game, event),
        ):
            return "that person knows the game already"
        case _:
            return None


def _watching(game: Game, event: MotionOpened) -> tuple[str, ...]:
    """Return who cannot ask to watch; an observer may take over a seat."""
    return game.observers if event.motion == "observer" else ()


def _against_vote(game: Game, event: VoteCast) -> str | None:
    is_open = event.motion in CLOCK or open_motion(game, event.motion) is not None
    return None if is_open else "nothing of that kind is voted on"


def _against_end(game: Game, event: MotionEnded) -> str | None:
    if event.motion == "offer":
        is_open = event.why in _OFFER_ENDS and event.seat in [one.seat for one in game.offers]
        return None if is_open else "nobody asked them"
    if event.why == "league":
        is_due = event.motion == "end" and event.seat is None and game.league
        return None if is_due else "the game belongs to no league"
    whys = ("carried", "refused", "back") if event.motion in CARRIED else ("refused", "back")
    is_open = event.seat is None and open_motion(game, event.motion) is not None
    return None if is_open and event.why in whys else "nothing of that kind is voted on"


def _against_leaving(game: Game, event: ObserverLeft) -> str | None:
    return None if event.player in game.observers else "that person does not watch"


def wrong_tempo(game: Game, seconds: int) -> str | None:
    """Say why there cannot be so much time per move; None if there can."""
    return next(iter(problems(replace(game.timing, time_per_move=seconds))), None)


ROWS: Rows = {
    **row(MotionOpened, _opened, _against_opening, by_player=True),
    **row(VoteCast, _voted, _against_vote, by_player=True),
    **row(MotionEnded, _closed, _against_end),
    **row(ObserverLeft, _watches_no_more, _against_leaving),
}
