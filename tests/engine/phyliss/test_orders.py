"""Test parsing and formatting orders of Phyliss (GEN-9)."""

import pytest

from engine.errors import InvalidOrderError
from tests.engine.phyliss.tables import RULES, seat, table

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
STATE = table(seat(HAND), seat("3h"), pile="2s", stock="4h")


def read(text: str, state=STATE) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


@pytest.mark.rule("GEN-9")
def test_what_may_be_meant_does_not_depend_on_hidden_cards():
    """The refusal of an invalid order is the same whatever is held."""
    messages = set()
    for hand in ("4c 5c", "6c 7c", "Ac Kc"):
        with pytest.raises(InvalidOrderError) as caught:
            RULES.parse_order(table(seat(hand), seat("3h")), 0, "dance")
        messages.add(str(caught.value))
    assert len(messages) == 1
