"""Plots of values over time, for a terminal and as SVG on a page.

Each line is a step function: a value is valid until the next value. The plot is readable without
colour, because each line ends in its number from the list next to the plot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rich.text import Text

COLOURS = ("cyan", "yellow", "magenta", "green", "red", "blue")
"""Colours of the lines in a terminal. Pages have the same number in their style."""
MAX_LINES = len(COLOURS)
_ROWS, _MIN_COLUMNS, _LABEL = 12, 20, 6
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 360, 230, 30, 18, 10, 24
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Point:
    """A value from a time on, with its uncertainty `unsure`."""

    at: datetime
    value: float
    unsure: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A series of values, oldest first. `number` and `name` identify it in the list."""

    number: int
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The ranges of times and values of a plot. Neither range is empty."""

    begin: datetime
    end: datetime
    low: float
    high: float

    def across(self, at: datetime) -> float:
        """Return the horizontal position of a time, from 0 to 1."""
        return (at - self.begin) / (self.end - self.begin)

    def up(self, value: float) -> float:
        """Return the vertical position of a value, from 0 (bottom) to 1."""
        return (value - self.low) / (self.high - self.low)

    def values(self) -> list[float]:
        """Return the values to label, lowest first."""
        return [self.low + (self.high - self.low) * n / _TICKS for n in range(_TICKS + 1)]

    def label(self, at: datetime) -> str:
        """Format a time with a precision that suits the range."""
        is_short = self.end - self.begin < timedelta(days=3)
        return f"{at:%d %b %H:%M}" if is_short else f"{at:%d %b %Y}"


def _frame(lines: Sequence[Curve], *, with_margin: bool = False) -> _Frame:
    points = [point for line in lines for point in line.points]
    begin, end = min(point.at for point in points), max(point.at for point in points)
    values = [point.value for point in points]
    if with_margin:
        values = [point.value + off * point.unsure for point in points for off in (-1, 1)]
    room = max(1.0, (max(values) - min(values)) / 10)
    if begin == end:
        begin -= timedelta(hours=1)
    return _Frame(begin, end, min(values) - room, max(values) + room)


# -- for a terminal --------------------------------------------------------------------------------


def plot(lines: Sequence[Curve], width: int) -> Text:
    """Draw lines with characters. The first lines are in front.

    Args:
        lines: at most `MAX_LINES`, with at least one point each.
        width: columns of the terminal.
    """
    frame = _frame(lines)
    ends = [
        [
            (str(line.number), colour)
            for line, colour in zip(lines, COLOURS, strict=False)
            if _row(frame, line.points[-1].value) == row
        ]
        for row in range(_ROWS)
    ]
    room = max(sum(len(number) + 1 for number, _ in row) for row in ends)
    columns = max(_MIN_COLUMNS, width - _LABEL - 2 - room)
    grid = [[(" ", "")] * columns for _ in range(_ROWS)]
    for line, colour in reversed(list(zip(lines, COLOURS, strict=False))):
        _draw(grid, frame, line, colour)
    labels = {_row(frame, value): f"{value:.1f}" for value in frame.values()}
    text = Text()
    for number, cells in enumerate(grid):
        text.append(f"{labels.get(number, ''):>{_LABEL}} ┤" if number in labels else " " * 7 + "│")
        for char, colour in cells:
            text.append(char, style=colour)
        for mark, colour in ends[number]:
            text.append(" ").append(mark, style=f"bold {colour}")
        text.append("\n")
    first, last = frame.label(frame.begin), frame.label(frame.end)
    text.append(f"{' ' * _LABEL} └{'─' * columns}\n")
    text.append(f"{' ' * (_LABEL + 2)}{first}{last:>{max(1, columns - len(first))}}")
    return text


def _row(frame: _Frame, value: float) -> int:
    return round((1 - frame.up(value)) * (_ROWS - 1))


def _draw(grid: list[list[tuple[str, str]]], frame: _Frame, line: Curve, colour: str) -> None:
    last = len(grid[0]) - 1
    positions = [round(frame.across(point.at) * last) for point in line.points]
    rows = [_row(frame, point.value) for point in line.points]
    for number, (column, row) in enumerate(zip(positions, rows, strict=True)):
        if number:
            before = rows[number - 1]
            for between in range(min(row, before) + 1, max(row, before)):
                grid[between][column] = ("│", colour)
        until = positions[number + 1] if number + 1 < len(positions) else last
        for across in range(column, until + 1):
            grid[row][across] = ("─", colour)
    for column, row in zip(positions, rows, strict=True):
        grid[row][column] = ("•", colour)


# -- for a page ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of a drawing, in drawing units: its path, the outline of its margin, and its label."""

    number: int
    path: str
    margin: str
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plot:
    """All data for an SVG. Labels are pairs of position and text."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    curves: tuple[Stroke, ...]
    values: tuple[tuple[float, str], ...]
    begin: str
    end: str


def drawing(lines: Sequence[Curve]) -> Plot | None:
    """Lay out lines for a page, or return None without lines. A single line gets a margin."""
    if not lines:
        return None
    frame = _frame(lines, with_margin=len(lines) == 1)

    def x(at: datetime) -> float:
        return round(_LEFT + frame.across(at) * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        height = _HEIGHT - _TOP - _BOTTOM
        return round(_TOP + (1 - frame.up(value)) * height, 1)

    def steps(line: Curve, off: int) -> list[str]:
        levels = [y(point.value + off * point.unsure) for point in line.points]
        corners = [f"{x(line.points[0].at)},{levels[0]}"]
        for point, before, level in zip(line.points[1:], levels, levels[1:], strict=False):
            corners += [f"{x(point.at)},{before}", f"{x(point.at)},{level}"]
        return [*corners, f"{x(frame.end)},{levels[-1]}"]

    curves = []
    for line in lines[:MAX_LINES]:
        margin = [*steps(line, 1), *reversed(steps(line, -1))] if len(lines) == 1 else []
        end = (x(frame.end) + 3, y(line.points[-1].value) + 4)
        curves.append(Stroke(line.number, " ".join(steps(line, 0)), " ".join(margin), end))
    return Plot(
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_WIDTH - _RIGHT,
        bottom=_HEIGHT - _BOTTOM,
        curves=tuple(curves),
        values=tuple((y(value), f"{value:.1f}") for value in frame.values()),
        begin=frame.label(frame.begin),
        end=frame.label(frame.end),
    )
