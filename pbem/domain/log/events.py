"""Everything that can have happened in a game: a closed union of immutable events.

A field is public unless it is marked `hidden(opens)`: hidden fields go into the event's secret,
`game_end` = opened when the game is over, `never` = may be erased for a person's sake. Public
fields hold no names, addresses or free text: people appear by player id or seat.
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
"""How a ply or a secret choice came about."""
PlySource: TypeAlias = Annotated[str, OneOf(PLY_SOURCES)]


@dataclass(frozen=True, slots=True)
class GameCreated:
    """Seats, options and the commitment to the shuffles are fixed (GEN-4).

    Attributes:
        seats: player ids in seat order; of bots and open places `bot:LEVEL:NAME` and `open:N`.
        operator_seats: seats of people who run this server: their phrase stays empty.
        timing: the clock, as `pbem.domain.terms.timing.to_json` writes it.
        server_secret: hex of 32 bytes.
        package: the installed package that brought the rules, as `pbem-oh-hell==1.0`; empty, and not
            in the log, for the games of the program.
        league: the id of a league and the number of a round, as `k7q2m3x9ab:2`; empty, and not in the
            log, for a game that belongs to none.
        challenge: it counts on the ladder of its ruleset as long as both who were asked play it; not in
            the log of any other game.
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
    """A person added a phrase to the shuffles; already normalised (GEN-4)."""

    seat: int
    phrase: str = hidden("game_end")


@dataclass(frozen=True, slots=True)
class GameStarted:
    """All seats are filled: no phrase after this; the deal follows from it.

    Attributes:
        phrases: by seat, empty if none was given.
        digest: state digest after the deal; `digest_version` says how it is made.
    """

    phrases: tuple[str, ...] = hidden("game_end")
    digest: str = hidden("game_end")
    digest_version: int = hidden("game_end")


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """One ply.

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
    """Something whose very occurrence is private.

    Its actor in the log is `hidden`, it has no cause, and its instant there is the beginning of its day.

    Attributes:
        type: what it is: `ChoiceMade` (GEN-6), which opens with the game, or `NextOrdered`,
            `DrawingRuled`, `PrivateMessage`, `MuteSet`, which never do; empty where nobody can read it
            any more.
        actor: who did it.
        cause: why, in the form of the log's causes; empty if there is none.
        at: the instant, as the log writes others; empty where nobody can read it any more.
        payload: of `ChoiceMade`: `seat`, `move` (canonical text), `source`, `digest`,
            `digest_version`.
    """

    type: str = hidden("game_end")
    actor: str = hidden("game_end")
    cause: str = hidden("game_end")
    at: str = hidden("game_end")
    payload: JsonValue = hidden("game_end")


@dataclass(frozen=True, slots=True)
class ChoicesRevealed:
    """The last secret choice is in; together they count as one ply per seat (GEN-6).

    Attributes:
        revealed: what everybody may read now, the data of the engine's fact `revealed`; empty where
            the choices themselves stay secret.
        ply: plies of the game after them.
    """

    revealed: dict[str, JsonValue]
    ply: int


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """A seat disputes what was done; `number` counts the disputes of the game, from 1."""

    number: int
    seat: int
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class DisputeResolved:
    """An admin resolved a dispute; every player reads how."""

    number: int
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class MovesRetracted:
    """Moves were taken back, by an admin or by consent.

    The table is as it was after an earlier event.

    Moves, secret choices and what they revealed are undone; time, banks, votes and who decides for
    a seat stay as they are. The events in between stay in the log.

    Attributes:
        back_to: version of that event.
        ply: plies of the game after it.
    """

    back_to: int
    ply: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class HandsRevealedToAdmin:
    """An admin looked at hidden cards while the game ran.

    Attributes:
        seats: the seats whose views were shown; all if everything was.
        at_version: the position that was looked at.
    """

    seats: tuple[int, ...]
    at_version: int
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class ReasonGiven:
    """Why an admin gave time, put in a bot, or let the clock run again just now."""

    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """A player said something to the whole table, at any time of the game.

    Words in private, or without a name, are `Hidden`.

    Attributes:
        seat: where the writer sat then; `player` is who it was.
        text: exactly what was written; may be erased.
    """

    seat: int
    player: str
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class AnonymousTalkSet:
    """Whether players may speak without a name; until it is set they may not."""

    is_allowed: bool


@dataclass(frozen=True, slots=True)
class PageSet:
    """A player objects to a page of the game that everybody can read, or no longer does."""

    seat: int
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class GameStopped:
    """An admin, or the invitations, ended the game without a ranking.

    Opens the secret.

    Attributes:
        code: `admin`; before the deal `declined` (a player does not want to play), `called-off`
            (its maker no longer wants the game), `expired` (a seat was not filled in time) or
            `renewed` (it was made anew with fewer seats).
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
        ranking: seats by place, equal places together; every seat once.
        with_judge: an admin who does not play in the game was named as its judge.
        server_secret: hex, opened.
    """

    ranking: tuple[tuple[int, ...], ...]
    with_judge: bool
    server_secret: str
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game is over; opens the secret.

    Attributes:
        ranking: seats by place, equal places together.
        reason: `finished`, `stopped` (by the rules: a limit of plies, or everybody is silent) or
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
"""By the name that stands in the log; a renamed class keeps its old name here."""

ENDS = (GameFinished, GameStopped, Adjudicated)
"""Events that end a game and open its secret; only talk follows."""

AFTER_THE_END = ("MessagePosted", "Hidden")
"""Types of events that may follow the end."""


def is_ended(types: Sequence[str]) -> bool:
    """True if a log of events of these types ends its game."""
    names = {end.__name__ for end in ENDS}
    rest = (name for name in reversed(types) if name not in AFTER_THE_END)
    return next(rest, "") in names


SCHEMA_VERSIONS: dict[str, int] = dict.fromkeys(EVENT_TYPES, 1)
"""Newest payload version of each type; a step up comes with an upcaster in `pbem.store.log.codec`."""


def closed_words(event_type: type[Any]) -> dict[str, tuple[str, ...]]:
    """Return the words that a field may hold, by field, of those that are so constrained."""
    hints = get_type_hints(event_type, include_extras=True)
    marks = {name: getattr(hint, "__metadata__", ())[:1] for name, hint in hints.items()}
    return {name: mark.words for name, found in marks.items() for mark in found}


def secret_fields(event_type: type[Any]) -> dict[str, str]:
    """Names of the hidden fields of a type, each with when it opens."""
    return {f.name: f.metadata["opens"] for f in fields(event_type) if "opens" in f.metadata}


# --- what people tell the service in private ------------------------------------------------------
#
# Kinds of `Hidden` whose secret never opens. Nobody else learns that it happened, in the running game or
# after it, and it may be erased for a person's sake: a log must mean the same without it. Each payload
# names its `seat`.

NEXT_ORDERED = "NextOrdered"
"""A standing order for a seat's next turn; an empty `text` takes it back."""
DRAWING_RULED = "DrawingRuled"
"""A rule for drawing in Phase 10; an empty `text` takes it back."""

