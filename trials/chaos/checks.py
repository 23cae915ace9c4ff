"""Check a run, alone and in comparison with an undisturbed run."""

from __future__ import annotations

import email
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from email.policy import default
from typing import TYPE_CHECKING, Any

from pbem.errors import LogError, UpcastError
from pbem.mail_out.kinds import ANSWER, KINDS
from pbem.service.core.sender_identity import PAGE
from pbem.service.intake.accepting import idempotency_key
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import OutboxMail
from trials.chaos.browsers import BOARD

if TYPE_CHECKING:
    from trials.chaos.stage import Stage

ALL = 1_000_000
Intention = tuple[int, int, str]
"""Version, seat and kind of a message that was queued."""


@dataclass(slots=True)
class Evidence:
    """The data of a finished run.

    Attributes:
        events: game number to its events, each in a form that is the same in every run.
        mails: game number to the number of times that each message was queued.
        extra: game number to its second answers. Each gets a refusal.
        figures: values for the printed table.
        moments: kills by their moment.
        troubles: number of injected faults, by kind.
        problems: descriptions of failed checks.
    """

    name: str
    events: dict[int, list[str]] = field(default_factory=dict)
    mails: dict[int, Counter[Intention]] = field(default_factory=dict)
    extra: Counter[int] = field(default_factory=Counter)
    figures: dict[str, int] = field(default_factory=dict)
    moments: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def compare(disturbed: Evidence, calm: Evidence) -> list[str]:
    """Describe the differences between the disturbed run and the calm run."""
    problems = []
    for number, events in disturbed.events.items():
        expected = calm.events[number]
        for mine, theirs in zip(events, expected, strict=False):
            if mine != theirs:
                problems.append(f"game {number}: {mine}\n  undisturbed: {theirs}")
                break
        if len(events) != len(expected):
            problems.append(f"game {number}: {len(events)} events, undisturbed {len(expected)}")
        missing = calm.mails[number] - disturbed.mails[number]
        surplus = disturbed.mails[number] - calm.mails[number]
        if missing:
            problems.append(f"game {number}: mails are missing: {dict(missing)}")
        if any(kind != "answer" for _, _, kind in surplus):
            problems.append(f"game {number}: mails that nobody expects: {dict(surplus)}")
        if surplus.total() != disturbed.extra[number]:
            problems.append(
                f"game {number}: {surplus.total()} answers more than undisturbed, for"
                f" {disturbed.extra[number]} second answers"
            )
    return problems


def examine(stage: Stage) -> Evidence:
    """Examine the database, the post office and the players after a run."""
    evidence = Evidence(stage.plan.name, moments=stage.killer.done, troubles=stage.troubles.done)
    evidence.problems += maintenance.check(stage.service, lambda _: None)
    with stage.service.store.reading() as uow:
        for number, game_id in stage.games.items():
            evidence.events[number] = _events(uow, game_id)
            evidence.problems += _verify(uow, game_id)
        outbox = uow.outbox.list(limit=ALL)
        for number, game_id in stage.games.items():
            evidence.mails[number] = Counter(
                (row.version or 0, row.seat or 0, row.kind)
                for row in outbox
                if row.game_id == game_id
            )
        on_pages = {str(row.id) for row in uow.inbox.list(limit=ALL) if row.transport == PAGE}
        mailed = [  # the page shows the answers to its own forms, whose keys end with their numbers
            row
            for row in outbox
            if row.kind != ANSWER.name or row.key.rpartition(":")[2] not in on_pages
        ]
        evidence.problems += _check_outbox(uow, stage, mailed)
        evidence.problems += _check_inbox(uow, stage, outbox)
    for letter in stage.wire.letters.values():
        if letter.extra:
            evidence.extra[int(letter.sender.partition("@")[0].partition("-")[2])] += 1
    for form in stage.forms:
        if form.is_extra and form.is_stored:
            evidence.extra[int(form.sender.partition("@")[0].partition("-")[2])] += 1
    sent = Counter(_message_id(raw) for _, raw in stage.office.delivered)
    evidence.figures = {
        "kills": sum(process.kills for process in stage.processes),
        "links cut": stage.links_cut,
        "other faults": stage.troubles.done.total(),
        "starts": sum(process.starts for process in stage.processes),
        "games": len(stage.games),
        "replies": len(stage.wire.letters),
        "forms": len(stage.forms),
        "stale forms": sum(form.is_extra for form in stage.forms),
        "mails in": stage.wire.accepted,
        "tries cut": stage.wire.unheard,
        "mails out": sent.total(),
        "sent twice": sent.total() - len(sent),
        "superseded": sum(row.status == "superseded" for row in outbox),
        "events": sum(len(events) for events in evidence.events.values()),
    }
    return evidence


