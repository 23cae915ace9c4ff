"""Test the deal and turns: drawing, laying down, hitting, going out, floating (P10-4 to P10-18)."""

import pytest

from engine.errors import IllegalMoveError
from engine.phase10.cards import PACK, sort_cards
from engine.phase10.record import all_cards
from engine.shuffle import shuffle
from tests.engine.phase10.tables import (
    FAMILY,
    OFFICIAL,
    Game,
    cards,
    done,
    laid,
    orders_of,
    seat,
    setup,
    table,
)

SETS = laid(1, "R5 B5 G5/R7 B7 G7")
OTHER = seat("Y1 Y2", known="")
PHASE_2 = laid(2, "R8 B8 G8/R3 B4 G5 W")


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("P10-4", "P10-3", "GEN-14")
@pytest.mark.parametrize(("players", "dealer"), [(2, 1), (3, 0), (6, 4)])
def test_the_deal(players, dealer):
    """Ten each, one at a time from the dealer's left; then the top starts the discards."""
    state = OFFICIAL.start(setup(players, dealer=dealer)).state
    pack = list(shuffle(PACK, bytes(range(32)), 0))
    hands = {who: [] for who in range(players)}
    for _ in range(10):
        for step in range(1, players + 1):
            hands[(dealer + step) % players].append(pack.pop())
    assert [own.hand for own in state.seats] == [sort_cards(hands[w]) for w in range(players)]
    assert state.pile == (pack.pop(),)
    assert state.stock == tuple(pack)
    assert state.dealer == dealer


def deal_with_starter(starter, rules=OFFICIAL, players=3):
    for number in range(5000):
        seed = number.to_bytes(32, "big")
        given = setup(players, rules)
        if shuffle(PACK, seed, 0)[-1 - 10 * players] == starter:
            return rules.start(type(given)(players, seed, given.options))
    raise AssertionError("no such deal")


@pytest.mark.rule("P10-5")
def test_a_wild_as_the_starter_may_be_taken():
    """By the first player."""
    step = deal_with_starter("W")
    assert step.state.to_act == 0
    game = Game(step.state).play("take")
    assert "W" in game.state.seats[0].hand
    assert game.state.pile == ()


@pytest.mark.rule("P10-5", "P10-20")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
def test_a_skip_as_the_starter_skips_the_first_player(rules):
    """Whose mark is the dealer's, or in the family rules the own one."""
    step = deal_with_starter("S", rules)
    assert step.state.to_act == 1
    assert [fact.seat for fact in step.facts if fact.kind == "skipped"] == [0]
    assert step.state.seats[0].skips == 0
    assert step.state.seats[0].mark == (0 if rules is FAMILY else 2)


@pytest.mark.rule("P10-5", "P10-20")
@pytest.mark.parametrize(("rules", "mark"), [(OFFICIAL, None), (FAMILY, 0)])
def test_a_skip_as_the_starter_with_two_players(rules, mark):
    """The dealer begins; officially its place has been passed by then."""
    state = deal_with_starter("S", rules, players=2).state
    assert state.to_act == 1
    assert state.seats[0].mark == mark


# --- drawing --------------------------------------------------------------------------------------


@pytest.mark.rule("P10-6")
def test_a_turn_is_a_draw_and_a_discard():
    """Nothing before the draw, nothing after the discard, one draw only."""
    game = Game(table(seat("R1 R2"), OTHER, pile="Y9", stock="G3"))
    for order in ("discard R1", "lay", "hit R1 on 0.0"):
        assert game.refusal(order).startswith("P10-6:")
    game.play("draw")
    assert game.state.seats[0].hand == cards("R1 R2 G3")
    for order in ("draw", "take"):
        assert game.refusal(order).startswith("P10-6:")
    game.play("discard R2")
    assert game.state.pile == cards("Y9 R2")
    assert game.state.to_act == 1
    assert not game.state.has_drawn


