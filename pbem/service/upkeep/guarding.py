"""Check for tampering with the database, and tell the admins."""

from __future__ import annotations

import contextlib

import structlog

from pbem.domain.log.chain import GameId
from pbem.errors import LogError, UpcastError
from pbem.service.core import games, snapshots
from pbem.service.core.context import Service
from pbem.service.notify import to_admins
from pbem.store.db import guards
from pbem.store.db.uow import UnitOfWork

log = structlog.get_logger(__name__)


REMEDY = "Look with `pbem verify`, then put them back with `pbem db upgrade`."


def unguarded(uow: UnitOfWork) -> str | None:
    """Name the guards of the log that are missing or changed; None if all are sound."""
    names = guards.wrong(uow.connection)
    if not names:
        return None
    return (
        f"guards of the log are missing, off or changed: {', '.join(names)}, so somebody may have changed"
        " the log"
    )


def put_back(service: Service, uow: UnitOfWork) -> None:
    """Put the guards of the log back, and tell the admins that they were gone."""
    names = guards.put_back(uow.connection)
    if not names:
        return
    now = service.now()
    log.warning("the guards of the log were put back", action="guards_put_back", guards=names)
    to_admins.queue(
        service,
        uow,
        key=f"guards-put-back:{now.isoformat()}",
        message=f"Guards that keep the database from changing the log were missing, off or changed until"
        f" {now:%Y-%m-%d %H:%M} UTC, and are put back: {', '.join(names)}. They do not go by themselves."
        " Somebody may have changed the log meanwhile, or a tool made the table anew. `pbem db check`"
        " looks at all logs, `pbem verify GAME --head HEAD` compares one with a head that a player has"
        " in a mail.",
    )


def tidy(service: Service) -> bool:
    """Replace the refused snapshots; return True if the admins are told now."""
    refused = sorted(service.store.refused)
    if not refused:
        return False
    day = f"{service.now():%Y-%m-%d}"
    with service.store.unit_of_work() as uow:
        dropped = [one for one in refused if uow.snapshots.drop(one)]
        found = sorted({one.game_id for one in dropped})
        for game_id in found:
            with contextlib.suppress(LogError, UpcastError):
                game = games.load(uow, game_id)
                if game.status == "running":
                    snapshots.keep(uow, game)
        is_told = bool(found) and not to_admins.was_told(service, uow, f"snapshots:{day}")
        if is_told:
            to_admins.queue(service, uow, key=f"snapshots:{day}", message=_dropped(found))
    service.store.refused.difference_update(refused)
    return is_told


def _dropped(found: list[GameId]) -> str:
    return (
        f"A snapshot in the database is not what this program wrote there, of {games.listed(found)}. It"
        " is not believed: the game is read from its log, and the snapshot is gone. A damaged disk does such a thing, a change of [service] key_file without"
        " old_key_files, or somebody who writes into the database: look with `pbem db check`. Others of"
        " today are in the log of the program alone."
    )
