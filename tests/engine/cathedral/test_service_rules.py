"""Standby and forced moves, options, what a seat may see (CAT-18, CAT-20, GEN-11, GEN-14 …)."""

import json

import pytest

from engine.errors import NotToActError, ReplayError, SetupError
from tests.engine.cathedral.tables import RULES, SIX, Game, cards, choosing, seat, setup, table


def standby(state, who=0) -> str:
    return RULES.format_move(state, who, RULES.standby_move(state, who))


# --- CAT-18 ---------------------------------------------------------------------------------------


@pytest.mark.rule("CAT-18")
@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("2c 10c 3c Ac Kc 4c", "keep 2c 10c Ac"),  # 2s, then 10s, then the highest
        ("2c 2d 10c 10d Ac Kc", "keep 2c 2d 10c"),
        ("2c 2d 2h 2s 10d Ac", "keep 2c 2d 2h"),  # equal: the lowest suit
        ("10c 10d 10h 10s 3c Ac", "keep 10c 10d 10h"),
        ("3c 4c 5c 6c 7c 8c", "keep 6c 7c 8c"),
        ("Ac Ad Kh Ks 3c 4c", "keep Kh Ac Ad"),
        ("As Ah Ad Ac 3c 4c", "keep Ac Ad Ah"),
    ],
)
def test_the_standby_choice(hand, expected):
    """The most useful cards are saved."""
    assert standby(choosing(seat(hand), seat("3d 4d 5d 6d 7d 8d"))) == expected


@pytest.mark.rule("CAT-18")
@pytest.mark.parametrize(
    ("own", "pile", "expected"),
    [
        (seat("3c 9c 9d Ac"), "8c", "play 9c 9d"),  # lowest legal rank, all of it
        (seat("3c 3d Ac"), "", "play 3c 3d"),
        (seat("9c 9d Ac"), "9h", "play Ac"),  # an equal rank is not enough
        (seat("2c 10c Ac"), "Kc", "play Ac"),  # ordinary ranks before 2 and 10
        (seat("2c 2d 10c 3c"), "Kc", "play 2c"),  # a single 2, before a 10
        (seat("10c 10d 3c"), "Kc", "play 10c"),  # a single 10
        (seat("3c 4c"), "Kc", "pickup"),
        (seat("3c", "2c 10c Ac"), "Kc", "pickup"),  # never from the reserve
        (seat("4c Ac"), "2d", "play 4c"),
    ],
)
def test_the_standby_move(own, pile, expected):
    """Cautious and deterministic."""
    assert standby(table(own, seat("5h"), pile=pile)) == expected


@pytest.mark.rule("CAT-18", "GEN-7")
def test_only_a_seat_to_act_has_a_standby_move():
    """In a turn one seat, before it everybody who has not chosen."""
    with pytest.raises(NotToActError):
        RULES.standby_move(table(seat("3c"), seat("5h")), 1)
    assert standby(choosing(*SIX), 2) == "keep 2h 6h 7h"


# --- GEN-11 ---------------------------------------------------------------------------------------

FORCED_CASES = [
    # own cards, pile: forced under public, under all
    (seat("4c 5c", known="4c 5c"), "Kc", True, True),  # all known, none fits: pick up
    (seat("4c 5c", known="4c"), "Kc", False, True),  # one card is private
    (seat("4c 5c"), "Kc", False, True),
    (seat("4c"), "", True, True),  # one card, nothing to pick up
    (seat("4c", "2c 10c Ac"), "", True, True),
    (seat("4c"), "Kc", False, True),  # one card, but a pile: nobody knows that it does not fit
    (seat("4c", known="4c"), "Kc", True, True),
    (seat("4c 4d", known="4c 4d"), "", False, False),  # one or both
    (seat("5c", known="5c"), "4c", False, False),  # play or pick up
    (seat("2c", known="2c"), "4c", False, False),
]


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize(("own", "pile", "public", "private"), FORCED_CASES)
def test_forced_moves(own, pile, public, private):
    """A single legal move, if everybody can tell or the table agreed."""
    for policy, expected in (("public", public), ("all", private), ("off", False)):
        state = table(own, seat("4h 5h"), pile=pile, options={"auto_forced": policy})
        forced = RULES.forced_move(state)
        assert (forced is not None) == expected
        if forced is not None:
            assert forced == (0, next(iter(RULES.legal_moves(state, 0))))


@pytest.mark.rule("GEN-11", "GEN-6")
def test_setting_aside_is_never_forced_and_nothing_is_after_the_end():
    """A secret choice is a choice."""
    for policy in ("public", "all"):
        state = choosing(seat("Jc Jd Jh Js 9c 9d"), SIX[0], options={"auto_forced": policy})
        assert RULES.forced_move(state) is None
    game = Game(table(seat("9c"), seat("3h 4h"), pile="5c")).play("9")
    assert RULES.forced_move(game.state) is None


