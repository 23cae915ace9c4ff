"""Heuristics of Phase 10: draw cards that complete the phase, discard the least useful cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain, takewhile

from engine.api import Seat
from engine.phase10.cards import (
    COLOUR_OF,
    NUMBER_OF,
    POINTS,
    SKIP,
    WILD,
    Card,
    Cards,
    sort_cards,
    without,
)
from engine.phase10.groups import PHASES, End, Kind, run_ends
from engine.phase10.moves import (
    DRAW,
    TAKE,
    Discard,
    Draw,
    Hit,
    Lay,
    Move,
    Take,
    can_draw,
    can_take,
    goes_out_with_skip,
    hits,
    nameable,
    standby_move,
)
from engine.phase10.state import State
from pbem.games.knowledge import Dice
from pbem.games.worlds import HiddenCards, other_setup

_NUMBERS = range(1, 13)
_REACHED = 4.0
"""Points of a card if one other card would make a run reach it."""


def choose(state: State, seat: Seat) -> Move:
    """Return the standby move, but with better draws, discards and positions of wilds."""
    own = state.seats[seat]
    if not state.has_drawn:
        if can_take(state) and (not can_draw(state) or _is_welcome(state, seat)):
            return TAKE
        return DRAW
    move = standby_move(state, seat)
    if isinstance(move, Hit) and move.card == WILD:
        return max(hits(state, WILD), key=lambda hit: _opens(state, own.hand, hit))
    if isinstance(move, Lay | Hit):
        return move
    if SKIP in own.hand:
        return Discard(SKIP, _whom_to_skip(state, seat))
    kinds = [card for card in dict.fromkeys(own.hand) if card != WILD]
    return Discard(min(kinds, key=_loss(state, seat))) if kinds else move


def why(state: State, seat: Seat, move: Move) -> str:
    """Return a code for the heuristic's reason to make this move."""
    if isinstance(move, Take):
        return "fits" if state.seats[seat].laid else "helps"
    if isinstance(move, Discard):
        return "skip" if move.card == SKIP else "spare"
    return {Draw: "draw", Lay: "lay", Hit: "hit"}[type(move)]


def _is_welcome(state: State, seat: Seat) -> bool:
    """True if the top discard is worth more than a card from the stock."""
    card, own = state.pile[-1], state.seats[seat]
    if card == WILD:
        return True
    if own.laid:
        return next(hits(state, card), None) is not None
    return Outlook(own.hand, own.phase).is_helped_by(card)


def _opens(state: State, hand: Cards, hit: Hit) -> float:
    """Return how many cards of the hand fit a run after this wild is added. Sets come first."""
    group = state.groups[hit.owner][hit.number]
    if group.kind is not Kind.RUN:
        return 0.5
    low, high = run_ends(group.cards, group.number)
    numbers = range(low - 2, 0, -1) if hit.end is End.LOW else range(high + 2, 13)
    held = _numbers(hand)
    return next((index for index, number in enumerate(numbers) if number not in held), len(numbers))


def _loss(state: State, seat: Seat) -> Callable[[Card], tuple[float, ...]]:
    """Return a sort key for discarding number cards: the loss caused by each of them.

    If the phase is laid down, cards that a run may soon reach have some value. Before that, cards
    that fit the table or the planned phase are kept in preference to cheap cards, because they will
    be played soon.
    """
    own = state.seats[seat]
    if own.laid:
        runs = [
            run_ends(group.cards, group.number)
            for its in state.groups
            for group in its
            if group.kind is Kind.RUN
        ]
        held = _numbers(own.hand)
        return lambda card: (_REACHED * _reach(runs, held, NUMBER_OF[card]) - POINTS[card],)
    outlook = Outlook(own.hand, own.phase)
    planned = outlook.planned()

    def lost(card: Card) -> tuple[float, ...]:
        fits = NUMBER_OF[card] in planned or next(hits(state, card), None) is not None
        return (*outlook.without(card), fits, -POINTS[card])

    return lost


def _reach(runs: Sequence[tuple[int, int]], held: Collection[int], number: int) -> float:
    """Return how likely a run reaches a number: 1 if one card is missing, 1/2 if two are missing."""
    between = [
        range(number + 1, low) if number < low else range(high + 1, number) for low, high in runs
    ]
    missing = [sum(each not in held for each in numbers) for numbers in between]
    return max((1 / count for count in missing if count), default=0.0)


def _numbers(hand: Cards) -> Collection[int]:
    return {NUMBER_OF[card] for card in hand if card in NUMBER_OF}


