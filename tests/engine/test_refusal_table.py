"""Each kind of refusal of all four games, with the rule that refuses.

A row contains a position, an order, a move or a call, and the rule that refuses it.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine import orders, registry
from engine.api import Seat
from engine.cathedral.moves import Keep
from engine.errors import (
    EngineError,
    IllegalMoveError,
)
from engine.phalanx.betting import Bet
from engine.phalanx.moves import PASS, Bets, Open, Target
from engine.phalanx.moves import Play as Place
from engine.phalanx.state import Elimination
from engine.phase10.cards import card as card10
from engine.phase10.groups import End
from engine.phase10.moves import DRAW, TAKE, Discard, Hit, Lay
from engine.plays import Play
from engine.sentences import Sentence
from tests.engine.cathedral import tables as cat
from tests.engine.phalanx import tables as plx
from tests.engine.phase10 import tables as p10
from tests.engine.phyliss import tables as phy

ENGINE = Path(orders.__file__).parent
ROOT = ENGINE.parent
WORDS = Path(__file__).parent / "golden" / "refusals.tsv"
GAMES = {"phyliss": phy.RULES, "cathedral": cat.RULES, "phalanx": plx.RULES,
         "phase10": p10.OFFICIAL, "phase10-family": p10.FAMILY}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A wish that is refused.

    Attributes:
        game: name of a ruleset.
        state: the position; None where the refusal comes before any.
        wish: an order; a move as a log could hold it; or a call without arguments.
        rule: the id that the refusal names; None: no single rule (whose turn it is, other words).
        who: the seat that wishes.
    """

    game: str
    state: Any
    wish: Any
    rule: str | None
    who: int = 0

    def __str__(self) -> str:
        wish = "call" if callable(self.wish) else self.wish
        return f"{self.game}: {wish} ({self.rule})"

    def try_it(self) -> None:
        rules, seat = GAMES[self.game], Seat(self.who)
        if callable(self.wish):
            self.wish()
        elif isinstance(self.wish, str):
            rules.apply(self.state, seat, orders.read_order(rules, self.state, seat, self.wish))
        else:
            rules.apply(self.state, seat, self.wish)

    def refusal(self) -> EngineError:
        with pytest.raises(EngineError) as caught:
            self.try_it()
        return caught.value


def stopping(game: str, state: Any) -> Callable[[], object]:
    return lambda: GAMES[game].stop(state)


def resigning(game: str, state: Any, who: int) -> Callable[[], object]:
    return lambda: GAMES[game].resign(state, Seat(who))


def options(game: str, players: Any = 3, **given: Any) -> Row:
    return Row(game, None, lambda: GAMES[game].check_options(players, given), "GEN-14")


def over(game: str, state: Any) -> Any:
    """Return the same game after all seats but one have resigned."""
    for seat in range(1, state.setup.players):
        state = GAMES[game].resign(state, Seat(seat)).state
    return state


# --- Phyliss --------------------------------------------------------------------------------------

PHY = phy.table(phy.seat("7c 7d 9h", up="8d 4d 4h"), phy.seat("8c"), phy.seat("8h"), pile="8s")
PHY_UP = phy.table(phy.seat(up="9d 4d", blind="2c"), phy.seat("8c"), pile="8s")
PHY_BLIND = phy.table(phy.seat(blind="9c 9d", numbers=(1, 3)), phy.seat("8c"), pile="8s")
PHY_BARE = phy.table(phy.seat("7c 7d 2c", blind="9c"), phy.seat("8c"))
PHY_OUT = phy.table(phy.seat("7c"), phy.seat(out=1), phy.seat("8c"))
PHY_GONE = GAMES["phyliss"].resign(PHY, Seat(2)).state

