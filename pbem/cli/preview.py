"""`pbem mail preview`: one mail to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    out,
    print_json,
    refusals,
    require_folder,
    require_free,
    service_of,
    write_private,
)
from pbem.domain.log.chain import GameId
from pbem.service.evidence import previewing


def preview(
    kind: Annotated[
        str, typer.Argument(help="turn, invitation, help …; an unknown one lists all.")
    ],
    game: Annotated[str | None, typer.Option(help="The game that it is about.")] = None,
    who: Annotated[
        str | None, typer.Option("--as", help="Seat (0 is the first) or name of the reader.")
    ] = None,
    folder: Annotated[Path, typer.Option("--out", help="Folder for the files.")] = Path(),
    language: Annotated[str | None, typer.Option(help="Instead of the reader's, e.g. de.")] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why, if it shows a hand of a running game; all read it.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a mail as it would be rendered now, as KIND.eml and KIND.html; nothing is sent.

    A hand of a running game is shown for a reason only: it is recorded, and every player reads it.

    Example: pbem mail preview turn --game 7xk2mwq4ab --as Anna --reason "a new template" --out look
    """
    with refusals(as_json=as_json), service_of(config) as service:
        files = [folder / f"{kind}.eml", folder / f"{kind}.html"]
        if kind in previewing.KINDS:
            require_folder(folder)
            for file in files if folder.exists() else []:
                require_free(file)
        made = previewing.preview(
            service,
            kind,
            game_id=None if game is None else GameId(game),
            who=who,
            language=language,
            reason=reason,
        )
        folder.mkdir(exist_ok=True)
        for file, data in zip(files, (made.raw, made.html.encode()), strict=True):
            write_private(file, data)
        if as_json:
            print_json({"ok": True, "files": [str(file) for file in files]})
            return
        for file in files:
            out.print(f"{file} is written.", soft_wrap=True, highlight=False)
