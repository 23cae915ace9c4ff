"""Test that German rules texts have the form, codes and cards of the English ones, and no orders."""

from __future__ import annotations

import re
from functools import cache, partial

import pytest

from engine import registry
from pbem.domain.words.orders import LineKind, read_line
from pbem.language import translate
from tools.messages.extract import rules_tables

GERMAN = partial(translate, language="de")
ENGLISH = re.compile(r"\b(the|and|you|your|with|cards?|of|is|are|to|has|have|by|from)\b")
TABLES = [
    (name, players, options)
    for name in registry.names()
    for players, options in rules_tables(name)
    if "phases" not in options
]


@cache
def is_prose(line: str, name: str) -> bool:
    """Whether a line is no order and nearly none; most lines come again."""
    rules = [registry.find(name)]
    return not line or read_line(line, rules, language="de").kind is LineKind.PROSE


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_the_form_holds_in_german(name, players, options):
    """Chapters, points and pictures are where they are in English; nothing English is left."""
    rules = registry.find(name)
    english, german = rules.rules_text(players, options), rules.rules_text(players, options, GERMAN)
    for marks in (
        r"\[[^]]*\]",
        r"\([A-Z0-9]{3}-",
        r"(?m)^\d+\.",
        r"(?m)^[-*] ",
        r"(?m)^    \S",
    ):
        assert len(re.findall(marks, english)) == len(re.findall(marks, german)), marks
    for line in german.splitlines():
        assert len(line) <= 72, line
        assert not ENGLISH.search(re.sub(r'"[^"]*"?|\b\w+=\S+|üblich \w+', "", line)), line
        for shown in (line.strip(), line.strip(" -*")):
            assert is_prose(shown, name), line


@pytest.mark.parametrize("name", registry.names())
def test_quoted_orders_are_understood(name):
    """What the German rules say one may write, can be written."""
    rules = registry.find(name)
    said = set()
    for table_name, players, options in TABLES:
        if table_name == name:
            text = " ".join(rules.rules_text(players, options, GERMAN).split())
            said |= set(re.findall(r"„([^“]+)“", text))
    assert said
    for order in said - {"oder", "rote 7"}:
        line = read_line(order, [rules], ("Anna", "Bob"), language="de")
        assert line.kind in (LineKind.GAME, LineKind.SERVICE), order