PHYLISS = [
    Row("phyliss", PHY, "pickup the 7", "PHY-12"),
    Row("phyliss", phy.table(phy.seat("8c"), phy.seat("9c"), pile="8s"), "take the 8", "GEN-9"),
    Row("phyliss", PHY, "play 7", "PHY-8"),
    Row("phyliss", PHY, "play 7 9", "PHY-8"),
    Row("phyliss", PHY, "play 7c 7c", "PHY-8"),
    Row("phyliss", PHY, Play(phy.cards("7c 9h")), "PHY-8"),
    Row("phyliss", PHY, "play 8", "PHY-17"),
    Row("phyliss", PHY, "8d", "PHY-17"),
    Row("phyliss", PHY, Play(phy.cards("8d")), "PHY-17"),
    Row("phyliss", phy.table(phy.seat("8c 9h", up="8d"), phy.seat("9c")), "play 8c 8d", "PHY-18"),
    Row("phyliss", phy.table(phy.seat("8c 9h", up="8d"), phy.seat("9c")), "play 8 8", "PHY-18"),
    Row("phyliss", PHY, "play 7 7 7", "PHY-18"),
    Row("phyliss", phy.table(phy.seat("7c 7d 7h"), phy.seat("9c")), "play 7 7 7 7", "PHY-18"),
    Row("phyliss", phy.table(phy.seat("7c 7d 7h 7s"), phy.seat("9c")), "7 7 7 7 7", "PHY-18"),
    Row("phyliss", PHY, "play K", "PHY-18"),
    Row("phyliss", PHY, "play three kings", "PHY-18"),
    Row("phyliss", PHY, "play K or play 8", "PHY-18"),
    Row("phyliss", PHY_UP, "play K", "PHY-18"),
    Row("phyliss", PHY_BLIND, "play 9", "PHY-20"),
    Row("phyliss", PHY_BLIND, Play(phy.cards("9c")), "PHY-20"),
    Row("phyliss", PHY_BLIND, "flip 2", "PHY-20"),
    Row("phyliss", PHY_BLIND, "flip", "PHY-20"),
    Row("phyliss", PHY, "flip 1", "PHY-20"),
    Row("phyliss", PHY_UP, "flip 1", "PHY-20"),
    Row("phyliss", PHY_BARE, "pickup", "PHY-13"),
    Row("phyliss", PHY_BARE, "god", "PHY-14"),
    Row("phyliss", phy.table(phy.seat("3c 3d 3s"), phy.seat("9c")), "play three three", "GEN-9"),
    Row("phyliss", PHY, "dance", None),
    Row("phyliss", PHY, "99", None),
    Row("phyliss", PHY, "21 god", None),
    Row("phyliss", PHY_OUT, "pickup", "PHY-22", who=1),
    Row("phyliss", PHY, "pickup", None, who=1),
    Row("phyliss", PHY, "pickup", None, who=7),
    Row("phyliss", PHY_GONE, "pickup", None, who=2),
    Row("phyliss", over("phyliss", PHY), "pickup", None),
    Row("phyliss", None, resigning("phyliss", PHY_GONE, 2), None),
    Row("phyliss", None, stopping("phyliss", over("phyliss", PHY)), None),
    options("phyliss", 6),
    options("phyliss", "3"),
    options("phyliss", moon=1),
    options("phyliss", deal=2),
    options("phyliss", deals=0),
    options("phyliss", deals=10**50),
    options("phyliss", deals=[1, 2]),
    options("phyliss", deals=True),
    options("phyliss", auto_forced="pulbic"),
    options("phyliss", dealer=3),
    Row("phyliss", None, lambda: registry.find("philiss"), None),
    Row("phyliss", None, lambda: registry.find("phyliss", 99), None),
]

# --- Cathedral ------------------------------------------------------------------------------------

CAT = cat.table(
    cat.seat("7c 7d 9h", "2s Ks 10s"), cat.seat("8c"), cat.seat("8h"), pile="8s"
)  # fmt: skip
CAT_CHOOSING = cat.choosing(cat.seat("2c 10d Qh 7c 7d 4h"), cat.seat("8c 8d 8h 8s 9c 9d"))
CAT_CHOSEN = GAMES["cathedral"].apply(
    CAT_CHOOSING, Seat(0), cat.RULES.parse_order(CAT_CHOOSING, Seat(0), "keep 2 10 Q")
).state  # fmt: skip

