"""Validate log content that the hash chain, the fold and the rules do not check.

A forged log can have a valid hash chain. The fold checks whether an event can follow, and the rules
check whether a move is legal. This module checks IDs, times and actors. Logs written by this
program always pass. Errors contain no hidden data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from engine import registry
from engine.errors import SetupError
from engine.replay import DIGEST_VERSION
from pbem.domain.log.chain import StoredEvent, parse_time
from pbem.domain.log.clock_events import (
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.events import (
    NEVER_OPENED,
    PLY_SOURCES,
    Event,
    GameCreated,
    GameStarted,
    GameStopped,
    Hidden,
    MovePlayed,
    Recorded,
    opens,
)
from pbem.domain.log.motion_events import TERMS, MotionOpened
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
)
from pbem.errors import LogError

TOLERANCE: Final = timedelta(days=1)
"""How far the server's clock may have been ahead of the checker's."""
MAX_INTEGER: Final = 2**31 - 1
"""Maximum number in a log or a table."""
_FARTHEST = timedelta(days=3653)
"""Maximum distance of a deadline or an outage from its event."""

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_PERSON = re.compile(r"[a-z2-7]{10}", re.ASCII)
_SEATED = re.compile(r"[a-z2-7]{10}|bot:(?:easy|hard):[a-z]{1,20}|open:[1-9]\d{0,2}", re.ASCII)
_ACTOR = re.compile(
    r"seat:(?:0|[1-9]\d?)|player:[a-z2-7]{10}|admin:(?:local|mail|[a-z2-7]{10})|clock|system",
    re.ASCII,
)
_CAUSE = re.compile(
    r"mail:[0-9a-f]{64}|deadline:(?P<deadline>[1-9]\d{0,8})|command:[a-z2-7]{16}", re.ASCII
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_PACKAGE = re.compile(r"[A-Za-z0-9._-]{1,100}==[A-Za-z0-9.+!_-]{1,50}", re.ASCII)
_RULESET = re.compile(r"(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
_LEAGUE = re.compile(r"[a-z2-7]{10}:[1-9]\d?", re.ASCII)
_MOVE = re.compile(r"[\x20-\x7e]{1,400}", re.ASCII)

_MAY_NAME_NOBODY = (PlayerInvited, PlayerJoined, PlayerDeclined, InvitationExpired)
"""Events whose player may be a bot or an open seat."""
_BY_ITSELF = frozenset({"DeadlineSet", "ChoicesRevealed", "BankChanged", "GameStarted"})
"""Types of events that the service adds automatically."""
_BY_ADMINS = frozenset({"HandsRevealedToAdmin", "Adjudicated", "ReasonGiven"})
_LATE = frozenset({"TurnTimedOut", "AdminAsked"})
_BY_THE_SEAT = frozenset(
    {
        *("PhraseGiven", "VoteCast", "DisputeOpened", "MessagePosted", "PageSet", "VacationTaken"),
    }
)
"""Types of events caused by a seat, an admin or a player who takes a seat."""
_CHOICE: Mapping[str, type] = {
    "seat": int,
    "move": str,
    "source": str,
    "digest": str,
    "digest_version": int,
}


class _Wrong(Exception):  # noqa: N818  (it becomes a LogError that names the event)
    """Internal error for an invalid event."""


def validate_log(
    stored: Sequence[StoredEvent], recorded: Sequence[Recorded], now: datetime | None = None
) -> None:
    """Check a whole log for content that no server writes.

    Args:
        stored: a whole log.
        recorded: the same, decoded. Hidden fields may be blank if the secret is missing.
        now: time of the check, which no event may be later than, or None to skip this.

    Raises: LogError that names the event.
    """
    first = recorded[0].event
    seats = len(first.seats) if isinstance(first, GameCreated) else 0
    for line, item in zip(stored, recorded, strict=True):
        try:
            _check_event(line, item, seats)
            _check_frame(stored, line, item, seats)
        except _Wrong as error:
            raise not_written(item, str(error)) from None
    check_times(recorded, now)


def check_times(recorded: Iterable[Recorded], now: datetime | None = None) -> None:
    """Check that times in the log do not decrease, and are not in the future.

    A `Hidden` event may show only its day, so only its day is checked.

    Raises: LogError that names the event.
    """
    latest = datetime.min.replace(tzinfo=UTC)
    day = date.min
    for item in recorded:
        recorded_at = item.recorded_at
        is_before = recorded_at.date() < day or (
            recorded_at < latest and not isinstance(item.event, Hidden)
        )
        if is_before:
            raise not_written(item, "it is of earlier than the event before it")
        if now is not None and recorded_at > now + TOLERANCE:
            raise not_written(item, "it is of the future")
        day = recorded_at.date()
        latest = latest if isinstance(item.event, Hidden) else recorded_at


def not_written(item: Recorded, why: str) -> LogError:
    """Create the error for an event that no server writes."""
    return LogError(
        f"event {item.version} is none that a server writes: {why}", version=item.version
    )


def _need(holds: object, why: str) -> None:
    if not holds:
        raise _Wrong(why)


def _check_frame(
    stored: Sequence[StoredEvent], line: StoredEvent, item: Recorded, seats: int
) -> None:
    """Check actor and cause, and that the event has a secret exactly if its type has one."""
    event, name = item.event, line.type
    hides = opens(line) is not None
    _need(hides is (line.secret_commitment is not None), "it hides what has nothing to hide")
    _need(not hides or _HEX.fullmatch(line.secret_commitment or ""), "its commitment is no hash")
    _need((name == "Hidden") is (item.actor == "hidden"), "its actor is not who does such things")
    if isinstance(event, Hidden):
        _need(item.cause is None and not line.public, "what is private shows something")
        if line.secret is not None and line.secret.payload is not None:
            _need(event.at, "it hides no instant")
            _check_actor(stored, item, event.actor, event.cause or None, seats)
        return
    _check_actor(stored, item, item.actor, item.cause, seats)
    is_sound = name not in _BY_ITSELF or item.actor == "system"
    is_sound &= name not in _LATE or item.actor == "clock" or item.actor.startswith("admin:")
    is_sound &= name not in _BY_ADMINS or item.actor.startswith("admin:")
    if isinstance(event, GameStopped):
        is_sound &= (event.code == "admin") is item.actor.startswith("admin:")
    is_motion = isinstance(event, MotionOpened) and event.motion != "offer"
    is_own = name in _BY_THE_SEAT or (is_motion and getattr(event, "seat", None) is not None)
    if item.actor.startswith("seat:") and (is_own or isinstance(event, MovePlayed)):
        is_sound &= item.actor == f"seat:{getattr(event, 'seat', '')}"
    is_sound &= not is_own or item.actor not in ("clock", "system")
    if isinstance(event, MotionOpened) and event.motion == "observer":
        is_sound &= item.actor == f"player:{event.terms['player']}"
    _need(is_sound, "its actor is not who does such things")


def _check_actor(
    stored: Sequence[StoredEvent], item: Recorded, actor: str, cause: str | None, seats: int
) -> None:
    _need(_ACTOR.fullmatch(actor), "its actor is nobody who acts")
    kind, _, number = actor.partition(":")
    _need(kind != "seat" or int(number) < seats, "its actor sits in no seat")
    if cause is None:
        return
    form = _CAUSE.fullmatch(cause)
    _need(form, "its cause is none that can be")
    if form is not None and form["deadline"] is not None:
        version = int(form["deadline"])
        is_deadline = version < item.version and stored[version - 1].type == "DeadlineSet"
        _need(is_deadline, "its cause is no deadline of the game")


def _check_event(line: StoredEvent, item: Recorded, seats: int) -> None:
    event = item.event
    is_open = line.secret is not None and line.secret.payload is not None
    for field in fields(event):
        if "opens" in field.metadata and not is_open:
            continue  # the field contains only a placeholder
        value = getattr(event, field.name)
        _check_value(event, field.name, value, item.recorded_at, seats)
    if isinstance(event, MotionOpened):
        _check_terms(event, item.recorded_at, seats)
    if isinstance(event, GameCreated):
        _need(len(set(event.seats)) == len(event.seats), "somebody sits in two seats")
        is_of_two = not event.seats[2:] and not event.league
        _need(is_of_two or not event.challenge, "a challenge is a game of two, and of no league")
        _check_options(event)
    if isinstance(event, Hidden) and is_open:
        _check_private(event, seats)
    if isinstance(event, DeadlineSet | DeadlineExtended | ClockCompensated):
        _check_deadline(event, item.recorded_at)


def _check_terms(event: MotionOpened, at: datetime, seats: int) -> None:
    shape = {name: type(value) for name, value in event.terms.items()}
    _need(shape == TERMS[event.motion], "its terms are not those of such a motion")
    for name, value in event.terms.items():
        instant = _instant(str(value)) if name == "expires_at" else value
        _check_value(event, name, instant, at, seats)


def _instant(text: str) -> datetime:
    try:
        return parse_time(text)
    except ValueError:
        raise _Wrong("its terms name no instant") from None


def _check_options(event: GameCreated) -> None:
    if not registry.has(event.ruleset, event.ruleset_version):
        raise _Wrong("its rules are not here, or there are no such rules")
    try:
        rules = registry.find(event.ruleset, event.ruleset_version)
        checked = rules.check_options(len(event.seats), event.options)
    except SetupError:
        raise _Wrong("there is no such game") from None
    _need(checked == event.options, "its options are not all of the game's")


def _check_value(event: Event, name: str, value: Any, at: datetime, seats: int) -> None:  # noqa: ANN401
    """Check a field by its name, which has the same meaning in every event."""
    check = _BY_NAME.get(name)
    _need(check is None or check(value, seats), f"its {name} is none that can be")
    if name == "player":
        form = _SEATED if isinstance(event, _MAY_NAME_NOBODY) else _PERSON
        _need(form.fullmatch(value), f"its {name} is no id")
    if isinstance(event, VacationTaken | VacationEnded) and name in ("first", "last"):
        _need(_is_day_near(value, at), f"its {name} is no day that can be")
    if isinstance(event, GameStarted) and name == "phrases":
        _need(len(value) == seats, "its phrases are not one for each seat")
    for instant in value if isinstance(value, tuple) else (value,):
        if isinstance(instant, datetime):
            _need(abs(instant - at) <= _FARTHEST, f"its {name} is years away")
        if type(instant) is int:
            _need(-1 <= instant <= MAX_INTEGER, f"its {name} is no number of a log")


def _is_day_near(text: str, at: datetime) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    return abs(day - at.date()) <= _FARTHEST


def _is_seat(value: int | None, seats: int) -> bool:
    return value is None or 0 <= value < seats


def _are_seats(value: tuple[Any, ...], seats: int) -> bool:
    if value and isinstance(value[0], str):  # in `GameCreated`, `seats` lists player IDs
        return all(_SEATED.fullmatch(player) for player in value)
    return list(value) == sorted(set(value)) and all(_is_seat(seat, seats) for seat in value)


def _is_hash(value: str, _: int) -> bool:
    return _HEX.fullmatch(value) is not None


def _is_positive(value: int, _: int) -> bool:
    return 0 < value <= MAX_INTEGER


_BY_NAME: Mapping[str, Callable[[Any, int], bool]] = {
    "seat": _is_seat,
    "of": _is_seat,
    "seats": _are_seats,
    "operator_seats": _are_seats,
    "commitment": _is_hash,
    "server_secret": _is_hash,
    "digest": _is_hash,
    "digest_version": lambda value, _: value == DIGEST_VERSION,
    "move": lambda value, _: _MOVE.fullmatch(value) is not None,
    "ruleset": lambda value, _: _RULESET.fullmatch(value) is not None,
    "deadline": _is_positive,
    "number": _is_positive,
    "back_to": _is_positive,
    "at_version": _is_positive,
    "time_per_move": _is_positive,
    "league": lambda value, _: not value or _LEAGUE.fullmatch(value) is not None,
    "package": lambda value, _: not value or _PACKAGE.fullmatch(value) is not None,
}
"""Validators of fields by name, for any event."""


def _check_private(event: Hidden, seats: int) -> None:
    _need(event.type == "ChoiceMade" or event.type in NEVER_OPENED, "nothing private is called so")
    payload = event.payload
    _need(isinstance(payload, dict), "what is private has no form")
    if event.type != "ChoiceMade" or not isinstance(payload, dict):
        return
    is_choice = payload.keys() == _CHOICE.keys() and all(
        type(payload[name]) is kind for name, kind in _CHOICE.items()
    )
    _need(is_choice, "it is no choice")
    for name in _CHOICE:
        check = _BY_NAME.get(name)
        _need(check is None or check(payload[name], seats), "it is no choice")
    _need(payload["source"] in PLY_SOURCES, "it is no choice")


def _check_deadline(event: DeadlineSet | DeadlineExtended | ClockCompensated, at: datetime) -> None:
    _need(event.base_at <= event.due_at <= event.fires_at, "its instants are in no order")
    if isinstance(event, DeadlineSet):
        _need(event.starts_at <= min(at, event.base_at), "its instants are in no order")
        is_before = event.reminders and event.reminders[0] < event.starts_at
        _need(not is_before, "it reminds before it begins")
    _need(list(event.reminders) == sorted(set(event.reminders)), "its reminders are in no order")
    _need(
        all(reminder <= event.due_at for reminder in event.reminders), "it reminds of what is over"
    )
