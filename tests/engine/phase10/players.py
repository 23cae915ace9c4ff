"""Players for random games: they move the game on, and not always sensibly."""

from engine.phase10.moves import Discard, Hit, Lay
from tests.engine.phase10.tables import rules_of


def choose(state, seat, moves, luck):
    """Mostly lay down and hit, mostly discard what does not help; now and then anything."""
    forward = [move for move in moves if isinstance(move, Lay | Hit)]
    if forward and luck.random() < 0.9:
        return luck.choice(forward)
    if isinstance(moves[0], Discard) and luck.random() < 0.85:
        return rules_of(state).standby_move(state, seat)
    return luck.choice(moves)
