"""Two worlds that differ in what a player cannot know: every byte the player gets is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from tests.engine.chance import chance
from tests.leaks.worlds import differences

RULESETS = [rules.id.name for rules in registry.latest()]


@pytest.mark.rule("GEN-5", "GEN-15", "GEN-16")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_hidden_cards_change_no_byte(ruleset: str, tmp_path: Path) -> None:
    """Mails with their headers, refusals, the command line, exports and logs of a running game."""
    luck = chance(f"worlds {ruleset}")
    ((exchanged, where),) = differences(ruleset, 3, {}, 7, luck, tmp_path, plies=10)
    assert where is None
    assert exchanged > 2
