"""Render claimed messages to bytes, several at a time.

A batch shares one read transaction, which neither waits for writers nor blocks them, and one short
write transaction that stores the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import structlog

from engine.sentences import sentence
from pbem.errors import RowVerificationError
from pbem.language import translate
from pbem.mail_out.compose import encrypted, without_words
from pbem.mail_out.kinds import ALERT, ANONYMOUS, KINDS, PING, TALK, TURN
from pbem.openpgp import OpenPgpError
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.letters import contents, pings, rendering
from pbem.service.notify import deliverability
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import normal_address
from pbem.store.post.pauses import NEXT_SERVER, REFUSED
from pbem.store.rows.core import OUTBOX, Advance, OutboxMail

log = structlog.get_logger(__name__)

UNLOCKABLE = sentence(
    "You asked for encrypted mails, and this one could not be encrypted, so its words are left out. Perhaps"
    ' your key has expired, or it is for another address of yours. Please reply with "encrypt on" in the'
    ' mail program that has your key, or with "encrypt off"; then "resend" brings what you have to answer.'
)
_OF_TALK = (TALK.name, ANONYMOUS.name)
"""Kinds of messages that always report the talk up to the time of sending."""
UNWANTED = "the reader cannot be reached, or wants no mails"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A claimed message: its bytes and recipient, or the reason why it is not sent now.

    Attributes:
        forms: its plain and HTML text (`outgoing.Said`).
        encrypt: encrypts the bytes for the recipient, or None to send them unencrypted.
        waits_until: end of the current pause of its domain or of the next server, or None.
        advances: log heads that this message is the first to report to its reader.
    """

    row: OutboxMail
    raw: bytes = field(default=b"", repr=False)
    forms: tuple[str, str] = field(default=("", ""), repr=False)
    rcpt_to: str = field(default="", repr=False)
    encrypt: Callable[[bytes], bytes] | None = None
    is_superseded: bool = False
    is_unwanted: bool = False
    waits_until: datetime | None = None
    advances: tuple[Advance, ...] = ()


def make_ready(service: Service, rows: Sequence[OutboxMail], until: datetime) -> list[Prepared]:
    """Render messages once and store their bytes. Return the messages to send.

    Messages that must not be sent now, or that another worker has claimed, are left out. Leases are
    extended until `until`.

    Raises:
        VersionConflictError: another worker stored a message to one of the readers in the meantime.
    """
    with service.store.reading() as uow:
        uow.players.preload_recipients([row.player_id for row in rows if row.player_id is not None])
        pauses = uow.pauses.running(service.now())
        prepared = [_prepare(service, uow, row, pauses) for row in rows]
    with service.store.unit_of_work() as uow:
        stored = [(mail, _store(uow, mail, until)) for mail in prepared]
    return [
        replace(
            mail,
            row=mail.row.changed(rendered=raw, lease_until=until),
            raw=raw if mail.encrypt is None else mail.encrypt(raw),
        )
        for mail, raw in stored
        if raw is not None
    ]


