"""Test games of bots against each other: counting, and that more search wins more games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from engine.api import OptionValue
from pbem.bots.arena import Pairing, Played, Thought, play, standings


def pairing(name: str, *bots: str, seed: str = "test", **options: OptionValue) -> Pairing:
    rules = registry.find(name)
    return Pairing(rules.id, rules.check_options(len(bots), options), bots, seed)


def timeless(game: Played) -> Played:
    return replace(game, thought=())


def test_every_level_plays_from_every_seat() -> None:
    """Seats move on by one from game to game."""
    four = pairing("phyliss", "hard", "easy", "easy", "standby")
    seated = [four.seated(number) for number in range(5)]
    assert seated[0] == seated[4] == four.bots
    assert all(sorted(each) == sorted(four.bots) for each in seated)
    assert [each.index("hard") for each in seated] == [0, 1, 2, 3, 0]


def test_standings_sum_up_the_seats_of_a_level() -> None:
    """Two seats of one level: it wins when either does, and its place is their mean."""
    quick = Thought(2, 0.5, 0.4)
    games = [
        Played(("a", "b", "a"), (1, 0, 0), (1, 0.5, 0), 10, 5, "finished", (quick,) * 3),
        Played(("a", "a", "b"), (0, 0, 1), (0.5, 0, 1), 10, 5, "finished", (quick,) * 3),
    ]
    two, one = standings(games)
    assert (two.bot, two.seats, two.wins.mean, two.share.mean) == ("a", 2, 0.5, 0.375)
    assert (one.bot, one.seats, one.wins.mean, one.share.mean) == ("b", 1, 0.5, 0.75)
    assert two.even_wins == pytest.approx(2 / 3)
    assert two.thought == Thought(8, 2.0, 0.4)
    assert two.thought.mean == 0.25
    assert Thought().mean == 0


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("phyliss", {}),
        ("cathedral", {}),
        ("phalanx", {"max_battles": 2}),
        ("phalanx", {"max_battles": 1, "stakes": "zones"}),
        ("phase10", {"phases_to_win": 2}),
        ("phase10-family", {"phases_to_win": 2}),
    ],
)
def test_a_rule_of_thumb_does_not_lose_to_the_cautious_move(
    name: str, options: dict[str, OptionValue]
) -> None:
    """A substitute bot plays at least as well as the standby move, also at full tables. See docs/bots.md."""
    four = pairing(name, "easy", "standby", "easy", "standby", **options)
    easy, _ = standings([play(four, number) for number in range(16)])
    assert easy.share.mean >= 0.48


@pytest.mark.no_cover
def test_much_thought_wins_battles() -> None:
    """Phalanx, where thought counts most."""
    two = pairing("phalanx", "medium", "standby", max_battles=1)
    medium, _ = standings([play(two, number) for number in range(4)])
    assert medium.share.mean >= 0.6
