"""Whether a player wants mails with a page beside their text.

Revision: 0011. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(
            sa.Column("wants_html", sa.Boolean(), nullable=False, server_default=sa.true())
        )
    with op.batch_alter_table("player") as table:
        table.alter_column("wants_html", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.drop_column("wants_html")
