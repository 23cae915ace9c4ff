"""Test ratings computed from rankings of games, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine import registry
from pbem.domain.table.game import Game
from pbem.domain.terms.ratings import Rating, rated
from pbem.domain.terms.seats import TUTOR, bot_id
from pbem.store.db.uow import Store, UnitOfWork
from tests.store.samples import DAY, NOW, a_game, new_game_id, with_result

HOUR = timedelta(hours=1)


def end(uow: UnitOfWork, game: Game, *ranking: tuple[int, ...], at: datetime = NOW) -> None:
    """Write the rows of a game, and of its end."""
    uow.projections.apply(None, game, NOW)
    uow.projections.apply(game, with_result(game, *ranking, at=at), at)


def play(
    uow: UnitOfWork, players: str, *ranking: tuple[int, ...], at: datetime = NOW, ruleset: str = ""
) -> None:
    """Begin and end a game; players are named by letters, in seat order."""
    rules = registry.find(ruleset or "phyliss")
    end(uow, a_game(new_game_id(), *players, ruleset=rules), *ranking, at=at)


def ratings(uow: UnitOfWork, ruleset: str = "") -> dict[str, Rating]:
    """The newest rating of everybody, by player."""
    return {one.player_id: one.rating for one in uow.standings.rated(None, ruleset)}


# -- ratings ---------------------------------------------------------------------------------------


def test_a_finished_game_rates_its_players(store: Store) -> None:
    """In its ruleset and over all; the next game begins with what the first one gave."""
    with store.unit_of_work() as uow:
        play(uow, "abc", (2,), (0, 1))
        first = rated([Rating()] * 3, [2, 2, 1], [False] * 3)
        assert ratings(uow) == ratings(uow, "phyliss") == dict(zip("abc", first, strict=True))
        play(uow, "ab", (0,), (1,), at=NOW + DAY, ruleset="phalanx")
        second = rated([first[0], first[1]], [1, 2], [False] * 2)
        assert ratings(uow) == {"a": second[0], "b": second[1], "c": first[2]}
        alone = rated([Rating()] * 2, [1, 2], [False] * 2)
        assert ratings(uow, "phalanx") == {"a": alone[0], "b": alone[1]}
        assert ratings(uow, "phyliss")["a"] == first[0]


def test_a_game_that_was_imported_does_not_count_unless_an_admin_says_so(store: Store) -> None:
    game = with_result(a_game(new_game_id(), "a", "b"), (0,), (1,))
    with store.unit_of_work() as uow:
        uow.events.note_import(game.id, NOW, is_rated=False)
        uow.projections.apply(None, game, NOW)
        assert ratings(uow) == {}
        uow.events.note_import(game.id, NOW, is_rated=True)
        uow.projections.rewrite_rows(game, NOW)
        assert ratings(uow)["a"].mu > ratings(uow)["b"].mu


def test_a_later_change_of_an_imported_game_does_not_rate_it(store: Store) -> None:
    game = with_result(a_game(new_game_id(), "a", "b"), (0,), (1,))
    with store.unit_of_work() as uow:
        uow.events.note_import(game.id, NOW, is_rated=False)
        uow.projections.apply(None, game, NOW)
        uow.projections.apply(game, replace(game, version=game.version + 1), NOW)
        assert ratings(uow) == {}


def test_bots_of_the_start_are_left_out(store: Store) -> None:
    """People are compared among themselves; alone among bots, or in a lesson, nobody is rated."""
    bot, other, tutor = (bot_id("easy", name) for name in ("Adabot", "Bitbot", TUTOR))
    with store.unit_of_work() as uow:
        for players in (("a", bot, other), ("a", "b", tutor)):
            end(uow, a_game(new_game_id(), *players), (1,), (0,), (2,))
            assert ratings(uow) == {}
        end(uow, a_game(new_game_id(), "a", bot, "b"), (1,), (0,), (2,))
        alone = rated([Rating()] * 2, [1, 2], [False] * 2)
        assert ratings(uow) == {"a": alone[0], "b": alone[1]}


@pytest.mark.parametrize("order", [(4, 3, 2, 1, 0), (2, 0, 4, 1, 3)])
def test_the_order_of_arrival_makes_no_difference(store: Store, order: tuple[int, ...]) -> None:
    """Games that come in later but ended earlier, or at once, are rated at their own place."""
    games = [("abc", (1, 2, 3)), ("bc", (1, 1)), ("ca", (2, 1)), ("abd", (3, 1, 2)), ("ab", (2, 1))]
    expected: dict[str, Rating] = {}
    for players, places in games:
        before = [expected.get(player, Rating()) for player in players]
        expected |= zip(players, rated(before, places, [False] * len(players)), strict=True)
    with store.unit_of_work() as uow:
        for number in order:
            players, places = games[number]
            ranking = [
                tuple(seat for seat, at in enumerate(places) if at == place)
                for place in sorted(set(places))
            ]
            play(uow, players, *ranking, at=NOW + number * HOUR)
        assert ratings(uow) == expected
        play(uow, "ca", (0,), (1,), at=NOW + HOUR)  # as another one did in the same moment
        assert ratings(uow) != expected
