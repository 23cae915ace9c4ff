"""Test which database dialects the tables import."""

from __future__ import annotations

import subprocess
import sys


def test_the_tables_load_no_postgresql() -> None:
    """The dialect takes 2 MB in a service on SQLite. An index that names the dialect would load it."""
    script = (
        "import sys, pbem.store.rows.core, pbem.store.rows.game_rows, pbem.store.rows.lobby_rows\n"
        "print([name for name in sys.modules if name.startswith('sqlalchemy.dialects.postgresql')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
