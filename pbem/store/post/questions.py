"""Questions to players and admins, with the actions that follow a yes.

A question's content is encrypted with its ID, kind and player as context. An attacker who can write
to the database but lacks the key cannot turn one question into another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, select

from engine.api import JsonObject
from pbem.store.rows.core import QUESTION
from pbem.store.seal.envelope import SealedTables

WHAT = "question.what"


@dataclass(frozen=True, slots=True, kw_only=True)
class What:
    """The content of a question.

    Attributes:
        address: the only address from which a reply counts, or empty if any may answer.
        inbox_id: the message that waits for the answer, or 0 for none.
        rotation: rotation of the recipient's reply addresses. The question becomes invalid when
            they are revoked. None if it stays valid.
        acts: the actions that a yes triggers.
    """

    address: str = field(default="", repr=False)
    inbox_id: int = 0
    rotation: int | None = None
    acts: tuple[JsonObject, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question. `rows.QuestionRow` describes its fields."""

    id: str
    kind: str
    player_id: str | None
    asked_at: datetime
    expires_at: datetime
    answered_at: datetime | None = None
    what: What


class Questions(SealedTables):
    """Access to questions within one unit of work."""

    def add(self, question: Question) -> None:
        """Store a question."""
        bound_to = (question.id, question.kind, question.player_id)
        sealed = self._envelopes.seal(msgspec.json.encode(question.what), WHAT, *bound_to)
        row = {column.name: getattr(question, column.name) for column in QUESTION.c}
        row["what"] = sealed
        self._connection.execute(QUESTION.insert().values(row))

    def get(self, question_id: str) -> Question | None:
        """Return a question or None. Raises: StoreError if its content cannot be decrypted."""
        query = select(QUESTION).where(QUESTION.c.id == question_id)
        row = self._connection.execute(query).one_or_none()
        return None if row is None else self._opened(row)

    def newest(self, kind: str, player_id: str | None) -> Question | None:
        """Return the newest question of a kind to a player, or with None to no player.

        None if absent.
        """
        query = (
            select(QUESTION)
            .where(QUESTION.c.kind == kind, QUESTION.c.player_id == player_id)
            .order_by(QUESTION.c.asked_at.desc())
            .limit(1)
        )
        row = self._connection.execute(query).one_or_none()
        return None if row is None else self._opened(row)

    def all(self) -> Iterator[Question]:
        """Return every question."""
        return map(self._opened, self._connection.execute(select(QUESTION)).all())

    def count(self, kind: str, since: datetime, player_id: str | None = None) -> int:
        """Count the questions of a kind asked after a time, to a player or (None) to anyone."""
        query = select(func.count()).where(QUESTION.c.kind == kind, QUESTION.c.asked_at > since)
        if player_id is not None:
            query = query.where(QUESTION.c.player_id == player_id)
        return self._connection.execute(query).scalar_one()

    def mark_answered(self, question_id: str, answered_at: datetime) -> bool:
        """Mark a question as answered. Return False if it already was, perhaps by another process."""
        changed = self._connection.execute(
            QUESTION.update()
            .where(QUESTION.c.id == question_id, QUESTION.c.answered_at.is_(None))
            .values(answered_at=answered_at)
        )
        return changed.rowcount > 0

    def reopen(self, question_id: str) -> None:
        """Mark a question as unanswered, so that it can be answered again."""
        row = QUESTION.update().where(QUESTION.c.id == question_id)
        self._connection.execute(row.values(answered_at=None))

    def drop(self, question_id: str) -> None:
        """Delete a question."""
        self._connection.execute(QUESTION.delete().where(QUESTION.c.id == question_id))

    def drop_expired(self, before: datetime) -> None:
        """Delete the questions that expired before a time."""
        self._connection.execute(QUESTION.delete().where(QUESTION.c.expires_at < before))

    def _opened(self, row: Any) -> Question:  # noqa: ANN401  (a SQLAlchemy row)
        place = (row.id, row.kind, row.player_id)
        what = msgspec.json.decode(self._envelopes.open(row.what, WHAT, *place), type=What)
        return Question(**{**row._mapping, "what": what})
