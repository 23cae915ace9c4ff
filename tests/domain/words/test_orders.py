"""Test the classification of lines as orders, near orders and prose, and the end of reading."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.orders import list_number, names_list_number
from pbem.domain.words.orders import (
    MAX_LINE,
    MAX_LINES,
    LineKind,
    OrderReader,
    order_reader,
    read_line,
    read_lines,
)
from pbem.domain.words.service_words import Word

RULES = [registry.find("phyliss")]


def kinds(text: str) -> list[LineKind]:
    return [line.kind for line in read_lines(text, RULES)]


@pytest.mark.parametrize(
    "text",
    [
        "I think I will pick up the pile tomorrow",
        "Should I play 7 or 9?",
        "play safe, my friend",
        "Thanks for the game, 21 was a good year",
        "See you on the 7th of July",
        "yes, that was a fine move of yours",
        "no way!",
        "I resign myself to my fate",
        "can you help me move house?",
        "Rules are rules",
        "let us join the others",
        "vacation was great this year",
        "holidays in the sun",
        "I will be back on Monday",
        "back to the roots",
        "let us pause here",
        "could you extend it?",
        "hand it to Bob",
        "the 7 of hearts was mine",
        "> play 7c",
        "play 7c? really?",
        "(play 7c would be silly)",
        "Am 21.11.2026 um 12:00 schrieb Bob:",
        "On Sat, Nov 21, 2026 at 12:00 PM Cards by mail wrote:",
        "Sent from my iPhone 7",
    ],
)
def test_prose_is_never_an_order(text: str) -> None:
    """A whole line must be an order."""
    assert not OrderReader(RULES).is_order(text)
    assert not any(k in (LineKind.GAME, LineKind.SERVICE) for k in kinds(text))


@pytest.mark.parametrize(
    "text",
    ["play 7c 7d", "PLAY 7C, 7D.", "7 7", "pick up", "Pickup!", "21", "#23", "play 7 or pickup"],
)
def test_game_orders_are_forgiving(text: str) -> None:
    """Case, punctuation and small words do not matter."""
    assert kinds(text) == [LineKind.GAME]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("join", Word.JOIN),
        ("Join!", Word.JOIN),
        ("JOIN.", Word.JOIN),
        ("accept", Word.JOIN),
        ("decline", Word.DECLINE),
        ("No, thanks.", Word.DECLINE),
        ("resign", Word.RESIGN),
        ("Resign confirm", Word.RESIGN),
        ("confirm", Word.CONFIRM),
        ("Yes", Word.YES),
        ("yes, please!", Word.YES),
        ("no.", Word.NO),
        ("help", Word.HELP),
        ("rules", Word.RULES),
        ("Games", Word.GAMES),
        ("board", Word.BOARD),
        ("hand", Word.HAND),
        ("resend", Word.RESEND),
        ("history", Word.HISTORY),
    ],
)
def test_service_words(text: str, word: Word) -> None:
    """The service's own words, alone on their line."""
    line = read_line(text, RULES)
    assert (line.kind, line.word) == (LineKind.SERVICE, word)


@pytest.mark.parametrize(
    "text",
    ["2️⃣1️⃣", "２１", "㉑", "②①", "𝟐𝟏", "٢١", "२१", "²¹", "‚21‘", "»21«", "«21»", "„21“", "“21”", "‹21›", '"21".', "‘21’!", "「21」", "#️⃣ 21"],
)  # fmt: skip
def test_a_number_in_any_digits_and_quotes(text: str) -> None:
    line = read_line(text, RULES)
    assert (line.kind, list_number(line.order), line.text) == (LineKind.GAME, 21, text)


@pytest.mark.parametrize("text", ["»play 7c«", "‚pickup‘.", "„7️⃣♣️“", "“play 🔟♣”"])
def test_an_order_in_quotes(text: str) -> None:
    assert kinds(text) == [LineKind.GAME]


@pytest.mark.parametrize("text", ["“pickup” is a word", "say “21” or “22”", "2️⃣1️⃣?", "5️⃣0️⃣ years", "“"])
def test_talk_in_quotes_is_no_order(text: str) -> None:
    assert LineKind.GAME not in kinds(text)


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("join phrase: green tea on Sunday", "green tea on Sunday"),
        ("Join, phrase: a; b; c", "a; b; c"),
        ("phrase: x", "x"),
        ("PHRASE = 7c 7d", "7c 7d"),
        ("join phrase play 7c; resign confirm", "play 7c; resign confirm"),
    ],
)
def test_phrase_takes_its_whole_line(text: str, phrase: str) -> None:
    """`;` and order words in it are part of the phrase."""
    lines = read_lines(text, RULES)
    assert [(line.word, line.argument) for line in lines] == [(Word.JOIN, phrase)]


