"""Test parsing and formatting orders of Phase 10 (GEN-9, P10-2, P10-3, P10-16, P10-30)."""

import pytest

from engine.errors import AmbiguousOrderError, IllegalMoveError, InvalidOrderError
from engine.phase10.forms import LayForm, read_form
from engine.phase10.words import TABLES, AnyColour
from tests.engine.phase10.tables import OFFICIAL, laid, seat, table

PHASE_2 = laid(2, "R8 B8 G8/R3 B4 G5 W")
COLOURS = laid(8, "G1 G2 G3 G4 G6 W W")

START = table(seat("R5"), seat("G1"), pile="Y1 Y9")


def read(state, text):
    return OFFICIAL.format_move(state, 0, OFFICIAL.parse_order(state, 0, text))


@pytest.mark.rule("GEN-9", "P10-9")
def test_bare_numbers_in_a_colour_group():
    """Of the one colour that has them all; of several the player is asked."""
    hand = "R1 R2 R3 R4 R5 R6 R7 B1 B2 B3 W W"
    state = table(seat(hand, phase=8), seat("G1"), drawn=True)
    assert read(state, "lay 1 2 3 4 5 6 7") == "lay R1 R2 R3 R4 R5 R6 R7"
    assert read(state, "lay 4 5 6 7 1 W W") == ("lay R1 R4 R5 R6 R7 W W")
    both = table(seat("R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 W W", phase=8), seat("G1"), drawn=True)
    with pytest.raises(AmbiguousOrderError) as caught:
        read(both, "lay 1 2 3 4 5 W W")
    assert caught.value.candidates == ("lay R1 R2 R3 R4 R5 W W", "lay B1 B2 B3 B4 B5 W W")
    assert read(both, "lay B1 2 3 4 5 W W") == "lay B1 B2 B3 B4 B5 W W"
    with pytest.raises(IllegalMoveError):
        read(both, "lay 1 2 3 4 5 6 7")


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("where", ["at phase 8", "on the table"])
def test_a_bare_discard_is_asked_back_where_colour_matters(where):
    """A seat is at phase 8, or a colour group is on the table."""
    other = seat("R1", phase=8) if where == "at phase 8" else seat("R1")
    groups = {} if where == "at phase 8" else {1: COLOURS}
    state = table(seat("R5 B5 B5 G7"), other, groups=groups, drawn=True)
    with pytest.raises(AmbiguousOrderError) as caught:
        read(state, "discard 5")
    assert caught.value.candidates == ("discard R5", "discard B5")
    assert read(state, "discard 7") == "discard G7"


@pytest.mark.rule("P10-19")
def test_a_skip_that_can_name_one_seat_only_names_it():
    """With two players the order need not name a seat."""
    state = table(seat("S R1"), seat("G1"), drawn=True)
    assert read(state, "discard S") == "discard S 1"
    assert read(state, "skip") == "discard S 1"


@pytest.mark.rule("P10-2")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("lay W S", [("W", "S")]),
        ("lay 5 5 W S", [(5, 5, "W", "S")]),
        ("lay S W", [("S", "W")]),
        ("lay S S / w s w", [("S", "S"), ("W", "S", "W")]),
        ("lay 5 S", [("B5",)]),
        ("lay 5 S S", [("B5", "S")]),
        ("lay 5h S", [("R5", "S")]),
        ("lay hearts 5 S", [("R5", "S")]),
        ("lay 5 h 7 S", [("R5", "B7")]),
        ("lay 5 h S", [("R5", "S")]),
        ("lay R5 S", [("R5", "S")]),
        ("lay five of S W", [("B5", "W")]),
        ("lay K S", [("W",)]),
        ("lay king of spades S", [("W", "S")]),
        ("lay joker S", [("S", "S")]),
        ("lay wild S", [("W", "S")]),
        ("lay W h 5", [("W", "R5")]),
        ("lay W s5", [("W", "B5")]),
        ("lay W S 5", [("W", "S", 5)]),
        ("lay QS W", [("B12", "W")]),
    ],
)
def test_with_the_standard_deck_w_and_s_are_wild_and_skip(text, meant):
    """They take no suit; a king does, and an `S` right behind another rank is its suit."""
    form = read_form(text, TABLES["standard"])
    assert isinstance(form, LayForm)
    assert form.groups == tuple(
        tuple(AnyColour(one) if isinstance(one, int) else one for one in group) for group in meant
    )


@pytest.mark.rule("P10-2", "P10-3")
@pytest.mark.parametrize(
    ("text", "meant"),
    [("lay W R 5", ("W", "R5")), ("lay W S", ("W", "S")), ("lay 5 b W", ("B5", "W"))],
)
def test_with_the_own_deck_a_wild_takes_no_colour(text, meant):
    assert read_form(text, TABLES["phase10"]) == LayForm((meant,))
    assert read_form("lay 5 5 5 / W B", TABLES["phase10"]) is None


@pytest.mark.rule("P10-2")
@pytest.mark.parametrize("text", ["discard 5h", "discard king", "discard joker"])
def test_without_the_option_suits_are_no_cards(text):
    """Except the skip words, which are the same in both."""
    state = table(seat("R5 W S R1"), seat("G2"), drawn=True)
    if text == "discard joker":
        assert read(state, text) == "discard S 1"
    else:
        with pytest.raises(InvalidOrderError):
            read(state, text)


OF_WILDS = "R5 B5 G5 W W W W S R1"


def wild_table(hand=OF_WILDS, phase=1, **options):
    return table(
        seat(hand, phase=phase), seat("G1"), drawn=True, options={"naturals": "phase", **options}
    )


@pytest.mark.rule("P10-V4", "P10-2")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("lay K K K as 7 / 5 5 5", ((("W", "W", "W"), 7), ((5, 5, 5), None))),
        ("lay K K K As Q", ((("W", "W", "W"), 12),)),
        ("lay W W W W as A", ((("W", "W", "W", "W"), 1),)),
        ("lay K K As", ((("W", "W", "B1"), None),)),  # the ace of spades at the end
        ("lay K As 2 3", ((("W", "B1", 2, 3), None),)),  # and before more than one word
        ("lay 5 5 As 5", ((("5", "5", "B1", "5"), None),)),  # and behind other cards
    ],
)
def test_as_is_a_word_only_between_kings_and_the_last_word(text, meant):
    """With the standard deck, where it is also the ace of spades."""
    form = read_form(text, TABLES["standard"], by_phase=True)
    groups = tuple(
        tuple(AnyColour(int(one)) if str(one).isdecimal() else one for one in group)
        for group, _ in meant
    )
    numbers = tuple(number for _, number in meant)
    assert form == LayForm(groups, numbers if any(numbers) else ())


@pytest.mark.rule("P10-V4", "P10-2")
def test_without_the_option_as_stays_the_ace_of_spades():
    """Five kings, the ace and the five of spades are a colour group there."""
    hand, text = "B1 B5 W W W W W S", "lay K K K K K As 5"
    state = table(seat(hand, phase=8), seat("G1"), drawn=True, options={"deck": "standard"})
    assert read(state, text) == "lay B1 B5 W W W W W"
    with pytest.raises(IllegalMoveError):
        read(wild_table(hand, phase=8, deck="standard"), text)


@pytest.mark.rule("GEN-9", "P10-2")
def test_two_cards_do_not_hit_at_once():
    state = table(seat("R1 B1 B5"), seat("G1"), drawn=True, options={"deck": "standard"})
    with pytest.raises(InvalidOrderError):
        read(state, "hit A 5 on 1.0")
