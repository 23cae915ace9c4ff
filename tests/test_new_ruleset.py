"""Test the package of docs/dev/new-ruleset.md, installed from the page's files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine import testing as contract
from engine.api import AnyRuleset, Setup
from pbem.domain.play.seating import next_id
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file
from tests.databases import sqlite_store
from tests.engine.chance import chance
from tests.service.conftest import Table, make_table
from tools import new_game

SEED = bytes(range(32))


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyRuleset]:
    """The ruleset of the page, installed as the package of the page."""
    top = tmp_path_factory.mktemp("page")
    new_game.write(top / "source")
    with new_game.installed(top / "source", top / "place"):
        yield registry.find("highcard")


@pytest.fixture
def table(tmp_path: Path, rules: AnyRuleset) -> Iterator[Table]:
    with sqlite_store(tmp_path) as store:
        yield make_table(store)


def started(rules: AnyRuleset, players: int = 3) -> object:
    return rules.start(Setup(players, SEED, rules.check_options(players, {}))).state


def test_it_is_registered_as_a_package(rules: AnyRuleset) -> None:
    """It is the last game, its package is known by name and version, and the shipped ones have none."""
    assert registry.names()[-1] == "highcard"
    assert registry.latest()[-1] is rules
    package = registry.package_of("highcard")
    assert package is not None
    assert (package.name, package.pin, package.fault) == ("highcard", "pbem-highcard==1.0", "")
    assert {registry.package_of(one.id.name) for one in registry.RULESETS} == {None}


def test_random_games_keep_the_contract(rules: AnyRuleset) -> None:
    class HighCard(contract.Table):
        rulesets = (rules,)

    for number in range(10):
        contract.random_game(HighCard(chance(number)))


def test_a_whole_game_by_mail(table: Table, rules: AnyRuleset) -> None:
    """From the order of a player to the verified export; one seat lets a deadline pass."""
    game = table.started(3, ruleset="highcard", cards=3)
    turn = table.last_to(0)
    assert "You lead: play any card." in turn.words
    assert "Your hand, 3 cards" in turn.text
    html = turn.message.get_body(("html",))
    assert html is not None
    assert "Your hand, 3 cards" in html.get_content()
    table.answer(0, "21")
    table.clock.forward(days=4)
    table.run()
    game = table.game(game.id)
    assert rules.ply(game.state) == 2
    while not (game := table.game(game.id)).is_over:
        table.answer(*table.standby(game))
    over = table.last_to(0)
    assert "the game is over" in over.text
    assert "trick" in over.text
    assert {row.status for row in table.inbox()} == {"done"}
    with table.service.store.reading() as uow:
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
    assert verify_file(data).complete


def test_a_rematch_of_it(table: Table, rules: AnyRuleset) -> None:
    """A game without a dealer has none in the next one either."""
    game = table.started(2, ruleset="highcard", cards=1)
    assert rules.expected_turns(2, game.options) == 2
    while not (game := table.game(game.id)).is_over:
        table.answer(*table.standby(game))
    table.answer(0, "rematch")
    assert table.game(next_id(game, 1)).options == game.options


def test_players_make_a_game_of_it_by_mail(table: Table) -> None:
    table.started(2)
    table.answer(0, "new highcard with bob@example.org")
    assert "High Card" in table.last_to(1).words
    table.answer(1, "rules highcard")
    assert "HIGH CARD" in table.last_to(1).text
