"""A snapshot is the folded game, at every version; whatever is wrong with one is nothing."""

from __future__ import annotations

import json

import pytest

from pbem.domain.clock import clockwork
from pbem.domain.play import decide
from pbem.domain.table import snapshot
from pbem.domain.table.fold import fold
from tests.domain.samples import GAME_ID, created, join, played


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (5, 5)])
def test_snapshot_of_every_version_is_the_game(seed: int, players: int) -> None:
    """Through bytes and back: equal to the fold, and it folds on to the same end."""
    story = played(seed, players)
    game = None
    for number, item in enumerate(story.recorded, 1):
        game = fold([item], GAME_ID, game)
        if game.is_over:
            break
        again = snapshot.unpack(snapshot.pack(game))
        assert again == game
        if number % 40 == 0:
            assert fold(story.recorded[number:], GAME_ID, again) == story.game


def test_snapshot_before_the_deal() -> None:
    """Phrases, operator seats and open invitations survive."""
    story = created(3, operators=(1,))
    story.do(join, 0, "grüner Tee 🍵")
    again = snapshot.unpack(snapshot.pack(story.game))
    assert again == story.game


def test_snapshot_with_news_of_the_admin() -> None:
    """Reveals and extensions are news like others."""
    story = played(1, 2, plies=6)
    story.do(decide.reveal, [1], 5, "asked", actor="admin:root")
    story.do(clockwork.extend_for_delivery, actor="clock")
    again = snapshot.unpack(snapshot.pack(story.game))
    assert again == story.game


@pytest.mark.parametrize("data", [{}, {"format": 0}, {"format": 11}, {"format": 19, "id": 1}])
def test_other_formats_are_nothing(data: object) -> None:
    """A cache of another program version is ignored."""
    assert snapshot.unpack(json.dumps(data).encode()) is None
