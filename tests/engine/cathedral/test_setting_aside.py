"""Test the deal and the secret choice of the reserve (CAT-1 to CAT-4, CAT-17, GEN-6)."""

from itertools import combinations

import pytest

from engine.api import Seat, Setup, Source
from engine.cards import PACK, RANK_OF, sort_cards
from engine.cathedral.moves import Keep
from engine.errors import IllegalMoveError, NotToActError
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


def refusal_of(game: Game, who: int, order: str) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        game.say(who, order)
    assert str(caught.value).startswith(caught.value.rule)
    return str(caught.value)


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_players(players):
    """With the 52 cards of one pack."""
    state = RULES.start(setup(players)).state
    dealt = [c for own in state.seats for c in own.hand]
    assert sorted([*dealt, *state.stock]) == sorted(PACK)


@pytest.mark.rule("CAT-2")
@pytest.mark.parametrize(("players", "stock"), [(2, 40), (3, 34), (4, 28), (5, 22), (6, 16)])
def test_six_cards_each_and_the_rest_is_the_stock(players, stock):
    """Nothing lies on the pile, nothing is set aside yet."""
    state = RULES.start(setup(players)).state
    assert [len(own.hand) for own in state.seats] == [6] * players
    assert all(own.reserve == () and own.choice is None for own in state.seats)
    assert len(state.stock) == stock
    assert state.pile == ()


@pytest.mark.rule("CAT-3")
def test_six_cards_in_a_row_from_the_top_starting_left_of_the_dealer():
    """The shuffled list is the new pack of all the games; its last element is the top."""
    given = setup(3, dealer=1)
    step = RULES.start(given)
    pack = list(shuffle(PACK, SEED, 0))
    for who in (2, 0, 1):
        taken = [pack.pop() for _ in range(6)]
        assert step.state.seats[who].hand == sort_cards(taken)
    assert step.state.stock == tuple(pack)
    (opened,) = step.shuffles
    assert (opened.number, opened.before, opened.after) == (0, PACK, shuffle(PACK, SEED, 0))


# --- choosing -------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-2", "CAT-3")
def test_three_cards_are_set_aside_and_three_are_the_hand():
    """Once everybody has chosen."""
    game = Game(choosing(*SIX[:2])).say(0, "keep 2 5 7").say(1, "keep 2d 3d 4d")
    first, second = game.state.seats
    assert (first.hand, first.reserve) == (cards("3c 4c 6c"), cards("2c 5c 7c"))
    assert (second.hand, second.reserve) == (cards("5d 6d 7d"), cards("2d 3d 4d"))
    assert all(own.choice is None and own.choice_mark == 0 for own in game.state.seats)


@pytest.mark.rule("GEN-6", "CAT-3")
def test_until_the_last_choice_is_in_nothing_moves():
    """All are to act, in any order; a choice is noted, the hand stays, no ply is made."""
    game = Game(choosing(*SIX))
    assert RULES.is_choosing(game.state)
    assert RULES.to_act(game.state) == (0, 1, 2)
    game.say(1, "keep 2 3 4")
    assert RULES.to_act(game.state) == (0, 2)
    assert game.state.ply == game.state.deal_ply == 0
    assert game.state.seats[1].hand == SIX[1].hand
    assert game.state.seats[1].choice == cards("2d 3d 4d")
    game.say(2, "keep 2 3 4")
    assert RULES.to_act(game.state) == (0,)
    assert RULES.is_choosing(game.state)


@pytest.mark.rule("GEN-6")
def test_the_last_choice_counts_one_ply_and_one_turn_for_every_seat():
    """In seat order, whatever the order of choosing; then the first turn begins."""
    game = Game(choosing(*SIX, ply=40)).say(2, "keep 2 3 4", Source.STANDBY)
    game.say(0, "keep 2 3 4").say(1, "keep 2 3 4", Source.FORCED)
    assert (game.state.ply, game.state.deal_ply) == (43, 3)
    assert game.state.turns == ((0, CHOSEN), (0, FORCED), (0, STANDBY))
    assert game.kinds == ["chosen", "choices_made"]
    assert game.fact("choices_made") == {"seats": [0, 1, 2]}
    assert not RULES.is_choosing(game.state)
    assert RULES.to_act(game.state) == (0,)


