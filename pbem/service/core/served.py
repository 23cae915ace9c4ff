"""The database that `pbem serve` works in; a copy sends its players nothing.

This keeps admins honest; it is not a lock. The owner of the machine can look with their own
program, or make a copy look like one that is served (docs/fairness.md).
"""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime, timedelta

from pbem.errors import StoreError
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

SERVE = "serve"
"""What beats: any `pbem serve` on this database; there is a gap where none was running."""
PATIENCE = timedelta(minutes=5)
"""What has waited longer should have been done."""
COPIED = "copied"
"""Name under which it is noted, beside the heartbeats, when a copy was made."""
_PREFIX = "served:"
"""Before the identity of a database, under which its being served is noted beside the heartbeats."""
_PROCESS = "process:"
"""Prefix of the process that serves this database, which is noted in the same place."""
_FORGOTTEN = timedelta(hours=3)
"""Longer than between two notes (`runner.LOOK_WHERE`)."""
_EVER = datetime(1, 1, 1, tzinfo=UTC)


def require_served_here(uow: UnitOfWork) -> None:
    """Refuse to serve, or to act in, a copy of a database. Raises: StoreError."""
    copied = uow.outages.last_beat(COPIED)
    if copied is not None:
        raise StoreError(
            f"this database is a copy that `pbem db backup` made at {copied:%Y-%m-%d %H:%M} UTC. Served"
            " as it is, it would send its mails again and play games in two versions, and of what an"
            " admin does or reveals in it no player would read. To look at it, `pbem db check` is"
            " enough; to play on from it, make sure that no other machine serves the old one, and run"
            " `pbem db restored`"
        )


def note(service: Service) -> None:
    """Note that this `pbem serve` works in this database, and not in an earlier one."""
    with service.store.unit_of_work() as uow:
        uow.outages.forget(_PROCESS, service.now() - _FORGOTTEN)
        uow.outages.note(f"{_PROCESS}{os.getpid()} on {socket.gethostname()}", service.now())
        for name in uow.outages.noted(_PREFIX, _EVER):
            uow.outages.forget_one(name)
        uow.outages.note(_PREFIX + service.store.identity(uow), service.now())


def processes(uow: UnitOfWork, now: datetime) -> list[str]:
    """List the processes of `pbem serve` that work in this database: `4711 on myserver`.

    One that was killed is listed until its notes are forgotten; one of this machine is not.
    """
    noted = [name.removeprefix(_PROCESS) for name in uow.outages.noted(_PROCESS, now - _FORGOTTEN)]
    return [name for name in noted if not _is_gone(*name.split(" on ", 1))]


def _is_gone(pid: str, host: str) -> bool:
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def tell(service: Service, uow: UnitOfWork) -> None:
    """Warn an admin who opens hidden cards if the players will not be told."""
    alive = uow.outages.last_beat(SERVE)
    known = uow.outages.noted(_PREFIX, _EVER)
    if known and _PREFIX + service.store.identity(uow) not in known:
        service.notice(
            "No player will be told of this: it is a copy. `pbem serve` works, or worked, in another database"
            " than this one. What you open is recorded here, but the mails that tell of it leave only if a"
            " `pbem serve` runs on this database."
        )
    elif not known or alive is None or service.now() - alive > PATIENCE:
        last = "none ever was"
        if known and alive is not None:
            last = f"the last one was alive at {alive:%Y-%m-%d %H:%M} UTC"
        service.notice(
            f"No player is told of this now: no `pbem serve` is at work in this database ({last}). What you"
            " open is recorded, and the mails that tell of it leave once one is. If this is a copy, they"
            " never do."
        )