def _events(uow: UnitOfWork, game_id: str) -> list[str]:
    """Describe events by version, type, actor and public payload.

    Times are left out, and player ids are replaced by seats.
    """
    events = uow.events.read_public(game_id)  # type: ignore[arg-type]
    players = {player: f"player of seat {n}" for n, player in enumerate(events[0].public["seats"])}

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(item) for item in value]
        return players.get(value, value) if isinstance(value, str) else value

    lines = []
    for event in events:
        public = {key: plain(value) for key, value in event.public.items()}
        if event.type == "DeadlineSet":
            starts = _instant(public.pop("starts_at"))
            for name in ("base_at", "due_at", "fires_at"):
                public[name] = (_instant(public[name]) - starts).total_seconds()
            public["reminders"] = [
                (_instant(reminder) - starts).total_seconds() for reminder in public["reminders"]
            ]
        shown = json.dumps(public, sort_keys=True)
        lines.append(f"{event.version} {event.type} by {event.actor}: {shown}")
    return lines


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _verify(uow: UnitOfWork, game_id: str) -> list[str]:
    try:
        data = b"".join(line + b"\n" for line in export_lines(uow, game_id))  # type: ignore[arg-type]
        report = verify_file(data)
    except (LogError, UpcastError) as error:
        return [f"the export of game {game_id} does not verify: {error}"]
    return [] if report.complete else [f"game {game_id} is not over"]


def _check_outbox(uow: UnitOfWork, stage: Stage, outbox: list[OutboxMail]) -> list[str]:
    """Check that every message was sent or superseded, with one Message-ID and one content."""
    problems = []
    by_id = {row.message_id: row for row in outbox}
    if len(by_id) != len(outbox):
        problems.append("two mails have one Message-ID")
    addresses = {row.player_id: uow.players.addresses(row.player_id) for row in outbox}
    seen: dict[str, set[bytes]] = defaultdict(set)
    for rcpt_to, raw in stage.office.delivered:
        message_id = _message_id(raw)
        seen[message_id].add(raw)
        row = by_id.get(message_id)
        if row is None:
            problems.append(f"{message_id} was sent, and nobody meant it")
        elif addresses[row.player_id] != [rcpt_to]:
            problems.append(f"{message_id} went to somebody else")
        elif row.rendered != raw:
            problems.append(f"{message_id}: other bytes than those that were kept")
    for row in outbox:
        if row.status == "superseded":
            if not KINDS[row.kind].dies_with_decision:
                problems.append(f"a {row.kind} was superseded")
        elif row.status != "sent":
            problems.append(f"{row.key} is {row.status}: {row.last_error}")
        elif row.message_id not in seen:
            problems.append(f"{row.key} counts as sent and never arrived")
    problems += [
        f"{message_id}: {len(contents)} contents"
        for message_id, contents in seen.items()
        if len(contents) > 1
    ]
    return problems


def _check_inbox(uow: UnitOfWork, stage: Stage, outbox: list[OutboxMail]) -> list[str]:
    """Check that every reply is stored once, was handled once and got one answer."""
    problems = []
    rows = uow.inbox.list(limit=ALL)
    expected = {
        idempotency_key(letter.raw, letter.raw, letter.recipient)
        for letter in stage.wire.letters.values()
    }
    expected |= {form.key for form in stage.forms if form.is_stored}
    boards = {form.key for form in stage.forms if form.words == BOARD}
    if {row.key for row in rows} != expected:
        problems.append(f"{len(rows)} mails in the inbox for {len(expected)} replies")
    # The key of an answer has the kind of answer before the message number.
    answers = Counter(re.sub("^(?:refused|idle):[^:]*:", "idle:", row.key) for row in outbox)
    for row in rows:
        if row.status != "done" or row.attempts != 1:
            problems.append(
                f"incoming mail {row.id} is {row.status} after {row.attempts}: {row.error}"
            )
            continue
        count = answers[f"answer:{row.id}"] + answers[f"idle:{row.id}"]
        if count != 1 and row.key not in boards:
            problems.append(f"incoming mail {row.id} got {count} answers")
    return problems


def _message_id(raw: bytes) -> str:
    """Return a Message-ID as it is stored, without its MAC."""
    message = email.message_from_bytes(raw, policy=default)
    local, _, domain = str(message["Message-ID"]).strip("<> ").partition("@")
    return f"{local.rpartition('.')[0]}@{domain}"
