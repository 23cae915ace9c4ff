"""Check and restore the triggers that protect the log against tampering."""

from __future__ import annotations

import structlog

from pbem.service.core.context import Service
from pbem.service.notify import to_admins
from pbem.store.db import guards
from pbem.store.db.uow import UnitOfWork

log = structlog.get_logger(__name__)


REMEDY = "Look with `pbem verify`, then put them back with `pbem db upgrade`."


def missing_triggers(uow: UnitOfWork) -> str | None:
    """Describe the log's triggers that are missing or changed, or None if all are intact."""
    names = guards.wrong(uow.connection)
    if not names:
        return None
    return (
        f"guards of the log are missing, off or changed: {', '.join(names)}, so somebody may have changed"
        " the log"
    )


def restore_triggers(service: Service, uow: UnitOfWork) -> None:
    """Recreate missing or changed triggers of the log. If there were any, alert the admins."""
    names = guards.restore_triggers(uow.connection)
    if not names:
        return
    now = service.now()
    log.warning(
        "recreated the triggers that protect the log", action="guards_put_back", guards=names
    )
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
