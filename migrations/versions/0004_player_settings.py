"""Store a player's settings in a JSON column, so that a new setting needs no migration.

The column contains the values that differ from the defaults of 1.0. It is not encrypted, and
neither were the columns that it replaces.

Revision: 0004.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

COLUMNS = {
    "zone": (sa.Text(), "UTC"),
    "wants_reminders": (sa.Boolean(), sa.true()),
    "reminders": (sa.Text(), ""),
    "digest_hour": (sa.Integer(), "-1"),
    "language": (sa.Text(), "en"),
    "talk": (sa.Text(), ""),
    "wants_html": (sa.Boolean(), sa.true()),
    "cards": (sa.Text(), ""),
    "has_calendar": (sa.Boolean(), sa.false()),
    "has_page": (sa.Boolean(), sa.false()),
}
PLAYER = sa.table(
    "player",
    sa.column("id", sa.Text()),
    sa.column("digest_at"),
    sa.column("settings", sa.Text()),
    *(sa.column(name, kind) for name, (kind, _) in COLUMNS.items()),
)


def upgrade() -> None:
    op.add_column("player", sa.Column("settings", sa.Text(), nullable=False, server_default="{}"))
    for row in op.get_bind().execute(sa.select(PLAYER)).all():
        _write(row.id, settings=json.dumps(_chosen(row), separators=(",", ":")))
    for name in COLUMNS:
        op.drop_column("player", name)


def downgrade() -> None:
    for name, (kind, default) in COLUMNS.items():
        op.add_column("player", sa.Column(name, kind, nullable=False, server_default=default))
    for row in op.get_bind().execute(sa.select(PLAYER.c.id, PLAYER.c.settings)).all():
        chosen = json.loads(row.settings)
        minutes = chosen.pop("reminders", [])
        cards = " ".join(chosen.pop("cards", []))
        values = {name: value for name, value in chosen.items() if name in COLUMNS}
        values |= {"wants_reminders": minutes is not None, "cards": cards}
        _write(row.id, **values, reminders=",".join(map(str, minutes or [])))
    op.drop_column("player", "settings")


def _chosen(row):
    """Return the values of a row that differ from the defaults, by name."""
    chosen = {"zone": row.zone, "language": row.language}
    if not row.wants_reminders:
        chosen["reminders"] = None
    elif row.reminders:
        chosen["reminders"] = [int(minutes) for minutes in row.reminders.split(",")]
    if row.digest_at is not None:
        chosen["digest_hour"] = row.digest_hour
    if row.talk:
        chosen["talk"] = row.talk
    if not row.wants_html:
        chosen["wants_html"] = False
    if row.cards:
        chosen["cards"] = row.cards.split()
    for name in ("has_calendar", "has_page"):
        if getattr(row, name):
            chosen[name] = True
    return chosen


def _write(player_id, **values):
    op.get_bind().execute(PLAYER.update().where(PLAYER.c.id == player_id).values(values))
