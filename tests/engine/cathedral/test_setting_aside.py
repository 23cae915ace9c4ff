"""Test the deal and the secret choice of the reserve (CAT-1 to CAT-4, CAT-17, GEN-6)."""

from itertools import combinations

import pytest

from engine.api import Seat, Source
from engine.cards import PACK, RANK_OF, sort_cards
from engine.errors import NotToActError
from engine.shuffle import shuffle
from engine.silence import CHOSEN, FORCED, STANDBY
from tests.engine.cathedral.tables import (
    RULES,
    SEED,
    SIX,
    Game,
    cards,
    choosing,
    orders_of,
    seat,
    setup,
    table,
)

# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-1", "CAT-2", "CAT-3")
@pytest.mark.parametrize(("players", "dealer"), [(2, 1), (3, 1), (4, 0), (5, 4), (6, 2)])
def test_six_cards_in_a_row_from_the_top_starting_left_of_the_dealer(players, dealer):
    """The other cards are the stock. Nothing is on the pile or set aside yet."""
    step = RULES.start(setup(players, dealer=dealer))
    pack = list(shuffle(PACK, SEED, 0))
    for turn in range(players):
        own = step.state.seats[(dealer + 1 + turn) % players]
        assert own.hand == sort_cards(pack.pop() for _ in range(6))
        assert (own.reserve, own.choice) == ((), None)
    assert (step.state.stock, step.state.pile) == (tuple(pack), ())
    (opened,) = step.shuffles
    assert (opened.number, opened.before, opened.after) == (0, PACK, shuffle(PACK, SEED, 0))


# --- choosing -------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-6")
def test_the_last_choice_counts_one_ply_and_one_turn_for_every_seat():
    """In seat order, whatever the order of choosing; then the first turn begins."""
    game = Game(choosing(*SIX, ply=40)).by(2, "keep 2 3 4", Source.STANDBY)
    game.by(0, "keep 2 3 4").by(1, "keep 2 3 4", Source.FORCED)
    assert (game.state.ply, game.state.deal_ply) == (43, 3)
    assert game.state.turns == ((0, CHOSEN), (0, FORCED), (0, STANDBY))
    assert game.kinds == ["chosen", "choices_made"]
    assert game.fact("choices_made") == {"seats": [0, 1, 2]}
    assert not RULES.is_choosing(game.state)
    assert RULES.to_act(game.state) == (0,)


@pytest.mark.rule("CAT-2")
@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("keep 2", "CAT-2: set aside exactly three cards, not 1"),
        ("keep 2 3", "CAT-2: set aside exactly three cards, not 2"),
        ("keep 2 3 4 5", "CAT-2: set aside exactly three cards, not 4"),
        ("keep all 2", "CAT-2: set aside exactly three cards, not 1"),
        ("keep 2 3 K", "CAT-2: you do not hold K"),
        ("keep 2 3 4h", "CAT-2: you do not hold 4h"),
        ("keep 2 2 3", "CAT-2: you hold 2 only once"),
        ("keep 2c 2c 3", "CAT-2: 2c is named twice"),
        ("play 2", "CAT-2: before anybody plays"),
        ("2", "CAT-2: before anybody plays"),
        ("pickup", "CAT-2: before anybody plays"),
    ],
)
def test_exactly_three_cards_that_are_held(order, message):
    """Anything else is refused and leaves everything as it is."""
    game = Game(choosing(*SIX[:2]))
    assert game.refusal(order, 0).startswith(message)


@pytest.mark.rule("GEN-9", "CAT-2")
def test_the_list_of_choices_has_every_three_ranks_once():
    """Suits do not matter: of equal choices only the one with the lowest suits is listed."""
    state = choosing(seat("7c 7d 7h 9c 9s Kd"), seat("3c 4c 5c 6c 8c Jc"))
    assert orders_of(state, 0) == [
        "keep 7c 7d 7h", "keep 7c 7d 9c", "keep 7c 7d Kd", "keep 7c 9c 9s", "keep 7c 9c Kd",
        "keep 9c 9s Kd",
    ]  # fmt: skip
    assert RULES.is_list_complete(state, Seat(0))
    shapes = {tuple(RANK_OF[c] for c in three) for three in combinations(state.seats[0].hand, 3)}
    assert len(shapes) == 6
    # Suits that are named are kept as they are.
    game = Game(state).by(0, "keep 7h 9s 7d")
    assert game.state.seats[0].choice == cards("7d 7h 9s")


# --- who starts -----------------------------------------------------------------------------------


@pytest.mark.rule("CAT-4", "GEN-2")
def test_the_winner_of_a_deal_deals_the_next_one():
    """It begins at once, with shuffle 1 and a choice of everybody."""
    game = Game(table(seat("3c"), seat("4c 5c"), seat("9c"), to_act=2, options={"deals": 2}, ply=9))
    game.play("9")
    state = game.state
    assert (state.course.deal, state.course.dealer) == (1, 2)
    assert RULES.is_choosing(state)
    assert RULES.to_act(state) == (0, 1, 2)
    assert (state.ply, state.deal_ply) == (10, 0)
    assert [own.cards_left for own in state.seats] == [6, 6, 6]
    (opened,) = game.steps[-1].shuffles
    assert (opened.number, opened.after) == (1, shuffle(PACK, SEED, 1))
    assert game.kinds == ["played", "deal_over", "dealt"]
    for who in (0, 1, 2):
        game.by(who, orders_of(game.state, who)[0])
    assert RULES.to_act(game.state) == (0,)


# --- resigning while cards are set aside ----------------------------------------------------------


@pytest.mark.rule("CAT-17", "GEN-7")
def test_a_resigned_seat_withdraws_its_choice():
    """The others are still waited for, and its cards leave the game unseen."""
    game = Game(choosing(*SIX)).by(1, "keep 2 3 4").resign(1)
    assert game.kinds == ["resigned"]
    assert game.fact("resigned") == {"seen": [], "unseen_count": 6}
    assert game.state.seats[1].choice is None
    assert RULES.to_act(game.state) == (0, 2)
    assert set(game.state.course.left_unseen) == set(SIX[1].hand)
    with pytest.raises(NotToActError, match="resigned"):
        game.by(1, "keep 2 3 4")
