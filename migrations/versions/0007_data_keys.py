"""Add the table of data keys, which the key file encrypts.

Revision: 0007.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "data_key",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True
        ),
        sa.Column("kid", sa.Text(), nullable=False),
        sa.Column("wrapped", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_data_key")),
        sa.UniqueConstraint("kid", name=op.f("uq_data_key_kid")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("data_key")
