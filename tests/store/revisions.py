"""Add a migration to the program, like the next change of the schema."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.resources import migrations_dir
from pbem.store.db import migrating, schema

BEFORE = schema.REVISIONS[-1]
REVISION = f"{len(schema.REVISIONS) + 1:04}"
_SCRIPT = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade():
    op.create_table("hat", sa.Column("id", sa.Integer(), primary_key=True))
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("hat", sa.Text(), nullable=False, server_default="none"))
    with op.batch_alter_table("outbox", table_kwargs={{"sqlite_autoincrement": True}}) as table:
        table.add_column(sa.Column("hat", sa.Text(), nullable=True))


def downgrade():
    with op.batch_alter_table("outbox", table_kwargs={{"sqlite_autoincrement": True}}) as table:
        table.drop_column("hat")
    with op.batch_alter_table("player") as table:
        table.drop_column("hat")
    op.drop_table("hat")
"""


def with_one_revision_more(
    patched: pytest.MonkeyPatch, folder: Path, revision: str = REVISION
) -> None:
    """Patch the program to have an additional revision, with a new table and new columns."""
    scripts = folder / "migrations"
    shutil.copytree(migrations_dir(), scripts, dirs_exist_ok=True)
    (scripts / "versions" / f"{revision}.py").write_text(
        _SCRIPT.format(revision=revision, before=BEFORE)
    )
    patched.setattr(migrating, "migrations_dir", lambda: scripts)
    patched.setattr(schema, "REVISIONS", (*schema.REVISIONS, revision))