# --- GEN-14 ---------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-14")
def test_options_are_completed_with_their_defaults():
    """Nothing given: the last seat deals one deal."""
    assert RULES.check_options(6, {}) == {
        "dealer": 5, "deals": 1, "max_plies": 2000, "auto_forced": "public",
    }  # fmt: skip


@pytest.mark.rule("GEN-14")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"deals": 0}, "1 or more"),
        ({"deals": 1_000_001}, "at most 1000000"),
        ({"max_plies": 2**53}, "0 (no limit) to 1000000"),
        ({"deals": "3"}, 'not "3"'),
        ({"deals": True}, "not true"),
        ({"max_plies": -1}, "no limit"),
        ({"dealer": 3}, "0 to players - 1"),
        ({"auto_forced": "publick"}, "public, all, off"),
        ({"deal": 2}, "did you mean deals?"),
        ({"tie": "back"}, "options: dealer, deals, max_plies, auto_forced"),
    ],
)
def test_unknown_and_impossible_options_are_refused_with_what_is_allowed(given, words):
    """The message names the allowed values."""
    with pytest.raises(SetupError) as caught:
        RULES.check_options(3, given)
    assert words in str(caught.value)
    assert caught.value.rule == "GEN-14"


# --- views ----------------------------------------------------------------------------------------

PRIVATE = table(
    seat("4c 5c", "6c 7c Qd", known="5c"),
    seat("8c 9c Jc", "Qc Kc Ac", known="9c"),
    pile="3h", stock="4h 5h",
)  # fmt: skip


@pytest.mark.rule("CAT-20", "GEN-5")
def test_a_seat_sees_its_hand_and_reserve_and_what_is_public():
    """Of others the sizes and the cards that everybody has seen."""
    view = RULES.view(PRIVATE, 0)
    own, other = view["seats"]
    assert (own["hand"], own["reserve"]) == (["4c", "5c"], ["6c", "7c", "Qd"])
    assert (other["hand"], other["reserve"]) == (None, None)
    assert (other["hand_size"], other["reserve_size"], other["known"]) == (3, 3, ["9c"])
    assert (view["stock_size"], view["stock"]) == (2, None)
    assert view["pile"] == ["3h"]
    assert "2c" in view["gone"]
    text = json.dumps(view)
    for hidden in ("8c", "Jc", "Qc", "Kc", "Ac", "4h", "5h"):
        assert f'"{hidden}"' not in text


@pytest.mark.rule("CAT-20", "GEN-5")
def test_an_observer_sees_only_what_is_public():
    """No hand and no reserve at all."""
    view = RULES.view(PRIVATE, None)
    assert view["seat"] is None
    for own in view["seats"]:
        assert (own["hand"], own["reserve"], own["choice"]) == (None, None, None)


@pytest.mark.rule("CAT-20")
def test_cards_picked_up_stay_public_until_they_are_played():
    """From the pile into the hand, and out of it again."""
    game = Game(table(seat("4c 5c"), seat("8c Jc"), pile="9h 9d")).play("pickup")
    assert game.state.seats[0].known == cards("9d 9h")
    game.play("8", "9d")
    assert game.state.seats[0].known == cards("9h")


@pytest.mark.rule("CAT-20", "GEN-16")
def test_cards_drawn_from_the_stock_are_private():
    """Nobody but their owner learns them."""
    game = Game(table(seat("4c 5c 6c"), seat("8c"), stock="9h 9d")).play("4")
    assert game.state.seats[0].known == ()
    assert "9d" not in json.dumps(RULES.view(game.state, 1))


@pytest.mark.rule("GEN-15")
def test_between_deals_nothing_hidden_is_turned_up():
    """Hands and reserves of a finished deal are not shown."""
    other = seat("3h 4h", "5h 6h 7h")
    game = Game(table(seat("9c"), other, pile="5c", options={"deals": 2})).play("9")
    public = [fact.data for fact in game.steps[-1].facts if fact.audience is None]
    text = json.dumps(public)
    assert not any(f'"{card}"' in text for card in ("3h", "4h", "5h", "6h", "7h"))


@pytest.mark.rule("GEN-15")
def test_after_the_end_everything_is_shown_to_everybody():
    """Hands, reserves, stock, and the cards of those who resigned."""
    game = Game(table(seat("9c"), seat("3h 4h", "5h 6h 7h"), seat("6d", "7d 8d 9d"), pile="5c"))
    game.resign(2).play("9")
    for who in (None, 0, 1, 2):
        view = RULES.view(game.state, who)
        assert view["over"] is True
        assert view["seats"][1]["hand"] == ["3h", "4h"]
        assert view["seats"][1]["reserve"] == ["5h", "6h", "7h"]
        assert view["stock"] == []
        assert {"6d", "7d", "8d", "9d"} <= set(view["gone"])
        assert view["gone_hidden"] == 0


