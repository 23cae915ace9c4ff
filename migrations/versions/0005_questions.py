"""Store questions to people in a separate table, together with the acts that a yes confirms.

Version 1.0 stored them in the parameters of the message that asked. Each such question becomes a
row. Its ID is the text of its reply token, so that answers to old messages still work. Unsent
messages are updated to name their question.

Revision: 0005.
"""

import base64
import hashlib
import json
from datetime import timedelta

import sqlalchemy as sa
from alembic import context, op
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.errors import StoreError

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KINDS = {
    "ask_order": ("order", timedelta(days=7)),
    "ask_stop": ("stop", timedelta(days=7)),
    "ask_sender": ("sender", timedelta(days=90)),
    "ask_senders": ("senders", timedelta(days=90)),
    "ask_new": ("mail", timedelta(days=90)),
    "welcome": ("newcomer", timedelta(days=14)),
    "confirm_address": ("address", timedelta(days=8)),
}
"""By the kind of a message: the kind of its question, and how long it can be answered."""
OUTBOX = sa.table(
    "outbox",
    *(sa.column(name) for name in ("id", "key", "kind", "player_id", "params", "rcpt_to")),
    sa.column("status"),
    sa.column("rendered"),
    sa.column("created_at", UTCDateTime()),
    sa.column("not_before", UTCDateTime()),
)
INBOX = sa.table("inbox", *(sa.column(name) for name in ("id", "status")))
PLAYER = sa.table("player", *(sa.column(name) for name in ("id", "rotation")))
QUESTION = sa.table(
    "question",
    sa.column("id", sa.Text()),
    sa.column("kind", sa.Text()),
    sa.column("player_id", sa.Text()),
    sa.column("asked_at", UTCDateTime()),
    sa.column("expires_at", UTCDateTime()),
    sa.column("answered_at", UTCDateTime()),
    sa.column("what", sa.Text()),
)


def upgrade() -> None:
    op.create_table(
        "question",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("answered_at", UTCDateTime(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    op.create_index(
        "ix_question_kind_player_id_asked_at", "question", ["kind", "player_id", "asked_at"]
    )
    op.create_index("ix_question_expires_at", "question", ["expires_at"])
    envelopes, connection = context.config.attributes["envelopes"], op.get_bind()
    done = set()
    for row in connection.execute(sa.select(OUTBOX).where(OUTBOX.c.kind.in_(KINDS))).all():
        try:
            question_id, what, answered_at = _asked(connection, envelopes, row)
        except (StoreError, KeyError, ValueError):  # pruned, or its key was given up
            continue
        if question_id in done:
            continue
        done.add(question_id)
        kind, lives = KINDS[row.kind]
        sealed = envelopes.seal(
            json.dumps(what).encode(), "question.what", question_id, kind, row.player_id
        )
        connection.execute(
            QUESTION.insert().values(
                id=question_id,
                kind=kind,
                player_id=row.player_id,
                asked_at=row.not_before,
                expires_at=row.not_before + lives,
                answered_at=answered_at,
                what=sealed,
            )
        )
        if row.status == "pending" and row.rendered is None:
            _name_question(connection, envelopes, row, question_id)


def downgrade() -> None:
    op.drop_table("question")


def _params(envelopes, row):
    return json.loads(envelopes.open(row.params, "outbox.params", row.key))


def _asked(connection, envelopes, row):
    """Return a question's ID, its data, and when it was answered (None: not yet)."""
    params = _params(envelopes, row)
    if row.kind == "confirm_address":
        other, to, day = params.get("other", ""), params["to"], params["day"]
        of_player = sa.select(PLAYER.c.rotation).where(PLAYER.c.id == row.player_id)
        rotation = connection.execute(of_player).scalar_one_or_none() or 0
        question_id = f"a-{row.player_id}-{day}-{_mark(row.player_id, to, other, rotation)}"
        return question_id, {"address": to, "rotation": rotation, "acts": [{"act": "bind", "other": other}]}, None
    number, rotation = params["inbox_id"], params.get("rotation")
    question_id = f"c-{number}" if rotation is None else f"c-{number}-{rotation}"
    what = {"inbox_id": number, "rotation": rotation, "acts": params.get("acts", [])}
    if row.kind == "ask_senders":
        return question_id, {**what, "inbox_id": 0}, None
    if row.kind == "welcome":
        what["address"] = envelopes.open_text(row.rcpt_to, "outbox.rcpt_to", row.key)
    status = connection.execute(sa.select(INBOX.c.status).where(INBOX.c.id == number)).scalar()
    return question_id, what, None if status in ("held", "asked") else row.created_at


def _mark(player_id, address, other, rotation):
    """Return the mark of an address in the tokens of version 1.0."""
    text = f"pbem-address-v1\n{player_id}\n{address.lower()}"
    if other:
        text = f"pbem-address-of-v1\n{player_id}\n{address.lower()}\n{other}"
    if rotation:
        text = f"{text}\n{rotation}"
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:12]


def _name_question(connection, envelopes, row, question_id):
    """Add the question to an unsent message, and for a new address its recipient."""
    params = _params(envelopes, row)
    sealed = json.dumps({**params, "question": question_id}).encode()
    values = {"params": envelopes.seal(sealed, "outbox.params", row.key)}
    if "to" in params:
        values["rcpt_to"] = envelopes.seal_text(params["to"], "outbox.rcpt_to", row.key)
    connection.execute(OUTBOX.update().where(OUTBOX.c.id == row.id).values(values))