def domain_of(address: str) -> str:
    """Return the domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def is_superseded(uow: UnitOfWork, row: OutboxMail) -> bool:
    """True if a message is obsolete because its decision was made or another message reported it."""
    if row.kind in _OF_TALK:
        return not contents.has_talk(uow, row)
    if not KINDS[row.kind].dies_with_decision or row.game_id is None or row.seat is None:
        return False
    game = games.load(uow, row.game_id)
    if row.kind == TURN.name and row.version is not None and row.version < game.position:
        return True
    return game.seats[row.seat].decision != row.decision


def _prepare(
    service: Service, uow: UnitOfWork, row: OutboxMail, pauses: Mapping[str, datetime]
) -> Prepared:
    """Render a message that can be sent now.

    A paused message is not rendered yet, because earlier messages may report some of its content
    before it.

    Args:
        pauses: the running pauses with their ends. They do not concern pings.
    """
    if not row.fits:
        raise RowVerificationError(OUTBOX.name, row.id)
    if row.kind == PING.name:
        return _prepare_ping(service, uow, row)
    if row.kind in _OF_TALK and row.game_id is not None and row.rendered is None:
        row = row.changed(version=games.load(uow, row.game_id).version)  # the row may be old
    if is_superseded(uow, row):
        return Prepared(row, is_superseded=True)
    rcpt_to = row.rcpt_to or ""
    if row.player_id is not None and row.rcpt_to is None:
        rcpt_to = uow.players.recipient(row.player_id) or ""
    if (row.player_id is not None and not rcpt_to) or deliverability.is_unwanted(uow, row):
        return Prepared(row, is_unwanted=True)
    names = [domain_of(rcpt_to), NEXT_SERVER, *([] if row.kind == ALERT.name else [REFUSED])]
    if ends := [pauses[name] for name in names if name in pauses]:
        return Prepared(row, waits_until=max(ends))
    encrypt = _encryption(service, uow, row, rcpt_to)
    if row.rendered:
        return Prepared(row, row.rendered, rcpt_to=rcpt_to, encrypt=encrypt)
    raw, forms = rendering.render(service, uow, row, rcpt_to)
    advances = uow.reported_heads.pop_advances()
    return Prepared(row, raw, forms, rcpt_to, encrypt, advances=advances)


def _prepare_ping(service: Service, uow: UnitOfWork, row: OutboxMail) -> Prepared:
    params, player = PING.read(row.params), uow.players.get(row.player_id or "")
    if player is None or pings.is_over(uow, params, player):
        return Prepared(row, is_superseded=True)
    place = pings.destination_of(service, uow, params, player)
    if place is None:
        return Prepared(row, is_unwanted=True)
    raw = row.rendered or pings.render(service, uow, params, player)
    return Prepared(row, raw, rcpt_to=place)


def _encryption(
    service: Service, uow: UnitOfWork, row: OutboxMail, rcpt_to: str
) -> Callable[[bytes], bytes] | None:
    """Return a function that encrypts a message, or None to send it unencrypted.

    If encryption fails, the function returns an explanation instead of the content.
    """
    player = None if row.player_id is None else uow.players.get(row.player_id)
    is_clear = not KINDS[row.kind].is_theirs or row.params.get("is_clear")
    keyed = None if player is None or is_clear else uow.players.keyed(player)
    if player is None or keyed is None:
        return None
    key = keyed.key if keyed.address == normal_address(rcpt_to) else b""
    language, own_address = player.language, service.own_address
    secret = uow.players.own_secret(player.id, own_address) or b""

    def encrypt(raw: bytes) -> bytes:
        try:
            return encrypted(raw, own_address, key, secret)
        except OpenPgpError as error:
            log.warning(
                "mail not encrypted", action="encryption_failed", outbox=row.id, why=str(error)
            )
            return without_words(raw, translate(UNLOCKABLE, language))

    return encrypt


def _store(uow: UnitOfWork, mail: Prepared, until: datetime) -> bytes | None:
    """Store the result of preparing a message, and return the bytes to send.

    Returns None if the message is not sent, or if another worker has claimed it.
    """
    row = mail.row
    is_sent = not (mail.is_superseded or mail.is_unwanted or mail.waits_until)
    if is_sent and row.rendered is None:
        raw = uow.outbox.keep_rendered(row, mail.raw, until, mail.forms)
        if raw is mail.raw:
            uow.reported_heads.store(row.id, mail.advances)
        return raw
    if not uow.outbox.renew(row, until):
        return None
    if mail.is_superseded:
        uow.outbox.mark_superseded(row.id)
        if row.attempts == 1:  # it may have been rendered, but was never handed to a server
            uow.reported_heads.withdraw(row.player_id, row.id)
    elif mail.is_unwanted:
        uow.outbox.cancel(row.id, UNWANTED)
    elif mail.waits_until is not None:
        uow.outbox.put_off(row.id, mail.waits_until)
    return mail.raw if is_sent else None