@pytest.mark.rule("GEN-15", "GEN-6")
def test_after_the_end_choices_and_the_stock_are_shown():
    """A game that ends while cards are set aside."""
    game = Game(choosing(*SIX[:2])).say(0, "keep 2 3 4").resign(1)
    view = RULES.view(game.state, None)
    assert view["seats"][0]["choice"] == ["2c", "3c", "4c"]
    assert len(view["stock"]) == 40
    assert set(SIX[1].hand) <= set(view["gone"])


@pytest.mark.rule("GEN-5")
def test_no_hidden_card_or_seed_in_the_repr_of_a_state():
    """A state that lands in a log line or traceback gives nothing away."""
    game = Game(RULES.start(setup(2)).state)
    game.say(0, standby(game.state, 0))
    for state in (game.state, PRIVATE):
        text = repr(state)
        hidden = [*state.stock]
        for own in state.seats:
            hidden += [c for c in (*own.hand, *own.reserve) if c not in own.known]
        assert not any(f"'{card}'" in text for card in hidden)
        assert repr(state.setup.seed) not in text


# --- states as JSON -------------------------------------------------------------------------------


def test_the_keys_of_a_state():
    """As the engine protocol names them."""
    data = RULES.state_json(Game(choosing(*SIX)).say(1, "keep 2 3 4").state)
    assert {"to_act", "ply", "seats", "stock", "pile", "gone"} <= set(data)
    assert data["to_act"] == [0, 2]
    assert data["seats"][1]["choice"] == ["2d", "3d", "4d"]
    assert data["seats"][0]["choice"] is None
    assert {"hand", "reserve", "choice"} <= set(data["seats"][0])
    assert RULES.state_json(PRIVATE)["seats"][0]["reserve"] == ["6c", "7c", "Qd"]


CHOSEN_ONE = Game(choosing(*SIX)).say(1, "keep 2 3 4").state


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize(
    ("state", "change"),
    [
        (PRIVATE, lambda d: d.pop("stock")),
        (PRIVATE, lambda d: d["stock"].append("7c")),
        (PRIVATE, lambda d: d["stock"].pop()),
        (PRIVATE, lambda d: d["seats"].pop()),
        (PRIVATE, lambda d: d["seats"][0].pop("reserve")),
        (PRIVATE, lambda d: d["seats"][0].update(hand=["x"])),
        (PRIVATE, lambda d: d["seats"][0].update(known=["Kd"])),
        (PRIVATE, lambda d: d.update(to_act=[7])),
        (PRIVATE, lambda d: d.update(to_act=[])),
        (PRIVATE, lambda d: d.update(to_act=[0, 1])),
        (PRIVATE, lambda d: d.update(reason="finished")),
        (PRIVATE, lambda d: d.update(choosing=True)),
        (PRIVATE, lambda d: d.update(choosing=0)),
        (PRIVATE, lambda d: d.update(extra=1)),
        (PRIVATE, lambda d: d.update(turns=[[0]])),
        (PRIVATE, lambda d: d.update(ply=1.0)),
        (CHOSEN_ONE, lambda d: d.update(choosing=False)),
        (CHOSEN_ONE, lambda d: d.update(to_act=[0, 1, 2])),
        (CHOSEN_ONE, lambda d: d["seats"][1].update(choice=None)),
        (CHOSEN_ONE, lambda d: d["seats"][1].update(choice=["2d", "3d"])),
        (CHOSEN_ONE, lambda d: d["seats"][1].update(choice=["2c", "3d", "4d"])),
        (CHOSEN_ONE, lambda d: d["seats"][1].update(choice_mark=0)),
        (CHOSEN_ONE, lambda d: d["seats"][1].update(choice_mark=True)),
    ],
)
def test_what_is_no_state_is_refused(state, change):
    """A snapshot that does not fit is a ReplayError, never a strange state."""
    data = json.loads(json.dumps(RULES.state_json(state)))
    assert RULES.state_from_json(state.setup, data) == state
    change(data)
    with pytest.raises(ReplayError, match="no state of Cathedral"):
        RULES.state_from_json(state.setup, data)


# --- the text -------------------------------------------------------------------------------------


def test_the_rules_for_players():
    """Narrow, with the order words, the ids, and what was settled."""
    text = RULES.rules_text()
    assert all(len(line) <= 72 and line == line.rstrip() for line in text.split("\n"))
    for words in ("set aside 2 10 Q", "pickup", "Settled where the sources are silent"):
        assert words in text
