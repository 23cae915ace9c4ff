"""Betting windows of the gambling game: whose turn it is, and which bets are possible (PLX-V5).

A window stores only which seats acted, how often each zone was raised, and which seats have not
answered the last raise in a zone. Whether a seat has a choice is computed when needed. The stake of
a seat that resigned stays in the pot and has no further effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from engine.api import Seat
from engine.errors import IllegalMoveError, illegal
from engine.phalanx.state import (
    PLACES,
    SEAT_PLACES,
    SOME_PLACES,
    State,
    Window,
    active,
    clockwise_from,
    zone_words,
)
from engine.position import new_tuple, with_item
from engine.sentences import Sentence, sentence

_IN_ORDER: Final = frozenset(SOME_PLACES)

MAX_RAISES: Final = 3
"""Maximum number of raises per zone and window."""


class Bet(NamedTuple):
    """A bet of one seat in one of its own zones."""

    place: str
    """`left`, `center` or `right`."""
    raise_by: int = 0
    """Number of chips above the highest stake. 0 matches that stake."""


@dataclass(frozen=True, slots=True)
class Bets:
    """One action in a betting window. An action without bets is a `check` (PLX-V5)."""

    bets: tuple[Bet, ...] = ()
    """The bets in the order left, center, right, at most one per zone."""


CHECK = Bets()


def rivals(state: State, seat: Seat, zone: int) -> tuple[Seat, ...]:
    """Return the other seats that share a zone and have not resigned, in ascending order."""
    others = SEAT_PLACES[state.ring][seat].others[zone]
    if not state.resigned:
        return others
    return tuple([other for other in others if other not in state.resigned])


def owed(state: State, seat: Seat, zone: int) -> int:
    """Return how many chips a seat must add to match the highest stake of its zone."""
    pot = state.pots[zone]
    own = highest = pot[seat]
    if state.resigned:
        pot = tuple([pot[rival] for rival in rivals(state, seat, zone)])
    for stake in pot:
        # In compiled code, calling `max` would take longer than the rest of this function.
        if stake > highest:  # noqa: PLR1730
            highest = stake
    return highest - own


def has_answerer(state: State, seat: Seat, zone: int) -> bool:
    """True if another seat in the zone has chips left to answer a raise."""
    chips, resigned = state.chips, state.resigned
    for other in SEAT_PLACES[state.ring][seat].others[zone]:
        if chips[other] and other not in resigned:
            return True
    return False


class Offer(NamedTuple):
    """The bets that a seat can make in one of its zones."""

    lacking: int
    """Number of chips that match the highest stake. 0 if there is nothing to match."""

    can_raise: bool


def offers(state: State, window: Window, seat: Seat) -> list[Offer]:
    """Return what a seat can bet now, in its zones left, center and right.

    A seat may bet in all its zones in its first action, and later only to answer a raise.
    """
    chips = state.chips[seat]
    is_first = seat not in window.acted
    found = []
    for zone in SEAT_PLACES[state.ring][seat].others:
        lacking = owed(state, seat, zone)
        if chips == 0 or not (is_first or (lacking > 0 and seat in window.unanswered[zone])):
            found.append(Offer(0, False))
            continue
        is_possible = chips > lacking and window.raises[zone] < MAX_RAISES
        found.append(Offer(lacking, is_possible and has_answerer(state, seat, zone)))
    return found


def has_choice(state: State, window: Window, seat: Seat) -> bool:
    """True if a seat can make a bet now."""
    return any(offer.lacking or offer.can_raise for offer in offers(state, window, seat))


def next_bettor(state: State, window: Window, start: int) -> Seat | None:
    """Return the first seat that has a choice, clockwise and including `start`.

    Return None if no seat has a choice, in which case the window closes.
    """
    for seat in clockwise_from(active(state), start):
        if has_choice(state, window, seat):
            return seat
    return None


def asking(window: Window, bettor: Seat) -> Window:
    """Return a copy of a window with another bettor. `_replace` would take several times as long."""
    asked: Window = new_tuple(Window, (bettor, *window[1:]))
    return asked


def open_window(state: State) -> Window | None:
    """Return a new betting window, or None if no seat has a choice in it.

    The player who opened highest bets first. Before the openings it is the seat to the dealer's
    left.
    """
    start = state.setup.number("dealer") + 1 if state.first is None else state.first
    zones = len(state.zones)
    window = Window(Seat(start), (), (0,) * zones, ((),) * zones)
    bettor = next_bettor(state, window, start)
    return None if bettor is None else asking(window, bettor)


def payments(state: State, window: Window, seat: Seat, bets: tuple[Bet, ...]) -> list[int]:
    """Return the cost of each bet. Bets are made in the order left, center, right.

    If the chips do not cover a match, it takes all of them and the seat is all-in.

    Raises:
        IllegalMoveError: a bet is impossible.
    """
    chips = state.chips[seat]
    zones = SEAT_PLACES[state.ring][seat].zones
    if tuple([bet.place for bet in bets]) not in _IN_ORDER:
        raise _no(sentence("one bet per zone, in the order left, center, right"))
    is_first = seat not in window.acted
    paid = []
    for bet in bets:
        zone = zones[bet.place]
        lacking = owed(state, seat, zone)
        if not (is_first or (lacking > 0 and seat in window.unanswered[zone])):
            raise _no(
                sentence("there is no unanswered raise in your {zone}", zone=zone_words(bet.place))
            )
        if bet.raise_by == 0:
            if lacking == 0:
                raise _no(
                    sentence(
                        "nobody has more in your {zone} than you, nothing to match",
                        zone=zone_words(bet.place),
                    )
                )
            if chips == 0:
                raise _no(sentence("no chips are left for your {zone}", zone=zone_words(bet.place)))
            cost = min(chips, lacking)
        else:
            _check_raise(state, window, seat, zone, bet)
            cost = lacking + bet.raise_by
            if cost > chips:
                raise _no(
                    sentence(
                        "raising your {zone} by {by} takes {cost}, you have {chips}",
                        zone=zone_words(bet.place),
                        by=bet.raise_by,
                        cost=cost,
                        chips=chips,
                    )
                )
        chips -= cost
        paid.append(cost)
    return paid


def _check_raise(state: State, window: Window, seat: Seat, zone: int, bet: Bet) -> None:
    if type(bet.raise_by) is not int or bet.raise_by < 0:
        raise _no(sentence("a raise is one chip or more"))
    if window.raises[zone] >= MAX_RAISES:
        raise _no(
            sentence(
                "your {zone} has been raised {most} times in this window",
                zone=zone_words(bet.place),
                most=MAX_RAISES,
            )
        )
    if not has_answerer(state, seat, zone):
        raise _no(
            sentence(
                "nobody else in your {zone} has chips left to answer a raise",
                zone=zone_words(bet.place),
            )
        )


def _no(why: Sentence) -> IllegalMoveError:
    return illegal(sentence("{rule}: {why}", rule="PLX-V5", why=why))


def after_bets(state: State, window: Window, seat: Seat, bets: tuple[Bet, ...]) -> Window:
    """Return the window after a seat's bets. The caller determines the next bettor."""
    _, acted, raises, unanswered = window
    if seat not in acted:
        acted = tuple(sorted((*acted, seat)))
    zones = SEAT_PLACES[state.ring][seat].zones
    for zone in zones.values():
        waited_for = unanswered[zone]
        if seat in waited_for:
            others = tuple([other for other in waited_for if other != seat])
            unanswered = with_item(unanswered, zone, others)
    for bet in bets:
        if bet.raise_by:
            zone = zones[bet.place]
            raises = with_item(raises, zone, raises[zone] + 1)
            unanswered = with_item(unanswered, zone, rivals(state, seat, zone))
    return Window(seat, acted, raises, unanswered)


