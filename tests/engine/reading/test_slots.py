"""Words, rows and slots: a language is its file of words and a column of the rows."""

from __future__ import annotations

import pytest

from engine.orders import is_order
from engine.reading.lexicon import Lexicon
from engine.reading.slots import Rows, names_a_thing
from engine.registry import find

DUTCH = Lexicon.read(
    "nl",
    """
# A small Dutch.
rank=7 : zeven
rank=Q : vrouw
several=K : heren
suit=h : harten
count=2 : twee
article filler : de het een mijn
filler : ik dan maar graag alsjeblieft
deny : niet geen
PUT : speel leg gooi
thing : stapel

[phrases]
de hele = de
ik wil graag =

[compounds]
(harten)(vrouw|zeven)
""",
)
ROWS = Rows(
    """
play {card}
    en | PUT | down
    nl | PUT/erop | op
play {cards}
    nl | PUT | op
pickup
    en | pickup | up
    nl | pak/neem stapel, oppakken | op alles
god
    en | god | of
""",
    DUTCH,
)
PHYLISS = find("phyliss")


def orders(text: str) -> set[str]:
    tokens = DUTCH.tokens(DUTCH.fold(text))
    return set() if ROWS.unknown(tokens, frozenset()) else ROWS.orders_of(tokens, {})


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Ik speel de zeven.", "play 7"),
        ("leg dan maar de hartenvrouw", "play Qh"),
        ("ik speel harten zeven", "play 7h"),
        ("ik wil graag de hele stapel oppakken", "pickup"),
        ("Neem de stapel", "pickup"),
    ],
)
def test_a_third_language_plays_phyliss(text: str, order: str) -> None:
    assert orders(text) == {order}
    assert is_order(PHYLISS, order)


@pytest.mark.parametrize(
    "text",
    [
        "ik speel niet de zeven", "speel piano", "de zeven", "pak de zeven", "morgen speel ik de zeven",
        "ik pak geen stapel", "god", "speel zeven zeven",
    ],
)  # fmt: skip
def test_a_word_of_its_own_is_no_order(text: str) -> None:
    """Every word must be known and belong to the same order."""
    assert orders(text) == set()


def test_a_language_has_only_the_rows_of_its_column() -> None:
    assert [row.order for row in ROWS.rows] == ["play {card}", "play {cards}", "pickup"]


@pytest.mark.parametrize(
    ("text", "is_thing"), [("de stapel", True), ("heren", True), ("hallo", False)]
)
def test_things_of_the_game_are_known(text: str, is_thing: bool) -> None:
    assert names_a_thing(DUTCH.fold(text).split(), DUTCH) is is_thing
