"""Test standby moves, resigning, stopping, options and views (PLX-26 to PLX-29, GEN-7 …)."""

import json

import pytest

from engine.api import Seat, Source
from engine.cards import PACK
from engine.errors import NotToActError
from engine.phalanx.record import all_cards
from engine.phalanx.state import BETTING, CHOOSING
from engine.silence import CHOSEN, NO_TURNS, STANDBY
from tests.engine.phalanx.tables import RULES, Game, cards, new, resolved, seat, setup, table
from tests.engine.playing import standby_of


def standby(state, who=0) -> str:
    return standby_of(RULES, state, who)


# --- PLX-27 ---------------------------------------------------------------------------------------


@pytest.mark.rule("PLX-27")
@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("2c As Kc", "As"),
        ("10s 9c Jc", "9c"),
        ("9h 9c 9d 9s", "9h"),
        ("9s 9d 9c", "9c"),
        ("9s 9d", "9d"),
        ("Jc Qc Kc", "Jc"),
        ("Qc Kc", "Kc"),
        ("Qh Qs", "Qh"),
    ],
)
def test_a_silent_seat_gives_away_its_lowest_card(hand, card):
    """Numbers before faces, A to 10, then jack, king, queen; hearts, clubs, diamonds, spades."""
    assert standby(table(seat(hand), seat("5c"), to_act=None)) == f"open {card}"
    assert standby(table(seat(hand), seat("5c"))).startswith(f"play {card} ")


@pytest.mark.rule("PLX-27")
@pytest.mark.parametrize(
    ("zones", "place"),
    [
        ({}, "left"),
        ({"side0": "0:2c"}, "center"),
        ({"side0": "0:2c", "center": "0:3c"}, "right"),
        ({"side0": "0:2c", "center": "0:3c", "side1": "0:4c"}, "left"),
        ({"side0": "0:2c-", "center": "0:3c", "side1": "0:4c"}, "left"),  # face up ones count
        ({"side0": "1:2c", "center": "0:3c", "side1": "0:4c"}, "left"),  # own ones count
    ],
)
def test_it_goes_into_the_zone_with_the_fewest_own_cards(zones, place):
    """Left, center, right among equals."""
    assert standby(table(seat("9d"), seat("5c"), **zones)) == f"play 9d {place}"


@pytest.mark.rule("PLX-27")
@pytest.mark.parametrize(
    ("left", "target"),
    [
        ("1:2c 1:9h 1:3s", "9h"),
        ("1:9h 1:9d 1:9c", "9d"),
        ("1:9h-", None),
        ("1:Jh 1:Js", "Js"),
        ("0:10s 1:9h", "9h"),
    ],
)
def test_a_silent_king_takes_the_highest_card(left, target):
    """Of the opponents, by value and suit."""
    state = table(seat("Kd"), seat("5c"), side0=left, side1="0:2d", center="0:3d 0:4d")
    if left.startswith("0"):
        state = state._replace(zones=(state.zones[0], state.zones[1], (*state.zones[2],) * 2))
    taken = f" x {target}" if target else ""
    assert standby(state) == f"play Kd left{taken}"


@pytest.mark.rule("PLX-27")
def test_of_identical_cards_a_silent_king_takes_the_nearest_owners():
    """Clockwise, in the games with packs of their own."""
    seats = [seat("2c", chips=5), seat("Kd", chips=5), seat("2c", chips=5), seat("2c", chips=5)]
    state = table(*seats, to_act=1, center="0:9h 3:9h", side1="1:4c", side0="1:4d",
                  options={"stakes": "per_card"})  # fmt: skip
    assert standby(state, 1) == "play Kd center x 9h@3"
    state = table(*seats, to_act=1, center="3:9h 2:9h", side1="1:4c", side0="1:4d",
                  options={"stakes": "per_card"})  # fmt: skip
    assert standby(state, 1) == "play Kd center x 9h@2"


@pytest.mark.rule("PLX-27", "PLX-V5")
def test_a_silent_seat_checks_and_avoids_closed_zones():
    """And passes if all are closed."""
    state = table(seat("2c", chips=5), seat("3c", chips=5), pots={"side:0": (1, 2)},
                  options={"stakes": "zones"}, window_size=1)  # fmt: skip
    assert standby(state) == "play 2c center"
    closed = state._replace(pots=((1, 2), (1, 2), (1, 2)))
    assert standby(closed) == "pass"
    game = new(2, stakes="zones")
    for _ in range(4):  # both windows
        assert game.state.phase == BETTING
        assert standby(game.state, game.state.to_act[0]) == "check"
        game.play("check")
        if game.state.phase == CHOOSING:
            for who in (0, 1):
                game.by(who, f"open {game.state.seats[who].hand[0]}")


# --- resigning ------------------------------------------------------------------------------------


