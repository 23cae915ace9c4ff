"""All events of a game: a closed union of immutable classes.

A field is public unless it is marked `hidden(opens)`. Hidden fields belong to the event's secret,
which is revealed when the game has ended (`game_end`), or never and may be erased at a person's
request (`never`). Public fields contain no names, addresses or free text: people are named by
player ID or seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_type_hints

from engine.api import JsonValue, OptionValue
from pbem.domain.log.chain import HIDDEN, OneOf, StoredEvent, hidden
from pbem.domain.log.clock_events import ClockEvent
from pbem.domain.log.league_events import LEAGUE_EVENTS
from pbem.domain.log.motion_events import MotionEvent
from pbem.domain.log.seat_events import SeatEvent

PLY_SOURCES = ("mail", "standing", "forced", "standby", "bot", "admin")
"""How a ply or a secret choice was made."""
PlySource: TypeAlias = Annotated[str, OneOf(PLY_SOURCES)]


@dataclass(frozen=True, slots=True)
class GameCreated:
    """Seats, options and the commitment to the shuffles are fixed (GEN-4).

    Attributes:
        seats: player IDs in seat order. Bots are `bot:LEVEL:NAME` and open seats `open:N`.
        operator_seats: seats of people who run this server. Their phrase is empty.
        timing: the clock, as serialized by `pbem.domain.terms.timing.to_json`.
        server_secret: hex of 32 bytes.
        package: the installed package with the rules, such as `pbem-oh-hell==1.0`. Empty, and
            omitted from the log, for built-in games.
        league: league ID and round number, such as `k7q2m3x9ab:2`. Empty, and omitted from the log,
            for other games.
        challenge: True if it counts on the ladder of its ruleset as long as both invited players
            play. Omitted from the log of other games.
    """

    ruleset: str
    ruleset_version: int
    seats: tuple[str, ...]
    options: dict[str, OptionValue]
    operator_seats: tuple[int, ...]
    timing: dict[str, JsonValue]
    commitment: str
    server_secret: str = hidden("game_end")
    package: str = ""
    league: str = ""
    challenge: bool = False


@dataclass(frozen=True, slots=True)
class PhraseGiven:
    """A player added a phrase to the shuffles, in normalised form (GEN-4)."""

    seat: int
    phrase: str = hidden("game_end")


@dataclass(frozen=True, slots=True)
class GameStarted:
    """All seats are filled. No phrase can be added any more, and the cards are dealt.

    Attributes:
        phrases: by seat, empty if none was given.
        digest: state digest after the deal. `digest_version` is the version of its algorithm.
    """

    phrases: tuple[str, ...] = hidden("game_end")
    digest: str = hidden("game_end")
    digest_version: int = hidden("game_end")


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A ply was played.

    Attributes:
        move: canonical text.
        source: `mail`, `standing`, `forced`, `standby`, `bot`, `admin`.
        ply: its number in the game, from 1.
        digest: state digest after it.
    """

    seat: int
    move: str
    source: PlySource
    ply: int
    digest: str = hidden("game_end")
    digest_version: int = hidden("game_end")


@dataclass(frozen=True, slots=True)
class Hidden:
    """An event whose occurrence is private.

    In the log its actor is `hidden`, it has no cause, and its time is the start of the day.

    Attributes:
        type: `ChoiceMade` (GEN-6), which is revealed with the game, or `NextOrdered`,
            `DrawingRuled`, `PrivateMessage`, `MuteSet`, which never are, or empty if it cannot be
            read any more.
        actor: the real actor.
        cause: the real cause, or empty if there is none.
        at: the time in the format of the log, or empty if it cannot be read any more.
        payload: for `ChoiceMade`: `seat`, `move` (canonical text), `source`, `digest`,
            `digest_version`.
    """

    type: str = hidden("game_end")
    actor: str = hidden("game_end")
    cause: str = hidden("game_end")
    at: str = hidden("game_end")
    payload: JsonValue = hidden("game_end")


