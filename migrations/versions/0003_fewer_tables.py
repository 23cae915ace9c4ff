"""Drop two tables, because games are replayed from the log and ratings are computed on demand.

Revision: 0003.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("snapshot")
    op.drop_table("rating")


def downgrade() -> None:
    op.create_table(
        "rating",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("finished_at", UTCDateTime(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint(
            "player_id", "ruleset", "finished_at", "game_id", name=op.f("pk_rating")
        ),
    )
    op.create_index("ix_rating_finished_at", "rating", ["finished_at", "game_id"])
    op.create_table(
        "snapshot",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name=op.f("pk_snapshot")),
    )
