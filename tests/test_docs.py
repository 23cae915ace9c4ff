"""Test that docs/ is built as a site without warnings, and that its links and pictures exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.patience import patience

DOCS = Path(__file__).parents[1] / "docs"
_LINK = re.compile(r'(?:href|src)="(?!https?:|mailto:|data:)([^"#]+)(?:#([^"]*))?"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("site")
    command = [
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-d",
        f"{folder}/trees",
        DOCS,
        f"{folder}/docs",
    ]
    told = subprocess.run(
        [sys.executable, "-B", "-m", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=patience(120),
    )
    assert told.returncode == 0, told.stderr
    return folder / "docs"


def test_every_page_has_its_place_and_every_link_leads_somewhere(site: Path) -> None:
    """Also to folders of GitHub, and to files that are no pages."""
    pages = sorted(site.rglob("*.html"))
    for page in DOCS.rglob("*.md"):
        assert (site / page.relative_to(DOCS)).with_suffix(".html") in pages
    broken = [
        (page.name, target)
        for page in pages
        for target, _ in _LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / unquote(target).partition("?")[0]).exists()
    ]
    assert not broken


def test_the_first_page_leads_to_all_others(site: Path) -> None:
    """By the navigation that is made of its list; the rules are text."""
    first = (site / "index.html").read_text(encoding="utf-8")
    assert "<title>Card games by mail</title>" in first
    assert re.search(r'href="_downloads/[0-9a-f]+/phyliss.txt"', first)
    assert re.search(r'class="caption-text">For players<', first)
    assert not re.search(r'href="[^"]*CONTRIBUTING', first)
