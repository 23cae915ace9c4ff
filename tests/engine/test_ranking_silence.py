"""Test the end that games share: ranking, and missed deadlines of all seats (GEN-7, GEN-17)."""

import pytest

from engine.ranking import places, rank_by
from engine.silence import CHOSEN, FORCED, NO_TURNS, STANDBY, is_silent, with_turn

QUIET = (STANDBY, STANDBY | FORCED)


@pytest.mark.rule("GEN-17")
def test_equal_scores_share_a_place_and_the_next_places_are_skipped():
    """1, 2, 2, 4; within a place the seats ascend."""
    scores = {0: 5, 1: 3, 2: 5, 3: 9}
    groups = rank_by([3, 2, 1, 0], scores.get)
    assert groups == ((1,), (0, 2), (3,))
    assert places(groups) == {1: 1, 0: 2, 2: 2, 3: 4}


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize(
    ("records", "running", "expected"),
    [
        ((QUIET, QUIET), 0, True),
        ((QUIET, NO_TURNS), 0, False),
        ((QUIET, (0, STANDBY)), 0, False),
        ((QUIET, (STANDBY, FORCED)), 0, False),
        ((QUIET, (CHOSEN | STANDBY, STANDBY)), 0, False),
        ((QUIET, QUIET), CHOSEN, False),
        ((QUIET, QUIET), STANDBY | FORCED, True),
    ],
)
def test_two_turns_of_everybody_held_a_standby_move_and_nothing_chosen(records, running, expected):
    """A turn of forced moves alone is not quiet; a running turn only counts by what was chosen."""
    assert is_silent(records, running, lambda seat: False) == expected


@pytest.mark.rule("GEN-7")
def test_who_is_gone_is_not_waited_for():
    """Only seats that were not quiet are asked about."""
    assert is_silent((QUIET, NO_TURNS), 0, lambda seat: seat == 1)
    assert not is_silent((QUIET, NO_TURNS), 0, lambda seat: seat == 0)


@pytest.mark.rule("GEN-7")
def test_a_finished_turn_pushes_the_oldest_out():
    """Two are kept per seat."""
    assert with_turn(((1, 2), (3, 4)), 1, 5) == ((1, 2), (4, 5))
