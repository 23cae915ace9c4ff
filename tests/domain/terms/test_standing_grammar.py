"""Test the parser and formatter of `next:` and `drawing:`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.cards import RANKS
from engine.phase10.cards import NUMBER_OF
from pbem.domain.terms.conditions import Condition, TableVocabulary
from pbem.domain.terms.next_order import (
    MAX_ALTERNATIVES,
    Alternative,
    drawing_text,
    read_drawing,
    read_next,
    text_of,
)
from pbem.errors import Refusal
from pbem.games.phase10_cards import COLOURS
from pbem.games.subjects import COMPARISONS

NAMES = ("Anna", "Bob", "Mary Ann")
PHYLISS = TableVocabulary("phyliss", NAMES)
PHALANX = TableVocabulary("phalanx", NAMES)
PHASE10 = TableVocabulary("phase10", NAMES)


def rewritten(text: str, vocabulary: TableVocabulary = PHYLISS) -> str:
    return text_of(read_next(text, vocabulary, registry.find(vocabulary.game)), vocabulary.names)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("play 9 or pickup", "play 9 or pickup"),
        ("if top <= 9 play 9 or pickup", "if top <= 9 play 9 or pickup"),
        ("If the top card is a queen, then play K", "if top is Q play K"),
        ("if top is at most 9: play 9, otherwise pickup", "if top <= 9 play 9 or pickup"),
        ("play 9 if top < J or else pickup", "if top < J play 9 or pickup"),
        ("if pile > 6 pickup", "if pile > 6 pickup"),
        ("if the pile has more than 6 cards pickup", "if pile > 6 pickup"),
        ("if pile is empty play K", "if pile is 0 play K"),
        ("if bob has 1 card left pickup", "if hand of Bob is 1 pickup"),
        ("if MARY ANN's hand ≤ 2 pickup", "if hand of Mary Ann <= 2 pickup"),
        ("if hand of 1 = 2 god", "if hand of Bob is 2 god"),
        ("pickup if top is A otherwise K", "if top is A pickup or K"),
        ("if I have at least 4 cards play all 7", "if hand >= 4 play all 7"),
        (
            "if top is not A and stock is under 5 and pile>3 play 2",
            "if top is not A and stock < 5 and pile > 3 play 2",
        ),
    ],
)
def test_what_is_understood(said: str, meant: str) -> None:
    assert rewritten(said) == meant
    assert rewritten(meant) == meant


@pytest.mark.parametrize(
    ("vocabulary", "said", "meant"),
    [
        (PHASE10, "if top is red 5 take or draw", "if top is R5 take or draw"),
        (PHASE10, "if top is a wild take", "if top is wild take"),
        (PHASE10, "if top is 5 and bob has laid take", "if top is 5 and Bob has laid take"),
        (PHASE10, "if top is red and 1 has laid draw", "if top is red and Bob has laid draw"),
        (PHASE10, "if I have not laid down draw", "if I have not laid draw"),
        (PHASE10, "discard S bob", "discard S 1"),
        (PHASE10, "if my phase >= 3 draw", "if phase >= 3 draw"),
        (PHALANX, "if left zone <= 2 play 9h left", "if left <= 2 play 9h left"),
        (PHALANX, "if my centre is empty play 9h center", "if center is 0 play 9h center"),
    ],
)
def test_each_game_has_its_own_things(vocabulary: TableVocabulary, said: str, meant: str) -> None:
    assert rewritten(said, vocabulary) == meant


@pytest.mark.parametrize(
    ("vocabulary", "said", "why"),
    [
        (PHYLISS, "bla bla", "isn't a move in this game"),
        (PHYLISS, "if it rains pickup", "could not read the condition"),
        (PHYLISS, "if top is red pickup", "could not read the condition"),
        (PHYLISS, "if top <= 9", "not what is to be done"),
        (PHYLISS, "pickup if the moon is full", "could not read the condition"),
        (PHYLISS, "pickup if top is A or K", "condition of “pickup if top is A or K”"),
        (PHYLISS, "pickup if pile is 5 or 6", "could not read the condition"),
        (PHYLISS, "if I have a 9 play 9 or pickup", "could not read the condition"),
        (PHYLISS, "if Bob has 2 pickup", "could not read the condition"),
        (PHYLISS, "21", "a number means nothing"),
        (PHYLISS, "21 play 9c", "a number means nothing"),
        (PHYLISS, " or ".join(["pickup"] * 7), "at most 6"),
        (PHYLISS, "play 9 " * 200, "at most 1200 characters"),
        (PHALANX, "if pile > 2 play 9h left", "could not read the condition"),
        (PHALANX, "open 9h", "A secret choice"),
        (TableVocabulary("cathedral"), "keep 2 10 Q", "A secret choice"),
    ],
)
def test_what_is_refused_teaches(vocabulary: TableVocabulary, said: str, why: str) -> None:
    """A refusal says what is wrong and gives examples that can be read."""
    rules = registry.find(vocabulary.game)
    with pytest.raises(Refusal, match=why) as caught:
        read_next(said, vocabulary, rules)
    assert caught.value.suggestions
    for example in caught.value.suggestions:
        assert read_next(example.removeprefix("next: "), vocabulary, rules)


ORDERS = {
    "phyliss": ("pickup", "god", "play 7 7", "play all 7", "flip 2"),
    "cathedral": ("pickup", "play J J"),
    "phalanx": ("play 9h left", "check", "play Ks right x 10d"),
    "phase10": ("draw", "take", "lay", "hit R5 on 1.0", "discard S 1"),
}
COUNT = st.integers(0, 120).map(str)
SEAT = st.none() | st.integers(0, 2)


def conditions(vocabulary: TableVocabulary) -> st.SearchStrategy[Condition]:
    order, same = st.sampled_from([*COMPARISONS]), st.sampled_from(["is", "is not"])
    cards = st.sampled_from([*COLOURS, "wild", "skip", *NUMBER_OF])
    found = []
    for subject in vocabulary.profile.subjects:
        it = st.just(subject)
        if subject.name in ("top", "it") and vocabulary.game == "phase10":
            found.append(st.builds(Condition, it, same, cards))
            found.append(st.builds(Condition, it, order, st.integers(1, 12).map(str)))
        elif subject.name == "top":
            found.append(st.builds(Condition, it, order, st.sampled_from(RANKS)))
        elif " " in subject.name:
            found.append(st.just(Condition(subject, "is")))
        elif subject.is_state:
            found.append(st.builds(Condition, it, same, st.just(""), SEAT))
        else:
            seat = SEAT if subject.name in ("hand", "phase") else st.none()
            found.append(st.builds(Condition, it, order, COUNT, seat))
    return st.one_of(found)


@given(st.data(), st.sampled_from([*ORDERS]))
def test_what_is_written_is_read_again(data: st.DataObject, game: str) -> None:
    """With names and with numbers of seats: the log keeps numbers, mails show names."""
    vocabulary, rules = TableVocabulary(game, NAMES), registry.find(game)
    alternative = st.builds(
        Alternative,
        st.sampled_from(ORDERS[game]),
        st.lists(conditions(vocabulary), max_size=3, unique=True).map(tuple),
    )
    wanted = tuple(data.draw(st.lists(alternative, min_size=1, max_size=MAX_ALTERNATIVES)))
    assert read_next(text_of(wanted), TableVocabulary(game), rules) == wanted
    assert read_next(text_of(wanted, NAMES), vocabulary, rules) == wanted


WORDS = st.sampled_from(
    [
        "if",
        "and",
        "or",
        "then",
        "else",
        "top",
        "pile",
        "hand",
        "of",
        "is",
        "not",
        "<=",
        ">",
        "9",
        "Q",
        "red",
        "wild",
        "play",
        "take",
        "draw",
        "stock",
        "it",
        "lays",
        "a",
        "hits",
        "ask",
        ",",
        ":",
        "Bob",
        "pickup",
        "always",
        "phase",
        "laid",
        "has",
        "I",
        "5",
        "R5",
        "left",
    ]
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """And what was read can be read again."""
    for vocabulary in (PHYLISS, PHALANX, PHASE10):
        rules = registry.find(vocabulary.game)
        try:
            wanted = read_next(text, vocabulary, rules)
        except Refusal:
            continue
        assert read_next(text_of(wanted), TableVocabulary(vocabulary.game), rules) == wanted
    try:
        rule = read_drawing(text, PHASE10)
    except Refusal:
        rule = None
    assert not rule or read_drawing(drawing_text(rule), TableVocabulary("phase10")) == rule


def test_what_the_documentation_shows_is_understood() -> None:
    """Every example, in one game or another."""
    words = Path("docs/standing-orders.md").read_text(encoding="utf-8")
    lines = [line for block in words.split("```")[1::2] for line in block.splitlines()]
    wanted = [line.removeprefix("next: ") for line in lines if line.startswith("next: ")]
    rules = [line.removeprefix("drawing: ") for line in lines if line.startswith("drawing: ")]
    assert (wanted.pop(), rules.pop()) == ("none", "none")
    assert len(wanted) == 5
    assert len(rules) == 4
    for text in wanted:
        assert rewritten(text)
    for text in rules:
        assert read_drawing(text, PHASE10)


# --- conditions and what lies there ---------------------------------------------------------------


def view(**changes: Any) -> dict[str, Any]:
    own = {
        "hand_size": 3,
        "phase": 2,
        "laid": False,
        "zones": {"left": "side:0", "center": "center"},
    }
    other = {**own, "hand_size": 1, "laid": True}
    table = {"seat": 0, "seats": [own, other], "pile": ["3c", "Jd"], "stock_size": 7}
    return {**table, "zones": {"side:0": [1, 2], "center": []}, **changes}


def asking(
    vocabulary: TableVocabulary,
    name: str,
    comparison: str,
    value: str = "",
    seat: int | None = None,
) -> Condition:
    (subject,) = [one for one in vocabulary.profile.subjects if one.name == name]
    return Condition(subject, comparison, value, seat)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (asking(PHYLISS, "top", "is", "J"), True),
        (asking(PHYLISS, "top", "<=", "9"), False),
        (asking(PHYLISS, "top", ">", "10"), True),
        (asking(PHYLISS, "top", "is not", "J"), False),
        (asking(PHYLISS, "pile", ">=", "2"), True),
        (asking(PHYLISS, "stock", "<", "7"), False),
        (asking(PHYLISS, "hand", "is", "3"), True),
        (asking(PHYLISS, "hand", "is", "1", 1), True),
        (asking(PHYLISS, "hand", "is", "1", 5), False),
        (asking(PHASE10, "laid", "is not"), True),
        (asking(PHASE10, "laid", "is", seat=1), True),
        (asking(PHALANX, "left", "is", "2"), True),
        (asking(PHALANX, "center", "is", "0"), True),
    ],
)
def test_what_holds(condition: Condition, holds: bool) -> None:
    assert condition.holds(view()) is holds
    assert condition.text() in condition.why_not(view(), ())


@pytest.mark.parametrize(
    ("top", "value", "comparison", "holds"),
    [
        ("R5", "5", "is", True),
        ("R5", "red", "is", True),
        ("R5", "B5", "is", False),
        ("R5", "4", ">", True),
        ("W", "wild", "is", True),
        ("W", "4", ">", False),
        ("W", "4", "is not", True),
        ("S", "red", "is", False),
        ("S", "skip", "is not", False),
    ],
)
def test_what_holds_of_a_card_of_phase_10(
    top: str, value: str, comparison: str, holds: bool
) -> None:
    assert asking(PHASE10, "top", comparison, value).holds(view(pile=[top])) is holds


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize(
    ("vocabulary", "name", "comparison", "value"),
    [
        (PHYLISS, "hand", "<=", "2"),
        (PHYLISS, "hand", "is", "0"),
        (PHYLISS, "hand", ">", "2"),
        (PHASE10, "laid", "is", ""),
        (PHASE10, "laid", "is not", ""),
        (PHALANX, "hand", "<", "3"),
    ],
)
def test_nothing_holds_of_a_player_who_has_left(
    vocabulary: TableVocabulary, name: str, comparison: str, value: str
) -> None:
    """Who resigned holds no card, which says nothing about the cards that were meant."""
    own, other = view()["seats"]
    left = view(seats=[own, {**other, "hand_size": 0, "resigned": True}])
    condition = asking(vocabulary, name, comparison, value, 1)
    assert not condition.holds(left)
    assert condition.why_not(left, ("Anna", "Bob")).endswith(": Bob has left the game")
    assert condition.why_not(left, ()).endswith(": seat 1 has left the game")


# --- rules for drawing ----------------------------------------------------------------------------


STORED = (
    "take if it is R5 or it is a 12 or it is yellow or it is a wild or it lays or it hits, else ask"
)


def test_a_rule_that_1_0_stored_is_read_and_shown_as_it_was() -> None:
    rule = read_drawing(STORED, TableVocabulary("phase10"))
    assert [way.order for way in rule] == ["take"] * 6
    assert drawing_text(rule) == STORED


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "take if it is a 5 or a wild or lays, else stock",
            "take if it is a 5 or it is a wild or it lays, else stock",
        ),
        ("take if it’s red or it hits else draw", "take if it is red or it hits, else stock"),
        ("Take if 5, 7 or red 9; otherwise ask me", None),
        ("take if it is 5, 7 or red 9, otherwise ask me", None),
        ("take if it completes my phase", "take if it lays, else stock"),
        ("always from the stock", "always stock"),
        ("stock", "always stock"),
        (
            "take if it is at least 9 and I have not laid or hand of Bob < 3",
            "take if it >= 9 and I have not laid or hand of 1 < 3, else stock",
        ),
    ],
)
def test_rules_that_are_understood(said: str, meant: str | None) -> None:
    wanted = meant or "take if it is a 5 or it is a 7 or it is R9, else ask"
    assert drawing_text(read_drawing(said, PHASE10)) == wanted
    assert drawing_text(read_drawing(wanted, TableVocabulary("phase10"))) == wanted


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("sometimes", "could not read that rule"),
        ("take if it is nice, else stock", "could not read “it is nice”"),
        ("take if it is a skip, else stock", "A skip cannot be taken"),
        ("take if it is 5" + " " * 1200, "could not read"),
        ("take if " + ",".join(f"hand>{n}" for n in range(100)), "at most 1200 characters"),
    ],
)
def test_rules_that_are_refused(said: str, why: str) -> None:
    with pytest.raises(Refusal, match=why) as caught:
        read_drawing(said, PHASE10)
    for example in caught.value.suggestions:
        text = example.removeprefix("drawing: ")
        assert text == "none" or read_drawing(text, PHASE10)


def draws(rule: str, top: str | None, hand: str, **changes: Any) -> str | None:
    own = {"hand": hand.split(), "phase": 1, "laid": False, **changes}
    groups = [[], [{"kind": "set", "cards": ["R9", "B9", "G9"]}]]
    table = {"seat": 0, "seats": [own], "pile": [top] if top else [], "groups": groups}
    table["naturals"] = "group"
    ways = read_drawing(rule, PHASE10)
    held = (way.order for way in ways if all(one.holds(table) for one in way.conditions))
    return next(held, None)


NEARLY = "R3 B3 G3 R7 B7 Y1 Y2 Y9 G10 G12"


@pytest.mark.parametrize(
    ("rule", "top", "order"),
    [
        ("take if it is a 5, else stock", "G5", "take"),
        ("take if it is a 5, else stock", "G6", "draw"),
        ("take if it is a 5, else ask", "G6", None),
        ("take if it is R5, else stock", "G5", "draw"),
        ("take if it is green, else stock", "G5", "take"),
        ("take if it is a wild, else stock", "W", "take"),
        ("take if it is green or it lays, else stock", "S", "draw"),
        ("take if it is green, else stock", None, "draw"),
        ("take if it > 7 and it is not green, else stock", "G9", "draw"),
        ("take if it > 7 and it is not green, else stock", "R9", "take"),
        ("take if it lays, else stock", "Y7", "take"),
        ("take if it lays, else stock", "W", "take"),
        ("take if it lays, else stock", "Y1", "draw"),
        ("take if it hits, else stock", "Y9", "draw"),
        ("always stock", "W", "draw"),
    ],
)
def test_how_a_rule_draws(rule: str, top: str | None, order: str | None) -> None:
    assert draws(rule, top, NEARLY) == order
