"""Test that each game has a complete profile."""

from __future__ import annotations

import pytest

from engine import registry
from engine.reading.lexicon import parted
from pbem.games.face import GameFace, face, faces


@pytest.mark.parametrize("name", registry.names())
def test_every_game_that_is_shipped_has_a_whole_face(name: str) -> None:
    its = face(name)
    assert its is faces()[name]
    assert its.bot is not None
    assert its.picture is not None
    assert its.forms.keys() == {"de"}
    assert {code for _, said in parted(its.rows) for code in said} == {"en", "de"}
    assert its.subjects
    assert its.next_examples
    assert {*its.aliases} <= {*registry.names()}


def test_a_game_without_a_file_of_its_own_has_the_plain_face() -> None:
    assert face("whist") == GameFace()


def test_a_profile_of_1_0_has_its_everyday_words_by_language() -> None:
    """`said` of packages that were written for 1.0 means the same as `rows` (docs/stable.md)."""
    old = GameFace(
        said={"en": "\nbid {number} | bid/call | on it\n", "de": "\nbid {number} | biete | auf"}
    )
    rows = list(parted(old.everyday_rows))
    assert rows == [
        ("bid {number}", {"en": "bid/call | on it"}),
        ("bid {number}", {"de": "biete | auf"}),
    ]
    assert GameFace(rows="x\n    en | y\n").everyday_rows == "x\n    en | y\n"
