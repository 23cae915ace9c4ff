"""What a refused move of Phalanx says, word by word; and limits that are met exactly."""

import pytest

from engine.api import Seat, Source
from engine.errors import EngineError, NotToActError, SetupError
from engine.phalanx.betting import Bet, Bets, open_window
from engine.phalanx.moves import PASS, Open, Play, Target
from engine.phalanx.state import BETTING, Elimination
from tests.engine.phalanx.tables import RULES, ZONES, Game, betting, seat, table

CARDS = table(seat("7c 8c Ks"), seat("8h 9h"), center="0:9c 1:10d", side0="1:Qh")
TWO_THERE = table(seat("7c Ks"), seat("8h 9h"), center="0:9c 1:10d 1:5c")
OPENING = table(seat("7c 8c"), seat("8h 9h"), to_act=None)
CHIPS = table(
    seat("7c 8c", chips=5),
    seat("8h 9h", chips=5),
    seat("2c 3c", chips=5),
    options={"stakes": "zones"},
    pots={"side0": (1, 2, 0), "center": (1, 1, 1)},
)
BEHIND = {"side0": (0, 2), "center": (0, 2)}
CLOSED_OUT = table(
    seat("7c 8c", chips=5),
    seat("8h 9h", chips=5),
    options=ZONES,
    pots={"side0": (0, 1), "side1": (0, 1), "center": (0, 1)},
)
ELIMINATED = table(seat("7c 8c"), seat("8h"), seat(out=Elimination(0, 3)), ring=(0, 1))


def refused(state, move, who=0):
    with pytest.raises(EngineError) as caught:
        RULES.apply(state, Seat(who), move)
    return caught.value.rule, caught.value.message


@pytest.mark.parametrize(
    ("state", "move", "rule", "words"),
    [
        (CARDS, Play("9d", "left"), "PLX-11", "you do not hold 9d"),
        (CARDS, Play("7c", "top"), "PLX-11", "your zones are left, center and right"),
        (CARDS, PASS, "PLX-11", "there is no passing"),
        (CARDS, Play("7c", "left", Target(Seat(1), "10d")), "PLX-13", "only a king takes a card; 7c is none"),
        (CARDS, Play("Ks", "center"), "PLX-14", "say which card the king takes: 10d@1"),
        (TWO_THERE, Play("Ks", "center"), "PLX-14", "say which card the king takes: 10d@1, 5c@1"),
        (CARDS, Play("Ks", "center", Target(Seat(1), "9h")), "PLX-13", "no opponent has 9h face up in your center zone; there are 10d@1"),
        (CARDS, Play("Ks", "right", Target(Seat(1), "9h")), "PLX-13", "no opponent has 9h face up in your right zone; there is none"),
        (CARDS, Open("7c"), "PLX-11", "it is time to play a card into a zone, as in: play 7s left"),
        (CARDS, Bets(()), "PLX-11", "it is time to play a card into a zone, as in: play 7s left"),
        (OPENING, Open("9d"), "PLX-7", "you do not hold 9d"),
        (OPENING, Play("7c", "left"), "PLX-7", "the opening cards are being chosen; open with a card, as in: open 9h"),
        (CHIPS, PASS, "PLX-V5", "only a seat that is closed out of all its zones passes; open to you: center, right"),
        (CHIPS, Play("7c", "left"), "PLX-V5", "you have less money in your left zone than an opponent; open to you: center, right"),
        (CLOSED_OUT, Play("7c", "left"), "PLX-V5", "you have less money in your left zone than an opponent; you are closed out: pass"),
    ],
)  # fmt: skip
@pytest.mark.rule("PLX-7", "PLX-11", "PLX-13", "PLX-14", "PLX-V5")
def test_what_a_refusal_says(state, move, rule, words):
    assert refused(state, move) == (rule, f"{rule}: {words}")


def in_a_window(*orders, chips=(9, 9, 9), **more):
    return betting(*chips, **more).play(*orders)


# Seat 2 declined the raise in the center, and is asked again in its left only.
DECLINED = in_a_window("check", "raise center 1", "raise left 1", "raise right 1").state
# Seat 0 is asked in its left; who raised the center has left.
RAISER_GONE = in_a_window("check", "raise right 1", "raise center 2").resign(2).state
RAISED = in_a_window("raise center 1", "raise center 1", "raise center 1", chips=(9, 9)).state


