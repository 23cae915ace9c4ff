"""Measure rebuilding a game from a stream of 1,000 events, and appending events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from bench.house import House
from pbem.domain.log.chain import GameId, NewEvent
from pbem.domain.play import decide
from pbem.domain.table.decision import Decision
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import UnitOfWork

LENGTH = 1_000
STRIDE = 120
"""Number of moves recorded in a transaction. Near the end of a stream each move has its own."""
AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def play_on(house: House, game_id: GameId, length: int) -> None:
    """Continue a game, without messages, until its stream has at least `length` events."""
    version = 0
    while version < length:
        with house.service.store.unit_of_work() as uow:
            change = begin(house, uow, game_id)
            for _ in range(20 if length - change.game.version > STRIDE else 1):
                move_on(change.decision)
            version = change.record().version


def begin(house: House, uow: UnitOfWork, game_id: GameId) -> Change:
    """Load a game to make a move in it."""
    game = games.load(uow, game_id)
    decision = games.begin(house.service, uow, game, actor="seat:0", cause=None)
    return Change(house.service, uow, game, decision)


def move_on(decision: Decision) -> None:
    """Make the first legal move of the seat to act."""
    game = decision.existing()
    seat = game.to_act[0]
    move = next(iter(game.ruleset.legal_moves(game.state, seat)))
    text = game.ruleset.format_move(game.state, seat, move)
    decide.play(decision, int(seat), text, source="mail")
    decide.settle(decision)


class Rebuild:
    """Rebuild a game from its stream, checking chain and commitments and applying every rule."""

    def __init__(self, house: House) -> None:
        self._store = house.service.store
        (self._game,) = house.start_games(1, deals=1_000)
        play_on(house, self._game, LENGTH)

    def __call__(self) -> int:
        """Rebuild the game once and return the number of events."""
        with self._store.reading() as uow:
            return games.replay(uow, self._game).version


class Tables:
    """Rebuild the projections from a stream, like `pbem db rebuild`."""

    def __init__(self, house: House) -> None:
        self._service = house.service
        (game,) = house.start_games(1, deals=1_000)
        play_on(house, game, LENGTH)

    def __call__(self) -> int:
        """Rebuild the tables once and return the number of events."""
        maintenance.rebuild(self._service, lambda _: None)
        return LENGTH


class Append:
    """Append single events, each in a separate durable transaction."""

    def __init__(self, house: House) -> None:
        self._store = house.service.store
        self._version = 0

    def __call__(self) -> int:
        """Append ten events and return their number."""
        for _ in range(10):
            public: dict[str, Any] = {"seat": 1, "move": "play 7c 7d", "ply": self._version}
            event = NewEvent("MovePlayed", 1, "seat:1", None, public)
            with self._store.unit_of_work() as uow:
                uow.events.append(GameId("append0000"), self._version, [event], AT)
            self._version += 1
        return 10


@cache
def _table() -> Any:  # noqa: ANN401  (a class made here)
    domain: Any = import_module("eventsourcing.domain")

    def play(self: Any, seat: int, move: str, source: str, digest: str) -> None:  # noqa: ANN401
        """Store the move and count it, without applying rules."""
        self.plies += 1
        self.last = move

    members = {"plies": 0, "last": "", "play": domain.event("MovePlayed")(play)}
    return type("Table", (domain.Aggregate,), members)


def sealed() -> dict[str, str]:
    """Return settings with which the library encrypts and compresses its events."""
    cipher: Any = import_module("eventsourcing.cryptography").AESCipher
    return {
        "CIPHER_TOPIC": "eventsourcing.cryptography:AESCipher",
        "CIPHER_KEY": cipher.create_key(num_bytes=32),
        "COMPRESSOR_TOPIC": "zlib",
    }


class PeerLog:
    """The aggregate and the application of the `eventsourcing` library.

    Args:
        place: settings of its storage, from `on_sqlite` or `on_postgres`, and from `sealed`.
    """

    def __init__(self, place: Mapping[str, str]) -> None:
        application: Any = import_module("eventsourcing.application")  # only where it is measured
        self.new_table: Any = _table()
        self.application: Any = application.Application(env=dict(place))

    def play(self, table: Any) -> None:  # noqa: ANN401  (a class made above)
        """Trigger an event of the same size as our `MovePlayed`."""
        table.play(1, "play 7c 7d", "mail", "5e" * 32)


def on_sqlite(folder: Path) -> dict[str, str]:
    """Return settings with which the library stores its events in a file of this folder."""
    return {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(folder / "peer.sqlite3"),
    }


def on_postgres(url: str) -> dict[str, str]:
    """Return settings with which the library stores its events in this database."""
    parsed = make_url(url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": parsed.database or "",
        "POSTGRES_HOST": parsed.host or str(parsed.query["host"]),
        "POSTGRES_PORT": str(parsed.port or 5432),
        "POSTGRES_USER": parsed.username or "",
        "POSTGRES_PASSWORD": parsed.password or "",
    }


class PeerRebuild:
    """Rebuild an aggregate of 1,000 events with the library's repository."""

    def __init__(self, peer: PeerLog) -> None:
        self._peer = peer
        table = peer.new_table()
        for _ in range(LENGTH - 1):
            peer.play(table)
        peer.application.save(table)
        self._id = table.id

    def __call__(self) -> int:
        """Rebuild the aggregate once and return the number of events."""
        return int(self._peer.application.repository.get(self._id).version)


class PeerAppend:
    """Append single events with the library, each saved separately."""

    def __init__(self, peer: PeerLog) -> None:
        self._peer = peer
        self._table = peer.new_table()
        peer.application.save(self._table)

    def __call__(self) -> int:
        """Append ten events and return their number."""
        for _ in range(10):
            self._peer.play(self._table)
            self._peer.application.save(self._table)
        return 10
