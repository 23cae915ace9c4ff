"""Test players' names in orders."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.terms.seats import with_seat_numbers
from pbem.domain.words.orders import LineKind, is_taken_word, read_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hit R5 on bob", "hit R5 on 1"),
        ("discard S Anna Lee", "discard S 0"),
        ("play bobby", "play bobby"),
        ("x 10d of BOB.", "x 10d of 1."),
    ],
)
def test_names_become_seat_numbers(text: str, expected: str) -> None:
    """Whole names only, whatever their case; the longest name first."""
    assert with_seat_numbers(text, ["Anna Lee", "Bob", "Anna"]) == expected


@pytest.mark.parametrize("name", ["Jack", "pickup", "12", "seven", "Join", "yes"])
def test_names_that_are_orders_or_cards_are_taken(name: str) -> None:
    """Such a name would make orders ambiguous."""
    assert is_taken_word(name, registry.find("phyliss"))


@pytest.mark.parametrize("name", ["Anna", "Jacques", "Bob B", "Ace Ventura"])
def test_other_names_are_free(name: str) -> None:
    """A name that only begins like a card is a name."""
    assert not is_taken_word(name, registry.find("phyliss"))


@pytest.mark.parametrize(
    "text",
    [
        *("Ah!", "As", "K", "Jack", "Ha!", "ace"),
        *("-K", "- J", "— A", "--Jack", "*J*", "(A)", "J :)", "As…", "A+", "• Q"),
    ],
)
def test_one_word_that_is_a_card_too_is_asked_about(text: str) -> None:
    """People say such words, and sign with such letters; a card needs "play", a digit, or company."""
    line = read_line(text, [registry.find("phyliss")])
    assert line.kind is LineKind.NEAR


@pytest.mark.parametrize("text", ["Ah!", "Ha!", "As", "Ten", "Jack", "st", "-Ca"])
def test_so_it_is_where_no_more_than_one_card_is_played(text: str) -> None:
    """Phalanx has no `K K`, but people laugh there, too: `Ha!` is the ace of hearts."""
    assert read_line(text, [registry.find("phalanx")]).kind is LineKind.NEAR
    assert read_line(f"open {text}", [registry.find("phalanx")]).kind is LineKind.GAME


@pytest.mark.parametrize(
    "text", ["play Ah", "sevens", "Kings", "7", "K K", "10h", "god", "pickup", "play jack"]
)
def test_other_short_orders_are_orders(text: str) -> None:
    """What cannot be talk is carried out."""
    assert read_line(text, [registry.find("phyliss")]).kind is LineKind.GAME