@dataclass(frozen=True, slots=True)
class ChoicesRevealed:
    """The last secret choice was made. Together they count as one ply per seat (GEN-6).

    Attributes:
        revealed: public data, as in the engine's fact `revealed`, or empty if the choices stay
            secret.
        ply: number of plies in the game after them.
    """

    revealed: dict[str, JsonValue]
    ply: int


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """A seat opened a dispute. `number` counts the disputes of the game, from 1."""

    number: int
    seat: int
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class DisputeResolved:
    """An admin resolved a dispute. Every player is notified."""

    number: int
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class MovesRetracted:
    """Moves were taken back, by an admin or by consent.

    The table is as it was after an earlier event.

    Moves, secret choices and what they revealed are undone. Time, banks, votes and who decides for
    a seat are unchanged. The events in between stay in the log.

    Attributes:
        back_to: version of that event.
        ply: number of plies in the game after it.
    """

    back_to: int
    ply: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class HandsRevealedToAdmin:
    """An admin looked at hidden cards in a running game.

    Attributes:
        seats: the seats whose views were shown, or all seats if everything was shown.
        at_version: the version that was looked at.
    """

    seats: tuple[int, ...]
    at_version: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class ReasonGiven:
    """An admin gave the reason for the preceding act."""

    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """A player said something to the whole table. Possible at any time.

    Private and anonymous messages are `Hidden`.

    Attributes:
        seat: the author's seat at that time. `player` is the author.
        text: exactly as written. May be erased.
    """

    seat: int
    player: str
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class AnonymousTalkSet:
    """Anonymous talk was allowed or forbidden. Until the first such event it is forbidden."""

    is_allowed: bool


@dataclass(frozen=True, slots=True)
class PageSet:
    """A player objected to a public page of the game, or withdrew the objection."""

    seat: int
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class GameStopped:
    """The game ended without a ranking, by an admin or because of the invitations.

    Opens the secret.

    Attributes:
        code: `admin`. Before the deal `declined` (a player declined), `called-off` (the creator
            called it off), `expired` (a seat was not filled in time) or `renewed` (it was replaced
            by one with fewer seats).
        server_secret: hex, opened.
    """

    code: Annotated[str, OneOf(("admin", "declined", "called-off", "expired", "renewed"))]
    server_secret: str
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """An admin ended the game with a ranking that the rules did not give.

    Opens the secret.

    Attributes:
        ranking: seats by rank, tied seats together. Contains every seat once.
        with_judge: True if an admin who does not play in the game was named as its judge.
        server_secret: hex, opened.
    """

    ranking: tuple[tuple[int, ...], ...]
    with_judge: bool
    server_secret: str
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game ended. Opens the secret.

    Attributes:
        ranking: seats by rank, tied seats together.
        reason: `finished`, `stopped` (by the rules: a limit of plies, or all players are absent) or
            `last-seat` (all others left).
        server_secret: hex, opened.
    """

    ranking: tuple[tuple[int, ...], ...]
    reason: Annotated[str, OneOf(("finished", "stopped", "last-seat"))]
    scores: JsonValue
    server_secret: str


Event: TypeAlias = (
    GameCreated
    | PhraseGiven
    | GameStarted
    | MovePlayed
    | Hidden
    | ChoicesRevealed
    | DisputeOpened
    | DisputeResolved
    | MovesRetracted
    | HandsRevealedToAdmin
    | ReasonGiven
    | SeatEvent
    | ClockEvent
    | MotionEvent
    | MessagePosted
    | AnonymousTalkSet
    | PageSet
    | GameStopped
    | Adjudicated
    | GameFinished
)

EVENT_TYPES: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Event classes by their name in the log. A renamed class keeps its old name here."""

ENDS = (GameFinished, GameStopped, Adjudicated)
"""Events that end a game and reveal its secret. Only talk may follow."""

AFTER_THE_END = ("MessagePosted", "Hidden")
"""Types of events that may follow the end."""


def is_ended(types: Sequence[str]) -> bool:
    """True if a log with events of these types has ended."""
    names = {end.__name__ for end in ENDS}
    rest = (name for name in reversed(types) if name not in AFTER_THE_END)
    return next(rest, "") in names


SCHEMA_VERSIONS: dict[str, int] = dict.fromkeys(EVENT_TYPES, 1)
"""Newest payload version of each type. Raising one needs an upcaster in `pbem.store.log.codec`."""


