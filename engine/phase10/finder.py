"""Search a hand for a lay-down (P10-30) and for the best start of a phase (P10-29).

A *layout* assigns a number, the low end of a run, or a colour to each group of the phase. Groups
have their minimum size, because any longer group contains a minimum group that needs no more wilds.
Wilds replace missing number cards. The best layout uses the most number cards, i.e. the fewest
wilds. Ties are resolved by documented order, card by card, with wilds last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.phase10.cards import (
    COLOUR_OF,
    COLOURS,
    KINDS,
    NUMBER_OF,
    NUMBERS,
    POSITION,
    SKIP,
    WILD,
    Card,
    Cards,
    sort_cards,
)
from engine.phase10.groups import PHASES, Group, Kind, Part, with_numbers

_COUNTED_AT: Mapping[Card, int] = {card: NUMBER_OF.get(card, 0) for card in KINDS}
"""Index of each card in a list of counts by number. Wilds and skips use index 0."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A choice of cards for each group of a phase, at minimum size."""

    parts: tuple[Part, ...]
    rows: tuple[Cards, ...]
    """Cards of each group. `W` replaces missing number cards."""

    @property
    def key(self) -> tuple[int, ...]:
        """Sort key: fewest wilds first, then documented order."""
        cards = [card for row in self.rows for card in row]
        return (cards.count(WILD), *(POSITION[card] for card in cards))


def find_lay(hand: Cards, phase: int, *, by_phase: bool = False) -> tuple[Group, ...] | None:
    """Return the lay-down with the fewest wilds, then the fewest cards, or None.

    With `by_phase` one number card in the whole phase is enough. Even then a group that consists
    only of wilds is used only if there is no other lay-down, because it never saves a wild.

    Rules: P10-12, P10-30, P10-V4.
    """
    parts = PHASES[phase]
    size = sum([group.size for group in parts])
    fewest = size - hand.count(WILD)
    if len(hand) - hand.count(SKIP) < size or _most_used(hand, parts) < fewest:
        return None
    best = _best(_layouts(hand, parts, fewest), all)
    if best is None and by_phase:
        best = _best(_layouts(hand, parts, fewest), any)
    if best is None:
        return None
    pairs = zip(best.parts, best.rows, strict=True)
    groups = tuple(Group(group.kind, row) for group, row in pairs)
    return with_numbers(groups) if by_phase else groups


def _most_used(hand: Cards, parts: tuple[Part, ...]) -> int:
    """Return a quickly computed upper bound for the number cards that a layout can use.

    It avoids the full search for most hands, which have too few suitable cards.
    """
    if parts[0].kind is Kind.COLOUR:
        colours = [card[0] for card in hand]
        return max([colours.count(colour) for colour in COLOURS])
    counts = [0] * (NUMBERS[-1] + 1)
    for card in hand:
        counts[_COUNTED_AT[card]] += 1
    counts[0] = 0
    if parts[-1].kind is Kind.SET:
        return sum(sorted(counts)[-2:])
    held = [count > 0 for count in counts]
    size = parts[-1].size
    in_run = max([sum(held[low : low + size]) for low in _lows(size)])
    return in_run if len(parts) == 1 else in_run + max(counts)


def best_beginning(hand: Cards, phase: int) -> Cards:
    """Return the number cards of the hand that come closest to the phase (P10-29)."""
    best = _best(_layouts(hand, PHASES[phase], least=0))
    rows = () if best is None else best.rows
    return tuple(card for row in rows for card in row if card != WILD)


def _best(
    layouts: Iterator[Layout], needing: Callable[[Iterable[bool]], bool] | None = None
) -> Layout | None:
    """Return the best valid layout, or None.

    Args:
        layouts: the candidates.
        needing: `all` or `any`, depending on how many groups need a number card (P10-10, P10-V4),
            or None if no group does.
    """
    return min(
        (
            layout
            for layout in layouts
            if needing is None or needing(row.count(WILD) < len(row) for row in layout.rows)
        ),
        key=lambda layout: layout.key,
        default=None,
    )


