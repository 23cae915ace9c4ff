"""Incoming messages, stored as received under an idempotency key.

Work is claimed *per game*, oldest message first, so that two workers never reorder the messages of
a seat: a worker holds the game's lock (`UnitOfWork.lock_game`) and calls `next_open`. Messages that
name no game are claimed one at a time.

Rows are read with SQLAlchemy Core and decrypted before an `InboxMail` is created from them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    RowMapping,
    Select,
    bindparam,
    func,
    select,
)

from engine.api import JsonObject
from pbem.domain.log.chain import GameId
from pbem.errors import KeyMissingError, StoreError
from pbem.store.rows.core import (
    INBOX,
    INBOX_OPEN,
    MAIL,
    OPEN_STATUSES,
    WAITING_STATUSES,
    InboxMail,
)
from pbem.store.rows.texts import (
    dump,
    insert_in,
    load_object,
    spelt,
    storable,
    storable_or_none,
)
from pbem.store.seal.binding import BOUND, bound_in, sign_row
from pbem.store.seal.envelope import Envelopes, SealedTables
from pbem.store.seal.packing import unpack_facts

STATUSES = ("new", "done", "ignored", "held", "asked", "shunted", "dropped")
"""Statuses of incoming messages.

A `held` message has had no effect yet. An `asked` message has had all its effects except those that
its player has to confirm.
"""
LONGEST_KEY = 200
RAW = "inbox.raw"
SEALED_TEXTS = ("mail_from", "rcpt_to", "verdict", "error", "sender", "authentication")
"""Encrypted columns: addresses, which can contain tokens, and texts derived from messages."""

_ENTRY_COLUMNS = tuple(column for column in INBOX.c if column.name != "raw")
_MAIL = select(*_ENTRY_COLUMNS, INBOX.c.raw)
_BY_ID = _MAIL.where(INBOX.c.id == bindparam("mail_id"))
_ENTRY = select(*_ENTRY_COLUMNS).where(INBOX.c.id == bindparam("mail_id"))
_CLAIM = _BY_ID.where(INBOX.c.status == spelt("new")).with_for_update(skip_locked=True)
_OLDEST = (
    _MAIL.where(INBOX.c.status == spelt("new")).order_by(INBOX.c.arrived_at, INBOX.c.id).limit(1)
)
_OLDEST_OF_NONE = _OLDEST.where(INBOX.c.game_id.is_(None)).with_for_update(skip_locked=True)
_OLDEST_OF_GAME = _OLDEST.where(INBOX.c.game_id == bindparam("game_id")).with_for_update()
_ARRIVED_FIRST = func.min(INBOX.c.arrived_at)
_OPEN_GAMES = (
    select(INBOX.c.game_id, func.min(INBOX.c.id), _ARRIVED_FIRST)
    .where(INBOX.c.status == spelt("new"), INBOX.c.game_id.is_not(None))
    .group_by(INBOX.c.game_id)
    .order_by(_ARRIVED_FIRST, func.min(INBOX.c.id))
    .limit(bindparam("most"))
)
_OPEN_WITHOUT_GAME = (
    select(INBOX.c.game_id, INBOX.c.id, INBOX.c.arrived_at)
    .where(INBOX.c.status == spelt("new"), INBOX.c.game_id.is_(None))
    .order_by(INBOX.c.arrived_at, INBOX.c.id)
    .limit(bindparam("most"))
)
_BOUND = select(*BOUND[INBOX], INBOX.c.bound).where(INBOX.c.id == bindparam("mail_id"))
_RAW = select(INBOX.c.raw, INBOX.c.raw_sha256).where(INBOX.c.key == bindparam("key"))
_CHANGE = (
    INBOX.update()
    .where(INBOX.c.id == bindparam("mail_id"))
    .values(attempts=INBOX.c.attempts + bindparam("tries"))
)
"""Statement that updates a message, built once because every message is updated twice.

