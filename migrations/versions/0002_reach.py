"""Who can be reached, bounces, pauses of delivery; mails to people who are no players.

Revision: 0002. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AUTOINCREMENT = {"sqlite_autoincrement": True}


def upgrade() -> None:
    op.create_table(
        "reach",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("reached_at", UTCDateTime(), nullable=True),
        sa.Column("lost_at", UTCDateTime(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_reach_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_reach")),
    )
    op.create_table(
        "bounce",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("outbox_id", SERIAL, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("bounced_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_bounce_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bounce")),
        sa.UniqueConstraint("key", name=op.f("uq_bounce_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bounce_player_id_bounced_at", "bounce", ["player_id", "bounced_at"])
    op.create_table(
        "pause",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_pause")),
    )
    op.add_column("inbox", sa.Column("sender", sa.Text(), nullable=True))
    op.add_column("inbox", sa.Column("player_id", sa.Text(), nullable=True))
    op.create_index("ix_inbox_player_id_arrived_at", "inbox", ["player_id", "arrived_at"])
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("rotation", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("player") as table:
        table.alter_column("rotation", server_default=None)
    with op.batch_alter_table("seat") as table:
        table.add_column(
            sa.Column("is_unreachable", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("seat") as table:
        table.alter_column("is_unreachable", server_default=None)
    op.create_index(
        "ix_seat_is_unreachable",
        "seat",
        ["player_id"],
        sqlite_where=sa.text("is_unreachable"),
        postgresql_where=sa.text("is_unreachable"),
    )
    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        table.alter_column("player_id", existing_type=sa.Text(), nullable=True)
        table.add_column(sa.Column("rcpt_to", sa.Text(), nullable=True))
        table.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        table.alter_column("failures", server_default=None)
    op.create_index(
        "ix_outbox_player_id_created_at", "outbox", ["player_id", "created_at"], unique=False
    )


def downgrade() -> None:
    """Drop what came; mails to people who are no players go with it."""
    op.drop_index("ix_outbox_player_id_created_at", "outbox")
    op.execute("DELETE FROM outbox WHERE player_id IS NULL")
    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        table.drop_column("failures")
        table.drop_column("rcpt_to")
        table.alter_column("player_id", existing_type=sa.Text(), nullable=False)
    op.drop_index("ix_seat_is_unreachable", "seat")
    with op.batch_alter_table("seat") as table:
        table.drop_column("is_unreachable")
    with op.batch_alter_table("player") as table:
        table.drop_column("rotation")
    op.drop_index("ix_inbox_player_id_arrived_at", "inbox")
    with op.batch_alter_table("inbox", table_kwargs=AUTOINCREMENT) as table:
        table.drop_column("player_id")
        table.drop_column("sender")
    op.drop_table("pause")
    op.drop_table("bounce")
    op.drop_table("reach")
