"""Events in words, for people who look at a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from pbem.domain.log.clock_events import ClockCompensated, DeadlineExtended, DeadlineSet
from pbem.domain.log.events import (
    Event,
    GameCreated,
    Hidden,
    MovePlayed,
    MovesRetracted,
    Recorded,
    VoteCast,
)
from pbem.domain.log.private import is_private
from pbem.mail_out.texts import and_text
from pbem.store.post.evidence import MailOut

HOW = {
    "mail": "by mail",
    "standing": "by a standing order",
    "forced": "the only legal move, played at once by the service (GEN-11)",
    "standby": "the time ran out: a cautious move was played (GEN-7)",
    "bot": "by a bot",
    "admin": "by an admin",
}
"""How a move came about, by its source."""

CLOSED = "Something hidden: a secret choice (GEN-6), or what somebody told the service in private."
"""What a closed event is, which is all that anybody may know."""

_PLAIN = {
    "PlayerInvited": "{who} was invited.",
    "PlayerJoined": "{who} joined.",
    "PlayerDeclined": "{who} declined.",
    "InvitationExpired": "{who} did not answer the invitation in time.",
    "PhraseGiven": "{who} gave a phrase for the shuffles.",
    "PlayerReachable": "{who} can be reached again.",
    "PlayerUnreachable": "Mails do not reach {who} ({reason}).",
    "SeatResigned": "{who} resigned.",
    "SeatRemoved": "{who} was removed by an admin. The reason given: {reason}",
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
    "UndoRequested": "{who} asked the others to go back to event {back_to}.",
    "ReplacementProposed": "{who} asked that the player {player} takes over seat {of}.",
    "ReplacementOffered": "The player {player} was asked to take over the seat of {who}.",
    "ReplacementDeclined": "The player {player} does not take over the seat of {who}.",
    "ReplacementExpired": "The player {player} did not answer whether they take over the seat of {who}.",
    "ReplacementOver": "The seat of {who} is not offered to the player {player} any more.",
    "MotionEnded": "What was asked about ({motion}) is off ({why}).",
    "ObserverProposed": "The player {player} asked to look on.",
    "ObserverAdmitted": "The player {player} looks on from here.",
    "ObserverLeft": "The player {player} looks on no more.",
    "TempoProposed": "{who} asked for another pace: {time_per_move} seconds per move.",
    "TempoChanged": "From the next deadline on there are {time_per_move} seconds per move.",
    "MessagePosted": "{who} said something to the table.",
    "AnonymousTalkSet": "Whether words without a name are allowed here: {is_allowed}.",
    "GameStopped": "The game was stopped ({code}).",
    "GameFinished": "The game is over.",
}


def event_words(item: Recorded, names: Sequence[str], *, is_open: bool) -> str:
    """Say what an event is; a secret choice only where it is open."""
    event = item.event
    seat = getattr(event, "seat", None)
    who = "" if seat is None else names[seat]
    match event:
        case MovePlayed():
            how = "" if event.source == "mail" else f" ({HOW.get(event.source, event.source)})"
            return f"{who}: {event.move}{how}"
        case Hidden():
            return _choice_words(event, names) if is_opened(event, is_open=is_open) else CLOSED
        case GameCreated():
            rules = f"{event.ruleset} {event.ruleset_version}"
            return f"The game was created for {and_text(names)}: {rules}."
        case DeadlineSet():
            whom = and_text([names[number] for number in event.seats])
            return f"{whom} may answer until {moment(event.due_at)} UTC."
        case DeadlineExtended() | ClockCompensated():
            why = getattr(event, "reason", "a gap in the service")
            return f"The deadline moved to {moment(event.due_at)} UTC ({why})."
        case MovesRetracted(back_to=back_to, reason=reason):
            was = f"the table is as it was after event {back_to}."
            if not item.actor.startswith("admin:"):
                return f"All who play agreed to take moves back: {was}"
            return f"An admin took moves back: {was} The reason given: {reason}"
        case VoteCast():
            side = "for" if event.is_for else "against"
            return f"{who} is {side} this: {event.motion}."
        case _:
            return _plain_words(event, who)


def is_opened(event: Event, *, is_open: bool) -> bool:
    """True if an event may be told, its actor and cause too, where hidden things are open."""
    return not isinstance(event, Hidden) or (is_open and not is_private(event))


def _plain_words(event: Event, who: str) -> str:
    kind = type(event).__name__
    form = _PLAIN.get(kind)
    if form is None:
        return f"{kind} {who}".strip()
    return form.format(who=who, **{f.name: getattr(event, f.name) for f in fields(event)})


def _choice_words(event: Hidden, names: Sequence[str]) -> str:
    payload: Any = event.payload
    source = payload.get("source", "mail")
    how = "" if source == "mail" else f"; {HOW.get(source, source)}"
    return f"{names[payload['seat']]}: {payload['move']} (in secret{how})."


def mail_words(mail: MailOut, names: Sequence[str]) -> str:
    """Say in short which mail it is and what became of it."""
    whom = "somebody" if mail.seat is None else names[mail.seat]
    when = f", {moment(mail.sent_at)} UTC" if mail.sent_at else ""
    return f"{mail.kind.replace('_', ' ')} mail {mail.id} to {whom}, {mail.status}{when}"


def when(item: Recorded, *, is_open: bool) -> str:
    """Return when something happened, to the second; of what stays closed the day alone."""
    exact = moment(item.recorded_at)
    return exact if is_opened(item.event, is_open=is_open) else exact[:10]


def moment(instant: datetime) -> str:
    """Say an instant, to the second."""
    return f"{instant:%Y-%m-%d %H:%M:%S}"


def duration(seconds: int) -> str:
    """Say a duration in its two largest units: `2 days 19 hours`."""
    if seconds < 0:
        return "no time"
    days, rest = divmod(seconds, 86400)
    hours, minutes = rest // 3600, rest % 3600 // 60
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    words = [f"{n} {word}{'s' * (n != 1)}" for n, word in parts if n]
    return " ".join(words[:2]) or "less than a minute"
