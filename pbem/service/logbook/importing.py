"""Import a game from another installation with its IDs, hashes and times.

Nothing in a file is trusted. An export is verified from its bytes, and again after it was stored,
in the transaction that appends it. Players are known by ID only. Unknown players are shown as
`somebody`. A file that names a player of this server is refused unless the admin permits it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pbem.domain.log.chain import GameId, StoredEvent
from pbem.errors import Refusal
from pbem.service.change import lock
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.logbook.exports import read_file
from pbem.service.logbook.verify import Verification, verify_export, verify_game
from pbem.store.db.uow import UnitOfWork


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import.

    Attributes:
        is_new: False if the same game existed already.
        is_rated: True if it counts in the standings here.
    """

    report: Verification
    is_new: bool
    is_rated: bool = True


_ID = re.compile(rb"\b[a-z2-7]{10}\b")


def take_in(
    service: Service, data: bytes, *, is_rated: bool = False, may_name_players: bool = False
) -> Imported:
    """Import a finished game in one transaction. Importing it again adds no events.

    Args:
        data: the bytes of the file.
        is_rated: True to count it in the standings, even if it was imported before.
        may_name_players: True if players of this server may have played in it.

    Raises:
        LogError: the export fails verification.
        Refusal: the game is running, a different log of it exists here, it exists here under
            another ID, or it names players of this server without permission.
    """
    export = read_file(data)
    report = verify_export(export, now=service.now())
    if not report.complete:
        raise Refusal(
            "running",
            "The game of this file still runs: its secrets are not in it, so it could not be played"
            " on from it. Nothing was imported; take it in when it is over.",
        )
    game_id = GameId(report.game_id)
    with service.store.unit_of_work() as uow:
        lock(uow, game_id)
        head = uow.events.head(game_id)
        if head == (report.events, report.head):
            if is_rated and not uow.events.is_rated(game_id):
                uow.events.note_import(game_id, service.now(), is_rated=True)
                uow.projections.rewrite_rows(games.load(uow, game_id), service.now())
            return Imported(report, is_new=False, is_rated=uow.events.is_rated(game_id))
        if head is not None:
            raise Refusal(
                "exists",
                f"Game {game_id} is here with another log: {head[0]} events, head {head[1]}; that of"
                f" the file has {report.events} events, head {report.head}. Nothing was imported.",
            )
        _refuse_twin(uow, export.events[0])
        if not may_name_players:
            _refuse_players(uow, data)
        uow.events.adopt(export.events)
        uow.events.note_import(game_id, service.now(), is_rated=is_rated)
        uow.projections.apply(None, games.replay(uow, game_id), service.now())
        verified = replace(verify_game(uow, game_id), checks=report.checks)
        return Imported(verified, is_new=True, is_rated=is_rated)


def _refuse_twin(uow: UnitOfWork, created: StoredEvent) -> None:
    """Refuse a game that exists here under another ID. Raises: Refusal.

    Games are compared by their commitments, since no two games have the same secret.
    """
    twin = uow.events.committed_to(str(created.public["commitment"]))
    if twin is not None:
        raise Refusal(
            "exists",
            f"The game of this file is here as {twin}: event 1 commits to the same secret, and every"
            " game has one of its own. Nothing was imported.",
        )


def _refuse_players(uow: UnitOfWork, data: bytes) -> None:
    """Refuse a file that names a player of this server. Raises: Refusal.

    Anyone could invent a game with talk or losses of our players.
    """
    named = {word.decode() for word in _ID.findall(data)}
    count = sum(player.id in named for player in uow.players.list())
    if count:
        raise Refusal(
            "players",
            f"The file names {count} of the players of this server, and nothing proves that they played"
            " in this game. Nothing was imported. If you know that they did, add --known-players.",
        )
