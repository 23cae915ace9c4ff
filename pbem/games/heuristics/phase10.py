"""Phase 10 by rule of thumb: draw what brings the phase nearer, discard what helps least."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.api import Seat, Setup
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
from engine.phase10.groups import PHASES, Kind
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
from pbem.games.knowledge import Dice, lead_share

_NUMBERS = range(1, 13)
_DISCARDS = 3
"""Discards besides skips to consider; more of them cause more errors."""
_PHASE_POINTS = 60.0
"""Points that one more phase is worth."""
_POINTS_LEAD = 60.0
"""A lead in points that gives about three chances in four."""


def choose(state: State, seat: Seat) -> Move:
    """Return the cautious move, but for what is drawn and discarded."""
    own = state.seats[seat]
    if not state.has_drawn:
        if can_take(state) and (not can_draw(state) or _is_welcome(state, seat)):
            return TAKE
        return DRAW
    move = standby_move(state, seat)
    if isinstance(move, Lay | Hit):
        return move
    if SKIP in own.hand:
        return Discard(SKIP, _whom_to_skip(state, seat))
    if own.laid:
        return move
    kinds = [card for card in dict.fromkeys(own.hand) if card != WILD]
    return Discard(min(kinds, key=Outlook(own.hand, own.phase).loss)) if kinds else move


def why(state: State, seat: Seat, move: Move) -> str:
    """Return why this is the move of the rule of thumb, as a word that mails explain."""
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


def _whom_to_skip(state: State, seat: Seat) -> Seat | None:
    """Return who is nearest to going out, if a skip names somebody."""
    named = () if goes_out_with_skip(state, seat) else nameable(state, seat)
    if not named:
        return None
    return min(named, key=lambda each: (not state.seats[each].laid, len(state.seats[each].hand)))


def likely(state: State, seat: Seat, moves: Sequence[Move]) -> Sequence[Move]:
    """Return the moves that a good player would consider.

    What helps is drawn, and what fits is laid down and hit, but for the last card: one may float
    with it (P10-18). Discards to consider are skips, and those that hurt the hand least.
    """
    own = state.seats[seat]
    if not state.has_drawn:
        return [choose(state, seat)]
    if isinstance(moves[0], Lay | Hit):
        return moves[:1] if len(own.hand) > 1 else moves
    skips = [move for move in moves if isinstance(move, Discard) and move.card == SKIP]
    others = [move for move in moves if isinstance(move, Discard) and move.card in NUMBER_OF]
    if own.laid:
        others.sort(key=lambda move: -POINTS[move.card])
    elif others:
        outlook = Outlook(own.hand, own.phase)
        others.sort(key=lambda move: outlook.loss(move.card))
    return [*others[:_DISCARDS], *skips] or moves


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal anew the hands of others, the stock, and what resigned seats left (P10-32)."""
    private = [
        () if each == seat else without(own.hand, own.known) for each, own in enumerate(state.seats)
    ]
    hidden = [*state.stock, *state.left_unseen]
    for cards in private:
        hidden += cards
    dice.shuffle(hidden)

    def take(count: int) -> Cards:
        return tuple([hidden.pop() for _ in range(count)])

    seats = [
        own if each == seat else own._replace(hand=sort_cards(own.known + take(len(cards))))
        for each, (own, cards) in enumerate(zip(state.seats, private, strict=True))
    ]
    return state._replace(
        setup=Setup(state.setup.players, dice.seed(), state.setup.options),
        left_unseen=take(len(state.left_unseen)),
        seats=tuple(seats),
        stock=tuple(hidden),
    )


def worth(state: State, *, has_ended: bool) -> Sequence[float]:
    """Return the value of each seat's lead in phases and points; cards in hand count too."""
    standing = [_standing(state, Seat(seat), has_ended) for seat in range(state.setup.players)]
    return [
        lead_share(mine, [*standing[:seat], *standing[seat + 1 :]], _POINTS_LEAD)
        for seat, mine in enumerate(standing)
    ]


def _standing(state: State, seat: Seat, has_ended: bool) -> float:
    own = state.seats[seat]
    if seat in state.resigned:
        return -1e4
    held = 0 if has_ended else sum([POINTS[card] for card in own.hand])
    phases = 0 if state.setup.options["ten_hands"] else own.completed
    return float(_PHASE_POINTS * phases - own.score - held)


class Outlook:
    """How near a hand is to its phase."""

    def __init__(self, hand: Cards, phase: int) -> None:
        """Count the cards."""
        self.phase = phase
        self.wilds = hand.count(WILD)
        self.by_number = [0] * 13
        self.by_colour = dict.fromkeys("RBGY", 0)
        for card in hand:
            if card in NUMBER_OF:
                self._change(card, 1)

    def is_helped_by(self, card: Card) -> bool:
        """True if one card less is missing with this number card."""
        before = self.missing()
        self._change(card, 1)
        after = self.missing()
        self._change(card, -1)
        return after < before

    def loss(self, card: Card) -> tuple[int, int, int]:
        """Return what is lost with a number card, for sorting."""
        self._change(card, -1)
        lost = (self.missing(), -self.helpers(), -POINTS[card])
        self._change(card, 1)
        return lost

    def _change(self, card: Card, by: int) -> None:
        self.by_number[NUMBER_OF[card]] += by
        self.by_colour[COLOUR_OF[card]] += by

    def helpers(self) -> int:
        """Return how many numbers, or colours, bring the hand nearer to its phase."""
        now = self.missing()
        held = self.by_colour if PHASES[self.phase][0].kind is Kind.COLOUR else self.by_number
        kinds = "RBGY" if held is self.by_colour else _NUMBERS
        found = 0
        for kind in kinds:
            held[kind] += 1  # type: ignore[index]
            found += self.missing() < now
            held[kind] -= 1  # type: ignore[index]
        return found

    def missing(self) -> int:
        """Return how many cards of the phase are missing; wilds stand for any of them."""
        parts = PHASES[self.phase]
        last = parts[-1]
        if last.kind is Kind.COLOUR:
            return max(0, last.size - max(self.by_colour.values()) - self.wilds)
        size = sum([part.size for part in parts])
        counts = self.by_number
        if last.kind is Kind.SET:
            held = _in_two_sets(counts, parts[0].size, last.size)
        elif len(parts) == 1:
            held = _in_run(tuple([count > 0 for count in counts]), last.size)
        else:
            held = _in_set_and_run(tuple(counts), parts[0].size, last.size)
        return max(0, size - held - self.wilds)


def _in_two_sets(counts: list[int], first: int, second: int) -> int:
    """Return how many cards fit into two sets, the first of which is not the smaller one."""
    *_, other, most = sorted(counts)
    return min(first, most) + min(second, max(most - first, other))


@cache
def _in_run(held: tuple[bool, ...], size: int) -> int:
    return max(sum(held[low : low + size]) for low in range(1, 14 - size))


def _in_set_and_run(counts: tuple[int, ...], set_size: int, run_size: int) -> int:
    best = 0
    for low in range(1, 14 - run_size):
        run = counts[low : low + run_size]
        in_run = run_size - run.count(0)
        most = max(max(run) - 1, *counts[:low], *counts[low + run_size :])
        best = max(best, in_run + min(set_size, most))
    return best
