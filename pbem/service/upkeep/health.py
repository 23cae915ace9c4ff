"""Figures about the service's work, and checks on them.

`FIGURES` defines the contents of `pbem health --json` and of the metrics. `CHECKS` defines the
checks that `pbem health`, the alerts to admins and `pbem doctor` run. `doctor` and `doctor_mail`
define checks that only the doctor runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from pbem import openpgp
from pbem.errors import StoreError
from pbem.service.clock import heartbeats
from pbem.service.clock.heartbeats import Heartbeat
from pbem.service.core import games, limits
from pbem.service.core.context import Service
from pbem.service.core.live_database import PATIENCE, SERVE
from pbem.service.notify import to_admins
from pbem.service.upkeep import guarding
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import REFUSED

OK, HINT, WARN, FAIL = "ok", "hint", "warn", "fail"
DOCTOR, HEALTH, ADMINS = "doctor", "health", "admins"

STUCK = timedelta(hours=1)
"""Age of an unsent message or of a silent inbound transport that needs an admin's attention."""
RECENT = timedelta(days=1)
"""How long abandoned messages and pings are reported."""
TOLERANCE = timedelta(minutes=1)
"""Tolerated clock error."""
SHARE = 0.05
MIN, ENOUGH = 200_000_000, 1_000_000_000
"""Bytes of free disk space: below the first is always too little, above the second always enough."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a check's output.

    Attributes:
        name: the subject of the check.
        status: `ok`, `hint` (cannot be checked from here), `warn` or `fail`.
        text: the result, without passwords, keys or players' addresses.
        remedy: advice on fixing it, or empty.
    """

    name: str
    status: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """The free bytes on the disk of a SQLite database, out of `total`."""

    folder: Path
    free: int
    total: int

    @property
    def is_short(self) -> bool:
        """True if an admin has to free space soon."""
        return self.free <= max(MIN, min(ENOUGH, SHARE * self.total))

    def __str__(self) -> str:
        return f"{self.folder}: {self.free / 1e9:.1f} GB are free of {self.total / 1e9:.0f} GB"


@dataclass(frozen=True, slots=True)
class Look:
    """The input of figures and checks.

    Attributes:
        since: when this program started to watch. Silence of inbound transports before that does
            not count.
    """

    service: Service
    uow: UnitOfWork
    since: datetime | None = None

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  (each figure has a type of its own)
        """Return the figure with this name."""
        return FIGURES[name].look(self)

    def ago(self, time: timedelta) -> datetime:
        """Return the current time minus `time`."""
        return self.service.now() - time