@pytest.mark.rule("P10-6")
def test_the_top_discard_may_be_taken_instead():
    """And only the top one."""
    game = Game(table(seat("R1 R2"), OTHER, pile="Y9 Y8", stock="G3")).play("take")
    assert game.state.seats[0].hand == cards("R1 R2 Y8")
    assert game.state.pile == cards("Y9")
    assert game.fact("took") == {"card": "Y8"}


@pytest.mark.rule("P10-11", "GEN-2", "P10-3")
def test_an_empty_stock_is_made_of_the_discards_when_somebody_draws():
    """All but the top one, in documented order, with the next shuffle number."""
    game = Game(table(seat("R1 R2"), OTHER, pile="W Y9 Y8 R3", stock="", shuffles=4))
    assert orders_of(game.state) == ["draw", "take"]
    game.play("draw")
    fresh = list(shuffle(cards("Y8 Y9 W"), bytes(range(32)), 4))
    drawn = fresh.pop()
    assert game.state.stock == tuple(fresh)
    assert game.state.pile == cards("R3")
    assert drawn in game.state.seats[0].hand
    assert game.state.shuffles == 5
    (opened,) = game.steps[-1].shuffles
    assert (opened.number, opened.before) == (4, cards("Y8 Y9 W"))


@pytest.mark.rule("P10-11")
@pytest.mark.parametrize("order", ["draw", "draw a card", "take"])
def test_nothing_to_draw_but_a_card_to_take(order):
    """The top discard is taken then, whatever the order says; the log has the take."""
    game = Game(table(seat("R1 R2"), OTHER, pile="Y9", stock=""))
    assert orders_of(game.state) == ["take"]
    game.play(order)
    assert game.fact("took") == {"card": "Y9"}
    assert game.state.seats[0].known == cards("Y9")


@pytest.mark.rule("P10-11")
@pytest.mark.parametrize("pile", ["", "S"])
def test_nothing_to_draw_and_nothing_to_take(pile):
    """The turn goes on without a card."""
    game = Game(table(seat("R1 R2"), OTHER, pile=pile, stock="")).play("draw")
    assert game.kinds == ["no_draw"]
    assert game.state.seats[0].hand == cards("R1 R2")
    assert orders_of(game.state) == ["discard R1", "discard R2"]


# --- laying down ----------------------------------------------------------------------------------

HAND = "R5 B5 G5 R7 B7 G7 Y7 W R1 R2 R3"


@pytest.mark.rule("P10-12", "P10-14")
def test_the_own_phase_from_the_own_hand_once():
    """Credit at once; another phase, foreign cards and a second time are refused."""
    game = Game(table(seat(HAND), OTHER, drawn=True))
    assert game.refusal("lay R5 B5 G5 / R1 R2 R3 W").startswith("P10-9:")  # phase 2
    assert game.refusal("lay R5 B5 Y5 / R7 B7 G7").startswith("P10-12:")
    assert game.refusal("lay R5 R5 B5 / R7 B7 G7").startswith("P10-12:")
    game.play("lay R5 B5 G5 / R7 B7 G7 Y7")
    own = game.state.seats[0]
    assert (own.laid, own.completed, own.phase) == (True, 1, 1)
    assert own.hand == cards("R1 R2 R3 W")
    assert [group.cards for group in game.state.groups[0]] == [
        cards("R5 B5 G5"), cards("R7 B7 G7 Y7"),
    ]  # fmt: skip
    assert game.refusal("lay").startswith("P10-12:")
    assert game.state.to_act == 0


@pytest.mark.rule("P10-14", "P10-24")
def test_credit_stays_with_who_loses_the_hand():
    """Both continue with the next phase. The third seat, which did not lay down, repeats."""
    state = table(done("R1"), done("R2 R3"), seat("R4"), groups={0: SETS}, drawn=True, pile="Y1 Y2")
    game = Game(state).play("discard R1")
    assert [own.phase for own in game.state.seats] == [2, 2, 1]
    assert not any(own.laid for own in game.state.seats)


