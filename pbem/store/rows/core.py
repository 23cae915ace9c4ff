"""The tables, as classes of SQLModel: each declares its columns, and its instances are the rows.

Primary: `event`, `event_secret`, `head`, `player`, `address`, `own_key`, `inbox`, `outbox`, `mailed`,
`imported`, `reach`, `bounce`, `question`, `outage`. Projections, rebuilt from the log at will, are in
`game_rows` (`game`, `seat`, `deadline`) and `standing_rows`. Deletable at will: `pause` (which servers to
leave alone for a while) and `heartbeat`.

Texts called *envelope* are sealed by `pbem.store.seal.envelope`; `pbem.store.seal.sealed` lists
them all. A column `bound` is the seal over some other columns of its row (`pbem.store.seal.binding`).
Times are instants in UTC; SQLite keeps them as text without an offset. Columns that could hold a
secret, a name or an address are left out of reprs. The triggers that make the log append-only are
in the migrations.
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
"""SQLite gives row numbers to `INTEGER PRIMARY KEY` only."""


WAITING_STATUSES = ("held", "asked")
"""Mails that wait for an answer of their player, who may never give one."""
OPEN_STATUSES = ("new", "shunted", *WAITING_STATUSES)
MAIL = "mail:"
"""A cause that is a mail begins with it; the mail's fingerprint follows."""
INBOX_OPEN = text("(status = 'new' OR status = 'held' OR status = 'asked' OR status = 'shunted')")
OUTBOX_OPEN = text("(status = 'pending' OR status = 'failed')")
"""Few mails are so, and most questions are about them: these rows have indexes of their own.

A statement names the status as `spelt` writes it, not as a value, or no such index serves.
"""
INBOX_WHOLE, OUTBOX_WHOLE = text("raw <> ''"), text("rendered IS NOT NULL")
"""Mails that were not pruned yet (`pbem.store.post.pruning`)."""


def _index_of_some(name: str, *columns: str, where: TextClause) -> Index:
    return Index(name, *columns, sqlite_where=where)  # on PostgreSQL, too: the migration makes it


class Row(SQLModel):
    """Base of the tables, with our own metadata, so that constraints have names.

    An instance is a value. `Tables.read` loads instances, which belong to no session afterwards.
    """

    metadata: ClassVar[MetaData] = METADATA

    def __init__(self, **values: Any) -> None:  # noqa: ANN401  (of any column)
        """Store the values without validation; SQLModel's own constructor takes four times as long."""
        self.__dict__.update(_defaults(type(self)))
        self.__dict__.update(values)

    def columns(self) -> dict[str, Any]:
        """Return the values of all columns, by name, for a statement of SQLAlchemy Core."""
        return {name: self.__dict__[name] for name in type(self).model_fields}

    def changed(self, **values: Any) -> Self:  # noqa: ANN401  (of any column)
        """Return a copy with other values in some columns."""
        return type(self)(**self.columns() | values)


@cache
def _defaults(table: type[Row]) -> dict[str, Any]:
    fields = table.model_fields.items()
    return {name: field.default for name, field in fields if not field.is_required()}


class EventRow(Row, table=True):
    """One line of the log (docs/dev/log-format.md); the database refuses to change it.

    Attributes:
        position: order in this database only; never hashed, gaps are normal.
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
        salt: empty where the payload's envelope has it, else an envelope of the hex of 32 random bytes.
        payload: envelope of the salt and of canonical JSON, of `Hidden` with blanks after it; null once
            erased.
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
    """The end of a game's log as this program wrote it.

    `erased` counts the texts of the log that were erased: its end does not tell that.
    """

    __tablename__ = "head"

    game_id: str = Field(primary_key=True, sa_type=Text)
    version: int
    hash: str = Field(sa_type=Text)
    bound: str = Field(sa_type=Text, repr=False)
    erased: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class PlayerRow(Row, table=True):
    """A person; the log only has the random `id`.

    `rotation` counts how often their reply addresses were made void. `settings` is a JSON object with the
    values that they have chosen, by field of `domain.words.player_settings.Settings`; the others are defaults.
    `digest_at` is when the next daily mail is due; None without one. `ping` is the envelope of `players.Pinged`;
    None: nothing was ever asked for. `openpgp` is the envelope of `players.Keyed`; None: their mails are not
    encrypted.
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


class OwnKeyRow(Row, table=True):
    """The service's own OpenPGP key for one player and the address that it writes from; `secret` is an envelope."""

    __tablename__ = "own_key"

    player_id: str = Field(primary_key=True, sa_type=Text, foreign_key="player.id")
    address: str = Field(primary_key=True, sa_type=Text)
    secret: str = Field(sa_type=Text, repr=False)


class AddressRow(Row, table=True):
    """A mail address of a player, lower case; exactly one of each player is primary."""

    __tablename__ = "address"
    __table_args__: ClassVar[Any] = (
        Index(
            "uq_address_primary",
            "player_id",
            unique=True,
            # On PostgreSQL as well, says the migration; to name it here would load that dialect (2 MB).
            sqlite_where=text("is_primary"),
        ),
        Index("ix_address_player_id", "player_id"),
    )

    address: str = Field(primary_key=True, sa_type=Text, repr=False)
    player_id: str = Field(sa_type=Text, foreign_key="player.id")
    is_primary: bool
    bound: str = Field(sa_type=Text, repr=False)


