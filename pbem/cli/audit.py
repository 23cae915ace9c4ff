"""`pbem audit`: the events of a game with their actors, times and causes.

Hidden data of a running game is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from pbem.cli.common import ask_reason, counted, second, shown_message_id
from pbem.cli.frame import Row, Shown, commands, table
from pbem.cli.opening import GameArgument, OpenService
from pbem.cli.replay import RevealOption, RevealReason, moves_text
from pbem.mail_out.content import LineResult
from pbem.plain import clean
from pbem.service.core.sender_identity import proof_words
from pbem.service.evidence import auditing
from pbem.service.evidence.auditing import Audit, AuditEntry, Inquiry, Source
from pbem.service.logbook.event_words import mail_words
from pbem.service.logbook.replaying import ReplayStep
from pbem.show import terminal
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import InboxMail, OutboxMail

CLOSED = "closed while the game runs; --reveal --reason TEXT opens it, and every player reads that"

app = commands()


@app.command()
def audit(
    service: OpenService,
    game: GameArgument,
    move: Annotated[
        str | None,
        typer.Option("--move", help="Show one move (17) or one event (@41)."),
    ] = None,
    reveal: RevealOption = False,
    reason: RevealReason = None,
) -> Shown:
    """Show every event with its actor, cause and messages. With --move show only one position.

    Hidden cards of a running game stay hidden unless --reveal, which is recorded and needs
    --reason.

    Example: pbem audit k7q2m3x9ab --move 17
    """
    reason = ask_reason(reason) if reveal else reason
    audited = auditing.audit(service, game, place=move, reveal=reveal, reason=reason)
    if move is None:
        return Shown(_audit_row(audited), *_audit_words(audited))
    inquiry = auditing.inquire(service, audited, move)
    return Shown(_inquiry_row(inquiry), *_inquiry_words(inquiry))


# --- one place ------------------------------------------------------------------------------------


def _inquiry_words(inquiry: Inquiry) -> Iterator[RenderableType]:
    entry, replay = inquiry.entry, inquiry.audit.found
    title = f"{replay.game.ruleset.title} {replay.game.id}, event {entry.step.version}"
    moves = moves_text(entry.step)
    yield _heading(f"{title}, move {moves}" if moves else title)
    yield f"{entry.step.recorded_at} UTC, by {entry.who}: {entry.words}"
    yield from (f"  chosen before: {words}" for words in inquiry.choices)
    yield _heading("Why")
    yield from inquiry.reasons
    if inquiry.source is not None:
        yield from _source_words(inquiry.source)
    if inquiry.told:
        yield _heading("What happened")
        yield from inquiry.told
    yield _heading("Mails that followed")
    yield from [mail_words(mail, replay.names) for mail in entry.mails] or ["none"]
    yield from _table_of("Before", inquiry, inquiry.before)
    yield from _table_of("After", inquiry, entry.step)


def _source_words(source: Source) -> Iterator[RenderableType]:
    mail = source.mail
    kept = "its bytes are as they came" if source.is_intact else "ITS BYTES WERE CHANGED"
    if source.is_erased:
        kept = "its bytes were erased, because somebody was forgotten"
    elif pruned_on(mail.verdict) is not None:
        kept = f"its bytes were pruned on {pruned_on(mail.verdict)}"
    yield f"Mail {mail.id} of {source.whose} came by {mail.transport}; {kept}."
    yield f"It arrived {second(mail.arrived_at)} UTC. It was {source.verdict}."
    yield proof_words(mail.authentication)
    for number, line in enumerate(source.lines, 1):
        yield f"  line {number}: {_line_words(line)}"
    if source.is_erased or pruned_on(mail.verdict) is not None:
        return
    yield _heading("What was written")
    if source.text is None:
        yield CLOSED
    else:
        yield from (f"  | {text}" for text in source.text.splitlines())


def _line_words(line: LineResult) -> str:
    words = line.outcome.replace("-", " ")
    if line.line:
        words = f'"{line.line}": {words}'
    if line.move:
        words += f', as "{line.move}"'
    if line.message:
        rule = f"{line.rule}: " if line.rule and not line.message.startswith(line.rule) else ""
        words += f". {rule}{line.message}"
    return words


def _table_of(title: str, inquiry: Inquiry, step: ReplayStep | None) -> Iterator[RenderableType]:
    view = None if step is None else step.view
    if view is not None:
        replay = inquiry.audit.found
        yield _heading(title)
        yield terminal.draw(replay.game.ruleset.id.name, view, replay.names)


def _heading(text: str) -> Text:
    return Text(text, "bold")


# --- the whole game -------------------------------------------------------------------------------


def _audit_words(audited: Audit) -> Iterator[RenderableType]:
    replay = audited.found
    yield table(
        f"{replay.game.ruleset.title} {replay.game.id}",
        ("event", "move", "at (UTC)", "actor", "what", "cause", "mails that followed"),
        [
            (
                entry.step.version,
                moves_text(entry.step),
                entry.step.recorded_at,
                Text(clean(entry.actor), "bold") if entry.is_admin_act else entry.actor,
                entry.words,
                _short(entry),
                _mails_short(audited, entry),
            )
            for entry in audited.entries
        ],
    )
    if audited.others:
        yield table(
            f"{counted(len(audited.others), 'mail')} that changed nothing in the log",
            ("mail", "arrived (UTC)", "seat", "status", "why"),
            [
                (mail.id, second(mail.arrived_at), mail.seat, mail.status, _why(mail))
                for mail in audited.others
            ],
        )
    acts = sum(entry.is_admin_act for entry in audited.entries)
    yield f"{counted(len(audited.entries), 'event')}, {counted(acts, 'act')} of admins among them."


def _mails_short(audited: Audit, entry: AuditEntry) -> str:
    """Describe the messages that followed a decision, but only for its last event."""
    last = max((mail.version or 0 for mail in entry.mails), default=0)
    if last != entry.step.version:
        return ""
    names = audited.found.names
    return ", ".join(
        f"{mail.kind.replace('_', ' ')} to {'?' if mail.seat is None else names[mail.seat]}"
        f" ({mail.status})"
        for mail in entry.mails
    )


def _short(entry: AuditEntry) -> str:
    kind, _, ident = (entry.cause or "").partition(":")
    doubt = {"missing": ", not in the inbox", "foreign": ", of another seat"}
    return f"{kind} {ident[:10]}{doubt.get(entry.cause_mail or '', '')}" if ident else ""


def _why(mail: InboxMail) -> str:
    return str((mail.verdict or {}).get("why", ""))


# --- for machines ---------------------------------------------------------------------------------


def _audit_row(audited: Audit) -> Row:
    return {
        "game": audited.found.game.id,
        "status": audited.found.game.status,
        "players": list(audited.found.names),
        "open": audited.is_open,
        "events": [_entry_row(entry) for entry in audited.entries],
        "others": [
            {
                "mail": mail.id,
                "sha256": mail.raw_sha256,
                "arrived_at": mail.arrived_at,
                "seat": mail.seat,
                "status": mail.status,
                "why": _why(mail),
                "authentication": mail.authentication,
            }
            for mail in audited.others
        ],
    }


def _entry_row(entry: AuditEntry) -> Row:
    return {
        "event": entry.step.version,
        "moves": list(entry.step.moves),
        "retracted": entry.step.is_retracted,
        "at": entry.step.recorded_at,
        "actor": entry.actor,
        "cause": entry.cause,
        "cause_mail": entry.cause_mail,
        "admin_act": entry.is_admin_act,
        "text": entry.words,
        "mails": [_mail_row(mail) for mail in entry.mails],
    }


def _mail_row(mail: OutboxMail) -> Row:
    return {
        "mail": mail.id,
        "kind": mail.kind,
        "seat": mail.seat,
        "version": mail.version,
        "status": mail.status,
        "sent_at": mail.sent_at,
        "message_id": shown_message_id(mail.message_id),
        "failures": mail.failures,
    }


def _inquiry_row(inquiry: Inquiry) -> Row:
    return {
        "game": inquiry.audit.found.game.id,
        "open": inquiry.audit.is_open,
        **_entry_row(inquiry.entry),
        "why": list(inquiry.reasons),
        "choices": list(inquiry.choices),
        "happened": list(inquiry.told),
        "source": None if inquiry.source is None else _source_row(inquiry.source),
        "before": None if inquiry.before is None else inquiry.before.view,
        "after": inquiry.entry.step.view,
    }


def _source_row(source: Source) -> Row:
    mail = source.mail
    return {
        "mail": mail.id,
        "sha256": mail.raw_sha256,
        "intact": source.is_intact,
        "pruned": pruned_on(mail.verdict),
        "arrived_at": mail.arrived_at,
        "transport": mail.transport,
        "seat": mail.seat,
        "verdict": source.verdict,
        "authentication": mail.authentication,
        "lines": [
            {
                "outcome": line.outcome,
                "line": line.line or None,
                "move": line.move,
                "message": line.message or None,
                "rule": line.rule,
            }
            for line in source.lines
        ],
        "text": source.text,
    }
