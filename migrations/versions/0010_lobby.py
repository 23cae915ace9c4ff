"""Invitations, and who wants none ever again.

Revision: 0010. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "invitation",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("inviter", sa.Text(), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("next_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "seat", "version", name="pk_invitation"),
    )
    op.create_index("ix_invitation_next_at", "invitation", ["next_at"])
    op.create_index("ix_invitation_inviter_asked_at", "invitation", ["inviter", "asked_at"])
    op.create_index("ix_invitation_player_id", "invitation", ["player_id"])
    op.create_table(
        "uninvited",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_uninvited"),
    )


def downgrade() -> None:
    op.drop_table("uninvited")
    op.drop_table("invitation")
