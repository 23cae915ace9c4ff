"""Test phases, groups and the finder (P10-1, P10-3, P10-8 to P10-13, P10-16, P10-30)."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalMoveError
from engine.phase10.cards import NUMBER_OF, PACK, WILD, sort_cards, without
from engine.phase10.finder import find_lay
from engine.phase10.groups import (
    PHASES,
    End,
    Group,
    Kind,
    arrange,
    group_text,
    grown,
    open_ends,
    phase_words,
    run_ends,
)
from tests.engine.phase10.tables import cards


def arranged(phase, text):
    groups = arrange(phase, [cards(part) for part in text.split("/")])
    return " / ".join(" ".join(group.cards) for group in groups)


@pytest.mark.rule("P10-1")
def test_the_pack():
    """96 number cards, two of each, 8 wilds, 4 skips."""
    assert len(PACK) == 108
    assert (PACK.count("W"), PACK.count("S")) == (8, 4)
    for colour in "RBGY":
        for number in range(1, 13):
            assert PACK.count(f"{colour}{number}") == 2


@pytest.mark.rule("P10-8")
def test_the_ten_phases():
    words = [phase_words(phase) for phase in range(1, 11)]
    assert words == [
        "set of 3 + set of 3", "set of 3 + run of 4", "set of 4 + run of 4", "run of 7",
        "run of 8", "run of 9", "set of 4 + set of 4", "7 cards of one colour",
        "set of 5 + set of 2", "set of 5 + set of 3",
    ]  # fmt: skip


@pytest.mark.rule("P10-9", "P10-10", "P10-13")
@pytest.mark.parametrize(
    ("phase", "text", "canonical"),
    [
        (1, "Y5 R5 G5/B7 W B7", "R5 G5 Y5 / B7 B7 W"),
        (1, "R5 R5 B5/G5 Y5 Y5", "R5 R5 B5 / G5 Y5 Y5"),  # the same number twice
        (1, "W W R5/W B6 W", "R5 W W / B6 W W"),
        (1, "R5 R5 B5 G5 W/R7 B7 G7", "R5 R5 B5 G5 W / R7 B7 G7"),  # longer than asked for
        (2, "R5 B5 G5/Y4 R2 B1 G3", "R5 B5 G5 / B1 R2 G3 Y4"),
        (2, "R2 B1 G3 Y4/R5 B5 G5", "R5 B5 G5 / B1 R2 G3 Y4"),  # in the order of the phase
        (2, "R5 W W W/B7 W W W", "R5 W W W / B7 W W W"),  # both fit both: as written
        (4, "W W R3 B4 G5 Y6 W", "W W R3 B4 G5 Y6 W"),
        (4, "R6 R7 R8 R9 R10 R11 R12", "R6 R7 R8 R9 R10 R11 R12"),
        (4, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"),
        (8, "R9 R1 W R1 R3 R12 W", "R1 R1 R3 R9 R12 W W"),
        (9, "R7 B7/R5 B5 G5 Y5 W", "R5 B5 G5 Y5 W / R7 B7"),
    ],
)
def test_what_makes_a_phase(phase, text, canonical):
    """Groups in any order, in their one form."""
    assert arranged(phase, text) == canonical


@pytest.mark.parametrize(
    ("phase", "text", "rule"),
    [
        pytest.param(1, "R5 B5 G6/B7 B7 G7", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(1, "R5 B5/B7 B7 G7 Y7", "P10-8", marks=pytest.mark.rule("P10-8")),
        pytest.param(1, "R5 B5 W/W W W", "P10-10", marks=pytest.mark.rule("P10-10")),
        pytest.param(1, "R5 B5 S/R6 B6 G6", "P10-10", marks=pytest.mark.rule("P10-10")),
        pytest.param(1, "R5 B5 G5", "P10-12", marks=pytest.mark.rule("P10-12")),
        pytest.param(
            1, "R5 B5 G5/R6 B6 G6/R7 B7 G7", "P10-13", marks=pytest.mark.rule("P10-13")
        ),
        pytest.param(2, "R5 B5 G5/R1 R2 R3 R5", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(4, "R10 R11 R12 R1 R2 R3 R4", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(4, "R7 R8 R9 R10 R11 R12 W", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(4, "W R1 R2 R3 R4 R5 R6", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(4, "R1 R2 R2 R3 R4 R5 R6", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(4, "R2 R1 W R4 R5 R6 R7", "P10-9", marks=pytest.mark.rule("P10-9")),
        pytest.param(8, "R2 R1 W R4 R5 R6 B7", "P10-9", marks=pytest.mark.rule("P10-9")),
    ],
)  # fmt: skip
def test_what_makes_no_phase(phase, text, rule):
    """Each refusal names its rule."""
    with pytest.raises(IllegalMoveError) as caught:
        arranged(phase, text)
    assert caught.value.rule == rule


@pytest.mark.rule("P10-9")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("R2 R1 W R4 R5 R6 R7", "R1 R2 W R4 R5 R6 R7"),
        ("R7 R8 R9 R10 R11 R12 W", "W R7 R8 R9 R10 R11 R12"),
        ("R7 R9 W R8 W R6 W", "R6 R7 R8 R9 W W W"),
    ],
)
def test_a_run_with_wilds_is_refused_with_the_form_to_use(text, form):
    """The player can copy it."""
    with pytest.raises(IllegalMoveError, match=f"as in {form}"):
        arranged(4, text)


@pytest.mark.rule("P10-15", "P10-16")
@pytest.mark.parametrize(
    ("kind", "group", "card", "ends"),
    [
        (Kind.SET, "R5 W W", "G5", [None]),
        (Kind.SET, "R5 W W", "R6", []),
        (Kind.SET, "R5 W W", "W", [None]),
        (Kind.SET, "R5 W W", "S", []),
        (Kind.COLOUR, "R1 R2 R3 R4 R5 W W", "R5", [None]),
        (Kind.COLOUR, "R1 R2 R3 R4 R5 W W", "B6", []),
        (Kind.COLOUR, "R1 R2 R3 R4 R5 W W", "W", [None]),
        (Kind.RUN, "R3 B4 G5 Y6", "R2", [End.LOW]),
        (Kind.RUN, "R3 B4 G5 Y6", "R7", [End.HIGH]),
        (Kind.RUN, "R3 B4 G5 Y6", "R3", []),
        (Kind.RUN, "R3 B4 G5 Y6", "R8", []),
        (Kind.RUN, "R3 B4 G5 Y6", "W", [End.LOW, End.HIGH]),
        (Kind.RUN, "W B4 G5 W", "R2", [End.LOW]),  # the wild is the 3 for good
        (Kind.RUN, "W B2 G3 W", "W", [End.HIGH]),
        (Kind.RUN, "W B10 G11 W", "W", [End.LOW]),
        (Kind.RUN, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12", "W", []),  # full
    ],
)
def test_what_fits_onto_a_group(kind, group, card, ends):
    """Which end of a run, or anywhere on the others."""
    assert list(open_ends(Group(kind, cards(group)), card)) == ends


# --- the finder -----------------------------------------------------------------------------------


def is_phase(phase, groups):
    try:
        arrange(phase, groups)
    except IllegalMoveError:
        return False
    return True


def every_lay(hand, phase):
    """All lay-downs of a small hand, of any sizes, by trying everything: (wilds, cards)."""
    parts = PHASES[phase]
    found = set()
    for count in range(sum(part.size for part in parts), len(hand) + 1):
        for chosen in set(combinations(hand, count)):
            for first in range(1, count + 1) if len(parts) == 2 else [count]:
                for one in set(combinations(chosen, first)):
                    other = without(chosen, one)
                    groups = [one, other] if len(parts) == 2 else [one]
                    if all(groups) and any(
                        is_phase(phase, [row] if len(parts) == 1 else [one_row, row])
                        for one_row in (groups[0],)
                        for row in rows(groups[-1], parts[-1].kind)
                    ):
                        found.add((chosen.count(WILD), count))
    return found


def rows(cards_, kind):
    """The orders in which a group may be written: for a run its wilds are moved about."""
    if kind is not Kind.RUN or WILD not in cards_:
        return [cards_]
    naturals = sorted((c for c in cards_ if c not in (WILD, "S")), key=NUMBER_OF.__getitem__)
    if "S" in cards_ or not naturals:
        return [cards_]
    orders = []
    for places in combinations(range(len(cards_)), len(naturals)):
        row = [WILD] * len(cards_)
        for at, card in zip(places, naturals, strict=True):
            row[at] = card
        orders.append(tuple(row))
    return orders


SMALL = st.sampled_from(
    ["R3", "B3", "R4", "G4", "R5", "Y5", "R6", "R7", "R8", "B12", "W", "W", "S"]
)


@pytest.mark.no_cover
@pytest.mark.rule("P10-30")
@pytest.mark.parametrize("phase", range(1, 11))
@given(data=st.data())
def test_the_finder_against_trying_everything(phase, data):
    """It finds a lay-down exactly when there is one: fewest wilds, then fewest cards."""
    size = sum(part.size for part in PHASES[phase])
    hand = sort_cards(data.draw(st.lists(SMALL, min_size=size, max_size=min(size + 1, 9))))
    expected = every_lay(hand, phase)
    found = find_lay(hand, phase)
    assert (found is None) == (not expected)
    if found is not None:
        used = [card for group in found for card in group.cards]
        assert (used.count(WILD), len(used)) == min(expected)
        assert arrange(phase, [group.cards for group in found]) == found
        without(hand, used)  # all of them are in the hand


@pytest.mark.rule("P10-30", "P10-V4")
@pytest.mark.parametrize(
    ("phase", "hand", "expected"),
    [
        (1, "R5 W W W W W", "R5 W W / W W W as 1"),
        (1, "R1 W W W W W S", "R1 W W / W W W as 2"),  # the lowest number that is free
        (2, "R1 W W W W W W", "R1 W W / W W W W as 1"),  # of a run the lowest start
        (9, "Y12 W W W W W W", "Y12 W W W W / W W as 1"),
        (1, "R5 B5 W W W W W", "R5 W W / B5 W W"),  # as few wilds, and none of wilds alone
        (2, "R5 R9 W W W W W", "R5 W W / R9 W W W"),
        (4, "R5 W W W W W W", "R5 W W W W W W"),
        (1, "W W W W W W W W", None),
        (4, "W W W W W W W W", None),
        (8, "W W W W W W W W", None),
    ],
)
def test_the_finder_names_groups_of_wilds(phase, hand, expected):
    """Only where no other lay-down exists."""
    found = find_lay(cards(hand), phase, by_phase=True)
    said = found and " / ".join(group_text(group.cards, group.number) for group in found)
    assert said == expected


def by_phase(phase, text):
    parts = [part.partition(" as ") for part in text.split("/")]
    meant = [int(said) if said.isdecimal() else said or None for _, _, said in parts]
    groups = arrange(phase, [cards(part) for part, _, _ in parts], meant, by_phase=True)
    return " / ".join(group_text(group.cards, group.number) for group in groups)


@pytest.mark.rule("P10-V4")
@pytest.mark.parametrize(
    ("phase", "text", "canonical"),
    [
        (1, "W W W as 7/B5 G5 R5", "W W W as 7 / R5 B5 G5"),
        (1, "B5 G5 R5/W W W as 5", "R5 B5 G5 / W W W as 5"),  # sets may share their number
        (2, "R1 R2 R3 R4/W W W W W as 12", "W W W W W as 12 / R1 R2 R3 R4"),
        (2, "W W W W as 3/R5 B5 W", "R5 B5 W / W W W W as 3"),
        (2, "W W W W as 9/R5 B5 W", "R5 B5 W / W W W W as 9"),  # up to 12
        (3, "R5 W W W/W W W W W W as 7", "R5 W W W / W W W W W W as 7"),
        (1, "R5 B5 W as 5/W W W as 7", "R5 B5 W / W W W as 7"),  # not in the log
        (4, "W R4 W R6 R7 R8 R9 as 3", "W R4 W R6 R7 R8 R9"),
        (4, "R9 R8 R7 R6 R5 R4 R3 as 3", "R3 R4 R5 R6 R7 R8 R9"),
        (8, "R9 R5 W W W W W as R", "R5 R9 W W W W W"),
        (1, "R5 B5 G5/R7 B7 W", "R5 B5 G5 / R7 B7 W"),
    ],
)
def test_one_number_card_in_the_phase_is_enough(phase, text, canonical):
    """The other group says what it is; `as` with a number card has to agree with it."""
    assert by_phase(phase, text) == canonical


@pytest.mark.parametrize(
    ("phase", "text", "rule", "words"),
    [
        pytest.param(1, "W W W/R5 B5 G5", "P10-V4", "W W W as 1 / R5 B5 G5"),
        pytest.param(1, "W W W/R1 B1 G1", "P10-V4", "W W W as 2 / R1 B1 G1"),
        pytest.param(2, "W W W W/R5 B5 G5", "P10-V4", "R5 B5 G5 / W W W W as 1"),
        pytest.param(1, "W W W as 7/W W W as 8", "P10-V4", "at least one number card"),
        pytest.param(4, "W W W W W W W as 3", "P10-V4", "at least one number card"),
        pytest.param(8, "W W W W W W W as R", "P10-V4", "as R"),
        pytest.param(8, "W W W W W W W", "P10-V4", "at least one number card"),
        pytest.param(1, "W W as 7/R5 B5 G5", "P10-8", "too short"),
        pytest.param(1, "W W W as 13/R5 B5 G5", "P10-V4", "as 13"),
        pytest.param(1, "W W W as 0/R5 B5 G5", "P10-V4", "as 0"),
        pytest.param(1, "W W W as R/R5 B5 G5", "P10-V4", "as R"),
        pytest.param(2, "R5 B5 G5/W W W W as 10", "P10-V4", "as 10"),
        pytest.param(1, "R5 B5 W as 7/W W W as 7", "P10-V4", "R5 B5 W"),
        pytest.param(1, "R5 B5 W as R/W W W as 7", "P10-V4", "R5 B5 W"),
        pytest.param(4, "W R4 W R6 R7 R8 R9 as 4", "P10-V4", "as 4"),
        pytest.param(8, "R5 R9 W W W W W as B", "P10-V4", "as B"),
        pytest.param(8, "R5 R9 W W W W W as 5", "P10-V4", "as 5"),
    ],
)  # fmt: skip
@pytest.mark.rule("P10-V4")
def test_what_wilds_cannot_be(phase, text, rule, words):
    """The refusal of a group that does not say what it is shows how to write it."""
    with pytest.raises(IllegalMoveError, match=re.escape(words)) as caught:
        by_phase(phase, text)
    assert caught.value.rule == rule


@pytest.mark.rule("P10-V4", "P10-10", "P10-15", "P10-16")
@pytest.mark.parametrize(
    ("group", "card", "ends"),
    [
        (Group(Kind.SET, cards("W W W"), 7), "G7", [None]),
        (Group(Kind.SET, cards("W W W"), 7), "G6", []),
        (Group(Kind.SET, cards("W W W"), 7), "W", [None]),
        (Group(Kind.RUN, cards("W W W W"), 3), "R2", [End.LOW]),
        (Group(Kind.RUN, cards("W W W W"), 3), "R7", [End.HIGH]),
        (Group(Kind.RUN, cards("W W W W"), 3), "R3", []),
        (Group(Kind.RUN, cards("W W W W"), 3), "W", [End.LOW, End.HIGH]),
        (Group(Kind.RUN, cards("W W W W"), 1), "W", [End.HIGH]),
        (Group(Kind.RUN, cards("W W W W"), 9), "W", [End.LOW]),
    ],
)
def test_what_fits_onto_wilds(group, card, ends):
    """They stand for what was said, also after more cards were hit."""
    assert list(open_ends(group, card)) == ends
    for end in ends:
        after = grown(group, card, end)
        assert len(after.cards) == len(group.cards) + 1
        assert (after.number is None) == (card != WILD)
        if group.kind is Kind.RUN:
            low, high = run_ends(group.cards, group.number)
            expected = (low - 1, high) if end is End.LOW else (low, high + 1)
            assert run_ends(after.cards, after.number) == expected


@pytest.mark.rule("P10-30", "P10-10")
def test_the_run_gets_a_number_card_of_the_set_if_it_has_no_other():
    """With two fives and five wilds each group has its number card."""
    found = find_lay(cards("R5 B5 W W W W W"), 2)
    assert found is not None
    assert [group.cards.count(WILD) for group in found] == [2, 3]
    assert find_lay(cards("R5 W W W W W W"), 2) is None
