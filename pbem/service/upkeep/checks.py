"""The list of checks on a service at work: what is looked at, what is said, and who hears of it.

`pbem health`, the alerts to the admins and `pbem doctor` each print the rows of `CHECKS` that are
meant for them; a new check is one row. What only the doctor looks at (files, mail servers) is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from pbem.domain.log.chain import GameId
from pbem.service.clock import pulses
from pbem.service.clock.pulses import Pulse
from pbem.service.core import stopped
from pbem.service.core.context import Service
from pbem.service.core.served import PATIENCE, SERVE
from pbem.service.upkeep import guarding
from pbem.store.db.uow import UnitOfWork

OK, HINT, WARN, FAIL = "ok", "hint", "warn", "fail"
DOCTOR, HEALTH, ADMINS = "doctor", "health", "admins"

STUCK = timedelta(hours=1)
"""A mail that could not be handed on, or a way in that did not work, for so long needs an admin."""
RECENT = timedelta(days=1)
"""For so long a mail that was given up is reported."""
SHARE = 0.05
LEAST, ENOUGH = 200_000_000, 1_000_000_000
"""Bytes: fewer are trouble on every disk; more on none, however small a share of it they are."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a check-up.

    Attributes:
        name: what was looked at.
        status: `ok`, `hint` (cannot be checked from here), `warn` or `fail`.
        text: how it is; holds no password, key or player's address.
        remedy: what to do about it; empty where nothing is to be done.
    """

    name: str
    status: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """What is left on the disk of a SQLite database, in bytes; `total` is the size of the disk."""

    folder: Path
    free: int
    total: int

    @property
    def is_short(self) -> bool:
        """True if somebody has to make room soon."""
        return self.free <= max(LEAST, min(ENOUGH, SHARE * self.total))

    def __str__(self) -> str:
        return f"{self.folder}: {self.free / 1e9:.1f} GB are free of {self.total / 1e9:.0f} GB"


@dataclass(frozen=True, slots=True)
class Figures:
    """What one look at the database and its disk found.

    Attributes:
        heartbeat: when a `pbem serve` was last alive.
        unread: mails that came in and are not handled; `unhandled`: of these, those of minutes ago.
        unsent: mails that are to leave; `stuck`: of these, those that fail for long; `waiting`: of
            those, the ones that are not alerts.
        shunted: mails that our code failed on.
        given_up: mails that were given up within a day, not because of who reads them.
        late: deadlines that nobody has looked at, though it is time.
        stopped: games that stand still because their log, or our code, is at fault.
        pulses: every way in, and delivery, with their last sign of life.
        dead: names of the ways in that should have worked within the hour.
        unguarded: which guards of the log are not as they should be.
        room: None where the disk is elsewhere.
    """

    now: datetime
    heartbeat: datetime | None
    unread: int
    unhandled: int
    unsent: int
    stuck: int
    waiting: int
    shunted: int
    given_up: int
    late: int
    stopped: tuple[GameId, ...]
    pulses: tuple[Pulse, ...]
    dead: frozenset[str]
    unguarded: str | None
    room: Room | None

    @property
    def is_served(self) -> bool:
        """True if a `pbem serve` is at work."""
        return self.heartbeat is not None and self.heartbeat >= self.now - PATIENCE


def figures(service: Service, uow: UnitOfWork, since: datetime | None = None) -> Figures:
    """Count everything that should not wait.

    Args:
        service: of the server.
        uow: where to look.
        since: when this program began to look: the ways in are blamed for nothing before that.
    """
    now = service.now()
    signs = tuple(pulses.look(service, uow))
    return Figures(
        now=now,
        heartbeat=uow.outages.last_beat(SERVE),
        unread=uow.counts.mails_in("new"),
        unhandled=uow.counts.mails_in("new", now - PATIENCE),
        unsent=uow.counts.mails_out("pending"),
        stuck=uow.counts.mails_out("pending", now - STUCK),
        waiting=uow.outbox.count_waiting(now - STUCK),
        shunted=uow.counts.mails_in("shunted"),
        given_up=uow.outbox.count_given_up(now - RECENT),
        late=uow.counts.due(now - PATIENCE),
        stopped=tuple(stopped.games(service, uow)),
        pulses=signs,
        dead=_dead(uow, signs, now - STUCK, now, since),
        unguarded=guarding.unguarded(uow),
        room=room(service),
    )


def _dead(
    uow: UnitOfWork,
    signs: tuple[Pulse, ...],
    limit: datetime,
    now: datetime,
    since: datetime | None,
) -> frozenset[str]:
    """Name what has not worked since `limit`; nothing if the service itself was away meanwhile."""
    instants = [(one.name, max(filter(None, [one.at, since]), default=None)) for one in signs]
    silent = [name for name, at in instants if at is None or at < limit]
    late = {one.name for one in signs if one.is_late}
    return frozenset() if uow.outages.within(limit, now) else frozenset(late.intersection(silent))


def database_file(service: Service) -> Path | None:
    """Return the file of a SQLite database; None for PostgreSQL."""
    url = service.store.db_engine.url
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def room(service: Service) -> Room | None:
    """Look at the disk of a SQLite database; None for PostgreSQL, or if the disk cannot be read."""
    file = database_file(service)
    if file is None:
        return None
    try:
        usage = shutil.disk_usage(file.parent)
    except OSError:
        return None
    return Room(file.parent, usage.free, usage.total)


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the list.

    Attributes:
        name: what is looked at; the admins get one alert a day of each.
        says: what is wrong, None if nothing is.
        remedy: what follows from it, and what to do.
        hears: whose list it is on.
        status: how bad it is.
        well: what the doctor says if nothing is wrong.
    """

    name: str
    says: Callable[[Figures], str | None]
    remedy: str
    hears: frozenset[str]
    status: str = WARN
    well: str = ""


