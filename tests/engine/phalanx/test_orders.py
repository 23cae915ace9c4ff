"""Test parsing and formatting orders of Phalanx (GEN-9)."""

import pytest

from engine.errors import AmbiguousOrderError
from tests.engine.phalanx.tables import RULES, seat, table

HAND = "7s 9h 9c Ks Qh 10d"
PLAYING = table(seat(HAND), seat("3h"), seat("4h"), side0="1:10h 1:4c 1:8s-", center="1:5d 2:6d")
SAME = table(
    seat("Ks", chips=9), seat("3h", chips=9), seat("4h", chips=9), center="1:10d 2:10d 2:4c",
    options={"stakes": "per_card"},
)  # fmt: skip

pytestmark = pytest.mark.rule("GEN-9")


def read(text: str, state=PLAYING) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


@pytest.mark.rule("PLX-3")
def test_two_players_say_which_side():
    """Unless the order is possible on one side only."""
    pair = table(seat(HAND), seat("3h"), side0="1:10h 1:4c 1:8s-", center="1:5d")
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(pair, 0, "7s with 1")
    assert caught.value.candidates == ("play 7s left", "play 7s right")
    assert read("Ks with 1 x 10h", pair) == "play Ks left x 10h"


def test_the_owner_is_named_where_the_card_alone_is_ambiguous():
    """Only there."""
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(SAME, 0, "Ks center x 10d")
    assert caught.value.candidates == ("play Ks center x 10d@1", "play Ks center x 10d@2")
    for text in ("Ks center x 10d@2", "Ks center x 10d of 2", "Ks center takes 10d of seat 2"):
        assert read(text, SAME) == "play Ks center x 10d@2"
    assert read("Ks center x 4c", SAME) == "play Ks center x 4c"
