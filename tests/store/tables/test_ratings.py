"""Places, ratings and punctuality, folded from the log. On both databases."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import AdminAsked, GamePaused, TurnTimedOut
from pbem.domain.log.events import (
    Adjudicated,
    ChoicesRevealed,
    Event,
    GameFinished,
    GameStopped,
    MovePlayed,
    MovesRetracted,
)
from pbem.domain.log.seat_events import (
    PlayerUnreachable,
    SeatControllerChanged,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.terms.ratings import Rating, rated
from pbem.domain.terms.seats import TUTOR, bot_id
from pbem.domain.terms.timing import Timing, to_json
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.log.codec import decode
from tests.store.samples import DAY, NOW, created, deadline, in_threads, move, new, new_game_id

HOUR = timedelta(hours=1)


def record(uow: UnitOfWork, game: GameId, *events: Event, at: datetime = NOW) -> None:
    """Append and project as the service does."""
    head = uow.events.head(game) or (0, "")
    stored = uow.events.append(game, head[0], new(*events), at)
    uow.projections.apply(game, [decode(event) for event in stored])


def finished(*ranking: tuple[int, ...]) -> GameFinished:
    return GameFinished(ranking=ranking, reason="finished", scores=None, server_secret="5")


def play(
    uow: UnitOfWork, players: str, *ranking: tuple[int, ...], at: datetime = NOW, ruleset: str = ""
) -> GameId:
    """Begin and end a game; players are named by letters, in seat order."""
    game = new_game_id()
    begun = created(*players)
    record(uow, game, replace(begun, ruleset=ruleset or begun.ruleset))
    record(uow, game, finished(*ranking), at=at)
    return game


def ratings(uow: UnitOfWork, ruleset: str = "") -> dict[str, Rating]:
    """The newest rating of everybody, by player."""
    rows = [row for row in uow.projections.dump()["rating"] if row[1] == ruleset]
    by_time = sorted(rows, key=lambda row: (row[2], row[3]))
    return {row[0]: Rating(row[4], row[5]) for row in by_time}


def turns(uow: UnitOfWork) -> dict[str, tuple[int, int]]:
    """On time and late, by player."""
    return {row[2]: (row[3], row[4]) for row in uow.projections.dump()["turns"]}


def sound(uow: UnitOfWork) -> bool:
    """True if a rebuilt database is the same."""
    before: Any = uow.projections.dump()
    uow.projections.rebuild()
    return bool(uow.projections.dump() == before)


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
        assert sound(uow)


def test_only_a_ranking_counts(store: Store) -> None:
    """Of rules or of a judge; a game that was stopped has none."""
    stopped, judged = new_game_id(), new_game_id()
    with store.unit_of_work() as uow:
        record(uow, stopped, created("a", "b"), GameStopped("admin", "5", "no time"))
        assert ratings(uow) == {}
        record(uow, judged, created("a", "b"), Adjudicated(((1,), (0,)), False, "5", "clear"))
        assert ratings(uow)["b"].mu > ratings(uow)["a"].mu


@pytest.mark.parametrize("players", ["aab", "a"])
def test_who_plays_alone_or_twice_is_not_rated(store: Store, players: str) -> None:
    """The places would say nothing about people."""
    with store.unit_of_work() as uow:
        play(uow, players, tuple(range(len(players))))
        assert ratings(uow) == {}


def test_bots_of_the_start_are_left_out(store: Store) -> None:
    """People are compared among themselves; alone among bots, or in a lesson, nobody is rated."""
    bot, other, tutor = (bot_id("easy", name) for name in ("Adabot", "Bitbot", TUTOR))
    for players in (("a", bot, other), ("a", "b", tutor)):
        game = new_game_id()
        with store.unit_of_work() as uow:
            record(uow, game, created(*players), deadline(1), replace(move(1), source="bot"))
            record(uow, game, finished((1,), (0,), (2,)))
            assert ratings(uow) == {}
            assert turns(uow) == {}
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", bot, "b"), finished((1,), (0,), (2,)))
        alone = rated([Rating()] * 2, [1, 2], [False] * 2)
        assert ratings(uow) == {"a": alone[0], "b": alone[1]}
        assert sound(uow)


def test_the_person_who_sits_there_at_the_end_is_rated(store: Store) -> None:
    """Resigned as the outcome says; who was replaced before is out of it."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b", "c"), SeatReplaced(1, "d", "gone"), SeatResigned(2))
        record(uow, game, finished((1,), (0,), (2,)))
        found = ratings(uow)
        assert found["d"].mu > found["a"].mu > found["c"].mu
        assert "b" not in found


def test_what_a_bot_wins_is_nobodys(store: Store) -> None:
    """Who had left the seat to it keeps the rating; who took the seat back earns it."""
    left, back = new_game_id(), new_game_id()
    handed = SeatControllerChanged(0, "bot", "misses")
    with store.unit_of_work() as uow:
        record(uow, left, created("a", "b"), handed, finished((0,), (1,)))
        assert ratings(uow)["a"] == Rating()
        assert ratings(uow)["b"].mu < Rating().mu
        taken = SeatControllerChanged(0, "person", "back")
        record(uow, back, created("c", "d"), handed, taken, finished((0,), (1,)))
        assert ratings(uow)["c"].mu > Rating().mu
        assert sound(uow)


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
        assert sound(uow)


