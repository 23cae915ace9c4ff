"""Test `pbem simulate`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbem.cli.app import app


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["simulate", *args])


def simulated(*args: str) -> Any:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    for row in data["bots"]:
        row["thought"] = row["thought"]["decisions"]  # the seconds are those of this machine
    return data


def test_the_result_depends_on_the_seed_alone() -> None:
    """One process or two: the same numbers; another seed: others."""
    asked = ("cathedral", "--players", "3", "--bots", "standby", "--games", "5")
    one = simulated(*asked, "--seed", "x", "--workers", "1")
    assert simulated(*asked, "--seed", "x", "--workers", "2") == one
    assert simulated(*asked, "--seed", "y", "--workers", "1") != one
    assert one["seats"] == ["standby"] * 3
    assert one["games"] == 5
    assert one["plies_per_game"] > one["turns_per_game"] > 10
    assert one["bots"][0]["place"]["mean"] == pytest.approx(0.5)
    assert one["bots"][0]["wins"]["mean"] == pytest.approx(one["bots"][0]["even_wins"])


def test_each_level_is_listed_with_its_share_and_interval() -> None:
    """Levels are repeated to fill the seats; options reach the game."""
    data = simulated(
        "phalanx", "--players", "3", "--bots", "easy,standby", "--games", "3",
        "--workers", "1", "-o", "max_battles=1", "-o", "tie=swap",
    )  # fmt: skip
    assert data["options"]["max_battles"] == 1
    assert data["options"]["tie"] == "swap"
    assert data["seats"] == ["easy", "standby", "easy"]
    assert [(row["bot"], row["seats"]) for row in data["bots"]] == [("easy", 2), ("standby", 1)]
    for row in data["bots"]:
        assert 0 <= row["place"]["low"] <= row["place"]["mean"] <= row["place"]["high"] <= 1
        assert row["even_wins"] == row["seats"] / 3
        assert row["thought"] > 0
    text = run("phyliss", "--bots", "standby", "--games", "2", "--workers", "1")
    assert text.exit_code == 0
    for word in ("standby", "thought", "plies in", "finished"):
        assert word in text.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("phylliss",), "did you mean phyliss"),
        (("phyliss", "--bots", "hart"), "did you mean hard"),
        (("phyliss", "--bots", "easy,easy,easy"), "3 bots for 2 seats"),
        (("phyliss", "--players", "9"), "2 to 5 players"),
        (("phyliss", "-o", "deals=0"), "1 or more"),
        (("phyliss", "-o", "deels=2"), "did you mean deals"),
        (("phyliss", "-o", "deals"), "--option NAME=VALUE"),
    ],
)
def test_what_cannot_be_played_is_refused(args: tuple[str, ...], words: str) -> None:
    """Exit 1, in plain words that say what would be right."""
    result = run(*args)
    assert result.exit_code == 1
    assert words in " ".join(result.stderr.split())
    said = json.loads(run(*args, "--json").stdout)
    assert said["ok"] is False
    assert words in said["error"]
