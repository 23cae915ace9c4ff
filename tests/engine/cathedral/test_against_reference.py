"""Compare Cathedral move by move with a second implementation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Setup
from engine.cards import PACK
from engine.shuffle import shuffle
from tests.engine.cathedral.reference import Table
from tests.engine.cathedral.tables import RULES, orders_of
from tests.engine.chance import chance
from tests.engine.playing import standby_of


def same(state, table):
    """Check that both tables have the same cards everywhere."""
    assert list(state.pile) == table.pile
    assert list(state.stock) == table.stock
    assert sorted(
        state.course.removed + state.course.left_seen + state.course.left_unseen
    ) == sorted(table.gone)
    for seat, own in enumerate(state.seats):
        assert sorted(own.hand) == sorted(table.hand[seat])
        assert sorted(own.reserve) == sorted(table.aside[seat])
        if table.winner is None:
            assert (own.choice is None) == (table.wish[seat] is None)
    assert state.ply == table.count
    assert list(RULES.to_act(state)) == table.waiting()
    for seat in table.waiting():
        assert set(orders_of(state, seat)) == table.moves(seat)


@pytest.mark.rule(
    "GEN-1", "GEN-6", "CAT-2", "CAT-4", "CAT-6", "CAT-7", "CAT-8", "CAT-9", "CAT-10", "CAT-11", "CAT-12",
    "CAT-14", "CAT-15", "CAT-16", "CAT-17",
)  # fmt: skip
@given(st.integers(2, 6), st.binary(min_size=32, max_size=32), st.integers(0, 2**64))
def test_a_plain_second_implementation_agrees(players, seed, luck):
    """Same deal, same legal moves, same consequences, same ranking."""
    luck = chance(luck)
    dealer = luck.randrange(players)
    options = RULES.check_options(players, {"dealer": dealer, "max_plies": 0})
    state = RULES.start(Setup(players, seed, options)).state
    table = Table(shuffle(PACK, seed, 0), players, dealer)
    same(state, table)
    while waiting := table.waiting():
        if luck.random() < (0.08 if table.choosing else 0.004):
            seat = luck.choice(table.staying())
            state = RULES.resign(state, seat).state
            table.resign(seat)
        else:
            seat = luck.choice(waiting)
            if table.choosing and luck.random() < 0.3:
                seat = luck.choice(table.staying())  # perhaps anew
            legal = sorted(table.moves(seat))
            if seat in waiting and luck.random() < 0.85:
                move = standby_of(RULES, state, seat)
            else:
                move = luck.choice(legal)
            parsed = RULES.parse_order(state, seat, move)
            state = RULES.apply(state, seat, parsed).state
            table.play(seat, move)
        same(state, table)
    assert [list(place) for place in RULES.outcome(state).ranking] == table.places()
