"""Test the memory of `pbem serve` and its parser process. docs/dev/bench.md lists the figures."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.patience import patience

MAX = 115.0
"""Maximum private memory in MB after some replies. 113 MB were measured."""


@pytest.mark.slow
@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11) or platform.machine() != "x86_64" or not platform.libc_ver()[0],
    reason="the figure is that of CPython 3.11 with glibc on x86-64",
)
def test_a_service_with_its_reading_process_holds_no_more_than_the_page_says(
    tmp_path: Path,
) -> None:
    """This fails if handling a message loads a large new library or table."""
    report, env = tmp_path / "load.json", os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    # pip compiles installed modules, uv does not. Otherwise the compiler's memory would be measured.
    compiled = ["-m", "compileall", "-q", sysconfig.get_path("purelib"), "pbem", "engine"]
    for arguments in (
        compiled,
        ["-m", "trials.load", "--mails=60", "--games=10", f"--json={report}"],
    ):
        subprocess.run(
            [sys.executable, *arguments],
            check=arguments is not compiled,  # templates of packages need not be Python
            capture_output=True,
            cwd=Path(__file__).parents[2],
            env=env,
            timeout=patience(240),
        )
    memory = json.loads(report.read_text(encoding="utf-8"))["memory"]
    assert memory[-1] <= MAX, memory
