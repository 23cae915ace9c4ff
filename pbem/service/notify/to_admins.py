"""Alerts and answers to the admins of this server, and their reply addresses.

An alert is sent at most once a day for each cause. It uses the same path as all other messages, so
if no message can be sent at all, only a monitor that runs `pbem health` notices.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection

from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import AdminToken
from pbem.errors import RowVerificationError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_out.kinds import ALERT, AlertParams
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_to_address
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import OutboxMail

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
"""The end of every message to an admin that does not answer a command."""
MAX_QUOTED = 4000
"""Maximum number of quoted characters in an alert."""
AS_LONG = " You get this mail once a day, for as long as it lasts."


def queue(
    service: Service,
    uow: UnitOfWork,
    *,
    key: str,
    message: str,
    game_id: GameId | None = None,
    quoted: str = "",
    at_table: Collection[str] = (),
) -> None:
    """Queue an alert to all admins.

    Args:
        key: idempotency key without the address.
        message: its text.
        game_id: default game of orders in the reply.
        quoted: a player's private text, shown below the message.
        at_table: addresses that must not see this text, because it may reveal a hand.
    """
    text = None
    if quoted:
        lines = quoted[:MAX_QUOTED].strip().splitlines()
        text = "\n".join([*(f"> {line}" for line in lines), "", HINT])
    for address in sorted(service.config.service.admins):
        shown = None if address in at_table else text
        mail = Mailing(ALERT, AlertParams(message, text=shown, game=game_id), _key(key, address))
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
    """Queue the answer to an admin's message."""
    title = "What you asked for is done" if is_done else "What you asked for was not done"
    params = AlertParams(title=title, text=f"{text}\n\n{'' if is_done else HINT}", game=game_id)
    queue_to_address(service, uow, address, Mailing(ALERT, params, key, answers))


def was_alerted(service: Service, uow: UnitOfWork, key: str) -> bool:
    """True if an alert with this key was queued to all admins."""
    return all(uow.outbox.has_key(_key(key, address)) for address in service.config.service.admins)


_OTHERS = "; today's others may follow. `pbem mail outbox list --status {status}` shows them."
_FAILED = _OTHERS.format(status="failed") + "{waits}"

ALERTS = {
    "refused": "Mail {row.id} was refused for good ({error})" + _FAILED,
    "given-up": "Mail {row.id} was given up after days ({error})" + _FAILED,
    "unrendered": "Mail {row.id} ({row.kind}) could not be written ({error}); it is kept and tried again."
    " A template of your own may be broken: `pbem doctor` says where"
    + _OTHERS.format(status="pending"),
    "refused as sender": "The next mail server refuses mails from this service: mail {row.id}, {error}. No"
    " player counts as unreachable for it, and no turn mail is given up: all mails wait and are tried again"
    " after growing pauses. `pbem doctor --round-trip` shows whether a mail gets through;"
    " `pbem mail outbox list --status pending` lists what waits, and `pbem mail outbox retry` tries"
    " it at once. If only this one mail is refused while others leave, it is given up after days."
    f"{{waits}}{AS_LONG}",
    "unproven report": "A report ({result}) about mail {row.id} to player {row.player_id} came to another"
    " address than that mail's bounce address. Anybody who has seen the mail can write such a report, so it"
    " counts nothing; today's others may follow. `pbem mail inbox --status ignored` lists them. With"
    ' addressing = "plain" all reports come like this: if you believe it, write to the player, and'
    " `pbem game pause` stops the clock meanwhile.",
    "policy bounces": "Mails to several players came back within a day for reasons of policy ({status}). That"
    " is about this server and not about the players: nothing counts against them. Look at SPF, DKIM"
    " and DMARC of your domain, and at blocklists; docs/install.md tells how.",
    "unanswered": "The next mail server got whole mails and did not say whether it keeps them: it was silent"
    " for ten minutes, closed the connection, or gave no answer that means yes or no. This happened {count}"
    " times so far, now with mail {row.id}. Each attempt can bring its reader one more copy, so such a"
    " mail is tried again only every two hours. Ask who runs that server why it does not answer after a"
    " mail; a virus or spam scanner often is the cause. `pbem mail outbox cancel NUMBER --reason"
    f" TEXT` ends the attempts for a mail that has arrived.{AS_LONG}",
}
"""Texts of the alerts about outgoing messages, by the first part of their key.

`row` is the message. `waits` explains that its game waits for it.
"""


