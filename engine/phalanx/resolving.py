"""What a battle comes to, zone by zone: pure sums over cards on a table, no state, no facts.

First each owner's own total in each zone (forming, then jacks), then flanking between the zones,
then who takes which card. Nothing here knows hands, reserves or chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.api import OptionValue, Seat
from engine.cards import POSITION, RANK_OF, SUIT_OF, Card
from engine.phalanx.state import Lying, Zone
from engine.phalanx.zones import all_zones, neighbours, sharers

VALUE: Mapping[str, int] = {
    "A": 1, **{str(n): n for n in range(2, 11)}, "J": 0, "Q": 0, "K": 0,
}  # fmt: skip
"""Printed values; those of face cards are 0 (PLX-1)."""

NUMBER_RANKS = frozenset(rank for rank, value in VALUE.items() if value)


def value_of(card: Card) -> int:
    """Return the printed value of a card (PLX-1)."""
    return VALUE[RANK_OF[card]]


@dataclass(frozen=True, slots=True)
class Counted:
    """What a face-up card counts in its zone."""

    card: Card
    printed: int
    counted: int
    why: tuple[str, ...] = ()
    """`formed` or `jack` if it is doubled, and `ace` if an option says what a doubled ace counts."""


@dataclass(frozen=True, slots=True)
class Total:
    """What one owner has in a zone."""

    seat: Seat
    cards: tuple[Counted, ...]
    """Face-up cards, in the order in which they came to lie there."""
    own: int
    is_flanking: bool
    """Alone face up in this zone, so that `own` counts in the neighbouring zones too (PLX-19)."""
    received: tuple[tuple[int, int], ...]
    """(zone number, amount) for every zone that flanks this one."""
    total: int


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a card of a zone."""

    lying: Lying
    taker: Seat | None
    """None: it becomes spoils."""


@dataclass(frozen=True, slots=True)
class ZoneResult:
    """How a zone was decided."""

    zone: int
    totals: tuple[Total, ...]
    """One per seat that shares the zone, ascending."""
    winner: Seat | None
    tied: tuple[Seat, ...]
    """Seats that tie for the lead, ascending; empty with a winner or without an active owner."""
    fates: tuple[Fate, ...]
    """One per card, in the order in which they came to lie there."""


def count_cards(
    cards: Sequence[Card], opposing: Iterable[Card] = (), aces: OptionValue = 2
) -> tuple[Counted, ...]:
    """Count one owner's face-up cards of one zone.

    Args:
        cards: as they lie; all different.
        opposing: face-up cards of the others in the zone, for `aces=highest`.
        aces: the option: what a doubled ace counts.

    Rules: PLX-16, PLX-17, PLX-18, PLX-V3.
    """
    numbers = [card for card in cards if RANK_OF[card] in NUMBER_RANKS]
    highest: dict[str, Card] = {}
    for card in numbers:
        best = highest.get(SUIT_OF[card])
        if best is None or value_of(card) > value_of(best):
            highest[SUIT_OF[card]] = card
    formed = [card for card in numbers if card != highest[SUIT_OF[card]]]
    jacks = sum(RANK_OF[card] == "J" for card in cards)
    # Equal values of two suits: which one the jack doubles changes no sum.
    single = sorted(highest.values(), key=lambda card: (value_of(card), POSITION[card]))
    why = dict.fromkeys(formed, "formed") | dict.fromkeys(single[:jacks], "jack")
    return tuple(_counted(card, why.get(card), opposing, aces) for card in cards)


def _counted(
    card: Card, doubled: str | None, opposing: Iterable[Card], aces: OptionValue
) -> Counted:
    printed = value_of(card)
    if doubled is None:
        return Counted(card, printed, printed)
    if RANK_OF[card] != "A" or aces == 2:  # noqa: PLR2004  (twice its value, the default)
        return Counted(card, printed, 2 * printed, (doubled,))
    if isinstance(aces, int):
        return Counted(card, printed, aces, (doubled, "ace"))
    best = max((value_of(other) for other in opposing), default=0)
    return Counted(card, printed, max(best, 2), (doubled, "ace"))


