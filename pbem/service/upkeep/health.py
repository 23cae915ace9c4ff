"""Is the service well? What a monitor asks, from the database alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.errors import StoreError
from pbem.service.clock.pulses import Pulse
from pbem.service.core.context import Service
from pbem.service.upkeep import checks


@dataclass(frozen=True, slots=True)
class Health:
    """Figures (`checks.Figures` explains them), and what is wrong in words; nothing wrong = healthy.

    Attributes:
        disk_free: bytes on the disk of a SQLite database; None: it is elsewhere.
    """

    schema: str | None = None
    heartbeat: datetime | None = None
    unread: int = 0
    unsent: int = 0
    stuck: int = 0
    shunted: int = 0
    late: int = 0
    problems: tuple[str, ...] = ()
    pulses: tuple[Pulse, ...] = ()
    given_up: int = 0
    stopped: int = 0
    disk_free: int | None = None


def look(service: Service) -> Health:
    """Look at everything that should not wait. Raises: StoreError if the database is away."""
    state = service.store.schema_state()
    if not state.is_usable:
        wrong = f"the database has schema {state.current}, this program needs {state.expected}"
        return Health(state.current, problems=(wrong,))
    with service.store.reading() as uow:
        found = checks.figures(service, uow)
    return Health(
        schema=state.current,
        heartbeat=found.heartbeat,
        unread=found.unread,
        unsent=found.unsent,
        stuck=found.stuck,
        shunted=found.shunted,
        late=found.late,
        problems=tuple(
            f"{said}. {check.remedy}" for check, said in checks.troubles(found, checks.HEALTH)
        ),
        pulses=found.pulses,
        given_up=found.given_up,
        stopped=len(found.stopped),
        disk_free=None if found.room is None else found.room.free,
    )


def look_or_say(service: Service) -> Health:
    """Look; a database that is away is a problem like any other."""
    try:
        return look(service)
    except StoreError as error:
        room = checks.room(service)
        problems = tuple(filter(None, [str(error), checks.short_of_room(room)]))
        return Health(problems=problems, disk_free=None if room is None else room.free)
