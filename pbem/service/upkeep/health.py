"""Is the service well? One look at the database, and a list of checks on it.

`pbem health`, the alerts to the admins and `pbem doctor` each print the rows of `CHECKS` that are
meant for them; a new check is one row. Checks that only the
doctor makes (files, mail servers) are in `doctor`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from pbem import openpgp
from pbem.domain.log.chain import GameId
from pbem.errors import StoreError
from pbem.service.clock import pulses
from pbem.service.clock.pulses import Pulse
from pbem.service.core import games, limits
from pbem.service.core.context import Service
from pbem.service.core.served import PATIENCE, SERVE
from pbem.service.notify import to_admins
from pbem.service.upkeep import guarding
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import REFUSED

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
        name: the thing that was checked.
        status: `ok`, `hint` (cannot be checked from here), `warn` or `fail`.
        text: the result; without a password, key or player's address.
        remedy: what to do about it; empty if nothing needs to be done.
    """

    name: str
    status: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """The bytes left on the disk of a SQLite database, out of `total`."""

    folder: Path
    free: int
    total: int

    @property
    def is_short(self) -> bool:
        """True if an admin has to make room soon."""
        return self.free <= max(LEAST, min(ENOUGH, SHARE * self.total))

    def __str__(self) -> str:
        return f"{self.folder}: {self.free / 1e9:.1f} GB are free of {self.total / 1e9:.0f} GB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The result of one look at the database and its disk, and the problems in words.

    Attributes:
        heartbeat: when a `pbem serve` was last alive; `is_served`: one is running now.
        unread: mails that came in and are not handled; `unhandled`: those of them that have waited
            for minutes.
        unsent: mails that have to leave; `stuck`: those of them that have failed for long;
            `waiting`: the stuck ones that are not alerts.
        shunted: mails that were set aside, mostly because our code failed on them.
        refused: how often in a row the next server refused us as a sender; 0 once it takes a mail.
        given_up: mails that were given up within a day, not because of their recipients.
        late: deadlines that are due and that the service has not looked at.
        stopped: games that cannot go on because their log, or our code, is at fault; `still`: which
            ones.
        pulses: every way in, and delivery, with their last sign of life.
        dead: names of the ways in that should have worked within the hour.
        unguarded: the guards of the log that are missing or changed.
        disk_free: bytes on the disk of a SQLite database; None if it is elsewhere.
        short_of: how much room is left, if that is too little.
        strangers: those answered within a day, if that is as many as are answered; otherwise 0.
        unencrypted: players who asked for encrypted mails and cannot get any.
        lost_pings: pings that were given up within a day; their players have the mails.
        problems: sentences for a monitor; empty if healthy.
    """

    schema: str | None = None
    heartbeat: datetime | None = None
    is_served: bool = False
    unread: int = 0
    unhandled: int = 0
    unsent: int = 0
    stuck: int = 0
    waiting: int = 0
    shunted: int = 0
    refused: int = 0
    given_up: int = 0
    late: int = 0
    stopped: int = 0
    still: tuple[GameId, ...] = ()
    pulses: tuple[Pulse, ...] = ()
    dead: tuple[str, ...] = ()
    unguarded: str | None = None
    disk_free: int | None = None
    short_of: str | None = None
    strangers: int = 0
    lost_pings: int = 0
    unencrypted: int = 0
    problems: tuple[str, ...] = ()


def look(service: Service) -> Health:
    """Look at everything that should not wait. Raises: StoreError (it is unreachable)."""
    state = service.store.schema_state()
    if not state.is_usable:
        wrong = f"the database has schema {state.current}, this program needs {state.expected}"
        return Health(schema=state.current, problems=(wrong,))
    with service.store.reading() as uow:
        found = replace(counted(service, uow), schema=state.current)
    said = [f"{words}. {check.remedy}" for check, words in troubles(found, HEALTH)]
    return replace(found, problems=tuple(said))


def look_or_say(service: Service) -> Health:
    """Look; an unreachable database is reported like any other problem."""
    try:
        return look(service)
    except StoreError as error:
        found = _of_disk(service)
        return replace(found, problems=(str(error), *filter(None, [_disk(found)])))


def counted(service: Service, uow: UnitOfWork, since: datetime | None = None) -> Health:
    """Count everything that should not wait.

    Args:
        service: the server's.
        uow: the database to look at.
        since: when this program began to watch; earlier silence of the ways in does not count.
    """
    now = service.now()
    limit, long_ago = now - PATIENCE, now - STUCK
    heartbeat, still = uow.outages.last_beat(SERVE), tuple(games.stopped(service, uow))
    signs = tuple(pulses.look(service, uow))
    last = {
        one.name: max(filter(None, [one.at, since]), default=None) for one in signs if one.is_late
    }
    return replace(
        _of_disk(service),
        heartbeat=heartbeat,
        is_served=heartbeat is not None and heartbeat >= limit,
        unread=uow.inbox.count("new"),
        unhandled=uow.inbox.count("new", limit),
        unsent=uow.outbox.count("pending"),
        stuck=uow.outbox.count("pending", long_ago),
        waiting=uow.outbox.count_waiting(long_ago),
        shunted=uow.inbox.count("shunted"),
        refused=uow.pauses.failures(REFUSED),
        given_up=uow.outbox.count_given_up(now - RECENT),
        late=uow.projections.count_late(limit),
        stopped=len(still),
        still=still,
        pulses=signs,
        dead=()
        if uow.outages.within(long_ago, now)
        else tuple(name for name, at in last.items() if at is None or at < long_ago),
        unguarded=guarding.unguarded(uow),
        strangers=_crowd(service, uow),
        lost_pings=uow.outbox.count_lost_pings(now - RECENT),
        unencrypted=_unencrypted(service, uow),
    )


def _unencrypted(service: Service, uow: UnitOfWork) -> int:
    if not uow.players.has_own_secret():
        return 0  # nobody has asked yet
    own, can = service.own_address, openpgp.is_there()
    return sum(
        not can or uow.players.own_secret(player_id, own) is None
        for player_id in uow.players.keyed_ids()
    )


def _crowd(service: Service, uow: UnitOfWork) -> int:
    """Count the strangers who were answered today, if no other one is without authentication; else 0."""
    answered = uow.outbox.count_to_strangers(service.now() - limits.DAY, prefix=limits.STRANGER)
    return answered if answered >= limits.strangers_for_all(service) else 0


def _of_disk(service: Service) -> Health:
    found = room(service)
    if found is None:
        return Health()
    return Health(disk_free=found.free, short_of=str(found) if found.is_short else None)


def database_file(service: Service) -> Path | None:
    """Return the file of a SQLite database; None for PostgreSQL."""
    url = service.store.db_engine.url
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def room(service: Service) -> Room | None:
    """Look at the disk of a SQLite database; None if that is not possible."""
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
        name: the thing that is checked; the admins get one alert a day about each.
        says: the problem, or None.
        remedy: the consequence of it, and what to do.
        hears: the hearers that have it on their list.
        status: how bad it is.
        well: the doctor's text if nothing is wrong.
    """

    name: str
    says: Callable[[Health], str | None]
    remedy: str
    hears: frozenset[str]
    status: str = WARN
    well: str = ""


