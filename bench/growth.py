"""Measure a move with many stored games, and a move in a long game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, literal, literal_column, select

from bench.house import House
from bench.logs import begin, move_on, play_on
from pbem.domain.log.chain import GameId
from pbem.store.db.uow import Store
from pbem.store.rows.core import METADATA

_THEN = "'2026-11-21 12:00:00.000000'"
_FAR = "'2900-01-01 00:00:00.000000'"
_TEXT = "hex(zeroblob(100))"

FILLING: Mapping[str, Mapping[str, str]] = {
    "player": {"id": "id", "name": "id", "created_at": _THEN, "rotation": "0"},
    "address": {"address": "id || '@example.net'", "player_id": "id", "is_primary": "1"},
    "game": {"id": "id", "ruleset": "'phyliss'", "ruleset_version": "1", "status": "'running'"}
    | {"version": "1", "head": "id", "created_at": _THEN},
    "seat": {"game_id": "id", "seat": "0", "player_id": "id", "status": "'joined'"}
    | {"is_unreachable": "0", "is_bot": "0"},
    "event": {"game_id": "id", "version": "1", "type": "'MovePlayed'", "schema_version": "1"}
    | {"recorded_at": "'2026-11-21T12:00:00.000000Z'", "actor": "'seat:0'", "public": _TEXT}
    | {"prev_hash": "id", "hash": "id"},
    "event_secret": {"game_id": "id", "version": "1", "salt": _TEXT, "payload": _TEXT},
    "deadline": {"game_id": "id", "version": "1", "seat": "0", "set_at": _THEN, "due_at": _FAR}
    | {"reminders": "'[]'", "next_at": _FAR},
    "inbox": {"key": "id", "raw": _TEXT, "raw_sha256": "id", "transport": "'lmtp'"}
    | {"arrived_at": _THEN, "game_id": "id", "seat": "0", "status": "'done'", "attempts": "1"}
    | {"player_id": "id"},
    "outbox": {"key": "id", "kind": "'turn'", "player_id": "id", "game_id": "id", "seat": "0"}
    | {"version": "1", "decision": "1", "params": _TEXT, "message_id": "id", "status": "'sent'"}
    | {"not_before": _THEN, "attempts": "1", "created_at": _THEN, "failures": "0"},
    "turns": {"game_id": "id", "seat": "0", "player_id": "id", "on_time": "9", "late": "0"}
    | {"passed": "0"},
    "result": {"game_id": "id", "seat": "0", "player_id": "id", "ruleset": "'phyliss'"}
    | {"place": "1", "sat_out": "0", "finished_at": _THEN},
}
"""Table to a row of it as column to SQL, for each table that grows with the number of games.

`id` is the id of the game and of its player. The rows are short, because only their number matters
for the depth of an index.
"""


def fill(store: Store, count: int) -> None:
    """Insert the rows of `count` games into a SQLite database, in the order of their ids."""
    number = select(literal(1).label("n")).cte("number", recursive=True)
    number = number.union_all(select(number.c.n + 1).where(number.c.n < count))
    numbers_query = select(func.printf("g%09d", number.c.n).label("id")).subquery("one")
    for name, row in FILLING.items():
        table = METADATA.tables[name]
        whole = {**row, "bound": "''"} if "bound" in table.c else row  # these rows are never read
        values: Any = select(*map(literal_column, whole.values())).select_from(numbers_query)
        with store.unit_of_work() as uow:
            uow.connection.execute(table.insert().from_select(list(whole), values))


def filled_house(count: int) -> House:
    """Create a service with `count` idle games."""
    house = House()
    fill(house.service.store, count)
    return house


class _UndoneError(Exception):
    """Raised to roll back a move."""


class Moves:
    """Make the same move repeatedly (load, decide, append, project) and roll it back."""

    def __init__(self, house: House, length: int) -> None:
        self._house = house
        self._game: GameId
        (self._game,) = house.start_games(1, deals=1_000)
        play_on(house, self._game, length)

    def __call__(self) -> int:
        """Make the move once and roll it back."""
        try:
            with self._house.service.store.unit_of_work() as uow:
                change = begin(self._house, uow, self._game)
                move_on(change.decision)
                change.record()
                raise _UndoneError
        except _UndoneError:
            return 1