def alert(
    service: Service, uow: UnitOfWork, name: str, row: OutboxMail | None = None, **values: object
) -> None:
    """Queue an alert of `ALERTS`, at most once a day.

    Args:
        name: its name there.
        row: the message that it is about, or None.
        values: values of the text.
    """
    waits = "" if row is None else _waiting_text(row)
    queue(
        service,
        uow,
        key=f"{name}:{service.now():%Y-%m-%d}",
        message=ALERTS[name].format(row=row, waits=waits, **values),
        game_id=None if row is None else row.game_id,
    )


def alert_failed_verification(
    service: Service, uow: UnitOfWork, error: RowVerificationError
) -> None:
    """Alert that a row failed verification, because another program wrote it."""
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


def _waiting_text(row: OutboxMail) -> str:
    """Explain that a game waits for its turn message, and list an admin's options.

    Empty for other messages.
    """
    if row.decision is None or row.game_id is None:
        return ""
    return (
        f" It tells seat {row.seat} of game {row.game_id} that it is to move, and nobody is late who never"
        " heard of it: the game waits, and a mail that was given up is written anew twice a day. If none"
        f' gets through, answer "bot {row.seat}" to have a bot play until the player writes, or "remove'
        f' {row.seat}" and why.'
    )


VALID_DAYS = 14
"""How many days a message to an admin can be answered."""


def token_for(address: str, game_id: str | None, day: int, rotation: int) -> AdminToken:
    """Return the token of a message that is sent to an admin on a day.

    Only that address can use it, until the admin's reply addresses are revoked.
    """
    about = None if game_id is None else GameId(game_id)
    return AdminToken(_mark(address, rotation), about, day)


def why_void(service: Service, uow: UnitOfWork, token: AdminToken, mail: InboundMail) -> str | None:
    """Return why the reply to an admin's message has no effect, or an empty text if it has.

    None means that its sender is not the admin for whom the token was created. Tokens of version
    1.0 contain no day, so it is taken from the answered message if that can be identified.
    """
    address = (mail.sender or "").lower()
    if address not in service.config.service.admins:
        return None
    current = rotation(uow, address)
    if token.mark != _mark(address, current):
        earlier = [_mark(address, number) for number in range(current)]
        return _VOID if token.mark in earlier else None
    day = token.day
    if day is None:
        ids = service.tokens.stored_ids(mail.answers)
        days = [
            row.created_at.toordinal()
            for row in (uow.outbox.by_message_id(ids) if ids else ())
            if row.kind == ALERT.name and row.rcpt_to == address
        ]
        day = max(days, default=0)
    return "" if 0 <= service.now().toordinal() - day <= VALID_DAYS else _TOO_OLD


_VOID = "The mail that you answered is void: its reply address was replaced."
_TOO_OLD = f"The mail that you answered is too old: orders count for {VALID_DAYS} days."
FRESH = "Nothing was carried out. If you still want it, send your orders as a reply to this mail."


def rotation(uow: UnitOfWork, address: str) -> int:
    """Return how often an admin's reply addresses have been revoked."""
    newest = uow.outbox.newest_with_key(_void_key(address))
    return 0 if newest is None else int(newest.key.rpartition(":")[2])


def rotate(service: Service, uow: UnitOfWork, address: str) -> None:
    """Revoke an admin's reply addresses, and send them a new address.

    The key of that message contains the new rotation, so the message must not be deleted.
    """
    number = rotation(uow, address) + 1
    params = AlertParams(
        title="Your reply addresses were replaced",
        text="All reply addresses in earlier mails to you are void. Please answer this mail, or a"
        f" newer one.\n\n{HINT}",
    )
    queue_to_address(service, uow, address, Mailing(ALERT, params, f"{_void_key(address)}{number}"))


def _void_key(address: str) -> str:
    return f"admin-void:{_mark(address, 0)}:"


def _mark(address: str, number: int) -> str:
    text = f"pbem-admin-v1\n{address.lower()}"
    if number:
        text = f"{text}\n{number}"
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:MARK_LENGTH]


def _key(key: str, address: str) -> str:
    return f"alert:{key}:{hashlib.sha256(address.encode()).hexdigest()[:16]}"
