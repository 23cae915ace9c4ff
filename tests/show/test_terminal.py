"""Test positions drawn for a terminal."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from engine.api import Seat
from pbem.domain.table.game import Game
from pbem.show import terminal
from tests.service.conftest import Table
from tests.show.games import EVERY_KIND, PEOPLE, play

_GLYPHS = str.maketrans("♣♦♥♠", "cdhs")
_CARD = re.compile(r"(?<![\w.])((?:10|[2-9JQKA])[cdhs]|[RBGY](?:1[0-2]|[1-9]))(?![\w:])")
"""A card; `10s:` is a group of tens on the table of Phase 10."""


def drawn(game: Game, seat: int | None, *, colour: bool = False) -> str:
    view = game.ruleset.view(game.state, None if seat is None else Seat(seat))
    screen = io.StringIO()
    console = Console(
        file=screen, width=120, force_terminal=colour, color_system="truecolor" if colour else None
    )
    console.print(terminal.draw(game.ruleset.id.name, view, PEOPLE[: len(game.seats)]))
    return screen.getvalue()


def cards_in(text: str) -> set[str]:
    return set(_CARD.findall(text.translate(_GLYPHS)))


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize(("ruleset", "players", "options"), EVERY_KIND)
@pytest.mark.parametrize("plies", [0, 1, 9, 5000])
def test_a_drawing_shows_what_the_view_shows(
    table: Table, ruleset: str, players: int, options: dict[str, object], plies: int
) -> None:
    """The own hand in full, every name, and no card that the view does not name."""
    game = play(table, ruleset, players, plies, **options)
    for seat in [None, *range(players)]:
        view = game.ruleset.view(game.state, None if seat is None else Seat(seat))
        text = drawn(game, seat)
        shown = cards_in(text)
        assert shown <= cards_in(json.dumps(view).replace('"', " "))
        own = [] if seat is None else view["seats"][seat]["hand"]  # type: ignore[index,call-overload]
        assert cards_in(" ".join(own)) <= shown
        if seat is None and plies == 9:
            assert "hidden" in text
        for name in PEOPLE[:players]:
            assert name in text


def test_colour_is_never_the_only_sign(table: Table) -> None:
    """With and without it the same characters are there."""
    game = play(table, "phase10", 2, 6)
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", drawn(game, 0, colour=True))
    assert coloured != drawn(game, 0, colour=True)
    assert coloured == drawn(game, 0)


def test_an_unknown_game_is_shown_as_it_is() -> None:
    """Rules that nobody drew yet break nothing."""
    screen = io.StringIO()
    Console(file=screen).print(terminal.draw("whist", {"pile": ["7c"]}, ["Anna"]))
    assert "7c" in screen.getvalue()
