"""Test that a new language needs only a lexicon and a module of its forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import pytest

from engine import registry
from engine.reading.lexicon import Lexicon
from pbem.domain.words import de, translate
from pbem.domain.words.orders import LineKind, OrderReader
from pbem.domain.words.service_words import Word
from pbem.games.lexicons import lexicon
from pbem.games.profile import all_profiles

EMPTIED = (dict, tuple, frozenset)
RULES = [registry.find("phyliss")]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Register an invented language with the names of German and other words."""
    table = ModuleType("made_up")
    for name in vars(de):
        if name.isupper():
            value = getattr(de, name)
            setattr(table, name, type(value)() if isinstance(value, EMPTIED) else value)
    table.LINES = {"kunmet": "join", "helpu": "help"}  # type: ignore[attr-defined]
    table.FORMS = ((r"libertempo (?P<own>.+)", "vacation {own}"),)  # type: ignore[attr-defined]
    words = Lexicon.read(
        "suit=h : kero\nrank=Q : damo\ncount=all english=all : chiuj\nseveral=Q : damoj", "zz"
    )
    phyliss = all_profiles()["phyliss"]
    forms = {**phyliss.forms, "zz": ((r"ludu (?P<words>.+)", "play {words}"),)}
    known = {**all_profiles(), "phyliss": replace(phyliss, forms=forms)}
    monkeypatch.setattr(translate, "all_profiles", lambda: known)
    monkeypatch.setattr(translate, "lexicon", {"zz": words, "de": lexicon("de")}.get)
    monkeypatch.setitem(translate.TABLES, "zz", table)
    translate._orders.cache_clear()
    yield "zz"
    translate._orders.cache_clear()


@pytest.mark.parametrize(
    ("text", "word", "argument"),
    [
        ("kunmet", Word.JOIN, None),
        ("Helpu!", Word.HELP, None),
        ("libertempo 20 Dec to 3 Jan", Word.VACATION, "20 Dec to 3 Jan"),
    ],
)
def test_orders_of_the_service(made_up: str, text: str, word: Word, argument: str | None) -> None:
    line = OrderReader(RULES, (), made_up).read_line(text)
    assert (line.kind, line.word, line.argument) == (LineKind.SERVICE, word, argument)


@pytest.mark.parametrize(
    ("text", "order"),
    [("ludu kero damo", "play Qh"), ("ludu 7", "play 7"), ("ludu chiuj damoj", "play all queens")],
)
def test_orders_of_a_game(made_up: str, text: str, order: str) -> None:
    line = OrderReader(RULES, (), made_up).read_line(text)
    assert (line.kind, line.order) == (LineKind.GAME, order)


def test_other_players_words_mean_nothing(made_up: str) -> None:
    """Each reads English and the language of their own mails."""
    assert OrderReader(RULES, (), made_up).read_line("beitreten").kind is LineKind.PROSE
    assert OrderReader(RULES, (), "de").read_line("kunmet").kind is LineKind.PROSE
