"""Seat pages on SQLite and on PostgreSQL: a game by forms, and a form that comes several times at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.service.intake.page_acts import PAGE
from pbem.service.logbook.verify import verify_game
from tests.service.conftest import Table, both
from tests.web.conftest import Site, moves_of, serve

__all__ = ["both"]


@pytest.fixture
def either(both: Table) -> Iterator[Site]:
    yield from serve(both)


def test_a_game_to_its_end_by_forms(either: Site) -> None:
    game = either.table.started(2, max_plies=10)
    people = {seat: either.known(seat) for seat in range(2)}
    for _ in range(30):
        game = either.table.game(game.id)
        if game.is_over:
            break
        browser, path = people[int(game.to_act[0])]
        _, words = either.table.standby(game)
        assert browser.send(path, words).status == 200
        assert either.table.game(game.id).version > game.version
    assert game.is_over
    with either.table.service.store.reading() as uow:
        assert verify_game(uow, game.id).complete


def test_a_form_that_comes_eight_times_at_once_is_one_move(either: Site) -> None:
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    page = browser.get(path)
    fields = {"once": page.field("once"), "digest": page.field("digest"), "words": "21"}
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda _: browser.post(path, fields), range(8))]
    assert {answer.status for answer in answers} == {200}
    assert sum(row.transport == PAGE for row in either.table.inbox()) == 1
    assert moves_of(either.table, game.id, seat) == 1
