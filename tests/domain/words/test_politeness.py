"""Test orders with polite words, numbering and emoji, and similar lines that are no orders."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from pbem.domain.words.around import bare_words, is_courtesy
from pbem.domain.words.orders import LineKind, OrderReader, read_line, read_lines
from pbem.domain.words.service_words import Word

RULES = [registry.find("phyliss")]


@pytest.mark.parametrize(
    "text",
    [
        "1. 21", "1) 21", "(2) 21", "10. 21", "21 👍", "👍 21", "21👍🏽", "21 :-)", "21 please", "21, please.",
        "Please: 21", "Hi, 21 please", "21 thanks!", "21, thank you very much", "move 21", "my move: 21",
        "My move is 21.", "Move: 21", "I play 21", "I'll play 21", "I’d like to play 21", "I choose 21",
        "go with 21", "let's go for 21", "play 21", "play number 21", "no. 21", "Nr. 21", "option 21",
        "move no. 21", "-> 21", "=> 21", "→ 21", "ok, 21", "21 ok", "21 it is", "21 for me", "bitte 21",
        "ich spiele 21", "ich nehme 21, danke", "Mein Zug: 21", "je joue 21 merci", "juego 21, gracias",
        "1. I play 21, please 👍", "21 🎲", "21 🃏", "21 ❤️",
    ],
)  # fmt: skip
def test_what_is_polite_around_a_number_is_left_out(text: str) -> None:
    """The order is the number and nothing else; the player's own words are kept for the answer."""
    line = read_line(text, RULES)
    assert (line.kind, line.order.strip(".!:-) "), line.text) == (LineKind.GAME, "21", text)
    assert OrderReader(RULES).is_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("please play 7c", "play 7c"), ("7c please", "7c"), ("I'll pick up", "pick up"),
        ("2. pickup", "pickup"), ("Move: play 7c 7d", "play 7c 7d"), ("ich spiele 7c", "play 7c"),
        ("play 7♥️ 😀", "play 7♥"), ("22 or 21, please", "22 or 21"), ("21. play 7c thanks", "21. play 7c"),
    ],
)  # fmt: skip
def test_what_is_polite_around_a_move_is_left_out(text: str, order: str) -> None:
    """Cards and words as well as numbers."""
    line = read_line(text, RULES)
    assert (line.kind, line.order) == (LineKind.GAME, order)


@pytest.mark.parametrize(
    "text",
    [
        "not 21", "please not 21", "don't play 21", "maybe 21", "21 I think", "21 perhaps, thanks", "1.21",
        "21.5", "21:10", "1:21", "21 22", "21st", "21 please not", "I played 21", "I would never play 21",
        "thanks 21", "Thanks, J", "Hi J", "Please, Al", "Cheers, K", "ok 7", "I play", "please", "👍", "1.",
        "no 21", "No 21!", "play no 21", "number 7", "move 3", "my number is 21 Main Street", "no", "so 21 of us came", "I take it",
        "let's play", "I'll play tomorrow", "please resign", "I resign", "Your move: 21",
        "ich spiele nicht 21", "21 👎", "21 🚫", "21 🖤", "Hi table,", "7 🖤 😀?", "Call me at 21, please, or later",
    ],
)  # fmt: skip
def test_denied_doubtful_or_other_words_are_no_orders(text: str) -> None:
    """Nothing that could mean something is left out."""
    kind = read_line(text, RULES).kind
    assert kind is not LineKind.GAME
    assert kind is not LineKind.SERVICE or text == "no"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- join phrase: green tea\n• help", [Word.JOIN, Word.HELP]),
        ("=> say good luck; and more\n=> talk at once", [Word.SAY, Word.TALK]),
        ("* say that was mean!\n* history 20", [Word.SAY, Word.HISTORY]),
    ],
)
def test_orders_in_a_list(text: str, words: list[Word]) -> None:
    """The sign of a list says nothing, whatever stands behind it."""
    assert [line.word for line in read_lines(text, RULES)] == words


@pytest.mark.parametrize(
    ("text", "word"),
    [("help please", Word.HELP), ("Please: rules", Word.RULES), ("join, thanks 👍", Word.JOIN),
     ("no thanks", Word.DECLINE), ("yes please", Word.YES)],
)  # fmt: skip
def test_the_words_of_the_service_may_be_polite_too(text: str, word: Word) -> None:
    """`no thanks` keeps its own meaning."""
    assert read_line(text, RULES).word is word


def test_a_card_that_is_a_word_is_asked_about():
    """With a please behind it, it is hardly a signature."""
    assert read_line("K please", RULES).kind is LineKind.NEAR


def test_pictures_that_may_be_suits_stay():
    """A heart after a 7 says something."""
    assert bare_words("7 🖤") == ("7 🖤", False)


@pytest.mark.parametrize("edited", ["✏️21", "✏️ 21", "✏️play 5d"])
def test_a_message_that_was_edited_afterwards_plays_nothing(edited: str) -> None:
    """Delta Chat sends the new words as a new mail behind a pencil; the old ones were carried out."""
    assert read_line(edited, RULES).kind is LineKind.PROSE


@given(st.text(max_size=200))
def test_any_line_can_be_bared(text: str) -> None:
    """What comes out is never longer, but for the verb in another language."""
    assert len(bare_words(text)[0]) <= len(text) + len("play ")


@pytest.mark.parametrize(
    "piece", ["please ", ", ", "ok ", "👍", "1. ", "my move: ", "- ", "thanks "]
)
def test_a_line_is_bared_in_no_time(piece: str) -> None:
    """A mail may have thousands of them."""
    line = (piece * 120)[:119] + "x"
    begun = time.process_time()
    for _ in range(200):
        bare_words(line)
    assert time.process_time() - begun < 0.4


def test_only_one_sign_of_a_list_is_taken_off():
    """A line of nothing but signs, of which a mail may have thousands, must cost little."""
    assert read_line("- say hi", RULES).word is Word.SAY
    assert read_line("- " * 200 + "say hi", RULES).kind is LineKind.PROSE
    assert read_line("- - say hi", RULES).kind is LineKind.PROSE


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Hi!; Hello everybody,; Hi Bob,; Hallo zusammen; Moin", True),
        ("Thanks, Anna; - Anna; Cheers; Best regards; Viele Grüße; LG Anna; Love, Anna", True),
        ("Hi 7; Hi please extend; thanks for nothing; Carol; hello play; 7; ; 👍", False),
    ],
)
def test_who_greets_or_signs_says_nothing_else(said: str, expected: bool):
    """Such lines are left out of an answer; a line with more in it is told what became of it."""
    for line in said.split(";"):
        assert is_courtesy(line.strip(), ["Anna", "Bob Berg"]) is expected, line