def test_semicolons_part_orders() -> None:
    """`A; B` are two orders, and empty orders are ignored."""
    lines = read_lines("play 7c; pickup;; ;21", RULES)
    assert [line.text for line in lines] == ["play 7c", "pickup", "21"]
    assert {line.kind for line in lines} == {LineKind.GAME}


@pytest.mark.parametrize("mark", ["end", "End.", "STOP", "stop!", "--", "-- ", "__", "___"])
def test_reading_ends_at_an_end_mark(mark: str) -> None:
    """Signatures hold no orders."""
    lines = read_lines(f"play 7c\n{mark}\npickup\nresign confirm", RULES)
    assert [line.text for line in lines] == ["play 7c"]


@pytest.mark.parametrize(
    ("text", "guess"),
    [("jion", "join"), ("declien", "decline"), ("resing", "resign"), ("hlep", "help")],
)
def test_misspelt_service_words_are_near(text: str, guess: str) -> None:
    """Suggested, never executed."""
    line = read_line(text, RULES)
    assert line.kind is LineKind.NEAR
    assert line.guess == guess
    assert not OrderReader(RULES).is_order(text)


@pytest.mark.parametrize(
    "text", ["John", "Gina", "Joan", "Rob", "Helen", "Hello", "Cheers", "Phase"]
)
def test_names_and_greetings_are_no_slips(text: str) -> None:
    """A signature must not be reported as a typing mistake."""
    assert read_line(text, RULES).kind is LineKind.PROSE


@pytest.mark.parametrize("text", ["plya 7c", "pickpu", "paly 7 7", "play 7c#?"])
def test_misspelt_game_orders_are_near(text: str) -> None:
    """A line within typing distance of an order is neither prose nor an order."""
    assert kinds(text) == [LineKind.NEAR]


def test_empty_and_blank_texts_have_no_lines() -> None:
    """Nothing is nothing."""
    assert read_lines("", RULES) == ()
    assert read_lines(" \n\t\n \u00a0 \n;;;", RULES) == ()


