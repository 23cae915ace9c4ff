"""`pbem dispute …`: disputes, from the complaint to the decision, with the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import (
    ask_reason,
    counted,
    minute,
    read_bytes,
    require_free,
    write_private,
)
from pbem.cli.frame import REFUSED, JsonOption, Shown, commands, table
from pbem.cli.opening import GameArgument, OpenService, SeatArgument
from pbem.mail_in.sandbox.reader import WorkerReader
from pbem.service.admin import disputes
from pbem.service.evidence import bundles, reopen_bundle
from pbem.service.evidence.reopen_bundle import JudgedMail, Reopened

app = commands()

NumberArgument = Annotated[int, typer.Argument(help="Number of the dispute in that game.")]


@app.command("list")
def list_disputes(
    service: OpenService,
    also_answered: Annotated[
        bool, typer.Option("--all", help="Include answered disputes.")
    ] = False,
) -> Shown:
    """List the open disputes of all games.

    Example: pbem dispute list --all
    """
    disputes_ = disputes.all_disputes(service, also_answered=also_answered)
    return Shown(
        [asdict(dispute) for dispute in disputes_],
        table(
            counted(len(disputes_), "dispute"),
            ("game", "number", "by", "opened (UTC)", "state"),
            [
                (
                    dispute.game_id,
                    dispute.number,
                    dispute.name,
                    minute(dispute.opened_at),
                    "open" if dispute.answer is None else "answered",
                )
                for dispute in disputes_
            ],
        ),
    )


@app.command()
def show(service: OpenService, game: GameArgument, number: NumberArgument) -> Shown:
    """Show a complaint and its answer, without the cards of the game.

    Example: pbem dispute show k7q2m3x9ab 1
    """
    dispute = disputes.find(service, game, number)
    return Shown(
        asdict(dispute),
        f"Dispute {dispute.number} of {dispute.name} in game {dispute.game_id}, opened"
        f" {minute(dispute.opened_at)} UTC (event {dispute.version}):",
        *(f"  | {line}" for line in dispute.text.splitlines()),
        "It is open." if dispute.answer is None else f"The answer: {dispute.answer}",
    )


@app.command("open")
def open_dispute(
    service: OpenService,
    game: GameArgument,
    who: SeatArgument,
    text: Annotated[str, typer.Option(help="Description of the complaint.")],
) -> Shown:
    """Open a dispute on behalf of a player who did not complain by mail.

    Example: pbem dispute open k7q2m3x9ab Bob --text "Bob says that his mail of Monday got lost."
    """
    after = disputes.open_for(service, game, who, text)
    return Shown(
        {"ok": True, "game": after.id, "number": after.disputed},
        f"Dispute {after.disputed} is open. The players are notified, and the clock is stopped.",
    )


@app.command()
def resolve(
    service: OpenService,
    game: GameArgument,
    number: NumberArgument,
    text: Annotated[str, typer.Option(help="Decision, shown to every player.")],
) -> Shown:
    """Answer a dispute. After the last open dispute the clock runs again.

    Example: pbem dispute resolve k7q2m3x9ab 1 --text "Move 17 was read wrongly and is taken back."
    """
    after = disputes.resolve(service, game, number, text)
    return Shown(
        {"ok": True, "game": after.id, "number": number, "version": after.version},
        f"Dispute {number} is answered. The players are notified.",
    )


@app.command()
def bundle(
    service: OpenService,
    game: GameArgument,
    number: NumberArgument,
    file: Annotated[Path, typer.Option("--out", help="File to write, which must not exist.")],
    reason: Annotated[
        str | None, typer.Option(help="Reason, shown to every player of a running game.")
    ] = None,
    as_json: JsonOption = False,
) -> Shown:
    """Write the evidence of a dispute into one file that only you can read.

    It contains the messages, the tables and the log. In a running game this reveals the
    complainant's cards to you, which the log records with your reason for all players.

    Example: pbem dispute bundle k7q2m3x9ab 1 --out dispute.json --reason "Bob's complaint"
    """
    if not as_json:
        reason = ask_reason(reason)
    require_free(file)
    data = bundles.make_bundle(service, game, number, reason=reason)
    write_private(file, data)
    return Shown(
        {"ok": True, "file": file, "bytes": len(data)},
        f"Wrote {file}, {len(data)} bytes. It holds cards and mails of one player.",
    )


@app.command("open-bundle")
def open_bundle(
    file: Annotated[Path, typer.Argument(help="File written by `bundle`.")],
) -> Shown:
    """Check a bundle and re-evaluate its messages; exit with 1 if the result differs.

    It needs no database and no network.

    Example: pbem dispute open-bundle dispute.json
    """
    data = read_bytes(file)
    with closing(WorkerReader()) as reader:
        reopened = reopen_bundle.open_bundle(data, reader)
    return Shown(
        {
            "ok": reopened.holds,
            "error": None if reopened.holds else _wrong_with(reopened),
            "dispute": reopened.document["dispute"],
            "checks": reopened.checks,
            "unfounded": reopened.unfounded,
            "unchecked": reopened.unchecked,
            "mails": [{**asdict(mail), "agrees": mail.agrees} for mail in reopened.mails],
        },
        *_lines_of_report(reopened),
        code=0 if reopened.holds else REFUSED,
    )


def _wrong_with(reopened: Reopened) -> str:
    if not reopened.agrees:
        return "parser or rules come to another result"
    return f"no mail in the file caused events {', '.join(map(str, reopened.unfounded))}"


def _lines_of_report(reopened: Reopened) -> Iterator[str]:
    dispute: dict[str, Any] = reopened.document["dispute"]
    yield f"Dispute {dispute['number']} of {dispute['name']}, {dispute['opened_at']}:"
    yield from (f"  | {line}" for line in dispute["text"].splitlines())
    yield from (f"ok  {check}" for check in reopened.checks)
    yield from (f"not checked: {part}" for part in reopened.unchecked)
    for event in reopened.unfounded:
        yield (
            f"NOT event {event} was made in {dispute['name']}'s name, but no mail in this file has the"
            " fingerprint that it names."
        )
    for mail in reopened.mails:
        yield from _judged(mail)
    yield (
        "Parser and rules of today come to the results that were mailed."
        if reopened.agrees
        else "Parser or rules of today come to another result."
    )


def _judged(mail: JudgedMail) -> Iterator[str]:
    alike = "is read as it was" if mail.is_read_alike else "IS READ IN ANOTHER WAY TODAY"
    if mail.is_sealed:
        alike = "is encrypted, so the file cannot tell how it is read (`pbem audit` can)"
    yield f"mail {mail.sha256[:12]} of {mail.arrived_at} ({mail.status}) {alike}"
    for line in mail.lines:
        mark = "ok " if line.agrees else "NOT"
        now = "cannot be told from the file" if line.now is None else line.now
        today = "" if line.now == line.then else f"; today: {now}"
        yield f"  {mark} {line.line}: {line.then}{today}"