CATHEDRAL = [
    Row("cathedral", CAT, "play 7", "CAT-6"),
    Row("cathedral", CAT, "play 7 9", "CAT-6"),
    Row("cathedral", CAT, Play(cat.cards("7c 9h")), "CAT-6"),
    Row("cathedral", CAT, "play A", "CAT-6"),
    Row("cathedral", CAT, "play 7 7 7", "CAT-6"),
    Row("cathedral", CAT, "play K", "CAT-14"),
    Row("cathedral", CAT, "Ks", "CAT-14"),
    Row("cathedral", CAT, "keep 7 7 9", "CAT-3"),
    Row("cathedral", cat.table(cat.seat("7c"), cat.seat("8c")), "pickup", "CAT-13"),
    Row("cathedral", CAT_CHOOSING, "play 7", "CAT-2"),
    Row("cathedral", CAT_CHOOSING, "pickup", "CAT-2"),
    Row("cathedral", CAT_CHOOSING, "keep 2 10", "CAT-2"),
    Row("cathedral", CAT_CHOOSING, "keep 2 10 K", "CAT-2"),
    Row("cathedral", CAT_CHOOSING, Keep(cat.cards("2c 10d Kh")), "CAT-2"),
    Row("cathedral", CAT_CHOOSING, Keep(cat.cards("2c 10d")), "CAT-2"),
    Row("cathedral", CAT, Play(cat.cards("Ah")), "CAT-6"),
    Row("cathedral", CAT, "dance", None),
    Row("cathedral", CAT, "pickup", None, who=1),
    Row("cathedral", None, lambda: cat.RULES.standby_move(CAT_CHOSEN, Seat(0)), None),
    Row("cathedral", None, stopping("cathedral", over("cathedral", CAT)), None),
]

# --- Phalanx --------------------------------------------------------------------------------------

PLX = plx.table(plx.seat("7c 8c 8d Ks"), plx.seat("8h 9h"), center="0:9c 1:10d", side0="1:Qh 1:Jh")
PLX_OPENING = plx.table(plx.seat("7c 8c"), plx.seat("8h 9h"), to_act=None)
PLX_CHOSEN = plx.Game(PLX_OPENING).by(0, "open 7c").state
PLX_CHIPS = plx.table(
    plx.seat("7c 8c", chips=5),
    plx.seat("8h 9h", chips=5),
    plx.seat("2c 3c", chips=5),
    options=plx.ZONES,
    pots={"side0": (1, 2, 0), "center": (1, 1, 1)},
)
PLX_CLOSED = plx.table(
    plx.seat("7c 8c", chips=5),
    plx.seat("8h 9h", chips=5),
    options=plx.ZONES,
    pots={"side0": (0, 1), "side1": (0, 1), "center": (0, 1)},
)
PLX_OUT = plx.table(
    plx.seat("7c 8c"), plx.seat("8h"), plx.seat(out=Elimination(0, 3)), ring=(0, 1)
)  # fmt: skip
PLX_THREE = plx.table(plx.seat("7c 8c"), plx.seat("8h"), plx.seat("9h"))
PLX_FOUR = plx.table(plx.seat("7c 8c"), plx.seat("8h"), plx.seat("9h"), plx.seat("9d"))
PLX_GONE = plx.RULES.resign(PLX_THREE, Seat(2)).state
PLX_WINDOW = plx.betting(9, 9).state
BEHIND = {"side0": (0, 2), "center": (0, 2)}
RAISED = (
    plx.betting(9, 9).play("raise center 1", "raise center 1", "raise center 1").state
)  # fmt: skip
DECLINED = (
    plx.betting(9, 9, 9).play("check", "raise center 1", "raise left 1", "raise right 1").state
)

