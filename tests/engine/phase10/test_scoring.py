"""Test points, the end, ties, ranking and variants (P10-23 to P10-27, V1 to V3)."""

import pytest

from engine.phase10.state import DealResult, phase_list
from tests.engine.phase10.tables import (
    FAMILY,
    OFFICIAL,
    Game,
    done,
    laid,
    seat,
    setup,
    table,
)

SETS = laid(1, "R5 B5 G5/R7 B7 G7")


def last_hand(*seats, winner_card="R1", **fields):
    """Create a position in which seat 0 goes out with its last card."""
    return Game(table(*seats, groups={0: SETS}, drawn=True, **fields)).play(
        f"discard {winner_card}"
    )


@pytest.mark.rule("P10-23")
def test_points_of_a_hand():
    """The winner gets none, cards on the table do not count, and points are summed over hands."""
    game = last_hand(
        done("R1", score=5), seat("R9 R10 S W", score=100), done("Y12"),
    )  # fmt: skip
    assert game.fact("deal_over")["points"] == [0, 55, 10]
    assert [own.score for own in game.state.seats] == [5, 155, 10]


@pytest.mark.rule("P10-4")
def test_the_deal_moves_to_the_left():
    """Past a seat that resigned."""
    state = table(
        done("R1"), seat(), seat("R2"), seat("R3"), groups={0: SETS}, drawn=True,
        dealer=0, resigned=(1,),
    )  # fmt: skip
    game = Game(state).play("discard R1")
    assert game.state.dealer == 2
    assert game.state.to_act in (3, 0)
    assert game.state.dealt_in == (0, 2, 3)


@pytest.mark.rule("P10-25")
def test_the_game_ends_with_the_hand_in_which_the_last_phase_was_made():
    """By whoever, not only the winner of the hand."""
    game = last_hand(
        done("R1", phase=9, completed=9), done("R2 R3", phase=10, completed=10, score=300)
    )
    assert game.result.ranking == ((1,), (0,))
    assert game.result.reason == "finished"
    assert game.state.to_act is None


@pytest.mark.rule("P10-25")
def test_of_several_the_fewest_points_win():
    """The points of this last hand count."""
    game = last_hand(
        done("R1", phase=10, completed=10, score=55),
        done("R2", phase=10, completed=10, score=49),
        done("R3", phase=10, completed=10, score=51),
    )
    assert game.result.ranking == ((1,), (0,), (2,))


@pytest.mark.rule("P10-25", "GEN-7")
def test_who_made_the_last_phase_and_resigned_ends_nothing():
    """The others play on."""
    state = table(
        seat("R1 R2"), done("R2", phase=10, completed=10), done("R3", phase=9, completed=9),
        groups={0: SETS}, drawn=True,
    )  # fmt: skip
    game = Game(state).resign(1).play("discard R1", "draw")
    while game.state.deal == 0:
        game.standby()
    assert game.result is None
    assert game.state.dealt_in == (0, 2)


def tied(*, rules=OFFICIAL, **fields):
    """Seats 0 and 2 have made all ten and are equal after the hand; seat 1 is behind."""
    return last_hand(
        done("R1", phase=10, completed=10, score=55),
        done("R2", phase=8, completed=8, score=0),
        done("R3", phase=10, completed=10, score=50),
        rules=rules,
        **fields,
    )


@pytest.mark.rule("P10-26")
def test_the_tied_play_the_last_phase_again():
    """Alone, with ten fresh cards."""
    state = tied().state
    assert state.tied == (0, 2)
    assert state.dealt_in == (0, 2)
    assert [len(own.hand) for own in state.seats] == [10, 0, 10]
    assert [state.seats[who].phase for who in (0, 2)] == [10, 10]
    assert not state.seats[0].laid
    assert state.dealer == 0  # it was seat 2
    assert OFFICIAL.outcome(state) is None


def in_tie(*seats, rules=OFFICIAL, **fields):
    """A hand of the tied seats 0 and 2, seat 0 to act after its draw."""
    before = DealResult(0, (10, 8, 10), (True, True, True), (0, 5, 5))
    values = {"results": (before,), "groups": {0: SETS}, **fields}
    return table(*seats, tied=(0, 2), dealt_in=(0, 2), drawn=True, rules=rules, **values)  # fmt: skip


ONE = done("R1", phase=10, completed=10, score=55)
BEHIND = seat(phase=8, completed=8)
TWO = done("R3 R4", phase=10, completed=10, score=55)


@pytest.mark.rule("P10-26")
def test_the_first_of_the_tied_to_go_out_wins():
    """Points of these hands do not count."""
    game = Game(in_tie(ONE, BEHIND, TWO)).play("discard R1")
    assert game.result.ranking == ((0,), (2,), (1,))
    assert game.result.reason == "finished"
    assert game.fact("deal_over")["points"] == [None, None, None]
    assert game.state.seats[2].score == 55


@pytest.mark.rule("P10-26")
def test_in_a_tie_break_only_the_tied_can_be_skipped():
    """And laying down is not credited again."""
    one = seat("S R5 B5 G5 Y5 W R7 B7 G7 R1 R2", phase=10, completed=10, score=55)
    state = in_tie(one, BEHIND, TWO, groups={2: laid(1, "R9 B9 G9/R10 B10 G10")})
    assert [m.named for m in OFFICIAL.legal_moves(state, 0) if getattr(m, "card", "") == "S"] == [2]
    game = Game(state).play("lay 5 5 5 5 W / 7 7 7")
    assert game.state.seats[0].completed == 10


