"""Old mails take less room: fewer indexes have them, and what readers were told lies in one tree.

From here on envelopes are short, and a secret's salt lies in its payload's: programs of 0001 cannot read them.

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
    """Keep its rows in the tree of its key, or beside it; PostgreSQL has no such choice."""
    if op.get_bind().dialect.name == "sqlite":
        kept = {"sqlite_with_rowid": with_rowid}
        with op.batch_alter_table("mailed", recreate="always", table_kwargs=kept):
            pass
