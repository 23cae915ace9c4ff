"""Test standings by mail and for the admin: which players see which ratings."""

from __future__ import annotations

from pathlib import Path

from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.service.admin import acts
from pbem.service.league import ratings
from pbem.service.lobby import creation as lobby
from pbem.service.logbook import exports, importing
from pbem.service.people import erasure
from pbem.service.upkeep import maintenance
from tests.databases import sqlite_store
from tests.service.conftest import NAMES, Table, make_table

SERVICE = "game@play.example.org"


def ended(table: Table, people: str, places: str, *, ruleset: str = "phyliss") -> Game:
    """Create a game that has ended, of people given by their initials, without messages."""
    names = [name for initial in people for name in NAMES if name[0] == initial]
    service = table.service
    game = lobby.create_game(
        service,
        [lobby.Person(name, f"{name.lower()}@example.org") for name in names],
        lobby.GamePlan(ruleset),
    )
    with table.changing(game) as decision:
        for seat in range(len(names)):
            decide.join(decision, seat, None)
    acts.adjudicate(service, game.id, places, "We agreed on it")
    with service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql("DELETE FROM outbox")
    table.clock.forward(hours=1)
    return table.game(game.id)


def ask_standings(table: Table, seat: int, order: str = "standings", *, bare: bool = True) -> str:
    """Return the text of the answer to an order, on one line."""
    table.answer(seat, order, to=SERVICE if bare else None)
    return table.last_to(seat).words


def test_standings_by_mail(both: Table) -> None:
    """Players see rating, punctuality and head-to-head results of people with whom they finished a game."""
    ended(both, "AB", "Anna, Bob")
    ended(both, "AC", "Anna = Carol")
    ended(both, "CD", "Carol, Dora")
    said = ask_standings(both, 0)
    assert both.last_to(0).message["Subject"] == "Your standings"
    assert "1. Carol" in said
    assert "2. Anna (you)" in said
    assert "0 : 0 : 1" in said
    assert "3. Bob" in said
    assert "1 : 0 : 0" in said
    assert "Dora" not in said, "they never finished a game together"
    assert "@" not in both.last_to(0).text.replace(both.last_to(0).reply_to, "")
    assert "Your rating in Phyliss is" in said
    assert "Anna" not in ask_standings(both, 3)


def read_ratings(table: Table, ruleset: str = "phyliss") -> dict[str, tuple[float, int]]:
    """Return rating and number of rated games, by name."""
    found = ratings.report(table.service, ruleset or None)
    return {one.name: (one.rating.mu, one.games) for one in found.standings}


def test_many_games_of_the_same_people_within_a_day_are_rated_once(both: Table) -> None:
    """Games that are resigned one after the other count like one."""
    ended(both, "AB", "0,1")
    first = read_ratings(both)
    for _ in range(5):
        ended(both, "AB", "0,1")
    assert read_ratings(both) == read_ratings(both, "") == first
    ended(both, "AC", "0,1")
    assert read_ratings(both)["Anna"][1] == 2
    ended(both, "AB", "0,1", ruleset="cathedral")
    assert read_ratings(both, "cathedral")["Anna"][1] == 1
    assert read_ratings(both, "")["Anna"][1] == 2
    both.clock.forward(days=1)
    ended(both, "BA", "1,0")
    assert read_ratings(both)["Anna"][1] == 3
    anna, bob = (both.player(f"{name}@example.org").id for name in ("anna", "bob"))
    assert both.read(lambda uow: uow.standings.encounters(anna, "phyliss"))[bob].ahead == 7
    before = both.read(lambda uow: uow.projections.dump())
    maintenance.rebuild(both.service, lambda _: None)
    assert both.read(lambda uow: uow.projections.dump()) == before


def test_who_is_forgotten_is_in_no_list(table: Table) -> None:
    """The games still count for the other players."""
    ended(table, "AB", "Bob, Anna")
    ended(table, "AC", "Anna, Carol")
    before = {one.name: one.rating for one in ratings.report(table.service).standings}
    erasure.forget(table.service, "bob@example.org", "asked for it")
    report = ratings.report(table.service)
    assert {one.name: one.rating for one in report.standings} == {
        name: rating for name, rating in before.items() if name != "Bob"
    }
    assert {step.player_id for step in report.course} == {one.player_id for one in report.standings}
    said = ask_standings(table, 0)
    assert "Bob" not in said
    assert "somebody" not in said


def test_a_game_that_is_imported_counts_once(table: Table, tmp_path: Path) -> None:
    """A second import or a rebuild changes nothing. Unknown players are in no list."""
    game = ended(table, "AB", "Anna, Bob")
    with table.service.store.reading() as uow:
        data = b"\n".join(exports.export_lines(uow, game.id)) + b"\n"
        there = uow.standings.course()
    (tmp_path / "elsewhere").mkdir()
    with sqlite_store(tmp_path / "elsewhere") as store:
        service = make_table(store).service
        taken = [importing.take_in(service, data, is_rated=True) for _ in range(2)]
        assert [one.is_new for one in taken] == [True, False]
        maintenance.rebuild(service, lambda _: None)
        assert maintenance.check(service, lambda _: None) == []
        with store.reading() as uow:
            assert uow.standings.course() == there
        assert ratings.report(service).standings == ()
