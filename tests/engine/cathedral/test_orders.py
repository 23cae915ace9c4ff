"""Test parsing and formatting orders of Cathedral (GEN-9)."""

import pytest

from engine.errors import AmbiguousOrderError
from tests.engine.cathedral.tables import RULES, SIX, choosing, seat, table

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
STATE = table(seat(HAND), seat("3h"), pile="2s", stock="4h")


def read(text: str, state=STATE) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


@pytest.mark.rule("GEN-9")
def test_words_that_fit_two_moves_are_ambiguous():
    """`three three` may be three 3s or two 3s. Readings that cannot be played are ignored."""
    state = table(seat("3c 3d 3s 4c"), seat("5h"))
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(state, 0, "three three")
    assert caught.value.candidates == ("play 3c 3d 3s", "play 3c 3d")
    state = table(seat("3c 3d 4c"), seat("5h"))
    assert read("three three", state) == "play 3c 3d"


@pytest.mark.rule("GEN-9", "CAT-2")
def test_of_several_readings_the_one_with_three_cards_is_set_aside():
    """`three three` are three 3s, since two cards could not be kept."""
    state = choosing(seat("3c 3d 3s 4c 5c 6c"), SIX[2])
    assert read("keep three three", state) == "keep 3c 3d 3s"