def test_floods_are_cheap_and_bounded() -> None:
    """Many lines, long lines, many semicolons: a bounded number of short lines, quickly."""
    began = time.process_time()
    for text in (
        "play 7c\n" * 100_000,
        "play 7c;" * 100_000,
        "x" * 1_000_000,
        "play " + "7c " * 300_000,
        "phrase: " + "y" * 1_000_000,
        "a or " * 200_000,
    ):
        lines = read_lines(text, RULES)
        assert len(lines) <= MAX_LINES
        assert all(len(line.text) <= MAX_LINE for line in lines)
    assert time.process_time() - began < 5


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Every part of it becomes a line of some kind; an argument is only with an order word."""
    for line in read_lines(text, RULES):
        assert line.text.strip()
        assert (line.kind is LineKind.SERVICE) == (line.word is not None)
        assert line.argument is None or line.word is not None


@pytest.mark.parametrize(
    ("text", "named"),
    [("21", True), ("#22", True), ("play 7 or 21", True), ("play 7", False), ("20", False)],
)
def test_list_numbers_are_recognised_among_alternatives(text: str, named: bool) -> None:
    """Numbers belong to one mail; so it matters whether an order uses one."""
    assert names_list_number(text, RULES[0]) is named


@pytest.mark.parametrize(
    ("text", "word", "argument"),
    [
        ("vacation 20 Dec to 3 Jan", Word.VACATION, "20 Dec to 3 Jan"),
        ("Holiday: until Friday.", Word.VACATION, "until Friday."),
        ("vacation", Word.VACATION, None),
        ("back!", Word.BACK, None),
        ("Pause", Word.PAUSE, None),
        ("resume.", Word.RESUME, None),
        ("extend 2d", Word.EXTEND, "2d"),
        ("extend by 2 days", Word.EXTEND, "2 days"),
    ],
)
def test_orders_about_time(text: str, word: Word, argument: str | None) -> None:
    line = read_line(text, RULES)
    assert (line.kind, line.word, line.argument) == (LineKind.SERVICE, word, argument)
    assert OrderReader(RULES).is_order(text)


@pytest.mark.parametrize("text", ["vacation 20 to 27", "vacaton", "resmue", "holiday from 3 to 9"])
def test_what_is_nearly_an_order_about_time(text: str) -> None:
    """It stops the reading, with what may have been meant."""
    line = read_line(text, RULES)
    assert line.kind is LineKind.NEAR
    assert line.guess is not None


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phalanx", "phase10"])
@pytest.mark.parametrize("text", ["Carol", "play Carol", "Carol!", "7 Carol"])
def test_the_name_of_a_player_is_never_a_card(ruleset: str, text: str) -> None:
    """Carol, in seat 2, signs her mail; no 2 is played by that."""
    line = read_line(text, [registry.find(ruleset)], ("Anna", "Bob", "Carol"))
    assert line.kind is not LineKind.GAME
    assert not OrderReader([registry.find(ruleset)], ("Anna", "Bob", "Carol")).is_order(text)


def test_the_name_of_a_player_is_a_seat_where_one_is_named() -> None:
    """Rules know seats, people know each other."""
    line = read_line("hit 5 on Carol", [registry.find("phase10")], ("Anna", "Bob", "Carol"))
    assert (line.kind, line.order) == (LineKind.GAME, "hit 5 on 2")


@pytest.mark.parametrize(
    "text", ["counts 6; 7h", "A♣; Carol has a queen", "4;", "so it is\u2028pickup"]
)
def test_line_with_an_order_in_it_reads_as_one(text: str):
    """What `read_lines` would carry out of a line must make a quoted line doubtful."""
    assert LineKind.GAME in kinds(text)
    assert OrderReader(RULES).is_order(text)


def test_a_table_has_a_reader_that_remembers_few_lines() -> None:
    """An order at one table may be none at another, and many lines do not fill the memory."""
    rules = (registry.find("phase10"),)
    reader = order_reader(rules, ("Anna", "Bob", "Carol"), "en")
    assert order_reader(rules, ("Anna", "Bob", "Carol"), "en") is reader
    assert reader.is_order("hit 5 on Carol")
    for number in range(500):
        assert not reader.is_order(f"see you in {number} years")
    assert reader.is_order("hit 5 on Carol")
    assert max(len(reader._judged), len(reader._orders)) < 200
    assert not order_reader(rules, ("Anna", "Bob", "Dora"), "en").is_order("hit 5 on Carol")


def test_line_without_an_order_in_any_part_reads_as_none():
    """A semicolon alone makes no order."""
    assert not OrderReader(RULES).is_order("counts 6; doubled by the jack; see you")


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("say hello; and bye", ["hello; and bye"]),
        ("play 7 7; say hello; and bye", ["hello; and bye"]),
        ("say: hi", ["hi"]),
        ("say:\none\ntwo\n\nthree", ["one\ntwo"]),
        ("say to bob:\n\none\nend\nplay 7 7", ["to bob:\none"]),
        ("say one\nsay two", ["one", "two"]),
        ("please say hi", []),
        ("Say, is it my turn?", []),
        ("say " + "word " * 300, ["word " * 299 + "word"]),
    ],
)
def test_talk_takes_its_line_or_paragraph(text: str, arguments: list[str]) -> None:
    lines = read_lines(text, RULES, ["Anna", "Bob"])
    said = [line for line in lines if line.word is Word.SAY]
    assert [line.argument for line in said] == arguments
    assert all(line.kind is LineKind.SERVICE for line in said)


@pytest.mark.parametrize(
    "text",
    [
        "say:\nI think\nplay 7 7",
        "say:\nno",
        "say " + "word " * 13 + "and\nthe rest of it",
    ],
)
def test_talk_whose_end_is_not_certain(text: str) -> None:
    assert read_lines(text, RULES)[0].kind is LineKind.DOUBT


@pytest.mark.parametrize("below", ["play 7 7", "end", "", "Anna"])
def test_a_long_line_of_talk_is_whole(below: str) -> None:
    line = read_lines("say " + "word " * 11 + f"\n{below}", RULES)[0]
    assert line.kind is LineKind.SERVICE


@pytest.mark.parametrize("cards", ["7♥\ufe0e", "7♥\ufe0e 7♠\ufe0e", "10 ♣\ufe0e"])
def test_cards_that_our_html_drew_are_no_order(cards: str) -> None:
    """They are quoted without a mark; what somebody types has no selector of the plain glyph."""
    rules = registry.latest()
    assert read_line(cards, rules).kind is LineKind.PROSE
    assert read_line(cards.replace("\ufe0e", ""), rules).kind is LineKind.GAME
    assert read_line(cards.replace("\ufe0e", "\ufe0f"), rules).kind is LineKind.GAME


def test_talk_that_is_quoted_behind_its_mark_is_no_order() -> None:
    """Coloured mails show `›` before what players say; quotes in pairs are read."""
    assert read_line("› play 7 7", registry.latest()).kind is LineKind.PROSE
    assert read_line("›play 7 7‹", registry.latest()).kind is LineKind.GAME
    assert read_line("‹play 7 7›", registry.latest()).kind is LineKind.GAME


@pytest.mark.parametrize("parts", [1, MAX_LINES - 1, MAX_LINES, 5 * MAX_LINES])
def test_only_the_parts_of_a_line_that_are_read_are_judged(parts: int) -> None:
    """A line of a quoted message is judged as it would be read."""
    reader = OrderReader([registry.find("phyliss")], ("Anna", "Bob"), "de")
    line = "x; " * parts + "pickup"
    is_read = any(one.kind is LineKind.GAME for one in reader.read(line))
    assert reader.is_order(line) == is_read == (parts < MAX_LINES)
