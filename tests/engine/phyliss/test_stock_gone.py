"""Test the end of a deal: face-up cards, blind cards, dropping out (PHY-17 to PHY-23)."""

import pytest

from engine.errors import IllegalMoveError
from engine.phyliss.moves import Play
from tests.engine.phyliss.tables import RULES, Game, cards, orders_of, seat, table


def refusal_of(game: Game, order: str) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        game.play(order)
    assert str(caught.value).startswith(str(caught.value.rule))
    return str(caught.value)


@pytest.mark.rule("PHY-17")
def test_without_stock_and_hand_the_face_up_cards_are_played():
    """One or more of a rank, drawing nothing."""
    game = Game(table(seat("", "8c 8d Kc", "3c"), seat("3h"), pile="5c"))
    assert orders_of(game.state) == ["play 8c", "play 8c 8d", "play Kc", "pickup"]
    game.play("all 8")
    assert game.state.seats[0].up == cards("Kc")
    assert game.fact("played") == {"cards": ["8c", "8d"], "from": "up"}


@pytest.mark.rule("PHY-17")
def test_a_picked_up_hand_is_played_out_before_the_table_cards():
    """After picking up from the table the hand comes first again."""
    game = Game(table(seat("", "8c", "3c"), seat("4h 5h"), pile="9c"))
    game.play("pickup", "4h")
    assert orders_of(game.state) == ["play 9c", "pickup"]
    game.play("9c", "pickup")
    assert orders_of(game.state) == ["play 8c"]


@pytest.mark.rule("PHY-18")
def test_a_card_that_is_not_held_is_refused_without_saying_where_it_is():
    """The same words whether the card is in another hand, in the stock or destroyed."""
    messages = set()
    for state in (
        table(seat("8c 9c Jc"), seat("7h 3h 4h"), stock="5h"),
        table(seat("8c 9c Jc"), seat("3s 3h 4h"), stock="5h 7h"),
        table(seat("8c 9c Jc"), seat("3s 3h 4h"), stock="5h"),
    ):
        messages.add(refusal_of(Game(state), "play 7h"))
        with pytest.raises(IllegalMoveError, match="PHY-18: you do not hold 7h"):
            RULES.apply(state, 0, Play(cards("7h")))
    assert messages == {"PHY-18: you do not hold 7h"}


@pytest.mark.rule("PHY-20")
def test_a_blind_card_is_chosen_by_its_number_as_dealt():
    """Number 3 stays number 3 when number 1 is gone."""
    game = Game(table(seat("", "", "Kc 4c", numbers=(1, 3)), seat("3h 4h"), pile="3d"))
    assert orders_of(game.state) == ["flip 1", "flip 3", "pickup"]
    game.play("flip 3")
    assert game.state.pile == cards("3d 4c")
    own = game.state.seats[0]
    assert (own.blind, own.blind_numbers) == (cards("Kc"), (1,))
    assert game.fact("flipped") == {"number": 3, "card": "4c", "success": True}


@pytest.mark.rule("PHY-20", "PHY-10", "PHY-11")
@pytest.mark.parametrize(("pile", "blind"), [("Ac", "10c 3c"), ("3d 6d 6h", "6c 3c")])
def test_a_flipped_card_destroys_and_goes_again_like_any_play(pile, blind):
    """A 10, or the third of a kind."""
    game = Game(table(seat("", "", blind), seat("4h"), pile=pile)).play("flip 1")
    assert game.state.pile == ()
    assert game.state.to_act == 0
    assert game.kinds == ["flipped", "destroyed", "goes_again"]


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


@pytest.mark.rule("PHY-21", "PHY-12")
def test_at_the_blind_cards_the_pile_may_be_picked_up_without_flipping():
    """Only while there is a pile."""
    game = Game(table(seat("", "", "4c Kc"), seat("5h"), pile="9c")).play("pickup")
    assert game.state.seats[0].hand == cards("9c")
    assert game.state.seats[0].blind == cards("4c Kc")
    assert orders_of(table(seat("", "", "4c Kc"), seat("5h"))) == ["flip 1", "flip 2"]


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


@pytest.mark.rule("PHY-22")
def test_the_last_player_holding_cards_loses():
    """The deal is over as soon as one holder is left."""
    game = Game(table(seat("9c"), seat("3h 4h"), pile="5c")).play("9")
    assert game.kinds == ["played", "dropped_out", "deal_over", "game_over"]
    assert game.fact("deal_over")["loser"] == 1
    assert game.result.ranking == ((0,), (1,))
    assert game.result.reason == "finished"


@pytest.mark.rule("PHY-23")
def test_places_follow_the_order_of_dropping_out():
    """First out is first; the last holder is last."""
    game = Game(table(seat("9c"), seat("Jh 3h"), seat("Qd"), pile="5c"))
    game.play("9", "J", "Q")
    assert game.result.ranking == ((0,), (2,), (1,))
    assert [own.out for own in game.state.seats] == [1, None, 2]


@pytest.mark.rule("PHY-23", "PHY-10")
def test_who_drops_out_with_a_destroying_play_does_not_go_again():
    """The next player leads on an empty pile."""
    game = Game(table(seat("10c"), seat("3h 4h"), seat("3d 4d"), pile="Ac")).play("10")
    assert game.state.seats[0].out == 1
    assert game.state.pile == ()
    assert game.state.to_act == 1
    assert game.kinds == ["played", "destroyed", "dropped_out"]
    assert orders_of(game.state) == ["play 3h", "play 4h"]


@pytest.mark.rule("PHY-19")
def test_picking_up_leaves_the_table_cards():
    """Face-up and blind cards stay where they are, with their numbers."""
    game = Game(table(seat("", "8c Kc", "3c 4c", numbers=(1, 3)), seat("3h"), pile="9c"))
    before = game.state.seats[0]
    game.play("pickup")
    after = game.state.seats[0]
    assert (after.up, after.blind, after.blind_numbers) == (before.up, before.blind, (1, 3))
    assert after.hand == cards("9c")
