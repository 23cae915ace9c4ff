"""Test properties of games of every registered ruleset."""

from __future__ import annotations

import pytest

from engine import registry
from engine.api import Seat
from pbem.domain.table.fold import fold
from tests.domain.samples import GAME_ID, played

RULESETS = [rules.id.name for rules in registry.latest()]
PLIES = 120


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (3, 4)])
def test_fold_and_views_of_random_games(ruleset: str, seed: int, players: int) -> None:
    """At every version, facts reach only their audience."""
    story = played(seed, players, PLIES, ruleset)
    assert fold(story.recorded, GAME_ID) == story.game
    game = None
    for item in story.recorded:
        game = fold([item], GAME_ID, game)
        assert game.version == item.version
        if game.is_over:
            break
        for reader in (None, *range(players)):
            assert all(fact.audience in (None, reader) for fact in game.news_for(reader, 0))
        if game.state is not None and game.ruleset.to_act(game.state):
            view = game.ruleset.view(game.state, None)
            assert all(seat["hand"] is None for seat in view["seats"])
            for seat in range(players):
                own = game.ruleset.view(game.state, Seat(seat))
                others = [other for other in range(players) if other != seat]
                assert all(own["seats"][other]["hand"] is None for other in others)
