"""Test the end of a deal: face-up cards, blind cards, dropping out (PHY-17 to PHY-23)."""

import pytest

from engine.errors import IllegalMoveError
from engine.phyliss.moves import Play
from tests.engine.phyliss.tables import RULES, Game, cards, orders_of, seat, table


@pytest.mark.rule("PHY-17")
def test_without_stock_and_hand_the_face_up_cards_are_played():
    """One or more of a rank, drawing nothing."""
    game = Game(table(seat("", "8c 8d Kc", "3c"), seat("3h"), pile="5c"))
    assert orders_of(game.state) == ["play 8c", "play 8c 8d", "play Kc", "pickup"]
    game.play("all 8")
    assert game.state.seats[0].up == cards("Kc")
    assert game.fact("played") == {"cards": ["8c", "8d"], "from": "up"}


@pytest.mark.rule("PHY-18")
def test_a_card_that_is_not_held_is_refused_without_saying_where_it_is():
    """The same words whether the card is in another hand, in the stock or destroyed."""
    messages = set()
    for state in (
        table(seat("8c 9c Jc"), seat("7h 3h 4h"), stock="5h"),
        table(seat("8c 9c Jc"), seat("3s 3h 4h"), stock="5h 7h"),
        table(seat("8c 9c Jc"), seat("3s 3h 4h"), stock="5h"),
    ):
        messages.add(Game(state).refusal("play 7h"))
        with pytest.raises(IllegalMoveError, match="PHY-18: you do not hold 7h"):
            RULES.apply(state, 0, Play(cards("7h")))
    assert messages == {"PHY-18: you do not hold 7h"}


@pytest.mark.rule("PHY-20")
def test_a_blind_card_is_chosen_by_its_number_as_dealt():
    """Number 3 keeps its number after number 1 was played."""
    game = Game(table(seat("", "", "Kc 4c", numbers=(1, 3)), seat("3h 4h"), pile="3d"))
    assert orders_of(game.state) == ["flip 1", "flip 3", "pickup"]
    game.play("flip 3")
    assert game.state.pile == cards("3d 4c")
    own = game.state.seats[0]
    assert (own.blind, own.blind_numbers) == (cards("Kc"), (1,))
    assert game.fact("flipped") == {"number": 3, "card": "4c", "success": True}


@pytest.mark.rule("PHY-21")
def test_a_blind_card_that_does_not_fit_goes_into_the_hand_with_the_pile():
    """The turn ends, and everybody has seen both."""
    game = Game(table(seat("", "", "4c Kc"), seat("5h"), pile="9c Jc")).play("flip 1")
    own = game.state.seats[0]
    assert own.hand == own.known == cards("4c 9c Jc")
    assert own.blind == cards("Kc")
    assert game.state.pile == ()
    assert game.state.to_act == 1
    assert game.kinds == ["flipped", "picked_up"]


@pytest.mark.rule("PHY-22")
@pytest.mark.parametrize(
    ("own", "order"),
    [(seat("9c"), "9"), (seat("", "9c 9d"), "all 9"), (seat("", "", "9c"), "flip 1")],
)
def test_a_player_without_cards_drops_out(own, order):
    """From the hand, the table or the last blind card; play passes on."""
    game = Game(table(own, seat("3h 4h"), seat("3d 4d"), pile="5c")).play(order)
    assert game.state.seats[0].out == 1
    assert game.state.to_act == 1
    assert game.kinds[-1] == "dropped_out"


@pytest.mark.rule("PHY-23", "PHY-10")
def test_who_drops_out_with_a_destroying_play_does_not_go_again():
    """The next player leads on an empty pile."""
    game = Game(table(seat("10c"), seat("3h 4h"), seat("3d 4d"), pile="Ac")).play("10")
    assert game.state.seats[0].out == 1
    assert game.state.pile == ()
    assert game.state.to_act == 1
    assert game.kinds == ["played", "destroyed", "dropped_out"]
    assert orders_of(game.state) == ["play 3h", "play 4h"]
