"""Schema revisions of the database, and checks that this program can use them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sqlalchemy import Connection, inspect, text

from pbem.errors import SchemaError

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""All known schema revisions, oldest first. A test compares them with the scripts."""
_SIDE_BY_SIDE = re.compile(r"\d{4}_works_with_(\d{4})")
"""Pattern of revision names that declare compatibility with an older program (docs/admin.md)."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The schema revision of a database and the newest revision this program knows.

    Attributes:
        current: revision of the database, or None if it has no tables of pbem.
        expected: newest revision that this program knows.
    """

    current: str | None
    expected: str = field(default_factory=lambda: REVISIONS[-1])

    @property
    def is_current(self) -> bool:
        """True if the database has the newest schema known to this program."""
        return self.current == self.expected

    @property
    def is_newer(self) -> bool:
        """True if a newer version of pbem created or upgraded the database."""
        return self.current is not None and self.current not in REVISIONS

    @property
    def is_usable(self) -> bool:
        """True if this program can use the database, including newer schemas declared compatible."""
        if self.is_current:
            return True
        named = _SIDE_BY_SIDE.fullmatch(self.current or "")
        return self.is_newer and named is not None and named[1] in _numbers()


def _numbers() -> set[str]:
    return {revision[:4] for revision in REVISIONS}


def read_state(connection: Connection) -> SchemaState:
    """Read the schema revision of a database."""
    if not inspect(connection).has_table("alembic_version"):
        return SchemaState(current=None)
    current = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    return SchemaState(current=current[0] if current else None)


def require_current(state: SchemaState) -> SchemaState:
    """Return the state unchanged if this program can use the database.

    Raises:
        SchemaError: it cannot. The message names the command to run.
    """
    if state.is_usable:
        return state
    if state.current is None:
        raise SchemaError("the database has no tables of pbem yet: run `pbem db upgrade`")
    if state.is_newer:
        raise SchemaError(
            f"the database was made by a newer pbem (schema {state.current}, this program knows"
            f" {state.expected}): install that pbem; nothing was changed"
        )
    raise SchemaError(
        f"the database has schema {state.current}, this program needs {state.expected}: make a"
        " backup, then run `pbem db upgrade`"
    )


def require_still(connection: Connection, known: str | None) -> str | None:
    """Check inside a transaction that the schema is still usable, and return its revision.

    A concurrent migration waits until this transaction ends.

    Args:
        connection: a connection with an open transaction.
        known: a revision that is known to be usable. The check is skipped if it is still current.

    Raises:
        SchemaError: the database was upgraded since the last check.
    """
    revision: str | None = connection.exec_driver_sql(
        "SELECT version_num FROM alembic_version"
    ).scalar()
    if revision != known:
        require_current(SchemaState(current=revision))
    return revision
