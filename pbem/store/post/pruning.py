"""Pruning of old mails: the bytes go, names and results stay.

An incoming mail keeps key and hash, so that a copy is recognised and the log's cause is found, its verdict and its
envelope; an outgoing one its kind, place, Message-ID, parameters and hash, and `mailed` the heads of logs that it
told. Both say on which day they were pruned. What was sealed in columns of their own lies packed in the seal of the
row: this is read seldom, and kept for ever. A row that does not fit its seal stays as it is.
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
from pbem.store.rows.core import INBOX, INBOX_WHOLE, OUTBOX, OUTBOX_WHOLE, InboxMail, Outgoing
from pbem.store.rows.game_rows import GAME
from pbem.store.seal.binding import BOUND, bind_as, fits
from pbem.store.seal.envelope import Envelopes
from pbem.store.seal.packing import pack_facts

PRUNED = "pruned"
"""Names the day, in the verdict of a mail that came in and in the parameters of one that went out."""
KNOWN_BY = "token"
"""An answer to a mail whose bytes are gone is still known, by its token among the parameters."""
SHA256 = "sha256"
"""Names the hash of the bytes of a mail that went out, in its parameters."""
Span: TypeAlias = tuple[datetime | None, datetime]
"""From an instant (None: from the beginning) up to another one."""
_Mail = TypeVar("_Mail", InboxMail, Outgoing)
_SETTLED_IN = ("done", "asked", "ignored", "dropped")
_SETTLED_OUT = ("sent", "superseded", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Prunable:
    """A mail with bytes that can be deleted; `size` in characters as stored."""

    id: int
    size: int
    game_id: GameId | None


class Pruning:
    """Old mails, on the connection of one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        self._connection = connection
        self._envelopes = envelopes
        self._inbox = Inbox(connection, envelopes)
        self._outbox = Outbox(connection, envelopes)

    def mails_in(self, span: Span, *, of_all_games: bool = False) -> list[Prunable]:
        """List settled mails that came in within a span, of settled games or of all."""
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
        """List settled mails that could leave within a span, of settled games or of all."""
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
            if fits(self._envelopes, OUTBOX, row._mapping)
        ]

    def count(self) -> int:
        """Count the mails that went out and are still there whole."""
        counted: int = self._connection.execute(select(func.count(OUTBOX.c.rendered))).scalar_one()
        return counted

    def oldest(self) -> datetime | None:
        """Return when the first whole mail came or was to leave; None if there is none."""
        firsts = (
            select(func.min(INBOX.c.arrived_at)).where(INBOX_WHOLE),
            select(func.min(OUTBOX.c.not_before)).where(OUTBOX_WHOLE),
        )
        found = [self._connection.execute(first).scalar_one() for first in firsts]
        return min((at for at in found if at is not None), default=None)

    def prune_in(self, mail_ids: Sequence[int], day: date) -> int:
        """Delete the bytes of incoming mails; return of how many."""
        found = [mail for mail in self._locked(INBOX, mail_ids, self._inbox.get) if mail.raw]
        for mail in found:
            stays = {name: getattr(mail, name) for name in SEALED_TEXTS}
            stays["verdict"] = (mail.verdict or {}) | {PRUNED: day.isoformat()}
            known = pack_facts({name: value for name, value in stays.items() if value is not None})
            self._write(INBOX, mail, known, raw="", **dict.fromkeys(SEALED_TEXTS))
        return len(found)

    def prune_out(self, mail_ids: Sequence[int], day: date) -> int:
        """Delete the bytes of outgoing mails; return of how many."""
        found = self._locked(OUTBOX, mail_ids, self._outbox.get)
        whole = [(mail, mail.rendered) for mail in found if mail.rendered is not None]
        for mail, raw in whole:
            said = {PRUNED: day.isoformat(), SHA256: hashlib.sha256(raw).hexdigest()}
            known = pack_facts(mail.params | said | kept_token(raw))
            self._write(OUTBOX, mail, known, rendered=None, said=None, params="")
        return len(whole)

    def _is_whole(self, mail_id: int) -> bool:
        """True if a mail that came in fits its row and was not pruned, not even by 1.0."""
        try:
            entry = self._inbox.entry(mail_id)
        except StoreError:
            return False
        return entry is not None and entry.fits and pruned_on(entry.verdict) is None

    def _locked(
        self, table: Table, mail_ids: Sequence[int], get: Callable[[int], _Mail | None]
    ) -> Iterator[_Mail]:
        """Return the mails that fit their rows and that nobody else is changing.

        One whose key was given up, or that is damaged, stays as it is.
        """
        query = select(table.c.id).where(table.c.id.in_(mail_ids)).order_by(table.c.id)
        rows = self._connection.execute(query.with_for_update(skip_locked=True)).scalars().all()
        for mail_id in rows:
            with suppress(StoreError):
                mail = get(mail_id)
                if mail is not None and mail.fits:
                    yield mail

    def _write(
        self, table: Table, mail: InboxMail | Outgoing, known: bytes, **values: object
    ) -> None:
        seal = bind_as(self._envelopes, table, mail, known)
        self._connection.execute(
            table.update().where(table.c.id == mail.id).values(**values, bound=seal)
        )


def kept_token(raw: bytes | None) -> JsonObject:
    """Return what is kept when the bytes of one of our mails go: its token, if it has one."""
    token = None if raw is None else token_written(raw)
    return {} if token is None else {KNOWN_BY: token}


def pruned_on(said: JsonObject | None) -> str | None:
    """Return the day (ISO) on which a mail's bytes were pruned."""
    day = (said or {}).get(PRUNED)
    return day if isinstance(day, str) else None


def _within(at: ColumnElement[datetime], span: Span) -> list[ColumnElement[bool]]:
    since, before = span
    return [at < before, *([] if since is None else [at >= since])]


def _is_over(game: ColumnElement[str | None], before: datetime) -> ColumnElement[bool]:
    """True if a mail has no game, or its game was over before an instant."""
    over = select(GAME.c.id).where(
        GAME.c.status.in_(("finished", "stopped")), GAME.c.finished_at < before
    )
    return game.is_(None) | game.in_(over)
