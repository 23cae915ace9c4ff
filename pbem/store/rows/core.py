"""The primary tables as SQLModel classes, whose instances are the rows.

Primary tables: `data_key`, `event`, `event_secret`, `head`, `player`, `address`, `own_key`, `inbox`,
`outbox`, `mailed`, `imported`, `reach`, `bounce`, `question`, `outage`. Projections, which can be rebuilt
from the log, are in `game_rows` (`game`, `seat`, `deadline`) and `standing_rows`. Rows of `pause`
(delivery pauses) and `heartbeat` can be deleted at any time.

Texts called *envelope* are encrypted by `pbem.store.seal.envelope`. `pbem.store.seal.sealed` lists
them all. A column `bound` is a signature over other columns of its row (`pbem.store.seal.binding`).
Times are UTC. SQLite stores them as text without an offset. Columns that could contain a secret, a
name or an address are left out of reprs. The migrations create the triggers that make the log
append-only.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Self

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Text,
    TextClause,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from engine.api import JsonObject
from pbem.domain.log.chain import GameId

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Serial = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite assigns row numbers only to `INTEGER PRIMARY KEY`."""


WAITING_STATUSES = ("held", "asked")
"""Statuses of messages that wait for their player, without a time limit."""
OPEN_STATUSES = ("new", "shunted", *WAITING_STATUSES)
MAIL = "mail:"
"""Prefix of causes that are messages. It is followed by the message's SHA-256."""
INBOX_OPEN = text("(status = 'new' OR status = 'held' OR status = 'asked' OR status = 'shunted')")
OUTBOX_OPEN = text("(status = 'pending' OR status = 'failed')")
"""Conditions of partial indexes on unsettled messages, which are few and queried most often.

Statements must write the status with `spelt`, not as a parameter, or the index is not used.
"""
INBOX_WHOLE, OUTBOX_WHOLE = text("raw <> ''"), text("rendered IS NOT NULL")
"""Conditions for messages that were not pruned (`pbem.store.post.pruning`)."""


def _index_of_some(name: str, *columns: str, where: TextClause) -> Index:
    # the migration adds the same condition on PostgreSQL
    return Index(name, *columns, sqlite_where=where)


class Row(SQLModel):
    """Base class of the tables. Its metadata names all constraints.

    Instances are plain values that belong to no session.
    """

    metadata: ClassVar[MetaData] = METADATA

    def __init__(self, **values: Any) -> None:  # noqa: ANN401  (of any column)
        """Store the values without validation, which would take four times as long."""
        self.__dict__.update(_defaults(type(self)))
        self.__dict__.update(values)

    def columns(self) -> dict[str, Any]:
        """Return all columns by name, for a SQLAlchemy Core statement."""
        return {name: self.__dict__[name] for name in type(self).model_fields}

    def changed(self, **values: Any) -> Self:  # noqa: ANN401  (of any column)
        """Return a copy with some columns replaced."""
        return type(self)(**self.columns() | values)


@cache
def _defaults(table: type[Row]) -> dict[str, Any]:
    fields = table.model_fields.items()
    return {name: field.default for name, field in fields if not field.is_required()}


class EventRow(Row, table=True):
    """One event of the log (docs/dev/log-format.md). Database triggers prevent changes.

    Attributes:
        position: order within this database. Not hashed, may have gaps.
        recorded_at: text, exactly as hashed.
        public: canonical JSON.
    """

    __tablename__ = "event"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("game_id", "version"),
        {"sqlite_autoincrement": True},
    )

    position: int | None = Field(default=None, primary_key=True, sa_type=Serial)
    game_id: str = Field(sa_type=Text)
    version: int
    type: str = Field(sa_type=Text)
    schema_version: int
    recorded_at: str = Field(sa_type=Text)
    actor: str = Field(sa_type=Text)
    cause: str | None = Field(default=None, sa_type=Text)
    public: str = Field(sa_type=Text)
    secret_commitment: str | None = Field(default=None, sa_type=Text)
    prev_hash: str = Field(sa_type=Text)
    hash: str = Field(sa_type=Text)


class EventSecretRow(Row, table=True):
    """The hidden part of an event.

    Attributes:
        salt: empty if the payload's envelope contains the salt, otherwise an envelope with 32
            random bytes in hexadecimal form.
        payload: envelope of the salt and the canonical JSON, which is padded with blanks for
            `Hidden` events. Null once erased.
    """

    __tablename__ = "event_secret"
    __table_args__: ClassVar[Any] = (
        ForeignKeyConstraint(["game_id", "version"], ["event.game_id", "event.version"]),
    )

    game_id: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True)
    salt: str = Field(sa_type=Text, repr=False)
    payload: str | None = Field(default=None, sa_type=Text, repr=False)


