"""Render claimed messages to bytes, several at a time.

A batch shares one read transaction, which neither waits for writers nor blocks them, and one short
write transaction that stores the results.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from pbem.service.notify import reach
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import normal_address
from pbem.store.post.pauses import NEXT_SERVER, REFUSED
from pbem.store.rows.core import OUTBOX, Advance, Outgoing

log = structlog.get_logger(__name__)

UNLOCKABLE = sentence(
    "You asked for encrypted mails, and this one could not be encrypted, so its words are left out. Perhaps"
    ' your key has expired, or it is for another address of yours. Please reply with "encrypt on" in the'
    ' mail program that has your key, or with "encrypt off"; then "resend" brings what you have to answer.'
)
UNWANTED = "the reader cannot be reached, or wants no mails"


@dataclass(frozen=True, slots=True)
class Ready:
    """A message that can be sent.

    Attributes:
        row: the row with its bytes and current lease.
        raw: the bytes to send, either as stored or encrypted for the recipient.
        rcpt_to: the recipient's address.
    """

    row: Outgoing
    raw: bytes = field(repr=False)
    rcpt_to: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _EncryptionKeys:
    """The keys for encrypting a message: the recipient's and ours. Empty if unavailable."""

    key: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    own_address: str
    language: str


@dataclass(frozen=True, slots=True)
class _Looked:
    """A message after rendering: its bytes and recipient, or the reason why it is not sent.

    Attributes:
        forms: its plain and HTML text (`outgoing.Said`).
        keys: keys for encryption, or None to send it unencrypted.
        waits_until: end of the current pause of its domain or of the next server, or None.
        advances: log heads that this message is the first to report to its reader.
    """

    row: Outgoing
    raw: bytes = field(default=b"", repr=False)
    forms: tuple[str, str] = field(default=("", ""), repr=False)
    rcpt_to: str = field(default="", repr=False)
    keys: _EncryptionKeys | None = None
    is_superseded: bool = False
    is_unwanted: bool = False
    waits_until: datetime | None = None
    advances: tuple[Advance, ...] = ()


def make_ready(service: Service, rows: Sequence[Outgoing], until: datetime) -> list[Ready]:
    """Render messages once and store their bytes. Return the messages to send.

    Messages that must not be sent now, or that another worker has claimed, are left out. Leases are
    extended until `until`.

    Raises:
        VersionConflictError: another worker stored a message to one of the readers in the meantime.
    """
    with service.store.reading() as uow:
        uow.players.preload_recipients([row.player_id for row in rows if row.player_id is not None])
        looked = [_look(service, uow, row) for row in rows]
        domains = {domain_of(look.rcpt_to) for look in looked if look.row.kind != PING.name}
        pauses = uow.pauses.running(domains | {REFUSED}, service.now())
        looked = [_written(service, uow, look, pauses) for look in looked]
    with service.store.unit_of_work() as uow:
        ready = [(_settle(uow, look, until), look.keys) for look in looked]
    return [_encrypted(one, keys) for one, keys in ready if one is not None]


