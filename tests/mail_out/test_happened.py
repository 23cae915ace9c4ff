"""Sentences about facts: every kind has a row, and every row a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.api import Fact, Seat
from pbem.domain.table.facts import FACTS
from pbem.mail_out.happened import ROWS, headline_of, sentence_of
from pbem.mail_out.happened.scene import Scene
from tests.mail_out.samples import game_mail

MAIL = game_mail(kind="history")
DATES = {"first": "2026-12-20", "last": "2026-12-24"}


def scene(reader: int = 0, language: str = "en") -> Scene:
    return Scene(replace(MAIL, reader=reader, language=language), ("Anna", "Bob"), str)


def fact(kind: str, seat: int | None = 1, **data: object) -> Fact:
    return Fact(kind, None if seat is None else Seat(seat), data, None)


def test_every_kind_has_a_row_and_there_is_no_other() -> None:
    assert set(ROWS) == set(FACTS)


@pytest.mark.parametrize("kind", FACTS)
def test_every_kind_has_a_sentence(kind: str) -> None:
    sentence = sentence_of(fact(kind, **(DATES if kind == "vacation" else {})), scene())
    assert sentence.endswith((".", '"', "”"))


@pytest.mark.parametrize(
    ("reader", "expected"),
    [(1, "You have left the game."), (0, "Bob has left the game.")],
)
def test_the_reader_is_addressed_as_you(reader: int, expected: str) -> None:
    assert sentence_of(fact("seat_resigned"), scene(reader)) == expected


def test_a_sentence_is_in_the_language_of_the_reader() -> None:
    assert sentence_of(fact("reachable"), scene(language="de")) == "Bob ist wieder zu erreichen."


def test_a_reason_over_several_lines_becomes_one_line() -> None:
    assert (
        sentence_of(fact("reason_given", admin="eve", reason="No\n  show"), scene())
        == "The reason given by the admin (eve): No show."
    )


def test_a_name_with_braces_stays_as_it_is() -> None:
    assert (
        sentence_of(fact("observer_left", None, name="{name} %(x)s"), scene())
        == "{name} %(x)s has stopped watching."
    )


def test_a_fact_of_the_rules_has_no_row() -> None:
    assert sentence_of(fact("played"), scene()) == headline_of(fact("played"), scene()) == ""
