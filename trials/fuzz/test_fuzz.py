"""Run a short version of `make fuzz` in the suite."""

from __future__ import annotations

import random  # noqa: TID251  (damage, never what a game deals)
from pathlib import Path

from tests.databases import sqlite_store
from trials.fuzz.__main__ import describing, serving
from trials.fuzz.mutations import damaged, seeds


def test_damaged_mails_are_described_and_handled(tmp_path: Path):
    """No message raises an exception or is quarantined."""
    dice, pool = random.Random(1), seeds()  # noqa: S311
    read = describing()
    for _ in range(150):
        read(damaged(pool, dice))
    with sqlite_store(tmp_path) as store:
        take = serving(store)
        for _ in range(15):
            take(damaged(pool, dice))
