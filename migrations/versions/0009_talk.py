"""When a player wants to read what others say.

Revision: 0009. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("talk", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("player") as table:
        table.alter_column("talk", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.drop_column("talk")
