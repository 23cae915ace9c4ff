"""Queries on outgoing messages. `Outbox` changes them.

Rows are read with SQLAlchemy Core and decrypted before an `OutboxMail` is created from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    exists,
    func,
    null,
    select,
)

from pbem.domain.log.chain import GameId
from pbem.errors import KeyMissingError
from pbem.store.post.inbox import storable_key
from pbem.store.rows.core import BOUNCE, INBOX, OUTBOX, OutboxMail
from pbem.store.rows.game_rows import GAME
from pbem.store.rows.texts import load_object, spelt, storable
from pbem.store.seal.binding import bound_in
from pbem.store.seal.envelope import SealedTables
from pbem.store.seal.packing import unpack_facts

PARAMS, RENDERED = "outbox.params", "outbox.rendered"
RCPT_TO, LAST_ERROR, SAID = "outbox.rcpt_to", "outbox.last_error", "outbox.said"
PING = "ping"
"""Kind of pings. They are sent through other services and are independent of messages."""
_COUNT = select(func.count()).select_from(OUTBOX)
IS_PENDING = OUTBOX.c.status == spelt("pending")
_HEAVY = ("rendered", "said")
_WITHOUT_BYTES = select(
    *(column for column in OUTBOX.c if column.name not in _HEAVY),
    *(null().label(name) for name in _HEAVY),
)
_BY_MESSAGE_ID = (
    select(OUTBOX)
    .where(OUTBOX.c.message_id.in_(bindparam("ids", expanding=True)))
    .order_by(OUTBOX.c.id.desc())
)


_SAID = select(OUTBOX.c.id, OUTBOX.c.key, OUTBOX.c.game_id, OUTBOX.c.seat, OUTBOX.c.said)
_SAID_IN = _SAID.where(OUTBOX.c.message_id.in_(bindparam("ids", expanding=True))).order_by(
    OUTBOX.c.id.desc()
)
_SAID_TO = (
    _SAID.where(
        OUTBOX.c.game_id == bindparam("game"),
        OUTBOX.c.seat == bindparam("of_seat"),
        OUTBOX.c.version == bindparam("shown"),
        OUTBOX.c.said.is_not(None),
    )
    .order_by(OUTBOX.c.id.desc())
    .limit(bindparam("most"))
)


@lru_cache(maxsize=64)
def _count_to(prefix: str) -> Select[Any]:
    return _COUNT.where(
        OUTBOX.c.player_id == bindparam("player_id"),
        OUTBOX.c.created_at > bindparam("since"),
        OUTBOX.c.key.startswith(prefix, autoescape=True),
    )


@dataclass(frozen=True, slots=True)
class Said:
    """The text of a sent message, used to recognise its lines in a reply.

    Attributes:
        forms: the plain text and the text of the HTML form. None if the message was not rendered
            yet, or its encryption key is missing.
    """

    id: int
    game_id: GameId | None
    seat: int | None
    forms: tuple[str, str] | None = field(repr=False)


_LAST_TO_PLAYER = (
    select(OUTBOX)
    .where(
        OUTBOX.c.player_id == bindparam("player"),
        OUTBOX.c.kind == bindparam("of_kind"),
        OUTBOX.c.game_id.is_(None),
        OUTBOX.c.status.in_(("pending", "sent")),
    )
    .order_by(OUTBOX.c.id.desc())
    .limit(1)
)
_LAST_SENT_TO_PLAYER = _LAST_TO_PLAYER.where(OUTBOX.c.status == "sent")
_TOLD_UP_TO = select(func.max(OUTBOX.c.version)).where(
    OUTBOX.c.game_id == bindparam("game"),
    OUTBOX.c.seat == bindparam("of_seat"),
    OUTBOX.c.player_id == bindparam("player"),
    OUTBOX.c.kind.not_in([spelt(kind) for kind in ("invitation", "anonymous", "history")]),
    OUTBOX.c.status == "sent",
)

_TURNS_BEFORE = (
    select(OUTBOX.c.id)
    .join(GAME, OUTBOX.c.game_id == GAME.c.id)
    .where(
        OUTBOX.c.player_id == bindparam("player"),
        OUTBOX.c.kind.in_([spelt(kind) for kind in ("turn", "started")]),
        OUTBOX.c.id < bindparam("before"),
        GAME.c.ruleset == bindparam("rules"),
    )
    .limit(bindparam("most"))
)
_OF_SEAT = select(OUTBOX.c.id).where(
    OUTBOX.c.game_id == bindparam("game"),
    OUTBOX.c.seat == bindparam("of_seat"),
    OUTBOX.c.status == bindparam("of_status"),
    OUTBOX.c.version >= bindparam("since"),
    OUTBOX.c.decision.is_not(None),
)
_TURN_MAIL = _OF_SEAT.where(OUTBOX.c.kind != "reminder").order_by(OUTBOX.c.id.desc()).limit(1)

Mails: TypeAlias = list[OutboxMail]
Sayings: TypeAlias = list[Said]
"""Type aliases, because `list` is a method inside the class below."""


class OutboxQueries(SealedTables):
    """Queries on the outbox within one unit of work."""

    def last_to_player(self, player_id: str, kind: str, *, sent: bool = False) -> OutboxMail | None:
        """Return a player's newest pending or sent message of a kind that belongs to no game, or None.

        With `sent`, only sent messages count.
        """
        query = _LAST_SENT_TO_PLAYER if sent else _LAST_TO_PLAYER
        row = self._connection.execute(query, {"player": player_id, "of_kind": kind}).first()
        return None if row is None else self._outgoing(row._mapping, is_listed=False)

    def sent_to(
        self,
        game_id: GameId,
        seat: int,
        limit: int = 20,
        *,
        unless: Collection[str] = (),
    ) -> Mails:
        """List up to `limit` messages to a seat that show a position and were sent or rendered.

        Messages of the kinds in `unless` are left out. The newest message comes first.
        """
        return self._all(
            select(OUTBOX)
            .where(
                OUTBOX.c.game_id == game_id,
                OUTBOX.c.seat == seat,
                OUTBOX.c.version.is_not(None),
                OUTBOX.c.kind.not_in(unless),
                (OUTBOX.c.status == "sent") | OUTBOX.c.rendered.is_not(None),
            )
            .order_by(OUTBOX.c.version.desc(), OUTBOX.c.id.desc())
            .limit(limit),
            is_listed=True,
        )

    def reported_up_to(self, game_id: GameId, seat: int, player_id: str) -> int:
        """Return the newest game version that a sent message showed this player, or 0 for none.

        Messages in transit do not count, because they may still be superseded or rejected.
        """
        return self._scalar(
            _TOLD_UP_TO, {"game": game_id, "of_seat": seat, "player": player_id}, default=0
        )

    def has_had_turns(self, row: OutboxMail, ruleset: str, count: int) -> bool:
        """True if a player had at least `count` turn messages before `row` in games with a ruleset.

        Unsent messages also count, so that the result does not change over time.
        """
        values = {"player": row.player_id, "before": row.id, "rules": ruleset, "most": count}
        return len(self._connection.execute(_TURNS_BEFORE, values).all()) == count

    def has_turn_after(self, game_id: GameId, seat: int, version: int, before: datetime) -> bool:
        """True if a seat had a turn message about a later version that was created before a time."""
        query = select(OUTBOX.c.id).where(
            OUTBOX.c.game_id == game_id,
            OUTBOX.c.seat == seat,
            OUTBOX.c.version > version,
            OUTBOX.c.kind == "turn",
            OUTBOX.c.created_at < before,
        )
        return self._connection.execute(query.limit(1)).first() is not None

    def has_unsent(self, game_id: GameId, seat: int, since: int) -> bool:
        """True if a seat's message about its decision (at version `since` or later) is unsent."""
        return self._newest_turn_mail(game_id, seat, since, "pending") is not None

    def has_failed(self, game_id: GameId, seat: int, since: int) -> bool:
        """True if a seat's message about its decision failed, even if another message was sent."""
        return self._newest_turn_mail(game_id, seat, since, "failed") is not None

    def untold(self, game_id: GameId, seat: int, since: int) -> int | None:
        """Return the newest failed message about a seat's decision if the player was not informed.

        Returns:
            The message ID. None if a message about the decision (even a reminder) was sent, if none
            failed, or if a newer one was cancelled.
        """
        failed = self._newest_turn_mail(game_id, seat, since, "failed")
        cancelled = self._newest_turn_mail(game_id, seat, since, "cancelled")
        if failed is None or failed < (cancelled or 0):
            return None
        has_left = self._connection.execute(
            _OF_SEAT.limit(1),
            {"game": game_id, "of_seat": seat, "since": since, "of_status": "sent"},
        )
        return failed if has_left.first() is None else None

    def _newest_turn_mail(self, game_id: GameId, seat: int, since: int, status: str) -> int | None:
        values = {"game": game_id, "of_seat": seat, "since": since, "of_status": status}
        return self._scalar(_TURN_MAIL, values, default=None)

    def count_to(self, player_id: str, since: datetime, *, prefix: str) -> int:
        """Count the messages created for a player after a time with keys that begin with `prefix`."""
        values = {"player_id": player_id, "since": since}
        return self._scalar(_count_to(prefix), values, default=0)

    def count_since(self, since: datetime, *, prefix: str) -> int:
        """Count all messages created after a time with keys that begin with `prefix`."""
        return self._count(
            OUTBOX.c.created_at > since, OUTBOX.c.key.startswith(prefix, autoescape=True)
        )

    def count_to_strangers(self, since: datetime, *, prefix: str) -> int:
        """Count like `count_since`, limited to recipients who are not players. Uses an index."""
        return self._count(
            OUTBOX.c.player_id.is_(None),
            OUTBOX.c.created_at > since,
            OUTBOX.c.key.startswith(prefix, autoescape=True),
        )

    def has_key(self, key: str) -> bool:
        """True if a message with this key exists."""
        row = self._connection.execute(select(OUTBOX.c.id).where(OUTBOX.c.key == storable_key(key)))
        return row.first() is not None

    def newest_with_key(self, prefix: str) -> OutboxMail | None:
        """Return the newest message with a key that begins with `prefix`, or None."""
        rows = self._all(
            select(OUTBOX)
            .where(OUTBOX.c.key.startswith(prefix, autoescape=True))
            .order_by(OUTBOX.c.id.desc())
            .limit(1),
            is_listed=True,
        )
        return next(iter(rows), None)

    def count(self, status: str, before: datetime | None = None) -> int:
        """Count the messages with a status. With `before`, count only those created earlier."""
        older = () if before is None else (OUTBOX.c.created_at < before,)
        return self._count(OUTBOX.c.status == spelt(status), *older)

    def count_waiting(self, since: datetime) -> int:
        """Count pending messages created before `since`, without alerts and pings."""
        return self._count(
            IS_PENDING,
            OUTBOX.c.created_at < since,
            OUTBOX.c.kind.not_in(("alert", PING)),
        )

    def count_given_up(self, since: datetime) -> int:
        """Count messages, except pings, that failed after a time without a bounce from the recipient."""
        return self._count(
            OUTBOX.c.status == spelt("failed"),
            OUTBOX.c.kind != PING,
            OUTBOX.c.not_before > since,
            ~exists().where(
                BOUNCE.c.player_id == OUTBOX.c.player_id,  # lets the query use an index
                BOUNCE.c.outbox_id == OUTBOX.c.id,
            ),
        )

    def count_lost_pings(self, since: datetime) -> int:
        """Count pings that failed after a time."""
        return self._count(
            OUTBOX.c.status == spelt("failed"), OUTBOX.c.kind == PING, OUTBOX.c.not_before > since
        )

    def by_message_id(self, ids: Collection[str]) -> Mails:
        """Return our messages with these Message-IDs, newest first, in any status."""
        wanted = {storable(message_id) for message_id in ids}
        if not wanted:
            return []
        return self._all(_BY_MESSAGE_ID, {"ids": sorted(wanted)}, is_listed=True)

    def answering(self, game_id: GameId, seat: int, message_id: str) -> Mails:
        """Return the messages to a seat that reply to a Message-ID, oldest first."""
        query = select(OUTBOX).where(
            OUTBOX.c.game_id == game_id,
            OUTBOX.c.seat == seat,
            OUTBOX.c.answers == storable(message_id),
        )
        return self._all(query.order_by(OUTBOX.c.id), is_listed=True)

    def texts_with_ids(self, ids: Collection[str]) -> Sayings:
        """Return the texts of our messages with these Message-IDs, newest first."""
        wanted = {storable(message_id) for message_id in ids}
        return self._select_forms(_SAID_IN, {"ids": sorted(wanted)}) if wanted else []

    def texts_to_seat(self, game_id: GameId, seat: int, version: int, limit: int) -> Sayings:
        """Return the texts of up to `limit` messages to a seat that show a version, newest first."""
        values = {"game": game_id, "of_seat": seat, "shown": version, "most": limit}
        return self._select_forms(_SAID_TO, values)

    def _select_forms(self, query: Select[Any], values: Mapping[str, object]) -> Sayings:
        return [
            Said(mail_id, game_id, seat, self._forms(sealed, key))
            for mail_id, key, game_id, seat, sealed in self._connection.execute(query, values)
        ]

    def _forms(self, sealed: str | None, key: str) -> tuple[str, str] | None:
        if sealed is None:
            return None
        try:
            text, _, page = self._envelopes.open_mail(sealed, SAID, key).decode().partition("\0")
        except KeyMissingError:
            return None
        return text, page

    def get(self, mail_id: int) -> OutboxMail | None:
        """Return a message of any status, or None."""
        rows = self._all(select(OUTBOX).where(OUTBOX.c.id == mail_id))
        return rows[0] if rows else None

    def get_known(self, mail_id: int) -> OutboxMail | None:
        """Return a message or None. Omit its content if the encryption key is missing."""
        rows = self._all(select(OUTBOX).where(OUTBOX.c.id == mail_id), is_listed=True)
        return rows[0] if rows else None

    def list(self, status: str | None = None, limit: int = 100) -> Mails:
        """List messages, newest first. None lists all statuses."""
        query = select(OUTBOX).order_by(OUTBOX.c.id.desc()).limit(limit)
        if status is not None:
            query = query.where(OUTBOX.c.status == spelt(status))
        return self._all(query, is_listed=True)

    def of_game(self, game_id: GameId) -> Mails:
        """List the messages of a game without their bytes, oldest first."""
        return self._all(_WITHOUT_BYTES.where(OUTBOX.c.game_id == game_id).order_by(OUTBOX.c.id))

    def was_played_here(self, game_id: GameId) -> bool:
        """True if a game has incoming or outgoing messages. An imported game has none."""
        queries = (
            select(mails.c.id).where(mails.c.game_id == game_id) for mails in (OUTBOX, INBOX)
        )
        return any(self._connection.execute(query.limit(1)).first() for query in queries)

    def _count(self, *conditions: ColumnElement[bool]) -> int:
        return self._scalar(_COUNT.where(*conditions), default=0)

    def _all(
        self,
        query: Select[Any],
        given: Mapping[str, object] | None = None,
        *,
        is_listed: bool = False,
    ) -> Mails:
        rows = self._connection.execute(query, given)
        return [self._outgoing(row._mapping, is_listed=is_listed) for row in rows]

    def _outgoing(self, mapping: Any, *, is_listed: bool) -> OutboxMail:  # noqa: ANN401  (RowMapping)
        """Decrypt a row. With `is_listed`, omit values that cannot be decrypted instead of raising."""
        values: dict[str, Any] = dict(mapping)
        key, rendered = values["key"], values["rendered"]
        opened = self._envelopes.open_if_possible if is_listed else self._envelopes.open_text
        is_pruned = values["params"] == ""
        inside = None
        try:
            inside = bound_in(self._envelopes, OUTBOX, values, holds=is_pruned)
            values["params"] = (
                unpack_facts(inside or b"")
                if is_pruned
                else load_object(self._envelopes.open(values["params"], PARAMS, key))
            )
            values["rendered"] = (
                None if rendered is None else self._envelopes.open_mail(rendered, RENDERED, key)
            )
        except KeyMissingError:
            if not is_listed:
                raise
            values |= {"params": {}, "rendered": None}
        if inside is None:
            values["bound"] = ""
        values["said"] = None
        values["rcpt_to"] = opened(values["rcpt_to"], RCPT_TO, key)
        values["last_error"] = opened(values["last_error"], LAST_ERROR, key)
        return OutboxMail(**values)
