"""Choose moves for random games of Phase 10, so that the games make progress."""

from engine.phase10.cards import NUMBER_OF, NUMBERS, WILD
from engine.phase10.groups import PHASES, Kind
from engine.phase10.moves import Discard, Hit, Lay
from tests.engine.phase10.tables import rules_of


def choose(state, seat, moves, luck):
    """Usually lay down, hit and discard useless cards, and sometimes make a random move."""
    hollow = lays_with_wilds_alone(state, seat) if isinstance(moves[-1], Discard) else []
    if hollow and luck.random() < 0.9:
        return luck.choice(hollow)
    forward = [move for move in moves if isinstance(move, Lay | Hit)]
    if forward and luck.random() < 0.9:
        return luck.choice(forward)
    if isinstance(moves[0], Discard) and luck.random() < 0.85:
        return rules_of(state).standby_move(state, seat)
    return luck.choice(moves)


def lays_with_wilds_alone(state, seat):
    """Return smallest lay-downs with a group of only wilds, if the game allows them (P10-V4)."""
    own, by_phase = state.seats[seat], state.setup.options.get("naturals") == "phase"
    parts = PHASES[own.phase]
    if own.laid or not by_phase or len(parts) == 1:
        return []
    lays = []
    for hollow, part in enumerate(parts):
        other = parts[1 - hollow]
        wilds = (WILD,) * part.size
        for row in beside(own.hand, other):
            if wilds.count(WILD) + row.count(WILD) <= own.hand.count(WILD):
                last = NUMBERS[-1] - (part.size - 1) * (part.kind is Kind.RUN)
                for number in (1, last):
                    pair = [(wilds, number), (row, None)]
                    groups, numbers = zip(*(pair[::-1] if hollow else pair), strict=True)
                    lays.append(Lay(groups, numbers))
    return lays


def beside(hand, part):
    """Yield the smallest groups for a part of a phase, each with a number card, filled with wilds."""
    held = {}
    for card in hand:
        if card in NUMBER_OF:
            held.setdefault(NUMBER_OF[card], []).append(card)
    if part.kind is Kind.SET:
        for cards in held.values():
            row = cards[: part.size]
            yield (*row, *(WILD,) * (part.size - len(row)))
        return
    for low in range(1, NUMBERS[-1] - part.size + 2):
        row = tuple(held.get(number, [WILD])[0] for number in range(low, low + part.size))
        if set(row) != {WILD}:
            yield row
