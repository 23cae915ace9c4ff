"""Test games for chips: betting windows, closed zones and pots (PLX-V5, PLX-V6)."""

import pytest

from engine.cards import PACK
from engine.errors import IllegalMoveError
from engine.phalanx.resolving import share_pot
from engine.phalanx.state import PLAYING, Elimination, State
from engine.shuffle import shuffle
from tests.engine.phalanx.tables import (
    RULES,
    SEED,
    ZONES,
    Game,
    betting,
    cards,
    new,
    resolved,
    seat,
    table,
    texts,
)

pytestmark = pytest.mark.rule("PLX-V5")


def stake(game: Game, name: str) -> list[int]:
    number = 0 if name == "center" else int(name[-1]) + 1
    return list(game.state.pots[number])


# --- a battle begins ------------------------------------------------------------------------------


def test_everybody_has_a_pack_that_is_shuffled_before_each_battle():
    """One numbered shuffle per active seat, ascending; no spoils."""
    game = new(3, **ZONES)
    assert [one.number for one in game.steps[0].shuffles] == [0, 1, 2]
    for who, own in enumerate(game.state.seats):
        pack = shuffle(PACK, SEED, who)
        assert own.reserve == pack[:-7]
        assert sorted(own.hand) == sorted(pack[-7:])
    assert game.state.spoils_unseen == ()


def test_the_ante_lies_in_each_own_zone():
    """And is paid from the bankroll."""
    game = new(3, stakes="zones", zone_ante=2, bankroll=20)
    assert [own.chips for own in game.state.seats] == [14, 14, 14]
    pots = RULES.view(game.state, None)["pots"]
    assert pots == {
        "center": [2, 2, 2], "side:0": [2, 2, 0], "side:1": [0, 2, 2], "side:2": [2, 0, 2],
    }  # fmt: skip


def test_who_cannot_pay_all_three_antes_is_out():
    """Two chips are too few, three are enough."""
    seats = [seat("9s", chips=50), seat(chips=2), seat(chips=3)]
    state = table(*seats, options=ZONES | {"bankroll": 100, "max_battles": 9})
    game = Game(state._replace(window_size=1)).play("9s left")
    assert game.state.ring == (0, 2)
    assert game.state.seats[1].out == Elimination(1, 52)
    assert [own.chips for own in game.state.seats] == [47, 2, 0]


@pytest.mark.rule("GEN-17")
def test_it_ends_when_at_most_one_can_pay_and_is_ranked_by_chips():
    """Later elimination decides next. Equal seats share the place."""
    seats = [seat("9s", chips=50), seat(chips=2), seat(chips=1), seat(chips=2), seat(chips=2)]
    seats[3] = seats[3]._replace(out=Elimination(2, 52))
    state = table(*seats, options=ZONES | {"max_battles": 9}, ring=(0, 1, 2, 4), battle=5)
    game = Game(state._replace(window_size=1)).play("9s left")
    assert game.result.reason == "finished"
    assert game.result.ranking == ((0,), (1, 4), (3,), (2,))


# --- windows --------------------------------------------------------------------------------------


# --- closed zones ---------------------------------------------------------------------------------


def closed_out(**options) -> State:
    pots = {"center": (1, 2), "side:0": (1, 2), "side:1": (1, 2)}
    seats = (seat("Qc Ad Ah 5c", chips=5), seat("4c 6c 7c 8c", chips=5))
    return table(*seats, options=ZONES | options, pots=pots)._replace(window_size=4)


@pytest.mark.rule("PLX-27")
def test_a_closed_out_seat_lays_its_lowest_card_aside():
    """In the order of the standby move, face down: others see that it passed, not what with."""
    game = Game(closed_out())
    assert texts(game.state, 0) == ["pass"]
    with pytest.raises(IllegalMoveError, match="closed out: pass"):
        game.play("5c left")
    game.play("pass")
    assert game.state.seats[0].aside == cards("Ah")
    assert game.state.seats[0].hand == cards("5c Qc Ad")
    assert game.facts("passed") == [{}]
    assert RULES.view(game.state, 1)["seats"][0]["aside"] is None
    assert RULES.view(game.state, 1)["seats"][0]["aside_size"] == 1
    assert RULES.view(game.state, 0)["seats"][0]["aside"] == ["Ah"]


@pytest.mark.rule("GEN-11")
def test_the_pass_of_a_closed_out_seat_is_forced():
    """Everybody can see the pots; under `off` it is not played."""
    for policy in ("public", "all"):
        state = closed_out(auto_forced=policy)
        assert RULES.forced_move(state) == (0, next(iter(RULES.legal_moves(state, 0))))
    assert RULES.forced_move(closed_out(auto_forced="off")) is None


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize(
    ("hand", "center", "pots", "public", "private"),
    [
        ("9c", "", {"side:0": (0, 1), "side:1": (0, 1)}, True, True),
        ("9c", "1:2c", {"side:0": (0, 1), "side:1": (0, 1)}, True, True),
        ("9c", "1:2c 1:3c", {"side:0": (0, 1), "side:1": (0, 1)}, False, True),  # a king may choose
        ("Kc", "1:2c 1:3c", {"side:0": (0, 1), "side:1": (0, 1)}, False, False),
        ("Kc", "1:2c 1:3c-", {"side:0": (0, 1), "side:1": (0, 1)}, True, True),
        ("9c", "", {"side:0": (0, 1)}, False, False),  # two zones are open
        ("9c 8c", "", {"side:0": (0, 1), "side:1": (0, 1)}, False, False),
    ],
)
def test_one_card_and_one_open_zone_are_forced(hand, center, pots, public, private):
    """With at most one target for a king; a table that agreed to `all` plays the others too."""
    for policy, expected in (("public", public), ("all", private), ("off", False)):
        state = table(seat(hand, chips=5), seat("4c", chips=5), center=center, pots=pots,
                      options=ZONES | {"auto_forced": policy}, window_size=1)  # fmt: skip
        forced = RULES.forced_move(state)
        assert (forced is not None) == expected
        if forced is not None:
            assert [forced[1]] == list(RULES.legal_moves(state, 0))


