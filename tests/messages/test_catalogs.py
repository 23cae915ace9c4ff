"""Test that the catalogs contain every sentence, translated with all placeholders."""

from __future__ import annotations

import re
from collections import Counter
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from engine import registry
from pbem.domain.words.orders import read_lines
from pbem.domain.words.service_words import Word
from pbem.language import SOURCE, catalog_file, languages
from tools.messages.extract import not_written_out, template_catalog

TRANSLATED = [language for language in languages() if language != SOURCE]


def _catalog(language: str) -> Catalog:
    with catalog_file(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def _forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (text,)


def _values(text: str) -> set[str]:
    """The names of the values that a text needs, in braces (Python) or after `%` (templates)."""
    in_templates = set(re.findall(r"%\((\w+)\)s", text))
    return in_templates or {name for _, name, _, _ in Formatter().parse(text) if name}


def _translated(language: str) -> list[Message]:
    return [message for message in _catalog(language) if message.id and any(_forms(message.string))]


def _ids(catalog: Catalog) -> set[str]:
    return {_forms(message.id)[0] for message in catalog if message.id}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str):
    """Nothing is missing, empty, or left over from an earlier program: `make messages` says what."""
    catalog, wanted = _catalog(language), _ids(template_catalog())
    assert wanted - _ids(catalog) == set()
    assert _ids(catalog) - wanted == set()
    assert [m.id for m in catalog if m.id and not all(_forms(m.string))] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_value_is_lost_or_invented(language: str):
    """A translation has the values of the sentence, and no others; `one` may stand for its number."""
    for message in _translated(language):
        one, wanted = _values(_forms(message.id)[0]), _values(_forms(message.id)[-1])
        first, *others = _forms(message.string)
        assert _values(first) in (one, wanted), first
        assert all(_values(form) == wanted for form in others), others


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_a_guess(language: str):
    """Nothing is marked as fuzzy: such a translation would not be used."""
    assert [message.id for message in _catalog(language) if message.fuzzy] == []


def _to_type(text: str, language: str) -> Counter[Word]:
    """The order words in what a sentence quotes; a name stands for each of its values."""
    named = re.sub(r"%\(\w+\)s|\{\w*\}", "bob", text)
    return Counter(
        line.word
        for quoted in re.findall(r"[\"“„]([^\"“”„]+)[\"“”]", named)
        for line in read_lines(quoted, registry.latest(), ["Anna", "Bob", "Carol"], language)
        if line.word is not None
    )


BEGINNINGS = (
    '"check" or "decline" bets nothing.',
    'To speak to one player, write it after "say to"',
)
"""Sentences with two words of one move, which have the same German one; with half an order."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_to_type_is_the_same_in_every_language(language: str):
    """A player who types what stands in quotes gets what the English sentence promises."""
    for message in _translated(language):
        for english, said in zip(_forms(message.id), _forms(message.string), strict=False):
            if not english.startswith(BEGINNINGS):
                assert _to_type(said, language) == _to_type(english, SOURCE), said


def test_every_sentence_is_written_out():
    """A template that is put together elsewhere is found by nobody, and stays English."""
    assert list(not_written_out()) == []
