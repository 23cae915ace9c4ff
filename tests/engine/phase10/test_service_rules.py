"""Test resigning, standby and forced moves, options and views (P10-28, P10-29, P10-32, GEN-5 …)."""

import json

import pytest

from engine.errors import ReplayError
from engine.ruleset import public_move
from tests.engine.phase10.tables import (
    FAMILY,
    OFFICIAL,
    Game,
    Group,
    Kind,
    cards,
    done,
    laid,
    orders_of,
    rules_of,
    seat,
    setup,
    table,
)
from tests.engine.playing import standby_of

SETS = laid(1, "R5 B5 G5/R7 B7 G7")
PHASE_2 = laid(2, "R8 B8 G8/R3 B4 G5 W")


def standby(state) -> str:
    return standby_of(rules_of(state), state)


# --- resigning ------------------------------------------------------------------------------------


@pytest.mark.rule("P10-28", "GEN-7")
def test_a_resigned_hand_leaves_the_game_and_its_groups_stay():
    """A card just drawn included; the next seat acts; others may hit the groups."""
    state = table(
        done("Y5 Y6"), done("R1 Y7", known="R1"), seat("G1", skips=1), groups={1: SETS}, stock="Y9",
        left_unseen=(),
    )  # fmt: skip
    game = Game(state).play("draw").resign(0)
    assert game.state.to_act == 1
    assert set(cards("Y5 Y6 Y9")) <= set(game.state.left_unseen)
    assert game.fact("resigned") == {"seen": [], "unseen_count": 3}
    game.resign(2)
    assert game.result.reason == "last-seat"
    assert game.result.ranking == ((1,), (2,), (0,))


@pytest.mark.rule("P10-28")
def test_known_cards_of_a_resigned_hand_stay_known():
    """The others do not."""
    game = Game(table(seat("R1"), seat("R2 R3", known="R2"), seat("G1"))).resign(1)
    assert game.fact("resigned") == {"seen": ["R2"], "unseen_count": 1}
    view = OFFICIAL.view(game.state, 0)
    assert (view["gone"], view["gone_hidden"]) == (["R2"], 1)


@pytest.mark.rule("P10-28")
def test_a_skip_to_serve_lapses_with_its_seat():
    """And play passes over it without a word."""
    state = table(seat("R1 R2"), seat("G1", skips=1), seat("Y9"), drawn=True)
    game = Game(state).resign(1)
    assert game.state.seats[1].skips == 0
    game.play("discard R1")
    assert game.kinds == ["discarded"]
    assert game.state.to_act == 2


@pytest.mark.rule("P10-28", "P10-18")
def test_family_if_all_others_float_the_hand_ends_without_a_winner():
    """When the one who could play resigns."""
    floating = done(is_floating=True)
    state = table(seat("R1"), floating, floating, groups={1: SETS}, rules=FAMILY)
    game = Game(state).resign(0)
    assert game.fact("deal_over")["winner"] is None
    assert game.fact("deal_over")["points"] == [None, 0, 0]
    assert game.state.dealt_in == (1, 2)


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
def test_a_silent_game_is_stopped(rules):
    """It stops after two standby turns of every seat."""
    game = Game(rules.start(setup(3, rules)).state)
    turns = 0
    while game.result is None:
        before = game.state
        game.standby()
        turns += game.state.turns != before.turns
    assert turns == 6
    assert game.result.reason == "stopped"
    assert game.fact("stopped") == {"cause": "silence"}


@pytest.mark.rule("GEN-7", "P10-26")
def test_in_a_tie_break_only_the_tied_are_waited_for():
    """Seat 1 is not in it and has done what it liked."""
    ten = {"phase": 10, "completed": 10, "score": 55}
    state = table(
        seat("R1 R2 R3", **ten), seat(phase=8, completed=8), seat("G1 G2 G3", **ten),
        tied=(0, 2), dealt_in=(0, 2), turns=((1, 1), (2, 2), (1, 1)),
    )  # fmt: skip
    game = Game(state).standby(2)
    assert game.result.reason == "stopped"
    assert game.result.ranking == ((0, 2), (1,))


@pytest.mark.rule("GEN-7")
def test_a_chosen_ply_in_a_turn_ends_silence():
    """Even a standing order for the draw."""
    state = table(seat("R1 R2"), seat("G1 G2"), turns=((1, 1), (1, 1)))
    game = Game(state).play("draw").standby()
    assert game.result is None
    assert game.state.turns[0] == (1, 3)


# --- standby and forced ---------------------------------------------------------------------------


@pytest.mark.rule("P10-29")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "draw"),
        ({"stock": ""}, "take"),
        ({"stock": "", "pile": "Y1 Y2"}, "draw"),
        ({"stock": "", "pile": "S"}, "draw"),
    ],
)
def test_standby_draws(fields, expected):
    """From the stock; if there is nothing, the top discard if it may be taken."""
    assert standby(table(seat("R1"), seat("R2"), **fields)) == expected


