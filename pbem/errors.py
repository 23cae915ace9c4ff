"""Errors of the service. The type says whose fault it is (docs/dev/architecture.md, "Errors").

A refusal goes back to the player who asked. A mail error is the correspondent's machine: kept, no
answer. Anything else is ours: the mail is shunted and an admin hears of it.
"""

from __future__ import annotations

import traceback


class PbemError(Exception):
    """Base of everything that the service raises on purpose."""


class ConfigError(PbemError):
    """The configuration is missing or wrong. The text says what would be right."""


class Refusal(PbemError):  # noqa: N818  (the field's word: a player-facing "no")
    """A player-facing "no". Nothing has changed.

    Attributes:
        code: stable short word, e.g. `not-to-act`, `stale`, `illegal`.
        message: one or two sentences for the player; no hidden card in it.
        rule: rule-book id or None.
        suggestions: orders that would have been legal, nearest first.
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
    """Base of errors of the database adapters."""


class StoreAwayError(StoreError):
    """The database is away, full or busy. It passes. The caller did nothing wrong."""


class VersionConflictError(StoreError):
    """Somebody else appended to the stream first: load it again and decide again."""


class KeyMissingError(StoreError):
    """A key is missing that sealed something; the text says how to put it back."""


class UnboundError(StoreError):
    """A row does not fit its seal: another program changed it.

    Attributes:
        table: of the row; `player` also for rows of addresses.
        row: its id.
    """

    def __init__(self, table: str, row: str | int) -> None:
        super().__init__(f"{table} {row} does not fit its seal in the database")
        self.table = table
        self.row = row


class UnknownStreamError(StoreError):
    """There is no game with this id."""


class UpcastError(StoreError):
    """A stored event has a newer schema than this program knows, or is damaged."""


class SchemaError(StoreError):
    """The database has an older or newer schema; the text says what to run."""


class NewerLogError(SchemaError, UpcastError):
    """A newer program has played on in a game: this one cannot read its events."""


class LogError(PbemError):
    """A log does not hold: chain, commitment, shuffle or replay.

    Attributes:
        version: the event that is wrong, or None if it is not a single one.
    """

    def __init__(self, message: str, *, version: int | None = None) -> None:
        super().__init__(message)
        self.version = version


class MissingRulesetError(LogError):
    """The rules of a game are not installed here; the text names the package that brought them."""


class MailError(PbemError):
    """Base of errors about mails that come in or go out."""


class MalformedMailError(MailError):
    """The bytes cannot be parsed within our limits; kept, not answered."""


class DeliveryError(MailError):
    """A mail could not be handed on.

    Attributes:
        scope: what was refused, or did not work: `server` (it cannot be reached or serves nobody),
            `sender` (it refuses us, for whatever reader), `unanswered` (it may have taken the mail),
            `recipient`, or `mail` (this one).
        status: enhanced status code of the answer, e.g. `4.2.2`, or None if there was none.
    """

    def __init__(self, message: str, *, scope: str = "server", status: str | None = None) -> None:
        super().__init__(message)
        self.scope = scope
        self.status = status


class TransientDeliveryError(DeliveryError):
    """It may work later (4xx, no connection)."""


class PermanentDeliveryError(DeliveryError):
    """It never will (5xx)."""


def place_of(error: BaseException) -> str:
    """Return where an error came up, without any data."""
    frames = [*traceback.walk_tb(error.__traceback__)][-1:]
    return ", ".join(f"{frame.f_code.co_qualname}:{line}" for frame, line in frames)
