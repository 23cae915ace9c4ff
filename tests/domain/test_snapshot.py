"""A snapshot is the folded game, at every version; whatever is wrong with one is nothing."""

from __future__ import annotations

import json

import pytest

from engine.canonical import canonical_json
from pbem.domain import clockwork, decide, snapshot
from pbem.domain.evolve import fold
from tests.domain.samples import GAME_ID, created, join, played


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (5, 5)])
def test_snapshot_of_every_version_is_the_game(seed: int, players: int) -> None:
    """Through canonical JSON and back: equal to the fold, and it folds on to the same end."""
    story = played(seed, players)
    game = None
    for number, item in enumerate(story.recorded, 1):
        game = fold([item], GAME_ID, game)
        if game.is_over:
            break
        again = snapshot.from_json(json.loads(canonical_json(snapshot.to_json(game))))
        assert again == game
        if number % 40 == 0:
            assert fold(story.recorded[number:], GAME_ID, again) == story.game


def test_snapshot_before_the_deal() -> None:
    """Phrases, operator seats and open invitations survive."""
    story = created(3, operators=(1,))
    story.do(join, 0, "grüner Tee 🍵")
    again = snapshot.from_json(json.loads(canonical_json(snapshot.to_json(story.game))))
    assert again == story.game


def test_snapshot_with_news_of_the_admin() -> None:
    """Reveals and extensions are news like others."""
    story = played(1, 2, plies=6)
    story.do(decide.reveal, [1], 5, "asked", actor="admin:root")
    story.do(clockwork.extend_for_delivery, actor="clock")
    again = snapshot.from_json(json.loads(canonical_json(snapshot.to_json(story.game))))
    assert again == story.game


def test_snapshot_that_was_changed_is_nothing() -> None:
    """Any value of it: a cache that is wrong must not pass for the game."""
    story = played(1, 3, plies=30)
    written = snapshot.to_json(story.game)
    for name in written:
        for wrong in (None, 7, "x", [], [written[name]]):
            assert snapshot.from_json({**written, name: wrong}) is None or wrong == written[name]
        assert snapshot.from_json({k: v for k, v in written.items() if k != name}) is None


@pytest.mark.parametrize(
    "data", [None, [], "text", 7, {}, {"format": 0}, {"format": 2}, {"format": 2, "sum": ""}]
)
def test_other_formats_are_nothing(data: object) -> None:
    """A cache of another program version is ignored."""
    assert snapshot.from_json(data) is None
