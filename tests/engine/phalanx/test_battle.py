"""Test a battle from the deal to the last card, and elimination (PLX-1 to PLX-14, PLX-24, PLX-V7)."""

import pytest

from engine.cards import PACK, RANKS
from engine.errors import NotToActError, SetupError
from engine.phalanx.resolving import VALUE
from engine.phalanx.state import Elimination, columns, own_zones, sharers, zone_name
from engine.shuffle import shuffle
from tests.engine.phalanx.tables import (
    RULES,
    SEED,
    Game,
    cards,
    new,
    resolved,
    seat,
    setup,
    table,
    texts,
)


@pytest.mark.rule("PLX-1")
def test_two_to_six_players_and_the_values_of_the_cards():
    """Aces 1, numbers at face, face cards 0."""
    assert list(RULES.players) == [2, 3, 4, 5, 6]
    for players in (1, 7):
        with pytest.raises(SetupError, match="2 to 6 players"):
            RULES.check_options(players, {})
    assert [VALUE[rank] for rank in RANKS] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 1]


@pytest.mark.rule("PLX-2", "PLX-6", "PLX-25", "GEN-3")
@pytest.mark.parametrize(("players", "dealer"), [(2, 1), (3, 0), (5, 2), (6, 5)])
def test_the_pack_is_dealt_evenly_one_seat_after_the_other(players, dealer):
    """From the dealer's left, top card first onto the reserve; its top seven become the hand."""
    game = new(players, dealer=dealer)
    pack = list(shuffle(PACK, SEED, 0))
    each = 52 // players
    for step in range(1, players + 1):
        own = game.state.seats[(dealer + step) % players]
        dealt = [pack.pop() for _ in range(each)]
        assert list(own.reserve) == dealt[:-7]
        assert sorted(own.hand) == sorted(dealt[-7:])
    assert list(game.state.spoils_unseen) == pack
    assert len(pack) == 52 % players
    assert game.state.spoils_seen == ()
    assert game.steps[0].shuffles[0].before == PACK
    assert len(game.steps[0].shuffles) == 1


@pytest.mark.rule("PLX-3")
@pytest.mark.parametrize("ring", [(0, 1), (1, 4), (0, 1, 2), (0, 2, 3, 5), (0, 1, 2, 3, 4, 5)])
def test_each_side_zone_is_shared_by_neighbours_in_the_ring(ring):
    """My left is the right of the next player clockwise, the center is everybody's."""
    for at, who in enumerate(ring):
        after = ring[(at + 1) % len(ring)]
        left, center, right = own_zones(who, ring)
        assert own_zones(after, ring)[2] == left
        assert sharers(left, ring) == tuple(sorted((who, after)))
        assert sharers(center, ring) == ring
        assert (zone_name(left), zone_name(center)) == (f"side:{who}", "center")
        assert len({left, center, right}) == 3


# --- the opening ----------------------------------------------------------------------------------


def opening(*hands: str, **more) -> Game:
    return Game(table(*(seat(hand, chips=more.pop("chips", 0)) for hand in hands),
                      to_act=None, **more))  # fmt: skip


@pytest.mark.rule("PLX-7", "GEN-6")
def test_openings_are_chosen_secretly_and_turned_up_together():
    """Seats choose in any order, and only the fact of a choice is public until all cards are revealed."""
    game = opening("2c 3c", "4c 5c", "6c 7c")
    assert RULES.is_choosing(game.state)
    assert game.state.to_act == (0, 1, 2)
    game.by(2, "open 7c")
    assert game.kinds == ["chosen"]
    assert game.facts("chosen") == [{}]
    assert game.state.to_act == (0, 1)
    assert game.state.ply == 0
    private = [fact for fact in game.steps[-1].facts if fact.audience is not None]
    assert [(fact.audience, fact.data) for fact in private] == [(2, {"card": "7c"})]
    game.by(0, "open 2c")
    assert game.lies("center") == ""
    game.by(1, "open 4c")
    assert game.kinds == ["chosen", "revealed"]
    assert game.lies("center") == "0:2c 1:4c 2:7c"
    assert game.state.ply == 3
    assert game.state.seats[2].hand == cards("6c")
    assert not RULES.is_choosing(game.state)


