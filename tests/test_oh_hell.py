"""Test the separate package of Oh Hell with its own tests and those for every game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
OF_EVERY_GAME = (  # what service/core/test_every_game.py asks, its own whole games by mail do
    *("tests/engine/test_leaving.py", "tests/engine/test_options_registry.py"),
    *("tests/engine/test_next_game.py", "tests/engine/test_rulebook_german.py"),
    *("tests/domain/table/test_every_ruleset.py", "tests/domain/table/test_retraction.py"),
    *("tests/web/test_whole_games.py", "tests/web/test_access.py"),
    "trials/leaks/test_noninterference.py",
)


def test_it_passes_where_it_is_installed() -> None:
    """In a process of its own, in which the package is there from the beginning."""
    own = ["games/oh-hell", "tests/games/oh_hell_by_mail.py", *OF_EVERY_GAME]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"),
            *("-k", "ohhell or oh_hell", *own),
        ],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:]