# --- hitting --------------------------------------------------------------------------------------


@pytest.mark.rule("P10-15")
def test_hitting_needs_the_own_phase_and_a_fitting_card():
    """Any number of cards onto any group, in the own turn."""
    state = table(
        done("Y5 Y7 R9 W R1 R2"), done("Y1", phase=2), groups={0: SETS, 1: PHASE_2}, drawn=True
    )
    game = Game(state)
    assert game.refusal("hit R9 on 0.0").startswith("P10-15:")
    assert game.refusal("hit Y9 on 0.0").startswith("P10-15:")
    assert game.refusal("hit Y5 on 1.7").startswith("P10-15:")
    game.play("hit Y5 on 0.0", "hit R2 on 1.1", "hit R1 on 1.1", "hit W on 0.1")
    assert game.state.groups[0][0].cards == cards("R5 B5 G5 Y5")
    assert game.state.groups[0][1].cards == cards("R7 B7 G7 W")
    assert game.state.groups[1][1].cards == cards("R1 R2 R3 B4 G5 W")
    assert game.state.to_act == 0


@pytest.mark.rule("P10-16")
def test_a_wild_onto_a_run_takes_the_end_that_is_named():
    """With two open ends one must be named; one that does not fit is refused."""
    state = table(done("W W R2 R1"), OTHER, groups={0: PHASE_2}, drawn=True)
    game = Game(state)
    assert game.refusal("hit W on 0.1").startswith("P10-16:")
    assert "hit W on 0.1 low" in orders_of(state)
    assert "hit W on 0.1 high" in orders_of(state)
    assert game.refusal("hit R2 on 0.1 high").startswith("P10-16:")
    assert game.refusal("hit W on 0.0 high").startswith("P10-16:")
    high = Game(state).play("hit W on 0.1 high")
    assert high.state.groups[0][1].cards == cards("R3 B4 G5 W W")
    low = Game(state).play("hit W on 0.1 low")
    assert low.state.groups[0][1].cards == cards("W R3 B4 G5 W")
    low.play("hit R1 low on 0.1", "hit W on 0.1")
    assert low.state.groups[0][1].cards == cards("R1 W R3 B4 G5 W W")


# --- going out ------------------------------------------------------------------------------------


@pytest.mark.rule("P10-17")
@pytest.mark.parametrize(
    ("hand", "orders"),
    [
        ("R1", ["discard R1"]),
        ("Y5", ["hit Y5 on 0.0"]),
        ("Y5 W", ["hit W on 0.1", "hit Y5 on 0.0"]),
    ],
)
def test_going_out_by_discarding_or_hitting(hand, orders):
    """The hand ends at once and the next is dealt."""
    game = Game(table(done(hand), OTHER, groups={0: SETS}, drawn=True)).play(*orders)
    assert game.fact("deal_over")["winner"] == 0
    assert game.state.deal == 1
    assert game.state.results[0].winner == 0
    assert sorted(all_cards(game.state)) == sorted(PACK)


@pytest.mark.rule("P10-17")
def test_going_out_by_laying_down_everything():
    """If the phase uses every card."""
    hand = "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"
    game = Game(table(seat(hand, phase=4, completed=3), OTHER, drawn=True))
    game.play("lay " + hand)
    assert game.fact("deal_over")["winner"] == 0


