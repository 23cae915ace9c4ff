"""Indexes of mails that are settled go: nearly all are, and those that wait have their own.

From here on envelopes are short, and a secret's salt lies in its payload's: programs of 0001 cannot read them.

Revision: 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WAITING = {
    "inbox": "status = 'new' OR status = 'held' OR status = 'asked' OR status = 'shunted'",
    "outbox": "status = 'pending' OR status = 'failed'",
}
OLD = (
    ("ix_inbox_status_arrived_at", "inbox", ("status", "arrived_at", "id")),
    ("ix_inbox_game_id_status", "inbox", ("game_id", "status", "arrived_at")),
    ("ix_outbox_status_not_before", "outbox", ("status", "not_before", "id")),
    ("ix_outbox_game_id_seat_status", "outbox", ("game_id", "seat", "status")),
)
NEW = (
    ("ix_inbox_open_status", "inbox", ("status", "arrived_at", "id")),
    ("ix_inbox_open_game_id", "inbox", ("game_id", "status", "arrived_at")),
    ("ix_outbox_open_status", "outbox", ("status", "not_before", "id")),
    ("ix_outbox_open_game_id", "outbox", ("game_id", "seat", "status")),
)


def upgrade() -> None:
    for name, table, _ in OLD:
        op.drop_index(name, table)
    for name, table, columns in NEW:
        where = sa.text(WAITING[table])
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
    op.create_index("ix_inbox_game_id", "inbox", ["game_id"])


def downgrade() -> None:
    op.drop_index("ix_inbox_game_id", "inbox")
    for name, table, _ in NEW:
        op.drop_index(name, table)
    for name, table, columns in OLD:
        op.create_index(name, table, columns)
