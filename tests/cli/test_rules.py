"""Test `pbem rules`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine import registry
from pbem.cli.app import app
from tools import new_game


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_and_every_option_are_printed(name: str) -> None:
    """The text for players, then a table of the options."""
    result = CliRunner().invoke(app, ["rules", name])
    rules = registry.find(name)
    assert result.exit_code == 0
    assert rules.rules_text().splitlines()[0] in result.output
    for option in rules.options:
        assert option.name in result.output


def test_the_options_given_are_in_force() -> None:
    """For that many players; marked in the text, complete for machines."""
    arguments = ["rules", "phalanx", "-o", "stakes=zones", "-o", "bankroll=50", "--players", "3"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert "* stakes=zones (usually cards)" in result.output
    assert "Everybody begins with 50 chips" in " ".join(result.output.split())
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert (told["ruleset"], told["players"]) == ("phalanx/1", 3)
    assert (told["in_force"]["bankroll"], told["in_force"]["dealer"]) == (50, 2)
    assert told["text"] == registry.find("phalanx").rules_text(
        3, {"stakes": "zones", "bankroll": 50}
    )


def test_games_are_listed_with_the_packages_that_bring_them(tmp_path: Path) -> None:
    """One that cannot be loaded is named with the reason, and hides no other."""
    new_game.write(tmp_path / "good")
    new_game.write(tmp_path / "bad")
    project = (tmp_path / "bad/pyproject.toml").read_text("utf-8")
    (tmp_path / "bad/pyproject.toml").write_text(
        project.replace("pbem-highcard", "pbem-bad").replace(":GAME", ":GONE"), encoding="utf-8"
    )
    new_game.install(tmp_path / "good", tmp_path / "place")
    shutil.rmtree(tmp_path / "bad/pbem_highcard")
    new_game.install(tmp_path / "bad", tmp_path / "place")
    with new_game.on_path(tmp_path / "place"):
        result = CliRunner().invoke(app, ["games", "--json"])
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        told = CliRunner().invoke(app, ["games"])
    assert result.exit_code == 0
    assert [row["ruleset"] for row in rows] == [*registry.names(), "highcard", "highcard"]
    assert rows[0]["package"].startswith("pbem-cards==")
    assert rows[-2] == {
        "ruleset": "highcard",
        "version": 1,
        "title": "High Card",
        "players": "2-6",
        "package": "pbem-highcard==1.0",
    }
    assert rows[-1]["package"] == "pbem-bad==1.0"
    assert "GONE" in rows[-1]["error"]
    assert "highcard of pbem-bad==1.0 cannot be played: AttributeError" in " ".join(
        told.output.split()
    )
