"""Reminders of a player's own, and one mail a day.

Revision: 0006. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("reminders", sa.Text(), nullable=False, server_default=""))
        table.add_column(sa.Column("digest_hour", sa.Integer(), nullable=False, server_default="-1"))
        table.add_column(sa.Column("digest_at", UTCDateTime(), nullable=True))
    with op.batch_alter_table("player") as table:
        table.alter_column("reminders", server_default=None)
        table.alter_column("digest_hour", server_default=None)
        table.create_index("ix_player_digest_at", ["digest_at"])


def downgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.drop_index("ix_player_digest_at")
        table.drop_column("digest_at")
        table.drop_column("digest_hour")
        table.drop_column("reminders")
