"""Test upgrading a database of version 1.0.0 in the middle of its games."""

from __future__ import annotations

import itertools
import json
import lzma
import random  # noqa: TID251  (which moves a test makes, never what the game deals)
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.service.admin import acts, clock_acts
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import KeyFile
from tests.service.conftest import Table, make_table
from tests.service.upkeep.one_zero import make

STATE: dict[str, Any] = json.loads(make.MAILS.read_text(encoding="utf-8"))
PROJECTIONS = {
    "game": "id, ruleset, ruleset_version, status, version, head, created_at, finished_at, is_challenge",
    "seat": "game_id, seat, player_id, status, is_unreachable, is_bot",
    "deadline": "game_id, version, seat, set_at, due_at, reminders",
    "turns": "game_id, seat, player_id, on_time, late, passed",
    "result": "game_id, seat, player_id, ruleset, place, sat_out, finished_at",
}
MAX_PLIES = 300


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one_zero")
    (folder / make.DATABASE.name).write_bytes(lzma.decompress(make.PACKED.read_bytes()))
    return folder / make.DATABASE.name


@pytest.fixture
def old(unpacked: Path, tmp_path: Path) -> Iterator[Table]:
    """A table at the database of 1.0.0, which is not upgraded yet."""
    file = tmp_path / unpacked.name
    shutil.copy(unpacked, file)
    store = Store(f"sqlite:///{file}", keys=KeyFile(make.KEYS))
    table = make_table(store)
    table.clock.instant = datetime.fromisoformat(STATE["now"])
    yield table
    store.close()


@pytest.fixture
def upgraded(old: Table) -> Table:
    maintenance.upgrade(old.service, lambda _: None)
    return old


def read_rows(table: Table) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that are computed from the log."""
    with sqlite3.connect(table.file) as connection:
        return {
            name: sorted(connection.execute(f"SELECT {columns} FROM {name}"))  # noqa: S608
            for name, columns in PROJECTIONS.items()
        }


def play_on(table: Table, game_id: str) -> Game:
    """Play a game to its end in batches of plies. In a long game, seats resign."""
    chance = random.Random(game_id)  # noqa: S311
    game = table.game(game_id)
    plies = itertools.count(1)
    while not game.is_over:
        with table.service.store.unit_of_work() as uow:
            decision = games.begin(table.service, uow, game, actor="system", cause=None)
            for number in itertools.islice(plies, 50):
                if number <= MAX_PLIES:
                    _play(decision, chance)
                else:
                    decide.resign(decision, int(decision.existing().to_act[0]))
                    decide.settle(decision)
                if decision.existing().is_over:
                    break
            Change(table.service, uow, game, decision).record()
        game = table.game(game_id)
    return game


def _play(decision: decide.Decision, chance: random.Random) -> None:
    game = decision.existing()
    seat, rules = game.to_act[0], game.ruleset
    moves = [rules.format_move(game.state, seat, m) for m in rules.legal_moves(game.state, seat)]
    active = [move for move in moves if move not in ("pickup", "pass")]
    decide.play(decision, int(seat), chance.choice(active or moves), source="mail")
    if decision.existing().position != game.position:
        decide.settle(decision)


def test_the_upgrade_keeps_every_row_that_is_computed_from_the_log(old: Table) -> None:
    before = read_rows(old)
    state, count = maintenance.upgrade(old.service, lambda _: None)
    assert state.is_current
    assert count == len(STATE["games"])
    assert read_rows(old) == before
    assert old.check() == []


@pytest.mark.parametrize("name", STATE["games"])
def test_a_game_is_played_to_its_end(upgraded: Table, name: str) -> None:
    """Tokens of 1.0.0 work, the export verifies, and the tables stay correct."""
    table, game_id = upgraded, STATE["games"][name]
    for mail in STATE["mails"][name]:
        before = len(table.inbox())
        table.answer(0, "join", to=mail["reply_to"], sender=mail["to"])
        assert [row.status for row in table.inbox()[before:]] == ["done"]
    game = table.game(game_id)
    if game.paused_at is not None:
        acts.carry_out(table.service, game.id, clock_acts.resume, "We go on.")
    game = play_on(table, game_id)
    assert game.is_over
    with table.service.store.reading() as uow:
        assert not uow.projections.unsound(game)
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
    assert verify_file(data).complete


def test_a_move_is_accepted_at_an_address_of_1_0_0(upgraded: Table) -> None:
    game = upgraded.game(STATE["games"]["watched"])
    seat = int(game.to_act[0])
    move = game.ruleset.standby_move(game.state, Seat(seat))
    order = game.ruleset.format_move(game.state, Seat(seat), move)
    address = ("anna@example.org", "bob@example.org")[seat]
    upgraded.answer(
        seat,
        order,
        to=next(mail["reply_to"] for mail in STATE["mails"]["watched"] if mail["to"] == address),
        sender=address,
    )
    assert upgraded.game(game.id).position > game.position
