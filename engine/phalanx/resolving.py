"""The result of a battle, zone by zone: pure sums over cards, without state or facts.

`resolve` follows the rule book: doubled cards (`doubled`), each owner's sum in each zone
(`zone_sums`), flanking between the zones, the leaders of each zone (`leaders`), and the takers of
the cards (`taker_of`). `count_cards` explains a sum card by card. Hands, reserves and chips are not
known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.api import OptionValue, Seat
from engine.cards import PACK, POSITION, RANK_OF, SUIT_OF, Card
from engine.phalanx.state import SITES, Zone

VALUE: Mapping[str, int] = {
    "A": 1, **{str(n): n for n in range(2, 11)}, "J": 0, "Q": 0, "K": 0,
}  # fmt: skip
"""Printed values. Those of face cards are 0 (PLX-1)."""

VALUE_OF: Final[Mapping[Card, int]] = {card: VALUE[RANK_OF[card]] for card in PACK}
"""The same, by card."""

_VALUE_AND_SUIT: Final = {card: (VALUE_OF[card], SUIT_OF[card]) for card in PACK}
_BY_VALUE: Final = {card: (VALUE_OF[card], POSITION[card]) for card in PACK}.__getitem__
_JACKS: Final = frozenset(card for card in PACK if RANK_OF[card] == "J")


class ZoneResult(NamedTuple):
    """The result of a zone."""

    zone: int
    cards: Zone
    """In order of arrival."""
    own: Mapping[Seat, int]
    """Sum of each owner's face-up cards here. Owners without any are omitted."""
    received: Mapping[Seat, tuple[tuple[int, int], ...]]
    """By seat: (zone number, amount) for each zone that flanks this one. Omitted if there is none.
    """
    totals: Mapping[Seat, int]
    """By seat that shares the zone, ascending."""
    winner: Seat | None
    tied: tuple[Seat, ...]
    """Seats that tie for the lead, ascending. Empty if a seat wins or no owner is active."""
    takers: Mapping[Seat, Seat | None]
    """New owner of each owner's cards. None: they become spoils."""


# --- what cards count -----------------------------------------------------------------------------


class Counted(NamedTuple):
    """Value of a face-up card in its zone."""

    card: Card
    printed: int
    counted: int
    why: tuple[str, ...] = ()
    """`formed` or `jack` if it is doubled, and `ace` if an option determines a doubled ace's value."""


def doubled(cards: Iterable[Card]) -> dict[Card, str]:
    """Return the doubled ones of an owner's face-up cards in a zone, with the reason.

    Of the number cards of a suit all except the highest are doubled: `formed`. Each jack doubles
    the lowest card that is not doubled yet: `jack`.

    Rules: PLX-16, PLX-17, PLX-18.
    """
    why: dict[Card, str] = {}
    highest: dict[str, Card] = {}
    jacks = 0
    for card in cards:
        value, suit = _VALUE_AND_SUIT[card]
        if not value:
            jacks += card in _JACKS
        elif suit not in highest:
            highest[suit] = card
        elif value < VALUE_OF[highest[suit]]:
            why[card] = "formed"
        else:
            why[highest[suit]] = "formed"
            highest[suit] = card
    if jacks:
        # With equal values of two suits the sum does not depend on the card that the jack doubles.
        for card in sorted(highest.values(), key=_BY_VALUE)[:jacks]:
            why[card] = "jack"
    return why


def doubled_value(card: Card, opposing: Iterable[Card], aces: OptionValue) -> int:
    """Return the value of a doubled card. For an ace it is an option (PLX-17, PLX-V3).

    Args:
        card: a number card.
        opposing: face-up cards of other seats in the zone, for `aces=highest`.
        aces: the option for the value of a doubled ace.
    """
    if RANK_OF[card] != "A":
        return 2 * VALUE_OF[card]
    return aces if isinstance(aces, int) else max([2, *[VALUE_OF[other] for other in opposing]])


def count_cards(
    cards: Sequence[Card], opposing: Sequence[Card] = (), aces: OptionValue = 2
) -> tuple[Counted, ...]:
    """Return the value of each of an owner's face-up cards in a zone."""
    why = doubled(cards)
    counted = []
    for card in cards:
        printed = value = VALUE_OF[card]
        reasons: tuple[str, ...] = ()
        if card in why:
            value = doubled_value(card, opposing, aces)
            is_special = RANK_OF[card] == "A" and aces != 2  # noqa: PLR2004  (the default)
            reasons = (why[card], "ace") if is_special else (why[card],)
        counted.append(Counted(card, printed, value, reasons))
    return tuple(counted)


