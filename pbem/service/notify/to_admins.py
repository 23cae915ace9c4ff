"""Mails to the admins of this server, and their secret reply addresses.

Alerts are told once a day for each cause, and leave like all other mails. If no mail leaves at all, only a
monitor that runs `pbem health` notices.
"""

from __future__ import annotations

import base64
import hashlib

from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import AdminToken
from pbem.errors import UnboundError
from pbem.mail_out.kinds import ALERT, AlertParams
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_to_address
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

MARK_LENGTH = 12
HINT = """\
You can answer this mail with orders, one on a line:
- "extend GAME 2d": more time for who is to act
- "pause GAME", "resume GAME": the clock
- "standby GAME SEAT": a cautious move for who let the time pass
- "bot GAME SEAT": a bot, until the player writes
- "remove GAME SEAT reason: ...": out of the game for good
- "resolve GAME NUMBER ...": a dispute, and what you decided
Leave GAME out where this mail is about one; SEAT may be a name. Behind
each may stand a reason. Every player reads what you did, and why.
"""
"""The end of every mail to an admin that does not answer a command."""
AS_LONG = " You get this mail once a day, for as long as it lasts."


def queue(
    service: Service,
    uow: UnitOfWork,
    *,
    key: str,
    message: str,
    game_id: GameId | None = None,
) -> None:
    """Queue an alert to all admins.

    Args:
        uow: the unit of work.
        service: of the server.
        key: names its subject.
        message: its text.
        game_id: the game of an answer that does not name one.
    """
    for address in sorted(service.config.service.admins):
        mail = Mailing(ALERT, AlertParams(message, game=game_id), _key(key, address))
        queue_to_address(service, uow, address, mail)


def answer(
    service: Service,
    uow: UnitOfWork,
    *,
    address: str,
    key: str,
    text: str,
    is_done: bool,
    game_id: GameId | None,
    answers: str | None,
) -> None:
    """Queue the answer to a mail of an admin."""
    title = "What you asked for is done" if is_done else "What you asked for was not done"
    params = AlertParams(title=title, text=f"{text}\n\n{'' if is_done else HINT}", game=game_id)
    queue_to_address(service, uow, address, Mailing(ALERT, params, key, answers))


def was_told(service: Service, uow: UnitOfWork, key: str) -> bool:
    """True if an alert with this key was queued to all admins."""
    return all(uow.outbox.has_key(_key(key, address)) for address in service.config.service.admins)


def note_refused(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was refused for good, not because of its recipient."""
    _tell_of(service, uow, row, "refused", f"Mail {row.id} was refused for good ({error})")


def note_given_up(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was given up after days of trying."""
    _tell_of(service, uow, row, "given-up", f"Mail {row.id} was given up after days ({error})")


def note_unrendered(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail could not be written; it is stored and tried again."""
    _tell_of(
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
    queue(
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


def _tell_of(
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
    queue(
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


def token_for(address: str, game_id: str | None) -> AdminToken:
    """Return the token of the mails to an admin.

    Only the address that it was made for can use it.
    """
    digest = hashlib.sha256(f"pbem-admin-v1\n{address.lower()}".encode()).digest()
    mark = base64.b32encode(digest).decode().lower()[:MARK_LENGTH]
    return AdminToken(mark, None if game_id is None else GameId(game_id))


def _key(key: str, address: str) -> str:
    return f"alert:{key}:{hashlib.sha256(address.encode()).hexdigest()[:16]}"