PHALANX = [
    Row("phalanx", PLX, "play 9d left", "PLX-11"),
    Row("phalanx", PLX, Place("9d", "left"), "PLX-11"),
    Row("phalanx", PLX, Place("7c", "top"), "PLX-11"),
    Row("phalanx", PLX, "pass", "PLX-11"),
    Row("phalanx", PLX, "open 7c", "PLX-11"),
    Row("phalanx", PLX, "check", "PLX-11"),
    Row("phalanx", PLX, "7c", "PLX-11"),
    Row("phalanx", PLX, "play 8 left", "GEN-9"),
    Row("phalanx", PLX, "play 7c left x 10d", "PLX-13"),
    Row("phalanx", PLX, Place("7c", "left", Target(Seat(1), "10d")), "PLX-13"),
    Row("phalanx", PLX, "play Ks center x 9h", "PLX-13"),
    Row("phalanx", PLX, "play Ks center x 9h of 1", "PLX-13"),
    Row("phalanx", PLX, "play Ks right x 9h", "PLX-13"),
    Row("phalanx", PLX, Place("Ks", "center", Target(Seat(1), "9h")), "PLX-13"),
    Row("phalanx", PLX, Place("Ks", "center"), "PLX-14"),
    Row("phalanx", PLX, "play Ks left", "PLX-14"),
    Row("phalanx", PLX, "play 7c with seat 5", "PLX-3"),
    Row("phalanx", PLX, "7c with 1", "PLX-3"),
    Row("phalanx", PLX, "9d with 1", "PLX-11"),
    Row("phalanx", PLX_FOUR, "7c with 2", "PLX-3"),
    Row("phalanx", PLX, "dance", None),
    Row("phalanx", PLX_OPENING, "dance", None),
    Row("phalanx", PLX_WINDOW, "dance", None),
    Row("phalanx", PLX_OPENING, "open 9d", "PLX-7"),
    Row("phalanx", PLX_OPENING, Open("9d"), "PLX-7"),
    Row("phalanx", PLX_OPENING, "play 7c left", "PLX-7"),
    Row("phalanx", PLX_CHIPS, PASS, "PLX-V5"),
    Row("phalanx", PLX_CHIPS, "play 7c left", "PLX-V5"),
    Row("phalanx", PLX_CLOSED, "play 7c left", "PLX-V5"),
    Row("phalanx", PLX_CLOSED, "play 7c", "PLX-V5"),
    Row("phalanx", PLX_WINDOW, "play 7c left", "PLX-V5"),
    Row("phalanx", PLX_WINDOW, Bets((Bet("center", 1), Bet("left", 1))), "PLX-V5"),
    Row("phalanx", PLX_WINDOW, "match center", "PLX-V5"),
    Row("phalanx", PLX_WINDOW, Bets((Bet("left", -1),)), "PLX-V5"),
    Row("phalanx", PLX_WINDOW, "raise left 1, raise left 2", "PLX-V5"),
    Row("phalanx", PLX_WINDOW, "match left left", "PLX-V5"),
    Row("phalanx", DECLINED, "match center", "PLX-V5", who=2),
    Row("phalanx", RAISED, "raise center 1", "PLX-V5", who=1),
    Row("phalanx", plx.betting(2, 9, pots=BEHIND).state, "match left, match center", "PLX-V5"),
    Row("phalanx", plx.betting(9, 0, pots=BEHIND).state, "raise center 1", "PLX-V5"),
    Row("phalanx", plx.betting(3, 9, pots=BEHIND).state, "raise left 4", "PLX-V5"),
    Row("phalanx", PLX, "pass", None, who=1),
    Row("phalanx", PLX, "pass", None, who=7),
    Row("phalanx", PLX_OUT, "pass", "PLX-24", who=2),
    Row("phalanx", PLX_GONE, "pass", None, who=2),
    Row("phalanx", over("phalanx", PLX_THREE), "pass", None),
    Row("phalanx", None, lambda: plx.RULES.standby_move(PLX_CHOSEN, Seat(0)), None),
    Row("phalanx", None, resigning("phalanx", PLX_GONE, 2), None),
    Row("phalanx", None, resigning("phalanx", PLX_THREE, 7), None),
    Row("phalanx", None, resigning("phalanx", over("phalanx", PLX_THREE), 0), None),
    Row("phalanx", None, stopping("phalanx", over("phalanx", PLX_THREE)), None),
    options("phalanx", aces=3),
    options("phalanx", fee=101),
    options("phalanx", ante=11),
]

# --- Phase 10 -------------------------------------------------------------------------------------

