"""The contest of logs: a stream of 1,000 events read back and replayed, and events appended."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.house import House
from pbem.domain import decide
from pbem.domain.decision import Decision
from pbem.domain.log import GameId, NewEvent
from pbem.service import games
from pbem.store.uow import UnitOfWork

LENGTH = 1_000
STRIDE = 120
"""Near the end of a stream moves are recorded one by one, so that snapshots lie as they do in life."""
AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def play_on(house: House, game_id: GameId, length: int) -> None:
    """Play a game on until its stream has so many events, or one or two more; no mails follow."""
    version = 0
    while version < length:
        with house.service.store.unit_of_work() as uow:
            decision = begin(uow, house, game_id)
            for _ in range(20 if length - decision.existing().version > STRIDE else 1):
                move_on(decision)
            after, _ = games.record(uow, decision)
        version = after.version


def begin(uow: UnitOfWork, house: House, game_id: GameId) -> Decision:
    """Load a game to make a move in it."""
    game = games.load(uow, game_id)
    return games.begin(uow, house.service, game, actor="seat:0", cause=None)


def move_on(decision: Decision) -> None:
    """Make one move, for whoever is to act: the first of the list."""
    game = decision.existing()
    seat = game.to_act[0]
    move = next(iter(game.ruleset.legal_moves(game.state, seat)))
    text = game.ruleset.format_move(game.state, seat, move)
    decide.play(decision, int(seat), text, source="mail")
    decide.settle(decision)


class Rebuild:
    """A game read from its stream, chain and commitments checked, every rule applied; no snapshot."""

    def __init__(self, house: House) -> None:
        self._store = house.service.store
        (self._game,) = house.start_games(1, deals=1_000)
        play_on(house, self._game, LENGTH)

    def __call__(self) -> int:
        """Rebuild it once; return the number of events."""
        with self._store.reading() as uow:
            return games.load_whole(uow, self._game).version


class Append:
    """One event after the other, each in a durable transaction of its own."""

    def __init__(self, house: House) -> None:
        self._store = house.service.store
        self._version = 0

    def __call__(self) -> int:
        """Append ten events; return their number."""
        for _ in range(10):
            public: dict[str, Any] = {"seat": 1, "move": "play 7c 7d", "ply": self._version}
            event = NewEvent("MovePlayed", 1, "seat:1", None, public)
            with self._store.unit_of_work() as uow:
                uow.events.append(GameId("append0000"), self._version, [event], AT)
            self._version += 1
        return 10


class PeerLog:
    """The aggregate and the application of the `eventsourcing` library, on a SQLite file."""

    def __init__(self, folder: Path) -> None:
        domain: Any = import_module("eventsourcing.domain")  # only where it is measured
        application: Any = import_module("eventsourcing.application")

        def play(self: Any, seat: int, move: str, source: str, digest: str) -> None:  # noqa: ANN401
            """Keep the last move and count; there are no rules in it."""
            self.plies += 1
            self.last = move

        self.new_table: Any = type(
            "Table",
            (domain.Aggregate,),
            {"plies": 0, "last": "", "play": domain.event("MovePlayed")(play)},
        )
        self.application: Any = application.Application(
            env={
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": str(folder / "peer.sqlite3"),
            }
        )

    def play(self, table: Any) -> None:  # noqa: ANN401  (a class made above)
        """Trigger one event of the size of ours."""
        table.play(1, "play 7c 7d", "mail", "5e" * 32)


class PeerRebuild:
    """An aggregate of 1,000 events, rebuilt by the repository."""

    def __init__(self, peer: PeerLog) -> None:
        self._peer = peer
        table = peer.new_table()
        for _ in range(LENGTH - 1):
            peer.play(table)
        peer.application.save(table)
        self._id = table.id

    def __call__(self) -> int:
        """Rebuild it once; return the number of events."""
        return int(self._peer.application.repository.get(self._id).version)


class PeerAppend:
    """One event after the other, each saved by itself."""

    def __init__(self, peer: PeerLog) -> None:
        self._peer = peer
        self._table = peer.new_table()
        peer.application.save(self._table)

    def __call__(self) -> int:
        """Append ten events; return their number."""
        for _ in range(10):
            self._peer.play(self._table)
            self._peer.application.save(self._table)
        return 10
