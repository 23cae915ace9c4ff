"""Test sentences and their translation."""

from __future__ import annotations

import copy
import pickle
import re
from gettext import NullTranslations
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from engine.sentences import Sentence, all_of, joined, one_of, plural, sentence
from pbem import language
from pbem.durations import duration_words
from pbem.errors import ConfigError
from pbem.language import languages, read_catalog, translate

FEW_WORDS = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "You do not hold {card}."
msgstr "Du hast {card} nicht auf der Hand."

msgid "{first} and {last}"
msgstr "{first} und {last}"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} Karte"
msgstr[1] "{count} Karten"
"""
POLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 &&"
" (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} karta"
msgstr[1] "{count} karty"
msgstr[2] "{count} kart"
"""


def _catalog(text: str, code: str) -> NullTranslations:
    return read_catalog(BytesIO(text.encode()), code)


def _sent(said: Sentence) -> Sentence:
    return pickle.loads(pickle.dumps(said))  # noqa: S301  (our own)


@pytest.fixture(autouse=True)
def _few_words(monkeypatch: pytest.MonkeyPatch):
    """A catalog that does not change with the program."""
    small = _catalog(FEW_WORDS, "de")
    monkeypatch.setattr(language, "catalog", lambda _: small)


def test_a_sentence_is_its_english_text():
    """It compares, hashes and joins like any text."""
    said = sentence("You do not hold {card}.", card="7c")
    assert said == "You do not hold 7c."
    assert {said: 1}["You do not hold 7c."] == 1
    assert f"{said} Really." == "You do not hold 7c. Really."
    assert (said.template, said.values) == ("You do not hold {card}.", {"card": "7c"})


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, _sent])
def test_a_copied_sentence_can_still_be_translated(again):
    """It travels through copies and processes with what it was made of."""
    said = again(sentence("You do not hold {card}.", card="7c"))
    assert translate(said, "de") == "Du hast 7c nicht auf der Hand."


def test_values_that_are_sentences_are_translated_and_others_are_not():
    """A player whose name is a word of ours keeps it."""
    said = joined(
        [
            sentence("You do not hold {card}.", card=plural("{count} card", "{count} cards", 2)),
            "You do not hold {card}.",
        ]
    )
    assert translate(said, "de") == "Du hast 2 Karten nicht auf der Hand. You do not hold {card}."
    assert translate("You do not hold {card}.", "de") == "You do not hold {card}."


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [(0, "0 cards", "0 Karten"), (1, "1 card", "1 Karte"), (2, "2 cards", "2 Karten")],
)
def test_numbers_choose_the_form(number: int, english: str, german: str):
    """One has a form of its own."""
    said = plural("{count} card", "{count} cards", number)
    assert (str(said), translate(said, "de")) == (english, german)


@pytest.mark.parametrize(
    ("number", "polish"),
    [(1, "1 karta"), (2, "2 karty"), (5, "5 kart"), (12, "12 kart"), (22, "22 karty")],
)
def test_a_language_has_as_many_plurals_as_it_needs(
    number: int, polish: str, monkeypatch: pytest.MonkeyPatch
):
    """Polish has three: for one, for 2 to 4 (12 to 14 apart), and for all others."""
    words = _catalog(POLISH, "pl")
    monkeypatch.setattr(language, "catalog", lambda _: words)
    assert translate(plural("{count} card", "{count} cards", number), "pl") == polish


def test_lists():
    """Names and words stand in lists as people say them."""
    assert [str(all_of(["A", "B", "C"][:count])) for count in range(4)] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]
    assert one_of(["7c", "7d"]) == "7c or 7d"
    assert translate(all_of(["A", "B", "C"]), "de") == "A, B und C"
    assert translate(all_of([duration_words(60), "B"]), "de") == "1 minute und B"


def test_braces_in_values_are_only_text():
    """What a player wrote is never taken for a template."""
    said = sentence("You do not hold {card}.", card="{first.__class__}")
    assert translate(said, "de") == "Du hast {first.__class__} nicht auf der Hand."


def test_unknown_sentences_stay_english():
    """A sentence that no catalog has is better than none."""
    assert translate(sentence("New: {what}", what=1), "de") == "New: 1"


def test_languages():
    """English is always there; who asks for another one learns which there are."""
    assert languages()[0] == "en"
    assert "de" in languages()


def test_unknown_language(monkeypatch: pytest.MonkeyPatch):
    """A language without texts is named, with those that there are."""
    monkeypatch.undo()
    with pytest.raises(ConfigError, match=r"xx.*en, de"):
        language.catalog("xx")


@pytest.mark.parametrize(("code", "opening", "closing"), [("en", "“", "”"), ("de", "„", "“")])
def test_every_sentence_has_the_quotes_of_its_language(
    code: str, opening: str, closing: str, monkeypatch: pytest.MonkeyPatch
):
    """Pairs, curly, none of another language, and no typewriter's apostrophe in a word."""
    monkeypatch.undo()
    with language.catalog_file("de").open("rb") as file:
        texts = [one.id if code == "en" else one.string for one in read_po(file) if one.id]
    quotes = language.catalog(code).quotes
    for text in texts:
        for one in text if isinstance(text, tuple) else (text,):
            said = language.curled(one, quotes)
            marks = re.findall('["“”„]', said)
            assert marks == [opening, closing] * (len(marks) // 2), said
            assert not re.search(r"\w'\w", said), said


def test_words_of_players_are_not_set_anew(monkeypatch: pytest.MonkeyPatch):
    """Only the sentence around them is."""
    monkeypatch.undo()
    said = sentence('"{line}" isn\'t a move.', line='play "7" o\'clock')
    assert translate(said, "en") == '“play "7" o\'clock” isn’t a move.'