def _whom_to_skip(state: State, seat: Seat) -> Seat | None:
    """Return the seat that is closest to going out, or None if a skip need not name a seat."""
    named = () if goes_out_with_skip(state, seat) else nameable(state, seat)
    if not named:
        return None
    return min(named, key=lambda each: (not state.seats[each].laid, len(state.seats[each].hand)))


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal the hands of others, the stock and unseen cards of resigned seats again (P10-32)."""
    private = [
        () if each == seat else without(own.hand, own.known) for each, own in enumerate(state.seats)
    ]
    pool = [*state.stock, *state.left_unseen, *chain.from_iterable(private)]
    hidden = HiddenCards(pool, dice, sort_cards, from_end=True)
    seats = [
        own if each == seat else own._replace(hand=sort_cards(own.known + hidden.take(len(cards))))
        for each, (own, cards) in enumerate(zip(state.seats, private, strict=True))
    ]
    return state._replace(
        setup=other_setup(state, dice),
        left_unseen=hidden.take(len(state.left_unseen)),
        seats=tuple(seats),
        stock=hidden.rest(),
    )


class Outlook:
    """Distance of a hand from its phase."""

    def __init__(self, hand: Cards, phase: int) -> None:
        """Count the cards by number and colour."""
        self.phase = phase
        self.wilds = hand.count(WILD)
        self.by_number = [0] * 13
        self.by_colour = dict.fromkeys("RBGY", 0)
        for card in hand:
            if card in NUMBER_OF:
                self._change(card, 1)

    def is_helped_by(self, card: Card) -> bool:
        """True if this number card reduces the number of missing cards."""
        before = self.missing()
        self._change(card, 1)
        after = self.missing()
        self._change(card, -1)
        return after < before

    def without(self, card: Card) -> tuple[int, int]:
        """Return (missing cards, negative number of helpers) after removing a number card."""
        self._change(card, -1)
        left = self.missing(), -self.helpers()
        self._change(card, 1)
        return left

    def planned(self) -> Collection[int]:
        """Return the numbers that will fit the planned lay-down, as far as they are known."""
        *sets, last = PHASES[self.phase]
        counts = self.by_number
        if last.kind is Kind.COLOUR:
            return ()
        if last.kind is Kind.SET:
            most = sorted(_NUMBERS, key=counts.__getitem__)[-2:]
            return [number for number in most if counts[number] > 1]
        _, low, number = _set_and_run(counts, sets[0].size if sets else 0, last.size)
        above = takewhile(counts.__getitem__, range(low + last.size, 13))
        below = takewhile(counts.__getitem__, range(low - 1, 0, -1))
        return [*above, *below, *([number] if sets else [])]

    def _change(self, card: Card, by: int) -> None:
        self.by_number[NUMBER_OF[card]] += by
        self.by_colour[COLOUR_OF[card]] += by

    def helpers(self) -> int:
        """Return how many numbers or colours bring the hand closer to its phase."""
        now = self.missing()
        held = self.by_colour if PHASES[self.phase][0].kind is Kind.COLOUR else self.by_number
        kinds = "RBGY" if held is self.by_colour else _NUMBERS
        count = 0
        for kind in kinds:
            held[kind] += 1  # type: ignore[index]
            count += self.missing() < now
            held[kind] -= 1  # type: ignore[index]
        return count

    def missing(self) -> int:
        """Return the number of cards that the phase still needs. Wilds replace any card."""
        parts = PHASES[self.phase]
        last = parts[-1]
        if last.kind is Kind.COLOUR:
            return max(0, last.size - max(self.by_colour.values()) - self.wilds)
        size = sum([group.size for group in parts])
        counts = self.by_number
        if last.kind is Kind.SET:
            held = _in_two_sets(counts, parts[0].size, last.size)
        else:
            held, _, _ = _set_and_run(counts, size - last.size, last.size)
        return max(0, size - held - self.wilds)


def _in_two_sets(counts: list[int], first: int, second: int) -> int:
    """Return the number of cards that can be used in two sets, the larger set first."""
    *_, other, most = sorted(counts)
    return min(first, most) + min(second, max(most - first, other))


def _set_and_run(counts: list[int], set_size: int, run_size: int) -> tuple[int, int, int]:
    """Return the cards usable in a run and a set, the run's first number, and the set's number."""
    best = (-1, 0, 0)
    for low in range(1, 14 - run_size):
        left = counts.copy()
        for start in range(low, low + run_size):
            left[start] -= left[start] > 0
        most = max(left)
        held = sum(counts) - sum(left) + min(set_size, most)
        if held > best[0]:
            best = (held, low, left.index(most))
    return best