PRIVATE_MESSAGE = "PrivateMessage"
"""Words to some players, or without a name: `seat`, `player` who wrote them, `to` (ids of the readers,
empty = everybody), `is_anonymous`, `text`."""
MUTE_SET = "MuteSet"
"""Whether a seat has muted a `player` (an id, or `anonymous`): `is_muted`."""

TALK = frozenset({PRIVATE_MESSAGE, MUTE_SET})
NEVER_OPENED = frozenset({NEXT_ORDERED, DRAWING_RULED}) | TALK


def opens(event: StoredEvent) -> str | None:
    """Return when an event's secret opens: `game_end`, `never`, None without one.

    It follows from the type, and for `Hidden` from the `type` in the secret.
    """
    payload = None if event.secret is None else event.secret.payload
    if event.type == HIDDEN and payload is not None and payload.get("type") in NEVER_OPENED:
        return "never"
    known: type[Any] | None = EVENT_TYPES.get(event.type) or LEAGUE_EVENTS.get(event.type)
    return None if known is None else next(iter(secret_fields(known).values()), None)


MAY_NEVER_OPEN = frozenset(
    name for name, known in EVENT_TYPES.items() if "never" in secret_fields(known).values()
) | {HIDDEN}
"""Types of events whose secret never opens, or may never open if nobody can read it."""


def is_private(event: Event) -> bool:
    """True if nobody else may ever learn of the event, or it is erased."""
    return isinstance(event, Hidden) and event.type in NEVER_OPENED | {""}


def is_talk(event: Event) -> bool:
    """True if the event is private talk, or erased: such events may come at any time."""
    return isinstance(event, Hidden) and event.type in TALK | {""}


def is_choice(event: Event) -> bool:
    """True if the event is a secret choice (GEN-6), which opens with the game."""
    return isinstance(event, Hidden) and not is_private(event)


# --- what is read and decided -----------------------------------------------------------------------


class Recorded(NamedTuple):
    """An event as it is read from the log: with its place, time, actor and cause.

    A tuple, because one is made for every event that is read.

    Attributes:
        recorded_at: of `Hidden` the instant in its secret, or the day where that is closed.
        actor: `seat:2`, `player:<id>`, `admin:<id>`, `clock`, `system`; `hidden` of `Hidden`.
        cause: `mail:<SHA-256>`, `deadline:<version>`, `command:<id>` or None.
        hash: of this version; the head of the chain here.
    """

    version: int
    recorded_at: datetime
    actor: str
    cause: str | None
    hash: str
    event: Event

    @property
    def real_actor(self) -> str:
        """Return who did it, also of `Hidden`."""
        return self.event.actor if isinstance(self.event, Hidden) else self.actor

    @property
    def real_cause(self) -> str | None:
        """Return why it happened, also of `Hidden`."""
        return (self.event.cause or None) if isinstance(self.event, Hidden) else self.cause


@dataclass(frozen=True, slots=True)
class Decided:
    """An event that was decided and not yet recorded."""

    event: Event
    actor: str
    cause: str | None
