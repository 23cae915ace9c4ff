"""A bot is given a view and nothing else, and plays by it alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from engine import registry
from engine.api import RulesetId
from engine.errors import NotToActError
from pbem.bots import LEVELS, Chance, choose, find_level
from pbem.errors import Refusal
from pbem.games.face import knowledge_of
from tests.bots.tables import GAMES, NAMES, Position, exchanged, positions
from tests.patience import patience

EASY, HARD, STANDBY = find_level("easy"), find_level("hard"), find_level("standby")


def order_of(position: Position, level: Any, *stream: object) -> str:
    return choose(
        position.rules.id,
        position.setup.players,
        position.setup.options,
        position.view,
        level,
        Chance(*stream),
    )


def some_positions(
    name: str, players: int, given: dict[str, Any], count: int, moves: int = 5
) -> list[Position]:
    """A few positions of a game, spread over it, in which the seat has so many moves or more."""
    every = list(positions(name, players, given, 7, 120))
    every = [position for position in every if len(position.orders) >= moves]
    return every[:: max(1, len(every) // count)][:count]


@pytest.mark.rule("GEN-5", "GEN-16")
@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_hidden_cards_change_no_move(name: str, players: int, given: dict[str, Any]) -> None:
    """Exchange all that the seat cannot know: with the same dice the bot gives the same order."""
    for number, position in enumerate(some_positions(name, players, given, 2)):
        first = order_of(position, EASY, number)
        assert first in position.orders
        for seed in range(2):
            other = Position(
                position.rules, position.setup, exchanged(position, seed), position.seat
            )
            assert other.state != position.state
            assert order_of(other, EASY, number) == first


@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_the_weakest_level_is_the_standby_move(
    name: str, players: int, given: dict[str, Any]
) -> None:
    """It follows from the view alone."""
    for number, position in enumerate(some_positions(name, players, given, 12, 1)):
        move = position.rules.standby_move(position.state, position.seat)
        text = position.rules.format_move(position.state, position.seat, move)
        assert order_of(position, STANDBY, number) == text


@pytest.mark.parametrize("name", registry.names())
def test_the_same_stream_gives_the_same_order(name: str) -> None:
    """Whenever and wherever it is asked."""
    for number, position in enumerate(some_positions(name, 3, {}, 5)):
        assert order_of(position, EASY, "a", number) == order_of(position, EASY, "a", number)


def test_another_stream_is_another_search() -> None:
    """Where much can be played, the dice decide some orders."""
    position = next(positions("phalanx", 3, {}, 7))
    assert len({order_of(position, EASY, number) for number in range(8)}) > 1


@pytest.mark.parametrize("name", registry.names())
def test_a_decision_costs_no_more_than_its_budget(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in plies, so that it ends at the same point on every machine."""
    from pbem.bots.search import Search  # noqa: PLC0415

    spent = []
    best = Search.best

    def counted(self: Search, moves: Any, cautious: int, budget: int) -> int:
        place = best(self, moves, cautious, budget)
        spent.append((self.cost, budget, len(moves)))
        return place

    monkeypatch.setattr(Search, "best", counted)
    for position in some_positions(name, 2, {}, 8):
        order_of(position, EASY, "cost")
    horizon = knowledge_of(name).horizon
    assert spent
    for cost, budget, moves in spent:
        # The last table of a round may overshoot, and small budgets see two tables a round.
        assert cost <= budget + 2 * 2 * moves * (horizon + 30)


PROGRAM = """
import json, sys
from engine.api import RulesetId
from pbem.bots import Chance, choose, find_level
asked = json.load(sys.stdin)
print(choose(RulesetId(asked["ruleset"], 1), asked["players"], asked["options"], asked["view"],
             find_level("easy"), Chance("process")))
"""


@pytest.mark.parametrize("name", registry.names())
def test_a_process_that_is_given_only_json_plays(name: str) -> None:
    """Ruleset, seats, options and view as text on stdin: the order is the same as here."""
    position = some_positions(name, 2, {}, 3)[1]
    asked = {
        "ruleset": name,
        "players": 2,
        "options": dict(position.setup.options),
        "view": position.view,
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=patience(120),
    )
    assert done.stdout.strip() == order_of(position, EASY, "process")


def test_a_view_of_nobody_to_act_is_refused() -> None:
    """An observer's view, and that of a seat that waits."""
    position = next(positions("phyliss", 2, {}, 1))
    for viewer in (None, 1 - position.seat):
        view = position.rules.view(position.state, viewer)
        with pytest.raises(NotToActError):
            choose(position.rules.id, 2, position.setup.options, view, EASY, Chance())


def test_an_unknown_level_or_game_is_refused_with_what_there_is() -> None:
    """In plain words."""
    with pytest.raises(Refusal, match=r"did you mean hard\?"):
        find_level("hadr")
    with pytest.raises(Refusal, match="phyliss"):
        knowledge_of("bridge")
    assert [level.name for level in LEVELS] == ["standby", "easy", "hard"]


@pytest.mark.parametrize("rules", registry.RULESETS, ids=lambda rules: str(rules.id))
def test_every_ruleset_has_bots(rules: Any) -> None:
    """A new game or version needs somebody who plays it."""
    assert knowledge_of(rules.id.name).budgets[0] < knowledge_of(rules.id.name).budgets[1]
    assert isinstance(rules.id, RulesetId)
