"""Test standby and forced moves, options and views (PHY-26, PHY-28, GEN-11, GEN-14 …)."""

import json

import pytest

from engine.ruleset import public_move
from tests.engine.phyliss.tables import RULES, Game, cards, seat, table
from tests.engine.playing import standby_of

# --- PHY-26 ---------------------------------------------------------------------------------------


@pytest.mark.rule("PHY-26")
@pytest.mark.parametrize(
    ("own", "pile", "expected"),
    [
        (seat("3c 9c 9d Ac"), "8c", "play 9c 9d"),  # lowest legal rank, all of it
        (seat("3c 3d Ac"), "", "play 3c 3d"),
        (seat("2c 10c Ac"), "Kc", "play Ac"),  # ordinary ranks before 2 and 10
        (seat("2c 2d 10c 3c"), "Kc", "play 2c"),  # a single 2, before a 10
        (seat("10c 10d 3c"), "Kc", "play 10c"),  # a single 10
        (seat("3c 4c"), "Kc", "pickup"),
        (seat("", "9d 9c 4c", "3c"), "8c", "play 9c 9d"),  # from the table as well
        (seat("", "", "Ac Kc", numbers=(2, 3)), "8c", "flip 2"),
        (seat("", "", "Ac"), "", "flip 1"),
    ],
)
def test_the_standby_move(own, pile, expected):
    """Cautious, deterministic, and never the hand of god."""
    state = table(own, seat("5h"), pile=pile, stock="6h" if own.hand else "")
    assert standby_of(RULES, state) == expected


# --- GEN-11 ---------------------------------------------------------------------------------------

OTHER = seat("4h 5h")
FORCED_CASES = [
    # own cards, pile, stock: forced under public, under all
    (seat("4c 5c", known="4c 5c"), "Kc", "", True, True),  # all known, none fits: pick up
    (seat("4c 5c", known="4c"), "Kc", "", False, True),  # one card is private
    (seat("4c 5c"), "Kc", "", False, True),
    (seat("", "4c 5c"), "Kc", "", True, True),  # face-up cards are open
    (seat("4c"), "", "", True, True),  # one card, nothing to pick up
    (seat("4c", "5c"), "", "", True, True),
    (seat("4c"), "Kc", "", False, True),  # one card, but a pile: nobody knows that it does not fit
    (seat("4c", known="4c"), "Kc", "6c", False, False),  # the hand of god is a choice
    (seat("4c"), "", "6c", False, False),
    (seat("4c 4d", known="4c 4d"), "", "", False, False),  # one or both
    (seat("", "", "4c"), "", "", False, False),  # never a flip
    (seat("", "", "4c"), "Kc", "", False, False),
    (seat("5c", known="5c"), "4c", "", False, False),  # play or pick up
]


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize(("own", "pile", "stock", "public", "private"), FORCED_CASES)
def test_forced_moves(own, pile, stock, public, private):
    """A single legal move that reveals no card is forced if it is public or the table agreed."""
    for policy, expected in (("public", public), ("all", private), ("off", False)):
        state = table(own, OTHER, pile=pile, stock=stock, options={"auto_forced": policy})
        forced = RULES.forced_move(state)
        assert (forced is not None) == expected
        assert (public_move(RULES, state) is not None) == public
        if forced is not None:
            assert forced == (0, next(iter(RULES.legal_moves(state, 0))))


# --- views ----------------------------------------------------------------------------------------


@pytest.mark.rule("PHY-28", "GEN-5")
def test_a_seat_sees_its_hand_and_what_is_public():
    """Own hand; of others the number of cards and those that everybody has seen."""
    state = table(
        seat("4c 5c", "6c", "7c", known="5c"),
        seat("8c 9c Jc", "Qc", "Kc Ac", numbers=(1, 3), known="9c"),
        pile="3h", stock="4h 5h",
    )  # fmt: skip
    view = RULES.view(state, 0)
    assert view["seats"][0]["hand"] == ["4c", "5c"]
    other = view["seats"][1]
    assert other["hand"] is None
    assert (other["hand_size"], other["known"]) == (3, ["9c"])
    assert (other["up"], other["blind"]) == (["Qc"], [1, 3])
    assert view["stock_size"] == 2
    assert view["pile"] == ["3h"]
    text = json.dumps(view)
    for hidden in ("8c", "Jc", "Kc", "Ac", "7c", "4h", "5h"):
        assert f'"{hidden}"' not in text


@pytest.mark.rule("PHY-28")
def test_cards_picked_up_stay_public_until_they_are_played():
    game = Game(table(seat("4c 5c"), seat("8c Jc"), pile="9h 9d")).play("pickup")
    assert game.state.seats[0].known == cards("9d 9h")
    game.play("8", "9d")
    assert game.state.seats[0].known == cards("9h")


@pytest.mark.rule("GEN-15")
def test_after_the_end_everything_is_shown_to_everybody():
    """Hands, blind cards, stock, and the cards of those who resigned."""
    game = Game(table(seat("9c"), seat("3h 4h", "", "5h"), seat("6h", "", "7h"), pile="5c"))
    game.resign(2).play("9")
    for who in (None, 0, 1, 2):
        view = RULES.view(game.state, who)
        assert view["over"] is True
        assert view["seats"][1]["hand"] == ["3h", "4h"]
        assert view["seats"][1]["blind_cards"] == ["5h"]
        assert view["stock"] == []
        assert {"6h", "7h"} <= set(view["gone"])
        assert view["gone_hidden"] == 0


@pytest.mark.rule("GEN-8", "PHY-27")
def test_the_rules_say_that_a_stopped_deal_ends_the_game():
    """However many deals were agreed; players must read it before they play."""
    assert "The game ends with a stopped deal" in RULES.rules_text()
