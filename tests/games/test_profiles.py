"""Test that each game has a complete profile."""

from __future__ import annotations

import pytest

from engine import registry
from engine.reading.lexicon import parted
from pbem.games import face
from pbem.games.profile import GameProfile, all_profiles, profile_of


@pytest.mark.parametrize("name", registry.names())
def test_every_shipped_game_has_a_complete_profile(name: str) -> None:
    its = profile_of(name)
    assert its is all_profiles()[name]
    assert its.bot is not None
    assert its.picture is not None
    assert its.forms.keys() == {"de"}
    assert {code for _, said in parted(its.rows) for code in said} == {"en", "de"}
    assert its.subjects
    assert its.next_examples
    assert {*its.aliases} <= {*registry.names()}


def test_a_game_without_a_module_has_the_default_profile() -> None:
    assert profile_of("whist") == GameProfile()


def test_a_profile_of_1_0_has_its_everyday_words_by_language() -> None:
    """`said` of packages that were written for 1.0 means the same as `rows` (docs/stable.md)."""
    old = GameProfile(
        said={"en": "\nbid {number} | bid/call | on it\n", "de": "\nbid {number} | biete | auf"}
    )
    rows = list(parted(old.everyday_rows))
    assert rows == [
        ("bid {number}", {"en": "bid/call | on it"}),
        ("bid {number}", {"de": "biete | auf"}),
    ]
    assert GameProfile(rows="x\n    en | y\n").everyday_rows == "x\n    en | y\n"


def test_packages_for_1_0_import_the_old_names() -> None:
    assert (face.GameFace, face.face, face.faces) == (GameProfile, profile_of, all_profiles)
