"""Test betting windows with exact chips, resigned raisers and missed deadlines (PLX-V5)."""

from itertools import product

import pytest

from engine.api import Seat, Source
from engine.phalanx.betting import Bet, Bets
from engine.phalanx.state import BETTING, PLAYING
from engine.silence import CHOSEN, STANDBY
from tests.engine.phalanx.tables import (
    RULES,
    ZONES,
    Game,
    betting,
    seat,
    table,
    texts,
)

pytestmark = pytest.mark.rule("PLX-V5")


def test_a_list_is_complete_where_the_chips_only_match():
    """Two chips lack everywhere: with two there is no raise; with three there may be one."""
    behind = {"center": (0, 2), "side:0": (0, 2), "side:1": (0, 2)}
    assert RULES.is_list_complete(betting(2, 9, pots=behind).state, 0)
    assert not RULES.is_list_complete(betting(3, 9, pots=behind).state, 0)


def test_a_list_is_complete_where_the_only_zone_asked_in_cannot_be_raised():
    """Asked again, in one zone: other zones, where a raise would do, are no part of it."""
    asked = betting(2, 9, 9).play("check", "check", "raise left 2")
    assert asked.state.to_act == (0,)
    assert texts(asked.state, 0) == ["check", "match right"]
    assert RULES.is_list_complete(asked.state, 0)
    richer = betting(3, 9, 9).play("check", "check", "raise left 2")
    assert texts(richer.state, 0) == ["check", "match right", "raise right 1"]
    assert not RULES.is_list_complete(richer.state, 0)


@pytest.mark.parametrize("chips", range(1, 9))
def test_the_list_holds_what_can_be_paid_and_nothing_else(chips):
    """At each number of chips, also where they reach exactly; in the documented order."""
    state = betting(chips, 9, 9, pots={"center": (0, 2, 1), "side:0": (1, 2, 0)}).state
    bets = []
    for left, center, right in product((None, 0, 1), repeat=3):
        # The left lacks 1, the center 2, the right nothing; only the last match may fall short.
        named = [
            (place, lacking, by)
            for place, lacking, by in (
                ("left", 1, left),
                ("center", 2, center),
                ("right", 0, right),
            )
            if by is not None
        ]
        rest, is_payable = chips, True
        for _, lacking, by in named:
            is_payable &= rest >= lacking + by if by else lacking > 0 and rest > 0
            rest -= min(rest, lacking + by)
        if is_payable:
            bets.append(Bets(tuple(Bet(place, by) for place, _, by in named)))
    assert list(RULES.legal_moves(state, Seat(0))) == bets


@pytest.mark.rule("GEN-7")
def test_silence_is_seen_in_the_middle_of_a_window():
    """The last quiet turn that was missing is a check, with somebody left to be asked."""
    state = betting(9, 9, turns=((0, STANDBY), (STANDBY, STANDBY))).state
    game = Game(state).play("check", source=Source.STANDBY)
    assert game.facts("stopped") == [{"cause": "silence"}]
    assert Game(state).play("check").state.phase == BETTING


CLOSED = {"center": (1, 2), "side:0": (1, 2), "side:1": (1, 2)}


@pytest.mark.rule("GEN-7")
def test_laying_a_card_aside_is_a_turn():
    """A quiet one of a silent seat, which may stop the game."""
    state = table(seat("5c 6c", chips=5), seat("4c 7c", chips=5), options=ZONES, pots=CLOSED,
                  window_size=2, turns=((0, STANDBY), (STANDBY, STANDBY)))  # fmt: skip
    game = Game(state).play("pass", source=Source.STANDBY)
    assert game.state.turns[0] == (STANDBY, STANDBY)
    assert game.facts("stopped") == [{"cause": "silence"}]
    assert Game(state).play("pass").state.turns[0] == (STANDBY, CHOSEN)


@pytest.mark.rule("GEN-11")
def test_no_pass_is_forced_in_a_window():
    """The seat is closed out of every zone but may still bet, so its zones may open."""
    state = betting(9, 9, pots=CLOSED, first=0).state
    assert (state.phase, state.to_act) == (BETTING, (0,))
    assert RULES.forced_move(state) is None
    forced = RULES.forced_move(state._replace(phase=PLAYING, window=None))
    assert RULES.format_move(state, *forced) == "pass"


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize(
    ("is_open", "lying", "is_forced"),
    [
        ("left", {"side0": "0:2c 0:3c 1:4c"}, True),  # own cards are no targets
        ("left", {"side0": "1:2c 1:3c"}, False),
        ("left", {"side1": "1:2c 1:3c", "center": "1:4c 1:5c"}, True),  # in other zones
        ("right", {"side1": "1:2c 1:3c"}, False),
        ("right", {"side0": "1:2c 1:3c", "center": "1:4c 1:5c"}, True),
        ("center", {"center": "0:2c 0:3c"}, True),
    ],
)
def test_what_is_forced_depends_on_targets_in_the_open_zone(is_open, lying, is_forced):
    """With two of them a king would have a choice, and everybody can see as much."""
    names = {"left": "side:0", "center": "center", "right": "side:1"}
    pots = {name: (0, 1) for place, name in names.items() if place != is_open}
    state = table(seat("9d", chips=5), seat("9h", chips=5), options=ZONES, pots=pots,
                  window_size=1, **lying)  # fmt: skip
    forced = RULES.forced_move(state)
    assert (forced is not None) == is_forced
    if forced is not None:
        assert RULES.format_move(state, *forced) == f"play 9d {is_open}"


# --- the window before the opening ----------------------------------------------------------------
