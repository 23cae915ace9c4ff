"""Ids that a person had before two players became one.

Revision: 0012. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "merged",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("into_id", sa.Text(), nullable=False),
        sa.Column("merged_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["into_id"], ["player.id"], name="fk_merged_into_id"),
        sa.PrimaryKeyConstraint("player_id", name="pk_merged"),
    )
    op.create_index("ix_merged_into_id", "merged", ["into_id"])


def downgrade() -> None:
    op.drop_table("merged")
