"""Test a game whose package was uninstalled: it stops, and other games go on."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from pbem.domain.log.events import GameCreated
from pbem.errors import LogError, MissingRulesetError
from pbem.service.core import games
from pbem.service.intake import shunted
from pbem.service.logbook.verify import verify_file
from pbem.service.upkeep import doctor
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tools import new_game


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("missing")
    new_game.write(top / "source")
    new_game.install(top / "source", top / "place")
    return top / "place"


@pytest.fixture
def stack(place: Path) -> ExitStack:
    """Return a context stack. The package is installed until the stack is closed."""
    found = ExitStack()
    found.enter_context(new_game.on_path(place))
    return found


def ask_doctor(table: Table, tmp_path: Path) -> list[str]:
    file = tmp_path / "pbem.toml"
    file.touch()
    found = doctor.examine(table.service, file)
    return [f"{one.status}: {one.text} {one.remedy}" for one in found if one.name == "games"]


def test_the_log_names_the_package_of_an_installed_game_alone(
    tmp_path: Path, stack: ExitStack
) -> None:
    with stack, sqlite_store(tmp_path) as store:
        table = make_table(store)
        brought, ours = table.new_game(2, ruleset="highcard"), table.new_game(2, seed=2)
        created = [table.log(game)[0].event for game in (brought, ours)]
        assert all(isinstance(event, GameCreated) for event in created)
        assert [event.package for event in created] == ["pbem-highcard==1.0", ""]
        assert b'"package":"pbem-highcard==1.0"' in table.export(brought.id)
        assert b"package" not in table.export(ours.id)


def test_without_its_package_a_game_stands_still_and_nothing_else(
    tmp_path: Path, stack: ExitStack, place: Path
) -> None:
    """Messages to the game wait with a clear answer, its deadline does not fire, and later it goes on."""
    with sqlite_store(tmp_path) as store:
        table = make_table(store)
        game = table.started(2, ruleset="highcard", cards=2)
        turn = table.last_to(0)
        other = table.started(2, seed=2)
        stack.close()  # uninstalls the package
        store.close()  # as a restart does

        with store.reading() as uow, pytest.raises(MissingRulesetError, match="names the package"):
            games.load(uow, game.id)
        table.answer(0, "21", to=turn.reply_to)
        assert table.inbox()[-1].status == "shunted"
        assert "package pbem-highcard==1.0" in str(table.inbox()[-1].error)
        assert "The rules of this game are not installed on the server" in table.last_to(0).words
        assert "you need not send it again" in table.last_to(0).words

        table.answer(0, "games", to=turn.reply_to)
        assert table.inbox()[-1].status == "shunted"
        seat = table.move(other)
        assert table.inbox()[-1].status == "done"
        for word in ("games", "help", "rules highcard", "standings"):
            table.answer(seat, word)
            assert table.inbox()[-1].status == "done", word
        head, *_ = ask_doctor(table, tmp_path)
        assert head.startswith("fail: 1 game stands still: the rules highcard/1 are not here")
        assert "install pbem-highcard==1.0" in head

        table.wait(days=10)
        with new_game.on_path(place):
            assert table.game(game.id).version == game.version
            assert ask_doctor(table, tmp_path) == ["ok: the rules of all games are here "]
            shunted.retry(
                table.service, [one.id for one in table.inbox() if one.status == "shunted"]
            )
            table.run()
            assert {one.status for one in table.inbox()} == {"done"}
            game = table.game(game.id)
            assert game.ruleset.ply(game.state) >= 1
            while not (game := table.game(game.id)).is_over:
                table.move(game)
            data = table.export(game.id)
            assert verify_file(data).complete
        with pytest.raises(LogError, match="its rules are not here"):
            verify_file(data)
