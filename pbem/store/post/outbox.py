"""Outgoing messages: queued in the transaction that causes them, rendered and sent later.

Delivery is at-least-once. A worker claims rows with a lease, renders them, stores the bytes, hands
them to the next server and marks them sent. If the worker dies, another one claims the row after
the lease and sends the same bytes with the same Message-ID. The messages of a seat are sent one at
a time in the order of creation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Insert, bindparam, case, exists, func, select

from engine.canonical import canonical_json
from pbem.domain.log.chain import GameId
from pbem.errors import KeyMissingError, StoreError
from pbem.store.post.inbox import storable_key
from pbem.store.post.outbox_queries import (
    IS_PENDING,
    LAST_ERROR,
    PARAMS,
    PING,
    RCPT_TO,
    RENDERED,
    SAID,
    Mails,
    OutboxQueries,
)
from pbem.store.rows.core import OUTBOX, OutboxMail
from pbem.store.rows.texts import insert_in, spelt, storable, storable_or_none
from pbem.store.seal.binding import sign_row

_IS_HELD = (
    OUTBOX.c.id == bindparam("mail"),
    IS_PENDING,
    (OUTBOX.c.lease_until == bindparam("held")) | (OUTBOX.c.lease_until == bindparam("until")),
)
"""Conditions: a message is claimed, and its lease still belongs to the caller."""
_TAKES_WORDS = (
    IS_PENDING,
    OUTBOX.c.rendered.is_(None),
    OUTBOX.c.lease_until.is_(None),
)
_RENEW = OUTBOX.update().where(*_IS_HELD).values(lease_until=bindparam("until"))
_KEEP = (
    OUTBOX.update()
    .where(*_IS_HELD, OUTBOX.c.rendered.is_(None))
    .values(
        lease_until=bindparam("until"),
        version=bindparam("shown"),
        rendered=bindparam("sealed"),
        said=bindparam("lines"),
    )
)
_MARK_SENT = (
    OUTBOX.update()
    .where(OUTBOX.c.id == bindparam("mail"), OUTBOX.c.status != "sent")
    .values(lease_until=None, status="sent", sent_at=bindparam("at"), last_error=None)
)
_OLDER = OUTBOX.alias("older")
_ORDER = (OUTBOX.c.not_before, OUTBOX.c.attempts, OUTBOX.c.id)
"""Order of claiming. After a shared pause, the message with the fewest attempts goes first.