# --- pots -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stakes", "winner", "paid"),
    [
        ((5, 5), 0, (10, 0)),
        ((2, 5), 0, (4, 3)),  # at most what the winner put in; the rest goes back
        ((5, 2), 0, (7, 0)),
        ((0, 5), 0, (0, 5)),
        ((3, 5, 1), 0, (7, 2, 0)),
        ((3, 5, 1), None, (3, 5, 1)),  # a tie returns every bet
    ],
)
def test_what_the_winner_collects(stakes, winner, paid):
    """From each opponent at most the own stake."""
    assert share_pot(stakes, winner) == paid
    assert sum(paid) == sum(stakes)


def test_pots_are_paid_when_the_battle_is_resolved():
    """Won on the left, tied on the right, and cards go back to their owners."""
    game = resolved("9s left", chips=10, side0="1:2h", center="0:5h 1:5h", options=ZONES,
                    pots={"side:0": (5, 2), "center": (1, 1), "side:1": (3, 4)},
                    window_size=1)  # fmt: skip
    assert game.zone("side:0")["pot"] == {"stakes": [5, 2], "paid": [7, 0]}
    assert game.zone("side:1")["pot"] == {"stakes": [3, 4], "paid": [3, 4]}
    # The 9 does not flank, the center is tied. Then three antes of 1 each.
    assert game.zone("center")["winner"] is None
    assert [own.chips for own in game.state.seats] == [10 + 7 + 1 + 3 - 3, 10 + 0 + 1 + 4 - 3]
    assert all(one["what"] == "back" for one in game.zone("side:0")["cards"])
    assert game.state.spoils_seen == ()


@pytest.mark.rule("PLX-26")
def test_chips_of_a_resigned_seat_leave_with_it():
    """Its stake can be won; what is above goes with the seat, and it ranks last with any number."""
    seats = [seat("9s", chips=10), seat(chips=10), seat(chips=99)]
    game = resolved("9s left", seats=seats, side0="1:2h", center="0:5h", resigned=(2,),
                    pots={"center": (2, 2, 5)}, options=ZONES | {"max_battles": 1})  # fmt: skip
    assert game.zone("center")["pot"]["paid"] == [6, 0, 3]
    assert game.result.ranking == ((0,), (1,), (2,))


@pytest.mark.rule("PLX-28")
def test_a_stopped_game_gives_the_bets_back():
    """The score is the chips, those in the pots included."""
    game = betting(5, 9, pots={"center": (6, 1)}, options={"max_plies": 1}).play("check")
    assert game.result.reason == "stopped"
    assert [own["chips"] for own in game.result.scores] == [11, 10]
    assert game.result.ranking == ((0,), (1,))


# --- stakes=per_card ------------------------------------------------------------------------------


@pytest.mark.rule("PLX-V6")
def test_each_card_played_costs_the_fee():
    """The fee goes into the pot of the card's zone. The opening card is free."""
    game = new(2, stakes="per_card", fee=3)
    assert stake(game, "center") == [0, 0]
    for who in (0, 1):
        game.by(who, f"open {game.state.seats[who].hand[0]}")
    assert [own.chips for own in game.state.seats] == [100, 100]
    assert game.state.phase == PLAYING
    who = game.state.to_act[0]
    game.play(next(text for text in texts(game.state, who) if text.endswith("center")))
    assert game.state.seats[who].chips == 97
    assert stake(game, "center")[who] == 3
    assert game.facts("played")[0]["fee"] == 3


@pytest.mark.rule("PLX-V6")
def test_who_cannot_pay_the_fee_plays_free():
    """In the middle of a battle; no zone is closed."""
    state = table(seat("2c 3c", chips=2), seat("4c 5c", chips=9), pots={"center": (0, 6)},
                  options={"stakes": "per_card", "fee": 3})  # fmt: skip
    game = Game(state).play("2c center")
    assert game.state.seats[0].chips == 2
    assert stake(game, "center") == [0, 6]


@pytest.mark.rule("PLX-V6")
def test_who_cannot_pay_one_fee_at_the_start_of_a_battle_is_out():
    """And the pots are settled as in the other game."""
    seats = [seat("9s", chips=5), seat(chips=2), seat(chips=3)]
    state = table(*seats, center="0:5h 1:2h", pots={"center": (3, 3, 0)},
                  options={"stakes": "per_card", "fee": 3})  # fmt: skip
    game = Game(state).play("9s left")
    assert game.zone("center")["pot"]["paid"] == [6, 0, 0]
    assert game.state.ring == (0, 2)
    assert [own.chips for own in game.state.seats] == [5 - 3 + 6 + 3, 2, 3]


# --- everything together --------------------------------------------------------------------------
