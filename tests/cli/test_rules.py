"""`pbem rules`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from engine import registry
from pbem.cli.app import app


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_and_every_option_are_printed(name: str) -> None:
    """The text for players, then a table of the options."""
    result = CliRunner().invoke(app, ["rules", name])
    rules = registry.find(name)
    assert result.exit_code == 0
    assert rules.rules_text().splitlines()[0] in result.output
    for option in rules.options:
        assert option.name in result.output


def test_the_games_are_listed() -> None:
    """Without a name: one line for each ruleset."""
    result = CliRunner().invoke(app, ["rules", "--json"])
    listed = [json.loads(line)["ruleset"] for line in result.output.splitlines()]
    assert listed == [rules.id.name for rules in registry.latest()]
    assert registry.find("phyliss").title in CliRunner().invoke(app, ["rules"]).output


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    """Exit 1, on stderr."""
    result = CliRunner().invoke(app, ["rules", "phylis"])
    assert result.exit_code == 1
    assert "phyliss" in result.output
