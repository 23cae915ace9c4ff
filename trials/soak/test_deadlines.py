"""Simulate weeks of deadlines: none may be early, handled twice or lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.databases import sqlite_store
from trials.soak.deadlines import CLOCKS, Year


@pytest.mark.slow
def test_every_deadline_of_some_months(tmp_path: Path) -> None:
    """Simulate autumn in three zones that change their clocks, with a table for each timing."""
    with sqlite_store(tmp_path) as store:
        year = Year(store, seed=2, tables=len(CLOCKS), days=45)
        year.run()
        counts = year.judge()
    assert len(year.down) >= 3
    assert year.rebuilt >= 1
    for what in ("deadlines", "timeouts", "moves", "bot", "compensated", "extended"):
        assert counts[what] >= 2, counts
