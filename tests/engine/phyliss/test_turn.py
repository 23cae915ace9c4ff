"""Test turns while there is a stock (PHY-8 to PHY-16)."""

import pytest

from tests.engine.phyliss.tables import Game, cards, seat, table

# --- PHY-10, PHY-11: destroying the pile ----------------------------------------------------------


@pytest.mark.rule("PHY-10")
@pytest.mark.parametrize("order", ["play 10c", "play 10c 10d"])
def test_tens_destroy_the_pile_with_themselves_and_their_player_goes_again(order):
    """The whole pile leaves the game, the 10s too."""
    game = Game(table(seat("10c 10d 4c 5c"), seat("3h"), pile="3c Kc"))
    before = game.state.course.removed
    game.play(order)
    assert game.state.pile == ()
    assert game.state.course.removed == before + cards("3c Kc " + order.removeprefix("play "))
    assert game.state.to_act == 0
    assert game.fact("destroyed")["reason"] == "tens"
    assert game.kinds == ["played", "destroyed", "goes_again"]


# --- PHY-12, PHY-13: picking up -------------------------------------------------------------------


# --- PHY-14: the hand of god ----------------------------------------------------------------------


@pytest.mark.rule("PHY-14")
def test_a_card_of_the_stock_that_fits_is_played():
    """The top card of the stock lands on the pile and the turn passes on."""
    game = Game(table(seat("3c 4c 5c"), seat("3h"), pile="8c", stock="4d 9d")).play("god")
    assert game.state.pile == cards("8c 9d")
    assert game.state.stock == cards("4d")
    assert game.state.seats[0].hand == cards("3c 4c 5c")
    assert game.state.to_act == 1
    assert game.fact("god") == {"card": "9d", "success": True}


@pytest.mark.rule("PHY-14")
def test_a_card_that_does_not_fit_is_taken_with_the_pile():
    """Both go into the hand, and everybody has seen them; the turn ends."""
    game = Game(table(seat("3c 4c 5c"), seat("3h"), pile="8c", stock="9d 4d")).play("god")
    own = game.state.seats[0]
    assert own.hand == cards("3c 4c 4d 5c 8c")
    assert own.known == cards("4d 8c")
    assert game.state.pile == ()
    assert game.state.to_act == 1
    assert game.kinds == ["god", "picked_up"]
    assert game.fact("picked_up") == {"cards": ["8c", "4d"]}


# --- PHY-15, PHY-16: filling the hand -------------------------------------------------------------


# --- whose turn it is -----------------------------------------------------------------------------
