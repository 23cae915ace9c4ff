"""Test leagues as folds of events: points, tie-breaks, late joining, leaving and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.league import decide
from pbem.domain.league.decide import LeagueDecision
from pbem.domain.league.league import (
    BYE,
    UNIT,
    League,
    Seating,
    drawn,
    links,
    points,
    rebuild,
    standings,
)
from pbem.domain.league.order import LeagueOrder
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Recorded
from pbem.domain.log.league_events import LeagueJoined, RoundDrawn, TableScored
from pbem.domain.terms.timing import Timing
from pbem.domain.words.game_order import GameOrder
from pbem.errors import LogError, Refusal

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
SECRET = b"\x09" * 32
ORDER = LeagueOrder(GameOrder("phyliss"), rounds=3, round_time=14 * DAY)
PEOPLE = tuple(f"{name:a<10}" for name in "bcdefghij")


def begun(players: int = 8, name: str = "winter", **changes: object) -> LeagueDecision:
    decision = LeagueDecision(GameId("league:k7q2m3x9ab"), NOW, "player:anna", None)
    order = replace(ORDER, **changes)  # type: ignore[arg-type]
    decide.create(decision, order, name, Timing(86_400), SECRET)
    for player in PEOPLE[:players]:
        decide.join(decision, player)
    return decision


def draw(decision: LeagueDecision) -> bool:
    number = len(decision.existing().rounds)
    ids = iter(GameId(f"game{number}{table:a>5}") for table in "bcdefg")
    found = decide.next_draw(decision.existing())
    return decide.draw_round(decision, found, lambda: next(ids), DAY)


def play(
    decision: LeagueDecision,
    order: Callable[[tuple[str, ...]], list[str]] = sorted,
) -> League:
    """Let each table of the round end in this order."""
    for table in decision.existing().rounds[-1].tables:
        ranking = tuple((table.players.index(one),) for one in order(table.players))
        decide.score(decision, table.game, ranking)
    return decision.existing()


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_points_do_not_depend_on_the_size_of_a_table(size: int) -> None:
    """The first has a point, the last none, and those who share a place share its points."""
    table = Seating(GameId("g"), PEOPLE[:size], tuple((seat,) for seat in range(size)))
    gained = [*table.points().values()]
    assert gained == [UNIT * (size - 1 - place) // (size - 1) for place in range(size)]
    assert (gained[0], gained[-1]) == (UNIT, 0)
    even = replace(table, ranking=(tuple(range(size)),))
    assert set(even.points().values()) == {UNIT // 2}
    shared = replace(table, ranking=((0, 1), *((seat,) for seat in range(2, size))))
    assert shared.points()[PEOPLE[0]] == shared.points()[PEOPLE[1]] == sum(gained[:2]) // 2


def test_a_league_goes_from_sign_up_to_a_winner_and_folds_again() -> None:
    decision = begun()
    while len(decision.existing().rounds) < 3:
        assert draw(decision)
        play(decision)
    decide.finish(decision)
    league = decision.existing()
    assert league.status == "finished"
    assert league.ranking[0] == PEOPLE[0]
    assert points(league, PEOPLE[0]) == 3 * UNIT
    recorded = [
        Recorded(number, NOW, one.actor, one.cause, "", one.event)
        for number, one in enumerate(decision.events, 1)
    ]
    assert rebuild(recorded, league.id) == league
    with pytest.raises(Refusal, match="over"):
        decide.join(decision, PEOPLE[8])


def test_each_draw_follows_from_the_log_and_its_link() -> None:
    decision = begun()
    before = decision.existing()
    draw(decision)
    after = decision.existing()
    assert after.links == tuple(one.hex() for one in links(SECRET, 3)[:2])
    found = drawn(before, bytes.fromhex(after.links[1]))
    assert found.tables == tuple(table.players for table in after.rounds[0].tables)


def test_who_joins_late_gets_half_a_point_for_each_round_before() -> None:
    decision = begun()
    draw(decision)
    play(decision)
    decide.join(decision, PEOPLE[8])
    assert points(decision.existing(), PEOPLE[8]) == BYE
    draw(decision)
    play(decision)
    with pytest.raises(Refusal, match="More than half"):
        decide.join(decision, "anna")


def test_equal_points_are_told_apart_by_opponents_then_by_their_own_games_then_by_lot() -> None:
    decision = begun(8, table_size=2)
    for _ in range(3):
        draw(decision)
        league = play(decision)
    lines = standings(league)
    ranks = [(-line.points, -line.opposition) for line in lines]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > len({line.points for line in lines})  # the opponents told some apart
    assert [line.place for line in lines] == [ranks.index(rank) + 1 for rank in ranks]

    decision = begun(2, table_size=2, rounds=2)
    for order in (sorted, lambda table: sorted(table, reverse=True)):
        draw(decision)
        league = play(decision, order)
    assert [line.place for line in standings(league)] == [1, 1]
    assert sorted(line.place for line in standings(league, SECRET)) == [1, 2]


@pytest.mark.parametrize(
    "change",
    [
        {"table_size": 7},
        {"table_size": 1},
        {"rounds": 0},
        {"rounds": 21},
        {"name": "Über uns"},
        {"name": "x"},
        {"round_time": timedelta(minutes=1)},
        {"game": GameOrder("phyliss", options={"nonsense": 1})},
    ],
)
def test_what_no_league_can_be_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(Refusal):
        begun(0, **change)


def test_an_event_that_cannot_follow_is_named() -> None:
    decision = begun(4)
    with pytest.raises(LogError, match="event 6"):
        decision.emit(LeagueJoined(PEOPLE[0]))
    draw(decision)
    league = decision.existing()
    game = league.rounds[0].tables[0].game
    for wrong in (
        TableScored(game, ((0,), (1,))),
        TableScored(GameId("other"), ((0, 1, 2, 3),)),
        RoundDrawn(2, league.links[1], (), (), (), NOW, NOW),
    ):
        with pytest.raises(LogError, match="event 7"):
            decision.emit(wrong)
