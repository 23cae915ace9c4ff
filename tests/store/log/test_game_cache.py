"""Test the cache of replayed games: returned versions and eviction."""

from __future__ import annotations

from dataclasses import replace

from pbem.domain.table.game import Game
from pbem.store.log.game_cache import GameCache
from tests.domain.samples import played

LAST = 10_000


def a_game(game_id: str = "aaaaaaaaaa", version: int = 7) -> Game:
    return replace(played(1, 2, plies=1).game, id=game_id, version=version)  # type: ignore[arg-type]


def test_the_newest_version_up_to_one_is_given() -> None:
    cache, games = GameCache(), [a_game(version=version) for version in (9, 3, 5)]
    for game in games:
        cache.put(game, 0)
    given = [cache.get(games[0].id, up_to, 0) for up_to in (2, 3, 4, 8, LAST)]
    assert given == [None, games[1], games[1], games[2], games[0]]


def test_a_game_from_before_an_erasure_is_not_given() -> None:
    cache, game = GameCache(), a_game()
    cache.put(game, 0)
    assert cache.get(game.id, LAST, 1) is None
    cache.put(a_game(version=9), 1)
    assert cache.get(game.id, 8, 1) is None


def test_the_least_recently_loaded_game_is_forgotten() -> None:
    cache, games = GameCache(max_games=2), [a_game(letter * 10) for letter in "abc"]
    for game in (games[0], games[1], games[0], games[2]):
        cache.put(game, 0)
    assert [cache.get(game.id, LAST, 0) for game in games] == [games[0], None, games[2]]
