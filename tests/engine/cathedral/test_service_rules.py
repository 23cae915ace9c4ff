"""Test standby and forced moves, options and views (CAT-18, CAT-20, GEN-11, GEN-14 …)."""

import json

import pytest

from engine.ruleset import public_move
from tests.engine.cathedral.tables import RULES, SIX, Game, choosing, seat, table
from tests.engine.playing import standby_of

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
    assert standby_of(RULES, choosing(seat(hand), seat("3d 4d 5d 6d 7d 8d"))) == expected


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
    assert standby_of(RULES, table(own, seat("5h"), pile=pile)) == expected


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
    """A single legal move is forced if it is public or the table agreed."""
    for policy, expected in (("public", public), ("all", private), ("off", False)):
        state = table(own, seat("4h 5h"), pile=pile, options={"auto_forced": policy})
        forced = RULES.forced_move(state)
        assert (forced is not None) == expected
        assert (public_move(RULES, state) is not None) == public
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


# --- views ----------------------------------------------------------------------------------------

PRIVATE = table(
    seat("4c 5c", "6c 7c Qd", known="5c"),
    seat("8c 9c Jc", "Qc Kc Ac", known="9c"),
    pile="3h", stock="4h 5h",
)  # fmt: skip


@pytest.mark.rule("CAT-20", "GEN-5")
def test_a_seat_sees_its_hand_and_reserve_and_what_is_public():
    """Of other seats it sees the numbers of cards and openly shown cards."""
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
    game = Game(choosing(*SIX[:2])).by(0, "keep 2 3 4").resign(1)
    view = RULES.view(game.state, None)
    assert view["seats"][0]["choice"] == ["2c", "3c", "4c"]
    assert len(view["stock"]) == 40
    assert set(SIX[1].hand) <= set(view["gone"])
