"""Detect whether `pbem serve` runs on this database or on a copy.

A copy does not notify its players. This check prevents mistakes but is not a protection: the owner
of the machine can use another program, or make a copy look like the served database
(docs/fairness.md).
"""

from __future__ import annotations

import hashlib
import itertools
import os
import socket
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import engine
import pbem
from engine import registry
from pbem import resources
from pbem.errors import StoreError
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

SERVE = "serve"
"""Name of the heartbeat of any `pbem serve` on this database."""
PATIENCE = timedelta(minutes=5)
"""Age of a heartbeat, or of pending work, that indicates a problem."""
COPIED = "copied"
"""Name of the heartbeat entry that marks a database as a copy."""
_PREFIX = "served:"
"""Prefix of the heartbeat entry with the identity of the served database."""
_PROCESS = "process:"
"""Prefix of the heartbeat entry of each process that serves this database."""
_PROGRAM = "program:"
"""Prefix of the heartbeat entry for the program that a process runs.

Its fingerprint and the process follow.
"""
_FORGOTTEN = timedelta(hours=3)
"""Maximum age of a process's entry. It exceeds the interval `runner.LOOK_WHERE`."""
_EVER = datetime(1, 1, 1, tzinfo=UTC)


def require_live_database(uow: UnitOfWork) -> None:
    """Raise StoreError if this database is a copy, which must not be served or changed."""
    copied = uow.outages.last_beat(COPIED)
    if copied is not None:
        raise StoreError(
            f"this database is a copy that `pbem db backup` made at {copied:%Y-%m-%d %H:%M} UTC. Served"
            " as it is, it would send its mails again and play games in two versions, and of what an"
            " admin does or reveals in it no player would read. To look at it, `pbem db check` is"
            " enough; to play on from it, make sure that no other machine serves the old one, and run"
            " `pbem db restored`"
        )


def start(service: Service) -> list[str]:
    """Record that this process serves the database, and return the other processes that serve it.

    If there are none, messages that a killed process was sending are due at once. Otherwise they
    wait until their leases end, because another process may be sending them.
    """
    note(service)
    with service.store.unit_of_work() as uow:
        others = [name for name in processes(uow, service.now()) if name != _own_name()]
        if not others:
            uow.outbox.release_all()
    return others


def note(service: Service) -> None:
    """Record that this process serves this database, and delete outdated entries."""
    with service.store.unit_of_work() as uow:
        uow.outages.forget(_PROCESS, service.now() - _FORGOTTEN)
        uow.outages.note(_PROCESS + _own_name(), service.now())
        uow.outages.forget(_PROGRAM, service.now() - _FORGOTTEN)
        uow.outages.note(f"{_PROGRAM}{fingerprint()} {_own_name()}", service.now())
        for name in uow.outages.noted(_PREFIX, _EVER):
            uow.outages.forget_one(name)
        uow.outages.note(_PREFIX + service.store.identity(uow), service.now())


def processes(uow: UnitOfWork, now: datetime) -> list[str]:
    """List the `pbem serve` processes of this database, such as `4711 on myserver`.

    A killed process on another host is listed until its entry expires. A killed process on this
    host is not listed.
    """
    recorded = [
        name.removeprefix(_PROCESS) for name in uow.outages.noted(_PROCESS, now - _FORGOTTEN)
    ]
    return [name for name in recorded if not _is_gone(*name.split(" on ", 1))]


@cache
def fingerprint() -> str:
    """Return a hash of the program, its templates and the installed games, as of the first call."""
    code = [Path(str(package.__file__)).parent.rglob("*.py") for package in (engine, pbem)]
    files = [*itertools.chain(*code), *resources.templates_dir().rglob("*.*")]
    digest = hashlib.sha256("\n".join(package.pin for package in registry.installed()).encode())
    for file in sorted(files):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def outdated(uow: UnitOfWork, now: datetime) -> list[str]:
    """List the `pbem serve` processes that run a different program than this one.

    This happens if the program, its templates or its games were installed after a process started.
    """
    recorded = uow.outages.noted(_PROGRAM, now - _FORGOTTEN)
    others = {name.partition(" ")[2] for name in recorded}
    others -= {name.partition(" ")[2] for name in recorded if f":{fingerprint()} " in name}
    return [name for name in processes(uow, now) if name in others]


def _own_name() -> str:
    return f"{os.getpid()} on {socket.gethostname()}"


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
    """Warn an admin who reveals hidden cards if this database is a copy or is not being served.

    The players are not notified in these cases.
    """
    alive = uow.outages.last_beat(SERVE)
    known = uow.outages.noted(_PREFIX, _EVER)
    if known and _PREFIX + service.store.identity(uow) not in known:
        service.notice(
            "The players will not be notified, because this is a copy: `pbem serve` uses, or used, another"
            " database. Your access is recorded here, but the mails about it are sent only if `pbem serve`"
            " runs on this database."
        )
    elif not known or alive is None or service.now() - alive > PATIENCE:
        last = "none ever was"
        if known and alive is not None:
            last = f"the last one was alive at {alive:%Y-%m-%d %H:%M} UTC"
        service.notice(
            f"The players are not notified yet, because no `pbem serve` is running on this database ({last})."
            " Your access is recorded, and the mails about it are sent once one runs. If this is a copy,"
            " they are never sent."
        )
