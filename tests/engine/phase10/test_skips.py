"""Test skips: allowed targets, the end of a mark, and the last card (P10-19 to P10-22)."""

import pytest

from engine.api import Seat
from engine.phase10.moves import Discard
from tests.engine.phase10.tables import (
    FAMILY,
    OFFICIAL,
    Game,
    cards,
    done,
    laid,
    orders_of,
    seat,
    table,
)

SETS = laid(1, "R5 B5 G5/R7 B7 G7")
PLAIN = "R1 R2"


def skips_of(state):
    return [order for order in orders_of(state) if order.startswith("discard S")]


def three(*hands, rules=OFFICIAL, **fields):
    return Game(table(*(seat(hand) for hand in hands), rules=rules, drawn=True, **fields))


@pytest.mark.rule("P10-19")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
def test_a_skip_names_another_player_who_loses_the_next_turn(rules):
    """The skip is on the pile like any discard."""
    game = three("S R1", PLAIN, "G1 G2", rules=rules).play("discard S 1")
    assert game.state.to_act == 2
    assert game.state.pile[-1] == "S"
    assert game.fact("discarded") == {"card": "S", "named": 1}
    assert game.kinds == ["discarded", "skipped"]
    game.play("draw", "discard G1", "draw", "discard R1")
    assert game.state.to_act == 1  # the next time round it plays again


@pytest.mark.rule("P10-20")
def test_official_one_skip_per_player_until_the_skipper_is_passed():
    """Seat 0 skips seat 1; seat 2 may not, and seat 1's mark ends at seat 0's place."""
    game = three("S R1 R2", PLAIN, "S G1 G2", "S G3 G4").play("skip 1", "draw")
    assert game.state.seats[1].mark == 0
    assert skips_of(game.state) == ["discard S 0", "discard S 3"]
    assert game.refusal("discard S 1").startswith("P10-20:")
    game.play("discard G1", "draw")
    assert skips_of(game.state) == ["discard S 0", "discard S 2"]
    game.play("discard G3", "draw")
    assert game.state.to_act == 0
    assert game.state.seats[1].mark is None


@pytest.mark.rule("P10-20", "P10-21")
def test_family_nobody_is_skipped_twice_without_a_turn_between():
    """With two players the second skip has no effect."""
    game = three("S S R1 R2", PLAIN, rules=FAMILY).play("skip 1", "draw")
    assert game.state.to_act == 0
    assert skips_of(game.state) == ["discard S"]
    assert game.refusal("discard S 1").startswith("P10-20:")
    game.play("discard S")
    assert game.state.to_act == 1
    assert game.fact("discarded")["named"] is None
    assert game.state.seats[1].mark is None  # it takes its turn


@pytest.mark.rule("P10-21")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
def test_skips_and_marks_lapse_with_the_hand(rules):
    """In the next hand everybody may play and be named."""
    state = table(
        done("R1"), seat("R2", skips=1, mark=Seat(0)), seat("G1", mark=Seat(2)),
        groups={0: SETS}, drawn=True, rules=rules,
    )  # fmt: skip
    game = Game(state).play("discard R1")
    assert game.state.deal == 1
    assert all(own.skips == 0 for own in game.state.seats)
    assert game.state.pile != ("S",)
    assert all(own.mark is None for own in game.state.seats)


@pytest.mark.rule("P10-22")
@pytest.mark.parametrize("order", ["discard S", "discard S 1", "skip 1"])
def test_official_going_out_with_a_skip_names_nobody(order):
    """A name given all the same is ignored."""
    state = table(done("S"), seat(PLAIN), seat("G1"), groups={0: SETS}, drawn=True)
    assert orders_of(state) == ["discard S"]
    game = Game(state).play(order)
    assert game.fact("deal_over")["winner"] == 0
    assert game.fact("discarded")["named"] is None
    assert OFFICIAL.apply(state, Seat(0), Discard("S", Seat(1))).state == game.state


@pytest.mark.rule("P10-22")
def test_family_a_skip_as_the_last_card_is_replaced():
    """It names a player, its player draws one card, and the turn ends."""
    state = table(
        done("S"), seat(PLAIN), seat("G1"), groups={0: SETS}, drawn=True, rules=FAMILY,
        stock="Y9 Y8",
    )  # fmt: skip
    assert orders_of(state) == ["discard S 1", "discard S 2"]
    game = Game(state).play("discard S 1")
    assert game.state.seats[0].hand == cards("Y8")
    assert game.state.to_act == 2
    assert not game.state.seats[0].is_floating


@pytest.mark.rule("P10-18", "P10-28")
def test_a_floater_who_resigns_has_left_the_game_and_floats_no_more():
    """The view shows it, and a skip that names the seat is refused for that reason."""
    game = Game(
        table(
            seat("S R1 R2"),
            done(is_floating=True),
            seat("G1"),
            groups={1: SETS},
            drawn=True,
            rules=FAMILY,
        )
    )
    assert FAMILY.view(game.state, 0)["seats"][1]["floating"]
    assert game.refusal("discard S 1").startswith("P10-21:")
    game.resign(1)
    assert not FAMILY.view(game.state, 0)["seats"][1]["floating"]
    assert game.refusal("discard S 1").startswith("P10-28:")
