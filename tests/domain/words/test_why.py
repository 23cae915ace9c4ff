"""Test the explanations of `pbem mail parse --why`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from engine import registry
from pbem.cli.app import app
from pbem.domain.words.why import why

PHALANX = registry.find("phalanx")
NAMES = ("Anna", "Bob")


def test_a_move_names_its_row() -> None:
    told = why("throw the eight to Bob", PHALANX, NAMES)
    assert (told["kind"], told["order"]) == ("game", "play 8 with 1")
    assert told["languages"]["en"]["rows"] == {"play {card} with {name}": "play 8 with Bob"}  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "language", "doubt"),
    [("maybe play the eight left", "en", ["maybe"]), ("nicht die Acht links", "de", ["nicht"])],
)
def test_a_doubt_is_named(text: str, language: str, doubt: list[str]) -> None:
    told = why(text, PHALANX, NAMES, language)
    assert told["kind"] != "game"
    assert told["languages"][language]["doubt"] == doubt  # type: ignore[index]


def test_unknown_words_are_named() -> None:
    told = why("play the eight piano left", PHALANX, NAMES)
    assert told["languages"]["en"]["unknown"] == ["piano"]  # type: ignore[index]


def test_what_somebody_else_is_told_is_said() -> None:
    assert why("Bob, throw the eight!", PHALANX, NAMES)["told_to_somebody"] is True


def test_the_command_prints_it() -> None:
    done = CliRunner().invoke(
        app, ["mail", "parse", "--why", "down goes the seven", "--game", "phyliss"]
    )
    assert json.loads(done.stdout)["order"] == "play 7"


def test_a_line_without_a_game_is_refused() -> None:
    refused = CliRunner().invoke(app, ["mail", "parse", "--why", "down goes the seven"])
    assert refused.exit_code == 2
    assert "--game" in refused.output
