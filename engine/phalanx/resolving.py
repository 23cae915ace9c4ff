"""The result of a battle, zone by zone: pure sums over cards; no state, no facts.

First each owner's own total in each zone (forming, then jacks), then flanking between the zones,
then who takes which card. Nothing here knows hands, reserves or chips.

There are two ways to the same sums: `decide` adds up bare numbers, which is all that the game needs
to go on; `resolve` tells how each card counted, for those who read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.api import OptionValue, Seat
from engine.cards import PACK, POSITION, RANK_OF, SUIT_OF, SUITS, Card
from engine.phalanx.state import LYING, LYING_DOWN, Lying, Zone
from engine.phalanx.zones import SITES

VALUE: Mapping[str, int] = {
    "A": 1, **{str(n): n for n in range(2, 11)}, "J": 0, "Q": 0, "K": 0,
}  # fmt: skip
"""Printed values; those of face cards are 0 (PLX-1)."""

_VALUE_OF: Final[Mapping[Card, int]] = {card: VALUE[RANK_OF[card]] for card in PACK}
_JACKS: Final = frozenset(card for card in PACK if RANK_OF[card] == "J")

# Face-up cards of one owner as bits: ten per suit, one per value, above them a count of the jacks,
# and one of queens and kings, which are worth nothing but stop flanking.
_SUIT_BITS: Final = 10
_SUIT_MASK: Final = (1 << _SUIT_BITS) - 1
_JACKS_AT: Final = len(SUITS) * _SUIT_BITS
_JACKS_MASK: Final = 7
_OTHERS_AT: Final = _JACKS_AT + 3


def _bits_of(card: Card) -> int:
    if card in _JACKS:
        return 1 << _JACKS_AT
    value = _VALUE_OF[card]
    return 1 << (SUITS.index(SUIT_OF[card]) * _SUIT_BITS + value - 1 if value else _OTHERS_AT)


_OWNER_BITS: Final = _OTHERS_AT + 4
_OWNER_MASK: Final = (1 << _OWNER_BITS) - 1

_BITS: Final[Mapping[Lying, int]] = {
    **{
        lying: _bits_of(card) << seat * _OWNER_BITS
        for seat, by_card in enumerate(LYING)
        for card, lying in by_card.items()
    },
    **{lying: 0 for by_card in LYING_DOWN for lying in by_card.values()},
}
"""The bits of all cards of a zone add up to one number; each owner has its own part of it."""


def _formed(values: int) -> int:
    """Return what cards of one suit come to: all but the highest are doubled (PLX-17)."""
    total = sum([value for value in range(1, _SUIT_BITS + 1) if values >> (value - 1) & 1])
    return 2 * total - values.bit_length()


_FORMED: Final = tuple(map(_formed, range(_SUIT_MASK + 1)))
"""By the ten bits of a suit."""


def value_of(card: Card) -> int:
    """Return the printed value of a card (PLX-1)."""
    return _VALUE_OF[card]


class Counted(NamedTuple):
    """What a face-up card counts in its zone."""

    card: Card
    printed: int
    counted: int
    why: tuple[str, ...] = ()
    """`formed` or `jack` if it is doubled, and `ace` if an option says what a doubled ace counts."""


_PLAIN: Mapping[Card, Counted] = {
    card: Counted(card, value, value) for card, value in _VALUE_OF.items()
}
"""What a card counts if nothing doubles it."""


class Total(NamedTuple):
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


class Verdict(NamedTuple):
    """Who wins a zone."""

    zone: int
    winner: Seat | None
    tied: tuple[Seat, ...]
    """Seats that tie for the lead, ascending; empty with a winner or without an active owner."""


class ZoneResult(NamedTuple):
    """How a zone was decided."""

    zone: int
    totals: tuple[Total, ...]
    """One per seat that shares the zone, ascending."""
    winner: Seat | None
    tied: tuple[Seat, ...]
    """Seats that tie for the lead, ascending; empty with a winner or without an active owner."""
    fates: tuple[tuple[Lying, Seat | None], ...]
    """Per card, in the order in which they came to lie there, who takes it; None: it becomes spoils."""


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
    suits = {SUIT_OF[card] for card in cards}
    if len(suits) == len(cards) and (len(cards) == 1 or _JACKS.isdisjoint(cards)):
        return tuple([_PLAIN[card] for card in cards])
    highest: dict[str, Card] = {}
    for card in cards:
        value = _VALUE_OF[card]
        best = highest.get(SUIT_OF[card])
        if value and (best is None or value > _VALUE_OF[best]):
            highest[SUIT_OF[card]] = card
    why = {card: "formed" for card in cards if _VALUE_OF[card] and card != highest[SUIT_OF[card]]}
    jacks = sum([card in _JACKS for card in cards])
    if jacks:
        # Equal values of two suits: which one the jack doubles changes no sum.
        single = sorted(highest.values(), key=lambda card: (_VALUE_OF[card], POSITION[card]))
        why |= dict.fromkeys(single[:jacks], "jack")
    return tuple(
        [
            _doubled(card, why[card], opposing, aces) if card in why else _PLAIN[card]
            for card in cards
        ]
    )


def _doubled(card: Card, why: str, opposing: Iterable[Card], aces: OptionValue) -> Counted:
    printed = _VALUE_OF[card]
    if RANK_OF[card] != "A" or aces == 2:  # noqa: PLR2004  (twice its value, the default)
        return Counted(card, printed, 2 * printed, (why,))
    if isinstance(aces, int):
        return Counted(card, printed, aces, (why, "ace"))
    best = max((_VALUE_OF[other] for other in opposing), default=0)
    return Counted(card, printed, max(best, 2), (why, "ace"))


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
    sites = SITES[tuple(ring)]
    own: list[dict[Seat, tuple[Counted, ...]]] = [{} for _ in zones]
    sums: list[dict[Seat, int]] = [{} for _ in zones]
    alone: list[Seat | None] = [None for _ in zones]
    for zone, sharers, _ in sites:
        face_up: dict[Seat, list[Card]] = {seat: [] for seat in sharers}
        for seat, card, up in zones[zone]:
            if up:
                face_up[seat].append(card)
        there = [seat for seat in sharers if face_up[seat]]
        if len(there) == 1:
            (alone[zone],) = there
        for seat, cards in face_up.items():
            if not cards:
                own[zone][seat] = ()
                sums[zone][seat] = 0
                continue
            opposing: list[Card] = []
            if aces == "highest":
                opposing = [card for other in there if other != seat for card in face_up[other]]
            counted = own[zone][seat] = count_cards(cards, opposing, aces)
            sums[zone][seat] = sum([card.counted for card in counted])
    result = {}
    for zone, sharers, neighbours in sites:
        here = []
        for seat, near in zip(sharers, neighbours, strict=True):
            total = mine = sums[zone][seat]
            received: tuple[tuple[int, int], ...] = ()
            for other in near:
                if alone[other] == seat:
                    amount = sums[other][seat]
                    received += ((other, amount),)
                    total += amount
            here.append(Total(seat, own[zone][seat], mine, alone[zone] == seat, received, total))
        result[zone] = tuple(here)
    return result


def decide(
    zones: Sequence[Zone], ring: Sequence[Seat], staying: Sequence[Seat], aces: OptionValue = 2
) -> list[Verdict]:
    """Decide each zone, the center first, then the sides; arguments as in `resolve`."""
    sites = SITES[tuple(ring)]
    sums = {zone: zone_sums(zones[zone], sharers, aces) for zone, sharers, _ in sites}
    flanking = [
        (other, seat, amount)
        for zone, sharers, neighbours in sites
        if len(sums[zone]) == 1
        for seat, amount in sums[zone].items()
        for other in neighbours[sharers.index(seat)]
    ]
    for zone, seat, amount in flanking:
        sums[zone][seat] = sums[zone].get(seat, 0) + amount
    return [_verdict(zone, sharers, sums[zone], staying) for zone, sharers, _ in sites]


def zone_sums(zone: Zone, sharers: Sequence[Seat], aces: OptionValue) -> dict[Seat, int]:
    """Return the sum of each owner of face-up cards in a zone, as in `count_cards`."""
    sums = {}
    if aces == 2:  # noqa: PLR2004  (twice its value, the default)
        bits = sum(map(_BITS.__getitem__, zone))
        for seat in sharers:
            own = bits >> seat * _OWNER_BITS & _OWNER_MASK
            if own:
                sums[seat] = _sum_of(own)
        return sums
    face_up: dict[Seat, list[Card]] = {}
    for seat, card, up in zone:
        if up:
            face_up.setdefault(seat, []).append(card)
    for seat, cards in face_up.items():
        opposing = [card for other in face_up if other != seat for card in face_up[other]]
        sums[seat] = sum([card.counted for card in count_cards(cards, opposing, aces)])
    return sums


def _sum_of(bits: int) -> int:
    """Return what the cards in `bits` come to, by a table instead of card by card."""
    clubs, diamonds = bits & _SUIT_MASK, bits >> _SUIT_BITS & _SUIT_MASK
    hearts, spades = bits >> 2 * _SUIT_BITS & _SUIT_MASK, bits >> 3 * _SUIT_BITS & _SUIT_MASK
    total = _FORMED[clubs] + _FORMED[diamonds] + _FORMED[hearts] + _FORMED[spades]
    jacks = bits >> _JACKS_AT & _JACKS_MASK
    if jacks:
        # The highest of each suit are not doubled yet: of those the jacks take the lowest (PLX-18).
        suits = (clubs, diamonds, hearts, spades)
        total += sum(sorted([values.bit_length() for values in suits if values])[:jacks])
    return total


def _verdict(
    zone: int, sharers: Sequence[Seat], sums: Mapping[Seat, int], staying: Sequence[Seat]
) -> Verdict:
    """Say who wins a zone: the highest sum of those that stay, which may be 0."""
    best = -1
    leaders: tuple[Seat, ...] = ()
    for seat in sharers:
        if seat in staying:
            total = sums.get(seat, 0)
            if total > best:
                best = total
                leaders = (seat,)
            elif total == best:
                leaders = (*leaders, seat)
    return Verdict(zone, leaders[0], ()) if len(leaders) == 1 else Verdict(zone, None, leaders)


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
        sums = {total.seat: total.total for total in here}
        _, winner, tied = _verdict(zone, tuple(sums), sums, staying)
        fates: tuple[tuple[Lying, Seat | None], ...]
        if is_gambling:
            fates = tuple([(lying, lying.seat) for lying in zones[zone]])
        elif winner is not None:
            fates = tuple([(lying, winner) for lying in zones[zone]])
        else:
            takers = {total.seat: taker_of(total.seat, tied, tie) for total in here}
            fates = tuple([(lying, takers[lying.seat]) for lying in zones[zone]])
        results.append(ZoneResult(zone, here, winner, tied, fates))
    return tuple(results)


def taker_of(owner: Seat, tied: tuple[Seat, ...], tie: OptionValue) -> Seat | None:
    """Return the taker of an owner's cards in an undecided zone; None for spoils.

    Who is not among the tied (below them, or resigned) loses its cards to the spoils, and so does
    everyone in a zone with no one left to compete.
    """
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