_ByNumber = Mapping[int, Sequence[Card]]
"""Number cards of a hand by number. Each list is in documented order."""


def _layouts(hand: Cards, parts: tuple[Part, ...], least: int) -> Iterator[Layout]:
    """Yield the layouts of a hand that use at least `least` number cards."""
    naturals = [card for card in sort_cards(hand) if card in NUMBER_OF]
    held: dict[int, list[Card]] = {}
    for card in naturals:
        held.setdefault(NUMBER_OF[card], []).append(card)
    rows: Iterator[tuple[Cards, ...]]
    match [group.kind for group in parts]:
        case [Kind.COLOUR]:
            rows = ((row,) for row in _colour_rows(naturals, parts[0].size, least))
        case [Kind.RUN]:
            rows = ((row,) for row in _run_rows(held, parts[0].size, least))
        case [Kind.SET, Kind.SET]:
            rows = _two_sets(held, parts[0].size, parts[1].size, least)
        case [Kind.SET, Kind.RUN]:
            rows = _set_and_run(held, parts[0].size, parts[1].size, least)
        case _:
            raise AssertionError(f"no layouts for {parts}")
    return (Layout(parts, each) for each in rows)


def _filled(cards: Sequence[Card], size: int) -> Cards:
    return (*cards[:size], *(WILD,) * (size - len(cards)))


def _colour_rows(naturals: Sequence[Card], size: int, least: int) -> Iterator[Cards]:
    for colour in COLOURS:
        cards = [card for card in naturals if COLOUR_OF[card] == colour]
        if cards and min(len(cards), size) >= least:
            yield _filled(cards, size)


def _lows(size: int) -> range:
    """Return the numbers at which a run of this size can start."""
    return range(NUMBERS[0], NUMBERS[-1] - size + 2)


def _run_rows(held: _ByNumber, size: int, naturals: int) -> Iterator[Cards]:
    for low in _lows(size):
        numbers = range(low, low + size)
        if sum(number in held for number in numbers) >= naturals:
            yield _run_row(held, numbers)


def _run_row(held: _ByNumber, numbers: range, skipping: int | None = None, at: int = 0) -> Cards:
    """Return a run that uses the first card of each number.

    For the number `skipping`, the card at index `at` is used instead.
    """
    row: list[Card] = []
    for number in numbers:
        cards = held.get(number, [])[at if number == skipping else 0 :]
        row.append(cards[0] if cards else WILD)
    return tuple(row)


def _two_sets(held: _ByNumber, size: int, two: int, naturals: int) -> Iterator[tuple[Cards, ...]]:
    for a, cards in held.items():
        for b, others in held.items():
            if a != b:
                if min(len(cards), size) + min(len(others), two) >= naturals:
                    yield _filled(cards, size), _filled(others, two)
            elif min(len(cards), size + two) >= naturals:
                # If there are two number cards, the second set must get one of them (P10-10).
                split = min(size, max(len(cards) - 1, 1))
                yield _filled(cards[:split], size), _filled(cards[split:], two)


def _set_and_run(
    held: _ByNumber, set_size: int, run_size: int, naturals: int
) -> Iterator[tuple[Cards, ...]]:
    for low in _lows(run_size):
        numbers = range(low, low + run_size)
        in_run = sum(number in held for number in numbers)
        for number, cards in held.items():
            if number not in numbers:
                if in_run + min(len(cards), set_size) >= naturals:
                    yield _filled(cards, set_size), _run_row(held, numbers)
                continue
            # Set and run need the same number. The run gets a spare card of the set, or one of its
            # cards.
            if in_run - 1 + min(len(cards), set_size + 1) >= naturals:
                yield _filled(cards, set_size), _run_row(held, numbers, number, set_size)
                if 1 < len(cards) <= set_size:
                    split = len(cards) - 1
                    yield _filled(cards[:split], set_size), _run_row(held, numbers, number, split)
