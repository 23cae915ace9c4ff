"""What a refused move of Phyliss says: the rule, and what lies where; and how silence ends a deal."""

import pytest

from engine.api import Seat, Source
from engine.errors import IllegalMoveError, NotToActError
from engine.phyliss.moves import FLIPS, GOD, PICK_UP, Play
from tests.engine.phyliss.tables import RULES, cards, seat, table


def refused(state, move, kind=IllegalMoveError, who=0):
    with pytest.raises(kind) as caught:
        RULES.apply(state, Seat(who), move)
    return caught.value.rule, caught.value.message


@pytest.mark.rule("PHY-22")
def test_who_is_rid_of_all_cards_is_told_so():
    state = table(seat("7c"), seat(out=1), seat("8c"))
    assert refused(state, PICK_UP, NotToActError, who=1) == (
        "PHY-22",
        "PHY-22: this seat is rid of all its cards",
    )
    assert refused(state, PICK_UP, NotToActError, who=2) == (None, "it is the turn of seat 0")


@pytest.mark.rule("PHY-13")
def test_an_empty_pile():
    assert refused(table(seat("7c"), seat("8c")), PICK_UP) == (
        "PHY-13",
        "PHY-13: the discard pile is empty, there is nothing to pick up",
    )


@pytest.mark.rule("PHY-14")
def test_an_empty_stock():
    assert refused(table(seat("7c"), seat("8c"), pile="9c"), GOD) == (
        "PHY-14",
        "PHY-14: the stock is empty, the hand of god has nothing to turn over",
    )


@pytest.mark.rule("PHY-17", "PHY-18")
def test_a_card_of_the_table_while_there_is_a_hand():
    rule, message = refused(table(seat("7c", up="8d"), seat("8c")), Play(cards("8d")))
    assert rule == "PHY-17"
    assert message.startswith("PHY-17: 8d lies face up on the table, and waits")
    mixed = table(seat("8c 7c", up="8d"), seat("8h"))
    rule, message = refused(mixed, Play(cards("8c 8d")))
    assert rule == "PHY-18"
    assert "8d lies face up" in message
    rule, message = refused(table(seat("7c", up="8d"), seat("8c")), Play(cards("9d")))
    assert rule == "PHY-18"
    assert "PHY-17" not in message


@pytest.mark.rule("PHY-20")
def test_a_flip_before_its_time_names_what_comes_first():
    hand = table(seat("7c", blind="9c 9d"), seat("8c"))
    assert " hand" in refused(hand, FLIPS[1])[1]
    up = table(seat(up="7c", blind="9c 9d"), seat("8c"))
    assert " face-up cards" in refused(up, FLIPS[1])[1]


@pytest.mark.rule("PHY-20")
def test_only_blind_cards_are_left():
    state = table(seat(blind="9c 9d", numbers=(1, 3)), seat("8c"))
    assert "1, 3" in refused(state, Play(cards("9c")))[1]


@pytest.mark.rule("GEN-7", "PHY-25")
def test_resigning_without_cards_tells_that_nothing_was_seen_or_left():
    state = table(seat("7c"), seat(out=1), seat("8c"), options={"deals": 2})
    step = RULES.resign(state, Seat(1))
    (fact,) = [fact for fact in step.facts if fact.kind == "resigned"]
    assert (fact.seat, fact.data) == (1, {"seen": [], "unseen_count": 0})


@pytest.mark.rule("GEN-7", "GEN-8")
def test_a_silent_table_is_told_why_it_ends():
    """Also where the last silent turn ended a deal: no other one is dealt."""
    state = RULES.start(table(seat("7c"), seat("8c"), options={"deals": 9}).setup).state
    for _ in range(200):
        if not RULES.to_act(state):
            break
        who = RULES.to_act(state)[0]
        step = RULES.apply(state, who, RULES.standby_move(state, who), Source.STANDBY)
        state = step.state
    (stopped,) = [fact for fact in step.facts if fact.kind == "stopped"]
    assert (stopped.seat, stopped.data) == (None, {"cause": "silence"})
