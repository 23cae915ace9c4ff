"""The schema of the database: its state, and moving it up and down with Alembic.

Alembic is imported only to migrate; whether the schema fits is one SELECT. The revision scripts
travel as a resource (`migrations`). On SQLite they run with foreign keys off, set outside the
transaction, because rebuilding a table there drops it: with them on, events could go with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, func, inspect, select, text

from pbem.errors import SchemaError
from pbem.resources import migrations_dir
from pbem.store.rows.core import EVENT

if TYPE_CHECKING:
    from alembic.config import Config

    from pbem.store.db.uow import Store

REVISIONS = (
    *("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011"),
)
"""All revisions that this program knows, oldest first; a test compares them with the scripts."""
HEAD = REVISIONS[-1]
_SIDE_BY_SIDE = re.compile(r"\d{4}_works_with_(\d{4})")
"""Name of a revision whose tables programs of an older one may go on using (docs/admin.md)."""

_MIGRATION_LOCK = 0x7062656D_00000001
"""Advisory lock: one process migrates at a time ("pbem" and a number)."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """What stands in the database, and what this program needs.

    Attributes:
        current: revision of the database; None = no tables of ours.
        expected: revision that this program works with.
    """

    current: str | None
    expected: str = HEAD

    @property
    def is_current(self) -> bool:
        """True if the program can work with the database."""
        return self.current == self.expected

    @property
    def is_newer(self) -> bool:
        """True if a newer program made the database."""
        return self.current is not None and self.current not in REVISIONS

    @property
    def is_usable(self) -> bool:
        """True if the program can work with the database, beside newer ones perhaps."""
        if self.is_current:
            return True
        named = _SIDE_BY_SIDE.fullmatch(self.current or "")
        return self.is_newer and named is not None and named[1] in _numbers()


def _numbers() -> set[str]:
    return {revision[:4] for revision in REVISIONS}


def read_state(connection: Connection) -> SchemaState:
    """Look at the schema of a database."""
    if not inspect(connection).has_table("alembic_version"):
        return SchemaState(current=None)
    current = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    return SchemaState(current=current[0] if current else None)


def require_current(state: SchemaState) -> None:
    """Refuse a schema that we cannot use. Raises: SchemaError, which says what to run."""
    if state.is_usable:
        return
    if state.current is None:
        raise SchemaError("the database holds no tables of pbem yet: run `pbem db upgrade`")
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
    """Refuse a schema that we cannot use, in a unit of work; a migration waits for its end.

    Args:
        connection: in a transaction.
        known: a revision that we can use.

    Returns:
        The revision that the database has.

    Raises:
        SchemaError: somebody has upgraded the database meanwhile.
    """
    found: str | None = connection.exec_driver_sql(
        "SELECT version_num FROM alembic_version"
    ).scalar()
    if found != known:
        require_current(SchemaState(current=found))
    return found


def check(store: Store) -> SchemaState:
    """Look at the schema and refuse any other than ours. Raises: SchemaError, StoreError."""
    state = store.schema_state()
    require_current(state)
    return state


def upgrade(store: Store, then: Callable[[Connection], None] | None = None) -> SchemaState:
    """Bring a database to the schema of this program, a new file too; does nothing to one that has it.

    Args:
        store: the database.
        then: what belongs to it where there were tables of an older schema, in the same transaction.

    Raises:
        SchemaError: a newer pbem made it, or events would have been lost (nothing is changed then).
    """
    store.make_file()
    with _migrating(store.db_engine) as connection:
        state = read_state(connection)
        if state.is_newer:
            require_current(state)
            return state  # a program of our time may work here, and has nothing to do
        from alembic import command  # noqa: PLC0415  (slow, and needed only here)

        command.upgrade(_config(connection), "head")
        after = read_state(connection)
        if then is not None and state.current not in (None, after.current):
            then(connection)
        return after


def downgrade(store: Store, revision: str) -> SchemaState:
    """Take a database back to an older revision; `base` drops every table, the log included."""
    with _migrating(store.db_engine, may_drop_log=revision == "base") as connection:
        from alembic import command  # noqa: PLC0415  (slow, and needed only here)

        command.downgrade(_config(connection), revision)
        return read_state(connection)


def differences(store: Store) -> list[object]:
    """Compare the tables of a database that has our schema with the models; empty: they are the same."""
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415
    from alembic.migration import MigrationContext  # noqa: PLC0415

    from pbem.store.rows.core import METADATA  # noqa: PLC0415

    with store.reading() as uow:
        options = {"compare_server_default": True}
        context = MigrationContext.configure(uow.connection, opts=options)
        found: list[object] = list(compare_metadata(context, METADATA))
        return found


@contextmanager
def _migrating(db_engine: Engine, *, may_drop_log: bool = False) -> Iterator[Connection]:
    """Open the one transaction of a migration; it commits only if no event was lost."""
    is_sqlite = db_engine.dialect.name == "sqlite"
    with db_engine.connect() as connection:
        if is_sqlite:
            _set_foreign_keys(connection, on=False)
        try:
            with connection.begin():
                if not is_sqlite:
                    connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
                    if inspect(connection).has_table("alembic_version"):
                        connection.exec_driver_sql("LOCK TABLE alembic_version")
                before = _count_events(connection)
                yield connection
                if not may_drop_log and _count_events(connection) != before:
                    raise SchemaError("the migration would have lost events: nothing was changed")
                if is_sqlite and connection.execute(text("PRAGMA foreign_key_check")).first():
                    raise SchemaError("the migration broke references: nothing was changed")
        finally:
            if is_sqlite:
                _set_foreign_keys(connection, on=True)


def _count_events(connection: Connection) -> int:
    if not inspect(connection).has_table(EVENT.name):
        return 0
    return connection.execute(select(func.count()).select_from(EVENT)).scalar_one()


def _set_foreign_keys(connection: Connection, *, on: bool) -> None:
    """Switch the pragma on the driver's connection: it does nothing inside a transaction."""
    driver_connection = connection.connection.driver_connection
    if driver_connection is None:  # pragma: no cover  (a closed connection)
        raise SchemaError("the connection to the database was lost")
    driver_connection.execute(f"PRAGMA foreign_keys={'ON' if on else 'OFF'}")


def _config(connection: Connection) -> Config:
    from alembic.config import Config  # noqa: PLC0415  (slow, and needed only here)

    config = Config()
    location = str(migrations_dir()).replace("%", "%%")
    config.set_main_option("script_location", location)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
