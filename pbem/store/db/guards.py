"""Database triggers that make the `event` table append-only.

They reject updates and deletions. This module is their only definition: the migration creates them
from it, and health checks compare the database with it. A migration that rebuilds `event` on SQLite
must call `make` again, and is best avoided. The triggers protect against mistakes and careless
tools. A user who may alter tables can drop them, so the service checks them regularly.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, text

SQLITE = {
    "event_no_update": """
    CREATE TRIGGER event_no_update BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: no UPDATE'); END
    """,
    "event_no_delete": """
    CREATE TRIGGER event_no_delete BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: no DELETE'); END
    """,
    # INSERT OR REPLACE deletes the old row without firing the DELETE trigger
    "event_no_replace": """
    CREATE TRIGGER event_no_replace BEFORE INSERT ON event
    WHEN EXISTS (
      SELECT 1 FROM event
      WHERE (game_id = NEW.game_id AND version = NEW.version) OR position = NEW.position
    )
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: this version exists'); END
    """,
}
FUNCTION, TRIGGER = "event_is_append_only", "event_append_only"
POSTGRESQL = {
    FUNCTION: f"""
    CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the log is append-only: no %', TG_OP USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    # PostgreSQL reports the operations in this order
    TRIGGER: f"""
    CREATE TRIGGER {TRIGGER} BEFORE DELETE OR UPDATE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION {FUNCTION}()
    """,
}
_IN_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_IN_POSTGRESQL = f"""
    SELECT proname, 'CREATE OR REPLACE FUNCTION ' || proname || '() RETURNS ' || format_type(prorettype, NULL)
      || ' LANGUAGE ' || lanname || ' AS $$' || prosrc || '$$'
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
    WHERE proname = '{FUNCTION}' AND pronargs = 0 AND pg_function_is_visible(pg_proc.oid)
    UNION ALL
    SELECT tgname, pg_get_triggerdef(oid, true) FROM pg_trigger
    WHERE tgname = '{TRIGGER}' AND tgrelid = to_regclass('event') AND tgenabled IN ('O', 'A')
    """  # noqa: S608  (constants of this module)


def of(connection: Connection) -> Mapping[str, str]:
    """Return the SQL statements that create the triggers, by trigger name, in execution order."""
    return SQLITE if _is_sqlite(connection) else POSTGRESQL


def wrong(connection: Connection) -> list[str]:
    """Return the names of triggers that are missing, disabled or differ from their definition."""
    query = _IN_SQLITE if _is_sqlite(connection) else _IN_POSTGRESQL
    triggers: dict[str, str] = {row[0]: row[1] for row in connection.execute(text(query))}
    return [
        name
        for name, statement in of(connection).items()
        if name not in triggers or _normal(triggers[name]) != _normal(statement)
    ]


def restore_triggers(connection: Connection) -> list[str]:
    """Recreate all triggers if any is missing or changed. Return the names of the faulty ones."""
    names = wrong(connection)
    if names:
        make(connection)
    return names


def make(connection: Connection) -> None:
    """Create all triggers, replacing existing triggers."""
    on_table = "" if _is_sqlite(connection) else " ON event"
    for name, statement in of(connection).items():
        if name != FUNCTION:
            connection.execute(text(f"DROP TRIGGER IF EXISTS {name}{on_table}"))
        connection.execute(text(statement))


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _normal(statement: str) -> str:
    """Collapse all white space in a statement."""
    return " ".join(statement.split())
