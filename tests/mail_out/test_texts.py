"""Test names, cards, times and lines as text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_out import texts, times
from pbem.plain import clean


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bob", "Bob"),
        ("  Bob \t the\nRock ", "Bob the Rock"),
        ("Bob\r\nBcc: eve@example.org", "Bob Bcc: eve@example.org"),
        ("B\x00o\x1bb\u200b", "Bob"),
        ("\u202eevil", "evil"),
        ("Bob\u2028Carol\x85Dora", "Bob Carol Dora"),
        ('"Bob"', "Bob"),
        ("\u0627\u0628", "\u2068\u0627\u0628\u2069"),
        ("", "player 3"),
        ("\u200e\n", "player 3"),
        ("x" * 80, "x" * 39 + "…"),
    ],
)
def test_name(name: str, shown: str):
    """A name is one line of visible characters, however it was given."""
    assert texts.name_text(name, 2) == shown


@pytest.mark.parametrize(
    ("card", "shown"),
    [("7c", "7♣"), ("10h", "10♥"), ("Qd", "Q♦"), ("As", "A♠"), ("R5", "R5"), (None, "None")],
)
def test_card(card: object, shown: str):
    """A card of the standard pack gets its glyph, anything else stays."""
    assert texts.card_text(card) == shown


def test_no_link_is_cut() -> None:
    """A mail program makes a link of a line's whole address, and of no half."""
    address = f"https://cards.example.org/{'a' * 90}"
    lines = texts.wrap(f"Read it at {address} until you write something else.").split("\n")
    assert [line.strip() for line in lines][1] == address


@pytest.mark.parametrize(
    "said", ["Mit „regeln“ die Regeln, mit „hilfe“ alles.", "“rules” or with “help”."]
)
def test_only_what_is_quoted_can_be_tapped(said: str) -> None:
    made = str(texts.linked(said, "mailto:x?body="))
    assert [part.split("<")[0] for part in made.split(">")[1::2]] == said.replace("“", "„").replace(
        "”", "„"
    ).split("„")[1::2]


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Ann", 3), ("日本", 4), ("e\u0301", 1), ("♣\ufe0e", 1), ("\u2068מ\u2069", 1)],
)
def test_columns(text: str, columns: int):
    """Wide letters take two columns; marks, selectors and directions take none."""
    assert texts.columns(text) == columns


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/Berlin", "Tuesday, 24 November 2026, 18:00 (UTC+01:00, Europe/Berlin)"),
        ("America/St_Johns", "Tuesday, 24 November 2026, 13:30 (UTC-03:30, America/St_Johns)"),
        ("Asia/Kathmandu", "Tuesday, 24 November 2026, 22:45 (UTC+05:45, Asia/Kathmandu)"),
        ("UTC", "Tuesday, 24 November 2026, 17:00 (UTC)"),
        ("Nowhere/Land", "Tuesday, 24 November 2026, 17:00 (UTC)"),
        ("../../etc/passwd", "Tuesday, 24 November 2026, 17:00 (UTC)"),
        ("", "Tuesday, 24 November 2026, 17:00 (UTC)"),
    ],
)
def test_when(zone: str, shown: str):
    """An instant is shown in the reader's zone with the offset; an unknown zone is UTC."""
    assert times.when_text(datetime(2026, 11, 24, 17, 0, tzinfo=UTC), zone) == shown


def test_wrap_keeps_orders_inside():
    """Quoted orders, numbers and order words never begin a line."""
    text = "Write such words as these here, as many as you ever like, “play 7 7” or “pickup” or 21."
    for width in range(24, 80):
        for line in texts.wrap(text, width=width).splitlines():
            assert not line.lstrip().startswith(("“", "21")), (width, line)


def test_wrap_says_that_cards_go_on():
    """A list of cards that needs a second line says so: cards alone would read as an order."""
    cards = " ".join(f"{rank}{suit}" for suit in "♣♦♥♠" for rank in (2, 3, 4, 5, 6, 7, 8, 9))
    wrapped = texts.wrap(f"Bob picked up the pile: {cards}.", "- ", "  ")
    assert wrapped.splitlines()[1].startswith("  also: ")
    assert wrapped.replace("\n  also:", "") == f"- Bob picked up the pile: {cards}."


def test_wrap_cuts_what_fits_on_no_line():
    """A word that is wider than a line is cut, wide letters counted as two columns."""
    assert texts.wrap("x" * 100, "- ") == f"- {'x' * 70}\n  {'x' * 30}"
    assert [texts.columns(line) for line in texts.wrap("日" * 50).splitlines()] == [72, 28]
    phrase = f'{"a" * 40} "{"b" * 20} {"c" * 20}"'
    assert texts.wrap(phrase) == f'{"a" * 40} "{"b" * 20}\n{"c" * 20}"'


@given(st.text(max_size=300), st.sampled_from(["", "- ", "      "]))
def test_wrap_width(text: str, first: str):
    """No line is longer than 72 columns, and no word is lost, whatever the text."""
    shown = clean(text)
    wrapped = texts.wrap(shown, first)
    assert all(texts.columns(line) <= texts.WIDTH for line in wrapped.splitlines())
    kept = wrapped.removeprefix(first.rstrip()).replace("also:", "")
    assert "".join(kept.split()) == "".join(shown.replace("also:", "").split())


@given(st.text(max_size=200))
def test_clean(text: str):
    """Cleaned text is one line without control characters, and cleaning it again changes nothing."""
    shown = clean(text)
    assert "\n" not in shown
    assert "\r" not in shown
    assert all(ord(char) >= 32 and ord(char) != 127 for char in shown)
    assert clean(shown) == shown


def test_rich_escapes():
    """Setting cards off never lets markup through."""
    shown = texts.rich("<b>Bob</b> played 7♣ & 10♥.")
    assert "<b>" not in shown
    assert "&lt;b&gt;Bob&lt;/b&gt;" in shown
    assert "7♣\ufe0e" in shown
    assert "10♥\ufe0e" in shown


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Anna", 6, "Anna  "),
        ("Anna", -6, "  Anna"),
        ("Anna", 4, "Anna"),
        ("Annabel", 4, "Ann…"),
        ("王小明", 7, "王小明 "),
        ("王小明", 5, "王小…"),
        ("\u2068דניאל\u2069", 4, "\u2068דני…\u2069"),
    ],
)
def test_columns_of_a_table(text: str, width: int, expected: str):
    """Filled up or cut to columns of a terminal; a name from right to left stays apart."""
    assert texts.padded(text, width) == expected
    assert texts.columns(texts.padded(text, width)) == abs(width)
