"""What a refused move of Phase 10 says, word by word: the rule, and what would be right."""

import pytest

from engine.api import Seat
from engine.errors import IllegalMoveError, NotToActError
from engine.phase10.cards import card
from engine.phase10.groups import PHASES, Kind, Part, make_group
from engine.phase10.moves import DRAW, Discard, Hit, Lay
from tests.engine.phase10.tables import cards, done, laid, rules_of, seat, table


def refused(state, move, kind=IllegalMoveError, who=0):
    with pytest.raises(kind) as caught:
        rules_of(state).apply(state, Seat(who), move)
    return caught.value.rule, caught.value.message


@pytest.mark.rule("P10-6")
def test_whose_turn_it_is_and_what_comes_first():
    state = table(seat("R5"), seat("W"))
    assert refused(state, DRAW, NotToActError, who=1) == (None, "it is the turn of seat 0")
    assert refused(state, Discard(card("R5"))) == ("P10-6", "P10-6: first draw or take a card")


@pytest.mark.rule("P10-6", "P10-12", "P10-15")
def test_a_card_that_is_not_held_is_named_with_the_rule_of_the_move():
    state = table(seat("R5"), seat("W"), drawn=True)
    rule, message = refused(state, Discard(card("G9")))
    assert rule == "P10-6"
    assert message.startswith("P10-6: ")
    assert "G9" in message
    lay = Lay((cards("R5 B5 G5"), cards("R7 Y7 B7")))
    assert refused(state, lay) == ("P10-12", "P10-12: you do not hold B5")
    ready = table(done("R5"), seat("W"), groups={0: laid(1, "R3 B3 G3 / R7 Y7 B7")}, drawn=True)
    rule, message = refused(ready, Hit(card("G9"), Seat(0), 0))
    assert rule == "P10-15"
    assert message.startswith("P10-15: ")
    assert "G9" in message


@pytest.mark.rule("P10-15")
@pytest.mark.parametrize(("owner", "number"), [(0, 2), (1, 0), (2, 0), (-1, 0), (0, -1)])
def test_a_group_that_is_not_there(owner, number):
    state = table(done("R5"), seat("W"), groups={0: laid(1, "R3 B3 G3 / R7 Y7 B7")}, drawn=True)
    assert refused(state, Hit(card("R5"), Seat(owner), number)) == (
        "P10-15",
        "P10-15: there is no such group on the table",
    )


@pytest.mark.rule("P10-12", "P10-15")
def test_the_own_phase_comes_once_and_first():
    groups = laid(1, "R3 B3 G3 / R7 Y7 B7")
    before = table(seat("R5"), done("W"), groups={1: groups}, drawn=True)
    assert refused(before, Hit(card("R5"), Seat(1), 0)) == (
        "P10-15",
        "P10-15: lay your own phase down before you hit anything",
    )
    after = table(done("R5"), seat("W"), groups={0: groups}, drawn=True)
    assert refused(after, Lay((cards("R3 B3 G3"), cards("R7 Y7 B7")))) == (
        "P10-12",
        "P10-12: your phase is down already, once per hand",
    )


SET, RUN, COLOUR = Part(Kind.SET, 3), Part(Kind.RUN, 4), PHASES[8][0]


@pytest.mark.rule("P10-8", "P10-9", "P10-10")
@pytest.mark.parametrize(
    ("part", "text", "rule", "message"),
    [
        (SET, "R5 B5 S", "P10-10", "P10-10: a skip is never part of a group"),
        (
            SET,
            "W W W",
            "P10-10",
            "P10-10: each group needs at least one number card beside its wilds",
        ),
        (SET, "R5 B5", "P10-8", "P10-8: R5 B5 is too short for a set of 3"),
        (COLOUR, "R5 R6", "P10-8", "P10-8: R5 R6 is too short, phase 8 is 7 cards of one colour"),
        (SET, "R5 B5 G6", "P10-9", "P10-9: R5 B5 G6: a set has one number"),
        (
            COLOUR,
            "R1 R2 R3 R4 R5 R6 B7",
            "P10-9",
            "P10-9: R1 R2 R3 R4 R5 R6 B7: the cards of a colour group have one colour",
        ),
        (
            RUN,
            "R1 R2 R2 R4",
            "P10-9",
            "P10-9: R1 R2 R2 R4: a run has consecutive numbers from 1 to 12, each once",
        ),
    ],
)
def test_what_is_no_group_says_why(part, text, rule, message):
    with pytest.raises(IllegalMoveError) as caught:
        make_group(part, cards(text))
    assert (caught.value.rule, caught.value.message) == (rule, message)


@pytest.mark.rule("P10-11")
def test_a_turn_without_a_card_is_told():
    state = table(seat("R5"), seat("W"), pile="S", stock="")
    step = rules_of(state).apply(state, Seat(0), DRAW)
    (fact,) = [fact for fact in step.facts if fact.kind == "no_draw"]
    assert (fact.seat, fact.data, fact.audience) == (0, {}, None)
