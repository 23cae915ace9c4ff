"""Test playing, drawing, picking up, the reserve and the end of a deal (CAT-5 to CAT-15)."""

import pytest

from engine.errors import NotToActError
from tests.engine.cathedral.tables import RULES, Game, cards, orders_of, seat, table

ORDER = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]


# --- what beats what ------------------------------------------------------------------------------


@pytest.mark.rule("CAT-5", "CAT-6", "CAT-8", "CAT-9")
@pytest.mark.parametrize("top", [*ORDER, "2", None])
def test_what_can_be_played_on_a_rank(top):
    """Higher ranks, 2s and 10s; anything on a 2 or an empty pile."""
    higher = ORDER[ORDER.index(top) + 1 :] if top in ORDER else ORDER
    hand = " ".join(f"{rank}c" for rank in [*ORDER, "2", "10"])
    orders = orders_of(table(seat(hand), seat("3h"), pile=f"{top}s" if top else ""))
    expected = {f"play {rank}c" for rank in [*higher, "2", "10"]}
    assert {*orders} == expected | ({"pickup"} if top else set())


# --- 2, 10, four of a kind ------------------------------------------------------------------------


# --- drawing --------------------------------------------------------------------------------------


# --- picking up -----------------------------------------------------------------------------------


@pytest.mark.rule("CAT-13")
def test_on_an_empty_pile_a_card_must_be_played():
    """There is nothing to pick up."""
    game = Game(table(seat("Kc 4c"), seat("8d")))
    assert orders_of(game.state) == ["play 4c", "play Kc"]
    assert game.refusal("pickup") == "CAT-13: the pile is empty, there is nothing to pick up"


# --- the reserve ----------------------------------------------------------------------------------


@pytest.mark.rule("CAT-14")
def test_without_hand_and_stock_the_reserve_is_taken_up_at_once():
    """All three cards, as part of the play; the turn passes on."""
    game = Game(table(seat("9c", "2c 4c Kc"), seat("8d"), pile="5h")).play("9")
    own = game.state.seats[0]
    assert (own.hand, own.reserve) == (cards("2c 4c Kc"), ())
    assert game.state.to_act == 1
    assert game.kinds == ["played", "took_reserve"]


@pytest.mark.rule("CAT-14", "CAT-20")
def test_nobody_else_learns_the_reserve_when_it_is_taken_up():
    """Not from the facts, not from the view: it goes into the hand unseen."""
    game = Game(table(seat("9c", "2c 4c Kc"), seat("8d"), pile="5h")).play("9")
    public, private = (fact for fact in game.steps[-1].facts if fact.kind == "took_reserve")
    assert (public.audience, public.data) == (None, {"count": 3})
    assert (private.audience, private.data) == (0, {"count": 3, "cards": ["2c", "4c", "Kc"]})
    assert game.state.seats[0].known == ()
    assert RULES.view(game.state, 1)["seats"][0]["hand"] is None


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-15")
@pytest.mark.parametrize("last", ["9c", "2c", "10c", "9c 9d", "9c 9d 9h 9s", "2c 2d 2h 2s"])
def test_the_first_without_any_card_wins_at_once(last):
    """The kind of the last card does not matter, because a player without cards does not go again."""
    game = Game(table(seat(last), seat("8d 4d"), pile="5h")).play(f"play {last}")
    assert game.result.reason == "finished"
    assert game.result.ranking == ((0,), (1,))
    assert RULES.to_act(game.state) == ()
    assert "goes_again" not in game.kinds
    assert game.kinds[-2:] == ["deal_over", "game_over"]
    assert game.fact("deal_over") == {
        "deal": 0, "winner": 0, "places": [1, 2], "cards_left": [0, 2],
    }  # fmt: skip


# --- turns ----------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-6")
def test_turns_go_clockwise_and_only_the_seat_whose_turn_it_is_plays():
    """Seat 0, 1, 2, 0; the others are refused."""
    game = Game(table(seat("3c 9c"), seat("4c 9d"), seat("5c 9h")))
    with pytest.raises(NotToActError, match="it is the turn of seat 0"):
        game.by(1, "play 4")
    game.play("3", "4", "5")
    assert game.state.to_act == 0
    assert (game.state.ply, game.state.deal_ply) == (3, 3)
