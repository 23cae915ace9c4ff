"""The log heads reported to each reader by email, for the proof included in each message.

A head counts as reported as soon as the message's bytes are stored. From then on they can be sent,
and if the next server's reply is lost, it is unknown whether they were. The messages about a game
to a reader form a chain in the order of rendering: each message names the newest event reported by
an earlier message. Two messages therefore never report different continuations of the same event,
unless the log was forked.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, exists, func, select
from sqlalchemy.exc import IntegrityError

from pbem.domain.log.chain import NOTHING, GameId, Head
from pbem.errors import LogError, VersionConflictError
from pbem.store.rows.core import EVENT, MAILED, Advance
from pbem.store.rows.texts import Tables

_OF_READER = (
    MAILED.c.player_id == bindparam("player"),
    MAILED.c.game_id == bindparam("game"),
)
_NEWEST = (
    select(MAILED.c.version, EVENT.c.hash)
    .select_from(
        MAILED.outerjoin(
            EVENT, (EVENT.c.game_id == MAILED.c.game_id) & (EVENT.c.version == MAILED.c.version)
        )
    )
    .where(*_OF_READER)
    .order_by(MAILED.c.before.desc())
    .limit(1)
)
_UP_TO = select(func.max(MAILED.c.version)).where(*_OF_READER)
_LATER = MAILED.alias("later")


class ReportedHeads(Tables):
    """Access to reported heads within one unit of work.

    If the unit of work renders several messages, the later ones take the earlier ones into account.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._ahead: dict[tuple[str, GameId], Head] = {}
        self._advances: list[Advance] = []

    def advance_to(self, player_id: str, game_id: GameId, own: Head) -> Head:
        """Return the newest head that earlier messages reported to a reader, and record the new head.

        Args:
            own: the head that the message being rendered reports.

        Raises:
            LogError: the log ends before the reported head, so it was truncated.
        """
        key = (player_id, game_id)
        before = self._ahead.get(key) or self._newest(player_id, game_id)
        self._ahead[key] = before
        if own.version > before.version:
            self._ahead[key] = own
            self._advances.append(
                Advance(
                    player_id=player_id,
                    game_id=game_id,
                    before=before.version,
                    version=own.version,
                )
            )
        return before

    def pop_advances(self) -> tuple[Advance, ...]:
        """Return and clear the heads reported by the message that was just rendered."""
        taken, self._advances = tuple(self._advances), []
        return taken

    def store(self, mail_id: int, advances: Iterable[Advance]) -> None:
        """Store the heads that a message reports, in the transaction that stores its bytes.

        Raises:
            VersionConflictError: another message to the reader was rendered in between. The caller
                must render this message again.
        """
        for advance in advances:
            reader = {"player": advance.player_id, "game": advance.game_id}
            reported: int | None = self._connection.execute(_UP_TO, reader).scalar_one()
            row = advance.columns() | {"outbox_id": mail_id}
            try:
                if (reported or 0) == advance.before:
                    self._connection.execute(MAILED.insert(), row)
                    continue
            except IntegrityError:
                pass
            raise VersionConflictError(
                f"game {advance.game_id}: another mail about it was rendered first"
            )

    def withdraw(self, player_id: str | None, mail_id: int) -> None:
        """Remove the reports of a message that will never be sent, unless a later message refers to them."""
        follows = exists().where(
            _LATER.c.player_id == MAILED.c.player_id,
            _LATER.c.game_id == MAILED.c.game_id,
            _LATER.c.before == MAILED.c.version,
        )
        self._connection.execute(
            MAILED.delete().where(
                MAILED.c.player_id == player_id,
                MAILED.c.outbox_id == mail_id,
                ~follows,
            )
        )

    def _newest(self, player_id: str, game_id: GameId) -> Head:
        reader = {"player": player_id, "game": game_id}
        row = self._connection.execute(_NEWEST, reader).one_or_none()
        if row is None:
            return NOTHING
        if row[1] is None:
            raise LogError(
                f"game {game_id}: mails reported event {row[0]}, but the log ends before it",
                version=row[0],
            )
        return Head(row[0], row[1])