def face_up(zone: Zone) -> dict[Seat, list[Card]]:
    """Return the face-up cards by owner, in order. Face-down cards have no effect (PLX-15)."""
    cards: dict[Seat, list[Card]] = {}
    for seat, card, up in zone:
        if up:
            cards.setdefault(seat, []).append(card)
    return cards


def opposing_cards(cards: Mapping[Seat, Sequence[Card]], seat: Seat) -> list[Card]:
    """Return the cards of all owners except one."""
    return [card for other, theirs in cards.items() if other != seat for card in theirs]


def zone_sums(zone: Zone, aces: OptionValue) -> dict[Seat, int]:
    """Return the sum of each owner's face-up cards in a zone, without flanking.

    Owners without any are omitted. The sums are those of `count_cards`.
    """
    cards = face_up(zone)
    sums = {}
    for seat, own in cards.items():
        total = sum(map(VALUE_OF.__getitem__, own))
        for card in doubled(own):
            opposing = opposing_cards(cards, seat) if aces == "highest" else ()
            total += doubled_value(card, opposing, aces) - VALUE_OF[card]
        sums[seat] = total
    return sums


# --- who wins a zone, and what ----------------------------------------------------------------------


def resolve(
    zones: Sequence[Zone],
    ring: Sequence[Seat],
    staying: Sequence[Seat],
    *,
    tie: OptionValue = "back",
    aces: OptionValue = 2,
    is_gambling: bool = False,
) -> tuple[ZoneResult, ...]:
    """Decide every zone: the center first, then the sides (PLX-17 to PLX-21, PLX-26).

    An owner whose cards are the only ones face up in a zone flanks from there: their sum is added
    to the owner's sum in the neighbouring zones, and is not passed on further (PLX-19).

    Args:
        zones: by zone number.
        ring: seats of the battle, ascending, including those that resigned: their cards still
            prevent flanking (PLX-26).
        staying: seats of the ring that have not resigned. Only they can win.
        tie: the option (PLX-V1, PLX-V2).
        aces: the option (PLX-V3).
        is_gambling: True if cards always return to their owners (PLX-V5).
    """
    sums = [zone_sums(zone, aces) for zone in zones]
    flanking = [next(iter(own)) if len(own) == 1 else None for own in sums]
    results = []
    for zone, sharers, neighbours in SITES[tuple(ring)]:
        own = sums[zone]
        received: dict[Seat, tuple[tuple[int, int], ...]] = {}
        totals: dict[Seat, int] = {}
        for seat, near in zip(sharers, neighbours):  # noqa: B905  (dear here)
            totals[seat] = own.get(seat, 0)
            for other in near:
                if flanking[other] == seat:
                    amount = sums[other][seat]
                    received[seat] = (*received.get(seat, ()), (other, amount))
                    totals[seat] += amount
        first = leaders(totals, staying)
        winner, tied = (first[0], ()) if len(first) == 1 else (None, first)
        takers: dict[Seat, Seat | None] = {}
        for seat in sharers:
            takers[seat] = seat if is_gambling else taker_of(seat, winner, tied, tie)
        results.append(ZoneResult(zone, zones[zone], own, received, totals, winner, tied, takers))
    return tuple(results)


def leaders(totals: Mapping[Seat, int], staying: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the staying seats with the highest total, which may be 0, ascending."""
    best = max([total for seat, total in totals.items() if seat in staying], default=None)
    return tuple([seat for seat, total in totals.items() if total == best and seat in staying])


def taker_of(
    owner: Seat, winner: Seat | None, tied: tuple[Seat, ...], tie: OptionValue
) -> Seat | None:
    """Return the taker of an owner's cards in a zone, or None for the spoils (PLX-20, PLX-21).

    In a zone without a winner the tied seats take their own cards back, or swap them (PLX-V2).
    Cards of an owner who is not tied (a lower total, or resigned) become spoils. With the option
    `spoils` all do (PLX-V1).
    """
    if winner is not None:
        return winner
    if owner not in tied or tie == "spoils":
        return None
    return tied[tied.index(owner) - 1] if tie == "swap" else owner


def share_pot(stakes: Sequence[int], winner: Seat | None) -> tuple[int, ...]:
    """Return each seat's payment from the pot of a zone, by seat (PLX-V5).

    The winner collects from each opponent at most its own stake. The excess is returned. Without a
    winner every stake is returned.
    """
    if winner is None:
        return tuple(stakes)
    limit = stakes[winner]
    back = [max(0, stake - limit) for stake in stakes]
    back[winner] = sum(min(stake, limit) for stake in stakes)
    return tuple(back)