def domain_of(address: str) -> str:
    """Return the domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def is_superseded(uow: UnitOfWork, row: Outgoing) -> bool:
    """True if a message is obsolete because its decision was made or another message reported it."""
    if row.kind in (TALK.name, ANONYMOUS.name):
        return not contents.has_talk(uow, row)
    if not KINDS[row.kind].dies_with_decision or row.game_id is None or row.seat is None:
        return False
    game = games.load(uow, row.game_id)
    if row.kind == TURN.name and row.version is not None and row.version < game.position:
        return True
    return game.seats[row.seat].decision != row.decision


def _look(service: Service, uow: UnitOfWork, row: Outgoing) -> _Looked:
    if not row.fits:
        raise RowVerificationError(OUTBOX.name, row.id)
    if row.kind == PING.name:
        if pings.is_over(uow, row):
            return _Looked(row, is_superseded=True)
        place = pings.place_of(service, uow, row)
        return _Looked(row, is_unwanted=True) if place is None else _Looked(row, rcpt_to=place)
    row = _brought_up(uow, row)
    if is_superseded(uow, row):
        return _Looked(row, is_superseded=True)
    to = _recipient(uow, row)
    if to is None or reach.is_unwanted(uow, row):
        return _Looked(row, is_unwanted=True)
    return _Looked(row, rcpt_to=to, keys=_keys_for(service, uow, row, to))


def _keys_for(service: Service, uow: UnitOfWork, row: Outgoing, to: str) -> _EncryptionKeys | None:
    """Return the keys for encrypting a message, or None to send it unencrypted."""
    player = None if row.player_id is None else uow.players.get(row.player_id)
    is_clear = not KINDS[row.kind].is_theirs or row.params.get("is_clear")
    if player is None or player.openpgp is None or is_clear:
        return None
    keyed, own = uow.players.keyed(player), service.own_address
    is_for_it = keyed is not None and keyed.address == normal_address(to)
    key = keyed.key if keyed is not None and is_for_it else b""
    return _EncryptionKeys(key, uow.players.own_secret(player.id, own) or b"", own, player.language)


def _encrypted(ready: Ready, keys: _EncryptionKeys | None) -> Ready:
    """Encrypt a message. If that fails, send an explanation instead of its content."""
    if keys is None:
        return ready
    try:
        return replace(ready, raw=encrypted(ready.raw, keys.own_address, keys.key, keys.secret))
    except OpenPgpError as error:
        log.warning(
            "mail not encrypted", action="encryption_failed", outbox=ready.row.id, why=str(error)
        )
        return replace(ready, raw=without_words(ready.raw, translate(UNLOCKABLE, keys.language)))


def _written(
    service: Service, uow: UnitOfWork, look: _Looked, pauses: dict[str, datetime]
) -> _Looked:
    """Render a message that can be sent now.

    A paused message is not rendered yet, because earlier messages may report some of its content
    before it.
    """
    row = look.row
    if look.is_superseded or look.is_unwanted:
        return look
    if row.kind == PING.name:  # pings are sent even during pauses of messages
        return replace(look, raw=row.rendered or pings.render(service, uow, row))
    names = {domain_of(look.rcpt_to), NEXT_SERVER}
    if row.kind != ALERT.name:
        names.add(REFUSED)
    ends = [pauses.get(name) for name in names]
    if (end := max((end for end in ends if end is not None), default=None)) is not None:
        return replace(look, waits_until=end)
    if row.rendered:
        return replace(look, raw=row.rendered)
    raw, forms = rendering.render(service, uow, row, look.rcpt_to)
    return replace(look, raw=raw, forms=forms, advances=uow.reported_heads.pop_advances())


def _settle(uow: UnitOfWork, look: _Looked, until: datetime) -> Ready | None:
    """Store the result of rendering a message.

    Returns None if the message is not sent, or if another worker has claimed it.
    """
    row, raw = look.row, look.raw
    is_sent = not (look.is_superseded or look.is_unwanted or look.waits_until)
    if not is_sent or row.rendered is not None:
        if not uow.outbox.renew(row, until):
            return None
    else:
        kept = uow.outbox.keep_rendered(row, raw, until, look.forms)
        if kept is None:
            return None
        if kept is raw:
            uow.reported_heads.store(row.id, look.advances)
        raw = kept
    if look.is_superseded:
        uow.outbox.mark_superseded(row.id)
        if row.attempts == 1:  # it may have been rendered, but was never handed to a server
            uow.reported_heads.withdraw(row.player_id, row.id)
    elif look.is_unwanted:
        uow.outbox.cancel(row.id, UNWANTED)
    elif look.waits_until is not None:
        uow.outbox.put_off(row.id, look.waits_until)
    if not is_sent:
        return None
    return Ready(row.changed(rendered=raw, lease_until=until), raw, look.rcpt_to)


def _brought_up(uow: UnitOfWork, row: Outgoing) -> Outgoing:
    """Update an unsent talk message to the current version of its game, because it may be old."""
    if (
        row.kind not in (TALK.name, ANONYMOUS.name)
        or row.game_id is None
        or row.rendered is not None
    ):
        return row
    return row.changed(version=games.load(uow, row.game_id).version)


def _recipient(uow: UnitOfWork, row: Outgoing) -> str | None:
    if row.player_id is None or row.rcpt_to is not None:
        return row.rcpt_to or ""
    return uow.players.recipient(row.player_id)
