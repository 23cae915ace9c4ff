"""How long a game takes by mail."""

from __future__ import annotations

import pytest

from pbem.service.lobby import making as lobby
from pbem.service.lobby.forecast import Proposal, expected_mails, shorter
from tests.service.conftest import NAMES, Table


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "mails"),
    [
        ("phyliss", 3, {"deals": 2}, 132),
        ("cathedral", 2, {}, 68),
        ("cathedral", 3, {}, None),
        ("phalanx", 2, {"max_battles": 10}, 130),
        ("phalanx", 2, {}, None),
        ("phalanx", 3, {"stakes": "zones", "max_battles": 3}, 122),
        ("phase10", 2, {}, 342),
        ("phase10-family", 4, {"phases_to_win": 5}, 157),
        ("phase10", 2, {"ten_hands": True}, None),
    ],
)
def test_expected_mails(
    table: Table, ruleset: str, players: int, options: dict[str, object], mails: int | None
) -> None:
    """Measured figures are scaled to the agreed length; what was not measured is not told."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:players]]
    game = lobby.create_game(table.service, ruleset=ruleset, people=people, options=options)  # type: ignore[arg-type]
    assert expected_mails(game) == mails


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
    """Games that take months are proposed shorter; nothing is proposed that was not measured."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:players]]
    game = lobby.create_game(table.service, ruleset=ruleset, people=people, options=options)  # type: ignore[arg-type]
    assert shorter(game) == proposal
