"""Prune old messages: delete their contents, but keep metadata and results.

An incoming message keeps its key and hash, so that duplicates and causes in the log are recognised,
and also its verdict and SMTP envelope. An outgoing message keeps its kind, seat, Message-ID,
parameters and hash. The table `mailed` keeps the log heads that it reported. Both record the day of
pruning. Data from separate encrypted columns is packed into the row's signature, because it is
rarely read and kept forever. Rows that fail verification are not pruned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, func, select

from engine.api import JsonObject
from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import token_written
from pbem.errors import StoreError
from pbem.store.post.inbox import SEALED_TEXTS, Inbox
from pbem.store.post.outbox import Outbox
from pbem.store.rows.core import INBOX, INBOX_WHOLE, OUTBOX, OUTBOX_WHOLE, InboxMail, OutboxMail
from pbem.store.rows.game_rows import GAME
from pbem.store.seal.binding import BOUND, is_authentic, sign_object
from pbem.store.seal.envelope import Envelopes, SealedTables
from pbem.store.seal.packing import pack_facts

PRUNED = "pruned"
"""Name of the pruning date in an incoming message's verdict or an outgoing one's parameters."""
KNOWN_BY = "token"
"""Name of the reply token in the parameters, which is used to recognise replies to a pruned
message.
"""
SHA256 = "sha256"
"""Name of an outgoing message's SHA-256 in its parameters."""
Span: TypeAlias = tuple[datetime | None, datetime]
"""A period: start time (None for the beginning) and end time, which is excluded."""
_Mail = TypeVar("_Mail", InboxMail, OutboxMail)
_SETTLED_IN = ("done", "asked", "ignored", "dropped")
_SETTLED_OUT = ("sent", "superseded", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Prunable:
    """A message whose bytes can be deleted. `size` is the number of characters as stored."""

    id: int
    size: int
    game_id: GameId | None


class Pruning(SealedTables):
    """Access to old messages within one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        super().__init__(connection, envelopes)
        self._inbox = Inbox(connection, envelopes)
        self._outbox = Outbox(connection, envelopes)

    def mails_in(self, span: Span, *, of_all_games: bool = False) -> list[Prunable]:
        """List settled incoming messages of a period, either from finished games or from all games."""
        rows = self._connection.execute(
            select(INBOX.c.id, func.length(INBOX.c.raw), INBOX.c.game_id)
            .where(
                *_within(INBOX.c.arrived_at, span),
                INBOX.c.status.in_(_SETTLED_IN),
                INBOX_WHOLE,
                *([] if of_all_games else [_is_over(INBOX.c.game_id, span[1])]),
            )
            .order_by(INBOX.c.id)
        )
        return [Prunable(*row) for row in rows if self._is_whole(row.id)]

    def mails_out(self, span: Span, *, of_all_games: bool = False) -> list[Prunable]:
        """List settled outgoing messages due in a period, either of finished games or of all games."""
        rows = self._connection.execute(
            select(
                OUTBOX.c.id,
                func.length(OUTBOX.c.rendered),
                *BOUND[OUTBOX],
                OUTBOX.c.bound,
            )
            .where(
                *_within(OUTBOX.c.not_before, span),
                OUTBOX.c.status.in_(_SETTLED_OUT),
                OUTBOX_WHOLE,
                *([] if of_all_games else [_is_over(OUTBOX.c.game_id, span[1])]),
            )
            .order_by(OUTBOX.c.id)
        )
        return [
            Prunable(row[0], row[1], row.game_id)
            for row in rows
            if is_authentic(self._envelopes, OUTBOX, row._mapping)
        ]

    def count(self) -> int:
        """Count the outgoing messages that still have their bytes."""
        return self._scalar(select(func.count(OUTBOX.c.rendered)), default=0)

    def oldest(self) -> datetime | None:
        """Return the arrival or due time of the oldest message that was not pruned, or None."""
        firsts = (
            select(func.min(INBOX.c.arrived_at)).where(INBOX_WHOLE),
            select(func.min(OUTBOX.c.not_before)).where(OUTBOX_WHOLE),
        )
        times = [self._connection.execute(first).scalar_one() for first in firsts]
        return min((time for time in times if time is not None), default=None)

    def prune_in(self, mail_ids: Sequence[int], day: date) -> int:
        """Delete the bytes of incoming messages and return the number deleted."""
        mails = [mail for mail in self._locked(INBOX, mail_ids, self._inbox.get) if mail.raw]
        for mail in mails:
            stays = {name: getattr(mail, name) for name in SEALED_TEXTS}
            stays["verdict"] = (mail.verdict or {}) | {PRUNED: day.isoformat()}
            known = pack_facts({name: value for name, value in stays.items() if value is not None})
            self._write(INBOX, mail, known, raw="", **dict.fromkeys(SEALED_TEXTS))
        return len(mails)

    def prune_out(self, mail_ids: Sequence[int], day: date) -> int:
        """Delete the bytes of outgoing messages and return the number deleted."""
        mails = self._locked(OUTBOX, mail_ids, self._outbox.get)
        rendered = [(mail, mail.rendered) for mail in mails if mail.rendered is not None]
        for mail, raw in rendered:
            facts = {PRUNED: day.isoformat(), SHA256: hashlib.sha256(raw).hexdigest()}
            known = pack_facts(mail.params | facts | kept_token(raw))
            self._write(OUTBOX, mail, known, rendered=None, said=None, params="")
        return len(rendered)

    def _is_whole(self, mail_id: int) -> bool:
        """True if an incoming message passes verification and was not pruned, not even by 1.0."""
        try:
            entry = self._inbox.entry(mail_id)
        except StoreError:
            return False
        return entry is not None and entry.fits and pruned_on(entry.verdict) is None

    def _locked(
        self, table: Table, mail_ids: Sequence[int], get: Callable[[int], _Mail | None]
    ) -> Iterator[_Mail]:
        """Lock and yield the messages that pass verification and are not locked by others.

        Skips messages that are damaged, or whose encryption key was abandoned.
        """
        query = select(table.c.id).where(table.c.id.in_(mail_ids)).order_by(table.c.id)
        rows = self._connection.execute(query.with_for_update(skip_locked=True)).scalars().all()
        for mail_id in rows:
            with suppress(StoreError):
                mail = get(mail_id)
                if mail is not None and mail.fits:
                    yield mail

    def _write(
        self, table: Table, mail: InboxMail | OutboxMail, known: bytes, **values: object
    ) -> None:
        seal = sign_object(self._envelopes, table, mail, known)
        self._connection.execute(
            table.update().where(table.c.id == mail.id).values(**values, bound=seal)
        )


def kept_token(raw: bytes | None) -> JsonObject:
    """Return the reply token in a message of ours as parameters, so that it survives pruning."""
    token = None if raw is None else token_written(raw)
    return {} if token is None else {KNOWN_BY: token}


def pruned_on(facts: JsonObject | None) -> str | None:
    """Return the day (ISO 8601) on which a message was pruned, or None if it was not."""
    day = (facts or {}).get(PRUNED)
    return day if isinstance(day, str) else None


def _within(at: ColumnElement[datetime], span: Span) -> list[ColumnElement[bool]]:
    since, before = span
    return [at < before, *([] if since is None else [at >= since])]


def _is_over(game: ColumnElement[str | None], before: datetime) -> ColumnElement[bool]:
    """Return an SQL condition: a message has no game, or its game ended before a time."""
    over = select(GAME.c.id).where(
        GAME.c.status.in_(("finished", "stopped")), GAME.c.finished_at < before
    )
    return game.is_(None) | game.in_(over)