@pytest.mark.rule("PLX-26", "GEN-7")
def test_the_ring_stays_until_the_battle_is_resolved():
    """Seat 1 of three leaves; its zones and cards stay, seat 2 is next, then the ring closes."""
    state = table(seat("2c 9d"), seat("3c 3d"), seat("4c 4d"), to_act=1, side0="1:10h")
    game = Game(state).resign(1)
    assert game.kinds == ["resigned"]
    assert game.state.to_act == (2,)
    assert game.state.ply == 0
    assert game.state.ring == (0, 1, 2)
    assert game.state.seats[1].hand == cards("3c 3d")
    assert game.lies("side0") == "1:10h"
    game.play("4c left", "2c left", "4d left", "9d left")
    assert game.zone("side:0")["winner"] == 0
    assert game.state.ring == (0, 2)
    assert {"3c", "3d"} <= set(game.state.spoils_unseen)
    assert sorted(all_cards(game.state)) == sorted(PACK)


@pytest.mark.rule("PLX-26", "PLX-11")
def test_a_resignation_may_end_the_battle():
    """The last one who held a card leaves."""
    state = table(seat(""), seat(""), seat("4c"), to_act=2, center="0:5h 1:4h")
    game = Game(state).resign(2)
    assert game.kinds[0] == "resigned"
    assert game.zone("center")["winner"] == 0
    assert game.state.battle == 1
    assert [one.number for one in game.steps[-1].shuffles] == [0, 1]


@pytest.mark.rule("GEN-6", "GEN-7")
def test_resigning_withdraws_a_choice_and_may_complete_the_others():
    """The choice stays secret."""
    state = table(seat("2c 9d"), seat("3c 3d"), seat("4c 4d"), to_act=None)
    game = Game(state).by(1, "open 3c").by(0, "open 2c").resign(1)
    assert game.state.to_act == (2,)
    assert game.state.seats[1].choice is None
    assert game.state.seats[1].hand == cards("3c 3d")
    game.by(2, "open 4c")
    assert game.lies("center") == "0:2c 2:4c"
    assert game.state.ply == 2
    game = Game(state).by(1, "open 3c").by(0, "open 2c").resign(2)
    assert game.kinds == ["resigned", "revealed"]
    assert game.state.to_act == (1,)


@pytest.mark.rule("GEN-7", "GEN-17")
def test_the_last_seat_wins_and_later_resignations_rank_better():
    """Whatever the score; an eliminated seat that resigns keeps its place before them."""
    game = resolved("9s left", seats=[seat("9s"), seat(reserve="2c 3c"), seat(), seat()],
                    side0="1:2h", keep=(1,))  # fmt: skip
    seen = [RULES.view(game.state, who) for who in (None, 0, 1)]
    game.resign(1)
    assert game.kinds == ["resigned"]
    assert [RULES.view(game.state, who) for who in (None, 0, 1)] == seen
    game.resign(3).resign(0)
    assert game.result.reason == "last-seat"
    assert game.result.ranking == ((2,), (1,), (0,), (3,))
    with pytest.raises(NotToActError):
        game.resign(2)


# --- silence and max_plies ------------------------------------------------------------------------


def quiet(game: Game, plies: int) -> Game:
    for _ in range(plies):
        if game.state.to_act:
            who = game.state.to_act[-1]
            game.by(who, standby(game.state, who), source=Source.STANDBY)
    return game


@pytest.mark.rule("GEN-7")
def test_two_silent_turns_of_everybody_stop_the_game():
    """Every ply and every secret choice is a turn: the opening and the first round."""
    game = quiet(new(3), 5)
    assert game.state.reason is None
    quiet(game, 1)
    assert game.facts("stopped") == [{"cause": "silence"}]
    assert game.result.reason == "stopped"


@pytest.mark.rule("GEN-7")
def test_a_chosen_ply_ends_silence_and_a_forced_one_is_no_silence():
    """This applies to every seat that is still in the game."""
    game = quiet(new(2), 3)
    who = game.state.to_act[0]
    game.by(who, standby(game.state, who))
    assert game.state.reason is None
    quiet(game, 2)
    assert game.state.reason is None
    game = quiet(new(2), 3)
    who = game.state.to_act[0]
    game.by(who, standby(game.state, who), source=Source.FORCED)
    assert game.state.reason is None


@pytest.mark.rule("GEN-7", "GEN-6")
@pytest.mark.parametrize(("source", "is_over"), [(Source.CHOSEN, False), (Source.STANDBY, True)])
def test_an_open_choice_keeps_a_table_from_silence(source, is_over):
    """Only seat 0 has chosen, and the only other active player leaves."""
    quiet_turns, awake = (STANDBY, STANDBY), (CHOSEN, CHOSEN)
    state = table(seat("2c 9d"), seat("3c 9h"), seat("4c 9s"), to_act=None,
                  turns=(quiet_turns, quiet_turns, awake))  # fmt: skip
    game = Game(state).by(0, "open 2c", source=source).resign(2)
    assert (game.state.reason == "stopped") == is_over


