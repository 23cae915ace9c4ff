"""Test words, rows and slots of the order reader for each language."""

from __future__ import annotations

import pytest

from engine.api import Setup
from engine.orders import is_order, read_order
from engine.reading.lexicon import Lexicon
from engine.reading.slots import Rows, names_a_thing
from engine.registry import find

DUTCH = Lexicon.read(
    """
# A small Dutch.
rank=2 ordinal=2 count=2 : twee
rank=3 ordinal=3 count=3 : drie
rank=4 count=4 : vier
rank=5 : vijf
rank=6 : zes
rank=7 : zeven
rank=8 : acht
rank=9 : negen
rank=10 : tien
rank=J : boer
rank=Q : vrouw
rank=K : heer
rank=A : aas
several=3 : drieën
several=4 : vieren
several=5 : vijven
several=6 : zessen
several=7 : zevens
several=8 : achten
several=9 : negens
several=J : boeren
several=Q : vrouwen
several=K : heren
several=A : azen
suit=c : klaver
suit=d : ruiten
suit=h : harten
suit=s : schoppen
count=all : alle
ordinal=1 : een eerste
ordinal=2 : tweede
ordinal=3 : derde
article filler : de het een mijn
filler : ik dan maar graag alsjeblieft
deny : niet geen
PUT : speel leg gooi
thing : stapel

[phrases]
de hele = de
ik wil graag =
(alle|twee|drie) mijn = \\1

[compounds]
(klaver|ruiten|harten|schoppen)(twee|drie|vier|vijf|zes|zeven|acht|negen|tien|boer|vrouw|heer|aas)
""",
    "nl",
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
flip {number}
    nl | draai | om kaart
god
    en | god | of
""",
    DUTCH,
)
PHYLISS = find("phyliss")
MAX_PLIES = 5000


SUITS = {"c": "klaver", "d": "ruiten", "h": "harten", "s": "schoppen"}
RANKS = {
    "2": "twee", "3": "drie", "4": "vier", "5": "vijf", "6": "zes", "7": "zeven", "8": "acht", "9": "negen",
    "10": "tien", "J": "boer", "Q": "vrouw", "K": "heer", "A": "aas",
}  # fmt: skip
SEVERAL = {
    "3": "drieën", "4": "vieren", "5": "vijven", "6": "zessen", "7": "zevens", "8": "achten", "9": "negens",
    "J": "boeren", "Q": "vrouwen", "K": "heren", "A": "azen",
}  # fmt: skip
PLACES = {"1": "eerste", "2": "tweede", "3": "derde"}


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


def in_dutch(move: str) -> str:
    """Return a move of Phyliss as a Dutch player may write it."""
    verb, *cards = move.split()
    if verb == "pickup":
        return "Ik wil graag de hele stapel oppakken."
    if verb == "flip":
        return f"draai de {PLACES[cards[0]]} kaart om"
    if len(cards) > 1:
        return f"Ik leg alle mijn {SEVERAL[cards[0][:-1]]}."
    return f"speel dan maar de {SUITS[cards[0][-1]]}{RANKS[cards[0][:-1]]}"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_of_phyliss_in_dutch(seed: int) -> None:
    """Each move is written in Dutch, read by the rows alone, and carried out."""
    state = PHYLISS.start(Setup(2, bytes([seed]) * 32, PHYLISS.check_options(2, {}))).state
    said = set()
    for _ in range(MAX_PLIES):
        if PHYLISS.outcome(state) is not None:
            break
        (seat,) = PHYLISS.to_act(state)
        move = PHYLISS.standby_move(state, seat)
        text = in_dutch(PHYLISS.format_move(state, seat, move))
        (order,) = orders(text)
        assert read_order(PHYLISS, state, seat, order) == move, text
        said.add(order.split()[0])
        state = PHYLISS.apply(state, seat, move).state
    assert PHYLISS.outcome(state) is not None
    assert said == {"play", "pickup", "flip"}


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
    assert [row.order for row in ROWS.rows] == [
        "play {card}",
        "play {cards}",
        "pickup",
        "flip {number}",
    ]


@pytest.mark.parametrize(
    ("text", "is_thing"), [("de stapel", True), ("heren", True), ("hallo", False)]
)
def test_things_of_the_game_are_known(text: str, is_thing: bool) -> None:
    assert names_a_thing(DUTCH.fold(text).split(), DUTCH) is is_thing
