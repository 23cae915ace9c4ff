"""Tests of `Table.begun`: games that start alike are copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.service.lobby import making as lobby
from tests.databases import sqlite_store
from tests.service.conftest import Table, configured, copied, make_table


@pytest.fixture
def another(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    folder = tmp_path / "another"
    folder.mkdir()
    with sqlite_store(folder) as store:
        yield copied(make_table(store), request)


def test_a_game_that_began_before_is_copied(table: Table, another: Table) -> None:
    """Ids are drawn by chance: only a copy has the same."""
    game = table.started(2)
    same = another.started(2)
    assert same.id == game.id
    assert another.delivery.mails == table.delivery.mails
    assert another.log(same) == table.log(game)
    another.answer(same.to_act[0], another.standby(same)[1])
    assert len(another.log(same)) > len(table.log(game))


def test_a_game_at_a_table_of_its_own_is_not(table: Table, another: Table) -> None:
    game = table.started(2)
    another.service = configured(another.service, max_mail_bytes=100_000)
    assert another.started(2).id != game.id


def test_a_game_where_the_program_was_replaced_is_not(
    table: Table, another: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.started(2)
    monkeypatch.setattr(lobby, "create_game", lobby.create_game)
    assert another.started(2).id != game.id
