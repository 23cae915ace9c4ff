"""Alerts to the admins by mail: one a day for each cause.

Alerts leave like all other mails. If no mail leaves at all, only a monitor that runs `pbem health`
notices.
"""

from __future__ import annotations

from datetime import datetime

from pbem.errors import UnboundError
from pbem.mail_out.kinds import ALERT
from pbem.service.core.context import Service
from pbem.service.notify import to_admins
from pbem.service.upkeep import health
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

AS_LONG = " You get this mail once a day, for as long as it lasts."


def look(service: Service, *, since: datetime) -> bool:
    """Tell the admins what needs their attention; return True if something was new.

    Args:
        service: the server's.
        since: when this program began to watch; earlier silence of the ways in does not count.
    """
    if not service.config.service.admins:
        return False
    day = f"{service.now():%Y-%m-%d}"
    with service.store.reading() as uow:
        found = health.counted(service, uow, since)
        untold = [
            (key, f"{said[:1].upper()}{said[1:]}. {check.remedy}")
            for check, said in health.troubles(found, health.ADMINS)
            if not to_admins.was_told(service, uow, key := f"{check.name}:{day}")
        ]
    if not untold:
        return False
    with service.store.unit_of_work() as uow:
        for key, message in untold:
            to_admins.queue(service, uow, key=key, message=message + AS_LONG)
    return True


def note_refused(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was refused for good, not because of its recipient."""
    _tell(service, uow, row, "refused", f"Mail {row.id} was refused for good ({error})")


def note_given_up(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was given up after days of trying."""
    _tell(service, uow, row, "given-up", f"Mail {row.id} was given up after days ({error})")


def note_unrendered(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail could not be written; it is stored and tried again."""
    _tell(
        service,
        uow,
        row,
        "unrendered",
        f"Mail {row.id} ({row.kind}) could not be written ({error}); it is kept and tried again. A"
        " template of your own may be broken: `pbem doctor` says where",
        status="pending",
    )


def note_unbound(service: Service, uow: UnitOfWork, error: UnboundError) -> None:
    """Tell the admins that a row does not fit its seal: another program wrote it."""
    to_admins.queue(
        service,
        uow,
        key=f"unbound:{error.table}:{error.row}:{service.now():%Y-%m-%d}",
        message=f"Somebody wrote into the database by other means than this program:"
        f" {_UNBOUND[error.table].format(row=error.row)} docs/keys.md tells what this means.{AS_LONG}",
    )


_UNBOUND = {
    "player": "a row of player {row}, or of an address of theirs, does not fit its seal. No mail from that"
    " address counts, and none leaves to it. `pbem db check` names all such rows. Ask the player in"
    ' another way than by mail which address is theirs; then "pbem player address {row} ADDRESS" puts'
    " it right.",
    "inbox": "mail {row} that came in does not fit its seal. It is set aside and cannot be handled again;"
    " `pbem mail shunted drop {row}` makes an end of it.",
    "outbox": "mail {row} that is to leave does not fit its seal. It is kept back;"
    " `pbem mail outbox cancel {row}` makes an end of it.",
}


def _tell(
    service: Service,
    uow: UnitOfWork,
    row: Outgoing,
    what: str,
    words: str,
    *,
    status: str = "failed",
) -> None:
    if row.kind == ALERT.name:
        return  # an alert about an alert would be one more alert
    to_admins.queue(
        service,
        uow,
        key=f"{what}:{service.now():%Y-%m-%d}",
        message=f"{words}; today's others may follow. `pbem mail outbox list --status {status}`"
        f" shows them.{_what_waits(row) if status == 'failed' else ''}",
        game_id=row.game_id,
    )


def _what_waits(row: Outgoing) -> str:
    """Say that a game waits for its turn mail, and what an admin can do."""
    if row.decision is None or row.game_id is None:
        return ""
    return (
        f" It tells seat {row.seat} of game {row.game_id} that it is to move, and nobody is late who never"
        " heard of it: the game waits, and the mail is written anew twice a day. If none of them gets"
        f' through, answer "bot {row.seat}" to have a bot play until the player writes, or "remove'
        f' {row.seat}" and why.'
    )
