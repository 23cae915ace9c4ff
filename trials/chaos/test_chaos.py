"""A small run of what `make chaos` does at length."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.databases import sqlite_file
from trials.chaos.checks import compare
from trials.chaos.stage import Plan, run

SEED, SHORT_GAME = 7, 2


@pytest.mark.slow
def test_killed_service_plays_the_same_game(tmp_path: Path) -> None:
    """Three kills in one game, every mail twice: the log of a run in peace, and its mails."""
    plan = Plan(
        name="killed",
        url=f"sqlite:///{sqlite_file(tmp_path, 'killed.sqlite3')}",
        folder=tmp_path / "killed",
        seed=SEED,
        kills=3,
        at_once=1,
        first_game=SHORT_GAME,
        patience=240,
    )
    calm = replace(
        plan,
        name="calm",
        url=f"sqlite:///{sqlite_file(tmp_path, 'calm.sqlite3')}",
        folder=tmp_path / "calm",
        kills=0,
    )
    disturbed = asyncio.run(run(plan))
    undisturbed = asyncio.run(run(replace(calm, least_games=len(disturbed.events))))
    assert disturbed.problems == []
    assert undisturbed.problems == []
    assert compare(disturbed, undisturbed) == []
    assert disturbed.figures["kills"] == 3
    assert disturbed.figures["mails in"] == 2 * disturbed.figures["replies"]