def listed_bets(state: State, seat: Seat) -> Sequence[Bets]:
    """List the bets of the seat whose turn it is, in the order documented in `moves.py`."""
    window = state.window
    assert window is not None  # noqa: S101  (only called during betting)
    offered = offers(state, window, seat)
    listed = _combinations(tuple([(lacking > 0, can_raise) for lacking, can_raise in offered]))
    # If the chips cover the most expensive combination, all combinations are possible.
    if sum([lacking + can_raise for lacking, can_raise in offered]) <= state.chips[seat]:
        return listed
    return [move for move in listed if _is_possible(state, window, seat, move.bets)]


@cache
def _combinations(possible: tuple[tuple[bool, bool], ...]) -> tuple[Bets, ...]:
    """Return all combinations of bets.

    Args:
        possible: for left, center and right, whether the seat can match and whether it can raise by
            1.
    """
    choices = [
        [None, *[Bet(place)] * matches, *[Bet(place, 1)] * raises]
        for place, (matches, raises) in zip(PLACES, possible, strict=True)
    ]
    return tuple([Bets(tuple([bet for bet in bets if bet])) for bets in product(*choices)])


def _is_possible(state: State, window: Window, seat: Seat, bets: tuple[Bet, ...]) -> bool:
    try:
        payments(state, window, seat, bets)
    except IllegalMoveError:
        return False
    return True
