"""What the words of an order mean in every game (GEN-9): `orders.tsv`, one row a line.

A row has a position, what somebody writes there, and what it means: the canonical text of a move;
`! RULE: …` for the beginning of a refusal; `= … | …` for the moves between which the player is asked to choose; or
nothing, if the words are no order at all.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cathedral, phalanx, phase10, phyliss
from engine.errors import AmbiguousOrderError, EngineError, InvalidOrderError
from tests.engine.cathedral import tables as cat
from tests.engine.phalanx import tables as plx
from tests.engine.phase10 import tables as p10
from tests.engine.phyliss import tables as phy

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
PLX_HAND = "7s 9h 9c Ks Qh 10d"
G1, G2 = p10.seat("G1"), p10.seat("G2")
HIT = {0: p10.laid(1, "R5 B5 G5/R7 B7 G7"), 2: p10.laid(2, "R8 B8 G8/R3 B4 G5 W")}
STANDARD = {"deck": "standard"}

POSITIONS = {
    "cathedral": cat.table(cat.seat(HAND), cat.seat("3h"), pile="2s", stock="4h"),
    "cathedral dealt": cat.choosing(cat.seat("2s 10h Qd Qh Qs 7c"), cat.seat("3c 4c 5c 6c 8c 9c")),
    "cathedral piled": cat.table(cat.seat("7c 9h"), cat.seat("8c"), pile="3d 8s", stock="4h"),
    "cathedral aces": cat.table(cat.seat("2c 7c 7d 10c 10d Kc Ac Ad Ah"), cat.seat("3h"), stock="4h"),
    "cathedral aces dealt": cat.choosing(cat.seat("2c 7c 10d Kc Ac Ad"), cat.seat("3c 4c 5c 6c 8c 9c")),
    "phyliss": phy.table(phy.seat(HAND), phy.seat("3h"), pile="2s", stock="4h"),
    "phyliss blind": phy.table(phy.seat("", "", "3c 4c 5c"), phy.seat("3h")),
    "phyliss aces": phy.table(phy.seat("3c 3d 3s 7c 7s Ac Ad"), phy.seat("5h"), pile="2s"),
    "phyliss one ace": phy.table(phy.seat("7c 9d Ad"), phy.seat("5h"), pile="2s"),
    "phalanx": plx.table(
        plx.seat(PLX_HAND), plx.seat("3h"), plx.seat("4h"), side0="1:10h 1:4c 1:8s-", center="1:5d 2:6d"
    ),
    "phalanx opening": plx.table(plx.seat(PLX_HAND), plx.seat("3h"), to_act=None),
    "phalanx bets": plx.betting(20, 20, 20).state,
    "phalanx aces": plx.table(
        plx.seat("7s As Ah Kd 10s"), plx.seat("3h"), plx.seat("4h"), side0="1:Ac 1:2c", side2="0:4c"
    ),
    "phase10 start": p10.table(p10.seat("R5"), G1, pile="Y1 Y9"),
    "phase10 laying": p10.table(p10.seat("R5 B5 G5 R7 G7 Y7 W W S R1 R2"), G1, G2, drawn=True),
    "phase10 hitting": p10.table(
        p10.done("R5 B5 Y5 G7 B2 W S S"), G1, p10.done(), groups=HIT, drawn=True
    ),
    "phase10 standard": p10.table(p10.seat("R5 B5 G5 R1 G1 W Y12 B11 S"), G2, drawn=True, options=STANDARD),
    "phase10 standard aces": p10.table(
        p10.seat("R1 B1 B5 B11 G5 W S S"), G1, G2, drawn=True, options=STANDARD, pile="Y1 B1"
    ),
    "phase10 own deck": p10.table(p10.seat("R8 G3 W"), G1, drawn=True),
    "phase10 of wilds": p10.table(
        p10.seat("R5 B5 G5 W W W W S R1"), G1, drawn=True, options={"naturals": "phase"}
    ),
}  # fmt: skip
RULES = {
    "cathedral": cat.RULES,
    "phyliss": phy.RULES,
    "phalanx": plx.RULES,
    "phase10": p10.OFFICIAL,
}
WORDS = {
    "cathedral": cathedral.orders.ORDER_WORDS,
    "phyliss": phyliss.orders.ORDER_WORDS,
    "phalanx": phalanx.reading.ORDER_WORDS,
    "phase10": (*phase10.forms.ORDER_WORDS, "/", "1.0", "2", "R5"),
}
ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("orders.tsv").read_text("utf-8").splitlines()
]


def rules_at(position):
    return RULES[position.partition(" ")[0]]


def meaning(position, text):
    """Return what the words mean, as orders.tsv writes it."""
    rules, state = rules_at(position), POSITIONS[position]
    try:
        return rules.format_move(state, 0, rules.parse_order(state, 0, text))
    except InvalidOrderError:
        return ""
    except AmbiguousOrderError as error:
        return f"= {' | '.join(error.candidates)}"
    except EngineError as error:
        return f"! {error.message}"


@pytest.mark.rule(
    "GEN-9", "CAT-2", "CAT-6", "CAT-12", "PHY-8", "PHY-18", "PHY-20", "PLX-3", "PLX-11", "PLX-13",
    "PLX-14", "P10-2", "P10-3", "P10-6", "P10-10", "P10-15", "P10-16", "P10-19", "P10-30", "P10-V4",
)  # fmt: skip
@pytest.mark.parametrize("position", POSITIONS)
def test_words_mean_what_the_table_says(position):
    """Forgiving of case, punctuation and word order; never of a card, and never half of a line."""
    rows = [(text, wanted) for at, text, wanted in ROWS if at == position]
    assert rows
    wrong = []
    for text, wanted in rows:
        result = meaning(position, text)
        fits = result.startswith(wanted) if wanted.startswith("!") else result == wanted
        if not fits or rules_at(position).reads_as_order(text) is (wanted == ""):
            wrong.append((text, wanted, result))
    assert wrong == []


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "play " * 500])
@pytest.mark.parametrize("position", POSITIONS)
def test_odd_texts_are_no_order(position, text):
    with pytest.raises(InvalidOrderError):
        rules_at(position).parse_order(POSITIONS[position], 0, text)
    assert not rules_at(position).reads_as_order(text)


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("game", RULES)
@given(data=st.data())
def test_any_text_is_a_move_or_an_error_of_the_engine(game, data):
    """What is read as a move and can be played is read from its canonical text again."""
    text = data.draw(
        st.text(max_size=60)
        | st.text("playkeptsiduconglrm 0123457qkahsdc♥♠@-,./", max_size=40)
        | st.lists(st.sampled_from(WORDS[game]), max_size=8).map(" ".join)
    )
    rules = RULES[game]
    for position in (position for position in POSITIONS if position.startswith(game)):
        state = POSITIONS[position]
        try:
            move = rules.parse_order(state, 0, text)
        except InvalidOrderError:
            continue
        except EngineError:
            assert rules.reads_as_order(text)
        else:
            assert rules.reads_as_order(text)
            canonical = rules.format_move(state, 0, move)
            try:
                rules.apply(state, 0, move)
            except EngineError:
                continue
            assert rules.parse_order(state, 0, canonical) == move
