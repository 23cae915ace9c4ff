"""Is the service well? What a monitor asks, from the database alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.domain.log.chain import GameId
from pbem.errors import StoreError
from pbem.service.clock import pulses
from pbem.service.clock.pulses import Pulse
from pbem.service.core import stopped
from pbem.service.core.context import Service
from pbem.service.core.served import PATIENCE, SERVE
from pbem.service.upkeep import alerts, disk

RECENT = timedelta(days=1)
"""For so long a mail that was given up is told."""


@dataclass(frozen=True, slots=True)
class Health:
    """Figures, and what is wrong in words; nothing wrong = healthy.

    Attributes:
        heartbeat: when a `pbem serve` was last alive.
        unread: mails that came in and are not handled.
        unsent: mails that are to leave; `stuck`: of these, those that fail for long.
        shunted: mails that our code failed on.
        given_up: mails that were given up within a day, not because of who reads them.
        late: deadlines that nobody has looked at, though it is time.
        disk_free: bytes on the disk of a SQLite database; None: it is elsewhere.
        stopped: games that stand still because their log, or our code, is at fault.
        pulses: every way in, and delivery, with their last sign of life.
    """

    schema: str | None
    heartbeat: datetime | None
    unread: int
    unsent: int
    stuck: int
    shunted: int
    late: int
    problems: tuple[str, ...]
    pulses: tuple[Pulse, ...] = ()
    given_up: int = 0
    stopped: int = 0
    disk_free: int | None = None


def look(service: Service) -> Health:
    """Look at everything that should not wait. Raises: StoreError if the database is away."""
    state = service.store.schema_state()
    if not state.is_usable:
        wrong = f"the database has schema {state.current}, this program needs {state.expected}"
        return Health(state.current, None, 0, 0, 0, 0, 0, (wrong,))
    now = service.now()
    with service.store.reading() as uow:
        heartbeat = uow.outages.last_beat(SERVE)
        unread, old = (uow.counts.mails_in("new", at) for at in (None, now - PATIENCE))
        shunted = uow.counts.mails_in("shunted")
        unsent, stuck = (uow.counts.mails_out("pending", at) for at in (None, now - alerts.STUCK))
        late = uow.counts.due(now - PATIENCE)
        given_up = uow.outbox.count_given_up(now - RECENT)
        still = stopped.games(service, uow)
        signs = pulses.look(service, uow)
    room = disk.room(service)
    problems = _short_of_room(room)
    if heartbeat is None:
        problems.append("no `pbem serve` has ever run on this database")
    elif heartbeat < now - PATIENCE:
        problems.append(f"no `pbem serve` has been alive since {heartbeat:%Y-%m-%d %H:%M} UTC")
    else:
        problems += [_stuck(pulse) for pulse in signs if pulse.is_late]
    for count, what in (
        (old, "mails came in and were not handled for minutes"),
        (stuck, "mails could not be handed on for an hour or longer"),
        (given_up, "mails were given up: `pbem mail outbox list --status failed` lists them"),
        (shunted, "mails are shunted: `pbem mail shunted` lists them"),
        (late, "deadlines or reminders are late"),
    ):
        if count:
            problems.append(f"{count} {what}")
    if still:
        problems.append(_standing_still(still))
    return Health(
        state.current,
        heartbeat,
        unread,
        unsent,
        stuck,
        shunted,
        late,
        tuple(problems),
        tuple(signs),
        given_up,
        len(still),
        None if room is None else room.free,
    )


def _short_of_room(room: disk.Room | None) -> list[str]:
    if room is None or not room.is_short:
        return []
    return [f"the disk is nearly full, and a full one stops every game: {disk.told(room)}"]


def _standing_still(games: list[GameId]) -> str:
    return (
        f"{len(games)} games stand still, their log or our code is at fault ({stopped.listed(games)}):"
        " `pbem db check` looks at all logs, the log of the program says the rest"
    )


def _stuck(pulse: Pulse) -> str:
    if pulse.at is None:
        return f"{pulse.name} has never worked yet"
    return f"{pulse.name} has not worked since {pulse.at:%Y-%m-%d %H:%M} UTC"


def look_or_say(service: Service) -> Health:
    """Look; a database that is away is a problem like any other."""
    try:
        return look(service)
    except StoreError as error:
        room = disk.room(service)
        problems = (str(error), *_short_of_room(room))
        free = None if room is None else room.free
        return Health(None, None, 0, 0, 0, 0, 0, problems, disk_free=free)
