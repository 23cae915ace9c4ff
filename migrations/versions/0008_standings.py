"""Places, ratings and punctuality: projections, filled from the log by `pbem db rebuild`.

Revision: 0008. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("on_time", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "player_id", name="pk_turns"),
    )
    op.create_index("ix_turns_player_id", "turns", ["player_id"])
    op.create_table(
        "result",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sat_out", sa.Boolean(), nullable=False),
        sa.Column("finished_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_result"),
    )
    op.create_index("ix_result_player_id", "result", ["player_id"])
    op.create_index("ix_result_finished_at", "result", ["finished_at", "game_id"])
    op.create_table(
        "rating",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("finished_at", UTCDateTime(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint(
            "player_id", "ruleset", "finished_at", "game_id", name="pk_rating"
        ),
    )
    op.create_index("ix_rating_finished_at", "rating", ["finished_at", "game_id"])


def downgrade() -> None:
    for table in ("rating", "result", "turns"):
        op.drop_table(table)
