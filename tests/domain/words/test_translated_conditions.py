"""Test German standing orders and drawing rules, which equal the English ones."""

from __future__ import annotations

import re

import pytest

from engine import registry
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import (
    drawing_text,
    examples,
    read_drawing,
    read_next,
    text_of,
)
from pbem.domain.words.translate import drawing_in_english, next_in_english, shown_standing
from pbem.language import translate

NAMES = ("Anna", "Bob", "Mary Ann")
PHASE10 = TableVocabulary("phase10")
ENGLISH = re.compile(
    r"\b(?:if|or|and|top|pile|stock|is|not|has|have|laid|take|it|lays|else|red|green|of|play)\b"
)


@pytest.mark.parametrize(
    ("game", "said", "meant"),
    [
        ("phyliss", "wenn oben <= 9 spiele 9 oder aufnehmen", "if top <= 9 play 9 or pickup"),
        (
            "phyliss",
            "wenn die oberste Karte höchstens 9 ist, spiele 9, sonst aufnehmen",
            "if top <= 9 play 9 or pickup",
        ),
        ("phyliss", "Wenn oben ein Bube liegt spiele König", "if top is J play K"),
        ("phyliss", "wenn oben kein Ass ist spiele König", "if top is not A play K"),
        ("phyliss", "spiele 9 wenn oben < 9", "if top < 9 play 9"),
        ("phyliss", "falls der Ablagestapel leer ist, dann gott", "if pile is 0 god"),
        (
            "phyliss",
            "wenn der Stapel mehr als 6 Karten hat und Hand von Bob <= 2 aufnehmen",
            "if pile > 6 and hand of Bob <= 2 pickup",
        ),
        ("phyliss", "wenn Mary Ann 1 Karte hat aufnehmen", "if hand of Mary Ann is 1 pickup"),
        ("phyliss", "wenn ich mehr als 5 Karten habe aufnehmen", "if hand > 5 pickup"),
        ("phyliss", "wenn top <= 9 spiele 9", "if top <= 9 play 9"),
        ("phalanx", "wenn links <= 2 spiele 9h links", "if left <= 2 play 9h left"),
        ("phase10", "wenn oben rot ist nimm sonst ziehe", "if top is red take or draw"),
        ("phase10", "wenn Bob nicht ausgelegt hat ziehe", "if Bob has not laid draw"),
        ("phase10", "wenn ich ausgelegt habe ziehe", "if I have laid draw"),
        ("phase10", "wenn meine Phase höchstens 3 ist ziehe", "if phase <= 3 draw"),
    ],
)
def test_conditions(game: str, said: str, meant: str) -> None:
    vocabulary, rules = TableVocabulary(game, NAMES), registry.find(game)
    english = next_in_english(said, "de", rules, vocabulary)
    assert english is not None
    assert text_of(read_next(english, vocabulary, rules), NAMES) == meant
    shown = shown_standing(meant, "de")
    assert not ENGLISH.search(shown), shown
    again = next_in_english(shown, "de", rules, vocabulary)
    assert again is not None, shown
    assert text_of(read_next(again, vocabulary, rules), NAMES).replace("♥", "h") == meant


@pytest.mark.parametrize(
    "said",
    [
        "wenn es regnet aufnehmen",
        "wenn oben 9 oder 10 ist spiele J",
        "wenn oben <= 9",
        "wenn Carl 1 Karte hat aufnehmen",
        "wenn oben <= 9 spiele 9 oder lieber doch nicht",
    ],
)
def test_what_means_nothing_is_nothing(said: str) -> None:
    """A condition is accepted only if all of it is understood."""
    rules = registry.find("phyliss")
    assert next_in_english(said, "de", rules, TableVocabulary("phyliss", NAMES)) is None
    assert (
        next_in_english("wenn oben <= 9 spiele 9", "en", rules, TableVocabulary("phyliss")) is None
    )


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("nimm wenn es eine 5 ist oder sie passt, sonst nachziehstapel",
         "take if it is a 5 or it hits, else stock"),
        ("nimm, wenn sie rot 7 ist oder auslegt, sonst fragen",
         "take if it is R7 or it lays, else ask"),
        ("nimm falls sie grün ist oder eine 12 ist",
         "take if it is green or it is a 12, else stock"),
        ("nimm, wenn sie mindestens 9 ist und ich nicht ausgelegt habe, sonst Nachziehstapel",
         "take if it >= 9 and I have not laid, else stock"),
        ("nimm, wenn der Nachziehstapel weniger als 9 Karten hat",
         "take if stock < 9, else stock"),
        ("immer vom Nachziehstapel", "always stock"),
        ("take if it is a 5 or it lays, else stock", "take if it is a 5 or it lays, else stock"),
    ],
)  # fmt: skip
def test_drawing(said: str, meant: str) -> None:
    english = drawing_in_english(said, "de")
    assert english is not None
    assert drawing_text(read_drawing(english, PHASE10)) == meant
    shown = shown_standing(meant, "de")
    assert not ENGLISH.search(shown), shown
    again = drawing_in_english(shown, "de")
    assert again is not None, shown
    assert drawing_text(read_drawing(again, PHASE10)) == meant


@pytest.mark.parametrize("game", registry.names())
def test_examples_in_german_are_the_english_ones(game: str) -> None:
    """What a German mail proposes can be written."""
    vocabulary, rules = TableVocabulary(game), registry.find(game)
    for example in examples(vocabulary):
        word, _, said = translate(example, "de").partition(": ")
        assert word == "nächster zug"
        english = next_in_english(said, "de", rules, vocabulary)
        assert english is not None
        assert read_next(english, vocabulary, rules) == read_next(example[6:], vocabulary, rules)
    for example in PHASE10.profile.drawing_examples[:-1]:
        said = translate(example, "de").removeprefix("ziehregel: ")
        meant = read_drawing(example.removeprefix("drawing: "), PHASE10)
        english = drawing_in_english(said, "de")
        assert english is not None
        assert read_drawing(english, PHASE10) == meant