def totals(
    zones: Sequence[Zone], ring: Sequence[Seat], aces: OptionValue = 2
) -> dict[int, tuple[Total, ...]]:
    """Count every zone of the ring, flanking included (PLX-17, PLX-18, PLX-19).

    Args:
        zones: by zone number.
        ring: seats of the battle, ascending. Those that resigned are counted like the others: their
            cards still stop flanking (PLX-26).
        aces: see `count_cards`.

    Returns:
        Zone number -> one total per seat that shares it, ascending.
    """
    own: dict[tuple[int, Seat], tuple[Counted, ...]] = {}
    for zone in all_zones(ring):
        face_up = [lying for lying in zones[zone] if lying.up]
        for seat in sharers(zone, ring):
            cards = [lying.card for lying in face_up if lying.seat == seat]
            others = [lying.card for lying in face_up if lying.seat != seat]
            own[zone, seat] = count_cards(cards, others, aces)
    sums = {key: sum(card.counted for card in cards) for key, cards in own.items()}
    flanking = {
        (zone, seat): bool(cards)
        and not any(own[zone, other] for other in sharers(zone, ring) if other != seat)
        for (zone, seat), cards in own.items()
    }
    result = {}
    for zone in all_zones(ring):
        here = []
        for seat in sharers(zone, ring):
            received = tuple(
                (near, sums[near, seat])
                for near in neighbours(zone, seat, ring)
                if flanking[near, seat]
            )
            total = sums[zone, seat] + sum(amount for _, amount in received)
            here.append(
                Total(
                    seat,
                    own[zone, seat],
                    sums[zone, seat],
                    flanking[zone, seat],
                    received,
                    total,
                )
            )
        result[zone] = tuple(here)
    return result


def resolve(
    zones: Sequence[Zone],
    ring: Sequence[Seat],
    staying: Sequence[Seat],
    *,
    tie: OptionValue = "back",
    aces: OptionValue = 2,
    is_gambling: bool = False,
) -> tuple[ZoneResult, ...]:
    """Decide every zone: the center first, then the sides (PLX-20, PLX-21, PLX-26).

    Args:
        zones: by zone number.
        ring: seats of the battle, ascending.
        staying: those of them that have not resigned; only they can win.
        tie: the option (PLX-V1, PLX-V2).
        aces: the option (PLX-V3).
        is_gambling: cards go back to their owners whatever happens (PLX-V5).
    """
    results = []
    for zone, here in totals(zones, ring, aces).items():
        competing = [total for total in here if total.seat in staying]
        best = max((total.total for total in competing), default=0)
        leaders = tuple(total.seat for total in competing if total.total == best)
        winner = leaders[0] if len(leaders) == 1 else None
        tied = leaders if winner is None else ()
        fates = tuple(
            Fate(lying, lying.seat if is_gambling else _taker(lying.seat, winner, tied, tie))
            for lying in zones[zone]
        )
        results.append(ZoneResult(zone, here, winner, tied, fates))
    return tuple(results)


def _taker(
    owner: Seat, winner: Seat | None, tied: tuple[Seat, ...], tie: OptionValue
) -> Seat | None:
    """Say who takes an owner's cards of a zone; None: nobody, they become spoils.

    Who is not among the tied (below them, or resigned) loses its cards to the spoils, and so does
    everybody in a zone where no one is left to compete.
    """
    if winner is not None:
        return winner
    if owner not in tied or tie == "spoils":
        return None
    return tied[tied.index(owner) - 1] if tie == "swap" else owner


def share_pot(stakes: Sequence[int], winner: Seat | None) -> tuple[int, ...]:
    """Return what each seat gets out of the pot of a zone, by seat (PLX-V5).

    The winner collects from each opponent at most what it staked itself; what is above goes back.
    Without a winner every stake goes back.
    """
    if winner is None:
        return tuple(stakes)
    limit = stakes[winner]
    back = [max(0, stake - limit) for stake in stakes]
    back[winner] = sum(min(stake, limit) for stake in stakes)
    return tuple(back)
