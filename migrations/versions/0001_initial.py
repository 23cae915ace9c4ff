"""Create all tables, and the triggers that protect the log from changes.

Revision: 0001, the first.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.store.db import guards

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    "deadline",
    "event",
    "game",
    "head",
    "heartbeat",
    "imported",
    "inbox",
    "invitation",
    "league",
    "mailed",
    "outage",
    "page",
    "pause",
    "player",
    "rating",
    "result",
    "seat",
    "snapshot",
    "turns",
    "uninvited",
    "address",
    "bounce",
    "event_secret",
    "outbox",
    "own_key",
    "reach",
)
"""The tables, in the order of their creation."""


def upgrade() -> None:
    op.create_table(
        "deadline",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("set_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("reminders", sa.Text(), nullable=False),
        sa.Column("next_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", "seat", name=op.f("pk_deadline")),
    )
    op.create_index("ix_deadline_due_at", "deadline", ["due_at"], unique=False)
    op.create_index("ix_deadline_next_at", "deadline", ["next_at"], unique=False)
    op.create_table(
        "event",
        sa.Column("position", SERIAL, nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("recorded_at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=True),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("secret_commitment", sa.Text(), nullable=True),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_event")),
        sa.UniqueConstraint("game_id", "version", name=op.f("uq_event_game_id_version")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("ruleset_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("finished_at", UTCDateTime(), nullable=True),
        sa.Column("is_challenge", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    op.create_index("ix_game_status", "game", ["status"], unique=False)
    op.create_index(
        "ix_game_is_challenge",
        "game",
        ["ruleset"],
        unique=False,
        sqlite_where=sa.text("is_challenge"),
        postgresql_where=sa.text("is_challenge"),
    )
    op.create_table(
        "head",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("bound", sa.Text(), nullable=False),
        sa.Column("erased", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_head")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "imported",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("imported_at", UTCDateTime(), nullable=False),
        sa.Column("is_rated", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_imported")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("raw_sha256", sa.Text(), nullable=False),
        sa.Column("mail_from", sa.Text(), nullable=True),
        sa.Column("rcpt_to", sa.Text(), nullable=True),
        sa.Column("transport", sa.Text(), nullable=False),
        sa.Column("arrived_at", UTCDateTime(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("handled_at", UTCDateTime(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.Column("authentication", sa.Text(), nullable=True),
        sa.Column("bound", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("key", name=op.f("uq_inbox_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_inbox_game_id_status", "inbox", ["game_id", "status", "arrived_at"], unique=False
    )
    op.create_index(
        "ix_inbox_player_id_arrived_at", "inbox", ["player_id", "arrived_at"], unique=False
    )
    op.create_index(
        "ix_inbox_status_arrived_at", "inbox", ["status", "arrived_at", "id"], unique=False
    )
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
        sa.PrimaryKeyConstraint("game_id", "seat", "version", name=op.f("pk_invitation")),
    )
    op.create_index(
        "ix_invitation_inviter_asked_at", "invitation", ["inviter", "asked_at"], unique=False
    )
    op.create_index("ix_invitation_next_at", "invitation", ["next_at"], unique=False)
    op.create_index("ix_invitation_player_id", "invitation", ["player_id"], unique=False)
    op.create_table(
        "league",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("next_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("name", name=op.f("uq_league_name")),
    )
    op.create_index("ix_league_next_at", "league", ["next_at"], unique=False)
    op.create_table(
        "mailed",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("outbox_id", SERIAL, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "game_id", "before", name=op.f("pk_mailed")),
    )
    op.create_table(
        "outage",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("begin", UTCDateTime(), nullable=False),
        sa.Column("end", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outage_end", "outage", ["end"], unique=False)
    op.create_table(
        "page",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_page")),
    )
    op.create_table(
        "pause",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_pause")),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("wants_reminders", sa.Boolean(), nullable=False),
        sa.Column("reminders", sa.Text(), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=False),
        sa.Column("digest_at", UTCDateTime(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("talk", sa.Text(), nullable=False),
        sa.Column("wants_html", sa.Boolean(), nullable=False),
        sa.Column("cards", sa.Text(), nullable=False),
        sa.Column("ping", sa.Text(), nullable=True),
        sa.Column("openpgp", sa.Text(), nullable=True),
        sa.Column("has_calendar", sa.Boolean(), nullable=False),
        sa.Column("has_page", sa.Boolean(), nullable=False),
        sa.Column("bound", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )
    op.create_index("ix_player_digest_at", "player", ["digest_at"], unique=False)
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
    op.create_index("ix_rating_finished_at", "rating", ["finished_at", "game_id"], unique=False)
    op.create_table(
        "result",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sat_out", sa.Boolean(), nullable=False),
        sa.Column("finished_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_result")),
    )
    op.create_index("ix_result_finished_at", "result", ["finished_at", "game_id"], unique=False)
    op.create_index("ix_result_player_id", "result", ["player_id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("is_unreachable", sa.Boolean(), nullable=False),
        sa.Column("is_bot", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat")),
    )
    op.create_index(
        "ix_seat_is_unreachable",
        "seat",
        ["player_id"],
        unique=False,
        sqlite_where=sa.text("is_unreachable"),
        postgresql_where=sa.text("is_unreachable"),
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"], unique=False)
    op.create_table(
        "snapshot",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name=op.f("pk_snapshot")),
    )
    op.create_table(
        "turns",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("on_time", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "player_id", name=op.f("pk_turns")),
    )
    op.create_index("ix_turns_player_id", "turns", ["player_id"], unique=False)
    op.create_table(
        "uninvited",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_uninvited")),
    )
    op.create_table(
        "address",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.Column("bound", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_player_id")),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_address")),
    )
    op.create_index("ix_address_player_id", "address", ["player_id"], unique=False)
    op.create_index(
        "uq_address_primary",
        "address",
        ["player_id"],
        unique=True,
        sqlite_where=sa.text("is_primary"),
        postgresql_where=sa.text("is_primary"),
    )
    op.create_table(
        "bounce",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("outbox_id", SERIAL, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("bounced_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_bounce_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bounce")),
        sa.UniqueConstraint("key", name=op.f("uq_bounce_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_bounce_player_id_bounced_at", "bounce", ["player_id", "bounced_at"], unique=False
    )
    op.create_table(
        "event_secret",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id", "version"],
            ["event.game_id", "event.version"],
            name=op.f("fk_event_secret_game_id_version"),
        ),
        sa.PrimaryKeyConstraint("game_id", "version", name=op.f("pk_event_secret")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("decision", sa.Integer(), nullable=True),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("not_before", UTCDateTime(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("lease_until", UTCDateTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("rendered", sa.Text(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.Column("rcpt_to", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("bound", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_outbox_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_outbox_game_id_seat_status", "outbox", ["game_id", "seat", "status"], unique=False
    )
    op.create_index(
        "ix_outbox_game_id_seat_version", "outbox", ["game_id", "seat", "version"], unique=False
    )
    op.create_index(
        "ix_outbox_player_id_created_at", "outbox", ["player_id", "created_at"], unique=False
    )
    op.create_index(
        "ix_outbox_player_id_kind",
        "outbox",
        ["player_id", "kind"],
        unique=False,
        sqlite_where=sa.text("game_id IS NULL"),
        postgresql_where=sa.text("game_id IS NULL"),
    )
    op.create_index(
        "ix_outbox_status_not_before", "outbox", ["status", "not_before", "id"], unique=False
    )
    op.create_table(
        "own_key",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_own_key_player_id")),
        sa.PrimaryKeyConstraint("player_id", "address", name=op.f("pk_own_key")),
    )
    op.create_table(
        "reach",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("reached_at", UTCDateTime(), nullable=True),
        sa.Column("lost_at", UTCDateTime(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_reach_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_reach")),
    )

    guards.make(op.get_bind())


def downgrade() -> None:
    """Drop all tables with their triggers and indexes."""
    for table in reversed(TABLES):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"DROP FUNCTION {guards.FUNCTION}()")