def troubles(found: Figures, hearer: str) -> Iterator[tuple[Check, str]]:
    """Yield what is wrong, for one of `DOCTOR`, `HEALTH` and `ADMINS`: the row, and what it says."""
    for check in CHECKS:
        said = check.says(found) if hearer in check.hears else None
        if said is not None:
            yield check, said


def findings(found: Figures) -> Iterator[Finding]:
    """Yield the lines of the doctor."""
    said = {check.name: words for check, words in troubles(found, DOCTOR)}
    for check in CHECKS:
        if check.name in said:
            yield Finding(check.name, check.status, said[check.name], check.remedy)
        elif DOCTOR in check.hears:
            yield Finding(check.name, OK, check.well)


def room_finding(found: Room | None) -> Iterator[Finding]:
    """Yield the doctor's line about the disk."""
    if found is not None:
        status = FAIL if found.free < LEAST else WARN if found.is_short else OK
        yield Finding("disk", status, str(found), "" if status == OK else MAKE_ROOM)


MAKE_ROOM = "Once it is full, no mail is taken in and every game stops: make room."


def short_of_room(found: Room | None) -> str | None:
    """Say that the disk is nearly full."""
    return f"the disk is nearly full: {found}" if found is not None and found.is_short else None


def _count(name: str, many: str, one: str = "") -> Callable[[Figures], str | None]:
    """Return what says how many there are of something that should not be there."""

    def says(found: Figures) -> str | None:
        count: int = getattr(found, name)
        return f"{count} {one if count == 1 and one else many}" if count else None

    return says


def _serve(found: Figures) -> str | None:
    if found.heartbeat is None:
        return "no `pbem serve` has ever run on this database"
    if not found.is_served:
        return f"no `pbem serve` has been alive since {found.heartbeat:%Y-%m-%d %H:%M} UTC"
    return None


