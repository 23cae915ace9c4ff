"""Errors of the service. The type shows who caused them (docs/dev/architecture.md, "Errors").

A refusal is sent to the player. A `MailError` is caused by the sender's software: the message is
stored and not answered. Any other error is ours: the message is quarantined and an admin is
notified.
"""

from __future__ import annotations

import traceback


class PbemError(Exception):
    """Base class of all errors that the service raises deliberately."""


class ConfigError(PbemError):
    """Raised if the configuration is missing or invalid. The message contains the remedy."""


class Refusal(PbemError):  # noqa: N818  (the field's word: a player-facing "no")
    """Raised if a request is refused. In this case, nothing has changed.

    Attributes:
        code: stable identifier, e.g. `not-to-act`, `stale`, `illegal`.
        message: one or two sentences for the player, without hidden cards.
        rule: rule-book ID or None.
        suggestions: legal orders, most similar first.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        rule: str | None = None,
        suggestions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule
        self.suggestions = suggestions


class StoreError(PbemError):
    """Base class of database errors."""


class StoreAwayError(StoreError):
    """Raised if the database is unavailable, full or busy. The error is temporary."""


class VersionConflictError(StoreError):
    """Raised if another process appended to the stream first. Load the stream and decide again."""


class KeyMissingError(StoreError):
    """Raised if an encryption key is missing. The message explains how to restore it."""


class RowVerificationError(StoreError):
    """Raised if a row's MAC is invalid because another program changed the row.

    Attributes:
        table: table of the row, or `player` for a row of an address.
        row: ID of the row.
    """

    def __init__(self, table: str, row: str | int) -> None:
        super().__init__(f"{table} {row} does not fit its seal in the database")
        self.table = table
        self.row = row


class UnknownStreamError(StoreError):
    """Raised if there is no game with this ID."""


class UpcastError(StoreError):
    """Raised if a stored event is damaged or has a newer schema than this program knows."""


class SchemaError(StoreError):
    """Raised if the database has an older or newer schema. The message contains the remedy."""


class NewerLogError(SchemaError, UpcastError):
    """Raised if a newer program has continued a game with events that this one does not know."""


class LogError(PbemError):
    """Raised if a log fails verification: chain, commitment, shuffle or replay.

    Attributes:
        version: version of the invalid event, or None if no single event is invalid.
    """

    def __init__(self, message: str, *, version: int | None = None) -> None:
        super().__init__(message)
        self.version = version


class MissingRulesetError(LogError):
    """Raised if the rules of a game are not installed. The message names their package."""


class MailError(PbemError):
    """Base class of errors about incoming and outgoing messages."""


class MalformedMailError(MailError):
    """Raised if a message cannot be parsed within our limits. It is stored and not answered."""


class DeliveryError(MailError):
    """Raised if a message could not be delivered.

    Attributes:
        scope: cause of the failure: `server` (unreachable, or rejects everyone), `sender` (rejects
            us for any recipient), `unanswered` (it may have accepted the message), `recipient`, or
            `mail` (this message).
        status: enhanced status code of the reply, e.g. `4.2.2`, or None.
    """

    def __init__(self, message: str, *, scope: str = "server", status: str | None = None) -> None:
        super().__init__(message)
        self.scope = scope
        self.status = status


class TransientDeliveryError(DeliveryError):
    """Raised for temporary failures (4xx, no connection)."""


class PermanentDeliveryError(DeliveryError):
    """Raised for permanent failures (5xx)."""


def source_location(error: BaseException) -> str:
    """Return the source location at which an error was raised, without any data."""
    frames = [*traceback.walk_tb(error.__traceback__)][-1:]
    return ", ".join(f"{frame.f_code.co_qualname}:{line}" for frame, line in frames)
