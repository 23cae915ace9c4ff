"""Test several deals, resigning, stopping and ranking (CAT-4, CAT-16, CAT-17, CAT-19, GEN-7, GEN-8 …)."""

import pytest

from engine.api import Seat, Source
from engine.cathedral.moves import DealResult
from engine.silence import CHOSEN, STANDBY
from tests.engine.cathedral.tables import RULES, SIX, Game, cards, choosing, orders_of, seat, table

SILENT = (STANDBY, STANDBY)


def last_play(options=None, **fields) -> Game:
    """Four seats; seat 0 wins with its next play and leaves 2, 4 and 2 cards."""
    return Game(
        table(
            seat("9c"), seat("3c 4c"), seat("5c", "3d 3h 3s"), seat("6c 8c"),
            options=options, **fields,
        )
    )  # fmt: skip


# --- one deal -------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-16", "GEN-17")
def test_the_others_are_ranked_by_cards_left():
    """Hand and reserve together, the fewest first; equal counts share the place."""
    game = last_play().play("9")
    assert game.result.ranking == ((0,), (1, 3), (2,))
    assert game.fact("deal_over")["places"] == [1, 2, 4, 2]
    assert game.fact("deal_over")["cards_left"] == [0, 2, 4, 2]
    assert game.state.course.results == (DealResult((0, 2, 4, 2), Seat(0)),)
    assert game.result.scores[2] == {
        "deals_won": 0, "cards_sum": 4, "cards_left": [4], "resigned": False,
    }  # fmt: skip


# --- several deals --------------------------------------------------------------------------------


@pytest.mark.rule("CAT-16")
def test_deals_won_come_first_then_the_sum_of_cards_left():
    """One win each: fewer cards in all decide."""
    before = (
        DealResult((3, 0, 9), Seat(1)),
        DealResult((4, 9, 0), Seat(2)),
    )
    game = Game(
        table(seat("9c"), seat("3c 4c"), seat("5c"), options={"deals": 3}, deal=2, results=before)
    )
    result = game.play("9").result
    assert result.ranking == ((0,), (2,), (1,))
    assert [score["deals_won"] for score in result.scores] == [1, 1, 1]
    assert [score["cards_sum"] for score in result.scores] == [7, 11, 10]


# --- resigning ------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-7", "CAT-17")
def test_a_resigned_seat_takes_no_part_in_later_deals():
    """It gets no cards, is not waited for, and has no place there."""
    game = last_play({"deals": 2}).resign(2).play("9")
    state = game.state
    assert state.course.dealt_in == (0, 1, 3)
    assert state.seats[2].cards_left == 0
    assert RULES.to_act(state) == (0, 1, 3)
    assert len(state.stock) == 52 - 18
    for who in (3, 0, 1):
        game.by(who, orders_of(game.state, who)[0])
    assert game.state.to_act == 1
    game.resign(1).resign(3)
    assert game.fact("deal_over")["places"] == [1, 3, None, 2]
    assert game.state.course.results[-1].cards_left == (6, None, None, None)


# --- silence --------------------------------------------------------------------------------------


def silent_table(first=SILENT, second=SILENT, third=SILENT, **fields) -> Game:
    return Game(
        table(
            seat("3c 4c"), seat("5c 6c"), seat("9c Jc"), pile="3d", to_act=1,
            turns=(first, second, third), **fields,
        )
    )  # fmt: skip


@pytest.mark.rule("GEN-7")
def test_a_game_in_which_everybody_is_silent_is_stopped():
    """Two standby turns of every seat. The deal has no winner and is ranked by cards left."""
    game = silent_table(second=(CHOSEN, STANDBY)).play("5", source=Source.STANDBY)
    assert game.kinds == ["played", "stopped", "deal_over", "game_over"]
    assert game.fact("stopped") == {"cause": "silence"}
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((1,), (0, 2))
    assert game.state.course.results == (DealResult((2, 1, 2), None),)
    assert game.fact("deal_over")["places"] == [2, 1, 2]


@pytest.mark.rule("GEN-7")
def test_every_secret_choice_is_one_turn():
    """A standby choice after a silent turn of everybody stops the game when all are made."""
    quiet = ((CHOSEN, STANDBY), SILENT, SILENT)
    game = Game(choosing(*SIX, turns=quiet, options={"deals": 2}, deal=1))
    game.by(0, "keep 2 3 4", Source.STANDBY).by(1, "keep 2 3 4", Source.STANDBY)
    assert game.result is None
    game.by(2, "keep 2 3 4", Source.STANDBY)
    assert game.kinds == ["chosen", "choices_made", "stopped", "deal_over", "game_over"]
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0, 1, 2),)
    game = Game(choosing(*SIX, turns=quiet, options={"deals": 2}, deal=1))
    game.by(0, "keep 2 3 4", Source.STANDBY).by(1, "keep 2 3 4", Source.STANDBY)
    assert game.by(2, "keep 2 3 4").result is None


# --- max_plies ------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-19", "GEN-8")
def test_ply_n_is_carried_out_and_then_the_deal_is_stopped():
    """It is ranked by cards left, fewest first, and has no winner."""
    game = Game(
        table(
            seat("3c 4c 5c"), seat("6c", "7c 8c 9d"), seat("9c Jc"),
            options={"max_plies": 50}, deal_ply=49, ply=49,
        )
    )  # fmt: skip
    game.play("3")
    assert game.state.pile == cards("3c")
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0, 2), (1,))
    assert game.state.course.results == (DealResult((2, 4, 2), None),)
    assert game.fact("stopped") == {"cause": "max_plies"}
    assert [score["deals_won"] for score in game.result.scores] == [0, 0, 0]


@pytest.mark.rule("GEN-8", "GEN-6", "CAT-19")
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_choices_that_reach_the_limit_are_carried_out_as_a_whole(limit):
    """Three choices are three plies, even if only one more was allowed."""
    game = Game(choosing(*SIX, options={"max_plies": limit}))
    game.by(0, "keep 2 3 4").by(1, "keep 2 3 4").by(2, "keep 2 3 4")
    assert game.kinds == ["chosen", "choices_made", "stopped", "deal_over", "game_over"]
    assert (game.state.ply, game.state.deal_ply) == (3, 3)
    assert all(len(own.reserve) == 3 for own in game.state.seats)
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0, 1, 2),)