@dataclass(frozen=True, slots=True)
class Figure:
    """A key of `pbem health --json`.

    Attributes:
        look: computes the value.
        empty: the value while the database is unavailable.
        metric: help text of `pbem_NAME` for Prometheus, or empty if it is no metric.
        unit: suffix of the metric's name.
    """

    look: Callable[[Look], Any]
    empty: object = 0
    metric: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A row of `CHECKS`.

    Attributes:
        look: yields the findings. The admins get one alert a day for each name.
        hears: which of `DOCTOR`, `HEALTH` and `ADMINS` get the findings.
    """

    look: Callable[[Look], Iterable[Finding]]
    hears: frozenset[str] = frozenset({DOCTOR})


@dataclass(frozen=True, slots=True)
class Health:
    """The figures by name, and the problems as sentences (empty if healthy)."""

    figures: Mapping[str, Any]
    problems: tuple[str, ...]


def compute_health(service: Service) -> Health:
    """Compute all figures and problems. Raises: StoreError if the database is unavailable."""
    state = service.store.schema_state()
    if not state.is_usable:
        wrong = f"the database has schema {state.current}, this program needs {state.expected}"
        return _without_database(service, wrong, schema=state.current)
    with service.store.reading() as uow:
        seen = Look(service, uow)
        figures = {name: figure.look(seen) for name, figure in FIGURES.items()}
        problems = tuple(f"{found.text}. {found.remedy}" for found in troubles(seen, HEALTH))
    return Health(figures, problems)


def check_safely(service: Service) -> Health:
    """Call `look`, but report an unavailable database as a problem instead of raising."""
    try:
        return compute_health(service)
    except StoreError as error:
        return _without_database(service, str(error))


def _without_database(service: Service, problem: str, **known: object) -> Health:
    empty = {name: figure.empty for name, figure in FIGURES.items()}
    short = [
        f"{trouble.text}. {trouble.remedy}" for trouble in disk(service) if trouble.status != OK
    ]
    known |= {"disk_free": _disk_free(service), "short_of": _short_of(service)}
    return Health(empty | known, (problem, *short))


def troubles(look: Look, hearer: str) -> Iterator[Finding]:
    """Yield the problems to report to `hearer`: `DOCTOR`, `HEALTH` or `ADMINS`."""
    for check in CHECKS:
        if hearer in check.hears:
            yield from (result for result in check.look(look) if result.status in (WARN, FAIL))


def alert(service: Service, *, since: datetime) -> bool:
    """Queue an alert to the admins for each new problem. Return whether any was new.

    Args:
        since: when this program started to watch. Silence of inbound transports before that does
            not count.
    """
    if not service.config.service.admins:
        return False
    day = f"{service.now():%Y-%m-%d}"
    with service.store.reading() as uow:
        new = [
            (key, f"{trouble.text[:1].upper()}{trouble.text[1:]}. {trouble.remedy}")
            for trouble in troubles(Look(service, uow, since), ADMINS)
            if not to_admins.was_alerted(service, uow, key := f"{trouble.name}:{day}")
        ]
    if not new:
        return False
    with service.store.unit_of_work() as uow:
        for key, message in new:
            to_admins.queue(service, uow, key=key, message=message + to_admins.AS_LONG)
    return True


# --- the disk -------------------------------------------------------------------------------------


def database_file(service: Service) -> Path | None:
    """Return the file of a SQLite database, or None for PostgreSQL."""
    url = service.store.db_engine.url
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def disk(service: Service) -> Iterator[Finding]:
    """Check the free disk space of a SQLite database."""
    room = _room(service)
    if room is not None and room.is_short:
        status = FAIL if room.free < MIN else WARN
        yield Finding(
            "disk",
            status,
            f"the disk is nearly full: {room}",
            "Once it is full, no mail is taken in and every game stops: make room.",
        )
    elif room is not None:
        yield Finding("disk", OK, str(room))


def _room(service: Service) -> Room | None:
    file = database_file(service)
    if file is None:
        return None
    try:
        usage = shutil.disk_usage(file.parent)
    except OSError:
        return None
    return Room(file.parent, usage.free, usage.total)


def _disk_free(service: Service) -> int | None:
    room = _room(service)
    return None if room is None else room.free


def _short_of(service: Service) -> str | None:
    room = _room(service)
    return str(room) if room is not None and room.is_short else None


# --- figures --------------------------------------------------------------------------------------


def _is_served(look: Look) -> bool:
    beat = look["heartbeat"]
    return beat is not None and beat >= look.ago(PATIENCE)


def _dead(look: Look) -> tuple[str, ...]:
    """Return the inbound transports silent for an hour, or none if the service was down."""
    limit = look.ago(STUCK)
    if look.uow.outages.within(limit, look.service.now()):
        return ()
    last = {
        heartbeat.name: max(filter(None, [heartbeat.at, look.since]), default=None)
        for heartbeat in look["pulses"]
        if heartbeat.is_late
    }
    return tuple(name for name, seen in last.items() if seen is None or seen < limit)


def _strangers(look: Look) -> int:
    """Return the number of unregistered senders answered in a day if the limit is reached, else 0."""
    answered = look.uow.outbox.count_to_strangers(look.ago(limits.DAY), prefix=limits.STRANGER)
    return answered if answered >= limits.strangers_for_all(look.service) else 0


def _unencrypted(look: Look) -> int:
    """Count the players who asked for encrypted messages and cannot get any."""
    players, own = look.uow.players, look.service.own_address
    if not players.has_own_secret():
        return 0  # no player has asked for encryption
    can = openpgp.is_there()
    return sum(
        not can or players.own_secret(player_id, own) is None for player_id in players.keyed_ids()
    )


FIGURES = {
    "schema": Figure(lambda look: look.service.store.schema_state().current, None),
    "heartbeat": Figure(lambda look: look.uow.outages.last_beat(SERVE), None),
    "is_served": Figure(_is_served, empty=False),
    "unread": Figure(
        lambda look: look.uow.inbox.count("new"),
        metric="Mails that came in and are not handled.",
    ),
    "unhandled": Figure(lambda look: look.uow.inbox.count("new", look.ago(PATIENCE))),
    "unsent": Figure(
        lambda look: look.uow.outbox.count("pending"), metric="Mails that are to leave."
    ),
    "stuck": Figure(
        lambda look: look.uow.outbox.count("pending", look.ago(STUCK)),
        metric="Mails that could not be handed on for an hour or longer.",
    ),
    # stuck messages except alerts
    "waiting": Figure(lambda look: look.uow.outbox.count_waiting(look.ago(STUCK))),
    "shunted": Figure(
        lambda look: look.uow.inbox.count("shunted"), metric="Mails that our code failed on."
    ),
    # consecutive rejections by the next server, reset when it accepts a message
    "refused": Figure(lambda look: look.uow.pauses.failures(REFUSED)),
    # within a day, for reasons other than the recipient
    "given_up": Figure(
        lambda look: look.uow.outbox.count_given_up(look.ago(RECENT)),
        metric="Mails that were given up within a day.",
    ),
    "late": Figure(
        lambda look: look.uow.projections.count_late(look.ago(PATIENCE)),
        metric="Deadlines and reminders that nobody has looked at, though it is time.",
    ),
    "stopped": Figure(
        lambda look: len(look["still"]),
        metric="Games that stand still because their log, or our code, is at fault.",
    ),
    "still": Figure(lambda look: tuple(games.stopped(look.service, look.uow)), ()),
    "pulses": Figure(
        lambda look: tuple(heartbeats.expected_heartbeats(look.service, look.uow)), ()
    ),
    "dead": Figure(_dead, ()),
    "unguarded": Figure(lambda look: guarding.missing_triggers(look.uow), None),
    "disk_free": Figure(
        lambda look: _disk_free(look.service),
        None,
        "Bytes that are free on the disk of the database.",
        "bytes",
    ),
    "short_of": Figure(lambda look: _short_of(look.service), None),
    "strangers": Figure(_strangers),
    "lost_pings": Figure(lambda look: look.uow.outbox.count_lost_pings(look.ago(RECENT))),
    "unencrypted": Figure(_unencrypted),
}
"""The figures, by their key in `pbem health --json`."""


# --- checks ---------------------------------------------------------------------------------------


def sentence_check(
    name: str,
    says: Callable[[Look], str | None],
    remedy: str,
    hears: frozenset[str],
    *,
    status: str = WARN,
    well: str = "",
) -> Check:
    """Create a check whose problem is described in a sentence.

    Args:
        says: returns the problem as a sentence, or None.
        remedy: the consequences, and advice.
        status: status of the problem.
        well: text that the doctor prints if there is no problem.
    """

    def finding(look: Look) -> Iterator[Finding]:
        problem = says(look)
        if problem is not None:
            yield Finding(name, status, problem, remedy)
        elif well:
            yield Finding(name, OK, well)

    return Check(finding, hears)


def count_of(figure: str, many: str, singular: str = "") -> Callable[[Look], str | None]:
    """Return a function that describes a figure in words, or returns None if it is zero."""

    def says(look: Look) -> str | None:
        count: int = look[figure]
        return f"{count} {singular if count == 1 and singular else many}" if count else None

    return says


def _serve(look: Look) -> str | None:
    if look["is_served"]:
        return None
    if look["heartbeat"] is None:
        return "no `pbem serve` has ever run on this database"
    return f"no `pbem serve` has been alive since {look['heartbeat']:%Y-%m-%d %H:%M} UTC"


def _stopped(look: Look) -> str | None:
    still = look["still"]
    word = "game stands" if len(still) == 1 else "games stand"
    return f"{len(still)} {word} still: {games.listed([*still])}" if still else None


def _refused(look: Look) -> str | None:
    count = look["refused"]
    times = "once" if count == 1 else f"{count} times in a row"
    return (
        f"the next mail server refuses mails from this service: {times} so far" if count else None
    )


def _late(name: str, look: Look) -> str | None:
    """Report since when a transport or the delivery has had no heartbeat."""
    late = [
        heartbeat for heartbeat in look["pulses"] if heartbeat.name == name and heartbeat.is_late
    ]
    return _silent(late[0]) if late and look["is_served"] else None


def _transport_trouble(name: str, look: Look) -> str | None:
    """Report since when an inbound transport has not worked."""
    silent = [_silent(heartbeat) for heartbeat in look["pulses"] if heartbeat.name == name]
    return f"the way in {silent[0]}" if silent and name in look["dead"] else None


def _silent(heartbeat: Heartbeat) -> str:
    if heartbeat.at is None:
        return f"{heartbeat.name} has never worked yet"
    return f"{heartbeat.name} has not worked since {heartbeat.at:%Y-%m-%d %H:%M} UTC"


_WAYS = {
    heartbeats.LISTENER: "Mails that come by the listener, [listen], wait.",
    heartbeats.IMAP: "Mails in the mailbox, [imap], wait, and no deadline fires before they are read.",
    heartbeats.MAILDIR: "Mails in the folder, [maildir], wait, and no deadline fires before they are read.",
}
_TRY = "`pbem doctor` tries it and says what is wrong; so does the log of the program."
_ONE_STRANGER = "stranger was answered within a day, and no other one is"
_MONITOR, _BOTH = frozenset({HEALTH}), frozenset({HEALTH, ADMINS})

CHECKS = (
    sentence_check(
        "guards",
        lambda look: look["unguarded"],
        guarding.REMEDY,
        frozenset({DOCTOR, HEALTH, ADMINS}),
        status=FAIL,
        well="the database refuses to change the log",
    ),
    Check(lambda look: disk(look.service), _BOTH),
    sentence_check(
        "serve", _serve, "Start it.", frozenset({DOCTOR, HEALTH}), well="`pbem serve` is at work"
    ),
    *(
        sentence_check(name, partial(_late, name), _TRY, _MONITOR)
        for name in (heartbeats.DELIVERY, *_WAYS)
    ),
    *(
        sentence_check(
            f"way:{name}", partial(_transport_trouble, name), f"{waits} {_TRY}", frozenset({ADMINS})
        )
        for name, waits in _WAYS.items()
    ),
    sentence_check(
        "unhandled",
        count_of("unhandled", "mails came in and were not handled for minutes"),
        "The log of the program says why.",
        _MONITOR,
    ),
    sentence_check(
        "stuck",
        count_of(
            "waiting",
            "mails have waited to be handed on for an hour or longer",
            "mail has waited to be handed on for an hour or longer",
        ),
        "`pbem mail outbox list --status pending` shows which and why; `pbem mail outbox retry` tries"
        " all of them at once.",
        _BOTH,
    ),
    sentence_check(
        "refused",
        _refused,
        "All mails but alerts wait, no player counts as unreachable for it, and one mail is tried every ten"
        " minutes or sooner. `pbem mail outbox list --status pending` shows the answer of the server, `pbem doctor"
        " --round-trip` tries it, `pbem mail outbox retry` tries all that waits.",
        frozenset({DOCTOR, HEALTH}),
        well="the next server takes our mails",
    ),
    sentence_check(
        "given_up",
        count_of("given_up", "mails were given up"),
        "`pbem mail outbox list --status failed` lists them.",
        _MONITOR,
    ),
    sentence_check(
        "shunted",
        count_of("shunted", "mails are set aside", "mail is set aside"),
        "`pbem mail shunted` says why: mostly because our program failed on them. Where it names a seat,"
        " no deadline of that seat fires before you have looked. Once the fault is repaired, `pbem mail"
        " shunted retry NUMBER` has a mail handled again, and `pbem mail shunted drop NUMBER` gives it"
        " up.",
        _BOTH,
    ),
    sentence_check(
        "strangers",
        count_of(
            "strangers", "strangers were answered within a day, and no other one is", _ONE_STRANGER
        ),
        "That is the limit, `[limits] strangers_per_day`, of which a fifth is kept for senders whose mail"
        " server vouches for them. `pbem mail inbox --status held` shows who was"
        " asked and has not said yes; who you block in `[service] blocked` gets no answer.",
        frozenset({DOCTOR, ADMINS}),
        well="below the limit of a day",
    ),
    sentence_check(
        "lost pings",
        count_of(
            "lost_pings", "pings could not be delivered within a day", "ping could not be delivered"
        ),
        "Mostly their places are gone; their players read that in the answer to `settings`. If it is"
        " all of them, see [pings] in the configuration.",
        frozenset({DOCTOR}),
        well="none within a day",
    ),
    sentence_check(
        "encryption",
        count_of(
            "unencrypted",
            "players asked for encrypted mails and get them without words",
            "player asked for encrypted mails and gets them without words",
        ),
        "Install the extra `openpgp` and start `pbem serve` again; if it is there, the service's own key is"
        " lost or its address has changed: their next `encrypt on` makes a new one.",
        frozenset({DOCTOR, HEALTH, ADMINS}),
        well="everybody who asked for encrypted mails can get them",
    ),
    sentence_check(
        "late",
        count_of("late", "deadlines or reminders are late"),
        "The log of the program says why.",
        _MONITOR,
    ),
    sentence_check(
        "stopped",
        _stopped,
        "Their log or our program is at fault. Nobody is late there, and nothing happens either; they"
        " are tried again every hour. `pbem db check` looks at all logs; the log of the program names"
        " the fault.",
        _BOTH,
    ),
)
"""All checks, in the order of output."""
