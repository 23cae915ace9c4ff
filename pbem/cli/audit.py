"""`pbem audit`: who did what in a game, when and why; of a running game nothing hidden."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from rich.text import Text

from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    commands,
    counted,
    iso,
    out,
    print_json,
    print_table,
    refusals,
    say,
    service_of,
)
from pbem.cli.replay import RevealOption, RevealReason, moves_text
from pbem.domain.log.chain import GameId
from pbem.mail_out.texts import clean
from pbem.service.core.verdict import proof_words
from pbem.service.evidence import auditing
from pbem.service.evidence.auditing import Audit, AuditEntry, AuditLine, Inquiry, Source
from pbem.service.logbook.event_words import mail_words
from pbem.service.logbook.replaying import ReplayStep
from pbem.show import terminal
from pbem.store.post.evidence import MailIn, MailOut

app = commands()


CLOSED = "closed while the game runs; --reveal --reason TEXT opens it, and every player reads that"


@app.command()
def audit(
    game: GameArgument,
    move: Annotated[
        str | None,
        typer.Option("--move", help="All about one move: 17; or about one event: @41."),
    ] = None,
    reveal: RevealOption = False,
    reason: RevealReason = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show every event with its actor, cause and mails; with --move all about one of them.

    Nothing hidden of a running game is shown unless --reveal, which is an event and needs --reason.

    Example: pbem audit k7q2m3x9ab --move 17
    """
    with refusals(as_json=as_json), service_of(config) as service:
        if reveal and reason is None and sys.stdin.isatty():
            reason = typer.prompt("Why? Every player will read it", err=True)
        audited = auditing.audit(service, GameId(game), place=move, reveal=reveal, reason=reason)
        if move is not None:
            inquiry = auditing.inquire(service, audited, move)
            if as_json:
                print_json(_inquiry_json(inquiry))
            else:
                _print_inquiry(inquiry)
        elif as_json:
            print_json(_audit_json(audited))
        else:
            _print_audit(audited)


# --- one place ------------------------------------------------------------------------------------


def _print_inquiry(inquiry: Inquiry) -> None:

    entry, found = inquiry.entry, inquiry.audit.found
    title = f"{found.game.ruleset.title} {found.game.id}, event {entry.step.version}"
    made = moves_text(entry.step)
    _heading(f"{title}, move {made}" if made else title)
    say(f"{entry.step.recorded_at} UTC, by {entry.who}: {entry.words}")
    for words in inquiry.choices:
        say(f"  chosen before: {words}")
    _heading("Why")
    for reason in inquiry.reasons:
        say(reason)
    if inquiry.source is not None:
        _print_source(inquiry.source)
    if inquiry.told:
        _heading("What happened")
        for sentence in inquiry.told:
            say(sentence)
    _heading("Mails that followed")
    for mail in entry.mails:
        say(mail_words(mail, found.names))
    if not entry.mails:
        say("none")
    _print_table("Before", inquiry, inquiry.before)
    _print_table("After", inquiry, entry.step)


def _print_source(source: Source) -> None:

    mail = source.mail
    kept = "its bytes are as they came" if source.is_intact else "ITS BYTES WERE CHANGED"
    if source.is_erased:
        kept = "its bytes were erased, because somebody was forgotten"
    elif source.mail.pruned_on is not None:
        kept = f"its bytes were pruned on {source.mail.pruned_on}"
    say(f"Mail {mail.id} of {source.whose} came by {mail.transport}; {kept}.")
    say(f"It arrived {mail.arrived_at:%Y-%m-%d %H:%M:%S} UTC. It was {source.verdict}.")
    say(proof_words(mail.authentication))
    for number, line in enumerate(source.lines, 1):
        say(f"  line {number}: {_line_words(line)}")
    if source.is_erased or source.mail.pruned_on is not None:
        return
    _heading("What was written")
    if source.text is None:
        say(CLOSED)
    else:
        for text in source.text.splitlines():
            say(f"  | {text}")


