"""Heartbeats, outages, and seats for which a bot decides.

Revision: 0003. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "outage",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("begin", UTCDateTime(), nullable=False),
        sa.Column("end", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outage_end", "outage", ["end"])
    with op.batch_alter_table("seat") as table:
        table.add_column(
            sa.Column("is_bot", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("seat") as table:
        table.alter_column("is_bot", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("seat") as table:
        table.drop_column("is_bot")
    op.drop_table("outage")
    op.drop_table("heartbeat")