@pytest.mark.rule("PLX-8", "PLX-9")
@pytest.mark.parametrize(
    ("openings", "first"),
    [
        ("9c 10c 2s", 1),
        ("Ac Ks Qs", 0),  # an ace counts 1, face cards nothing
        ("9h 9c 9d", 2),  # spades, diamonds, clubs, hearts
        ("9h 9c 2s", 1),
        ("9d 9s 2h", 1),
        ("Js Kd 2c", 2),
        ("Js Kd Kc", 0),  # the suit comes before the face
        ("Js Qs Ks", 2),  # king, queen, jack of one suit
        ("Js Qs Kd", 1),
    ],
)
def test_the_highest_opening_plays_first(openings, first):
    """By value, then by suit, then king, queen, jack."""
    chosen = openings.split()
    game = opening(*(f"{card} {other}c" for card, other in zip(chosen, "345", strict=True)))
    for who, card in enumerate(chosen):
        game.by(who, f"open {card}")
    assert game.state.first == game.state.to_act[0] == first
    assert game.facts("revealed")[0]["first"] == first


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.rule("PLX-11")
def test_play_goes_clockwise_one_card_at_a_time_until_hands_are_empty():
    """From the first player round the ring; then the battle is resolved."""
    game = Game(table(seat("2c 2d"), seat("3c 3d"), seat("4c 4d"), to_act=1))
    order = []
    while len(game.state.zones[0]) < 5:
        order.append(game.state.to_act[0])
        game.play(texts(game.state, game.state.to_act[0])[1])  # into the center
    assert order == [1, 2, 0, 1, 2]
    assert "resolved" not in game.kinds
    game.play("2d center")
    assert game.kinds.count("resolved") == 4
    assert game.kinds[-2:] == ["battle_over", "dealt"]
    assert game.state.battle == 1
    assert RULES.is_choosing(game.state)


@pytest.mark.rule("PLX-12")
def test_a_queen_turns_down_every_face_up_card_of_her_zone():
    """Of every owner, her own and herself; other zones are untouched."""
    state = table(seat("Qs 2c"), seat("3c 3d"), center="0:9h 1:8h 1:Kd-", side0="1:7h")
    game = Game(state).play("Qs center")
    assert game.lies("center") == "0:9h- 1:8h- 1:Kd- 0:Qs-"
    assert game.lies("side0") == "1:7h"
    down = [card["card"] for card in game.facts("turned_down")[0]["cards"]]
    assert down == ["9h", "8h", "Qs"]


@pytest.mark.rule("PLX-13")
def test_a_king_turns_down_one_card_and_himself():
    """The one that was named."""
    state = table(seat("Ks 2c"), seat("3c 3d"), center="0:9h 1:8h 1:10d")
    game = Game(state).play("Ks center x 10d")
    assert game.lies("center") == "0:9h 1:8h 1:10d- 0:Ks-"
    assert game.facts("played")[0]["target"] == {"seat": 1, "card": "10d"}


@pytest.mark.rule("PLX-14")
def test_a_king_with_nothing_to_take_is_played_without_a_target():
    """And is turned face down all the same."""
    game = Game(table(seat("Ks 2c"), seat("3c 3d"), center="0:9h 1:8h-")).play("Ks center")
    assert game.lies("center") == "0:9h 1:8h- 0:Ks-"


@pytest.mark.rule("PLX-5", "PLX-15", "PLX-29")
def test_cards_face_down_stay_known_to_everybody():
    """All views still contain the cards and their owners."""
    state = table(seat("Qs 2c"), seat("3c 3d"), center="1:8h")
    game = Game(state).play("Qs center")
    for who in (None, 0, 1):
        assert RULES.view(game.state, who)["zones"]["center"] == [
            {"seat": 1, "card": "8h", "up": False},
            {"seat": 0, "card": "Qs", "up": False},
        ]


# --- who is out -----------------------------------------------------------------------------------


@pytest.mark.rule("PLX-6", "PLX-24")
def test_who_cannot_draw_seven_is_out_and_the_last_one_wins():
    """Six cards in the reserve are too few."""
    game = resolved("9s left", seats=[seat("9s"), seat("", reserve="2c 3c 4c 5c 6c 7c")],
                    side0="1:2h", center="0:5h")  # fmt: skip
    assert game.kinds[-2:] == ["eliminated", "game_over"]
    assert game.facts("eliminated") == [{"battle": 1, "cards": 6, "chips": 0}]
    assert game.result.ranking == ((0,), (1,))
    assert game.result.reason == "finished"
    assert game.state.to_act == ()
    with pytest.raises(NotToActError, match="over"):
        Game(game.state).by(0, "open 2c")


