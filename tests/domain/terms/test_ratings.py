"""Test ratings after a game, from earlier ratings and the ranking."""

from __future__ import annotations

import pytest

from pbem.domain.terms.ratings import Rating, rated

NEW = Rating()


def test_places_order_the_ratings() -> None:
    """The first player gains most, the last loses most, and every uncertainty shrinks."""
    after = rated([NEW] * 4, [2, 1, 4, 3], [False] * 4)
    assert after[1].mu > after[0].mu > after[3].mu > after[2].mu
    assert after[1].mu > NEW.mu > after[2].mu
    assert all(rating.sigma < NEW.sigma for rating in after)


@pytest.mark.rule("GEN-17")
def test_equal_places_are_a_tie() -> None:
    """Two of equal strength in one place stay equal; the weaker one gains by it."""
    after = rated([NEW] * 3, [1, 2, 2], [False] * 3)
    assert after[1] == after[2]
    strong, weak = rated([Rating(30, 4), Rating(20, 4)], [1, 1], [False, False])
    assert strong.mu < 30
    assert weak.mu > 20


def test_a_surprise_counts_more() -> None:
    """To beat a stronger player is worth more than to beat an equal one."""
    surprise, _ = rated([Rating(20, 4), Rating(30, 4)], [1, 2], [False, False])
    expected, _ = rated([Rating(30, 4), Rating(20, 4)], [1, 2], [False, False])
    assert surprise.mu - 20 > expected.mu - 30 > 0


@pytest.mark.parametrize(("places", "moves"), [([1, 2], False), ([2, 1], True)])
def test_who_sat_out_gains_nothing(places: list[int], moves: bool) -> None:
    """A bot's success is nobody's merit, its failure the person's; the others are rated as ever."""
    absent, present = rated([NEW, NEW], places, [True, False])
    assert (absent != NEW) == moves
    assert absent.mu <= NEW.mu
    assert present == rated([NEW, NEW], places, [False, False])[1]


def test_caution_takes_the_uncertainty_off() -> None:
    """So a single lucky game does not lead to the top of the table."""
    assert Rating(25, 5).cautious == 10
    assert NEW.cautious == pytest.approx(0, abs=0.001)