class HeadRow(Row, table=True):
    """The head of a log as this program wrote it, signed in `bound`.

    Attributes:
        erased: number of erased texts in the log. Erasing a text does not change the hash.
    """

    __tablename__ = "head"

    game_id: str = Field(primary_key=True, sa_type=Text)
    version: int
    hash: str = Field(sa_type=Text)
    bound: str = Field(sa_type=Text, repr=False)
    erased: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class PlayerRow(Row, table=True):
    """A player. The log contains only the random `id`.

    Attributes:
        rotation: number of times that their reply addresses were revoked.
        settings: JSON object with the settings they have chosen, by field of
            `domain.words.player_settings.Settings`. Missing settings have their defaults.
        digest_at: when the next daily digest is due, or None if it is off.
        ping: envelope of `players.PingSettings`, or None if pings were never set up.
        openpgp: envelope of `players.EncryptionKey`, or None if messages to them are not encrypted.
    """

    __tablename__ = "player"
    __table_args__: ClassVar[Any] = (Index("ix_player_digest_at", "digest_at"),)

    id: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=Text, repr=False)
    created_at: datetime = Field(sa_type=UTCDateTime)
    rotation: int = 0
    settings: str = Field(
        default="{}", sa_type=Text, repr=False, sa_column_kwargs={"server_default": "{}"}
    )
    digest_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    ping: str | None = Field(default=None, sa_type=Text, repr=False)
    openpgp: str | None = Field(default=None, sa_type=Text, repr=False)
    bound: str = Field(sa_type=Text, repr=False)


class DataKeyRow(Row, table=True):
    """A key that encrypts values. `wrapped` is an envelope of a key in the key file."""

    __tablename__ = "data_key"
    __table_args__: ClassVar[Any] = (UniqueConstraint("kid"), {"sqlite_autoincrement": True})

    number: int | None = Field(default=None, primary_key=True, sa_type=Serial)
    kid: str = Field(sa_type=Text)
    wrapped: str = Field(sa_type=Text, repr=False)


class OwnKeyRow(Row, table=True):
    """The service's own OpenPGP key for a player and a sending address. `secret` is an envelope."""

    __tablename__ = "own_key"

    player_id: str = Field(primary_key=True, sa_type=Text, foreign_key="player.id")
    address: str = Field(primary_key=True, sa_type=Text)
    secret: str = Field(sa_type=Text, repr=False)


class AddressRow(Row, table=True):
    """An email address of a player, in lower case. Each player has exactly one primary address."""

    __tablename__ = "address"
    __table_args__: ClassVar[Any] = (
        Index(
            "uq_address_primary",
            "player_id",
            unique=True,
            # The migration adds the condition on PostgreSQL. Naming it here would import that
            # dialect (2 MB).
            sqlite_where=text("is_primary"),
        ),
        Index("ix_address_player_id", "player_id"),
    )

    address: str = Field(primary_key=True, sa_type=Text, repr=False)
    player_id: str = Field(sa_type=Text, foreign_key="player.id")
    is_primary: bool
    bound: str = Field(sa_type=Text, repr=False)


class InboxMail(Row, table=True):
    """An incoming message, stored as received before it is processed.

    Several columns contain envelopes of the attribute values.

    Attributes:
        key: idempotency key. Another message with the same key is a duplicate.
        raw: the bytes as received. Empty once deleted, and in lists.
        raw_sha256: computed when the message is stored.
        arrived_at: arrival time, which counts for deadlines.
        game_id: game named by the reply address, or None.
        seat: seat named by the reply address, or None.
        status: `new`, `done`, `ignored`, `held`, `asked`, `shunted` (quarantined), `dropped`.
        verdict: the result of handling the message, and the reason.
        attempts: number of finished attempts at handling it, including failures.
        sender: the only address in From. None before handling, or if From does not have exactly
            one.
        player_id: the player to whom the message is attributed. For a held message, the player
            named by its reply address.
        authentication: the trusted mail server's authentication results, or None if not checked.
        bound: signature, or empty if the row failed verification.
    """

    __tablename__ = "inbox"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("key"),
        _index_of_some("ix_inbox_open_status", "status", "arrived_at", "id", where=INBOX_OPEN),
        _index_of_some(
            "ix_inbox_open_game_id", "game_id", "status", "arrived_at", where=INBOX_OPEN
        ),
        _index_of_some("ix_inbox_whole", "arrived_at", where=INBOX_WHOLE),
        Index("ix_inbox_game_id", "game_id"),
        Index("ix_inbox_player_id_arrived_at", "player_id", "arrived_at"),
        {"sqlite_autoincrement": True},
    )

    id: int = Field(default=None, primary_key=True, sa_type=Serial)
    key: str = Field(sa_type=Text)
    raw: bytes = Field(sa_type=Text, repr=False)
    raw_sha256: str = Field(default="", sa_type=Text)
    mail_from: str | None = Field(default=None, sa_type=Text, repr=False)
    rcpt_to: str | None = Field(default=None, sa_type=Text, repr=False)
    transport: str = Field(sa_type=Text)
    arrived_at: datetime = Field(sa_type=UTCDateTime)
    game_id: GameId | None = Field(default=None, sa_type=Text)
    seat: int | None = None
    status: str = Field(default="new", sa_type=Text)
    handled_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    verdict: JsonObject | None = Field(default=None, sa_type=Text, repr=False)
    error: str | None = Field(default=None, sa_type=Text, repr=False)
    attempts: int = 0
    sender: str | None = Field(default=None, sa_type=Text, repr=False)
    player_id: str | None = Field(default=None, sa_type=Text)
    authentication: JsonObject | None = Field(default=None, sa_type=Text)
    bound: str = Field(default="", sa_type=Text, repr=False)

    @property
    def fits(self) -> bool:
        """True if the row passed verification when it was read."""
        return self.bound != ""

    @property
    def is_open(self) -> bool:
        """True if the message still has to be settled."""
        return self.status in OPEN_STATUSES

    @property
    def cause(self) -> str:
        """Return the cause to record with events that this message triggers."""
        return f"{MAIL}{self.raw_sha256}"