def test_many_games_are_rated_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that ends within a game is no other than one that ends with it."""
    with store.unit_of_work() as uow:
        for hours, players in enumerate(itertools.permutations("abc")):
            play(uow, "".join(players), (0,), (1, 2), at=NOW - hours * HOUR)
        before = uow.projections.dump()
        for page in (4, 6, 7):
            monkeypatch.setattr("pbem.store.tables.ratings._PAGE", page)
            uow.projections.rebuild()
            assert uow.projections.dump() == before


def test_games_that_end_at_the_same_moment_wait_for_each_other(store: Store) -> None:
    """Two workers: none rates from what the other one is about to change."""
    games = [new_game_id() for _ in range(4)]
    with store.unit_of_work() as uow:
        for game in games:
            record(uow, game, created("a", "b"))

    def end(number: int) -> None:
        with store.unit_of_work() as uow:
            record(uow, games[number], finished((0,), (1,)), at=NOW - number * HOUR)

    assert in_threads(4, end) == [None] * 4
    with store.unit_of_work() as uow:
        assert len(uow.projections.dump()["rating"]) == 16
        assert sound(uow)


# -- punctuality -----------------------------------------------------------------------------------


def test_an_answer_is_on_time_until_the_deadline_passes(store: Store) -> None:
    """One turn for each deadline, however many plies; what the service plays is no answer."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b"), deadline(0))
        record(uow, game, move(0), move(0, 2), deadline(1))
        assert turns(uow) == {"a": (1, 0)}
        played = replace(move(1, 3), source="standby")
        record(uow, game, TurnTimedOut(1, 5), played, deadline(0), at=NOW + DAY)
        assert turns(uow) == {"a": (1, 0), "b": (0, 1)}
        record(uow, game, replace(move(0, 4), source="forced"), deadline(1))
        record(uow, game, replace(move(1, 5), source="standing"), at=NOW + DAY)
        assert turns(uow) == {"a": (1, 0), "b": (1, 1)}
        assert sound(uow)


def test_a_mail_that_came_in_time_may_be_carried_out_late(store: Store) -> None:
    """The log says when it was carried out; only a deadline that passed in silence is missed."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b"), deadline(0))
        record(uow, game, move(0), at=NOW + 9 * DAY)
        assert turns(uow) == {"a": (1, 0)}


@pytest.mark.parametrize(("after", "expected"), [(DAY, (1, 0)), (DAY + HOUR, (0, 1))])
def test_in_a_game_that_waits_the_clock_tells(
    store: Store, after: timedelta, expected: tuple[int, int]
) -> None:
    """Nothing else is noted there when a deadline passes."""
    game = new_game_id()
    begun = replace(created("a", "b"), timing=to_json(Timing(86400, on_timeout="wait")))
    with store.unit_of_work() as uow:
        record(uow, game, begun, deadline(0))
        record(uow, game, move(0), deadline(1), at=NOW + after)
        assert turns(uow) == {"a": expected}
        assert sound(uow)


def test_an_answer_after_the_admin_was_asked_is_late(store: Store) -> None:
    """Once: the deadline passed in silence, whatever becomes of it."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b"), deadline(0), AdminAsked(0, 2))
        record(uow, game, move(0), deadline(1))
        assert turns(uow) == {"a": (0, 1)}
        record(uow, game, move(1), deadline(0), move(0))
        assert turns(uow) == {"a": (1, 1), "b": (1, 0)}


def test_what_is_nobodys_turn_does_not_count(store: Store) -> None:
    """A bot's moves, a paused clock, a person whom no mail reaches."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b", "c"))
        record(uow, game, SeatControllerChanged(0, "bot", "admin"), PlayerUnreachable(1, "bounces"))
        record(uow, game, deadline(0), replace(move(0), source="bot"), deadline(1))
        record(uow, game, TurnTimedOut(1, 6), replace(move(1), source="standby"), deadline(2))
        record(uow, game, GamePaused("vote", ""), move(2))
        assert set(turns(uow).values()) <= {(0, 0)}
        assert sound(uow)


def test_moves_taken_back_were_answers_all_the_same(store: Store) -> None:
    """Who answered in time did so, and does so again."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b"), deadline(0), move(0), deadline(1))
        record(uow, game, MovesRetracted(2, 0, "a slip"), deadline(0), move(0))
        assert turns(uow) == {"a": (2, 0)}
        assert sound(uow)


def test_secret_choices_are_answers_once_they_are_revealed(store: Store) -> None:
    """All but those that were made for somebody who was silent (GEN-6)."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b", "c"), deadline(0, 1, 2), TurnTimedOut(1, 2))
        assert turns(uow) == {"b": (0, 1)}
        record(uow, game, ChoicesRevealed({}, 3), deadline(0))
        assert turns(uow) == {"a": (1, 0), "b": (0, 1), "c": (1, 0)}
        assert sound(uow)


def test_each_person_in_a_seat_is_counted_apart(store: Store) -> None:
    """A replacement begins anew."""
    game = new_game_id()
    answer = MovePlayed(0, "pickup", "mail", 1, "d", 1)
    with store.unit_of_work() as uow:
        record(uow, game, created("a", "b"), deadline(0), TurnTimedOut(0, 2))
        record(uow, game, SeatReplaced(0, "c", "silent"), deadline(0), answer)
        assert turns(uow) == {"a": (0, 1), "c": (1, 0)}
