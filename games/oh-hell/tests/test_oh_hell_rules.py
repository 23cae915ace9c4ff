"""The rules of Oh Hell, one by one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.api import Seat, Setup, Source
from engine.cards import PACK
from engine.errors import (
    AmbiguousOrderError,
    IllegalMoveError,
    InvalidOrderError,
    NotToActError,
    ReplayError,
    SetupError,
)

RULES: Any = registry.find("ohhell", 1)
SEED = bytes(range(32))
HERE = Path(__file__).parent
TESTS = "".join(file.read_text("utf-8") for file in HERE.glob("test_*.py"))


def start(players: int = 3, **options: Any) -> Any:
    return RULES.start(Setup(players, SEED, RULES.check_options(players, options)))


def seats(*numbers: int) -> list[Seat]:
    return [Seat(number) for number in numbers]


def dealt(*hands: str, trump: str = "2s", bids: Any = None, **given: Any) -> Any:
    """A position in which each seat holds these cards; seat 0 leads, unless `bids` are missing."""
    held = [hand.split() for hand in hands]
    players = len(held)
    state = start(players, cards=len(held[0]), **given).state
    stock = tuple(card for card in PACK if card != trump and not any(card in one for one in held))
    bids = tuple(bids) if bids is not None else (0,) * players
    leader = next((seat for seat in range(players) if bids[seat] is None), 0)
    hands_now = tuple(tuple(hand) for hand in held)
    return replace(state, hands=hands_now, stock=stock, trump=trump, bids=bids, turn=Seat(leader))


def played(state: Any, *cards: str) -> Any:
    """The step after these cards, each by whose turn it is."""
    step = None
    for card in cards:
        (seat,) = RULES.to_act(state)
        step = RULES.apply(state, seat, card)
        state = step.state
    return step


def told(step: Any, kind: str) -> Any:
    return next(fact for fact in step.facts if fact.kind == kind)


def test_every_rule_has_a_test() -> None:
    rules = tomllib.loads((HERE.parent / "rules.toml").read_text("utf-8"))["rules"]
    marks = re.findall(r"^@pytest\.mark\.rule\((.+)\)$", TESTS, re.MULTILINE)
    cited = {rule for mark in marks for rule in re.findall(r"OHH-\w+", mark)}
    assert cited == rules.keys()


@pytest.mark.rule("OHH-1")
def test_three_to_seven_play() -> None:
    for players in (2, 8):
        with pytest.raises(SetupError, match="for 3 to 7 players"):
            RULES.check_options(players, {})
    for players in range(3, 8):
        state = start(players, cards=7).state
        assert sorted([*state.stock, state.trump, *sum(state.hands, ())]) == sorted(PACK)


@pytest.mark.rule("OHH-2")
@pytest.mark.parametrize(
    ("course", "sizes"),
    [("down", [3, 2, 1]), ("up", [1, 2, 3]), ("both", [3, 2, 1, 2, 3])],
)
def test_the_hands_shrink_grow_or_both(course: str, sizes: list[int]) -> None:
    step, found = start(cards=3, course=course), []
    while RULES.to_act(step.state):
        found += [
            fact.data["cards"]
            for fact in step.facts
            if fact.kind == "dealt" and fact.audience is None
        ]
        (seat,) = RULES.to_act(step.state)
        step = RULES.apply(step.state, seat, RULES.standby_move(step.state, seat))
    assert found == sizes


@pytest.mark.rule("OHH-3")
def test_the_deal_passes_to_the_left() -> None:
    state, dealers = start(3, cards=3).state, []
    while RULES.to_act(state):
        dealers.append(state.dealer)
        (seat,) = RULES.to_act(state)
        state = RULES.apply(state, seat, RULES.standby_move(state, seat)).state
    assert list(dict.fromkeys(dealers)) == [2, 0, 1]
    assert RULES.next_dealer(state, ()) == 2


@pytest.mark.rule("OHH-4")
def test_hands_come_off_the_top_from_the_dealers_left_and_the_next_card_is_trump() -> None:
    step = start(3, cards=2, dealer=0)
    (shuffle,) = step.shuffles
    top = list(reversed(shuffle.after))
    assert shuffle.before == PACK
    hands = step.state.hands
    assert [set(hands[1]), set(hands[2]), set(hands[0])] == [
        set(top[0:2]),
        set(top[2:4]),
        set(top[4:6]),
    ]
    assert step.state.trump == top[6]
    assert told(step, "dealt").seat == 1
    assert told(step, "dealt").data["trump"] == top[6]


@pytest.mark.rule("OHH-5")
def test_everybody_bids_in_turn_before_a_card_is_played() -> None:
    state = start(3, cards=3, hook=False).state
    assert list(RULES.legal_moves(state, Seat(0))) == [0, 1, 2, 3]
    with pytest.raises(IllegalMoveError) as caught:
        RULES.apply(state, Seat(0), state.hands[0][0])
    assert caught.value.rule == "OHH-5"
    with pytest.raises(IllegalMoveError, match="from 0 to 3"):
        RULES.apply(state, Seat(0), 4)
    for seat, bid in enumerate((1, 3, 0)):
        assert RULES.to_act(state) == (seat,)
        state = RULES.apply(state, Seat(seat), bid).state
    assert state.bids == (1, 3, 0)
    assert RULES.to_act(state) == (0,)
    with pytest.raises(IllegalMoveError, match="the bids are made"):
        RULES.apply(state, Seat(0), 1)


@pytest.mark.rule("OHH-6")
def test_the_last_bid_cannot_make_the_bids_fit() -> None:
    for hook, allowed in ((True, [0, 2, 3]), (False, [0, 1, 2, 3])):
        state = start(3, cards=3, hook=hook).state
        for seat, bid in ((0, 2), (1, 0)):
            assert list(RULES.legal_moves(state, Seat(seat))) == [0, 1, 2, 3]
            state = RULES.apply(state, Seat(seat), bid).state
        assert list(RULES.legal_moves(state, Seat(2))) == allowed
    state = start(3, cards=3).state
    for seat, bid in ((0, 3), (1, 3)):
        state = RULES.apply(state, Seat(seat), bid).state
    assert list(RULES.legal_moves(state, Seat(2))) == [0, 1, 2, 3]
    state = RULES.apply(RULES.apply(start(3).state, Seat(0), 5).state, Seat(1), 0).state
    with pytest.raises(IllegalMoveError) as caught:
        RULES.apply(state, Seat(2), 0)
    assert caught.value.rule == "OHH-6"


@pytest.mark.rule("OHH-7")
def test_whoever_takes_a_trick_leads_the_next() -> None:
    state = dealt("3c 4c", "9c 5c", "6c 7c")
    assert RULES.to_act(state) == (0,)
    step = played(state, "3c", "9c", "6c")
    assert (told(step, "trick").seat, told(step, "trick").data) == (1, {"card": "9c"})
    assert RULES.to_act(step.state) == (1,)
    with pytest.raises(NotToActError):
        RULES.apply(step.state, Seat(0), "4c")
    with pytest.raises(IllegalMoveError, match="you do not hold"):
        RULES.apply(step.state, Seat(1), "4c")


@pytest.mark.rule("OHH-8")
def test_suit_is_followed_by_who_can() -> None:
    state = dealt("3c 4d", "9c Ah", "6d 2h")
    state = played(state, "3c").state
    assert list(RULES.legal_moves(state, Seat(1))) == ["9c"]
    with pytest.raises(IllegalMoveError, match="clubs were led") as caught:
        RULES.apply(state, Seat(1), "Ah")
    assert caught.value.rule == "OHH-8"
    state = played(state, "9c").state
    assert list(RULES.legal_moves(state, Seat(2))) == ["6d", "2h"]


@pytest.mark.rule("OHH-9")
@pytest.mark.parametrize(
    ("cards", "trump", "taker"),
    [
        ("9c Ac Kc", "2s", 1),
        ("9c Ah Kh", "2s", 0),
        ("Ac 2h Kc", "3h", 1),
        ("Ac 2h 4h", "3h", 2),
        ("10c Jc 2c", "5c", 1),
    ],
)
def test_the_highest_trump_or_else_the_highest_of_the_suit_takes_it(
    cards: str, trump: str, taker: int
) -> None:
    step = played(dealt(*cards.split(), trump=trump), *cards.split())
    assert told(step, "trick").seat == taker


@pytest.mark.rule("OHH-10")
def test_only_an_exact_bid_scores() -> None:
    state = dealt("Ac 3d", "9c 4d", "6c 5d", bids=(1, 1, 1))
    step = played(state, "Ac", "9c", "6c", "3d", "4d", "5d")
    data = told(step, "deal_over").data
    assert (data["tricks"], data["points"]) == ([1, 0, 1], [11, 0, 11])
    assert step.state.scores == (11, 0, 11)
    step = played(dealt("Ac", "9c", "6c", bids=(0, 0, 1)), "Ac", "9c", "6c")
    assert told(step, "deal_over").data["points"] == [0, 10, 0]


@pytest.mark.rule("OHH-11")
def test_the_most_points_win_after_the_last_deal() -> None:
    state = replace(dealt("Ac", "9c", "6c", bids=(1, 0, 1)), scores=(0, 1, 20))
    step = played(state, "Ac", "9c", "6c")
    outcome = RULES.outcome(step.state)
    assert (outcome.reason, outcome.scores) == ("finished", [11, 11, 20])
    assert outcome.ranking == ((2,), (0, 1))
    assert RULES.to_act(step.state) == ()


@pytest.mark.rule("OHH-12")
def test_who_leaves_is_played_around() -> None:
    """The card in the trick stays and can take it; then the next one leads, and nobody is dealt in."""
    state = dealt("Ac 3d", "9c 4d", "6c 5d", bids=(1, 1, 0))
    state = played(state, "Ac").state
    gone = RULES.resign(state, Seat(0))
    assert told(gone, "resigned").data == {"unseen_count": 1}
    step = played(gone.state, "9c", "6c")
    assert told(step, "trick").seat == 0
    assert RULES.to_act(step.state) == (1,)
    step = played(step.state, "4d", "5d")
    assert told(step, "deal_over").data["points"] == [0, 0, 0]
    assert step.state.hands[0] == ()
    assert (step.state.dealer, RULES.to_act(step.state)) == (1, (2,))
    assert RULES.outcome(RULES.resign(step.state, Seat(1)).state).ranking == ((2,), (1,), (0,))


@pytest.mark.rule("OHH-6", "OHH-12")
def test_who_leaves_during_the_bids_leaves_the_hook_to_the_last_one() -> None:
    state = start(3, cards=3).state
    state = RULES.resign(RULES.apply(state, Seat(0), 1).state, Seat(2)).state
    assert list(RULES.legal_moves(state, Seat(1))) == [0, 1, 3]
    state = RULES.resign(state, Seat(0)).state
    assert RULES.outcome(state).reason == "last-seat"


@pytest.mark.rule("OHH-12", "OHH-7")
def test_where_the_leader_leaves_the_next_one_leads() -> None:
    state = RULES.resign(dealt("Ac 3d", "9c 4d", "6c 5d"), Seat(0)).state
    assert RULES.to_act(state) == (1,)
    state = RULES.apply(start(3, cards=3).state, Seat(0), 1).state
    state = RULES.resign(RULES.apply(state, Seat(1), 1).state, Seat(2)).state
    assert RULES.to_act(state) == (0,)
    assert isinstance(next(RULES.legal_moves(state, Seat(0))), str)


@pytest.mark.rule("OHH-13", "GEN-7")
def test_the_standby_move_is_the_lowest() -> None:
    state = start(3, cards=1).state
    assert RULES.standby_move(state, Seat(0)) == 0
    for seat in (0, 1):
        state = RULES.apply(state, Seat(seat), 0 if seat else 1).state
    assert RULES.standby_move(state, Seat(2)) == 1
    state = dealt("2h 9c Kd", "9d 3d 4c", "6c 5d 7c", trump="3h")
    assert RULES.standby_move(state, Seat(0)) == "9c"
    state = played(state, "9c").state
    assert RULES.standby_move(state, Seat(1)) == "4c"


@pytest.mark.rule("GEN-7")
def test_a_silent_table_is_stopped() -> None:
    state = start(3, cards=3).state
    for _ in range(6):
        (seat,) = RULES.to_act(state)
        step = RULES.apply(state, seat, RULES.standby_move(state, seat), Source.STANDBY)
        state = step.state
    assert told(step, "stopped").data == {"cause": "silence"}
    assert RULES.outcome(state).reason == "stopped"


def test_a_table_can_agree_to_stop() -> None:
    """The points so far decide; it is said who agreed, and nothing follows."""
    step = RULES.stop(dealt("2h 9c", "9d 3d", "6c 5d"))
    assert told(step, "stopped").data == {"cause": "agreed"}
    assert RULES.outcome(step.state).reason == "stopped"
    with pytest.raises(NotToActError, match="the game is over"):
        RULES.stop(step.state)


@pytest.mark.rule("GEN-11")
def test_forced_moves() -> None:
    last = replace(dealt("Ac", "9c", "6c"), setup=start(3, cards=1).state.setup)
    assert RULES.forced_move(last) == (0, "Ac")
    follows = played(dealt("3c 4d", "9c Ah", "6d 2h"), "3c").state
    assert RULES.forced_move(follows) is None
    follows = played(dealt("3c 4d", "9c Ah", "6d 2h", auto_forced="all"), "3c").state
    assert RULES.forced_move(follows) == (1, "9c")
    assert RULES.forced_move(dealt("Ac", "9c", "6c", auto_forced="off")) is None
    bidding = dealt("Ac", "9c", "6c", bids=(1, 1, None))
    assert RULES.forced_move(bidding) is None
    bidding = dealt("Ac", "9c", "6c", bids=(1, 0, None))
    assert RULES.forced_move(bidding) == (2, 1)


@pytest.mark.rule("OHH-14", "GEN-5", "GEN-15")
def test_a_hand_is_for_its_seat_alone_until_the_end() -> None:
    state = dealt("Ac 3d", "9c 4d", "6c 5d", bids=(1, 1, 0))
    for viewer in (None, *seats(0, 1, 2)):
        seen = RULES.view(state, viewer)
        assert [one["hand"] is not None for one in seen["seats"]] == [
            seat == viewer for seat in range(3)
        ]
        assert (seen["trump"], seen["stock"]) == ("2s", None)
        assert [one["bid"] for one in seen["seats"]] == [1, 1, 0]
    hidden = replace(state, hands=(state.hands[0], ("4d", "6c"), ("9c", "5d")))
    assert RULES.view(state, Seat(0)) == RULES.view(hidden, Seat(0))
    over = RULES.resign(RULES.resign(state, Seat(0)).state, Seat(1)).state
    assert RULES.view(over, None)["seats"][2]["hand"] == ["6c", "5d"]
    assert len(RULES.view(over, None)["gone"]) == 4


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "move"),
    [("bid 2", 2), ("2", 2), ("two tricks", 2), ("I bid 2", None), ("bid none", 0), ("Bid: 1!", 1)],
)
def test_bids_are_read(text: str, move: int | None) -> None:
    state = start(3, cards=3).state
    if move is None:
        assert not RULES.reads_as_order(text)
        return
    assert RULES.reads_as_order(text)
    assert RULES.parse_order(state, Seat(0), text) == move


@pytest.mark.rule("GEN-9", "OHH-8")
def test_cards_are_read_in_the_position() -> None:
    state = dealt("2c 2d 7h", "9c 9d Ah", "6d 2h 3h")
    for text, card in (("play 2c", "2c"), ("seven of hearts", "7h"), ("7", "7h"), ("2 d", "2d")):
        assert RULES.parse_order(state, Seat(0), text) == card
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(state, Seat(0), "2")
    assert caught.value.candidates == ("play 2c", "play 2d")
    state = played(state, "2d").state
    assert RULES.parse_order(state, Seat(1), "9") == "9d"
    for text in ("9c 9d", "hello", "", "no", "bid", "play"):
        with pytest.raises(InvalidOrderError):
            RULES.parse_order(state, Seat(1), text)
    with pytest.raises(IllegalMoveError, match="do not hold"):
        RULES.parse_order(state, Seat(1), "Kc")
    bidding = start(3, cards=3).state
    with pytest.raises(IllegalMoveError, match="everybody bids first"):
        RULES.parse_order(bidding, Seat(0), "Kc")


def test_what_is_no_position_is_refused() -> None:
    state = start(3).state
    data = RULES.state_json(state)
    for wrong in (
        {"hands": []},
        {**data, "stock": data["stock"][1:]},
        {**data, "reason": "finished"},
        {**data, "deal": -1},
        {**data, "turns": []},
    ):
        with pytest.raises(ReplayError):
            RULES.state_from_json(state.setup, wrong)


def test_the_rules_are_the_ones_of_the_file() -> None:
    file = HERE.parent / "RULES.txt"
    assert file.read_text("utf-8") == RULES.rules_text()