SETS = p10.laid(1, "R3 B3 G3 / R7 B7 G7")
RUNS = p10.laid(2, "R8 B8 G8 / Y3 B4 G5 W")
FULL = p10.laid(4, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12")
COLOURS = p10.laid(8, "G1 G2 G3 G4 G6 G8 G9")
START = p10.table(p10.seat("R5 S"), p10.seat("G1"), p10.seat("G2"), pile="Y1 Y9")
LAYING = p10.table(
    p10.seat("R5 B5 G5 R7 G7 Y7 W W W S R1"), p10.seat("G1"), p10.seat("G2"), drawn=True
)
BY_PHASE = p10.table(
    p10.seat("R5 B5 G5 W W W W W W S"), p10.seat("G1"), drawn=True, options={"naturals": "phase"}
)
HITTING = p10.table(
    p10.done("R3 B6 Y8 W S"),
    p10.seat("G1"),
    p10.done("G2"),
    groups={0: SETS, 2: RUNS},
    drawn=True,
)
BEFORE = p10.table(p10.seat("R7 W S"), p10.done("G1"), groups={1: RUNS}, drawn=True)


def phase(number: int, hand: str) -> Any:
    return p10.table(p10.seat(hand, phase=number), p10.seat("G1"), drawn=True)


def onto(groups: Any, hand: str = "R1 W B5") -> Any:
    return p10.table(p10.done(hand), p10.done("Y1"), groups={1: groups}, drawn=True, pile="Y9")


def skips(*seats: Any, family: bool = False, **fields: Any) -> Any:
    rules = p10.FAMILY if family else p10.OFFICIAL
    return p10.table(p10.seat("S S R1"), *seats, drawn=True, rules=rules, **fields)


G1, G2 = p10.seat("G1"), p10.seat("G2")

PHASE10 = [
    Row("phase10", START, "discard R5", "P10-6"),
    Row("phase10", START, "lay", "P10-6"),
    Row("phase10", START, "hit R5 on 1", "P10-6"),
    Row("phase10", START, "take Y1", "P10-6"),
    Row("phase10", LAYING, "draw", "P10-6"),
    Row("phase10", LAYING, "take", "P10-6"),
    Row("phase10", LAYING, "discard Y12", "P10-6"),
    Row("phase10", LAYING, "discard 12", "P10-6"),
    Row("phase10", LAYING, Discard(card10("Y12")), "P10-6"),
    Row("phase10", LAYING, "discard R5 G5", "P10-6"),
    Row("phase10", LAYING, "throw the S and R1 away", "P10-6"),
    Row("phase10", LAYING, "put 5 7 on the discard pile", "P10-6"),
    Row("phase10-family", skips(G1, family=True), "discard S S R1", "P10-6"),
    Row("phase10", p10.table(G1, G2, pile=""), "take", "P10-6"),
    Row("phase10", p10.table(G1, G2, pile="S"), "take", "P10-7"),
    Row("phase10", p10.table(G1, G2, pile="Y9", stock=""), DRAW, "P10-11"),
    Row("phase10", p10.table(G1, G2, pile="S", stock=""), TAKE, "P10-7"),
    Row("phase10", LAYING, "lay 5 5 / 7 7 7", "P10-8"),
    Row("phase10", phase(8, "R1 R2 R3 W"), "lay R1 R2 R3 W", "P10-8"),
    Row("phase10", LAYING, "lay 5 5 R7 / G7 Y7 W", "P10-9"),
    Row("phase10", phase(8, "R1 R2 R3 R4 R5 R6 B7"), "lay R1 R2 R3 R4 R5 R6 B7", "P10-9"),
    Row("phase10", phase(8, "R1 R2 B1 B2 W W W W W"), "lay 1 2 W W W W W", "P10-9"),
    Row("phase10", phase(4, "R1 R2 R3 R5 R6 R7 R9"), "lay 1 2 3 5 6 7 9", "P10-9"),
    Row("phase10", phase(4, "R1 R2 R3 R5 R6 R7 W"), "lay 1 2 3 5 6 7 W", "P10-9"),
    Row("phase10", phase(1, "R5 B5 G5 Y5 R5 B5 W"), "lay 5 5 5 5 5 5 W", "P10-9"),
    Row("phase10", LAYING, "lay 5 5 5 / W W W", "P10-10"),
    Row("phase10", LAYING, "lay 5 5 5 / 7 W S", "P10-10"),
    Row("phase10", LAYING, "lay 5 5 5 / 7 7 7 / R1", "P10-13"),
    Row("phase10", LAYING, "lay 5 5 5 / 7 7 W / S", "P10-13"),
    Row("phase10", LAYING, "lay 5 5 5", "P10-12"),
    Row("phase10", LAYING, "lay 5 5 5 / 12 12 12", "P10-12"),
    Row("phase10", LAYING, "lay 5 5 5 / 1 1 1", "P10-12"),
    Row("phase10", LAYING, "lay 5 5 5 / 7 7 Y12", "P10-12"),
    Row("phase10", LAYING, Lay((p10.cards("R5 B5 G5"), p10.cards("R2 B2 G2"))), "P10-12"),
    Row("phase10", phase(8, "R1 R2 R3 B4 B5 B6 B7"), "lay 1 2 3 4 5 6 7", "P10-12"),
    Row("phase10", HITTING, "lay", "P10-12"),
    Row("phase10", LAYING, "lay 5 5 5 as 5 / 7 7 W", "P10-V4"),
    Row("phase10", BY_PHASE, "lay 5 5 5 / W W W", "P10-V4"),
    Row("phase10", BY_PHASE, "lay 5 5 5 as 6 / W W W as 7", "P10-V4"),
    Row("phase10", BY_PHASE, "lay W W W as 1 / W W W as 2", "P10-V4"),
    Row("phase10", BY_PHASE, "lay 5 5 5 W W W", "P10-V4"),
    Row("phase10", BY_PHASE, "lay W W W as red / 5 5 5", "P10-V4"),
    Row("phase10", BY_PHASE, Lay((p10.cards("W W W"), p10.cards("R5 B5 G5")), (13, None)), "P10-V4"),
    Row("phase10", phase(7, "R1 R2 B4"), "lay", "P10-30"),
    Row("phase10", BEFORE, "hit R7 on 1", "P10-15"),
    Row("phase10", BEFORE, "hit W", "P10-15"),
    Row("phase10", BEFORE, "hit S on 1", "P10-15"),
    Row("phase10", BEFORE, "hit W on 1 run", "P10-15"),
    Row("phase10", BEFORE, Hit(card10("R7"), Seat(1), 1), "P10-15"),
    Row("phase10", HITTING, "hit Y12 on 0", "P10-15"),
    Row("phase10", HITTING, "hit 12 on 0", "P10-15"),
    Row("phase10", HITTING, Hit(card10("Y12"), Seat(0), 0), "P10-15"),
    Row("phase10", HITTING, Hit(card10("R3"), Seat(0), 7), "P10-15"),
    Row("phase10", HITTING, "hit Y8 on 0", "P10-15"),
    Row("phase10", HITTING, "hit Y8 on 0 set low", "P10-15"),
    Row("phase10", HITTING, "hit R3 on 8", "P10-15"),
    Row("phase10", HITTING, "hit R3 on 1", "P10-15"),
    Row("phase10", HITTING, "hit W", "P10-15"),
    Row("phase10", onto(SETS), "hit R1", "P10-15"),
    Row("phase10", HITTING, "hit S on 0", "P10-10"),
    Row("phase10", HITTING, "hit S on 2 run low", "P10-10"),
    Row("phase10", HITTING, Hit(card10("S"), Seat(0), 0), "P10-10"),
    Row("phase10", HITTING, "hit W on 2 run", "P10-16"),
    Row("phase10", HITTING, "hit Y8 low on 2 run", "P10-16"),
    Row("phase10", onto(p10.laid(2, "R8 B8 G8 / R1 B2 G3 W")), "hit W on 1 run low", "P10-16"),
    Row("phase10", onto(p10.laid(2, "R8 B8 G8 / R9 B10 G11 W")), "hit B5 high on 1.1", "P10-16"),
    Row("phase10", onto(FULL, "B1 W"), "hit B1 on 1", "P10-16"),
    Row("phase10", onto(FULL, "B1 W"), "hit W on 1 run high", "P10-16"),
    Row("phase10", onto(FULL, "B1 W"), "hit W", "P10-16"),
    Row("phase10", onto(FULL, "B1 W"), Hit(card10("W"), Seat(1), 0, End.LOW), "P10-16"),
    Row("phase10", HITTING, "hit R3 on 0 set high", "P10-16"),
    Row("phase10", onto(COLOURS, "G5 W"), "hit G5 low on 1", "P10-16"),
    Row("phase10", LAYING, "discard S", "P10-19"),
    Row("phase10", LAYING, Discard(card10("S")), "P10-19"),
    Row("phase10", LAYING, Discard(card10("R1"), Seat(1)), "P10-19"),
    Row("phase10", LAYING, "skip 0", "P10-19"),
    Row("phase10", LAYING, "skip 5", "P10-19"),
    Row("phase10", skips(p10.seat("G1", skips=1, mark=0), G2), "skip 1", "P10-20"),
    Row("phase10", skips(p10.seat("G1", mark=2), G2), "skip 1", "P10-20"),
    Row("phase10-family", skips(p10.seat("G1", mark=1), family=True), "skip 1", "P10-20"),
    Row("phase10-family", skips(p10.done(is_floating=True), G2, family=True), "skip 1", "P10-21"),
    Row("phase10", skips(p10.seat(), G2, resigned=(Seat(1),)), "skip 1", "P10-28"),
    Row("phase10", skips(G1, G2, tied=(0, 2), dealt_in=(0, 2)), "skip 1", "P10-26"),
    Row("phase10", phase(8, "R5 B5 W"), "discard 5", "GEN-9"),
    Row("phase10", START, "dance", None),
    Row("phase10", START, "draw", None, who=1),
    Row("phase10", START, "draw", None, who=7),
    Row("phase10", GAMES["phase10"].resign(START, Seat(2)).state, "draw", None, who=2),
    Row("phase10", over("phase10", START), "draw", None),
    Row("phase10", None, resigning("phase10", over("phase10", START), 0), None),
    Row("phase10", None, stopping("phase10", over("phase10", START)), None),
    Row("phase10", None, resigning("phase10", START, 7), None),
    Row("phase10", None,
        resigning("phase10", GAMES["phase10"].resign(START, Seat(2)).state, 2), None),
    options("phase10", even_only=True, phases=[1, 2]),
    options("phase10", even_only=1),
    options("phase10", phases="1-5"),
    options("phase10", phases=[2, 1]),
    options("phase10", phases=[0]),
    options("phase10", phases=[]),
    options("phase10", deck="uno"),
    options("phase10", phases_to_win=11),
]  # fmt: skip

TABLE = [*PHYLISS, *CATHEDRAL, *PHALANX, *PHASE10]


@pytest.mark.rule(
    "PHY-8", "PHY-13", "PHY-14", "PHY-17", "PHY-18", "PHY-20", "PHY-22",
    "CAT-2", "CAT-3", "CAT-6", "CAT-13", "CAT-14",
    "PLX-3", "PLX-7", "PLX-11", "PLX-13", "PLX-14", "PLX-24", "PLX-V5",
    "P10-6", "P10-7", "P10-8", "P10-9", "P10-10", "P10-11", "P10-12", "P10-13", "P10-15",
    "P10-16", "P10-19", "P10-20", "P10-21", "P10-26", "P10-28", "P10-30", "P10-V4",
    "GEN-9", "GEN-14",
)  # fmt: skip
@pytest.mark.parametrize("row", TABLE, ids=[f"{at} {row}" for at, row in enumerate(TABLE)])
def test_a_refusal_names_the_rule_that_refuses(row):
    """And a refused move begins with it, for everybody who reads the sentence alone."""
    refusal = row.refusal()
    assert refusal.rule == row.rule, refusal.message
    assert isinstance(refusal.message, Sentence)
    if isinstance(refusal, IllegalMoveError):
        assert refusal.message.startswith(f"{row.rule}: ")
    known = tomllib.loads((ROOT / "docs/dev/rules-index.toml").read_text("utf-8"))["rules"]
    assert row.rule is None or row.rule in known


def test_the_words_of_every_refusal(rewrite_golden):
    """Cards, seats, zones and numbers in them included; one line per row of the table."""
    text = "".join(f"{row}\t{row.refusal().message}\n" for row in TABLE)
    if rewrite_golden:
        WORDS.write_text(text, "utf-8")
    assert text == WORDS.read_text("utf-8")


# --- nothing is left out --------------------------------------------------------------------------