@pytest.mark.rule("GEN-6", "GEN-10")
def test_a_choice_may_be_replaced_until_the_last_one_is_in():
    """Only by its own seat, as often as it likes; the last one counts, with its source."""
    game = Game(choosing(*SIX)).say(0, "keep 2 3 4").say(1, "keep 2 3 4")
    game.say(0, "keep 5 6 7").say(0, "keep 3 5 7", Source.STANDBY)
    assert RULES.to_act(game.state) == (2,)
    assert game.state.ply == 0
    game.say(2, "keep 2 3 4")
    assert game.state.seats[0].reserve == cards("3c 5c 7c")
    assert game.state.turns[0] == (0, STANDBY)
    for who in (0, 1, 2):
        with pytest.raises((IllegalMoveError, NotToActError)):
            game.say(who, "keep 2 3 4")


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
    assert refusal_of(game, 0, order).startswith(message)


@pytest.mark.rule("CAT-3")
def test_nothing_is_set_aside_later():
    """When the choices are made, cards are played."""
    game = Game(table(seat("2c 3c 4c"), seat("5c")))
    assert refusal_of(game, 0, "keep 2 3 4").startswith("CAT-3: the cards have been set aside")
    with pytest.raises(IllegalMoveError, match="CAT-3"):
        RULES.apply(game.state, Seat(0), Keep(cards("2c 3c 4c")))


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
    game = Game(state).say(0, "keep 7h 9s 7d")
    assert game.state.seats[0].choice == cards("7d 7h 9s")


@pytest.mark.rule("GEN-6")
def test_a_seat_that_has_chosen_is_not_waited_for():
    """No listed moves and no standby move, but a new choice is accepted."""
    game = Game(choosing(*SIX)).say(0, "keep 2 3 4")
    assert list(RULES.legal_moves(game.state, Seat(0))) == []
    with pytest.raises(NotToActError, match="already"):
        RULES.standby_move(game.state, Seat(0))
    game.say(0, "keep 5 6 7")


# --- who starts -----------------------------------------------------------------------------------


@pytest.mark.rule("CAT-4")
@pytest.mark.parametrize(("dealer", "starter"), [(0, 1), (1, 2), (2, 0)])
def test_the_seat_left_of_the_dealer_starts(dealer, starter):
    """Clockwise; after the last seat comes the first."""
    given = setup(3, dealer=dealer)
    game = Game(RULES.start(Setup(3, SEED, given.options)).state)
    for who in range(3):
        game.say(who, orders_of(game.state, who)[0])
    assert RULES.to_act(game.state) == (starter,)
    assert game.steps[-1].facts[-1].seat == starter


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
        game.say(who, orders_of(game.state, who)[0])
    assert RULES.to_act(game.state) == (0,)


# --- resigning while cards are set aside ----------------------------------------------------------


@pytest.mark.rule("CAT-17", "GEN-6", "GEN-7")
def test_a_missing_choice_of_a_resigned_seat_is_not_waited_for():
    """Its resignation makes the others' choices, one ply for each of them."""
    game = Game(choosing(*SIX)).say(0, "keep 2 3 4").say(2, "keep 2 3 4").resign(1)
    assert game.kinds == ["resigned", "choices_made"]
    assert game.fact("choices_made") == {"seats": [0, 2]}
    assert game.state.ply == 2
    assert RULES.to_act(game.state) == (0,)
    assert game.state.turns[1] == (0, 0)


@pytest.mark.rule("CAT-17", "GEN-7")
def test_a_resigned_seat_withdraws_its_choice():
    """The others are still waited for, and its cards leave the game unseen."""
    game = Game(choosing(*SIX)).say(1, "keep 2 3 4").resign(1)
    assert game.kinds == ["resigned"]
    assert game.fact("resigned") == {"seen": [], "unseen_count": 6}
    assert game.state.seats[1].choice is None
    assert RULES.to_act(game.state) == (0, 2)
    assert set(game.state.course.left_unseen) == set(SIX[1].hand)
    with pytest.raises(NotToActError, match="resigned"):
        game.say(1, "keep 2 3 4")


@pytest.mark.rule("CAT-17", "CAT-4")
def test_if_the_starting_seat_resigns_the_next_one_starts():
    """Whether its choice was the last one missing or had been made."""
    game = Game(choosing(*SIX)).say(1, "keep 2 3 4").say(2, "keep 2 3 4").resign(0)
    assert RULES.to_act(game.state) == (1,)
    game = Game(choosing(*SIX)).resign(0).say(2, "keep 2 3 4").say(1, "keep 2 3 4")
    assert RULES.to_act(game.state) == (1,)