@pytest.mark.rule("P10-29", "P10-30")
def test_standby_lays_the_phase_down():
    """The one that the finder finds."""
    state = table(seat("R5 B5 G5 R7 B7 W W S R1 R2 R3"), seat("G1"), drawn=True)
    assert standby(state) == "lay R5 B5 G5 / R7 B7 W"


@pytest.mark.rule("P10-29")
@pytest.mark.parametrize(
    ("hand", "rules", "expected"),
    [
        ("Y8 R2 W", OFFICIAL, "hit R2 on 1.1"),  # the first card in documented order
        ("Y8 Y5 W", OFFICIAL, "hit Y5 on 0.0"),
        ("R1 W", OFFICIAL, "hit W on 0.0"),  # own groups first, wilds included
        ("W", OFFICIAL, "hit W on 0.0"),
        ("W", FAMILY, "discard W"),  # one card is kept back
        ("Y8 W", FAMILY, "hit Y8 on 1.0"),
        ("R1 R12 B12 R11", OFFICIAL, "discard R12"),  # the dearest, red first
        ("S R1", OFFICIAL, "discard R1"),
        ("S", FAMILY, "discard S 2"),  # clockwise the next that can be named
    ],
)
def test_standby_with_the_phase_down(hand, rules, expected):
    """Hits, then discards the dearest number card."""
    state = table(
        done(hand), done("Y9", phase=2, mark=0), seat("G1"), groups={0: SETS, 1: PHASE_2},
        drawn=True, rules=rules,
    )  # fmt: skip
    assert standby(state) == expected


@pytest.mark.rule("P10-29")
@pytest.mark.parametrize(
    ("phase", "hand", "expected"),
    [
        (1, "R12 B12 R3 B3 R11 R1 S W", "discard R11"),  # twelves and threes are kept
        (4, "R6 R7 R8 R9 R1 B9 S", "discard B9"),
        (8, "R1 R2 R3 B12 G12", "discard B12"),
        (1, "R5 R6", "discard R6"),  # both belong to a beginning
        (1, "W W S", "discard W"),
        (1, "S S", "discard S 1"),
    ],
)
def test_standby_without_the_phase(phase, hand, expected):
    """Keeps the best beginning of the phase; else the dearest number, a wild, a skip."""
    assert standby(table(seat(hand, phase=phase), seat("G1"), seat("G2"), drawn=True)) == expected


@pytest.mark.rule("GEN-11", "P10-7")
@pytest.mark.parametrize(
    ("own", "fields", "public", "everything"),
    [
        (seat("R1"), {"pile": "S"}, "draw", "draw"),  # one way to draw
        (seat("R1"), {"pile": ""}, "draw", "draw"),
        (seat("R1"), {"stock": ""}, "take", "take"),
        (seat("R1"), {}, None, None),
        (done("R1"), {"drawn": True}, None, "discard R1"),  # private
        (done("R1", known="R1"), {"drawn": True}, "discard R1", "discard R1"),
        (done("R1 R1", known="R1 R1"), {"drawn": True}, "discard R1", "discard R1"),
        (done("R1 R1", known="R1"), {"drawn": True}, None, "discard R1"),
        (done("R1 R2", known="R1 R2"), {"drawn": True}, None, None),
        (done("Y5", known="Y5"), {"drawn": True}, None, None),  # hit or discard
    ],
)
def test_forced_moves(own, fields, public, everything):
    """Public forced moves; with `all` also those that depend on the hand; with `off` none."""
    for policy, expected in (("public", public), ("all", everything), ("off", None)):
        state = table(
            own, seat("G1 G2"), groups={0: SETS}, options={"auto_forced": policy}, **fields
        )
        for move, text in (
            (OFFICIAL.forced_move(state), expected),
            (public_move(OFFICIAL, state), public),
        ):
            assert (None if move is None else OFFICIAL.format_move(state, *move)) == text


# --- options --------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-1", "P10-V4")
def test_at_its_default_naturals_is_not_in_the_options_of_a_game():
    """Games of 1.0 did not have it, and their options are compared word for word."""
    for rules in (OFFICIAL, FAMILY):
        usual = rules.check_options(3, {})
        assert rules.check_options(3, {"naturals": "group"}) == usual
        assert "naturals" not in usual


# --- views ----------------------------------------------------------------------------------------


@pytest.mark.rule("P10-32", "GEN-5")
def test_a_seat_sees_its_hand_and_what_is_public():
    """An observer sees no hand at all."""
    state = table(
        done("R1 R2", score=35), seat("B1 B2 B3", known="B2"), groups={0: SETS},
        pile="Y1 Y2 S", stock="G1 G2", left_unseen=cards("Y12"),
    )  # fmt: skip
    view = OFFICIAL.view(state, 0)
    assert view["seats"][0]["hand"] == ["R1", "R2"]
    other = view["seats"][1]
    assert (other["hand"], other["hand_size"], other["known"]) == (None, 3, ["B2"])
    assert view["pile"] == ["Y1", "Y2", "S"]
    assert view["groups"][0][0] == {"kind": "set", "cards": ["R5", "B5", "G5"]}
    assert (view["stock_size"], view["stock"]) == (2, None)
    assert (view["seats"][0]["phase"], view["seats"][0]["score"]) == (1, 35)
    text = json.dumps(view)
    assert not any(f'"{hidden}"' in text for hidden in ("B1", "B3", "G1", "G2", "Y12"))
    nobody = OFFICIAL.view(state, None)
    assert [own["hand"] for own in nobody["seats"]] == [None, None]


