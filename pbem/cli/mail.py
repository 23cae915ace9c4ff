"""`pbem mail …`: inspect, preview and prune messages."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from engine import registry
from pbem.cli import outbox, shunted
from pbem.cli.common import (
    YesOption,
    counted,
    duration,
    kilobytes,
    minute,
    out,
    print_json,
    progress,
    read_bytes,
    require_folder,
    require_free,
    write_private,
)
from pbem.cli.frame import JsonOption, Row, Shown, commands, table
from pbem.cli.opening import OpenService
from pbem.domain.log.chain import GameId
from pbem.domain.words.why import why as words_of
from pbem.errors import Refusal
from pbem.language import SOURCE
from pbem.mail_in.sandbox.reader import WorkerReader
from pbem.service.core.sender_identity import proof_words
from pbem.service.evidence import previewing
from pbem.service.intake.parsing import QuoteParser
from pbem.service.upkeep import pruning
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import InboxMail

app = commands()
app.add_typer(outbox.app, name="outbox", short_help="Mails that go out.")
app.add_typer(
    shunted.app, name="shunted", short_help="Quarantined mails, which caused an error in our code."
)


@app.command()
def parse(
    files: Annotated[list[Path] | None, typer.Argument(help="Raw mails (.eml).")] = None,
    answered: Annotated[
        Path | None,
        typer.Option(
            help="Raw message from the service that the reply answers, to recognise quoted lines."
        ),
    ] = None,
    why: Annotated[
        str | None, typer.Option(help="A line: print its words and why it is a move or none.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game of that line.")] = None,
    language: Annotated[str, typer.Option(help="The language of its writer.")] = SOURCE,
    player: Annotated[list[str] | None, typer.Option(help="Players, seat by seat.")] = None,
) -> None:
    """Print how the service parses raw messages, as one JSON line per file, without any changes.

    With `--why`, print how it parses a line: the words with their kinds, the matching rows of the
    game, and the reasons for doubt.

    Example: pbem mail parse --answered turn.eml reply1.eml reply2.eml
    """
    if why is not None:
        if game is None:
            raise typer.BadParameter(
                f"Name the game of the line, such as --game {registry.names()[0]}."
            )
        print_json(words_of(why, registry.find(game), player or (), language))
        return
    if not files:
        raise typer.BadParameter("Name a file, or a line behind --why.")
    ours = None if answered is None else read_bytes(answered)
    with closing(WorkerReader()) as reader:
        quote_parser = QuoteParser(answered=ours, reader=reader)
        for file in files:
            print_json({"file": file, **quote_parser.describe(read_bytes(file))})


@app.command()
def inbox(
    service: OpenService,
    status: Annotated[
        Literal["new", "done", "ignored", "held", "asked", "shunted", "dropped"] | None,
        typer.Option(help="Limit to messages with this status."),
    ] = None,
) -> Shown:
    """List incoming messages, newest first, without their contents.

    A handled message shows its day, not its sender. Otherwise you could compare it with the log and
    find out who wrote in private. `pbem audit` names the sender of the message behind a move.

    Example: pbem mail inbox --status shunted
    """
    with service.store.reading() as uow:
        rows = [_row(entry) for entry in uow.inbox.list(status)]
    return Shown(
        rows,
        table(
            f"{counted(len(rows), 'mail')} in",
            ("id", "arrived (UTC)", "game", "seat", "status", "why"),
            [
                (
                    row["id"],
                    str(row["arrived_at"]).removesuffix("+00:00"),
                    *(row[name] for name in ("game", "seat", "status", "why")),
                )
                for row in rows
            ],
        ),
    )


def _row(entry: InboxMail) -> Row:
    return {
        "id": entry.id,
        "arrived_at": _when(entry, entry.arrived_at),
        "game": entry.game_id,
        "seat": entry.seat if entry.is_open else None,
        "status": entry.status,
        "why": (entry.verdict or {}).get("why"),
    }


def _when(entry: InboxMail, at: datetime | None) -> date | None:
    """Return the time for a waiting message, or only the day for a handled message."""
    return at if entry.is_open or at is None else at.date()


@app.command()
def show(
    service: OpenService,
    number: Annotated[int, typer.Argument(help="Message number from the list.")],
) -> Shown:
    """Show what is known about one incoming mail, without its contents and addresses.

    Like the list, it shows sender and time only while the message waits.

    Example: pbem mail show 17
    """
    with service.store.reading() as uow:
        entry = uow.inbox.get(number)
    if entry is None:
        raise Refusal("mail", f"there is no mail {number} in the inbox")
    known: Row = {
        "id": entry.id,
        "sha256": entry.raw_sha256,
        "kilobytes": kilobytes(entry.raw),
        "transport": entry.transport,
        "arrived_at": _when(entry, entry.arrived_at),
        "handled_at": _when(entry, entry.handled_at),
        "game": entry.game_id,
        "seat": entry.seat if entry.is_open else None,
        "player": entry.player_id if entry.is_open else None,
        "status": entry.status,
        "triage": (entry.verdict or {}).get("triage"),
        "why": (entry.verdict or {}).get("why"),
        "pruned": pruned_on(entry.verdict),
        "authentication": entry.authentication,
    }
    facts = {**known, "authentication": proof_words(entry.authentication)}
    return Shown(known, *(f"{name}: {it}" for name, it in facts.items() if it is not None))


@dataclass(frozen=True, slots=True)
class PreviewReader:
    """Options of a preview: the reader of the message, and the reason."""

    game: Annotated[str | None, typer.Option(help="Game of the message.")] = None
    who: Annotated[
        str | None, typer.Option("--as", help="Seat (0 is the first) or name of the reader.")
    ] = None
    language: Annotated[
        str | None, typer.Option(help="Language instead of the reader's, e.g. de.")
    ] = None
    reason: Annotated[
        str | None,
        typer.Option(
            help="Reason if the message shows a hand of a running game, shown to every player."
        ),
    ] = None


@app.command()
def preview(
    service: OpenService,
    kind: Annotated[
        str, typer.Argument(help="Kind of message, such as turn. An unknown kind lists all kinds.")
    ],
    reader: PreviewReader,
    folder: Annotated[Path, typer.Option("--out", help="Folder for the files.")] = Path(),
) -> Shown:
    """Write a message as it would look now to KIND.eml and KIND.html. Nothing is sent.

    A message with a hand of a running game needs a reason: the log records it, and every player
    reads it.

    Example: pbem mail preview turn --game 7xk2mwq4ab --as Anna --reason "a new template" --out look
    """
    files = [folder / f"{kind}.eml", folder / f"{kind}.html"]
    if kind in previewing.KINDS:
        require_folder(folder)
        for file in files if folder.exists() else []:
            require_free(file)
    message = previewing.preview(
        service,
        kind,
        game_id=None if reader.game is None else GameId(reader.game),
        who=reader.who,
        language=reader.language,
        reason=reader.reason,
    )
    folder.mkdir(exist_ok=True)
    for file, data in zip(files, (message.raw, message.html.encode()), strict=True):
        write_private(file, data)
    return Shown(
        {"ok": True, "files": files},
        *(f"{file} is written." for file in files),
    )


@app.command()
def prune(
    service: OpenService,
    older_than: Annotated[
        str, typer.Option(help="Delete messages older than this: 365d, 52w (minimum 30d).")
    ],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> Shown:
    """Delete the bytes of old messages, or only count them without --yes.

    These are messages of finished games or without a game. Sender, time, hashes, Message-ID and
    outcome of each message stay, so logs verify, audits work, and a second copy of a message is
    recognised. At a terminal it asks for confirmation. `pbem db vacuum` then makes the file
    smaller.

    Example: pbem mail prune --older-than 365d
    """
    prunable = pruning.find_prunable(service, duration(older_than, "--older-than"))
    if not as_json:
        title = f"Older than {minute(prunable.before)} UTC, of games over by then, or of none"
        counts = [
            ("that came in", len(prunable.mails_in)),
            ("that went out", len(prunable.mails_out)),
            ("megabytes of them", f"{prunable.size / 1_000_000:.1f}"),
        ]
        out.print(table(title, ("mails", "count"), counts))
        if prunable.count and not yes and sys.stdin.isatty():
            yes = typer.confirm("Delete their bytes? Nothing brings them back but a backup")
    done = pruning.prune(service, prunable, progress("pruning", "mails")) if yes else 0
    return Shown(
        {
            "ok": True,
            "before": prunable.before,
            "mails_in": len(prunable.mails_in),
            "mails_out": len(prunable.mails_out),
            "characters": prunable.size,
            "pruned": yes,
        },
        f"Pruned: {counted(done, 'mail')}. `pbem db vacuum` makes the file smaller."
        if yes
        else "Nothing was changed; --yes does it.",
    )