def _stopped(found: Figures) -> str | None:
    if not found.stopped:
        return None
    count, ids = len(found.stopped), stopped.listed([*found.stopped])
    return f"{count} {'game stands' if count == 1 else 'games stand'} still: {ids}"


def _late(name: str, found: Figures) -> str | None:
    return _silent(
        name, found, {one.name for one in found.pulses if one.is_late and found.is_served}
    )


def _dead_way(name: str, found: Figures) -> str | None:
    said = _silent(name, found, found.dead)
    return said and f"the way in {said}"


def _silent(name: str, found: Figures, silent: frozenset[str] | set[str]) -> str | None:
    at = {one.name: one.at for one in found.pulses if one.name in silent}
    if name not in at:
        return None
    last = at[name]
    if last is None:
        return f"{name} has never worked yet"
    return f"{name} has not worked since {last:%Y-%m-%d %H:%M} UTC"


_WAYS = {
    pulses.LISTENER: "Mails that come by the listener, [listen], wait.",
    pulses.IMAP: "Mails in the mailbox, [imap], wait, and no deadline fires before they are read.",
    pulses.MAILDIR: "Mails in the folder, [maildir], wait, and no deadline fires before they are read.",
}
_TRY = "`pbem doctor` tries it and says what is wrong; so does the log of the program."
_MONITOR, _BOTH = frozenset({HEALTH}), frozenset({HEALTH, ADMINS})

CHECKS = (
    Check(
        "guards",
        lambda found: found.unguarded,
        guarding.REMEDY,
        frozenset({DOCTOR, HEALTH, ADMINS}),
        FAIL,
        "the database refuses to change the log",
    ),
    Check("disk", lambda found: short_of_room(found.room), MAKE_ROOM, _BOTH),
    Check(
        "serve", _serve, "start it", frozenset({DOCTOR, HEALTH}), WARN, "`pbem serve` is at work"
    ),
    *(Check(name, partial(_late, name), _TRY, _MONITOR) for name in (pulses.DELIVERY, *_WAYS)),
    *(
        Check(f"way:{name}", partial(_dead_way, name), f"{waits} {_TRY}", frozenset({ADMINS}))
        for name, waits in _WAYS.items()
    ),
    Check(
        "unhandled",
        _count("unhandled", "mails came in and were not handled for minutes"),
        "The log of the program says why.",
        _MONITOR,
    ),
    Check(
        "stuck",
        _count("stuck", "mails could not be handed on for an hour or longer"),
        "`pbem mail outbox list --status pending` shows which and why.",
        _MONITOR,
    ),
    Check(
        "waiting",
        _count(
            "waiting",
            "mails have waited to be handed on for an hour or longer",
            "mail has waited to be handed on for an hour or longer",
        ),
        "`pbem mail outbox list --status pending` shows which and why; `pbem mail outbox retry` tries"
        " all of them at once.",
        frozenset({ADMINS}),
    ),
    Check(
        "given_up",
        _count("given_up", "mails were given up"),
        "`pbem mail outbox list --status failed` lists them.",
        _MONITOR,
    ),
    Check(
        "shunted",
        _count("shunted", "mails are set aside", "mail is set aside"),
        "Our program failed on them. Their players were told that you look at it, and no deadline of"
        " their seats fires before you have. `pbem mail shunted` shows where the fault is; once it is"
        " repaired, `pbem mail shunted retry NUMBER` has a mail handled again, and `pbem mail shunted"
        " drop NUMBER` gives it up.",
        _BOTH,
    ),
    Check(
        "late",
        _count("late", "deadlines or reminders are late"),
        "The log of the program says why.",
        _MONITOR,
    ),
    Check(
        "stopped",
        _stopped,
        "Their log or our program is at fault. Nobody is late there, and nothing happens either; they"
        " are tried again every hour. `pbem db check` looks at all logs; the log of the program names"
        " the fault.",
        _BOTH,
    ),
)
"""What is looked at, in the order in which it is told."""
