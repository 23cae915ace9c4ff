"""Test parsing and formatting orders of Cathedral (GEN-9)."""

import pytest

from engine.errors import AmbiguousOrderError, InvalidOrderError
from tests.engine.cathedral.tables import RULES, SIX, choosing, seat, table

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
STATE = table(seat(HAND), seat("3h"), pile="2s", stock="4h")


def read(text: str, state=STATE) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


ACES = table(seat("2c 7c 7d 10c 10d Kc Ac Ad Ah"), seat("3h"), stock="4h")
ACES_DEALT = choosing(seat("2c 7c 10d Kc Ac Ad"), seat("3c 4c 5c 6c 8c 9c"))


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("position", "verb"),
    [(ACES, "play"), (ACES, ""), (ACES_DEALT, "keep"), (ACES_DEALT, "set aside")],
)
def test_every_legal_move_is_read_in_every_spelling(position, verb):
    """With suits as letters or signs, glued or apart, as bare ranks, with or without commas."""
    signs = str.maketrans("cdhs", "♣♦♥♠")
    for move in RULES.legal_moves(position, 0):
        canonical = RULES.format_move(position, 0, move)
        cards = canonical.split()[1:]
        bare = [card[:-1] for card in cards]
        for words in (
            cards,
            [card.upper() for card in cards],
            [card.lower() for card in cards],
            [card[:-1] + card[-1].translate(signs) for card in cards],
            [card[-1] + card[:-1] for card in cards],
            [f"{card[:-1]} of {card[-1]}" for card in cards],
            bare,
        ):
            for joint in (" ", ", ", " and ", " & "):
                assert read(f"{verb} {joint.join(words)}".strip(), position) == canonical


@pytest.mark.rule("GEN-9")
def test_words_that_fit_two_moves_are_ambiguous():
    """`three three` may be three 3s or two 3s; what cannot be played that way is not meant."""
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


@pytest.mark.rule("GEN-9")
def test_what_may_be_meant_does_not_depend_on_hidden_cards():
    """The refusal of an invalid order is the same whatever is held."""
    messages = set()
    for hand in ("4c 5c", "6c 7c", "Ac Kc"):
        with pytest.raises(InvalidOrderError) as caught:
            RULES.parse_order(table(seat(hand), seat("3h")), 0, "dance")
        messages.add(str(caught.value))
    assert len(messages) == 1
