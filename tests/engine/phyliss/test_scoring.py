"""Test several deals, resigning, stopping and ranking (PHY-23 to PHY-25, PHY-27, GEN-7, GEN-8, GEN-17)."""

import pytest

from engine.api import Seat, Source
from engine.cards import PACK
from engine.deals import all_cards
from engine.phyliss.moves import DealResult
from engine.silence import CHOSEN, STANDBY
from tests.engine.phyliss.tables import RULES, Game, cards, seat, table

SILENT = (STANDBY, STANDBY)


def last_play(options=None, **fields) -> Game:
    """Three seats; seat 0 is first, and seat 2 can drop out and leave seat 1 as the loser."""
    return Game(table(seat(out=1), seat("3c 4c"), seat("9c"), to_act=2, options=options, **fields))


# --- several deals --------------------------------------------------------------------------------


@pytest.mark.rule("PHY-24")
def test_the_loser_of_a_deal_deals_the_next_one():
    """Deal 1 begins at once, with the loser as dealer and everybody dealt in."""
    game = last_play({"deals": 2}, ply=40, deal_ply=40).play("9")
    state = game.state
    assert (state.course.deal, state.course.dealer, state.course.dealt_in) == (1, 1, (0, 1, 2))
    assert (state.ply, state.deal_ply) == (41, 0)
    assert all(own.cards_left == 9 for own in state.seats)
    assert state.course.results == (DealResult((1, 3, 2), Seat(1)),)
    assert game.kinds == ["played", "dropped_out", "deal_over", "dealt"]
    assert game.result is None


@pytest.mark.rule("PHY-24")
def test_fewest_deals_lost_come_first_then_the_sum_of_places():
    """Seat 2 lost a deal; seats 0 and 1 lost none, seat 1 has the lower sum."""
    before = (
        DealResult((2, 1, 3), Seat(2)),
        DealResult((2, 1, 3), Seat(2)),
    )
    game = Game(
        table(seat("9c"), seat(out=1), seat("3c"), options={"deals": 3}, results=before, deal=2)
    )
    result = game.play("9").result
    assert result.ranking == ((1,), (0,), (2,))
    assert [score["deals_lost"] for score in result.scores] == [0, 0, 3]
    assert [score["place_sum"] for score in result.scores] == [6, 3, 9]


@pytest.mark.rule("GEN-17")
def test_equal_results_share_a_place():
    """Same deals lost, same sum: one group."""
    before = (DealResult((2, 1, 3), None),)
    game = Game(
        table(seat(out=1), seat("9c"), seat("3c"), to_act=1, options={"deals": 2},
              results=before, deal=1)
    )  # fmt: skip
    assert game.play("9").result.ranking == ((0, 1), (2,))


# --- resigning ------------------------------------------------------------------------------------


@pytest.mark.rule("PHY-25")
def test_the_cards_of_a_resigned_seat_leave_the_game_and_the_pile_stays():
    """Cards that were public stay public, the rest stay unknown, and no card is lost."""
    game = Game(
        table(seat("3c"), seat("4c 5c", "6c", "7c 8c", known="5c"), seat("9c"), pile="Jc")
    ).resign(1)
    state = game.state
    assert state.pile == cards("Jc")
    assert state.seats[1].cards_left == 0
    assert state.course.left_seen == cards("5c 6c")
    assert state.course.left_unseen == cards("4c 7c 8c")
    assert sorted(all_cards(state)) == sorted(PACK)
    assert game.fact("resigned") == {"seen": ["5c", "6c"], "unseen_count": 3}
    view = RULES.view(state, None)
    assert view["gone_hidden"] == 3
    assert not {"4c", "7c", "8c"} & set(view["gone"])
    assert {"5c", "6c"} <= set(view["gone"])


@pytest.mark.rule("PHY-24")
def test_if_the_loser_has_resigned_the_worst_placed_who_stays_deals():
    """Seat 1 resigns and is last; seat 2 is the last holder and deals."""
    game = Game(table(seat(out=1), seat("3c"), seat("4c"), to_act=1, options={"deals": 2}))
    game.resign(1)
    assert game.state.course.results[0].loser == 1
    assert (game.state.course.dealer, game.state.course.dealt_in) == (2, (0, 2))


