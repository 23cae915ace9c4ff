"""Test the pictured examples of the rules texts with the engine."""

import re

import pytest

from engine import registry
from engine.phalanx.resolving import count_cards
from tests.engine.cathedral import tables as cathedral
from tests.engine.phalanx import tables as phalanx
from tests.engine.phase10 import tables as phase10
from tests.engine.phyliss import tables as phyliss

LETTERS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
CARD = re.compile(r"\[([^]]+)\]")


def pictures(name, **options):
    """Return the lines of all pictures in a text."""
    text = registry.find(name).rules_text(None, options)
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


def shown(line):
    """Return the cards of a picture in the notation of the engine."""
    return [card[:-1] + LETTERS.get(card[-1], card[-1]) for card in CARD.findall(line)]


@pytest.mark.rule("PLX-17", "PLX-18", "PLX-V3")
@pytest.mark.parametrize("aces", [2, 4, 10, "highest"])
def test_phalanx_sums_are_right(aces):
    """Each `[…] for 4 + 12 + 8 = 24` is what forming, jacks and aces come to."""
    lines = [line for line in pictures("phalanx", aces=aces) if " for " in line]
    sums = [line for line in lines if "the center" not in line]  # flanking: below
    assert len(sums) == (4 if aces == 2 else 5)
    for line in sums:
        own, _, rest = line.partition(" for ")
        *parts, total = map(int, re.findall(r"\d+", rest.split(",")[0]))
        counted = count_cards(phalanx_cards(own), phalanx_cards(rest), aces)
        assert [one.counted for one in counted if one.counted] == parts, line
        assert sum(parts) == total, line


def phalanx_cards(line):
    return phalanx.cards(" ".join(shown(line)))


@pytest.mark.rule("PLX-19", "PLX-20")
def test_the_flanking_of_phalanx_is_right():
    """15 on the left make 21 of the 6 in the center, and 17 are beaten."""
    left, center = (
        line
        for line in pictures("phalanx")
        if line.startswith(("your left: yours [4", "the center: y"))
    )
    game = phalanx.resolved(
        f"{shown(left)[0]} left",
        side0=f"0:{shown(left)[1]}",
        center=f"0:{shown(center)[0]} 1:{shown(center)[1]} 1:{shown(center)[2]}",
    )
    assert phalanx.totals(game.zone("center")) == [21, 17]
    assert game.zone("side:0")["winner"] == 0


@pytest.mark.rule("PLX-17", "PLX-18", "PLX-19", "PLX-20")
def test_the_battle_of_phalanx_is_right():
    """Every sum and winner as the text says, and how many cards each takes."""
    lines = [line for line in pictures("phalanx") if "Anna [" in line]
    lies = [
        " ".join(f"{seat}:{card if card != '?' else ('3d-', 'Ks-')[seat]}" for card in shown(part))
        for line in lines
        for seat, part in enumerate(line.replace(", Bob [", "| [").split("|"))
    ]
    left_a, left_b, center_a, center_b, right_a, right_b = lies
    *before, last = left_b.split()
    game = phalanx.resolved(
        f"{last[2:]} right",
        who=1,
        side0=" ".join([left_a, *before]),
        center=f"{center_a} {center_b}",
        side1=f"{right_a} {right_b}",
    )
    told = {name: game.zone(name) for name in ("side:0", "center", "side:1")}
    assert {name: phalanx.totals(data) for name, data in told.items()} == {
        "side:0": [21, 14],
        "center": [22, 32],
        "side:1": [0, 12],
    }
    assert [data["winner"] for data in told.values()] == [0, 1, 1]
    assert [len(data["cards"]) for data in told.values()] == [5, 5, 4]


@pytest.mark.rule("P10-9", "P10-12", "P10-15")
def test_the_turn_of_phase_10_is_right():
    """The hand, the lay-down, both hits and the discard, as the text orders them."""
    lines = pictures("phase10")
    hand = next(line for line in lines if line.startswith("yours"))
    state = phase10.table(
        phase10.seat(" ".join(shown(hand)), phase=2),
        phase10.done("R12 R12", phase=1),
        groups={1: phase10.laid(1, "B2 Y2 W / R6 G6 Y6")},
        drawn=True,
    )
    game = phase10.Game(state).play(
        "lay R5 B5 W / G8 R9 Y10 W", "hit G2 on 1", "hit B12 on own run", "discard R1"
    )
    assert game.state.seats[0].hand == ("S",)
    groups = [list(group.cards) for group in (*game.state.groups[0], game.state.groups[1][0])]
    by_name = {line.split(":")[0]: line for line in lines}  # the last picture of each
    assert groups[0] == shown(next(line for line in lines if line.startswith("your set")))
    assert groups[1] == shown(by_name["your run"])
    assert sorted(groups[2]) == sorted(shown(by_name["Bob's set"]))


@pytest.mark.rule("PHY-8", "PHY-11", "PHY-15", "PHY-20", "PHY-21")
def test_the_turns_of_phyliss_are_right():
    """Three jacks of two players destroy the pile; a 4 does not go on a king."""
    state = phyliss.table(
        phyliss.seat("5c Jc Jd", "4c 9c Kc", "6c 7c 8c"),
        phyliss.seat("Jh 3c 3d", "4d 9d Kd", "6d 7d 8d"),
        pile="6h 9h",
        stock="Qc Qd 3s 10s",
    )
    game = phyliss.Game(state).play("play J J")
    assert game.state.seats[0].hand == phyliss.cards("3s 5c 10s")
    game.play("play J")
    assert game.fact("destroyed")["reason"] == "three"
    assert game.state.to_act == 1

    state = phyliss.table(
        phyliss.seat("", "", "6c 4c", numbers=(1, 3)), phyliss.seat("5h"), pile="Kh"
    )
    after = phyliss.Game(state).play("flip 3").state.seats[0]
    assert (after.hand, after.blind_numbers) == (phyliss.cards("4c Kh"), (1,))


@pytest.mark.rule("CAT-2", "CAT-6", "CAT-8", "CAT-11", "CAT-12")
def test_the_turns_of_cathedral_are_right():
    """Nines are not higher than nines; after an own 2 anything goes, a 6 too."""
    state = cathedral.table(
        cathedral.seat("2c 9c 9d", "Ac Ad Ah"),
        cathedral.seat("7c 9h 9s", "Qc Qd Qh"),
        pile="5c 8c 8d",
        stock="3c Js 6c 10c",
    )
    game = cathedral.Game(state).play("play 9 9")
    assert game.state.seats[0].hand == cathedral.cards("2c 6c 10c")
    assert cathedral.orders_of(game.state) == ["pickup"]
    assert len(game.play("pickup").state.seats[1].hand) == 8

    state = cathedral.table(
        cathedral.seat("2c 6c 10c", "Ac Ad Ah"),
        cathedral.seat("7c 7d 3c", "Qc Qd Qh"),
        pile="5c 8c 8d 9c 9d Kc",
        stock="3d Js",
    )
    game = cathedral.Game(state).play("play 2")
    assert game.state.seats[0].hand == cathedral.cards("6c 10c Js")
    assert {"play 6c", "play 10c", "pickup"} <= set(cathedral.orders_of(game.state))