@pytest.mark.rule("P10-26", "P10-18")
def test_a_tie_break_without_a_winner_is_followed_by_another():
    """The deal moves left among the tied."""
    floating = done(is_floating=True, phase=10, completed=10, score=55)
    one = done("Y5", phase=10, completed=10, score=55)
    state = in_tie(one, BEHIND, floating, rules=FAMILY, dealer=2)
    game = Game(state).play("hit Y5 on 0.0")
    assert game.result is None
    assert game.state.dealt_in == (0, 2)
    assert game.state.dealer == 0
    assert game.state.results[-1].is_tie_break


@pytest.mark.rule("GEN-7", "P10-26")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY], ids=lambda rules: rules.id.name)
def test_resigning_untied_in_a_tie_break_changes_nothing(rules):
    """Seat 1 has earned the third place and keeps it, before who resigned earlier or from the tie."""
    before = DealResult(0, (10, 8, 10, 9), (True,) * 4, (0, 5, 5, None))
    state = in_tie(ONE, BEHIND, TWO, BEHIND, resigned=(3,), results=(before,), rules=rules)
    game = Game(state).resign(1)
    assert [own["resigned"] for own in rules.view(game.state, None)["seats"]] == [
        False, False, False, True,
    ]  # fmt: skip
    assert game.resign(2).result.ranking == ((0,), (1,), (2,), (3,))
    assert game.result.reason == "finished"
    assert [own["resigned"] for own in game.result.scores] == [False, False, True, True]


@pytest.mark.rule("P10-27", "GEN-17")
def test_the_rest_rank_by_phases_then_points():
    """Equal ones share the place."""
    game = last_hand(
        done("R1", phase=10, completed=10, score=999),
        seat(phase=8, completed=7, score=10),
        seat(phase=9, completed=8, score=50),
        seat(phase=8, completed=7, score=10),
        seat(phase=8, completed=7, score=5),
    )
    assert game.result.ranking == ((0,), (2,), (4,), (1, 3))


@pytest.mark.rule("P10-31", "P10-14", "GEN-8")
def test_max_plies_stops_the_game():
    """A phase laid down counts, the cards of the running hand do not."""
    hand = "R5 B5 G5 Y5 W R1 R2 R3 R4"
    own = seat(hand, phase=3, completed=2, score=90)
    state = table(
        own, seat("R8", phase=3, completed=2, score=20), drawn=True, ply=9,
        options={"max_plies": 10},
    )  # fmt: skip
    game = Game(state).play("lay")
    assert game.state.ply == 10
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0,), (1,))
    assert game.state.seats[0].score == 90
    assert game.kinds == ["laid", "stopped", "game_over"]


# --- other games ----------------------------------------------------------------------------------


@pytest.mark.rule("P10-V2")
def test_phases_to_win_cuts_the_list():
    """The game ends with the last one left."""
    assert phase_list(setup(2, phases_to_win=5).options) == (1, 2, 3, 4, 5)
    assert phase_list(setup(2, phases=[2, 5, 9], phases_to_win=2).options) == (2, 5)
    game = last_hand(done("R1"), seat("W"), options={"phases_to_win": 1})
    assert game.result.ranking == ((0,), (1,))


@pytest.mark.rule("P10-V3", "P10-24")
def test_even_phases_or_any_list():
    """With even phases, phase 4 follows phase 2."""
    assert phase_list(setup(2, even_only=True).options) == (2, 4, 6, 8, 10)
    assert phase_list(setup(2, even_only=True, phases_to_win=2).options) == (2, 4)
    assert OFFICIAL.start(setup(2, phases=[3, 7])).state.seats[0].phase == 3
    game = last_hand(
        done("R1", phase=2, completed=1), seat("W", phase=2), options={"even_only": True}
    )
    assert [own.phase for own in game.state.seats] == [4, 2]


@pytest.mark.rule("P10-V1")
def test_ten_hands_everybody_moves_on():
    """Hand k is for phase k of the list, made or not."""
    game = last_hand(done("R1"), seat("W"), options={"ten_hands": True, "phases": [1, 5, 8]})
    assert [own.phase for own in game.state.seats] == [5, 5]


@pytest.mark.rule("P10-V1")
def test_ten_hands_the_lowest_total_wins():
    """Phases mean nothing; the game has as many hands as phases."""
    before = DealResult(0, (1, 1), (True, False), (0, 5))
    game = last_hand(
        done("R1", phase=2, completed=2, score=50), seat("W", phase=2, score=20),
        options={"ten_hands": True, "phases_to_win": 2}, results=(before,), deal=1,
    )  # fmt: skip
    assert game.result.ranking == ((1,), (0,))


@pytest.mark.rule("P10-V1", "P10-26")
def test_ten_hands_a_tie_is_played_off():
    """With the last phase."""
    game = last_hand(
        done("R1", score=25), seat("W"), seat("W W"),
        options={"ten_hands": True, "phases": [1]},
    )  # fmt: skip
    assert game.state.tied == (0, 1)
    assert [own.phase for own in game.state.seats[:2]] == [1, 1]