# --- everybody is silent --------------------------------------------------------------------------


def silent_table(first=SILENT, second=(STANDBY, STANDBY), third=SILENT, **fields) -> Game:
    """Create a position with given records of silence, in which seat 1 must act."""
    return Game(
        table(
            seat("3c 4c"), seat("5c 6c 7c"), seat("9c Jc"), pile="3d", to_act=1,
            turns=(first, second, third), **fields
        )
    )  # fmt: skip


@pytest.mark.rule("GEN-7")
def test_two_silent_turns_of_every_seat_stop_the_game():
    """The deal is ranked by cards left and has no loser."""
    game = silent_table().play("5", source=Source.STANDBY)
    assert game.result.reason == "stopped"
    assert game.kinds == ["played", "stopped", "deal_over", "game_over"]
    assert game.fact("stopped") == {"cause": "silence"}
    assert game.state.course.results == (DealResult((1, 1, 1), None),)


@pytest.mark.rule("GEN-7", "PHY-16")
def test_going_again_continues_the_turn():
    """A chosen 10 and then a standby play are one turn, which is not silent."""
    game = Game(
        table(seat("3c 4c"), seat("5c 6c 10c"), pile="3d", to_act=1, turns=(SILENT, SILENT))
    )
    game.play("10", source=Source.CHOSEN).play("5", source=Source.STANDBY)
    assert game.result is None
    assert game.state.turns[1] == (STANDBY, STANDBY | CHOSEN)


@pytest.mark.rule("GEN-7", "PHY-24")
def test_silence_at_the_end_of_a_deal_ends_the_game_with_its_loser():
    """The deal ended by itself, so it has a loser; the next one is not dealt."""
    game = last_play({"deals": 2}, turns=(SILENT, SILENT, SILENT))
    game.play("9", source=Source.STANDBY)
    assert game.result.reason == "stopped"
    assert game.state.course.results == (DealResult((1, 3, 2), Seat(1)),)


# --- max_plies ------------------------------------------------------------------------------------


@pytest.mark.rule("PHY-27", "GEN-8")
def test_ply_n_is_carried_out_and_then_the_deal_is_stopped():
    """Ranked by the order of dropping out, then by cards left. The deal has no loser."""
    game = Game(
        table(
            seat(out=1), seat("3c 4c 5c"), seat("6c", "7c", "8c"), seat("9c Jc"),
            to_act=1, options={"max_plies": 50}, deal_ply=49, ply=49,
        )
    )  # fmt: skip
    game.play("3")
    assert game.state.pile == cards("3c")
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0,), (1, 3), (2,))
    assert game.state.course.results == (DealResult((1, 2, 4, 2), None),)
    assert game.fact("stopped") == {"cause": "max_plies"}
    assert [score["deals_lost"] for score in game.result.scores] == [0, 0, 0, 0]


@pytest.mark.rule("PHY-27")
def test_max_plies_counts_per_deal_and_defaults_to_2000():
    """Plies of earlier deals do not count; 0 is no limit."""
    assert RULES.check_options(2, {})["max_plies"] == 2000
    state = table(seat("3c 4c"), seat("5c"), deal_ply=5, ply=1999)
    assert Game(state).play("3").result is None
    state = table(seat("3c 4c"), seat("5c"), deal_ply=5000, options={"max_plies": 0})
    assert Game(state).play("3").result is None


@pytest.mark.rule("PHY-27", "GEN-8")
def test_a_stopped_deal_ends_the_whole_game():
    """Later deals are not played; the places enter the sums."""
    before = (DealResult((2, 1), Seat(0)),)
    game = Game(
        table(seat("3c"), seat("4c 5c 6c"), options={"deals": 3, "max_plies": 9}, deal=1,
              deal_ply=8, results=before, to_act=1)
    )  # fmt: skip
    result = game.play("4").result
    assert result.reason == "stopped"
    assert [score["places"] for score in result.scores] == [[2, 1], [1, 2]]
    assert result.ranking == ((1,), (0,))
