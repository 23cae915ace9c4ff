"""The betting windows of the gambling game: who is asked, and which bets are possible (PLX-V5).

Nothing is remembered but who acted, how often each zone was raised, and who has not answered the
last raise there; whether a seat has a choice is worked out afresh each time. A stake of a seat that
resigned stays in the pot and binds nobody.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.api import Seat
from engine.errors import IllegalMoveError
from engine.phalanx.state import Table, Window, active
from engine.phalanx.zones import PLACES, clockwise_from, own_zones, sharers, zone_number

MOST_RAISES = 3
"""Per zone and window."""


class Bet(NamedTuple):
    """Chips for one own zone."""

    place: str
    """`left`, `center` or `right`."""
    raise_by: int = 0
    """Chips on top of the highest stake; 0 = match it."""


def rivals(table: Table, seat: Seat, zone: int) -> list[Seat]:
    """Return the others that share a zone and have not resigned, ascending."""
    return [
        other
        for other in sharers(zone, table.ring)
        if other != seat and other not in table.resigned
    ]


def owed(table: Table, seat: Seat, zone: int) -> int:
    """Return what a seat lacks to the highest stake of a zone; 0 if nothing."""
    pot = table.pots[zone]
    return max(0, max((pot[other] for other in rivals(table, seat, zone)), default=0) - pot[seat])


def is_closed(table: Table, seat: Seat, zone: int) -> bool:
    """Say whether a seat may not play into a zone: less money than an opponent, and not all-in."""
    return table.seats[seat].chips > 0 and owed(table, seat, zone) > 0


def can_match(table: Table, seat: Seat, zone: int, chips: int) -> bool:
    """Say whether there is a higher stake, and a chip to answer it with."""
    return chips > 0 and owed(table, seat, zone) > 0


def can_raise(table: Table, window: Window, seat: Seat, zone: int, chips: int) -> bool:
    """Say whether a seat with so many chips may raise by one or more."""
    return (
        window.raises[zone] < MOST_RAISES
        and chips > owed(table, seat, zone)
        and any(table.seats[other].chips > 0 for other in rivals(table, seat, zone))
    )


def is_asked_in(table: Table, window: Window, seat: Seat, zone: int) -> bool:
    """Say whether a seat may bet in an own zone now: first action, or an unanswered raise."""
    if seat not in window.acted:
        return True
    return seat in window.unanswered[zone] and owed(table, seat, zone) > 0


def has_choice(table: Table, window: Window, seat: Seat) -> bool:
    """Say whether a seat has a bet that it could make now."""
    chips = table.seats[seat].chips
    return chips > 0 and any(
        is_asked_in(table, window, seat, zone)
        and (can_match(table, seat, zone, chips) or can_raise(table, window, seat, zone, chips))
        for zone in own_zones(seat, table.ring)
    )


def next_bettor(table: Table, window: Window, start: int) -> Seat | None:
    """Return the first seat clockwise, `start` included, that has a choice; None closes it."""
    for seat in clockwise_from(active(table), start):
        if has_choice(table, window, seat):
            return seat
    return None


def open_window(table: Table) -> Window | None:
    """Return a new window, or None if nobody has a choice in it."""
    first = table.first
    assert first is not None  # noqa: S101  (openings have been revealed)
    zones = len(table.zones)
    window = Window(first, (), (0,) * zones, ((),) * zones)
    bettor = next_bettor(table, window, first)
    return None if bettor is None else Window(bettor, (), window.raises, window.unanswered)


def payments(table: Table, window: Window, seat: Seat, bets: tuple[Bet, ...]) -> list[int]:
    """Return what each bet costs; they are made in the order left, center, right.

    A match takes what there is, if the chips do not reach: then the seat is all-in.

    Raises:
        IllegalMoveError: a bet that is not possible.
    """
    chips = table.seats[seat].chips
    places = [PLACES.index(bet.place) for bet in bets]
    if places != sorted(set(places)):
        raise _no("one bet per zone, in the order left, center, right")
    paid = []
    for bet in bets:
        zone = zone_number(bet.place, seat, table.ring)
        lacking = owed(table, seat, zone)
        if not is_asked_in(table, window, seat, zone):
            raise _no(f"there is no unanswered raise in your {bet.place} zone")
        if bet.raise_by == 0:
            if lacking == 0:
                raise _no(f"nobody has more in your {bet.place} zone than you, nothing to match")
            if chips == 0:
                raise _no(f"no chips are left for your {bet.place} zone")
            cost = min(chips, lacking)
        else:
            _check_raise(table, window, seat, bet, chips)
            cost = lacking + bet.raise_by
        chips -= cost
        paid.append(cost)
    return paid


def _check_raise(table: Table, window: Window, seat: Seat, bet: Bet, chips: int) -> None:
    zone = zone_number(bet.place, seat, table.ring)
    if type(bet.raise_by) is not int or bet.raise_by < 0:
        raise _no("a raise is one chip or more")
    if window.raises[zone] >= MOST_RAISES:
        raise _no(f"your {bet.place} zone has been raised {MOST_RAISES} times in this window")
    if not any(table.seats[other].chips > 0 for other in rivals(table, seat, zone)):
        raise _no(f"nobody else in your {bet.place} zone has chips left to answer a raise")
    cost = owed(table, seat, zone) + bet.raise_by
    if cost > chips:
        raise _no(f"raising your {bet.place} zone by {bet.raise_by} takes {cost}, you have {chips}")


def _no(message: str) -> IllegalMoveError:
    return IllegalMoveError(f"PLX-V5: {message}", rule="PLX-V5")


def after_bets(table: Table, window: Window, seat: Seat, bets: tuple[Bet, ...]) -> Window:
    """Return the window when the seat's bets are in the pots; whoever is asked next comes later."""
    raises = list(window.raises)
    unanswered = [tuple(other for other in zone if other != seat) for zone in window.unanswered]
    for bet in bets:
        if bet.raise_by:
            zone = zone_number(bet.place, seat, table.ring)
            raises[zone] += 1
            unanswered[zone] = tuple(rivals(table, seat, zone))
    acted = tuple(sorted({*window.acted, seat}))
    return Window(seat, acted, tuple(raises), tuple(unanswered))
