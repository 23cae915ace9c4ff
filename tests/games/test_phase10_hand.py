"""The small sums about hands of Phase 10, held against the engine's own finder and groups."""

from __future__ import annotations

import pytest

from engine.phase10.cards import PACK, Card, sort_cards
from engine.phase10.finder import find_lay
from engine.phase10.groups import Group, Kind, open_ends
from pbem.games import phase10
from pbem.games.phase10_hand import fits, helpers, missing
from tests.engine.chance import chance


def test_the_pack_is_that_of_the_engine() -> None:
    """All 108 cards, in documented order."""
    assert phase10.PACK == PACK


@pytest.mark.parametrize("phase", range(1, 11))
def test_nothing_is_missing_where_the_finder_finds_a_lay_down(phase: int) -> None:
    """Over random hands full of wilds; but for a set beside a run the sum is exact."""
    luck = chance(phase)
    found = 0
    for _ in range(400):
        hand = sort_cards([*luck.sample(PACK, 9), *[Card("W")] * luck.randint(0, 4)])
        can_lay = find_lay(hand, phase) is not None
        found += can_lay
        if missing(hand, phase) == 0:
            # Wilds alone may seem enough, where every group needs a number card (P10-10).
            assert can_lay or hand.count("W") >= 2
        elif phase not in (2, 3):
            assert not can_lay
    assert found


@pytest.mark.parametrize(
    ("hand", "phase", "count"),
    [
        ("R1 B1 G1 R2 B2 Y9", 1, 1),
        ("R1 B1 G1 Y1 R1 B1", 1, 0),
        ("R5 B5 W R1 R2 R3 R4", 2, 0),
        ("R1 R2 R3 R5 R6 R7 S", 4, 1),
        ("R1 R2 R9 G9 G10 W S", 8, 3),
        ("R5 G5 B5 Y5 R7 W", 9, 1),
    ],
)
def test_missing_cards_are_counted(hand: str, phase: int, count: int) -> None:
    """By hand."""
    assert missing(hand.split(), phase) == count


def test_helpers_are_the_kinds_that_bring_a_hand_nearer() -> None:
    """A run with a hole waits for one number, or for either end."""
    assert helpers(["R1", "R2", "R3", "R5", "R6", "R7"], 4) == 1
    assert helpers(["R2", "R3", "R4", "R5", "R6", "R7"], 4) == 2
    assert helpers(["R2", "R3", "R4", "R5", "G1", "G3"], 8) == 1


@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        (Kind.SET, "R5 B5 W"),
        (Kind.RUN, "R3 W B5 Y6"),
        (Kind.RUN, "W R2 R3 R4"),
        (Kind.RUN, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"),
        (Kind.COLOUR, "G1 G1 G4 G7 G8 W W"),
    ],
)
def test_what_can_be_hit_is_what_the_engine_lets_be_hit(kind: Kind, cards: str) -> None:
    """Every card of the pack."""
    group = Group(kind, tuple(map(Card, cards.split())))
    shown = [[], [{"kind": kind.value, "cards": cards.split()}]]
    for card in sorted(set(PACK)):
        assert fits(card, shown) == bool(list(open_ends(group, card))), card


def shortlisted(hand: str, pile: str, orders: list[str], effort: int, groups: str = "") -> set[str]:
    """The orders worth a thought, of a seat at phase 1; with groups its phase is down."""
    own = {"hand": hand.split(), "hand_size": len(hand.split()), "phase": 1, "laid": bool(groups)}
    laid = [{"kind": "set", "cards": groups.split()}] if groups else []
    view = {"seat": 0, "seats": [own], "pile": [pile], "groups": [laid]}
    return {orders[at] for at in phase10.shortlist(view, orders, effort)}


@pytest.mark.parametrize(
    ("hand", "pile", "groups", "easy", "hard"),
    [
        ("R1 B1 G1 R2 B2 Y9", "G2", "", "take", "take"),  # completes the phase
        ("R1 B1 R2 Y9 G12", "G2", "", "draw", "take"),  # a step, with more to come
        ("R1 B1 R2 Y9 G12", "G7", "", "draw", "draw"),  # no help
        ("R1 B1 R2 Y9 G12", "W", "", "take", "take"),
        ("R7 B8", "G5", "R5 B5 Y5", "draw", "take"),  # can be hit
        ("R7 B8", "G6", "R5 B5 Y5", "draw", "draw"),
    ],
)
def test_a_card_is_taken_if_it_helps(
    hand: str, pile: str, groups: str, easy: str, hard: str
) -> None:
    """With little effort only a wild, or what completes the phase."""
    assert shortlisted(hand, pile, ["draw", "take"], 0, groups) == {easy}
    assert shortlisted(hand, pile, ["draw", "take"], 1, groups) == {hard}


def test_few_discards_are_thought_about_and_no_wild() -> None:
    """Those that hurt least, and every way to play a skip."""
    hand = "R1 B1 R2 G5 Y9 G12 W S"
    orders = [f"discard {card}" for card in hand.split()[:-1]]
    orders += ["discard S 1", "discard S 2"]
    good = shortlisted(hand, "R3", orders, 1)
    assert {"discard S 1", "discard S 2", "discard G12"} <= good
    assert len(good) == 5
    assert not good & {"discard W", "discard R1", "discard B1"}
    assert shortlisted("W", "R3", ["discard W"], 1) == {"discard W"}


def test_what_can_be_laid_or_hit_is_not_kept_but_for_the_last_card() -> None:
    """The last card needs thought: one may float with it (P10-18)."""
    assert shortlisted("R5 R7", "R3", ["hit R5 on 0.0", "discard R5"], 1) == {"hit R5 on 0.0"}
    both = ["hit R5 on 0.0", "discard R5"]
    assert shortlisted("R5", "R3", both, 1) == set(both)
