"""Test that every order word has one row, one act, a German word and an entry in the help."""

from __future__ import annotations

import re

import pytest

from pbem.domain.words.service_lines import read_service_words
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.service.intake.acts import ACTS, OfPerson, OfSeat


@pytest.mark.parametrize("word", list(Word))
def test_a_word_has_one_row_and_one_act(word: Word) -> None:
    """The act is a seat's or a person's, as the row says."""
    assert isinstance(ACTS[word], OfSeat if ORDER_WORDS[word].needs_seat else OfPerson)


def test_no_row_and_no_act_is_left_over() -> None:
    assert set(ACTS) == set(ORDER_WORDS) == set(Word)


@pytest.mark.parametrize("word", list(Word))
def test_a_row_has_german_that_means_its_word(word: Word) -> None:
    row = ORDER_WORDS[word]
    lines = row.german_lines(word.value).values()
    assert {said and said.word for said in map(read_service_words, lines)} <= {word}
    assert all(english.startswith(word.value.split()[0]) for _, english in row.german_forms)
    assert lines or row.german_forms


def test_the_help_names_every_word_or_the_row_says_why_not() -> None:
    quoted = [text for row in ORDER_WORDS.values() for text in re.findall('"([^"]+)"', row.help)]
    told = {said.word for said in map(read_service_words, quoted) if said is not None}
    assert told == {word for word, row in ORDER_WORDS.items() if not row.untold}


def test_traits_go_together() -> None:
    """Settings and acts that need authentication belong to a player, and looking always asks."""
    for row in ORDER_WORDS.values():
        assert not (row.needs_seat and (row.is_setting or row.needs_proof)), row
        assert row.asks or not row.looks, row
