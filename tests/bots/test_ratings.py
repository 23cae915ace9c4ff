"""Test `make bots`: ratings and tables from games, without playing any game twice."""

from __future__ import annotations

from pathlib import Path

from tools.bots import Cell, kept, levels_by_game, one_game, page, ratings, run

CELL = Cell("cathedral", 2)


def test_what_was_played_is_kept_and_makes_ratings_and_tables(tmp_path: Path) -> None:
    """A run that is continued plays the rest only; who wins more is rated higher."""
    file = tmp_path / "build" / "bots.jsonl"
    games = [(CELL, "random", "standby", number) for number in range(12)]
    run(games[:5], file, 1)
    first = kept(file)
    run(games, file, 1)
    rows = kept(file)
    assert rows[:5] == first
    assert sorted(row.number for row in rows) == list(range(12))
    again = one_game(CELL, "random", "standby", 7)
    (seventh,) = [row for row in rows if row.number == 7]
    assert (again.bots, again.wins, again.shares) == (seventh.bots, seventh.wins, seventh.shares)
    found = ratings(rows)
    assert found["standby"].mu > 25 > found["random"].mu
    assert levels_by_game(rows) == {}, "too few to tell anybody"
    assert levels_by_game(rows * 4)["cathedral"]["standby"] == round(
        ratings(rows * 4)["standby"].mu
    )
    assert "| cathedral, 2 | random, standby | 12 | 0." in page(rows)


def test_what_was_played_with_another_budget_does_not_count(tmp_path: Path) -> None:
    """It is played again, and the old row stays out of the tables."""
    file = tmp_path / "bots.jsonl"
    games = [(CELL, "easy", "standby", number) for number in range(2)]
    run(games, file, 1)
    file.write_text(file.read_text().replace('"budget": "0 0"', '"budget": "7 0"', 1))
    assert len(kept(file)) == 1
    run(games, file, 1)
    assert sorted(row.number for row in kept(file)) == [0, 1]