Callers pass further columns as parameters.
"""


def mails_of(player_id: ColumnElement[Any]) -> Select[int]:
    """Return a query that counts a player's handled messages after the parameter `since`."""
    return (
        select(func.count())
        .select_from(INBOX)
        .where(
            INBOX.c.player_id == player_id,
            INBOX.c.arrived_at > bindparam("since"),
            INBOX.c.status.in_(("done", "asked")),
        )
    )


_COUNT = mails_of(bindparam("player_id"))
_COUNT_IN_GAME = _COUNT.where(INBOX.c.game_id == bindparam("game_id"))
_COUNT_OUTSIDE = _COUNT.where(INBOX.c.game_id.is_(None))
_EARLIER = (
    select(INBOX.c.id)
    .where(INBOX.c.player_id == bindparam("player_id"), INBOX.c.arrived_at <= bindparam("until"))
    .limit(1)
)


@cache
def _keep(dialect: str) -> Insert:
    insert = insert_in(dialect, INBOX)
    return insert.on_conflict_do_nothing(index_elements=[INBOX.c.key]).returning(INBOX.c.id)


@dataclass(frozen=True, slots=True)
class PendingWork:
    """Work that a worker can claim: a game with new messages, or a message that names no game.

    Attributes:
        mail_id: the oldest new message.
    """

    game_id: GameId | None
    mail_id: int