def closed_words(event_type: type[Any]) -> dict[str, tuple[str, ...]]:
    """Return the permitted values of each field that `OneOf` constrains."""
    hints = get_type_hints(event_type, include_extras=True)
    marks = {name: getattr(hint, "__metadata__", ())[:1] for name, hint in hints.items()}
    return {name: mark.words for name, marks_of_field in marks.items() for mark in marks_of_field}


def secret_fields(event_type: type[Any]) -> dict[str, str]:
    """Map each hidden field of an event type to the time when it opens: `game_end` or `never`."""
    return {f.name: f.metadata["opens"] for f in fields(event_type) if "opens" in f.metadata}


# --- private instructions by players --------------------------------------------------------------
# Types of `Hidden` events whose secret never opens. Other players never learn about them, even
# after the game. Such events may be erased at a person's request, so a log must have the same
# meaning without them. Each payload contains its `seat`.

NEXT_ORDERED = "NextOrdered"
"""A standing order for a seat's next turn. An empty `text` withdraws it."""
DRAWING_RULED = "DrawingRuled"
"""A rule for drawing in Phase 10. An empty `text` withdraws it."""

PRIVATE_MESSAGE = "PrivateMessage"
"""A private or anonymous message.

Its payload has `seat`, `player` (the author), `to` (IDs of the readers, empty means everyone),
`is_anonymous` and `text`.
"""
MUTE_SET = "MuteSet"
"""Whether a seat has muted a `player` (an ID, or `anonymous`): `is_muted`."""

TALK = frozenset({PRIVATE_MESSAGE, MUTE_SET})
NEVER_OPENED = frozenset({NEXT_ORDERED, DRAWING_RULED}) | TALK


def opens(event: StoredEvent) -> str | None:
    """Return when the secret of an event opens: `game_end`, `never`, or None without a secret.

    The result depends on the event's type, and for `Hidden` on the `type` in the secret.
    """
    payload = None if event.secret is None else event.secret.payload
    if event.type == HIDDEN and payload is not None and payload.get("type") in NEVER_OPENED:
        return "never"
    known: type[Any] | None = EVENT_TYPES.get(event.type) or LEAGUE_EVENTS.get(event.type)
    return None if known is None else next(iter(secret_fields(known).values()), None)


MAY_NEVER_OPEN = frozenset(
    name for name, known in EVENT_TYPES.items() if "never" in secret_fields(known).values()
) | {HIDDEN}
"""Types of events whose secret never opens, or may never open if it cannot be decrypted."""


def is_private(event: Event) -> bool:
    """True if an event stays private forever or has been erased."""
    return isinstance(event, Hidden) and event.type in NEVER_OPENED | {""}


def is_talk(event: Event) -> bool:
    """True if an event is private talk or has been erased. Such events may occur at any time."""
    return isinstance(event, Hidden) and event.type in TALK | {""}


def is_choice(event: Event) -> bool:
    """True if an event is a secret choice (GEN-6), which is revealed with the game's secrets."""
    return isinstance(event, Hidden) and not is_private(event)


# --- what is read and decided -----------------------------------------------------------------------


class Recorded(NamedTuple):
    """An event as read from the log, or to be recorded, with its version, time, actor and cause.

    It is a tuple because one is created for every event that is read.

    Attributes:
        recorded_at: for `Hidden` events the time in the secret, or the day if the secret is closed.
        actor: `seat:2`, `player:<id>`, `admin:<id>`, `clock`, `system`, or `hidden` for `Hidden`.
        cause: `mail:<SHA-256>`, `deadline:<version>`, `command:<id>` or None.
        hash: hash of this event, i.e. the head of the hash chain after it. Empty until it is
            recorded.
    """

    version: int
    recorded_at: datetime
    actor: str
    cause: str | None
    hash: str
    event: Event

    @property
    def real_actor(self) -> str:
        """Return the actor. For `Hidden` events, return the actor in the secret."""
        return self.event.actor if isinstance(self.event, Hidden) else self.actor

    @property
    def real_cause(self) -> str | None:
        """Return the cause. For `Hidden` events, return the cause in the secret."""
        return (self.event.cause or None) if isinstance(self.event, Hidden) else self.cause
