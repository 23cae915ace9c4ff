"""Pruning of old mails: the bytes go, names and results stay.

An incoming mail keeps key and hash, so that a copy is recognised and the log's cause is found; an
outgoing one its kind, place, Message-ID, parameters and hash, and `mailed` the heads of logs that it
told. Both say on which day they were pruned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from engine.api import JsonObject
from engine.canonical import canonical_json
from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import token_written
from pbem.errors import StoreError
from pbem.store.post.inbox import RAW, VERDICT
from pbem.store.post.outgoing import PARAMS, RENDERED
from pbem.store.rows.core import INBOX, OUTBOX
from pbem.store.rows.game_rows import GAME
from pbem.store.rows.texts import dump, load_object
from pbem.store.seal.envelope import Envelopes

PRUNED = "pruned"
KNOWN_BY = "token"
"""An answer to a mail whose bytes are gone is still known, by its token in the sealed `params`."""
"""Names the day, in the verdict of a mail that came in and in the parameters of one that went out."""
SHA256 = "sha256"
"""Names the hash of the bytes of a mail that went out, in its parameters."""
Span: TypeAlias = tuple[datetime | None, datetime]
"""From an instant (None: from the beginning) up to another one."""
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

    def mails_in(self, span: Span, *, of_all_games: bool = False) -> list[Prunable]:
        """List settled mails that came in within a span, of settled games or of all."""
        rows = self._connection.execute(
            select(
                INBOX.c.id,
                func.length(INBOX.c.raw),
                INBOX.c.game_id,
                INBOX.c.key,
                INBOX.c.verdict,
            )
            .where(
                *_within(INBOX.c.arrived_at, span),
                INBOX.c.status.in_(_SETTLED_IN),
                *([] if of_all_games else [_is_over(INBOX.c.game_id, span[1])]),
            )
            .order_by(INBOX.c.id)
        )
        least = len(self._envelopes.seal(b"", RAW, ""))
        return [
            Prunable(mail_id, size, game_id)
            for mail_id, size, game_id, key, verdict in rows
            if size > least and self._has_bytes(verdict, key)
        ]

    def mails_out(self, span: Span, *, of_all_games: bool = False) -> list[Prunable]:
        """List settled mails that could leave within a span, of settled games or of all."""
        rows = self._connection.execute(
            select(OUTBOX.c.id, func.length(OUTBOX.c.rendered), OUTBOX.c.game_id)
            .where(
                *_within(OUTBOX.c.not_before, span),
                OUTBOX.c.status.in_(_SETTLED_OUT),
                OUTBOX.c.rendered.is_not(None),
                *([] if of_all_games else [_is_over(OUTBOX.c.game_id, span[1])]),
            )
            .order_by(OUTBOX.c.id)
        )
        return [Prunable(mail_id, size, game_id) for mail_id, size, game_id in rows]

    def count(self) -> int:
        """Count the mails that went out and are still there whole."""
        counted: int = self._connection.execute(select(func.count(OUTBOX.c.rendered))).scalar_one()
        return counted

    def oldest(self) -> datetime | None:
        """Return when the first mail came or was to leave; None without mails."""
        firsts = select(func.min(INBOX.c.arrived_at)), select(func.min(OUTBOX.c.not_before))
        found = [self._connection.execute(first).scalar_one() for first in firsts]
        return min((at for at in found if at is not None), default=None)

    def prune_in(self, mail_ids: Sequence[int], day: date) -> None:
        """Delete the bytes of incoming mails."""
        rows = self._connection.execute(
            select(INBOX.c.id, INBOX.c.key, INBOX.c.verdict).where(INBOX.c.id.in_(mail_ids))
        ).all()
        for mail_id, key, verdict in rows:
            if not self._has_bytes(verdict, key):
                continue
            said = self._opened(verdict, key) | {PRUNED: day.isoformat()}
            self._connection.execute(
                INBOX.update()
                .where(INBOX.c.id == mail_id)
                .values(
                    raw=self._envelopes.seal(b"", RAW, key),
                    verdict=self._envelopes.seal_text(dump(said), VERDICT, key),
                )
            )

    def prune_out(self, mail_ids: Sequence[int], day: date) -> None:
        """Delete the bytes of outgoing mails."""
        rows = self._connection.execute(
            select(OUTBOX.c.id, OUTBOX.c.key, OUTBOX.c.params, OUTBOX.c.rendered).where(
                OUTBOX.c.id.in_(mail_ids), OUTBOX.c.rendered.is_not(None)
            )
        ).all()
        for mail_id, key, params, rendered in rows:
            try:
                said = load_object(self._envelopes.open(params, PARAMS, key))
                raw = self._envelopes.open_mail(rendered, RENDERED, key)
            except StoreError:  # its key was given up, or it is damaged: it stays as it is
                continue
            said |= {PRUNED: day.isoformat(), SHA256: hashlib.sha256(raw).hexdigest()}
            said |= kept_token(raw)
            self._connection.execute(
                OUTBOX.update()
                .where(OUTBOX.c.id == mail_id)
                .values(
                    rendered=None,
                    said=None,
                    params=self._envelopes.seal(canonical_json(said), PARAMS, key),
                )
            )

    def _has_bytes(self, verdict: str | None, key: str) -> bool:
        """True if a mail is not pruned yet; not if its key was given up, or it is damaged."""
        try:
            return PRUNED not in self._opened(verdict, key)
        except StoreError:
            return False

    def _opened(self, verdict: str | None, key: str) -> JsonObject:
        text = self._envelopes.open_text(verdict, VERDICT, key)
        return {} if text is None else load_object(text)


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
