"""The mails of one game, in and out, by time, for an audit.

It only reads. Bytes and texts come one at a time, for allowed readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from engine.api import JsonObject
from pbem.domain.log.chain import GameId
from pbem.store.post.inbox import AUTHENTICATION, MAIL, VERDICT
from pbem.store.post.outgoing import PARAMS
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import INBOX, OUTBOX
from pbem.store.rows.texts import load_object
from pbem.store.seal.envelope import Envelopes


@dataclass(frozen=True, slots=True)
class MailIn:
    """A mail that came in for a game; fields as in `rows.InboxRow`."""

    id: int
    raw_sha256: str
    transport: str
    arrived_at: datetime
    seat: int | None
    status: str
    handled_at: datetime | None
    verdict: JsonObject | None = field(repr=False)
    player_id: str | None
    authentication: JsonObject | None

    @property
    def cause(self) -> str:
        """Return the cause that events from this mail name."""
        return f"{MAIL}{self.raw_sha256}"

    @property
    def pruned_on(self) -> str | None:
        """Return the day (ISO) when its bytes were pruned; None if they were not."""
        return pruned_on(self.verdict)


@dataclass(frozen=True, slots=True)
class MailOut:
    """A mail that goes out for a game; fields as in `rows.OutboxRow`, `params` opened."""

    id: int
    key: str
    kind: str
    seat: int | None
    version: int | None
    decision: int | None
    status: str
    created_at: datetime
    sent_at: datetime | None
    message_id: str
    failures: int
    params: JsonObject = field(repr=False)


_IN = (
    INBOX.c.id,
    INBOX.c.key,
    INBOX.c.raw_sha256,
    INBOX.c.transport,
    INBOX.c.arrived_at,
    INBOX.c.seat,
    INBOX.c.status,
    INBOX.c.handled_at,
    INBOX.c.verdict,
    INBOX.c.player_id,
    INBOX.c.authentication,
)
_OUT = (
    OUTBOX.c.id,
    OUTBOX.c.key,
    OUTBOX.c.kind,
    OUTBOX.c.seat,
    OUTBOX.c.version,
    OUTBOX.c.decision,
    OUTBOX.c.status,
    OUTBOX.c.created_at,
    OUTBOX.c.sent_at,
    OUTBOX.c.message_id,
    OUTBOX.c.failures,
    OUTBOX.c.params,
)


_TABLES = (INBOX, OUTBOX)


class Evidence:
    """The mails of a game, on the connection of one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes, game_id: GameId) -> None:
        self._connection = connection
        self._envelopes = envelopes
        self._game_id = game_id

    def mails_in(self) -> tuple[MailIn, ...]:
        """List the mails that came in for the game, oldest first."""
        rows = self._connection.execute(
            select(*_IN)
            .where(INBOX.c.game_id == self._game_id)
            .order_by(INBOX.c.arrived_at, INBOX.c.id)
        )
        return tuple(self._mail_in(row._mapping) for row in rows)

    def unfound(self, causes: Iterable[str | None]) -> frozenset[str]:
        """Return those of the causes that name a mail that never came in.

        The inbox has a row for every mail, even for a pruned or erased one.
        """
        named = {cause for cause in causes if cause is not None and cause.startswith(MAIL)}
        known = self._connection.execute(
            select(INBOX.c.raw_sha256).where(
                INBOX.c.raw_sha256.in_([cause.removeprefix(MAIL) for cause in named])
            )
        )
        return frozenset(named - {f"{MAIL}{sha256}" for sha256 in known.scalars()})

    def was_played_here(self) -> bool:
        """True if the game has mails here; an imported one has none."""
        queries = (select(rows.c.id).where(rows.c.game_id == self._game_id) for rows in _TABLES)
        return any(self._connection.execute(query.limit(1)).first() for query in queries)

    def mails_out(self) -> tuple[MailOut, ...]:
        """List the mails that go out for the game, oldest first."""
        rows = self._connection.execute(
            select(*_OUT).where(OUTBOX.c.game_id == self._game_id).order_by(OUTBOX.c.id)
        )
        return tuple(self._mail_out(row._mapping) for row in rows)

    def _mail_in(self, mapping: Any) -> MailIn:  # noqa: ANN401  (RowMapping)
        values = dict(mapping)
        key = values.pop("key")
        for name, place in (("verdict", VERDICT), ("authentication", AUTHENTICATION)):
            sealed: str | None = values[name]
            text = self._envelopes.open_text(sealed, place, key)
            values[name] = None if text is None else load_object(text)
        return MailIn(**values)

    def _mail_out(self, mapping: Any) -> MailOut:  # noqa: ANN401  (RowMapping)
        values = dict(mapping)
        params = self._envelopes.open(values["params"], PARAMS, values["key"])
        return MailOut(**{**values, "params": load_object(params)})