@pytest.mark.rule("PLX-24", "PLX-3", "PLX-29")
def test_the_ring_closes_over_a_seat_that_is_out():
    """Its reserve becomes unseen spoils, and its neighbours share a zone."""
    game = resolved("9s left", seats=[seat("9s"), seat("", reserve="2c 3c"), seat()],
                    side0="1:2h", center="0:5h", keep=(1,))  # fmt: skip
    assert game.state.ring == (0, 2)
    assert sorted(game.state.spoils_unseen) == ["2c", "3c"]
    assert game.state.spoils_seen == ()
    zones = RULES.view(game.state, 0)["seats"][0]["zones"]
    assert zones == {"left": "side:0", "center": "center", "right": "side:2"}
    with pytest.raises(NotToActError, match="PLX-24"):
        game.by(1, "open 2c")


@pytest.mark.rule("PLX-24", "PLX-V4", "GEN-17")
def test_if_nobody_can_go_on_most_cards_win():
    """All are checked at once, after the ante; equal numbers share the place."""
    seats = [seat("9s", reserve="2c 3c 4c 5c"), seat(reserve="2d 3d 4d 5d 6d"), seat(reserve="2s")]  # fmt: skip
    state = table(*seats, side0="1:2h", options={"ante": 3})
    game = Game(state).play("9s left")
    # Seat 0 has 6 - 3, seat 1 has 5 - 3, seat 2 has 1 - 1.
    assert game.result.ranking == ((0,), (1,), (2,))
    assert [own["cards"] for own in game.result.scores] == [3, 2, 0]
    equal = table(seat("9s", reserve="2c 3c"), seat(reserve="2d 3d 4d 5d"), side0="1:2h")
    assert Game(equal).play("9s left").result.ranking == ((0, 1),)


@pytest.mark.rule("PLX-24")
def test_later_out_is_better_and_in_one_battle_more_cards():
    """Seat 2 is out since long; 1 and 3 go together, 3 with more cards."""
    seats = [seat("9s"), seat(reserve="2d 3d"), seat(), seat(reserve="2s 3s 4s")]
    state = table(*seats, side0="1:2h", center="0:5h", ring=(0, 1, 3), battle=4)
    seats = list(state.seats)
    seats[2] = seats[2]._replace(out=Elimination(2, 6))
    game = Game(state._replace(**columns(seats))).play("9s left")
    assert game.result.ranking == ((0,), (3,), (1,), (2,))


@pytest.mark.rule("PLX-V7")
def test_max_battles_ends_the_game_without_another_check():
    """The most cards win, equal ones share; a reserve of six is not looked at."""
    state = table(seat("9s"), seat(reserve="2c 3c 4c 5c 6c 7c"), side0="1:2h", center="0:5h",
                  options={"max_battles": 1})  # fmt: skip
    game = Game(state).play("9s left")
    assert game.kinds[-2:] == ["battle_over", "game_over"]
    assert (game.result.reason, game.result.ranking) == ("finished", ((0,), (1,)))
    assert [own["eliminated"] for own in game.result.scores] == [None, None]
    assert [own["cards"] for own in game.result.scores] == [46, 6]
    again = state._replace(setup=setup(2, max_battles=2))
    assert Game(again).play("9s left").result.ranking == ((0,), (1,))  # by PLX-24 this time


@pytest.mark.rule("PLX-V4")
def test_an_ante_is_laid_from_the_top_of_every_reserve():
    """Before the hands are drawn, unseen."""
    game = new(2, ante=3)
    pack = shuffle(PACK, SEED, 0)
    first = list(reversed(pack[26:]))  # seat 0 is to the left of dealer 1
    own = game.state.seats[0]
    assert sorted(own.hand) == sorted(first[-10:-3])
    assert len(game.state.spoils_unseen) == 6
    assert set(first[-3:]) <= set(game.state.spoils_unseen)
    assert game.facts("anted") == [{"cards": 3}] * 2


@pytest.mark.rule("PLX-10")
def test_an_opening_queen_or_king_destroys_nothing():
    """The card is face up and counts 0."""
    game = opening("Qc 2c", "9d 3c", "Kh 4c")
    game.by(0, "open Qc").by(1, "open 9d").by(2, "open Kh")
    assert game.lies("center") == "0:Qc 1:9d 2:Kh"