@pytest.mark.rule("P10-32", "GEN-16")
def test_a_taken_card_is_known_until_it_leaves():
    """Of equal cards the known one leaves first; drawn cards are private."""
    game = Game(table(seat("Y8 R1"), seat("G1 G2 G3"), pile="Y9 Y8", stock="W R4 R3"))
    game.play("take")
    assert game.state.seats[0].known == cards("Y8")
    game.play("discard R1", "draw", "discard G1", "draw", "discard Y8")
    assert game.state.seats[0].known == ()
    assert "Y8" in game.state.seats[0].hand
    assert game.state.seats[1].known == ()


@pytest.mark.rule("P10-32")
def test_known_cards_leave_by_hits_and_lay_downs_too():
    """Each copy once."""
    hand = "R5 B5 G5 R7 B7 G7 Y5 Y5 R1"
    state = table(seat(hand, known="B5 Y5 Y5"), seat("G1"), drawn=True)
    game = Game(state).play("lay R5 B5 G5 / 7 7 7")
    assert game.state.seats[0].known == cards("Y5 Y5")
    game.play("hit Y5 on 0.0")
    assert game.state.seats[0].known == cards("Y5")


@pytest.mark.rule("GEN-15")
def test_between_hands_nothing_hidden_is_turned_up():
    """Only the points are public until the game ends."""
    state = table(
        done("R1"), seat("W Y12"), groups={0: SETS}, drawn=True, options={"phases": [1, 2]}
    )
    game = Game(state).play("discard R1")
    facts = [f for f in game.steps[-1].facts if f.audience is None]
    before_deal = [f.data for f in facts if f.kind != "dealt"]
    assert '"W"' not in json.dumps(before_deal)
    over = Game(
        table(done("R1"), seat("W Y12"), groups={0: SETS}, drawn=True, options={"phases": [1]})
    ).play("discard R1")
    view = OFFICIAL.view(over.state, None)
    assert view["over"] is True
    assert view["seats"][1]["hand"] == ["Y12", "W"]
    assert view["stock"] == list(over.state.stock)


OF_WILDS = {"kind": "set", "cards": ["W", "W", "W"]}


@pytest.mark.rule("GEN-1", "P10-V4")
@pytest.mark.parametrize("number", [None, 0, 13, True, "7"])
def test_a_group_of_wilds_has_its_number_in_a_state(number):
    """So it is read back, and nothing else is."""
    groups = {0: (*laid(1, "R5 B5 G5/R7 B7 G7")[:1], Group(Kind.SET, cards("W W W"), 7))}
    state = table(done("R1"), seat("G1"), groups=groups, options={"naturals": "phase"})
    data = OFFICIAL.state_json(state)
    assert data["groups"][0][1] == {**OF_WILDS, "as": 7}
    assert OFFICIAL.state_from_json(state.setup, data) == state
    other = {**OF_WILDS} if number is None else {**OF_WILDS, "as": number}
    with pytest.raises(ReplayError):
        OFFICIAL.state_from_json(
            state.setup, {**data, "groups": [[data["groups"][0][0], other], []]}
        )


@pytest.mark.rule("P10-29", "P10-V4")
def test_standby_lays_down_a_group_of_wilds():
    """Where nothing else is a phase."""
    state = table(seat("R5 W W W W W S S"), seat("G1"), drawn=True, options={"naturals": "phase"})
    assert standby(state) == "lay R5 W W / W W W as 1"
    assert orders_of(state)[0] == "lay R5 W W / W W W as 1"
    assert not OFFICIAL.is_list_complete(state, 0)
    usual = table(seat("R5 W W W W W S S"), seat("G1"), drawn=True)
    assert OFFICIAL.is_list_complete(usual, 0)


@pytest.mark.rule("P10-30")
def test_the_list_of_moves_says_when_a_lay_down_may_be_missing():
    """Only then it is a selection."""
    hand = "R5 B5 G5 R7 B7 W W S R1 R2 R3"
    state = table(seat(hand), seat("G1"), drawn=True)
    assert not OFFICIAL.is_list_complete(state, 0)
    assert orders_of(state)[0] == "lay R5 B5 G5 / R7 B7 W"
    assert OFFICIAL.is_list_complete(table(seat(hand), seat("G1")), 0)
    assert OFFICIAL.is_list_complete(table(seat("R1 S"), seat("G1"), drawn=True), 0)
    other = Game(state).play("lay R5 G5 W / R7 B7 W")
    assert other.state.seats[0].laid
