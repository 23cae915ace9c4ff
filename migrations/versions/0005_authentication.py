"""What the trusted mail server said of the sender of a mail.

Revision: 0005. `event` and `event_secret` are not touched.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("authentication", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("inbox", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_column("authentication")