class OutboxMail(Row, table=True):
    """An outgoing message: queued first, rendered before sending.

    Several columns contain envelopes of the attribute values.

    Attributes:
        key: idempotency key.
        player_id: the recipient, or None if the recipient is not a player.
        rcpt_to: address of a recipient who is not a player. A player's address is looked up when
            the message is sent.
        version: version of the game to show, or None outside a game.
        decision: version of the event that required a decision of the seat.
        params: canonical JSON. The column is empty if `bound` contains the data.
        answers: Message-ID of the message to which it replies.
        message_id: set when the row is created, so that a duplicate delivery can be recognised.
        status: `pending`, `sent`, `superseded`, `failed`, `cancelled`.
        lease_until: end of the current worker's claim.
        attempts: number of claims by a worker, except those released without an attempt.
        failures: number of rejections by the recipient's server. Problems on our side do not count.
        rendered: the message bytes. Never changed once written.
        said: envelope of the plain and the HTML text, used to recognise their lines in a reply.
            None if not selected.
        bound: signature, or empty if the row failed verification.
    """

    __tablename__ = "outbox"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("key"),
        UniqueConstraint("message_id"),
        _index_of_some("ix_outbox_open_status", "status", "not_before", "id", where=OUTBOX_OPEN),
        _index_of_some("ix_outbox_open_game_id", "game_id", "seat", "status", where=OUTBOX_OPEN),
        _index_of_some("ix_outbox_whole", "not_before", where=OUTBOX_WHOLE),
        Index("ix_outbox_game_id_seat_version", "game_id", "seat", "version"),
        Index("ix_outbox_player_id_created_at", "player_id", "created_at"),
        _index_of_some(
            "ix_outbox_player_id_kind", "player_id", "kind", where=text("game_id IS NULL")
        ),
        {"sqlite_autoincrement": True},
    )

    id: int = Field(default=None, primary_key=True, sa_type=Serial)
    key: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    player_id: str | None = Field(default=None, sa_type=Text, foreign_key="player.id")
    game_id: GameId | None = Field(default=None, sa_type=Text)
    seat: int | None = None
    version: int | None = None
    decision: int | None = None
    params: JsonObject = Field(sa_type=Text, repr=False)
    answers: str | None = Field(default=None, sa_type=Text)
    message_id: str = Field(sa_type=Text)
    not_before: datetime = Field(sa_type=UTCDateTime)
    status: str = Field(default="pending", sa_type=Text)
    lease_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    attempts: int = 0
    last_error: str | None = Field(default=None, sa_type=Text, repr=False)
    rendered: bytes | None = Field(default=None, sa_type=Text, repr=False)
    created_at: datetime = Field(sa_type=UTCDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    rcpt_to: str | None = Field(default=None, sa_type=Text, repr=False)
    failures: int = 0
    said: str | None = Field(default=None, sa_type=Text, repr=False)
    bound: str = Field(default="", sa_type=Text, repr=False)

    @property
    def fits(self) -> bool:
        """True if the row passed verification when it was read."""
        return self.bound != ""

    @property
    def is_in_trouble(self) -> bool:
        """True if the message failed, was cancelled, or is waiting after a failed attempt."""
        is_waiting = self.status == "pending" and self.last_error is not None
        return is_waiting or self.status in ("failed", "cancelled")


class Advance(Row, table=True):
    """An advance of the log head that messages have reported to a reader about a game.

    The messages about a game to a reader form one chain: `(0, 5], (5, 9], (9, 12], …`. The primary
    key prevents forks.

    Attributes:
        before: the version reported by the previous message, or 0 for the first message.
        version: the version that this message reports.
        outbox_id: the message, set when the row is stored.
    """

    __tablename__ = "mailed"
    __table_args__: ClassVar[Any] = ({"sqlite_with_rowid": False},)

    player_id: str = Field(primary_key=True, sa_type=Text)
    game_id: GameId = Field(primary_key=True, sa_type=Text)
    before: int = Field(primary_key=True)
    version: int
    outbox_id: int = Field(default=None, sa_type=Serial)


class ImportedRow(Row, table=True):
    """A finished game imported from another installation.

    Attributes:
        is_rated: True if an admin has decided that it counts in standings.
    """

    __tablename__ = "imported"

    game_id: str = Field(primary_key=True, sa_type=Text)
    imported_at: datetime = Field(sa_type=UTCDateTime)
    is_rated: bool


class ReachRow(Row, table=True):
    """A player's deliverability. A player without a row counts as reachable.

    Attributes:
        reached_at: when a message from them last ended a period of being unreachable. Earlier
            bounces do not count.
        lost_at: start of the current period of being unreachable, or None if reachable.
        reason: `bounces`, `complaint` or `unsubscribed`.
    """

    __tablename__ = "reach"

    player_id: str = Field(primary_key=True, sa_type=Text, foreign_key="player.id")
    reached_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    lost_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    reason: str | None = Field(default=None, sa_type=Text)


class Bounce(Row, table=True):
    """A message that bounced or was rejected permanently.

    Attributes:
        key: the incoming message or delivery attempt that reported it. Reports with the same key
            count once.
        kind: `hard`, `soft`, `delayed`, `complaint`.
        status: enhanced status code (RFC 3463), or None.
        score: the number of points against the address.
    """

    __tablename__ = "bounce"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("key"),
        Index("ix_bounce_player_id_bounced_at", "player_id", "bounced_at"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=Serial)
    key: str = Field(sa_type=Text)
    player_id: str = Field(sa_type=Text, foreign_key="player.id")
    outbox_id: int = Field(sa_type=Serial)
    kind: str = Field(sa_type=Text)
    status: str | None = Field(default=None, sa_type=Text)
    score: int
    bounced_at: datetime = Field(sa_type=UTCDateTime)


class QuestionRow(Row, table=True):
    """A question to a player or admin. The reply address for the answer contains the `id`.

    Attributes:
        kind: key of `service.notify.questions.QUESTIONS`.
        player_id: the player it is about, or None for an unregistered person or an admin.
        asked_at: when the message with the question was or will be sent.
        answered_at: when the answer was carried out, or None while the question is open.
        what: envelope of `post.questions.What`, with ID, kind and player as context.
    """

    __tablename__ = "question"
    __table_args__: ClassVar[Any] = (
        Index("ix_question_kind_player_id_asked_at", "kind", "player_id", "asked_at"),
        Index("ix_question_expires_at", "expires_at"),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    kind: str = Field(sa_type=Text)
    player_id: str | None = Field(default=None, sa_type=Text)
    asked_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime = Field(sa_type=UTCDateTime)
    answered_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    what: str = Field(sa_type=Text, repr=False)


class PauseRow(Row, table=True):
    """A pause in delivery to a domain. An empty domain means the next server."""

    __tablename__ = "pause"

    domain: str = Field(primary_key=True, sa_type=Text)
    failures: int
    until: datetime = Field(sa_type=UTCDateTime)


class HeartbeatRow(Row, table=True):
    """When a component was last alive, or a game was last found stopped."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True, sa_type=Text)
    at: datetime = Field(sa_type=UTCDateTime)


class Outage(Row, table=True):
    """A period in which the service was down. Running deadlines are extended by it."""

    __tablename__ = "outage"
    __table_args__: ClassVar[Any] = (Index("ix_outage_end", "end"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True, sa_type=Serial)
    begin: datetime = Field(sa_type=UTCDateTime)
    end: datetime = Field(sa_type=UTCDateTime)


DATA_KEY = METADATA.tables["data_key"]
EVENT = METADATA.tables["event"]
EVENT_SECRET = METADATA.tables["event_secret"]
HEAD = METADATA.tables["head"]
PLAYER = METADATA.tables["player"]
ADDRESS = METADATA.tables["address"]
OWN_KEY = METADATA.tables["own_key"]
INBOX = METADATA.tables["inbox"]
OUTBOX = METADATA.tables["outbox"]
IMPORTED = METADATA.tables["imported"]
MAILED = METADATA.tables["mailed"]
REACH = METADATA.tables["reach"]
QUESTION = METADATA.tables["question"]
BOUNCE = METADATA.tables["bounce"]
PAUSE = METADATA.tables["pause"]
HEARTBEAT = METADATA.tables["heartbeat"]
OUTAGE = METADATA.tables["outage"]
