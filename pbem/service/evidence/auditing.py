"""Audit a game: each event with its actor, time, cause and messages.

While a game is running, hidden data is omitted: secret choices and their players, the text of
players' messages, and the content of refused lines. `--reveal` shows all of it. It is recorded as
an event, and every player is notified.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.api import AnyRuleset
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import DeadlineSet, TurnTimedOut
from pbem.domain.log.events import MovePlayed, is_choice
from pbem.domain.terms.tokens import SeatToken
from pbem.domain.words.orders import OrderLine, read_lines
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.talk import read_said
from pbem.errors import MalformedMailError, Refusal
from pbem.language import languages
from pbem.mail_in.sandbox.reader import ReaderError
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import KINDS
from pbem.mail_out.times import left_text
from pbem.service.core import limits, sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import answered_mails, quoted
from pbem.service.intake.parsing import QuoteParser
from pbem.service.logbook import replaying, replays
from pbem.service.logbook.event_words import (
    HOW,
    event_words,
    is_opened,
    mail_words,
    moment,
)
from pbem.service.logbook.replaying import ReplayStep
from pbem.service.logbook.replays import Replay
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.traces import ERASED
from pbem.store.post.outbox_queries import Said
from pbem.store.rows.core import MAIL, InboxMail, OutboxMail

ACCEPTED = "accepted: its reply address is genuine and of this seat, and From is its player's"


@dataclass(frozen=True, slots=True)
class Source:
    """The message that caused an event.

    Attributes:
        whose: name of the player to whom it is attributed.
        verdict: whether it was accepted as theirs, and why.
        is_intact: True if the stored bytes have the hash in the log.
        lines: the result of each line, with its text only if that may be read.
        text: the player's reply text, or None if it may not be read.
    """

    mail: InboxMail
    whose: str
    verdict: str
    is_intact: bool
    lines: tuple[LineResult, ...]
    text: str | None = field(repr=False)

    @property
    def is_erased(self) -> bool:
        """True if the bytes were erased at a person's request."""
        return (self.mail.verdict or {}).get("why") == ERASED


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An event with its cause and the messages that followed from it.

    Attributes:
        actor, cause: as in the log, or the actual values if a secret choice is open.
        cause_mail: origin of the message that the cause names: `here`, `foreign` (another seat's),
            `outside` (of no seat of this game), `missing`, `elsewhere` (the game was imported), or
            None if the cause is not a message.
        who: the actor's name.
        words: a sentence about what happened.
        mails: the messages that followed from this event and from those decided with it.
    """

    step: ReplayStep
    actor: str
    cause: str | None
    cause_mail: str | None
    who: str
    words: str
    mails: tuple[OutboxMail, ...]

    @property
    def is_admin_act(self) -> bool:
        """True if an admin caused the event."""
        return self.actor.startswith("admin:")


@dataclass(frozen=True, slots=True)
class Audit:
    """A game's events with their messages.

    Attributes:
        others: incoming messages that changed nothing in the log.
        is_open: True if hidden data is shown.
    """

    found: Replay
    entries: tuple[AuditEntry, ...]
    others: tuple[InboxMail, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Everything about an event of a game, including its cause.

    Attributes:
        before: the step before it, or None for the first event.
        reasons: sentences about the cause, the running deadline and earlier turn messages.
        source: the message that caused it, if any.
        told: the sentences about the event, as in messages.
        choices: the secret choices that were revealed with it, if they are open.
    """

    audit: Audit
    entry: AuditEntry
    before: ReplayStep | None
    reasons: tuple[str, ...]
    source: Source | None
    told: tuple[str, ...]
    choices: tuple[str, ...]


def audit(
    service: Service,
    game_id: GameId,
    *,
    place: str | None = None,
    reveal: bool = False,
    reason: str | None = None,
) -> Audit:
    """Audit a game: return every event with its messages.

    Args:
        place: the position for a later `inquire`. An invalid position is refused before hidden data
            is revealed.
        reveal: True to show hidden data. In a running game this needs `reason` and is recorded as
            an event.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    replay = replays.replay(service, game_id)
    if place is not None:
        replaying.find(replay.steps, place, may_be_gone=True)
    is_open = reveal or replay.game.is_over
    if is_open:
        everybody = range(len(replay.names))
        replay = replays.replay_as_seats(service, replay, everybody, reason=reason)
    with service.store.reading() as uow:
        mails_in, mails_out = uow.inbox.of_game(game_id), uow.outbox.of_game(game_id)
        named = {step.recorded.real_cause for step in replay.steps}
        causes = _Causes(
            {(mail.cause, mail.seat) for mail in mails_in},
            uow.inbox.unfound(named),
            was_played_here=bool(mails_in or mails_out),
        )
    mails = _followed(replay.steps, mails_out, is_open=is_open)
    entries = tuple(
        _entry(replay, step, mails.get(step.version, ()), causes, is_open=is_open)
        for step in replay.steps
    )
    others = tuple(mail for mail in mails_in if mail.cause not in named)
    return Audit(replay, entries, others, is_open)


def inquire(service: Service, audited: Audit, move: str) -> Inquiry:
    """Explain one position of an audited game, such as `17` or `@41`. Raises: Refusal."""
    steps = audited.found.steps
    index = replaying.find(steps, move, may_be_gone=True)
    step = steps[index]
    entry = audited.entries[index]
    before = steps[index - 1] if index else None
    with service.store.reading() as uow:
        game_id = audited.found.game.id
        mails_in, mails_out = uow.inbox.of_game(game_id), uow.outbox.of_game(game_id)
        mail = next((mail for mail in mails_in if mail.cause == entry.cause), None)
        source = None if mail is None else _source(service, uow, audited, mail, mails_out)
    sentences = audited.found.sentences(step, None)
    return Inquiry(
        audited,
        entry,
        before,
        tuple(_reasons(audited, entry, before, mails_out, source)),
        source,
        tuple(sentences),
        tuple(_choices(audited, index)),
    )


@dataclass(frozen=True, slots=True)
class _Causes:
    """The messages that a log names as causes, and whether they arrived.

    Attributes:
        written: cause and seat of each message of the game.
        unfound: causes whose message never arrived.
        was_played_here: False if the game was imported.
    """

    written: set[tuple[str, int | None]]
    unfound: frozenset[str]
    was_played_here: bool

    def find(self, cause: str | None, actor: str) -> str | None:
        """Classify the message that caused an entry, as in `AuditEntry.cause_mail`."""
        if cause is None or not cause.startswith(MAIL):
            return None
        if not self.was_played_here:
            return "elsewhere"
        if cause in self.unfound:
            return "missing"
        seats = {seat for written, seat in self.written if written == cause}
        if not seats:
            return "outside"
        is_own = not actor.startswith("seat:") or None in seats or int(actor[5:]) in seats
        return "here" if is_own else "foreign"


def _entry(
    replayed: Replay,
    step: ReplayStep,
    mails: tuple[OutboxMail, ...],
    causes: _Causes,
    *,
    is_open: bool,
) -> AuditEntry:
    recorded = step.recorded
    is_closed = not is_opened(recorded.event, is_open=is_open)
    actor = recorded.actor if is_closed else recorded.real_actor
    cause = None if is_closed else recorded.real_cause
    return AuditEntry(
        step=step,
        actor=actor,
        cause=cause,
        cause_mail=causes.find(cause, actor),
        who=_named(actor, replayed),
        words=event_words(recorded, replayed.names, is_open=is_open),
        mails=() if is_closed else mails,
    )


def _followed(
    steps: Sequence[ReplayStep], mails_out: Sequence[OutboxMail], *, is_open: bool
) -> dict[int, tuple[OutboxMail, ...]]:
    """Map the version of each event to the messages that were queued in the same decision.

    Messages name the last version of their decision, and the events of a decision have the same
    time. Later reminders name the same version, but do not follow from it.
    """
    by_version: dict[int, list[OutboxMail]] = {}
    for mail in mails_out:
        if mail.version is not None and mail.kind != "reminder":
            by_version.setdefault(mail.version, []).append(mail)
    followed: dict[int, tuple[OutboxMail, ...]] = {}
    end: ReplayStep | None = None
    for step in reversed(steps):
        if step.version in by_version:
            end = step
        if end is None or not is_opened(end.event, is_open=is_open):
            continue
        if end.recorded.recorded_at == step.recorded.recorded_at:
            followed[step.version] = tuple(by_version[end.version])
    return followed


def _named(actor: str, replayed: Replay) -> str:
    kind, _, ident = actor.partition(":")
    if kind == "seat" and ident.isdecimal() and int(ident) < len(replayed.names):
        return replayed.names[int(ident)]
    if kind == "admin":
        return f"the admin ({ident})"
    return {
        "clock": "the clock",
        "system": "the service",
        "hidden": "somebody",
    }.get(kind, actor)


# --- one position
# -------------------------------------------------------------------------------------


def _reasons(
    audited: Audit,
    entry: AuditEntry,
    before: ReplayStep | None,
    mails_out: Sequence[OutboxMail],
    source: Source | None,
) -> list[str]:
    """Explain the cause of an event, the seat's deadline, and how its player was notified."""
    event, replay = entry.step.event, audited.found
    kind, _, ident = (entry.cause or "").partition(":")
    reasons = _later_history(replay, entry.step)
    if not is_opened(event, is_open=audited.is_open):
        reasons.append("What is hidden here stays closed.")
    if isinstance(event, MovePlayed) and event.source in HOW:
        reasons.append(f"It was played {_played(event.source)}.")
    if kind == "mail":
        reasons.append(f"It follows from a mail with the SHA-256 {ident}.")
        reasons.extend(_cause_words(entry, source))
    elif kind == "deadline":
        reasons.append(f"It follows from the deadline that event {ident} set.")
        reasons.extend(_deadline_words(replay, int(ident)))
    elif kind == "command":
        reasons.append(f"{entry.who} gave a command ({ident}).")
    seat = event.seat if isinstance(event, MovePlayed | TurnTimedOut) else None
    if seat is None or before is None:
        return reasons
    deadline = before.game.deadline
    if deadline is not None and seat in deadline.seats and kind != "deadline":
        left = int((deadline.due_at - entry.step.recorded.recorded_at).total_seconds())
        rest = "that was over" if left < 0 else f"time left then: {left_text(left)}"
        until = f"until {moment(deadline.due_at)} UTC (event {deadline.version})"
        reasons.append(f"{replay.names[seat]} had {until}; {rest}.")
    decision = before.game.seats[seat].decision
    for mail in mails_out:
        is_asked = mail.seat == seat and mail.decision == decision and KINDS[mail.kind].asks
        if is_asked and mail.version is not None and mail.version < entry.step.version:
            reasons.append(f"{replay.names[seat]} was told: {mail_words(mail, replay.names)}.")
    return reasons


def _later_history(found: Replay, step: ReplayStep) -> list[str]:
    """Report if a step was taken back, and other events with a move of the same number."""
    said = ["This was taken back later."] if step.is_retracted else []
    numbers = set(step.moves)
    for other in found.steps:
        if numbers & set(other.moves) and other.version != step.version:
            gone = ", and taken back later" if other.is_retracted else ""
            said.append(f"A move of this number was made in event {other.version}, too{gone}.")
    return said


def _cause_words(entry: AuditEntry, source: Source | None) -> list[str]:
    """Describe the problem, if any, with the message that an event names as its cause."""
    writer = "somebody else" if source is None else source.whose
    words = {
        "missing": "But no mail with this fingerprint is in the inbox. The service keeps the fingerprint"
        " of every mail, also of those that were pruned: such a mail never came in, or somebody took it"
        f" out of the database. Ask {entry.who} for the mail that they sent.",
        "foreign": f"But that mail was written by {writer}, not by {entry.who}.",
        "outside": "That mail is in the inbox; its reply address names no seat of this game.",
        "elsewhere": "The game was played on another server, and its mails are there.",
    }
    return [words[entry.cause_mail]] if entry.cause_mail in words else []


def _played(source: str) -> str:
    return {
        "forced": "by the service, since it was the only legal move (GEN-11)",
        "standby": "by the service as the cautious move of a silent seat (GEN-7)",
    }.get(source, HOW[source])


def _deadline_words(replayed: Replay, version: int) -> list[str]:
    """Describe the events that set and moved a deadline."""
    sentences = []
    for step in replayed.steps:
        event = step.event
        is_it = isinstance(event, DeadlineSet) and step.version == version
        is_moved = getattr(event, "deadline", None) == version and hasattr(event, "due_at")
        if is_it or is_moved:
            sentences.append(f"Event {step.version}, {step.recorded_at} UTC: {step.text}")
    return sentences


def _choices(audited: Audit, index: int) -> list[str]:
    """Describe the secret choices that were revealed with a step, oldest first."""
    steps = audited.found.steps
    if not audited.is_open or steps[index].recorded.actor == "hidden" or not steps[index].moves:
        return []
    choices = []
    for entry in reversed(audited.entries[:index]):
        if entry.step.moves or entry.step.ply != steps[index].moves[0] - 1:
            break
        if is_choice(entry.step.event):
            choices.append(entry.words)
    return choices[::-1]


def _source(
    service: Service,
    uow: UnitOfWork,
    audited: Audit,
    mail: InboxMail,
    mails_out: Sequence[OutboxMail],
) -> Source:
    row = uow.inbox.get(mail.id)
    raw = b"" if row is None else row.raw
    answer = find_answer(mails_out, mail.id)
    given: Any = [] if answer is None else answer.params.get("lines", [])
    writer = Writer(audited.found.game.ruleset, audited.found.names, mail.seat or 0)
    return Source(
        mail=mail,
        whose="somebody" if mail.seat is None else writer.names[mail.seat],
        verdict=ACCEPTED if mail.status in ("done", "asked") else _not_accepted(mail),
        is_intact=hashlib.sha256(raw).hexdigest() == mail.raw_sha256,
        lines=tuple(_line(line, writer, is_open=audited.is_open) for line in given),
        text=_own_text(service, uow, row, answer, writer)
        if audited.is_open and row is not None and raw
        else None,
    )


def _not_accepted(mail: InboxMail) -> str:
    why = str((mail.verdict or {}).get("why", ""))
    return f"{mail.status}: {why}" if why else mail.status


def _line(given: dict[str, Any], writer: Writer, *, is_open: bool) -> LineResult:
    if not is_open or writer.tells_in_private(given["line"]):
        return LineResult("", given["outcome"])
    return msgspec.convert(given, LineResult)


def _own_text(
    service: Service, uow: UnitOfWork, row: InboxMail, answer: OutboxMail | None, writer: Writer
) -> str:
    """Return the player's reply text in a message, without the private parts."""
    secret = _secret(service, uow, row)
    _, mails = quoted_by(service, uow, row, answer)
    quote_parser = QuoteParser(
        quoting=quoted(mail.forms for mail in mails if mail.forms),
        reader=service.reader,
        secret=secret,
    )
    return writer.without_private(str(quote_parser.describe(row.raw)["text"]))


def _secret(service: Service, uow: UnitOfWork, row: InboxMail) -> bytes | None:
    """Return the key that decrypts an encrypted message, or None if it is not encrypted."""
    if row.player_id is None or not sender_identity.is_sealed(row.raw):
        return None
    return uow.players.own_secret(row.player_id, service.own_address)


def quoted_by(
    service: Service, uow: UnitOfWork, row: InboxMail, answer: OutboxMail | None
) -> tuple[SeatToken | None, list[Said]]:
    """Return the token of a message, and the texts of our messages that it could have quoted.

    Args:
        answer: our answer to it, if any. Our later messages are excluded.
    """
    secret = _secret(service, uow, row)
    try:
        mail = service.reader.read(row.raw, head_only=secret is None, secret=secret)
    except (MalformedMailError, ReaderError):
        return None, []
    _, token = sender_identity.token_of(service, uow, row.rcpt_to, mail)
    if not isinstance(token, SeatToken):
        return None, []
    named = uow.outbox.texts_with_ids(service.tokens.stored_ids(mail.answers))
    return token, answered_mails(uow, named, token, None if answer is None else answer.id)


def find_answer(mails_out: Sequence[OutboxMail], mail_id: int) -> OutboxMail | None:
    """Return our answer to a message of the inbox, or None."""
    known = re.compile(rf"answer:{mail_id}|(?:{limits.IDLE}|{limits.REFUSED})[^:]*:{mail_id}")
    answers = (mail for mail in mails_out if known.fullmatch(mail.key))
    return next(answers, None)


# --- private parts of a message -------------------------------------------------------------------

_PRIVATE = "(told in private: it stays closed)"
"""Replacement text of a private line."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The author of a message: the rules and names of their table, and their seat."""

    rules: AnyRuleset
    names: Sequence[str]
    seat: int

    def without_private(self, text: str) -> str:
        """Return the text of a message without its private lines."""
        lines = self._lines(text)
        if not any(map(self._is_private, lines)):
            return text
        return "\n".join(
            _PRIVATE if self._is_private(line) else _with_paragraph(line) for line in lines
        )

    def tells_in_private(self, text: str) -> bool:
        """True if a line was meant for the service or for only some of the players."""
        return any(map(self._is_private, self._lines(text)))

    def _lines(self, text: str) -> Sequence[OrderLine]:
        """Parse a text in the language in which the most lines are private.

        The player's language at that time is unknown.
        """
        readings = [
            read_lines(text, (self.rules,), self.names, language) for language in languages()
        ]
        return max(readings, key=lambda lines: sum(map(self._is_private, lines)))

    def _is_private(self, line: OrderLine) -> bool:
        if line.word is not Word.SAY:
            return line.word is not None and ORDER_WORDS[line.word].is_private
        words = line.argument or ""
        if not words.strip():
            return False
        try:
            talk = read_said(words, self.names, self.seat)
        except Refusal:
            return True  # its audience is uncertain
        return bool(talk.to) or talk.is_anonymous


def _with_paragraph(line: OrderLine) -> str:
    """Return a line. For talk, include the paragraph below it."""
    if line.word is Word.SAY and "\n" in (line.argument or ""):
        return f"{line.text}\n{line.argument}"
    return line.text
