"""Test the heuristics of bots and their helper functions."""

from __future__ import annotations

import pytest

from engine import registry
from engine.api import Seat, Setup
from engine.phase10.cards import PACK, Card, sort_cards
from engine.phase10.finder import find_lay
from engine.phase10.groups import End, Group, Kind, open_ends
from engine.phase10.moves import DRAW, TAKE, Discard, Hit
from engine.phase10.state import State
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import fitting, read_drawing
from pbem.games.heuristics.phase10 import Outlook, choose
from pbem.games.phase10_groups import fits_one
from tests.engine.chance import chance


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@pytest.mark.parametrize("phase", range(1, 11))
def test_nothing_is_missing_where_the_finder_finds_a_lay_down(phase: int) -> None:
    """Over random hands full of wilds; but for a set beside a run the sum is exact."""
    luck = chance(phase)
    found = 0
    for _ in range(400):
        hand = sort_cards([*luck.sample(PACK, 9), *[Card("W")] * luck.randint(0, 4)])
        can_lay = find_lay(hand, phase) is not None
        found += can_lay
        if Outlook(hand, phase).missing() == 0:
            # Wilds alone may seem enough, where every group needs a number card (P10-10).
            assert can_lay or hand.count("W") >= 2
        elif phase not in (2, 3):
            assert not can_lay
    assert found


@pytest.mark.parametrize(
    ("kind", "laid"),
    [
        (Kind.SET, "R5 B5 W"),
        (Kind.RUN, "R3 W B5 Y6"),
        (Kind.RUN, "W R2 R3 R4"),
        (Kind.RUN, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"),
        (Kind.COLOUR, "G1 G1 G4 G7 G8 W W"),
    ],
)
def test_what_can_be_hit_is_what_the_engine_lets_be_hit(kind: Kind, laid: str) -> None:
    """This is compared for every card of the pack."""
    group = Group(kind, cards(laid))
    shown = {"kind": kind.value, "cards": laid.split()}
    for card in sorted(set(PACK)):
        assert fits_one(card, shown) == bool(list(open_ends(group, card))), card


def table(hand: str, pile: str, laid: str = "") -> State:
    """A position of seat 0, at phase 1; with groups its phase is down."""
    rules = registry.find("phase10")
    state = rules.start(Setup(2, bytes(32), rules.check_options(2, {"dealer": 1}))).state
    groups = ((Group(Kind.SET, cards(laid)),), ()) if laid else ((), ())
    own = state.seats[0]._replace(hand=cards(hand), laid=bool(laid))
    return state._replace(
        seats=(own, state.seats[1]), pile=cards(pile), groups=groups, to_act=Seat(0)
    )


@pytest.mark.parametrize(
    ("hand", "pile", "laid", "move"),
    [
        ("R1 R2 B1 B2 G1 Y9", "G2", "", TAKE),  # completes the phase
        ("R1 R2 B1 G12 Y9", "G2", "", TAKE),  # a step, with more to come
        ("R1 R2 B1 G12 Y9", "G7", "", DRAW),  # no help
        ("R1 R2 B1 G12 Y9", "W", "", TAKE),
        ("R7 B8", "G5", "R5 B5 Y5", TAKE),  # can be hit
        ("R7 B8", "G6", "R5 B5 Y5", DRAW),
    ],
)
def test_a_card_is_taken_if_it_helps(hand: str, pile: str, laid: str, move: object) -> None:
    """From the pile, where everybody sees it."""
    assert choose(table(hand, pile, laid), Seat(0)) == move


def test_a_skip_goes_at_once_and_a_wild_last() -> None:
    """Of the others the dearest that helps nothing."""
    state = table("R1 R2 B1 G5 S", "R3")._replace(has_drawn=True)
    assert choose(state, Seat(0)) == Discard(Card("S"), Seat(1))
    assert after_draw("R1 R2 B1 G5 G12 Y9 W", laid=False) == Discard(Card("G12"))
    assert after_draw("W", laid=False) == Discard(Card("W"))


def after_draw(hand: str, *groups: Group, laid: bool) -> object:
    """Return the order of seat 0 with a hand at phase 1. The other seat has groups on the table."""
    state = table(hand, "R3")
    own = state.seats[0]._replace(laid=laid)
    return choose(
        state._replace(has_drawn=True, seats=(own, state.seats[1]), groups=((), groups)), Seat(0)
    )


def test_what_will_be_hit_is_kept_though_it_is_dear() -> None:
    """A fourth card of a set to be, and one that fits the table."""
    assert after_draw("R11 B11 G11 Y11 R5 G7 B8", laid=False) == Discard(Card("R5"))
    sets = Group(Kind.SET, cards("R12 B12 G12"))
    hand = "R5 B5 G5 R6 Y12"
    assert after_draw(hand, laid=False) == Discard(Card("Y12"))
    assert after_draw(hand, sets, laid=False) == Discard(Card("R6"))


def test_a_wild_goes_where_the_next_card_fits() -> None:
    """At the end of a run behind which a card of the hand waits; else onto a set."""
    run = Group(Kind.RUN, cards("R3 R4 R5 R6"))
    sets = Group(Kind.SET, cards("R12 B12 G12"))
    assert after_draw("B8 W", run, sets, laid=True) == Hit(Card("W"), Seat(1), 0, End.HIGH)
    assert after_draw("B1 W", run, sets, laid=True) == Hit(Card("W"), Seat(1), 0, End.LOW)
    assert after_draw("B9 W", run, sets, laid=True) == Hit(Card("W"), Seat(1), 1)


def test_a_card_that_a_run_may_reach_is_kept() -> None:
    """The nearer one, among equally dear cards."""
    run = Group(Kind.RUN, cards("R4 R5 R6 R7"))
    assert after_draw("B1 B9", run, laid=True) == Discard(Card("B1"))
    assert after_draw("B1 B10", run, laid=True) == Discard(Card("B10"))


def test_a_run_of_wilds_is_as_good_as_another() -> None:
    """Its ends follow from the number that was said (P10-V4)."""
    run = Group(Kind.RUN, cards("W W W W"), 3)
    sets = Group(Kind.SET, cards("W W W"), 12)
    assert after_draw("B8 W", run, sets, laid=True) == Hit(Card("W"), Seat(1), 0, End.HIGH)
    assert after_draw("B1 W", run, sets, laid=True) == Hit(Card("W"), Seat(1), 0, End.LOW)
    assert after_draw("B1 B10", run, laid=True) == Discard(Card("B10"))


@pytest.mark.rule("P10-V4", "P10-30")
@pytest.mark.parametrize(("naturals", "move"), [("phase", "take"), ("group", "draw")])
def test_a_drawing_rule_knows_what_is_a_phase(naturals: str, move: str) -> None:
    """One number card and wilds alone lay only where that is agreed."""
    rules = registry.find("phase10")
    options = rules.check_options(2, {"naturals": naturals, "dealer": 1, "phases": [1]})
    state = rules.start(Setup(2, bytes(32), options)).state
    own = state.seats[0]._replace(hand=cards("R5 W W W W S"))
    state = state._replace(seats=(own, state.seats[1]), pile=cards("W"), to_act=Seat(0))
    rule = read_drawing("take if it lays, else stock", TableVocabulary("phase10"))
    assert fitting(rule, rules, state, Seat(0)).order == move