@pytest.mark.rule("P10-18")
@pytest.mark.parametrize(
    ("own", "order"),
    [
        (done("Y5"), "hit Y5 on 0.0"),
        (
            seat("R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12", phase=4),
            "lay R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
        ),
    ],
)
def test_family_a_last_card_hit_or_laid_makes_a_floater(own, order):
    """No turn, no win, no points; the credit for the phase stays."""
    groups = {0: SETS} if own.laid else {1: SETS}
    state = table(own, done("R1 Y9"), seat("G1 G2"), groups=groups, drawn=True, rules=FAMILY)
    game = Game(state).play(order)
    assert game.kinds[-1] == "floated"
    assert game.state.seats[0].is_floating
    assert game.state.seats[0].completed == own.completed + (not own.laid)
    assert game.state.to_act == 1
    game.play("draw", "discard Y9", "draw", "discard G1")
    assert game.state.to_act == 1
    assert game.state.deal == 0


@pytest.mark.rule("P10-18")
def test_family_discarding_the_last_card_goes_out():
    """A floater has no points then, the others have theirs."""
    state = table(
        done("R1"), done(is_floating=True), seat("R9 R10 W S"), groups={0: SETS}, drawn=True,
        rules=FAMILY,
    )  # fmt: skip
    game = Game(state).play("discard R1")
    assert game.fact("deal_over")["winner"] == 0
    assert game.fact("deal_over")["points"] == [0, 0, 55]


@pytest.mark.rule("P10-18", "P10-23")
def test_family_if_everybody_floats_nobody_wins():
    """The hand ends with no winner and no points."""
    state = table(done("Y5"), done(is_floating=True), groups={0: SETS}, drawn=True, rules=FAMILY)
    game = Game(state).play("hit Y5 on 0.0")
    assert game.fact("deal_over")["winner"] is None
    assert game.state.results[0].points == (0, 0)
    assert [own.phase for own in game.state.seats] == [2, 2]


# --- one number card in the whole phase (P10-V4) --------------------------------------------------

BY_PHASE = {"naturals": "phase"}


@pytest.mark.rule("P10-V4", "P10-14", "P10-15")
def test_a_set_of_wilds_takes_the_number_that_was_said():
    """As long as it is of wilds alone, its number is with it for everybody."""
    state = table(seat("R5 B5 G5 W W W W R7 G6"), seat("G1"), drawn=True, options=BY_PHASE)
    game = Game(state).play("lay W W W as 7 / 5 5 5")
    assert game.fact("laid")["groups"] == [
        {"kind": "set", "cards": ["W", "W", "W"], "as": 7},
        {"kind": "set", "cards": ["R5", "B5", "G5"]},
    ]
    assert OFFICIAL.view(game.state, None)["groups"][0] == game.fact("laid")["groups"]
    with pytest.raises(IllegalMoveError, match="W W W as 7") as caught:
        game.play("hit G6 on 0.0")
    assert caught.value.rule == "P10-15"
    game.play("hit W on 0.0")
    assert (game.fact("hit")["cards"], game.fact("hit")["as"]) == (["W", "W", "W", "W"], 7)
    game.play("hit R7 on my 7s")
    assert game.fact("hit") == {
        "card": "R7", "owner": 0, "group": 0, "end": None, "cards": ["R7", "W", "W", "W", "W"],
    }  # fmt: skip
    assert game.state.groups[0][0].number is None


@pytest.mark.rule("P10-V4", "P10-10", "P10-16")
def test_a_run_of_wilds_grows_at_both_ends():
    """A wild at the low end lowers its number, and wilds never move."""
    hand = "R5 B5 G5 W W W W W R7 R1 G9"
    game = Game(table(seat(hand, phase=2), seat("G1"), drawn=True, options=BY_PHASE))
    game.play("lay W W W W as 3 / 5 5 5")
    assert [group.number for group in game.state.groups[0]] == [None, 3]
    game.play("hit W on my run low")
    assert (game.fact("hit")["end"], game.fact("hit")["as"]) == ("low", 2)
    game.play("hit R7 on my run", "hit R1 on my run")
    assert game.fact("hit")["cards"] == ["R1", "W", "W", "W", "W", "W", "R7"]
    with pytest.raises(IllegalMoveError):
        game.play("hit G9 on my run")
