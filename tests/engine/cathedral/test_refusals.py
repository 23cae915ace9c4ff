"""What a refused move of Cathedral says, word by word; and what is told when a game is stopped."""

import pytest

from engine.api import Seat, Source
from engine.cathedral.moves import Keep, Play
from engine.errors import IllegalMoveError
from engine.silence import STANDBY
from tests.engine.cathedral.tables import RULES, SIX, cards, choosing, seat, table


def refused(state, move, who=0):
    with pytest.raises(IllegalMoveError) as caught:
        RULES.apply(state, Seat(who), move)
    return caught.value.rule, caught.value.message


@pytest.mark.rule("CAT-2")
def test_setting_aside_what_is_not_there():
    state = choosing(seat("2c 10d Qh 7c"), seat("8c 8d 8h 8s"))
    assert refused(state, Keep(cards("2c 10d Kh"))) == ("CAT-2", "CAT-2: you do not hold Kh")
    assert refused(state, Keep(cards("2c 10d"))) == (
        "CAT-2",
        "CAT-2: set aside exactly three cards, not 2, as in: set aside 2 10 Q",
    )
    assert "three cards, not 1" in refused(state, Keep(cards("2c 2c 2c")))[1]


@pytest.mark.rule("CAT-6", "CAT-14")
def test_playing_what_is_not_in_the_hand():
    state = table(seat("7c 7d 9h", "2s Ks 10s"), seat("8c"), pile="5c")
    assert refused(state, Play(cards("8d"))) == ("CAT-6", "CAT-6: you do not hold 8d")
    waits = (
        "CAT-14: you have set Ks aside, and it waits until stock and hand are gone; play from your"
        " hand"
    )
    assert refused(state, Play(cards("Ks"))) == ("CAT-14", waits)


@pytest.mark.rule("CAT-6")
def test_cards_of_two_ranks_are_no_play():
    state = table(seat("7c 7d 9h"), seat("8c"), pile="5c")
    rule, message = refused(state, Play(cards("7c 9h")))
    assert rule == "CAT-6"
    assert message.startswith("CAT-6: ")


def stopped(step):
    (fact,) = [fact for fact in step.facts if fact.kind == "stopped"]
    return fact.seat, fact.data


@pytest.mark.rule("GEN-8", "CAT-19")
def test_the_last_ply_says_why_the_game_is_stopped():
    """A ply before that nothing is stopped, however many plies earlier deals had."""
    for plies, is_over in ((48, False), (49, True)):
        state = table(
            seat("7c 9h", "2s"),
            seat("8c 8d", "2d"),
            pile="5c",
            ply=200 + plies,
            deal_ply=plies,
            options={"max_plies": 50},
        )
        step = RULES.apply(state, Seat(0), Play(cards("9h")))
        assert (RULES.outcome(step.state) is not None) is is_over
        if is_over:
            assert stopped(step) == (None, {"cause": "max_plies"})


@pytest.mark.rule("GEN-8", "CAT-19")
@pytest.mark.parametrize(("limit", "is_over"), [(2, True), (3, True), (4, False)])
def test_choices_made_together_may_pass_the_limit(limit, is_over):
    """Three choices, counted in this deal only, are carried out as one."""
    state = choosing(*SIX, ply=500, deal_ply=0, options={"max_plies": limit})
    for who in range(3):
        assert RULES.outcome(state) is None
        step = RULES.apply(state, Seat(who), RULES.standby_move(state, Seat(who)))
        state = step.state
    assert (RULES.outcome(state) is not None) is is_over
    if is_over:
        assert stopped(step) == (None, {"cause": "max_plies"})


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("wins", [True, False])
def test_a_silent_table_is_told_why_it_ends(wins):
    """Also where the last silent turn wins a deal: no other one is dealt."""
    quiet = (STANDBY, STANDBY)
    state = table(
        seat("7c" if wins else "7c 8h"),
        seat("8c 9c"),
        pile="5c",
        turns=((0, STANDBY), quiet),
        options={"deals": 9},
    )
    step = RULES.apply(state, Seat(0), RULES.standby_move(state, Seat(0)), Source.STANDBY)
    assert stopped(step) == (None, {"cause": "silence"})
    assert RULES.outcome(step.state).reason == "stopped"
    (over,) = [fact for fact in step.facts if fact.kind == "deal_over"]
    assert over.seat == (0 if wins else None)