class Inbox(SealedTables):
    """Access to the inbox within one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        super().__init__(connection, envelopes)
        # Rows read or written so far, by ID, with at least the signed columns and `bound`.
        self._rows: dict[int, Mapping[Any, Any]] = {}

    def add(self, mail: InboxMail) -> int | None:
        """Store a message. Its sender must not receive an SMTP acceptance before the commit.

        Returns:
            The message's ID, or None if the key already exists. Nothing is changed in that case.
        """
        key = storable_key(mail.key)
        row = mail.columns() | {
            "key": key,
            "raw": self._envelopes.seal_mail(mail.raw, RAW, key),
            "raw_sha256": hashlib.sha256(mail.raw).hexdigest(),
            "mail_from": self._sealed("mail_from", key, storable_or_none(mail.mail_from)),
            "rcpt_to": self._sealed("rcpt_to", key, storable_or_none(mail.rcpt_to)),
        }
        del row["id"]  # assigned by the database
        keep = _keep(self._connection.dialect.name)
        mail_id: int | None = self._connection.execute(keep, row).scalar_one_or_none()
        if mail_id is not None:
            self._rows[mail_id] = row = {**row, "id": mail_id}
            # The signature covers the ID.
            self._write(mail_id, bound=sign_row(self._envelopes, INBOX, row))
        return mail_id

    def raw_of(self, key: str) -> tuple[bytes, str]:
        """Return the bytes and SHA-256 of the message with this key.

        The bytes are empty if they cannot be decrypted. Both are empty if there is no such message.
        """
        key = storable_key(key)
        row = self._connection.execute(_RAW, {"key": key}).one_or_none()
        if row is None:
            return b"", ""
        try:
            return self._bytes(row.raw, key), row.raw_sha256
        except KeyMissingError:
            return b"", row.raw_sha256

    def with_key(self, key: str) -> InboxMail | None:
        """Return the message with this key, without its bytes, or None."""
        query = select(*_ENTRY_COLUMNS).where(INBOX.c.key == storable_key(key))
        row = self._connection.execute(query).mappings().one_or_none()
        return None if row is None else self._opened(row, is_listed=True)

    def count_by(self, transport: str, game_id: GameId, seat: int | None, since: datetime) -> int:
        """Count a game's messages that arrived through a transport after a time.

        Args:
            seat: count the messages of this seat, or with None those without a seat.
        """
        query = select(func.count()).where(
            INBOX.c.game_id == game_id,
            INBOX.c.seat == seat,
            INBOX.c.transport == transport,
            INBOX.c.arrived_at > since,
        )
        return self._connection.execute(query).scalar_one()

    def open_games(self, limit: int) -> list[PendingWork]:
        """List pending work, longest waiting first.

        Other workers may already have claimed some of it.
        """
        games = [
            row
            for query in (_OPEN_GAMES, _OPEN_WITHOUT_GAME)
            for row in self._connection.execute(query, {"most": limit})
        ]
        rows = sorted(games, key=lambda row: (row[2], row[1]))
        return [PendingWork(game_id=row[0], mail_id=row[1]) for row in rows[:limit]]

    def next_open(self, game_id: GameId | None) -> InboxMail | None:
        """Claim and lock the oldest new message of a game, or return None if there is none.

        The caller must hold the game's lock. With `game_id` None, claims the oldest message that
        names no game and that no other worker has claimed.
        """
        if game_id is None:
            return self._open_row(_OLDEST_OF_NONE, {})
        return self._open_row(_OLDEST_OF_GAME, {"game_id": game_id})

    def claim(self, mail_id: int) -> InboxMail | None:
        """Claim a message. Return None if it is no longer new, or if another worker has claimed it."""
        return self._open_row(_CLAIM, {"mail_id": mail_id})

    def get(self, mail_id: int) -> InboxMail | None:
        """Return a message of any status, or None."""
        row = self._row(_BY_ID, {"mail_id": mail_id})
        return None if row is None else self._opened(row)

    def entry(self, mail_id: int) -> InboxMail | None:
        """Return a message without its bytes, or None."""
        row = self._row(_ENTRY, {"mail_id": mail_id})
        return None if row is None else self._opened(row)

    def get_known(self, mail_id: int) -> InboxMail | None:
        """Return a message or None. Omit its bytes if their encryption key is missing."""
        try:
            return self.get(mail_id)
        except KeyMissingError:
            row = self._connection.execute(_ENTRY, {"mail_id": mail_id}).mappings().one()
            return self._opened(row, is_listed=True)

    def mark(
        self,
        mail_id: int,
        status: str,
        *,
        verdict: JsonObject | None = None,
        error: str | None = None,
        handled_at: datetime | None = None,
    ) -> None:
        """Set a message's status. The status `new` causes it to be handled again.

        Raises: StoreError if the status or the message does not exist.
        """
        if status not in STATUSES:
            raise StoreError(f"{status!r} is no status of an incoming mail")
        key = self._key_of(mail_id)
        verdict_text = None if verdict is None else dump(verdict)
        self._change(
            mail_id,
            tries=int(status != "new"),
            status=status,
            verdict=self._sealed("verdict", key, verdict_text),
            error=self._sealed("error", key, storable_or_none(error)),
            handled_at=handled_at,
        )

    def assign(self, mail_id: int, game_id: GameId, seat: int | None) -> None:
        """Set a message's game and seat if they are determined after it was stored."""
        self._change(mail_id, game_id=game_id, seat=seat)

    def attribute(self, mail_id: int, sender: str | None, player_id: str | None) -> None:
        """Set the From address and the player to whom a message is attributed, perhaps wrongly."""
        sealed = self._sealed("sender", self._key_of(mail_id), storable_or_none(sender))
        self._change(mail_id, sender=sealed, player_id=player_id)

    def attest(self, mail_id: int, authentication: JsonObject) -> None:
        """Store the trusted mail server's authentication results for a message."""
        sealed = self._sealed("authentication", self._key_of(mail_id), dump(authentication))
        self._write(mail_id, authentication=sealed)

    def held_of(self, player_id: str | None) -> Sequence[tuple[int, datetime, str]]:
        """List ID, arrival time and From address of a player's held messages, oldest first.

        None lists the held messages of unregistered senders.
        """
        rows = self._connection.execute(
            select(INBOX.c.id, INBOX.c.arrived_at, INBOX.c.key, INBOX.c.sender)
            .where(INBOX.c.player_id == player_id, INBOX.c.status == spelt("held"))
            .order_by(INBOX.c.arrived_at, INBOX.c.id)
        )
        opened = [
            (*position, self._envelopes.open_if_possible(sealed, f"{INBOX.name}.sender", key))
            for *position, key, sealed in rows
        ]
        return [(mail_id, time, sender) for mail_id, time, sender in opened if sender is not None]

    def held_from(self, player_id: str | None, sender: str) -> tuple[int, ...]:
        """Return the IDs of the messages in `held_of` that came from this address."""
        wanted = storable(sender)
        return tuple(mail_id for mail_id, _, named in self.held_of(player_id) if named == wanted)

    def count(self, status: str, before: datetime | None = None) -> int:
        """Count the messages with a status. With `before`, count only those that arrived earlier."""
        query = select(func.count()).select_from(INBOX).where(INBOX.c.status == spelt(status))
        if before is not None:
            query = query.where(INBOX.c.arrived_at < before)
        return self._connection.execute(query).scalar_one()

    def count_from(self, player_id: str, since: datetime, game_id: GameId | None) -> int:
        """Count a player's handled messages after a time, in a game or (None) outside games."""
        values: dict[str, object] = {"player_id": player_id, "since": since}
        if game_id is not None:
            values["game_id"] = game_id
        counting = _COUNT_OUTSIDE if game_id is None else _COUNT_IN_GAME
        return self._scalar(counting, values, default=0)

    def has_from(self, player_id: str, *, until: datetime) -> bool:
        """True if a message of a player that arrived by `until` is still stored."""
        values = {"player_id": player_id, "until": until}
        return self._connection.execute(_EARLIER, values).first() is not None

    def has_from_seat(self, game_id: GameId, seat: int, since: datetime) -> bool:
        """True if a message arrived for a seat after `since` that a person may have written."""
        query = select(INBOX.c.id).where(
            INBOX.c.game_id == game_id,
            INBOX.c.seat == seat,
            INBOX.c.arrived_at > since,
            INBOX.c.status.in_(("done", *OPEN_STATUSES)),
        )
        return self._connection.execute(query.limit(1)).first() is not None

    def has_open_in_time(
        self,
        game_id: GameId,
        seat: int,
        until: datetime,
        *,
        held_after: datetime | None = None,
    ) -> bool:
        """True if a message of the seat that arrived by `until` has not been settled.

        Unsettled messages are new, quarantined, held, or waiting for a confirmation. With
        `held_after`, the latter two count only if they arrived after that time, so that unknown
        senders cannot be used to gain time.
        """
        query = (
            select(INBOX.c.id)
            .where(
                INBOX.c.game_id == game_id,
                INBOX.c.seat == seat,
                INBOX.c.arrived_at <= until,
                INBOX_OPEN,
            )
            .limit(1)
        )
        if held_after is not None:
            is_waiting = INBOX.c.status.in_(WAITING_STATUSES)
            query = query.where(~is_waiting | (INBOX.c.arrived_at > held_after))
        return self._connection.execute(query).first() is not None

    def list(self, status: str | None = None, limit: int = 100) -> list[InboxMail]:
        """List messages without their bytes, newest first. None lists all statuses."""
        query = select(*_ENTRY_COLUMNS).order_by(INBOX.c.id.desc()).limit(limit)
        if status is not None:
            query = query.where(INBOX.c.status == spelt(status))
        rows = self._connection.execute(query).mappings()
        return [self._opened(row, is_listed=True) for row in rows]

    def of_game(self, game_id: GameId) -> tuple[InboxMail, ...]:
        """Return the messages of a game without their bytes, oldest first."""
        query = select(*_ENTRY_COLUMNS).where(INBOX.c.game_id == game_id)
        rows = self._connection.execute(query.order_by(INBOX.c.arrived_at, INBOX.c.id))
        return tuple(self._opened(row) for row in rows.mappings())

    def unfound(self, causes: Iterable[str | None]) -> frozenset[str]:
        """Return the causes that name a message missing from the inbox.

        The inbox has a row for every message that has arrived, including pruned and erased
        messages.
        """
        named = {cause for cause in causes if cause is not None and cause.startswith(MAIL)}
        hashes = [cause.removeprefix(MAIL) for cause in named]
        query = select(INBOX.c.raw_sha256).where(INBOX.c.raw_sha256.in_(hashes))
        known = self._connection.execute(query).scalars()
        return frozenset(named - {f"{MAIL}{sha256}" for sha256 in known})

    def _row(self, query: Select[Any], given: Mapping[str, object]) -> RowMapping | None:
        """Read a row and cache it for later updates of the message."""
        row = self._connection.execute(query, given).mappings().one_or_none()
        if row is not None:
            self._rows[row["id"]] = row
        return row

    def _open_row(self, query: Select[Any], given: Mapping[str, object]) -> InboxMail | None:
        """Return a message to handle. If the row was tampered with, content and `bound` are empty."""
        row = self._row(query, given)
        if row is None:
            return None
        try:
            return self._opened(row)
        except KeyMissingError:
            raise
        except StoreError:
            shut = dict.fromkeys(("raw", *SEALED_TEXTS))
            return self._opened({**row, **shut}).changed(bound="")

    def _opened(self, row: Mapping[Any, Any], *, is_listed: bool = False) -> InboxMail:
        """Decrypt a row and create an `InboxMail` from it.

        Args:
            row: the columns as stored. `raw` may be missing.
            is_listed: omit texts whose encryption key is missing, instead of raising.
        """
        values = dict(row)
        key, raw = values["key"], values.get("raw")
        opened = self._envelopes.open_if_possible if is_listed else self._envelopes.open_text
        for name in SEALED_TEXTS:
            values[name] = opened(values[name], f"{INBOX.name}.{name}", key)
        for name in ("verdict", "authentication"):
            if values[name] is not None:
                values[name] = load_object(values[name])
        inside = bound_in(self._envelopes, INBOX, values, holds=raw == "")
        if inside is None:
            values["bound"] = ""
        for name, fact in unpack_facts(inside or b"").items():
            if values[name] is None:
                values[name] = fact
        values["raw"] = self._bytes(raw, key) if raw else b""
        return InboxMail(**values)

    def _bytes(self, stored: str, key: str) -> bytes:
        return self._envelopes.open_mail(stored, RAW, key) if stored else b""

    def _change(self, mail_id: int, *, tries: int = 0, **values: object) -> None:
        """Update a message and re-sign its row, unless the row fails verification."""
        before = self._row_of(mail_id)
        inside = bound_in(self._envelopes, INBOX, before)
        if inside is not None:
            values["bound"] = sign_row(self._envelopes, INBOX, {**before, **values}, inside)
        self._write(mail_id, tries=tries, **values)

    def _write(self, mail_id: int, *, tries: int = 0, **values: object) -> None:
        self._connection.execute(_CHANGE, {"mail_id": mail_id, "tries": tries, **values})
        self._rows[mail_id] = {**self._row_of(mail_id), **values}

    def _sealed(self, name: str, key: str, text: str | None) -> str | None:
        return self._envelopes.seal_text(text, f"{INBOX.name}.{name}", key)

    def _key_of(self, mail_id: int) -> str:
        """Return the idempotency key, which is part of the message's encryption contexts.

        Raises: StoreError if there is no such message.
        """
        return str(self._row_of(mail_id)["key"])

    def _row_of(self, mail_id: int) -> Mapping[Any, Any]:
        """Return the signed columns of a message and its signature. Raises: StoreError."""
        row = self._rows.get(mail_id) or self._row(_BOUND, {"mail_id": mail_id})
        if row is None:
            raise StoreError(f"there is no mail {mail_id} in the inbox")
        return row


def storable_key(key: str) -> str:
    """Limit a key to a length that the index can hold. Keys contain foreign Message-IDs."""
    key = storable(key)
    if len(key) <= LONGEST_KEY:
        return key
    return f"sha256:{hashlib.sha256(key.encode('utf-8')).hexdigest()}"
