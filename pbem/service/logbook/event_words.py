"""Descriptions of events for readers of a log. Add a row to `WORDS` for each new event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeAlias

from engine.sentences import all_of
from pbem.domain.log.chain import parse_time
from pbem.domain.log.events import Event, Hidden, Recorded, is_private
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.durations import duration_words
from pbem.mail_out.texts import ended
from pbem.mail_out.times import left_text
from pbem.store.rows.core import OutboxMail

HOW = {
    "mail": "by mail",
    "standing": "by a standing order",
    "forced": "the only legal move, played at once by the service (GEN-11)",
    "standby": "the time ran out: a cautious move was played (GEN-7)",
    "bot": "by a bot",
    "admin": "by an admin",
}
"""Descriptions of the sources of moves."""

CLOSED = "Something hidden: a secret choice (GEN-6), or what somebody told the service in private."
"""Description of a `Hidden` event whose content may not be shown."""


Words: TypeAlias = Callable[[Any, str, Sequence[str]], str]
"""Describe a recorded event, given the name of its seat and all names."""


def _move(item: Any, who: str, _names: Sequence[str]) -> str:  # noqa: ANN401  (see `Words`)
    source = item.event.source
    return f"{who}: {item.event.move}" + ("" if source == "mail" else f" ({HOW[source]})")


def _choice(item: Any, _who: str, names: Sequence[str]) -> str:  # noqa: ANN401
    choice = item.event.payload
    by = "" if choice["source"] == "mail" else f"; {HOW[choice['source']]}"
    return f"{names[choice['seat']]}: {choice['move']} (in secret{by})."


def _undone(item: Any, _who: str, _names: Sequence[str]) -> str:  # noqa: ANN401
    was = f"the table is as it was after event {item.event.back_to}."
    if not item.actor.startswith("admin:"):
        return f"All who play agreed to take moves back: {was}"
    return f"An admin took moves back: {was} The reason given: {ended(item.event.reason)}"


def _extension_words(item: Any, who: str, _names: Sequence[str]) -> str:  # noqa: ANN401
    terms = dict(item.event.terms)
    if "time_per_move" in terms:
        terms["time_per_move"] = duration_words(terms["time_per_move"])
    if "expires_at" in terms:
        terms["expires_at"] = f"{parse_time(terms['expires_at']):%Y-%m-%d %H:%M} UTC"
    return MOTIONS[item.event.motion].texts.in_log.format(who=who, **terms)


def _ended(item: Any, who: str, _names: Sequence[str]) -> str:  # noqa: ANN401
    motion, why = item.event.motion, item.event.why
    off = f"What was asked about ({motion}) is off ({why})."
    return MOTIONS[motion].texts.ends_in_log.get(why, off).format(who=who)


WORDS: dict[str, str | Words] = {
    "MovePlayed": _move,
    "Hidden": _choice,
    "GameCreated": "The game was created for {everybody}: {ruleset} {ruleset_version}.",
    "DeadlineSet": lambda item, _, names: (
        f"{all_of([names[seat] for seat in item.event.seats])} may answer until"
        f" {moment(item.event.due_at)} UTC."
    ),
    "BankChanged": lambda item, who, _: f"The time bank of {who}: {bank_words(item.event.left)}.",
    "DeadlineExtended": "The deadline moved to {due} UTC ({reason}).",
    "ClockCompensated": "The deadline moved to {due} UTC (a gap in the service).",
    "MovesRetracted": _undone,
    "MotionOpened": _extension_words,
    "VoteCast": lambda item, who, _: (
        f"{who} is {'for' if item.event.is_for else 'against'} this: {item.event.motion}."
    ),
    "MotionEnded": _ended,
    "PlayerInvited": "{who} was invited.",
    "PlayerJoined": "{who} joined.",
    "PlayerDeclined": "{who} declined.",
    "InvitationExpired": "{who} did not answer the invitation in time.",
    "PhraseGiven": "{who} gave a phrase for the shuffles.",
    "PlayerReachable": "{who} can be reached again.",
    "PlayerUnreachable": "Mails do not reach {who} ({reason}).",
    "SeatResigned": "{who} resigned.",
    "SeatRemoved": "{who} was taken out of the game. The reason given: {reason}",
    "SeatControllerChanged": "A {controller} decides for {who} now ({why}).",
    "GameStarted": "The cards were dealt.",
    "ChoicesRevealed": "All who play have chosen, and the secret choices are revealed.",
    "TurnTimedOut": "{who} let the deadline of event {deadline} pass.",
    "AdminAsked": "{who} let the deadline of event {deadline} pass; the admin was asked.",
    "VacationTaken": "{who} is away from {first} to {last}.",
    "VacationEnded": "{who} is back; the vacation ended on {last}.",
    "GamePaused": "The game was paused ({by}).",
    "GameResumed": "The game goes on ({by}).",
    "HandsRevealedToAdmin": "An admin looked at hidden cards. The reason given: {reason}",
    "ReasonGiven": "The reason given by the admin: {reason}",
    "SeatReplaced": "Another person sits there now: {who}. The reason given: {reason}",
    "Adjudicated": "An admin ended the game with a ranking. The reason given: {reason}",
    "DisputeOpened": "{who} opened dispute {number}.",
    "DisputeResolved": "An admin resolved dispute {number}: {text}",
    "ObserverLeft": "The player {player} stopped watching.",
    "MessagePosted": "{who} said something to the table.",
    "AnonymousTalkSet": "Whether words without a name are allowed here: {is_allowed}.",
    "PageSet": "Whether {who} allows a page of this game: {is_allowed}.",
    "GameStopped": "The game was stopped ({code}).",
    "GameFinished": "The game is over.",
}
"""Descriptions by event: functions, or format strings with `who`, `everybody`, `due` and fields."""


def event_words(item: Recorded, names: Sequence[str], *, is_open: bool) -> str:
    """Describe an event, including hidden facts only if they are open."""
    event = item.event
    if not is_opened(event, is_open=is_open):
        return CLOSED
    seat = getattr(event, "seat", None)
    who = "" if seat is None else names[seat]
    words = WORDS[type(event).__name__]
    if callable(words):
        return words(item, who, names)
    own = {field.name: getattr(event, field.name) for field in fields(event)}
    due = moment(own["due_at"]) if "due_at" in own else ""
    if isinstance(own.get("reason"), str) and words.endswith("{reason}"):
        own["reason"] = ended(own["reason"])
    return words.format(who=who, everybody=all_of(names), due=due, **own)


def is_opened(event: Event, *, is_open: bool) -> bool:
    """True if an event may be shown with its content, actor and cause."""
    return not isinstance(event, Hidden) or (is_open and not is_private(event))


def mail_words(mail: OutboxMail, names: Sequence[str]) -> str:
    """Describe a message and its status in a few words."""
    whom = "somebody" if mail.seat is None else names[mail.seat]
    when = f", {moment(mail.sent_at)} UTC" if mail.sent_at else ""
    return f"{mail.kind.replace('_', ' ')} mail {mail.id} to {whom}, {mail.status}{when}"


def when(item: Recorded, *, is_open: bool) -> str:
    """Return the time of an event, to the second, or only the day for closed events."""
    exact = moment(item.recorded_at)
    return exact if is_opened(item.event, is_open=is_open) else exact[:10]


def moment(instant: datetime) -> str:
    """Format a time to the second."""
    return f"{instant:%Y-%m-%d %H:%M:%S}"


def bank_words(left: int | None) -> str:
    """Describe what is left in a time bank, or empty without a bank."""
    if left is None:
        return ""
    return f"{left_text(left)} left" if left else "used up"
