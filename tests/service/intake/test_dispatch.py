"""Every order word has one row, one act, and one way to say it in each language."""

from __future__ import annotations

import pytest

from pbem.domain.words import de
from pbem.domain.words.service_words import ORDER_WORDS, Word, read_service_words
from pbem.service.intake import person_orders, seat_orders


@pytest.mark.parametrize("word", list(Word))
def test_a_word_has_one_row_and_one_act(word: Word) -> None:
    """The act stands with those of a seat, or of a person: as the row says."""
    row = ORDER_WORDS[word]
    assert row.word is word
    assert [word in person_orders.ACTS, word in seat_orders.ACTS] == [
        not row.needs_seat,
        row.needs_seat,
    ]


@pytest.mark.parametrize("word", list(Word))
def test_a_word_can_be_said_in_german(word: Word) -> None:
    """Whole, or with what belongs to it."""
    said = [read_service_words(line) for line in de.LINES.values()]
    assert word in [one.word for one in said if one is not None] or any(
        english.startswith(word.value.split()[0]) for _, english in de.FORMS
    )


def test_traits_go_together() -> None:
    """A setting, and what needs a proof, is a person's; what looks asks anyway."""
    for row in ORDER_WORDS.values():
        assert not (row.needs_seat and (row.is_setting or row.needs_proof or row.welcomes)), row
        assert row.asks or not row.looks, row