@pytest.mark.parametrize(
    ("state", "who", "bets", "words"),
    [
        (betting(9, 9).state, 0, [Bet("center", 1), Bet("left", 1)], "one bet per zone, in the order left, center, right"),
        (betting(9, 9).state, 0, [Bet("left", 1), Bet("left", 1)], "one bet per zone, in the order left, center, right"),
        (betting(9, 9).state, 0, [Bet("top", 1)], "one bet per zone, in the order left, center, right"),
        (DECLINED, 2, [Bet("center")], "there is no unanswered raise in your center zone"),
        (DECLINED, 2, [Bet("right", 1)], "there is no unanswered raise in your right zone"),
        (RAISER_GONE, 0, [Bet("center", 1)], "there is no unanswered raise in your center zone"),
        (betting(9, 9).state, 0, [Bet("center")], "nobody has more in your center zone than you, nothing to match"),
        (betting(2, 9, pots=BEHIND).state, 0, [Bet("left"), Bet("center")], "no chips are left for your center zone"),
        (betting(9, 9).state, 0, [Bet("left", -1)], "a raise is one chip or more"),
        (betting(9, 9).state, 0, [Bet("left", 1.5)], "a raise is one chip or more"),
        (RAISED, 1, [Bet("center", 1)], "your center zone has been raised 3 times in this window"),
        (betting(9, 0, pots=BEHIND).state, 0, [Bet("center", 1)], "nobody else in your center zone has chips left to answer a raise"),
        (betting(3, 9, pots=BEHIND).state, 0, [Bet("left", 4)], "raising your left zone by 4 takes 6, you have 3"),
    ],
)  # fmt: skip
@pytest.mark.rule("PLX-V5")
def test_what_is_said_of_a_bet_that_is_not_possible(state, who, bets, words):
    assert state.to_act == (who,)
    assert refused(state, Bets(tuple(bets)), who) == ("PLX-V5", f"PLX-V5: {words}")


@pytest.mark.rule("GEN-14", "PLX-1")
@pytest.mark.parametrize(
    ("players", "given", "words"),
    [
        (7, {}, "Phalanx is for 2 to 6 players, not 7"),
        (3, {"moon": 3}, '"moon" is no option of Phalanx; options: dealer, tie, aces, ante, max_battles, stakes, bankroll, zone_ante, first_window, fee, max_plies, auto_forced'),
        (3, {"aces": 3}, "option aces: 3 is not allowed; allowed: 2, 4, 10, highest"),
        (3, {"fee": 101}, "option fee: 101 does not go with stakes=cards; allowed: 1"),
        (3, {"zone_ante": 34}, "option zone_ante: 34 does not go with stakes=cards; allowed: 1"),
    ],
)  # fmt: skip
def test_what_is_said_of_options_that_do_not_go(players, given, words):
    with pytest.raises(SetupError) as caught:
        RULES.check_options(players, given)
    assert (caught.value.rule, caught.value.message) == ("GEN-14", words)


@pytest.mark.rule("GEN-6", "PLX-27")
def test_who_has_chosen_has_no_cautious_move():
    state = Game(OPENING).by(0, "open 7c").state
    with pytest.raises(NotToActError) as caught:
        RULES.standby_move(state, Seat(0))
    assert caught.value.message == "this seat has chosen its opening card"


@pytest.mark.rule("PLX-24")
@pytest.mark.parametrize(
    ("state", "who", "rule", "words"),
    [
        (CARDS, 1, None, "it is the turn of seat 0"),
        (CARDS, 2, None, "there is no seat 2 at this table"),
        (ELIMINATED, 2, "PLX-24", "PLX-24: this seat is out of the game"),
    ],
)
def test_who_is_not_to_act(state, who, rule, words):
    assert refused(state, PASS, who) == (rule, words)
    with pytest.raises(NotToActError):
        RULES.apply(state, Seat(who), PASS)


@pytest.mark.rule("PLX-V5")
@pytest.mark.parametrize(("chips", "is_open"), [(0, True), (1, False)])
def test_only_who_has_no_chip_left_plays_where_others_have_more(chips, is_open):
    state = table(
        seat("7c 8c", chips=chips),
        seat("8h 9h", chips=5),
        options={"stakes": "zones"},
        pots={"side0": (1, 2), "side1": (1, 1), "center": (1, 1)},
    )
    if is_open:
        RULES.apply(state, Seat(0), Play("7c", "left"))
    else:
        assert refused(state, Play("7c", "left"))[0] == "PLX-V5"


@pytest.mark.rule("PLX-V6")
def test_the_last_chips_pay_the_fee():
    """A fee of two is paid by whoever has just two."""
    state = table(
        seat("7c 8c", chips=2),
        seat("8h 9h", chips=5),
        options={"stakes": "per_card", "fee": 2},
    )
    after = RULES.apply(state, Seat(0), Play("7c", "left")).state
    assert after.seats[0].chips == 0


@pytest.mark.rule("GEN-7", "PLX-28")
def test_silence_is_told_at_the_end():
    state = RULES.start(table(seat("7c"), seat("8h")).setup).state
    step = None
    while RULES.to_act(state):
        who = RULES.to_act(state)[0]
        step = RULES.apply(state, who, RULES.standby_move(state, who), Source.STANDBY)
        state = step.state
    (stopped,) = [fact for fact in step.facts if fact.kind == "stopped"]
    assert (stopped.seat, stopped.data) == (None, {"cause": "silence"})


@pytest.mark.rule("GEN-7", "PLX-V5")
def test_after_a_resignation_the_next_seat_is_asked():
    """Not the one before: clockwise from whoever was asked."""
    hands = ("2c 3c", "2d 3d", "2h 3h", "2s 3s")
    seats = [seat(hand, chips=9) for hand in hands]
    game = Game(table(*seats, options={"stakes": "zones"}))
    game = _in_a_window(game)
    asked = game.state.to_act[0]
    game.resign(asked)
    assert game.state.to_act == ((asked + 1) % 4,)


def _in_a_window(game: Game) -> Game:
    """Play on until a betting window is open and somebody but the first has the word."""
    state = game.state._replace(window_size=2, phase=BETTING)
    state = state._replace(window=open_window(state))
    return Game(state).play("check")
