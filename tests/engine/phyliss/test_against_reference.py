"""Compare Phyliss move by move with a second implementation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Setup
from engine.cards import PACK
from engine.shuffle import shuffle
from tests.engine.chance import chance
from tests.engine.phyliss.reference import Table
from tests.engine.phyliss.tables import RULES, orders_of


def same(state, table):
    """Check that both tables have the same cards everywhere."""
    assert list(state.pile) == table.pile
    assert list(state.stock) == table.stock
    assert sorted(
        state.course.removed + state.course.left_seen + state.course.left_unseen
    ) == sorted(table.gone)
    for seat, own in enumerate(state.seats):
        assert sorted(own.hand) == sorted(table.hand[seat])
        assert sorted(own.up) == sorted(table.up[seat])
        assert dict(zip(own.blind_numbers, own.blind, strict=True)) == table.blind[seat]
    assert (state.to_act is None) == table.over
    if not table.over:
        assert state.to_act == table.turn
        assert set(orders_of(state)) == table.moves()


@pytest.mark.rule(
    "GEN-1",
    "PHY-4",
    "PHY-8",
    "PHY-9",
    "PHY-11",
    "PHY-12",
    "PHY-14",
    "PHY-15",
    "PHY-19",
    "PHY-20",
    "PHY-23",
)
@given(st.integers(2, 5), st.binary(min_size=32, max_size=32), st.integers(0, 2**64))
def test_a_plain_second_implementation_agrees(players, seed, luck):
    """Same deal, same legal moves, same consequences, same ranking."""
    luck = chance(luck)
    dealer = luck.randrange(players)
    options = RULES.check_options(players, {"dealer": dealer, "max_plies": 0})
    state = RULES.start(Setup(players, seed, options)).state
    table = Table(shuffle(PACK, seed, 0), players, dealer)
    same(state, table)
    while not table.over:
        if luck.random() < 0.003:
            seat = luck.choice([s for s in range(players) if s not in state.resigned])
            state = RULES.resign(state, seat).state
            table.resign(seat)
        else:
            move = luck.choice(orders_of(state))
            parsed = RULES.parse_order(state, state.to_act, move)
            state = RULES.apply(state, state.to_act, parsed).state
            table.play(move)
        same(state, table)
    ranking = [seat for place in RULES.outcome(state).ranking for seat in place]
    assert ranking == table.ranking()
