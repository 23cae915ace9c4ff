"""Test the offer of German messages to players who write German orders."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table

OFFER = 'Mit "sprache de" schreibe ich dir auf Deutsch.'


@pytest.mark.parametrize("words", ["tisch", "aufnehmen", "ich nehme den Stapel auf"])
def test_german_orders_bring_the_offer_once_in_the_answer(table: Table, words: str) -> None:
    _, seat, _ = table.start(2)
    assert table.ask(seat, words).words.count(OFFER) == 1
    table.answer(seat, "sprache de")
    assert OFFER not in table.ask(seat, words).words


def test_german_is_offered_only_once_ever(table: Table) -> None:
    """Not with the next answer, and not in another game."""
    _, seat, _ = table.start(2)
    table.answer(seat, "aufnehmen")
    assert OFFER not in table.ask(seat, "aufnehmen").words
    table.started(2, seed=2)
    table.answer(seat, "tisch")
    assert sum(OFFER in mail.words for mail in table.mails_to(seat)) == 1


@pytest.mark.parametrize("words", ["board", "play 99", "hello there, nice to meet you"])
def test_english_brings_none(table: Table, words: str) -> None:
    _, seat, _ = table.start(2)
    assert OFFER not in table.ask(seat, words).words