Otherwise a message that is always rejected would start the next pause before the others are tried.
"""
_UNTRIED = OUTBOX.c.attempts - 1
_DUE = (
    select(OUTBOX.c.id)
    .where(
        IS_PENDING,
        OUTBOX.c.not_before <= bindparam("now"),
        (OUTBOX.c.kind == PING) == bindparam("are_pings"),
        OUTBOX.c.lease_until.is_(None) | (OUTBOX.c.lease_until <= bindparam("now")),
        ~exists().where(
            _OLDER.c.game_id == OUTBOX.c.game_id,
            _OLDER.c.seat == OUTBOX.c.seat,
            _OLDER.c.status == spelt("pending"),
            _OLDER.c.not_before <= bindparam("now"),
            _OLDER.c.id < OUTBOX.c.id,
        ),
    )
    .order_by(*_ORDER)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, of=OUTBOX)
)

_ANEW = case((OUTBOX.c.status == "failed", 0), else_=OUTBOX.c.failures)

STATUSES = ("pending", "sent", "superseded", "failed", "cancelled")


@cache
def _intend(dialect: str) -> Insert:
    insert = insert_in(dialect, OUTBOX)
    return insert.on_conflict_do_nothing(index_elements=[OUTBOX.c.key]).returning(OUTBOX.c.key)


class Outbox(OutboxQueries):
    """Access to the outbox within one unit of work."""

    def add(self, mail: OutboxMail) -> bool:
        """Queue a message.

        Returns:
            False if the key already exists. Nothing is changed in that case.
        """
        return bool(self.add_all([mail]))

    def add_all(self, mails: Sequence[OutboxMail]) -> frozenset[str]:
        """Queue several messages, like `add`. Return the keys of the messages that were new."""
        rows = {mail.key: self._row(mail) for mail in mails}
        if not rows:
            return frozenset()
        intend = _intend(self._connection.dialect.name)
        new = {*self._connection.execute(intend, [*rows.values()]).scalars()}
        return frozenset(key for key, row in rows.items() if row["key"] in new)

    def _row(self, mail: OutboxMail) -> dict[str, Any]:
        key = storable_key(mail.key)
        row = mail.columns() | {
            "key": key,
            "params": self._envelopes.seal(canonical_json(mail.params), PARAMS, key),
            "answers": storable_or_none(mail.answers),
            "rcpt_to": self._envelopes.seal_text(storable_or_none(mail.rcpt_to), RCPT_TO, key),
        }
        del row["id"]  # assigned by the database
        return row | {"bound": sign_row(self._envelopes, OUTBOX, row)}

    def claim_due(
        self, now: datetime, lease: timedelta, limit: int, *, are_pings: bool = False
    ) -> Mails:
        """Claim due messages, or pings, for the duration `lease`, oldest first.

        Messages due at the same time are ordered by their number of attempts. Only the oldest due
        message of each seat can be claimed. The seat's next message becomes available when that
        message is sent, fails or is postponed.
        """
        ids = (
            self._connection.execute(_DUE, {"now": now, "most": limit, "are_pings": are_pings})
            .scalars()
            .all()
        )
        if not ids:
            return []
        self._connection.execute(
            OUTBOX.update()
            .where(OUTBOX.c.id.in_(ids))
            .values(lease_until=now + lease, attempts=OUTBOX.c.attempts + 1)
        )
        rows = self._connection.execute(
            select(OUTBOX).where(OUTBOX.c.id.in_(ids)).order_by(*_ORDER)
        )
        return [self._claimed(row._mapping) for row in rows]

    def _claimed(self, mapping: Any) -> OutboxMail:  # noqa: ANN401  (RowMapping)
        """Decrypt a row to be sent. If it was tampered with, its content and `bound` are empty."""
        try:
            return self._outgoing(mapping, is_listed=False)
        except KeyMissingError:
            raise
        except StoreError:
            shut = dict.fromkeys(("rendered", "rcpt_to", "last_error"))
            params = self._envelopes.seal(b"{}", PARAMS, mapping["key"])
            empty = self._outgoing({**mapping, **shut, "params": params}, is_listed=False)
            return empty.changed(bound="")

    def renew(self, mail: OutboxMail, until: datetime) -> bool:
        """Extend the lease of a claimed message until `until`. Can be repeated safely.

        Returns:
            False if the lease was lost: it expired and another worker claimed the message, or the
                message is settled.
        """
        changed = self._connection.execute(_RENEW, _held(mail, until))
        return changed.rowcount == 1

    def release(self, mail: OutboxMail) -> None:
        """Release the lease of a claimed message without counting an attempt, if it is still ours."""
        self._connection.execute(
            OUTBOX.update()
            .where(
                OUTBOX.c.id == mail.id,
                IS_PENDING,
                OUTBOX.c.lease_until == mail.lease_until,
            )
            .values(lease_until=None, attempts=_UNTRIED)
        )

    def release_all(self) -> None:
        """End the leases of all messages. Callers must know that no worker holds a lease.

        The numbers of attempts are kept, because a killed worker may have handed a message to the
        server.
        """
        self._connection.execute(
            OUTBOX.update()
            .where(IS_PENDING, OUTBOX.c.lease_until.is_not(None))
            .values(lease_until=None)
        )

    def keep_rendered(
        self, mail: OutboxMail, raw: bytes, until: datetime, forms: tuple[str, str] = ("", "")
    ) -> bytes | None:
        """Store a claimed message's rendered bytes, the game version they show, and its two text forms.

        Bytes that an earlier attempt stored are kept. The lease is extended until `until`, as in
        `renew`.

        Args:
            forms: plain text and HTML text, as in `Said`.

        Returns:
            The bytes to send, which may be those of an earlier attempt. None if the lease was lost.
        """
        sealed = self._envelopes.seal_mail(raw, RENDERED, mail.key)
        forms_sealed = self._envelopes.seal_mail("\0".join(forms).encode(), SAID, mail.key)
        words = {"shown": mail.version, "sealed": sealed, "lines": forms_sealed}
        changed = self._connection.execute(_KEEP, _held(mail, until) | words)
        if changed.rowcount == 1:
            return raw
        if not self.renew(mail, until):
            return None
        kept: str = self._connection.execute(
            select(OUTBOX.c.rendered).where(OUTBOX.c.id == mail.id)
        ).scalar_one()
        return self._envelopes.open_mail(kept, RENDERED, mail.key)

    def mark_sent(self, mail_id: int, sent_at: datetime) -> bool:
        """Record that the next server has accepted a message.

        Returns:
            False if this was already recorded.
        """
        changed = self._connection.execute(_MARK_SENT, {"mail": mail_id, "at": sent_at})
        return changed.rowcount == 1

    def sent_since(self, at: datetime) -> int:
        """Count the messages, except pings, that the next server accepted after a time."""
        query = select(func.count()).select_from(OUTBOX).where(OUTBOX.c.kind != PING)
        return int(self._connection.execute(query.where(OUTBOX.c.sent_at > at)).scalar_one())

    def mark_superseded(self, mail_id: int) -> None:
        """Mark a message as superseded, unless it has been sent or settled."""
        self._update_pending(mail_id, status="superseded")

    def supersede_kinds(self, kinds: Collection[str]) -> int:
        """Mark unsent messages of these kinds as superseded, and return their number."""
        changed = self._connection.execute(
            OUTBOX.update()
            .where(IS_PENDING, OUTBOX.c.kind.in_(kinds))
            .values(status="superseded", lease_until=None)
        )
        return changed.rowcount

    def mark_failed(self, mail_id: int, error: str, at: datetime) -> None:
        """Mark a pending message as failed."""
        self._update_pending(
            mail_id,
            status="failed",
            not_before=at,
            last_error=self._error(mail_id, error),
            failures=OUTBOX.c.failures + 1,
        )

    def retry_at(self, mail_id: int, at: datetime, error: str, *, is_refused: bool = True) -> None:
        """Schedule another attempt for a message that could not be handed over.

        Args:
            is_refused: True if the recipient's server rejected it, which counts as a failure. False
                if the problem is on our side.
        """
        self._update_pending(
            mail_id,
            not_before=at,
            last_error=self._error(mail_id, error),
            failures=OUTBOX.c.failures + int(is_refused),
        )

    def put_off(self, mail_id: int, at: datetime) -> None:
        """Postpone a claimed message without counting an attempt."""
        self._update_pending(mail_id, not_before=at, attempts=_UNTRIED)

    def cancel(self, mail_id: int, reason: str) -> bool:
        """Cancel an unsent message. Return False if it is already sent or settled.

        Raises: StoreError if the message does not exist.
        """
        changed = self._connection.execute(
            OUTBOX.update()
            .where(OUTBOX.c.id == mail_id, OUTBOX.c.status.in_(("pending", "failed")))
            .values(status="cancelled", lease_until=None, last_error=self._error(mail_id, reason))
        )
        return changed.rowcount == 1

    def reopen(self, mail_id: int, at: datetime) -> bool:
        """Retry a waiting, failed or cancelled message at `at`, with its stored bytes.

        The failures of an abandoned message are reset, so that it is retried for days.

        Returns:
            False if there is no such message, or a worker has claimed it.
        """
        changed = self._connection.execute(
            OUTBOX.update()
            .where(
                OUTBOX.c.id == mail_id,
                OUTBOX.c.status.in_(("pending", "failed", "cancelled")),
                OUTBOX.c.lease_until.is_(None) | (OUTBOX.c.lease_until <= at),
            )
            .values(status="pending", not_before=at, lease_until=None, failures=_ANEW)
        )
        return changed.rowcount == 1

    def reopen_all(self, at: datetime, given_up_since: datetime) -> int:
        """Retry all waiting messages, and those abandoned after `given_up_since`.

        Skips messages that are claimed by a worker or scheduled for later, and abandoned pings.
        Returns the number of messages to retry.
        """
        is_waiting = IS_PENDING & (OUTBOX.c.created_at <= at)
        is_given_up = (
            (OUTBOX.c.status == spelt("failed"))
            & (OUTBOX.c.not_before > given_up_since)
            & (OUTBOX.c.kind != PING)
        )
        changed = self._connection.execute(
            OUTBOX.update()
            .where(
                is_waiting | is_given_up,
                OUTBOX.c.lease_until.is_(None) | (OUTBOX.c.lease_until <= at),
            )
            .values(status="pending", not_before=at, lease_until=None, failures=_ANEW)
        )
        return changed.rowcount

    def clock_was_set_back(self, now: datetime, lease: timedelta, slot: timedelta) -> None:
        """Adjust due times and leases in the future after the clock was set back.

        Args:
            slot: maximum delay of anonymous messages. They are never sent at once, because the time
                would reveal their author.
        """
        is_unnamed = OUTBOX.c.kind == "anonymous"
        for kinds, limit in ((~is_unnamed, now), (is_unnamed, now + slot)):
            late = OUTBOX.update().where(IS_PENDING, kinds, OUTBOX.c.not_before > limit)
            self._connection.execute(late.values(not_before=limit))
        until = now + lease
        held = OUTBOX.update().where(IS_PENDING, OUTBOX.c.lease_until > until)
        self._connection.execute(held.values(lease_until=until))

    def next_due(self, now: datetime) -> datetime | None:
        """Return when the next message can be claimed, or None.

        The time is in the past if a message can be claimed now.
        """
        is_free = OUTBOX.c.lease_until.is_(None) | (OUTBOX.c.lease_until <= now)
        waiting = self._connection.execute(
            select(func.min(OUTBOX.c.not_before)).where(IS_PENDING, is_free)
        ).scalar_one()
        leased = self._connection.execute(
            select(func.min(OUTBOX.c.lease_until)).where(IS_PENDING, OUTBOX.c.lease_until > now)
        ).scalar_one()
        return min((time for time in (waiting, leased) if time is not None), default=None)

    def hasten(self, game_id: GameId, seat: int, kind: str, not_before: datetime) -> bool:
        """Schedule a seat's waiting message of a kind to be sent no later than `not_before`.

        Returns:
            False if no such message is waiting, or if it is rendered or being rendered.
        """
        waits = (
            OUTBOX.c.game_id == game_id,
            OUTBOX.c.seat == seat,
            OUTBOX.c.kind == kind,
            *_TAKES_WORDS,
        )
        earlier = case((OUTBOX.c.not_before < not_before, OUTBOX.c.not_before), else_=not_before)
        changed = self._connection.execute(OUTBOX.update().where(*waits).values(not_before=earlier))
        return changed.rowcount > 0

    def takes_words(self, key: str) -> bool:
        """True if the message with this key is waiting and unrendered, so that content can be added."""
        row = self._connection.execute(
            select(OUTBOX.c.id).where(OUTBOX.c.key == storable_key(key), *_TAKES_WORDS)
        )
        return row.first() is not None

    def _update_pending(self, mail_id: int, **values: object) -> None:
        self._connection.execute(
            OUTBOX.update()
            .where(OUTBOX.c.id == mail_id, IS_PENDING)
            .values(lease_until=None, **values)
        )

    def _error(self, mail_id: int, text: str) -> str:
        return self._envelopes.seal_text(storable(text), LAST_ERROR, self._key_of(mail_id))

    def _key_of(self, mail_id: int) -> str:
        """Return the key of a message, which is part of its encryption contexts.

        Raises: StoreError if there is no such message.
        """
        key: str | None = self._connection.execute(
            select(OUTBOX.c.key).where(OUTBOX.c.id == mail_id)
        ).scalar_one_or_none()
        if key is None:
            raise StoreError(f"there is no mail {mail_id} in the outbox")
        return key


def _held(mail: OutboxMail, until: datetime) -> dict[str, object]:
    """Return the parameters of `_RENEW` and `_KEEP` for a message and its new lease."""
    return {"mail": mail.id, "held": mail.lease_until, "until": until}