@pytest.mark.rule("PLX-28", "GEN-8")
def test_max_plies_stops_the_game_by_cards_without_spoils():
    """Reserve, hand and own cards in zones."""
    state = table(seat("2c 3c", reserve="5d 6d"), seat("4c", reserve="7d"), center="1:9h 1:8h",
                  spoils="10d", options={"max_plies": 1})  # fmt: skip
    game = Game(state).play("2c left")
    assert game.facts("stopped") == [{"cause": "max_plies"}]
    assert [own["cards"] for own in game.result.scores] == [4, 4]
    assert game.result.ranking == ((0, 1),)
    assert new(2).state.setup.options["max_plies"] == 5000
    assert Game(state._replace(setup=setup(2, max_plies=0))).play("2c left").state.reason is None


@pytest.mark.rule("GEN-8", "GEN-6")
def test_a_reveal_is_carried_out_as_a_whole():
    """Ply 1 of 3 is the limit, all three count."""
    game = new(3, max_plies=1)
    for who in range(3):
        game.by(who, f"open {game.state.seats[who].hand[0]}")
    assert game.state.ply == 3
    assert len(game.state.zones[0]) == 3
    assert game.result.reason == "stopped"


# --- views ----------------------------------------------------------------------------------------


@pytest.mark.rule("PLX-29", "GEN-5")
def test_a_seat_sees_its_hand_and_what_is_public():
    """It sees its own hand and choice. Of others it sees sizes and the fact of a choice."""
    game = new(3)
    chosen = game.state.seats[1].hand[0]
    game.by(1, f"open {chosen}")
    view = RULES.view(game.state, Seat(1))
    assert view["seats"][1]["hand"] == list(game.state.seats[1].hand)
    assert view["seats"][1]["choice"] == chosen
    other = RULES.view(game.state, Seat(0))["seats"][1]
    assert (other["hand"], other["hand_size"], other["reserve"], other["reserve_size"]) == (
        None, 7, None, 10,
    )  # fmt: skip
    assert (other["choice"], other["has_chosen"]) == (None, True)
    assert view["spoils_unseen"] == 1
    assert view["spoils"] == []
    text = json.dumps([RULES.view(game.state, None), RULES.view(game.state, Seat(0))])
    for own in (game.state.seats[1], game.state.seats[2]):
        assert not any(f'"{card}"' in text for card in [*own.hand, *own.reserve])


@pytest.mark.rule("PLX-29")
def test_spoils_from_a_zone_are_known_and_others_are_not():
    """They went before everyone's eyes."""
    state = table(seat("2c"), seat("3c"), spoils_seen="9h", spoils="10h")
    view = RULES.view(state, None)
    assert (view["spoils"], view["spoils_unseen"]) == (["9h"], 1)


@pytest.mark.rule("GEN-15")
def test_hidden_cards_are_turned_up_only_when_the_game_is_over():
    """Then hands, reserves, spoils and choices, for everybody."""
    game = resolved("9s left", side0="1:2h", spoils="10d")
    public = json.dumps([fact.data for fact in game.steps[-1].facts if fact.audience is None])
    assert not any(f'"{card}"' in public for card in PACK if card not in ("9s", "2h"))
    game.by(0, f"open {game.state.seats[0].hand[0]}").resign(1)
    view = RULES.view(game.state, None)
    assert view["over"]
    assert view["seats"][1]["hand"] == list(game.state.seats[1].hand)
    assert view["seats"][1]["reserve"] == list(game.state.seats[1].reserve)
    assert view["spoils"] == ["10d"]


# --- a stop that falls together with the end of a battle (GEN-8) ----------------------------------


@pytest.mark.rule("GEN-8", "GEN-7", "PLX-28", "PLX-V4", "PLX-24")
@pytest.mark.parametrize("cause", ["max_plies", "silence"])
def test_a_stop_at_the_end_of_a_battle_comes_when_the_next_one_is_set_up(cause):
    """Antes are spoils by then and count for nobody, and who cannot draw seven is out."""
    seats = [seat("9s"), seat(reserve="2c 3c 4c 5c 6c 7c 8c"), seat(), seat()]
    limit, quiet = (1, NO_TURNS) if cause == "max_plies" else (0, (STANDBY, STANDBY))
    state = table(*seats, side0="1:2h", keep=(1,), options={"max_plies": limit, "ante": 1},
                  turns=((0, STANDBY), quiet, quiet, quiet))  # fmt: skip
    game = Game(state).play("9s left", source=Source.STANDBY)
    ends = ["eliminated", "dealt", "stopped", "game_over"]
    assert [kind for kind in game.kinds if kind in ends] == ends
    assert game.facts("stopped") == [{"cause": cause}]
    assert (game.result.reason, game.state.battle, game.state.ring) == ("stopped", 1, (0, 2, 3))
    assert game.result.ranking[-1] == (1,)
    counted = [own["cards"] for own in game.result.scores]
    assert counted[1] == 6
    assert sum(counted) - counted[1] == 52 - len(game.state.spoils_seen + game.state.spoils_unseen)
