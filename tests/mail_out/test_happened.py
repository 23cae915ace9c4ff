"""Test the sentences about facts: every kind has a row, and every row a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.api import Fact, Seat
from pbem.domain.log.motion_events import TERMS, VOTED_ON
from pbem.domain.table.facts import FACTS
from pbem.mail_out.happened import ROWS, sentence_of
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
    data = {"vacation": DATES, "motion_ended": {"motion": "end"}}.get(kind, {"motion": "tempo"})
    sentence = sentence_of(fact(kind, **data), scene())
    assert sentence.endswith((".", '"', "”"))


def test_a_sentence_is_in_the_language_of_the_reader() -> None:
    assert sentence_of(fact("reachable"), scene(language="de")) == "Bob ist wieder zu erreichen."


def test_a_name_with_braces_stays_as_it_is() -> None:
    assert (
        sentence_of(fact("observer_left", None, name="{name} %(x)s"), scene())
        == "{name} %(x)s has stopped watching."
    )


@pytest.mark.parametrize("motion", VOTED_ON)
def test_every_motion_says_how_somebody_voted(motion: str) -> None:
    for is_for in (True, False):
        vote = fact("motion_voted", motion=motion, **{"for": is_for})
        assert sentence_of(vote, scene()).startswith("Bob ")
        assert sentence_of(vote, scene(1)).startswith("You ")


@pytest.mark.parametrize("motion", [name for name in TERMS if name != "offer"])
def test_every_motion_says_that_it_was_put_and_that_it_is_off(motion: str) -> None:
    for kind in ("motion_opened", "motion_ended"):
        for reader in (0, 1):
            news = fact(kind, motion=motion, of=0, first=7, last=9)
            assert sentence_of(news, scene(reader)).endswith(".")
