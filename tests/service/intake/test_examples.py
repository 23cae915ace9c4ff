"""Test the registry of order words, and that the orders shown in our messages work."""

from __future__ import annotations

import re

import pytest

from engine import registry
from pbem import language
from pbem.domain.table.game import Game
from pbem.domain.words.orders import LineKind, OrderReader
from pbem.domain.words.service_lines import help_lines, read_service_words
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.translate import order_beginnings
from pbem.service.intake.acts import ACTS, OfPerson, OfSeat
from tests.service.conftest import NAMES, Table


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


QUOTED = re.compile(r'["„“](\w[^"„“”{}%]*)["“”]')
FRAGMENTS = frozenset({"address add", "adresse dazu", "sag zu", "2 bots", "3 wochen pro runde"})
"""Parts of orders that are told as such."""
BINDING = frozenset(
    {"undo", "undo 17", "dispute", "pause", "resume", "yes", "no", "drop player bob"}
)
"""Orders that need something to be about, or begin a vote beside another one."""


def find_examples(texts: list[str]) -> list[str]:
    return [quoted for text in texts for quoted in QUOTED.findall(" ".join(text.split()))]


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_example_of_an_order_is_read_as_one(code: str) -> None:
    """Check all sentences of messages, including the help."""
    words = language.catalog("de")
    catalogue = words._catalog  # type: ignore[attr-defined]
    ids = [key if isinstance(key, str) else key[0] for key in catalogue if key]
    texts = ids if code == "en" else [str(said) for key, said in catalogue.items() if key]
    reader = OrderReader(registry.latest(), NAMES, code)
    begins = {word.value.split()[0] for word in ORDER_WORDS} | order_beginnings()
    proposed = [
        one
        for one in dict.fromkeys(find_examples(texts))
        if one.lower().split()[0] in begins and one not in FRAGMENTS
    ]
    assert len(proposed) > 60
    unread = [
        one
        for one in proposed
        if {line.kind for line in reader.read(one)} - {LineKind.SERVICE, LineKind.GAME}
    ]
    assert not unread


def test_a_fresh_installation_does_what_the_help_proposes(table: Table, game: Game) -> None:
    """One message with all orders about time and messages is carried out."""
    lines = [str(line) for part in ("time", "mails") for line in help_lines(part, ())]
    orders = [one for one in find_examples(lines) if one not in BINDING and "@" not in one]
    orders.remove("back")  # it ends each vacation
    orders.remove("end game")  # a second mail asks about it
    orders.remove("encrypt on")  # the mail would have to bring a key
    assert "vacation 20 Dec to 2 Jan" in orders
    mail = [line for one in orders for line in (one, *["back"] * one.startswith("vacation "))]
    seat = 1 - int(game.to_act[0])  # who is to move gives no time to themselves
    answer = table.ask(seat, "\n".join(mail)).words
    assert table.inbox()[-1].verdict["why"].startswith(f"{len(mail)} done, 0 refused"), answer
