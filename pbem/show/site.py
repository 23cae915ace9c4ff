"""The public pages: lists, leagues and ladders, and the table of each game.

They need neither network access nor scripts. The page of a game contains the script of the replay
page, which steps through its moves. Templates are in `templates/pages/`, and common files in
`templates/replay/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from engine.api import JsonObject, JsonValue
from pbem.show import cards, page
from pbem.show.page import Still

MAX_BYTES = 100_000
"""Maximum size of a page."""
_FEWEST_LINES, _FEWEST_GAMES = 20, 4


@dataclass(frozen=True, slots=True)
class Line:
    """A game in a list.

    Attributes:
        place: path of its page, relative to the folder of the pages.
        title: title of the ruleset.
        players: their names, by seat.
        turn: names of the players to move.
        since, due: start and deadline of this turn. For a finished game `since` is its end.
        paused: True if the clock is paused.
        result: the result in words, or empty while the game is running.
    """

    place: str
    title: str
    players: tuple[str, ...]
    turn: tuple[str, ...] = ()
    since: datetime | None = None
    due: datetime | None = None
    paused: bool = False
    result: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a list page.

    Attributes:
        none: text for a part without games.
        count: number of games on all pages, or 0 if all are on this page.
    """

    title: str
    lines: Sequence[Line]
    none: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a league or ladder table, as text.

    Attributes:
        place: path of a game's page, relative to the folder of the pages, or empty.
        met: positions of the people at the same table.
    """

    points: str
    place: str = ""
    met: str = ""


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A player of a league or ladder. `name` is empty for a player whom the page does not name."""

    place: int
    name: str
    cells: Sequence[Cell]
    points: str
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Cross:
    """A league or ladder table.

    Attributes:
        columns: titles of the cells of each line.
        points: the title of the last column.
        means: explanation of the figures.
        more: number of omitted lines.
    """

    columns: Sequence[str]
    lines: Sequence[CrossLine]
    points: str
    means: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page with lists of games.

    Attributes:
        title: title of the page.
        name: file name.
        parts: lists of games.
        more: further pages, as file name and text.
        feed: file name of the feed.
        people: pages about players, as file name and name.
        facts: lines below the title.
        home: relative path to the folder of the pages, or empty for a file in it.
        leagues: pages about leagues and ladders, as file name and text.
        cross: a league or ladder table.
        button: URL and text of a button below the facts.
    """

    title: str
    name: str
    parts: Sequence[Part]
    more: Sequence[tuple[str, str]]
    feed: str = "feed.xml"
    people: Sequence[tuple[str, str]] = ()
    facts: Sequence[str] = ()
    home: str = ""
    leagues: Sequence[tuple[str, str]] = ()
    cross: Cross | None = None
    button: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class GamePage:
    """The page of a game.

    Attributes:
        data: data of its replay page.
        view: the public table at its last step.
        club: title of the list of games.
        line: its entry in the list.
        feed: file name of its feed.
        league: the page of its league or ladder, as file name and text, or empty texts.
    """

    data: JsonObject
    view: JsonObject
    club: str
    line: Line
    feed: str
    league: tuple[str, str] = ("", "")


def list_page(shown: ListPage, templates: Path) -> bytes:
    """Build a list page.

    If it would be larger than `MAX_BYTES` because of its table, it lists fewer games and then only
    the first lines of the table.

    Args:
        templates: the folder that contains `pages` and `replay`.
    """
    style = (templates / "pages" / "list.css").read_text(encoding="utf-8")
    if shown.cross is not None:
        style += _labels(shown.cross.columns)
    template = _environment(templates).get_template("list.html")
    while True:
        content = template.render(page=shown, style=style, policy=policy(style)).encode()
        cross = shown.cross
        if len(content) <= MAX_BYTES or cross is None or len(cross.lines) < _FEWEST_LINES:
            return content
        if any(len(section.lines) > _FEWEST_GAMES for section in shown.parts):
            shown = replace(shown, parts=[_halved(section) for section in shown.parts])
            continue
        kept = cross.lines[: len(cross.lines) * 3 // 4]
        more = cross.more + len(cross.lines) - len(kept)
        shown = replace(shown, cross=replace(cross, lines=kept, more=more))


def _labels(columns: Sequence[str]) -> str:
    """Return the column titles as CSS rules, for windows too narrow for a table head."""
    rules = [
        f'.cross td:nth-of-type({number})::before{{content:"{column}"}}'
        for number, column in enumerate(columns, 1)
    ]
    return f"@media (max-width: 620px) {{ {' '.join(rules)} }}\n"


def _halved(section: Part) -> Part:
    lines = section.lines[: max(_FEWEST_GAMES, len(section.lines) // 2)]
    return replace(section, lines=lines, count=section.count or len(section.lines))


def game_page(shown: GamePage, templates: Path) -> bytes:
    """Build the page of a game.

    The data is compressed. Browsers released since 2023 can decompress it. Older browsers show the
    content without the script.

    Args:
        templates: the folder that contains `pages` and `replay`.
    """
    data: Any = dict(shown.data)
    steps = data["steps"]
    env = _environment(templates).get_template("game.html").module
    last = steps[-1]
    position = {"names": data["names"], "eye": None, "mover": last.get("seat")}
    ring: Any = shown.view.get("ring")
    content: Any = {
        name: str(getattr(env, name)(shown, position))
        for name in ("head", "top", "players", "status", "table")
    }
    still = Still(
        **content,
        where=f"{_step_label(last)}{_of(last['move'])} · event {last['event']} · {last['at']} UTC",
        said=_sentences_html(last),
        list="".join(_item(step, is_last=step is last) for step in steps),
        without="",
        hidden=" hidden",
        style=(templates / "pages" / "game.css").read_text(encoding="utf-8")
        + (_ring(len(ring)) if ring else ""),
    )
    title = f"{shown.line.title} with {', '.join(shown.line.players)}"
    data["begin"] = "end"
    return page.build(data, title, templates / "replay", packed=True, still=still).encode()


def policy(style: str) -> str:
    """Return a content security policy that allows this style and nothing else."""
    return f"default-src 'none'; style-src '{page.hash_of(style)}'"


def _step_label(step: dict[str, Any]) -> str:
    """Return the label of a step, like `place` in templates/replay/page.js."""
    first, move = step.get("first"), step["move"]
    if move == 0:
        return "The deal"
    if first is None:
        return f"After move {move}"
    return f"Moves {first}–{move}" if first < move else f"Move {move}"


def _of(move: int) -> str:
    return f" of {move}" if move else ""


def _sentences_html(step: dict[str, Any]) -> str:
    lines = [Markup("<p>{}</p>").format(cards.rich(line)) for line in step["say"]]
    how = step.get("how")
    lines += [Markup('<p class="how">{}</p>').format(how)] if how else []
    return "".join(lines)


def _item(step: dict[str, Any], *, is_last: bool) -> str:
    current = Markup(' aria-current="step"') if is_last else ""
    text = cards.rich(" ".join(step["say"]))
    number = step.get("first", "·")
    return Markup(
        '<li{}><span class="line"><span class="number">{}</span><span>{}</span></span></li>'
    ).format(current, number, text)


def _ring(size: int) -> str:
    """Return the grid positions of seats and zones, like `ring` in templates/replay/tables.js."""
    places = {0: (size + 1, 2), size: (1, 2)}
    places |= {step: (size + 1 - step, 1) for step in range(1, size)}
    places |= {step: (step - size + 1, 3) for step in range(size + 1, 2 * size)}
    rules = [
        f".r{size} .s{step}{{grid-row:{row};grid-column:{column}}}"
        for step, (row, column) in places.items()
    ]
    return "".join([*rules, f".r{size} .center{{grid-row:2/{size + 1};grid-column:2}}"])


def _when(at: datetime) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(
        f"{at:%Y-%m-%dT%H:%MZ}", f"{at:%a} {at.day} {at:%b %H:%M}"
    )


def _day(at: datetime) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(
        f"{at:%Y-%m-%dT%H:%MZ}", f"{at.day} {at:%b %Y}"
    )


def _bidi(names: Sequence[JsonValue]) -> Markup:
    return Markup(", ").join(Markup("<bdi>{}</bdi>").format(name) for name in names)


@cache
def _environment(templates: Path) -> Environment:
    env = Environment(
        loader=FileSystemLoader(templates / "pages"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn = (cards.card, cards.cards, cards.back, cards.backs, cards.counted)
    env.globals.update({function.__name__: function for function in drawn})
    env.filters.update(when=_when, day=_day, names=_bidi)
    return env
