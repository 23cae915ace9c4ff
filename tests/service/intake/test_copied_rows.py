"""Test rows of our list of moves that are copied below the quote without a mark."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table

INTRODUCTIONS = {
    "header block": "-----Original Message-----\nFrom: Game\nSent: Friday, November 20, 2026 6:00 PM\n",
    "attribution": "On Sat, Nov 28, 2026 at 7:00 AM Cards <game@play.example.org> wrote:\n",
    "nothing": "",
}
LAST_LINES = {"whole": None, "within the list": 3, "before the list": 0}
"""Number of list rows in the copy of our message, or None for the whole message."""


@pytest.mark.parametrize(("answers", "below"), [(0, "\nCheers\nAnna\n"), (2, "")])
@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=list(INTRODUCTIONS))
@pytest.mark.parametrize("rows", LAST_LINES.values(), ids=list(LAST_LINES))
def test_a_copied_row_is_played_or_asked_about(
    table: Table, answers: int, introduction: str, rows: int | None, below: str
) -> None:
    """The copied row may come from any message about the same position."""
    game, seat, _ = table.start(3)
    for _ in range(answers):
        table.answer(seat, "board")
    lines = table.last_to(seat).text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  21  "))
    copy = lines if rows is None else lines[: first + rows]
    quote = "\n".join(copy)
    words = table.ask(seat, f"{introduction}\n{quote}\n\n{lines[first]}\n{below}").words
    is_played = table.game(game.id).position > game.position
    assert is_played or "I cannot tell whether some lines are yours or quoted" in words
    assert "All that I can read in your mail is quoted" not in words
