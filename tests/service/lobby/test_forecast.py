"""Test the estimate of a game's duration by mail."""

from __future__ import annotations

import pytest

from pbem.service.lobby import making as lobby
from pbem.service.lobby.new_game import Proposal, shorter
from tests.service.conftest import NAMES, Table


@pytest.mark.rule("PLX-V7")
@pytest.mark.parametrize(
    ("ruleset", "players", "options", "proposal"),
    [
        ("phalanx", 4, {}, Proposal("max_battles", 5, 107)),
        ("phase10", 2, {}, Proposal("phases_to_win", 5, 143)),
        ("phase10-family", 5, {}, None),
        ("phase10", 2, {"phases_to_win": 3}, None),
        ("phalanx", 2, {"max_battles": 7}, None),
        ("phyliss", 4, {}, None),
    ],
)
def test_a_long_game_comes_with_a_proposal(
    table: Table, ruleset: str, players: int, options: dict[str, object], proposal: Proposal | None
) -> None:
    """Propose shorter games only where their length was measured."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:players]]
    game = lobby.create_game(table.service, people, lobby.GamePlan(ruleset, options=options))  # type: ignore[arg-type]
    assert shorter(game) == proposal