class InboxMail(Row, table=True):
    """A mail that was accepted for delivery, stored raw before anything else.

    The columns contain envelopes of what the attributes contain.

    Attributes:
        key: idempotency key: a second mail with this key is a copy of the first.
        raw: the bytes exactly as they came; empty once they are deleted, and in lists.
        raw_sha256: computed when the mail is stored.
        arrived_at: the instant that counts for deadlines.
        game_id: from the reply address; None if that names no game; `seat` likewise.
        status: `new`, `done`, `ignored`, `held`, `asked`, `shunted`, `dropped`.
        verdict: the player it was attributed to, and why.
        attempts: how often it was handled to the end, shunted or not.
        sender: the only address in From; None before it is handled, or without one.
        player_id: the player it was attributed to; for a held mail the one its reply address names.
        authentication: the trusted mail server's verdict on the sender; None if not asked.
        bound: empty in a row that fails verification.
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
        """True if the row is as this program wrote it."""
        return self.bound != ""

    @property
    def is_open(self) -> bool:
        """True if the mail still has to be settled."""
        return self.status in OPEN_STATUSES

    @property
    def cause(self) -> str:
        """Return the cause that events from this mail name."""
        return f"{MAIL}{self.raw_sha256}"


class Outgoing(Row, table=True):
    """An outgoing mail: first the intention, then the rendered bytes.

    The columns contain envelopes of what the attributes contain.

    Attributes:
        key: idempotency key of the intention.
        player_id: the recipient; None for a person who is not a player.
        rcpt_to: the address of a person who is not a player; a player's is looked up on sending.
        version: position of the game to render; None outside a game.
        decision: version of the event that gave the seat a decision.
        params: canonical JSON; the column is empty where `bound` contains it.
        answers: Message-ID of the mail that it answers.
        message_id: fixed at creation, so that a second delivery is recognised.
        status: `pending`, `sent`, `superseded`, `failed`, `cancelled`.
        lease_until: a worker has it until then.
        attempts: how often a worker took it and did not give it back untried.
        failures: how often its reader's side refused it; trouble with our own server does not
            count.
        rendered: the bytes; once written, never written again.
        said: the lines of both forms, to recognise them in an answer; still in their envelope, and None where
            they were not asked for.
        bound: empty in a row that fails verification.
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
        """True if the row is as this program wrote it."""
        return self.bound != ""

    @property
    def is_in_trouble(self) -> bool:
        """True if it was given up, or was tried and did not leave."""
        is_waiting = self.status == "pending" and self.last_error is not None
        return is_waiting or self.status in ("failed", "cancelled")


class Advance(Row, table=True):
    """How much more of a game a mail tells its reader than the mails before it.

    The mails that a reader got about a game are one chain: `(0, 5], (5, 9], (9, 12], …`. The
    primary key keeps it from forking.

    Attributes:
        before: the version that the newest earlier mail reported; 0 for the first mail.
        version: the version that this mail reports.
        outbox_id: the mail; set when the row is stored.
    """

    __tablename__ = "mailed"
    __table_args__: ClassVar[Any] = ({"sqlite_with_rowid": False},)

    player_id: str = Field(primary_key=True, sa_type=Text)
    game_id: GameId = Field(primary_key=True, sa_type=Text)
    before: int = Field(primary_key=True)
    version: int
    outbox_id: int = Field(default=None, sa_type=Serial)


class ImportedRow(Row, table=True):
    """A finished game that was imported from another installation.

    Attributes:
        is_rated: True if the admin counts it in standings.
    """

    __tablename__ = "imported"

    game_id: str = Field(primary_key=True, sa_type=Text)
    imported_at: datetime = Field(sa_type=UTCDateTime)
    is_rated: bool


class ReachRow(Row, table=True):
    """Whether mails reach a person; without a row they are assumed to.

    Attributes:
        reached_at: when they were last heard from after trouble: earlier bounces do not count.
        lost_at: since when they count as unreachable; None if they do not.
        reason: `bounces`, `complaint` or `unsubscribed`.
    """

    __tablename__ = "reach"

    player_id: str = Field(primary_key=True, sa_type=Text, foreign_key="player.id")
    reached_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    lost_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    reason: str | None = Field(default=None, sa_type=Text)


class Bounce(Row, table=True):
    """A mail that came back, or was refused for good.

    Attributes:
        key: the incoming mail or the attempt that reported it: two reports count once.
        kind: `hard`, `soft`, `delayed`, `complaint`.
        status: enhanced status code (RFC 3463); None if there was none.
        score: what it counts against the address.
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
    """A question to a person; an answer comes to the reply address that names its `id`.

    Attributes:
        kind: a row of `service.notify.questions.QUESTIONS`.
        player_id: the player whom it concerns; None for a stranger and for an admin.
        asked_at: when its mail was or will be sent.
        answered_at: when its answer was carried out; None while it is open.
        what: envelope of `post.questions.What`, bound to id, kind and player.
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
    """A domain left alone for a while; an empty one is the next server itself."""

    __tablename__ = "pause"

    domain: str = Field(primary_key=True, sa_type=Text)
    failures: int
    until: datetime = Field(sa_type=UTCDateTime)


class HeartbeatRow(Row, table=True):
    """When something was last known to be alive, or a game to be stopped."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True, sa_type=Text)
    at: datetime = Field(sa_type=UTCDateTime)


class Outage(Row, table=True):
    """A period in which the service was down; running deadlines move by it."""

    __tablename__ = "outage"
    __table_args__: ClassVar[Any] = (Index("ix_outage_end", "end"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True, sa_type=Serial)
    begin: datetime = Field(sa_type=UTCDateTime)
    end: datetime = Field(sa_type=UTCDateTime)


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
