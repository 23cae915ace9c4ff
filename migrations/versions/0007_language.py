"""The language in which a player is written to.

Revision: 0007. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("language", sa.Text(), nullable=False, server_default="en"))
    with op.batch_alter_table("player") as table:
        table.alter_column("language", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.drop_column("language")
