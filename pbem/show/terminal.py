"""Display of a position in a terminal with rich, also readable without colour.

Each game lays out its own table (`pbem.games`). Nothing depends on colour alone: suits are glyphs,
and cards of Phase 10 have letters.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from engine.api import JsonObject
from engine.cards import RANK_OF, SUIT_OF, card
from pbem.games.picture import Cell, Grid, Line
from pbem.games.profile import profile_of

GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PAINT = {
    "R": "bold #ffffff on #b02626",
    "B": "bold #ffffff on #1f5fb8",
    "G": "bold #ffffff on #1e7d3c",
    "Y": "bold #1a1606 on #f2c531",
    "W": "bold #ffffff on #3a3440",
    "S": "bold #ffffff on #6d6d75",
}


class Flow:
    """Pieces of text on a line, which wraps only between pieces."""

    def __init__(self, line: Line) -> None:
        self.pieces = [_painted(text, look) for text, look in line]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for piece in self.pieces:
            if line and line.cell_len + 1 + piece.cell_len > options.max_width:
                yield line
                line = Text()
            if line:
                line.append(" ")
            line.append_text(piece)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [piece.cell_len for piece in self.pieces] or [0]
        return Measurement(max(widths), sum(widths) + len(widths) - 1).with_maximum(
            options.max_width
        )


def draw(ruleset: str, view: JsonObject, names: Sequence[str]) -> RenderableType:
    """Draw the table of a view. `names` are in the order of seats."""
    picture = profile_of(ruleset).picture
    if picture is None:
        return Text(str(view))
    return Group(
        *(
            _grid(section) if isinstance(section, Grid) else Flow(section)
            for section in picture(view, names)
        )
    )


def card_text(face: str) -> Text:
    """Return a face-up card in its colours."""
    if face[:1] in PAINT:
        return Text(f" {face} ", PAINT[face[0]])
    try:
        known = card(face)
    except ValueError:
        return Text(f" {face} ")
    colour = "#b3121d" if SUIT_OF[known] in "dh" else "#15181a"
    return Text(f" {RANK_OF[known]}{GLYPHS[SUIT_OF[known]]} ", f"bold {colour} on #f7f5ef")


def _painted(text: str, look: str) -> Text:
    if look == "card":
        return card_text(text)
    if look == "down":
        return Text(f"({card_text(text).plain.strip()})", "dim")
    return Text(text, look)


def _grid(grid: Grid) -> Table:
    table = Table(title_justify="left", pad_edge=False, show_lines=True)
    for title in grid.titles:
        table.add_column(title)
    for row in grid.rows:
        table.add_row(*map(_cell, row))
    return table


def _cell(cell: Cell) -> RenderableType:
    if isinstance(cell, list):
        return Group(*map(Flow, cell))
    return Text(cell) if isinstance(cell, str) else Flow(cell)