def troubles(found: Health, hearer: str) -> Iterator[tuple[Check, str]]:
    """Yield the problems for a hearer, one of `DOCTOR`, `HEALTH` and `ADMINS`.

    Each is a row and its text.
    """
    for check in CHECKS:
        said = check.says(found) if hearer in check.hears else None
        if said is not None:
            yield check, said


def findings(found: Health) -> Iterator[Finding]:
    """Yield the doctor's lines."""
    said = {check.name: words for check, words in troubles(found, DOCTOR)}
    for check in CHECKS:
        if check.name in said:
            yield Finding(check.name, check.status, said[check.name], check.remedy)
        elif DOCTOR in check.hears:
            yield Finding(check.name, OK, check.well)


def alert(service: Service, *, since: datetime) -> bool:
    """Tell the admins what needs their attention; return True if something was new.

    Args:
        service: the server's.
        since: when this program began to watch; earlier silence of the ways in does not count.
    """
    if not service.config.service.admins:
        return False
    day = f"{service.now():%Y-%m-%d}"
    with service.store.reading() as uow:
        found = counted(service, uow, since)
        untold = [
            (key, f"{said[:1].upper()}{said[1:]}. {check.remedy}")
            for check, said in troubles(found, ADMINS)
            if not to_admins.was_told(service, uow, key := f"{check.name}:{day}")
        ]
    if not untold:
        return False
    with service.store.unit_of_work() as uow:
        for key, message in untold:
            to_admins.queue(service, uow, key=key, message=message + to_admins.AS_LONG)
    return True


def room_finding(found: Room | None) -> Iterator[Finding]:
    """Yield the doctor's line about the disk."""
    if found is not None:
        status = FAIL if found.free < LEAST else WARN if found.is_short else OK
        yield Finding("disk", status, str(found), "" if status == OK else MAKE_ROOM)


MAKE_ROOM = "Once it is full, no mail is taken in and every game stops: make room."


def _disk(found: Health) -> str | None:
    return found.short_of and f"the disk is nearly full: {found.short_of}"


def _count(name: str, many: str, one: str = "") -> Callable[[Health], str | None]:
    """Return a function that reports a count if it is not zero."""

    def says(found: Health) -> str | None:
        count: int = getattr(found, name)
        return f"{count} {one if count == 1 and one else many}" if count else None

    return says


