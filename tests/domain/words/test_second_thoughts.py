"""Test orders that a later line takes back, and talk that resembles it."""

from __future__ import annotations

import time

import pytest

from engine import registry
from pbem.domain.words.around import takes_back
from pbem.domain.words.orders import LineKind, read_line, read_lines
from pbem.domain.words.service_words import Word

RULES = [registry.find("phyliss")]


def kinds(text: str) -> list[LineKind]:
    return [line.kind for line in read_lines(text, RULES)]


@pytest.mark.parametrize(
    "below",
    [
        "no, 22!", "no 22", "No 22!", "not 21", "nicht 21", "22 instead", "play Ks rather.", "Sorry, I mean 22", "oops, wrong one, 22!", "Correction: play Ks", "Actually, pickup",
        "Entschuldigung, doch lieber 22", "nein, 22", "non, plutôt 22", "perdón, quiero decir 22",
        "нет, 22", "No wait!", "wait", "Forget that, I am still thinking.", "never mind", "Scratch that.",
        "(just kidding, do not play this yet)", "please ignore the above", "Don't play that yet!",
        "Vergiss das!", "oubliez ça", "cancel that",
    ],
)  # fmt: skip
def test_an_order_that_is_taken_back_is_none(below: str) -> None:
    assert kinds(f"21\n\n{below}")[0] is LineKind.TAKEN_BACK
    assert kinds(f"21\nHm.\n{below}\nAnna")[0] is LineKind.TAKEN_BACK


@pytest.mark.parametrize(
    "below",
    [
        "Sorry for the delay!", "No hurry, Bob.", "Never mind the delay, we all have jobs", "Nein, danke",
        "Wait for me next week", "No more sevens for you :-)", "Actually I like this game.", "Moment mal",
        "Ignore my cat, it walks on the keyboard", "I do not play well today", "Better luck next time",
        "Do not carry on without me", "Not bad!", "Well played instead", "Non, je ne regrette rien", "Make it a good one",
    ],
)  # fmt: skip
def test_talk_takes_nothing_back(below: str) -> None:
    assert kinds(f"21\n\n{below}")[0] is LineKind.GAME


def test_only_the_order_right_above_is_taken_back() -> None:
    found = kinds("play 7c\nplay 9c\nno, play 9d\nplay Ks")
    assert found == [LineKind.GAME, LineKind.TAKEN_BACK, LineKind.PROSE, LineKind.GAME]
    assert kinds("21\nHello\nBob\nno, 22")[0] is LineKind.GAME


def test_what_stands_below_a_dispute_is_a_part_of_it() -> None:
    lines = read_lines("dispute it played 21 for me\nno, 22 is what I wrote", RULES)
    assert (lines[0].kind, lines[0].word) == (LineKind.SERVICE, Word.DISPUTE)


@pytest.mark.parametrize(
    "text", ["undo?", "no?", "yes?", "Resign?", "resign confirm?", "pause ?", "join？", "back?"]
)
def test_an_order_with_a_question_mark_is_a_doubt(text: str) -> None:
    assert read_line(text, RULES).kind in (LineKind.PROSE, LineKind.NEAR)


@pytest.mark.parametrize("text", ["help?", "rules?", "board?", "games?", "settings?"])
def test_what_asks_anyway_may_have_one(text: str) -> None:
    assert read_line(text, RULES).kind is LineKind.SERVICE


@pytest.mark.parametrize(
    "text", ["ja?", "Nein?", "zurücknehmen?", "Aufgeben bestätigen?", "Pause ?", "nie?"]
)
def test_so_it_is_with_german_ones(text: str) -> None:
    assert read_line(text, RULES, language="de").kind in (LineKind.PROSE, LineKind.NEAR)
    assert read_line(text.strip(" ?"), RULES, language="de").kind is LineKind.SERVICE


@pytest.mark.parametrize(
    "text", ["Hilfe?", "Meine Karten?", "hand?", "wer ist dran?", "nochmal senden?"]
)
def test_german_ones_that_ask_anyway(text: str) -> None:
    assert read_line(text, RULES, language="de").kind is LineKind.SERVICE


@pytest.mark.parametrize("text", ["2:", "3)", "10:", "7 :"])
def test_a_number_that_counts_is_no_card(text: str) -> None:
    assert read_line(text, RULES).kind is not LineKind.GAME
    assert read_line(text.strip(" :)"), RULES).kind is LineKind.GAME


def test_time_is_linear() -> None:
    started = time.perf_counter()
    for line in (
        "no " * 60_000,
        "don't play " + "x " * 50_000,
        "sorry " + "7 " * 50,
        "(" * 100_000,
    ):
        takes_back(line, lambda words: False)
    assert time.perf_counter() - started < 0.5
