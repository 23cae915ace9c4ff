"""`pbem dispute …`: quarrels, from the complaint to the answer, with the evidence in one file."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import (
    REFUSED,
    ConfigOption,
    GameArgument,
    JsonOption,
    SeatArgument,
    commands,
    counted,
    iso,
    print_json,
    print_table,
    read_bytes,
    refusals,
    require_free,
    say,
    service_of,
    write_private,
)
from pbem.domain.log.chain import GameId
from pbem.mail_in.sandbox.reader import WorkerReader
from pbem.service.admin import disputes
from pbem.service.admin.disputes import Dispute
from pbem.service.evidence import bundles, reopen_bundle
from pbem.service.evidence.reopen_bundle import JudgedMail, Reopened

app = commands()

NumberArgument = Annotated[int, typer.Argument(help="Number of the dispute in that game.")]
TextOption = Annotated[str, typer.Option(help="In words.")]


@app.command("list")
def list_disputes(
    also_answered: Annotated[
        bool, typer.Option("--all", help="Also those that were answered.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the open disputes of all games.

    Example: pbem dispute list --all
    """
    with refusals(as_json=as_json), service_of(config) as service:
        found = disputes.all_disputes(service, also_answered=also_answered)
    if as_json:
        for dispute in found:
            print_json(_dispute_json(dispute))
        return
    print_table(
        counted(len(found), "dispute"),
        ("game", "number", "by", "opened (UTC)", "state"),
        [
            (
                dispute.game_id,
                dispute.number,
                dispute.name,
                f"{dispute.opened_at:%Y-%m-%d %H:%M}",
                "open" if dispute.answer is None else "answered",
            )
            for dispute in found
        ],
    )


@app.command()
def show(
    game: GameArgument,
    number: NumberArgument,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a complaint and its answer; no card of the game.

    Example: pbem dispute show k7q2m3x9ab 1
    """
    with refusals(as_json=as_json), service_of(config) as service:
        dispute = disputes.find(service, GameId(game), number)
    if as_json:
        print_json(_dispute_json(dispute))
        return
    say(
        f"Dispute {dispute.number} of {dispute.name} in game {dispute.game_id}, opened"
        f" {dispute.opened_at:%Y-%m-%d %H:%M} UTC (event {dispute.version}):"
    )
    for line in dispute.text.splitlines():
        say(f"  | {line}")
    say("It is open." if dispute.answer is None else f"The answer: {dispute.answer}")


@app.command("open")
def open_dispute(
    game: GameArgument,
    who: SeatArgument,
    text: TextOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a dispute for a player who told of it in another way than by mail.

    Example: pbem dispute open k7q2m3x9ab Bob --text "Bob says that his mail of Monday got lost."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = disputes.open_for(service, GameId(game), who, text)
    if as_json:
        print_json({"ok": True, "game": after.id, "number": after.disputed})
    else:
        say(f"Dispute {after.disputed} is open; the players are told, the clock stands still.")


@app.command()
def resolve(
    game: GameArgument,
    number: NumberArgument,
    text: Annotated[str, typer.Option(help="What was decided; every player reads it.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a dispute; with the last open one the clock runs again.

    Example: pbem dispute resolve k7q2m3x9ab 1 --text "Move 17 was read wrongly and is taken back."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = disputes.resolve(service, GameId(game), number, text)
    if as_json:
        print_json({"ok": True, "game": after.id, "number": number, "version": after.version})
    else:
        say(f"Dispute {number} is answered; the players are told.")


@app.command()
def bundle(
    game: GameArgument,
    number: NumberArgument,
    file: Annotated[Path, typer.Option("--out", help="File to write; it must not exist.")],
    reason: Annotated[
        str | None, typer.Option(help="Why you look; every player of a running game reads it.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the evidence of a dispute into one file that only you may read: mails, tables, the log.

    While the game runs that shows the complainant's cards: an event, with the reason, for all to read.

    Example: pbem dispute bundle k7q2m3x9ab 1 --out dispute.json --reason "Bob's complaint"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        if reason is None and not as_json and sys.stdin.isatty():
            reason = typer.prompt("Why? Every player will read it", err=True)
        require_free(file)
        data = bundles.make_bundle(service, GameId(game), number, reason=reason)
        write_private(file, data)
    if as_json:
        print_json({"ok": True, "file": str(file), "bytes": len(data)})
    else:
        say(f"Wrote {file}, {len(data)} bytes. It holds cards and mails of one player.")


@app.command("open-bundle")
def open_bundle(
    file: Annotated[Path, typer.Argument(help="A file that `bundle` wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Check a bundle and judge its mails again, without database and network; exit 1 if it differs.

    Example: pbem dispute open-bundle dispute.json
    """
    with refusals(as_json=as_json):
        data = read_bytes(file)
        reader = WorkerReader()
        try:
            reopened = reopen_bundle.open_bundle(data, reader)
        finally:
            reader.close()
    if as_json:
        print_json(
            {
                "ok": reopened.holds,
                "error": None if reopened.holds else _wrong_with(reopened),
                "dispute": reopened.document["dispute"],
                "checks": list(reopened.checks),
                "unfounded": list(reopened.unfounded),
                "mails": [{**asdict(mail), "agrees": mail.agrees} for mail in reopened.mails],
            }
        )
    else:
        _print_reopened(reopened)
    if not reopened.holds:
        raise typer.Exit(REFUSED)


def _wrong_with(reopened: Reopened) -> str:
    if not reopened.agrees:
        return "parser or rules come to another result"
    return f"no mail in the file caused events {', '.join(map(str, reopened.unfounded))}"


def _print_reopened(reopened: Reopened) -> None:
    dispute: dict[str, Any] = reopened.document["dispute"]
    say(f"Dispute {dispute['number']} of {dispute['name']}, {dispute['opened_at']}:")
    for line in dispute["text"].splitlines():
        say(f"  | {line}")
    for check in reopened.checks:
        say(f"ok  {check}")
    for event in reopened.unfounded:
        say(
            f"NOT event {event} was made in {dispute['name']}'s name, but no mail in this file has the"
            " fingerprint that it names."
        )
    for mail in reopened.mails:
        _print_mail(mail)
    say(
        "Parser and rules of today come to the results that were mailed."
        if reopened.agrees
        else "Parser or rules of today come to another result."
    )


def _print_mail(mail: JudgedMail) -> None:
    alike = "is read as it was" if mail.is_read_alike else "IS READ IN ANOTHER WAY TODAY"
    say(f"mail {mail.sha256[:12]} of {mail.arrived_at} ({mail.status}) {alike}")
    for line in mail.lines:
        mark = "ok " if line.agrees else "NOT"
        now = "cannot be told from the file" if line.now is None else line.now
        say(
            f"  {mark} {line.line}: {line.then}"
            + ("" if line.now == line.then else f"; today: {now}")
        )


def _dispute_json(dispute: Dispute) -> dict[str, Any]:
    told = asdict(dispute)
    for name in ("opened_at", "answered_at"):
        told[name] = iso(told[name])
    return told
