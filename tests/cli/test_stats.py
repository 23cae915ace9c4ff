"""Test `pbem stats`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.conftest import Shell
from tests.service.league.test_ratings import ended


def test_the_list_and_the_plot(shell: Shell) -> None:
    """The best first, with rating, punctuality and games; then ratings over time."""
    ended(shell.table, "AB", "Bob, Anna")
    ended(shell.table, "ABC", "Bob, Anna = Carol")
    said = shell.done("stats")
    assert "Standings, all games" in said
    rows = [re.findall(r"\w+", row) for row in said.splitlines() if row.startswith("│")]
    assert [(place, name, row[-1]) for place, name, *row in rows] == [
        ("1", "Bob", "2"),
        ("2", "Carol", "1"),
        ("3", "Anna", "2"),
    ]
    assert "Ratings over time: 1. Bob, 2. Carol, 3. Anna" in " ".join(said.split())
    assert "@" not in said
    assert "Standings, Phyliss" in shell.done("stats", "-r", "phyliss")


def test_for_machines(shell: Shell) -> None:
    """One object with numbers, by ids; nothing is finished, nothing is listed."""
    assert "finished yet" in shell.done("stats")
    assert shell.json("stats")["standings"] == []
    game = ended(shell.table, "AB", "Bob, Anna")
    data = shell.json("stats", "--player", "Anna")
    first, second = data["standings"]
    assert (first["place"], first["name"], first["games"]) == (1, "Bob", 1)
    assert first["against"] == {"ahead": 0, "behind": 1, "level": 0}
    assert second["against"] is None
    assert first["rating"] > 25 > second["rating"]
    assert first["surely"] < first["rating"]
    (step,) = data["course"]
    assert (step["game"], step["rating"]) == (game.id, second["rating"])


def test_a_page(shell: Shell, tmp_path: Path) -> None:
    """One file; a place where nothing can be written is refused."""
    file = tmp_path / "standings.html"
    assert str(file) in shell.done("stats", "--html", str(file))
    assert "finished yet" in file.read_text("utf-8")
    ended(shell.table, "AB", "Bob, Anna")
    assert shell.json("stats", "--html", str(file), "--player", "Bob")["file"] == str(file)
    page = file.read_text("utf-8")
    assert "1. Bob" in page
    assert "Bob 1, they 0, level 0" in page
    assert "<svg" in page
    assert "No such file" in shell.refused("stats", "--html", str(tmp_path / "none" / "x.html"))