def _serve(found: Health) -> str | None:
    if found.heartbeat is None:
        return "no `pbem serve` has ever run on this database"
    if not found.is_served:
        return f"no `pbem serve` has been alive since {found.heartbeat:%Y-%m-%d %H:%M} UTC"
    return None


def _stopped(found: Health) -> str | None:
    word = "game stands" if found.stopped == 1 else "games stand"
    return f"{found.stopped} {word} still: {games.listed([*found.still])}" if found.still else None


def _refused(found: Health) -> str | None:
    if not found.refused:
        return None
    times = "once" if found.refused == 1 else f"{found.refused} times in a row"
    return f"the next mail server refuses mails from this service: {times} so far"


def _late(name: str, found: Health) -> str | None:
    """Say since when a way in, or delivery, has given no sign of life."""
    late = [pulse for pulse in found.pulses if pulse.name == name and pulse.is_late]
    return _silent(late[0]) if late and found.is_served else None


def _dead(name: str, found: Health) -> str | None:
    """Say since when a way in should have worked."""
    said = [_silent(pulse) for pulse in found.pulses if pulse.name == name and name in found.dead]
    return f"the way in {said[0]}" if said else None


def _silent(pulse: Pulse) -> str:
    if pulse.at is None:
        return f"{pulse.name} has never worked yet"
    return f"{pulse.name} has not worked since {pulse.at:%Y-%m-%d %H:%M} UTC"


_WAYS = {
    pulses.LISTENER: "Mails that come by the listener, [listen], wait.",
    pulses.IMAP: "Mails in the mailbox, [imap], wait, and no deadline fires before they are read.",
    pulses.MAILDIR: "Mails in the folder, [maildir], wait, and no deadline fires before they are read.",
}
_TRY = "`pbem doctor` tries it and says what is wrong; so does the log of the program."
_ONE_STRANGER = "stranger was answered within a day, and no other one is"
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
    Check("disk", _disk, MAKE_ROOM, _BOTH),
    Check(
        "serve", _serve, "Start it.", frozenset({DOCTOR, HEALTH}), WARN, "`pbem serve` is at work"
    ),
    *(Check(name, partial(_late, name), _TRY, _MONITOR) for name in (pulses.DELIVERY, *_WAYS)),
    *(
        Check(f"way:{name}", partial(_dead, name), f"{waits} {_TRY}", frozenset({ADMINS}))
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
        _count(
            "waiting",
            "mails have waited to be handed on for an hour or longer",
            "mail has waited to be handed on for an hour or longer",
        ),
        "`pbem mail outbox list --status pending` shows which and why; `pbem mail outbox retry` tries"
        " all of them at once.",
        _BOTH,
    ),
    Check(
        "refused",
        _refused,
        "All mails but alerts wait, no player counts as unreachable for it, and one mail is tried every ten"
        " minutes or sooner. `pbem mail outbox list --status pending` shows the answer of the server, `pbem doctor"
        " --round-trip` tries it, `pbem mail outbox retry` tries all that waits.",
        frozenset({DOCTOR, HEALTH}),
        WARN,
        "the next server takes our mails",
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
        "`pbem mail shunted` says why: mostly because our program failed on them. Where it names a seat,"
        " no deadline of that seat fires before you have looked. Once the fault is repaired, `pbem mail"
        " shunted retry NUMBER` has a mail handled again, and `pbem mail shunted drop NUMBER` gives it"
        " up.",
        _BOTH,
    ),
    Check(
        "strangers",
        _count(
            "strangers", "strangers were answered within a day, and no other one is", _ONE_STRANGER
        ),
        "That is the limit, `[limits] strangers_per_day`, of which a fifth is kept for senders whose mail"
        " server vouches for them. `pbem mail inbox --status held` shows who was"
        " asked and has not said yes; who you block in `[service] blocked` gets no answer.",
        frozenset({DOCTOR, ADMINS}),
        well="below the limit of a day",
    ),
    Check(
        "lost pings",
        _count(
            "lost_pings", "pings could not be delivered within a day", "ping could not be delivered"
        ),
        "Mostly their places are gone; their players read that in the answer to `settings`. If it is"
        " all of them, see [pings] in the configuration.",
        frozenset({DOCTOR}),
        well="none within a day",
    ),
    Check(
        "encryption",
        _count(
            "unencrypted",
            "players asked for encrypted mails and get them without words",
            "player asked for encrypted mails and gets them without words",
        ),
        "Install the extra `openpgp` and start `pbem serve` again; if it is there, the service's own key is"
        " lost or its address has changed: their next `encrypt on` makes a new one.",
        frozenset({DOCTOR, HEALTH, ADMINS}),
        well="everybody who asked for encrypted mails can get them",
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
