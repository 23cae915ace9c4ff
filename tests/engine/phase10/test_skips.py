"""Test skips: allowed targets, the end of a mark, and the last card (P10-19 to P10-22)."""

import pytest

from engine.api import Seat
from engine.errors import AmbiguousOrderError, IllegalMoveError
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


def refused(game, order, rule):
    with pytest.raises(IllegalMoveError) as caught:
        game.play(order)
    assert caught.value.rule == rule


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


@pytest.mark.rule("P10-19")
def test_whom_a_skip_cannot_name():
    """Oneself, nobody at the table, nobody at all; and no other card names anybody."""
    game = three("S R1", PLAIN, "G1 G2")
    refused(game, "discard S 0", "P10-19")
    refused(game, "discard S 3", "P10-19")
    with pytest.raises(AmbiguousOrderError) as caught:
        game.play("discard S")
    assert caught.value.candidates == ("discard S 1", "discard S 2")
    for move in (Discard("S"), Discard("R1", Seat(1))):
        with pytest.raises(IllegalMoveError):
            OFFICIAL.apply(game.state, Seat(0), move)


@pytest.mark.rule("P10-20")
def test_official_one_skip_per_player_until_the_skipper_is_passed():
    """Seat 0 skips seat 1; seat 2 may not, and seat 1's mark ends at seat 0's place."""
    game = three("S R1 R2", PLAIN, "S G1 G2", "S G3 G4").play("skip 1", "draw")
    assert game.state.seats[1].mark == 0
    assert skips_of(game.state) == ["discard S 0", "discard S 3"]
    refused(game, "discard S 1", "P10-20")
    game.play("discard G1", "draw")
    assert skips_of(game.state) == ["discard S 0", "discard S 2"]
    game.play("discard G3", "draw")
    assert game.state.to_act == 0
    assert game.state.seats[1].mark is None


@pytest.mark.rule("P10-20")
def test_official_a_skip_to_serve_protects():
    """A seat that still has to lose a turn cannot be named."""
    state = table(seat("S R1"), seat(PLAIN, skips=1), seat("G1 G2"), drawn=True)
    assert skips_of(state) == ["discard S 2"]


@pytest.mark.rule("P10-20", "P10-21")
def test_official_with_two_players_the_skipper_may_go_on_skipping():
    """It plays again, and its place has been passed."""
    game = three("S S R1 R2", PLAIN).play("skip 1")
    assert game.state.to_act == 0
    game.play("draw", "discard S")
    assert game.state.to_act == 0
    assert game.fact("discarded")["named"] == 1


@pytest.mark.rule("P10-20", "P10-21")
def test_family_nobody_is_skipped_twice_without_a_turn_between():
    """With two players the second skip has no effect."""
    game = three("S S R1 R2", PLAIN, rules=FAMILY).play("skip 1", "draw")
    assert game.state.to_act == 0
    assert skips_of(game.state) == ["discard S"]
    refused(game, "discard S 1", "P10-20")
    game.play("discard S")
    assert game.state.to_act == 1
    assert game.fact("discarded")["named"] is None
    assert game.state.seats[1].mark is None  # it takes its turn


@pytest.mark.rule("P10-20")
def test_family_the_mark_stays_until_the_skipped_player_has_a_turn():
    """Even when the skipper's place has been passed."""
    game = three("S S R1 R2", PLAIN, "G1 G2", rules=FAMILY).play("skip 1", "draw", "discard G1")
    game.play("draw")
    assert game.state.to_act == 0
    assert skips_of(game.state) == ["discard S 2"]


@pytest.mark.rule("P10-21")
def test_a_skip_without_effect_if_nobody_can_be_named():
    """It is an ordinary discard; a name is refused with that hint."""
    state = table(seat("S R1"), seat(PLAIN, mark=Seat(0)), drawn=True)
    assert skips_of(state) == ["discard S"]
    with pytest.raises(IllegalMoveError, match="nobody can be named"):
        Game(state).play("skip 1")
    game = Game(state).play("discard S")
    assert game.state.to_act == 1


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
    refused(game, "discard S 1", "P10-21")
    game.resign(1)
    assert not FAMILY.view(game.state, 0)["seats"][1]["floating"]
    refused(game, "discard S 1", "P10-28")
