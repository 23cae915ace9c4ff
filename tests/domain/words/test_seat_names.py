"""Moves as people read them: names for seat numbers, where they read back."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, read_line

NAMES = ("Anna", "Bob", "Anna Maria")


@pytest.mark.parametrize(
    ("move", "shown", "ruleset"),
    [
        ("discard S 1", "discard S Bob", "phase10"),
        ("discard S", "discard S", "phase10"),
        ("discard G3", "discard G3", "phase10"),
        ("hit R5 on 2.0", "hit R5 on Anna Maria.0", "phase10"),
        ("hit W on 1.10 high", "hit W on Bob.10 high", "phase10-family"),
        ("play Ks right x 10d@2", "play Ks right x 10d@Anna Maria", "phalanx"),
        ("play 10s right", "play 10s right", "phalanx"),
        ("flip 2", "flip 2", "phyliss"),
    ],
)
def test_names_for_seats_and_back(move: str, shown: str, ruleset: str) -> None:
    assert with_seat_names(move, NAMES) == shown
    line = read_line(shown, [registry.find(ruleset)], NAMES)
    assert (line.kind, line.order) == (LineKind.GAME, move)


@pytest.mark.parametrize("name", ["A;B", "Bob", "דניאל", "Maximiliana Wilhelmina Theodora", ""])
def test_a_name_that_would_not_read_back_is_left_out(name: str) -> None:
    """With a separator of orders, one that two of them share, from right to left, long, or none."""
    assert with_seat_names("discard S 0", [name, "Bob"]) == "discard S 0"


def test_a_seat_that_nobody_has_stays_a_number() -> None:
    assert with_seat_names("discard S 4", NAMES) == "discard S 4"
