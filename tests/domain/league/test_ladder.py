"""Test that the order of a ladder depends only on its challenges."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pbem.domain.league.ladder import AWAY, REACH, Challenge, ladder_of, rank_of, within_reach
from pbem.domain.league.order import read_challenge

NOW, DAY = datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=1)
PEOPLE = "abcdefg"


def challenge(
    day: int, players: str, places: tuple[int, ...] = (1, 2), sat_out: tuple[bool, ...] = ()
) -> Challenge:
    """A challenge of two people that took a day; seat 0 has won unless the places say otherwise."""
    begun = NOW + day * DAY
    return Challenge(
        f"g{day}", "finished", begun, begun + DAY, tuple(players), places, sat_out or (False, False)
    )


def after(*challenges: Challenge, day: int = 20) -> str:
    return "".join(ladder_of(challenges).standing(NOW + day * DAY))


BEGUN = (challenge(0, "ab"), challenge(1, "ca", (2, 1)), challenge(2, "dc", (2, 1)))
"""Makes a, b, c, d out of nothing: newcomers enter at the foot."""


def test_who_wins_takes_the_place_and_those_between_move_down() -> None:
    assert after(*BEGUN) == "abcd"
    assert after(*BEGUN, challenge(3, "da")) == "dabc"
    assert after(*BEGUN, challenge(3, "db")) == "adbc"
    assert after(*BEGUN, challenge(3, "dc")) == "abdc"


def test_nothing_changes_if_the_upper_one_wins_or_nobody_does() -> None:
    assert after(*BEGUN, challenge(3, "ad")) == "abcd"
    assert after(*BEGUN, challenge(3, "da", (1, 1))) == "abcd"
    assert after(*BEGUN, challenge(3, "da", ())) == "abcd"


def test_who_finishes_no_challenge_for_long_leaves_and_comes_back_at_the_foot() -> None:
    later = AWAY // DAY + 2
    back = [challenge(later + 3, "bc"), challenge(later + 4, "ab")]
    kept = [*BEGUN, challenge(30, "cd"), challenge(60, "bc", (2, 1))]
    assert after(*kept, day=later) == "acbd"
    assert after(*kept, day=later + 1) == "cbd"
    assert after(*BEGUN, day=later + 2) == ""
    assert "".join(ladder_of(BEGUN).standing(NOW + (later + 2) * DAY, "b")) == "b"
    assert after(*BEGUN, *back, day=later + 10) == "abc"


class Years(RuleBasedStateMachine):
    """Challenges at random, within reach, in order of their ends."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Challenge] = []
        self.day = 0

    @rule(
        players=st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=2, unique=True),
        places=st.sampled_from([(1, 2), (2, 1), (1, 1), ()]),
        sat_out=st.sampled_from([(False, False), (True, False), (True, True)]),
        pause=st.integers(1, 50),
    )
    def play(
        self, players: list[str], places: tuple[int, ...], sat_out: tuple[bool, ...], pause: int
    ) -> None:
        before = ladder_of(self.made).order
        self.day += pause
        one = challenge(self.day, "".join(players), places, sat_out)
        stood = ladder_of(self.made).standing(one.created_at)
        self.made.append(one)
        now = ladder_of(self.made).order
        others = [who for who in before if who not in players]
        assert [who for who in now if who not in players] == others
        if not places:
            assert now == before
            return
        upper, lower = sorted(players, key=now.index)
        if one.winner is not None:
            assert upper == one.winner
        elif {*players} <= {*stood}:
            assert now == before
        best = min(rank_of(stood, who) for who in players)
        stands = ladder_of(self.made).standing(one.created_at)
        assert stands.index(upper) + 1 == min(best, len(stands) - 1)
        assert stands.index(lower) >= min(rank_of(stood, lower), len(stands)) - 1

    @invariant()
    def everybody_stands_once(self) -> None:
        now = ladder_of(self.made)
        counted = {who for one in self.made if one.places for who in one.players}
        assert sorted(now.order) == sorted(counted) == sorted(now.active)
        for who in PEOPLE:
            near = within_reach(now.order, who)
            assert len(near) <= REACH
            assert all(rank_of(now.order, one) < rank_of(now.order, who) for one in near)


Years.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
test_years = Years.TestCase


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("anna", ("anna", None, "")),
        ("anna at phyliss", ("anna", "phyliss", "")),
        ("Anna Lena to phase 10", ("Anna Lena", "phase10", "")),
        ("anna 2 phyliss, 1d per move", ("anna 2", "phyliss", " 1d per move")),
        ("anna auf der leiter von phalanx, max_battles 3", ("anna", "phalanx", " max_battles 3")),
        ("anna auf der forderungsliste von phyliss", ("anna", "phyliss", "")),
        ("anna on the ladder of cathedral", ("anna", "cathedral", "")),
        ("phyliss", ("phyliss", None, "")),
        ("", ("", None, "")),
    ],
)
def test_a_challenge_is_read(text: str, found: tuple[str, str | None, str]) -> None:
    assert read_challenge(text) == found
