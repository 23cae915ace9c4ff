"""Compute the result of a battle zone by zone, from cards only.

`resolve` follows the rule book: doubled cards (`doubled`), each owner's sum in each zone
(`zone_sums`), flanking between zones, the leaders of each zone (`leaders`), and the new owners of
the cards (`taker_of`). `count_cards` explains a sum card by card. This module does not use hands,
reserves, chips or states.
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
"""Printed value of each rank. Face cards have value 0 (PLX-1)."""

VALUE_OF: Final[Mapping[Card, int]] = {card: VALUE[RANK_OF[card]] for card in PACK}
"""Printed value of each card."""

_VALUE_AND_SUIT: Final = {card: (VALUE_OF[card], SUIT_OF[card]) for card in PACK}
_BY_VALUE: Final = {card: (VALUE_OF[card], POSITION[card]) for card in PACK}.__getitem__
_JACKS: Final = frozenset(card for card in PACK if RANK_OF[card] == "J")


class ZoneResult(NamedTuple):
    """The result of one zone."""

    zone: int
    cards: Zone
    """All cards of the zone, in order of arrival."""
    own: Mapping[Seat, int]
    """Sum of the face-up cards of each owner in this zone. Owners without such cards are omitted."""
    received: Mapping[Seat, tuple[tuple[int, int], ...]]
    """Flanking by seat: (zone number, amount) per flanking zone. Seats without it are omitted."""
    totals: Mapping[Seat, int]
    """Sum plus flanking for each seat that shares the zone, by ascending seat."""
    winner: Seat | None
    tied: tuple[Seat, ...]
    """Seats that tie for the lead, ascending. Empty if a seat wins or no owner is active."""
    takers: Mapping[Seat, Seat | None]
    """Maps each owner of cards to the new owner of these cards, or to None if they become spoils."""


# --- values of cards ------------------------------------------------------------------------------


class Counted(NamedTuple):
    """The value of a face-up card in its zone."""

    card: Card
    printed: int
    counted: int
    why: tuple[str, ...] = ()
    """`formed` or `jack` for a doubled card, plus `ace` if an option sets a doubled ace's value."""


def doubled(cards: Iterable[Card]) -> dict[Card, str]:
    """Return the doubled cards among an owner's face-up cards in a zone, with the reason.

    Among the number cards of a suit all except the highest are doubled: `formed`. Each jack doubles
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
        # If two suits have equal values, the sum is the same whichever card the jack doubles.
        for card in sorted(highest.values(), key=_BY_VALUE)[:jacks]:
            why[card] = "jack"
    return why


def doubled_value(card: Card, opposing: Iterable[Card], aces: OptionValue) -> int:
    """Return the value of a doubled card. An option sets the value of aces (PLX-17, PLX-V3).

    Args:
        card: a number card.
        opposing: face-up cards of other seats in the zone, used for `aces=highest`.
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
    """Return the face-up cards of each owner in order. Face-down cards have no effect (PLX-15)."""
    cards: dict[Seat, list[Card]] = {}
    for seat, card, up in zone:
        if up:
            cards.setdefault(seat, []).append(card)
    return cards


def count_zone(zone: Zone, aces: OptionValue) -> dict[Seat, tuple[Counted, ...]]:
    """Return the values of each owner's face-up cards in a zone (PLX-17, PLX-18).

    Owners without face-up cards are omitted.
    """
    cards = face_up(zone)
    return {
        seat: count_cards(
            own,
            [card for other, theirs in cards.items() if other != seat for card in theirs],
            aces,
        )
        for seat, own in cards.items()
    }


def zone_sums(zone: Zone, aces: OptionValue) -> dict[Seat, int]:
    """Return the sum of each owner's face-up cards in a zone, without flanking.

    Owners without face-up cards are omitted.
    """
    return {
        seat: sum([card.counted for card in own]) for seat, own in count_zone(zone, aces).items()
    }


# --- winners of zones -----------------------------------------------------------------------------


def resolve(
    zones: Sequence[Zone],
    ring: Sequence[Seat],
    staying: Sequence[Seat],
    *,
    tie: OptionValue = "back",
    aces: OptionValue = 2,
    is_gambling: bool = False,
) -> tuple[ZoneResult, ...]:
    """Resolve every zone, the center first, then the sides (PLX-17 to PLX-21, PLX-26).

    An owner who has the only face-up cards in a zone flanks from it: their sum is added to the
    owner's sum in the neighbouring zones. Sums received by flanking are not passed on (PLX-19).

    Args:
        zones: the cards of each zone, by zone number.
        ring: seats of the battle in ascending order. Seats that resigned are included because
            their cards still prevent flanking (PLX-26).
        staying: seats of the ring that have not resigned. Only they can win.
        tie: the value of the option (PLX-V1, PLX-V2).
        aces: the value of the option (PLX-V3).
        is_gambling: True if cards always return to their owners (PLX-V5).
    """
    sums = [zone_sums(zone, aces) for zone in zones]
    flanking = [next(iter(own)) if len(own) == 1 else None for own in sums]
    results = []
    for zone, sharers, neighbours in SITES[tuple(ring)]:
        own = sums[zone]
        received: dict[Seat, tuple[tuple[int, int], ...]] = {}
        totals: dict[Seat, int] = {}
        for seat, near in zip(sharers, neighbours):  # noqa: B905  (`strict` would be slow here)
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
    """Return the staying seats with the highest total, in ascending order. The total may be 0."""
    best = max([total for seat, total in totals.items() if seat in staying], default=None)
    return tuple([seat for seat, total in totals.items() if total == best and seat in staying])


def taker_of(
    owner: Seat, winner: Seat | None, tied: tuple[Seat, ...], tie: OptionValue
) -> Seat | None:
    """Return the new owner of a seat's cards in a zone, or None for the spoils (PLX-20, PLX-21).

    In a zone without a winner, tied seats take back their own cards, or swap them (PLX-V2). Cards
    of an owner who is not tied become spoils. With `tie=spoils` all cards do (PLX-V1).
    """
    if winner is not None:
        return winner
    if owner not in tied or tie == "spoils":
        return None
    return tied[tied.index(owner) - 1] if tie == "swap" else owner


def share_pot(stakes: Sequence[int], winner: Seat | None) -> tuple[int, ...]:
    """Return the amount that each seat gets from the pot of a zone (PLX-V5).

    The winner collects from each opponent at most the amount of its own stake. Anything above it is
    returned. Without a winner, every stake is returned.
    """
    if winner is None:
        return tuple(stakes)
    limit = stakes[winner]
    back = [max(0, stake - limit) for stake in stakes]
    back[winner] = sum(min(stake, limit) for stake in stakes)
    return tuple(back)