def _line_words(line: AuditLine) -> str:
    words = line.outcome.replace("-", " ")
    if line.line is not None:
        words = f'"{line.line}": {words}'
    if line.move:
        words += f', as "{line.move}"'
    if line.message:
        rule = f"{line.rule}: " if line.rule and not line.message.startswith(line.rule) else ""
        words += f". {rule}{line.message}"
    return words


def _print_table(title: str, inquiry: Inquiry, step: ReplayStep | None) -> None:

    view = None if step is None else step.view
    if view is None:
        return
    found = inquiry.audit.found
    _heading(title)
    out.print(terminal.draw(found.game.ruleset.id.name, view, found.names))


def _heading(text: str) -> None:
    out.print(Text(text, "bold"))


# --- the whole game -------------------------------------------------------------------------------


def _print_audit(audited: Audit) -> None:

    found = audited.found
    print_table(
        f"{found.game.ruleset.title} {found.game.id}",
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
        print_table(
            f"{counted(len(audited.others), 'mail')} that changed nothing in the log",
            ("mail", "arrived (UTC)", "seat", "status", "why"),
            [
                (
                    mail.id,
                    f"{mail.arrived_at:%Y-%m-%d %H:%M:%S}",
                    _seat(mail),
                    mail.status,
                    _why(mail),
                )
                for mail in audited.others
            ],
        )
    acts = sum(entry.is_admin_act for entry in audited.entries)
    say(f"{counted(len(audited.entries), 'event')}, {counted(acts, 'act')} of admins among them.")


def _mails_short(audited: Audit, entry: AuditEntry) -> str:
    """Name the mails behind the last event of what was decided together."""
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


def _seat(mail: MailIn) -> str:
    return "" if mail.seat is None else str(mail.seat)


def _why(mail: MailIn) -> str:
    return str((mail.verdict or {}).get("why", ""))


# --- for machines ---------------------------------------------------------------------------------


def _audit_json(audited: Audit) -> dict[str, Any]:
    return {
        "game": audited.found.game.id,
        "status": audited.found.game.status,
        "players": list(audited.found.names),
        "open": audited.is_open,
        "events": [_entry_json(entry) for entry in audited.entries],
        "others": [
            {
                "mail": mail.id,
                "sha256": mail.raw_sha256,
                "arrived_at": mail.arrived_at.isoformat(),
                "seat": mail.seat,
                "status": mail.status,
                "why": _why(mail),
                "authentication": mail.authentication,
            }
            for mail in audited.others
        ],
    }


def _entry_json(entry: AuditEntry) -> dict[str, Any]:
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
        "mails": [_mail_json(mail) for mail in entry.mails],
    }


def _mail_json(mail: MailOut) -> dict[str, Any]:
    return {
        "mail": mail.id,
        "kind": mail.kind,
        "seat": mail.seat,
        "version": mail.version,
        "status": mail.status,
        "sent_at": iso(mail.sent_at),
        "message_id": mail.message_id,
        "failures": mail.failures,
    }


def _inquiry_json(inquiry: Inquiry) -> dict[str, Any]:
    source = inquiry.source
    return {
        "game": inquiry.audit.found.game.id,
        "open": inquiry.audit.is_open,
        **_entry_json(inquiry.entry),
        "why": list(inquiry.reasons),
        "choices": list(inquiry.choices),
        "happened": list(inquiry.told),
        "source": None
        if source is None
        else {
            "mail": source.mail.id,
            "sha256": source.mail.raw_sha256,
            "intact": source.is_intact,
            "pruned": source.mail.pruned_on,
            "arrived_at": source.mail.arrived_at.isoformat(),
            "transport": source.mail.transport,
            "seat": source.mail.seat,
            "verdict": source.verdict,
            "authentication": source.mail.authentication,
            "lines": [
                {
                    "outcome": line.outcome,
                    "line": line.line,
                    "move": line.move,
                    "message": line.message,
                    "rule": line.rule,
                }
                for line in source.lines
            ],
            "text": source.text,
        },
        "before": None if inquiry.before is None else inquiry.before.view,
        "after": inquiry.entry.step.view,
    }
