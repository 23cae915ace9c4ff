"""Test the dealer of the next game at the same table, and the length of a game."""

from __future__ import annotations

from typing import Any

import pytest

from engine import registry
from engine.api import Seat, Setup

PLACES = [[Seat(2)], [Seat(0), Seat(3)]]
DEALER = 1


def dealer_after(name: str, places: list[list[Seat]]) -> int | None:
    rules = registry.find(name)
    setup = Setup(4, bytes(32), rules.check_options(4, {"dealer": DEALER}))
    return rules.next_dealer(rules.start(setup).state, places)


@pytest.mark.rule("PHY-24")
def test_the_loser_deals() -> None:
    """The seat that is ranked last; of equal ones the last of the table."""
    assert dealer_after("phyliss", PLACES) == 3
    assert dealer_after("phyliss", PLACES[:1]) == 2


@pytest.mark.rule("CAT-4")
def test_the_winner_deals() -> None:
    assert dealer_after("cathedral", PLACES) == 2
    assert dealer_after("cathedral", PLACES[1:]) == 3


@pytest.mark.rule("P10-4")
@pytest.mark.parametrize("name", ["phase10", "phase10-family", "phalanx"])
def test_the_deal_moves_left(name: str) -> None:
    assert dealer_after(name, PLACES) == DEALER + 1


@pytest.mark.parametrize("name", registry.names())
def test_without_places_the_deal_moves_left(name: str) -> None:
    """A game that was stopped has no winner and no loser."""
    assert dealer_after(name, []) == DEALER + 1


@pytest.mark.rule("PLX-V7")
@pytest.mark.parametrize(
    ("name", "players", "given", "turns"),
    [
        ("phyliss", 3, {"deals": 2}, 132),
        ("cathedral", 3, {}, None),
        ("phalanx", 2, {"max_battles": 10}, 130),
        ("phalanx", 2, {}, None),
        ("phalanx", 2, {"stakes": "per_card"}, None),
        ("phase10", 2, {}, 342),
        ("phase10", 2, {"ten_hands": True}, None),
        ("phase10-family", 4, {"phases_to_win": 5}, 157),
    ],
)
def test_expected_turns(name: str, players: int, given: dict[str, Any], turns: int | None) -> None:
    """Measured numbers are scaled to the agreed length; what was not measured is not told."""
    rules = registry.find(name)
    assert rules.expected_turns(players, rules.check_options(players, given)) == turns
