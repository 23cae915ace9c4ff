"""Save space: exclude old messages from indexes, and cluster the reported heads by their key.

Envelopes are shorter from this revision on, and a secret's salt is in the envelope of its payload.
Programs of revision 0001 cannot read them.

Revision: 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

IN = "(status = 'new' OR status = 'held' OR status = 'asked' OR status = 'shunted')"
OUT = "(status = 'pending' OR status = 'failed')"
OLD = (
    ("ix_inbox_status_arrived_at", "inbox", ("status", "arrived_at", "id")),
    ("ix_inbox_game_id_status", "inbox", ("game_id", "status", "arrived_at")),
    ("ix_outbox_status_not_before", "outbox", ("status", "not_before", "id")),
    ("ix_outbox_game_id_seat_status", "outbox", ("game_id", "seat", "status")),
)
NEW = (
    ("ix_inbox_open_status", "inbox", ("status", "arrived_at", "id"), IN),
    ("ix_inbox_open_game_id", "inbox", ("game_id", "status", "arrived_at"), IN),
    ("ix_inbox_whole", "inbox", ("arrived_at",), "raw <> ''"),
    ("ix_outbox_open_status", "outbox", ("status", "not_before", "id"), OUT),
    ("ix_outbox_open_game_id", "outbox", ("game_id", "seat", "status"), OUT),
    ("ix_outbox_whole", "outbox", ("not_before",), "rendered IS NOT NULL"),
)


def upgrade() -> None:
    for name, table, _ in OLD:
        op.drop_index(name, table)
    for name, table, columns, rows in NEW:
        where = sa.text(rows)
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
    op.create_index("ix_inbox_game_id", "inbox", ["game_id"])
    _make_mailed_anew(with_rowid=False)


def downgrade() -> None:
    _make_mailed_anew(with_rowid=True)
    op.drop_index("ix_inbox_game_id", "inbox")
    for name, table, _, _ in NEW:
        op.drop_index(name, table)
    for name, table, columns in OLD:
        op.create_index(name, table, columns)


def _make_mailed_anew(*, with_rowid: bool) -> None:
    """Rebuild the table with or without a rowid. This only affects SQLite."""
    if op.get_bind().dialect.name == "sqlite":
        kept = {"sqlite_with_rowid": with_rowid}
        with op.batch_alter_table("mailed", recreate="always", table_kwargs=kept):
            pass
