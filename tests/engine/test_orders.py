"""Test order parsing that all games share (GEN-9), with Phyliss."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import orders
from engine.errors import (
    AmbiguousOrderError,
    EngineError,
    InvalidOrderError,
    NotToActError,
)
from tests.engine.phyliss.tables import RULES, orders_of, seat, table

STATE = table(seat("3c 8c 8d Kh"), seat("4h"), pile="7s", stock="5h")


def read(text, state=STATE, who=0):
    return RULES.format_move(state, who, orders.read_order(RULES, state, who, text))


@pytest.mark.parametrize(
    ("text", "number"),
    [("21", 21), (" 22. ", 22), ("#23", 23), ("999999", 999999), ("20", None), ("7", None),
     ("10", None), ("21 22", None), ("play 21", None), ("٢١", 21), ("9999999", None), ("", None)],
)  # fmt: skip
def test_numbers_of_listed_moves_begin_at_21(text, number):
    """So no number is a card rank and a listed move at once."""
    assert orders.list_number(text) == number


def test_a_listed_move_is_taken_by_its_number():
    """21 is the first of `legal_moves`."""
    listed = orders_of(STATE)
    assert [read(str(21 + at)) for at in range(len(listed))] == listed
    with pytest.raises(InvalidOrderError, match="from 21 to 25"):
        read("26")
    with pytest.raises(NotToActError):
        read("21", who=1)


@pytest.mark.parametrize(
    "text",
    ["21 play 8c", "21  play 8c", "21. play 8c", "21: 8c", "#21 - 8♣", "21 (play 8c)", "21) Play 8",
     "21 → play 8c", "play 8c (21)", "8c [#21].", "* 21  play 8c", "２１ play 8c"],
)  # fmt: skip
def test_a_number_may_stand_beside_the_move_that_it_lists(text):
    """As the list of a mail shows it; the number tells which of two eights is meant."""
    assert orders.is_order(RULES, text)
    assert read(text) == "play 8c"


@pytest.mark.parametrize(
    "text", ["21 pickup", "21 play 8d", "pickup (21)", "21 play 3c or 23 play 9"]
)
def test_a_number_beside_another_move_is_asked_about(text):
    assert orders.is_order(RULES, text)
    with pytest.raises(AmbiguousOrderError) as caught:
        read(text)
    assert "play 8c" in caught.value.candidates


@pytest.mark.parametrize(
    "text",
    ["22.8", "22:10", "22-8", "20 play 8c", "22 22", "22 is a fine move", "play (22)", "8c 22",
     "22 8c 23", "22 November 8"],
)  # fmt: skip
def test_other_numbers_before_words_are_no_orders(text):
    """Times, dates, decimals, and talk."""
    assert not orders.is_order(RULES, text)
    assert orders.number_and_move(RULES, text) is None


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("play 3 or play 8", "play 8c"),
        ("play 8 8 OR pickup", "play 8c 8d"),
        ("9 or 3 or god", "god"),
        ("99 or 21", None),
        ("9 or 21", "play 8c"),
    ],
)
def test_the_first_legal_of_several_orders_is_taken(text, move):
    """What is not held or does not beat the pile is passed over."""
    if move is None:
        with pytest.raises(InvalidOrderError):
            read(text)
    else:
        assert orders.is_order(RULES, text)
        assert read(text) == move


@pytest.mark.parametrize("text", ["play 8 or not", "8 or whatever you like", "or", "8 or", "or 8"])
def test_one_part_that_is_no_order_makes_the_line_prose(text):
    """Nothing of it is carried out."""
    assert not orders.is_order(RULES, text)
    with pytest.raises(InvalidOrderError):
        read(text)


@pytest.mark.parametrize(
    ("text", "first"),
    [("play K", "play Kh"), ("pick", "pickup"), ("gods", "god"), ("play 8 8 8", "play 8c 8d")],
)
def test_nearest_legal_moves(text, first):
    """The most similar legal move comes first; three at most, all legal."""
    near = orders.nearest_moves(RULES, STATE, 0, text)
    assert near[0] == first
    assert len(near) == 3
    assert set(near) <= set(orders_of(STATE))
    assert orders.nearest_moves(RULES, STATE, 0, text, limit=1) == (first,)
    assert orders.nearest_moves(RULES, STATE, 1, text) == ()


@pytest.mark.parametrize(
    "text",
    ["pley 7", "paly 7", "pikcup", "pcikup", "pick upp", "takee", "glod", "hand of gob", "flpi 2",
     "play sevn", "play two kigns", "queen of haerts", "play 7?", "god?", "7 or 8?", "pley 7 or god"],
)  # fmt: skip
def test_slips_of_the_pen_are_near_orders(text):
    """Within typing distance of an order, and no order."""
    assert not orders.is_order(RULES, text)
    assert orders.is_near_order(RULES, text)


@pytest.mark.parametrize(
    "text",
    ["", "play 7", "21", "7 or 8", "I think I will play 7 tomorrow", "see you", "good luck",
     "well played!", "thanks", "nice one", "ok", "k", "no", "happy birthday Bob", "what a game",
     "How are the kids?", "x" * 500, "play " * 40],
)  # fmt: skip
def test_prose_and_orders_are_no_near_orders(text):
    """Prose stays prose, and an order is one already."""
    assert not orders.is_near_order(RULES, text)


@given(st.text(max_size=80))
def test_any_line_is_read_or_refused(text):
    """Fuzzed: the shared reader lets no other error out, and agrees with itself."""
    refusal = None
    try:
        move = orders.read_order(RULES, STATE, 0, text)
    except EngineError as error:
        refusal = error
    else:
        assert orders.is_order(RULES, text)
        assert orders.read_order(RULES, STATE, 0, RULES.format_move(STATE, 0, move)) == move
    if refusal is not None and not isinstance(refusal, AmbiguousOrderError):
        offered = orders.candidates(RULES, STATE, 0, text, refusal)
        assert set(offered) <= set(orders_of(STATE))
    orders.is_near_order(RULES, text)


@pytest.mark.parametrize(
    "text",
    ["a" * 300_000, "play 7 " * 50_000, "7 or " * 60_000, "-" * 300_000, "♥️" * 100_000,
     "' " * 100_000, "pley " * 60_000, "\u0301" * 300_000, "7-" * 100_000, "ﷺ" * 1000, "or " * 330],
)  # fmt: skip
def test_long_lines_cost_little(text):
    """Linear and bounded: a quarter of a megabyte is refused in no time."""
    began = time.process_time()
    assert not orders.is_order(RULES, text)
    assert not orders.is_near_order(RULES, text)
    with pytest.raises(InvalidOrderError) as caught:
        orders.read_order(RULES, STATE, 0, text)
    assert len(str(caught.value)) < 300
    orders.nearest_moves(RULES, STATE, 0, text)
    assert time.process_time() - began < 1
