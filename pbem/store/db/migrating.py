"""Upgrade and downgrade the database schema with Alembic.

The revision scripts are packaged as the resource `migrations`. On SQLite they run with foreign keys
off, because rebuilding a table drops it, and with foreign keys on the drop could delete events.
SQLite only accepts that pragma outside a transaction. Alembic is slow to import, so only code that
migrates or compares schemas imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, func, inspect, select, text

from pbem.errors import KeyMissingError, SchemaError
from pbem.resources import migrations_dir
from pbem.store.db.schema import SchemaState, read_state, require_current
from pbem.store.db.uow import Store
from pbem.store.rows.core import DATA_KEY, EVENT, METADATA
from pbem.store.seal import data_keys, sealed
from pbem.store.seal.envelope import Envelopes
from pbem.store.seal.keyring import KeyRing

_MIGRATION_LOCK = 0x7062656D_00000001
"""Advisory lock that allows one migration at a time (ASCII "pbem" and a number)."""


def upgrade(store: Store, then: Callable[[Connection], None] | None = None) -> SchemaState:
    """Upgrade an existing database, or an empty new file, to the schema of this program.

    Args:
        store: the database.
        then: called in the same transaction if tables of an older schema were upgraded.

    Raises:
        SchemaError: the schema is newer than this program, or the migration would lose events.
            Nothing is changed in either case.
    """
    store.make_file()
    with _migrating(store.db_engine) as connection:
        state = read_state(connection)
        if state.is_newer:
            return require_current(state)  # newer, but declared compatible with this program
        config = _config(connection)
        ring = store.keys()
        if inspect(connection).has_table(DATA_KEY.name):
            ring = data_keys.unwrap(data_keys.read(connection), ring)
        config.attributes["envelopes"] = Envelopes(ring)
        command.upgrade(config, "head")
        _begin_data_keys(connection, ring)
        after = read_state(connection)
        if then is not None and state.current not in (None, after.current):
            then(connection)
        return after


def _begin_data_keys(connection: Connection, ring: KeyRing) -> None:
    """Create the first data key of an encrypted database.

    Raises: KeyMissingError if values are encrypted with a key that is not in the file.
    """
    if not ring.keys or data_keys.read(connection):
        return
    missing = sealed.newest_kids(connection) - ring.lost - {key.kid for key in ring.keys}
    if missing:
        raise KeyMissingError(
            f"the database is sealed with the key {min(missing)}, which is not in the key file: put"
            " it back with `pbem key restore BACKUP`. Nothing was changed"
        )
    data_keys.renew(connection, ring)


def downgrade(store: Store, revision: str) -> SchemaState:
    """Downgrade a database to an older revision.

    The revision `base` drops every table, including the log.
    """
    with _migrating(store.db_engine, may_drop_log=revision == "base") as connection:
        command.downgrade(_config(connection), revision)
        return read_state(connection)


def differences(store: Store) -> list[object]:
    """Return the differences that Alembic finds between the tables and the models."""
    with store.reading() as uow:
        options = {"compare_server_default": True, "include_name": _is_ours}
        context = MigrationContext.configure(uow.connection, opts=options)
        result: list[object] = list(compare_metadata(context, METADATA))
        return result


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """True unless the name is that of a table that Litestream adds to a database it replicates."""
    return not (kind == "table" and (name or "").startswith("_litestream_"))


@contextmanager
def _migrating(db_engine: Engine, *, may_drop_log: bool = False) -> Iterator[Connection]:
    """Open a transaction for a migration. It commits only if no event was lost."""
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
    """Set the pragma on the driver's connection, outside any transaction."""
    driver_connection = connection.connection.driver_connection
    if driver_connection is None:  # pragma: no cover  (a closed connection)
        raise SchemaError("the connection to the database was lost")
    driver_connection.execute(f"PRAGMA foreign_keys={'ON' if on else 'OFF'}")


def _config(connection: Connection) -> Config:
    config = Config()
    location = str(migrations_dir()).replace("%", "%%")
    config.set_main_option("script_location", location)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
