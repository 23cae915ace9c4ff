"""`pbem replay` and `pbem diff`: a game looked at, step by step, and what changed in between."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import resources
from pbem.cli import stepping
from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    commands,
    out,
    print_json,
    print_table,
    refusals,
    require_folder,
    service_of,
)
from pbem.cli.stepping import said
from pbem.domain.log.chain import GameId
from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.service.evidence.replay_page import page_data
from pbem.service.logbook import looking, replaying
from pbem.service.logbook.looking import Replay
from pbem.service.logbook.replaying import ReplayStep
from pbem.show import page, terminal

app = commands()


EyesOption = Annotated[
    str | None,
    typer.Option("--as", help="Through the eyes of this player: a name, or a seat from 0."),
]
RevealOption = Annotated[
    bool, typer.Option(help="Look at hidden cards of a running game; is recorded and mailed.")
]
RevealReason = Annotated[str | None, typer.Option(help="Why; every player reads it.")]


@app.command()
def replay(
    game: GameArgument,
    first: Annotated[
        str | None, typer.Option("--from", help="First move to show: 17; or event: @41.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", help="Last move to show: 17; or event: @41.")
    ] = None,
    eyes: EyesOption = None,
    reveal: RevealOption = False,
    reason: RevealReason = None,
    step: Annotated[
        bool, typer.Option("--step", help="Step by step: Enter goes on, h helps, q quits.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that steps through the game in a browser.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a game from its log: what happened, and the table as it is at the end of that.

    Places are moves, as 17 (0 is the deal), or events, as @41: mails name the event. Hidden cards
    stay hidden unless --reveal, which is an event in a running game and needs --reason.

    Example: pbem replay k7q2m3x9ab --to 17
    """
    with refusals(as_json=as_json), service_of(config) as service:
        if step and as_json:
            raise Refusal("usage", "--step asks and answers; --json prints once: choose one.")
        if html is not None:
            require_folder(html)  # before anything is revealed
        game_id = GameId(game)
        seats, reason = allowed_eyes(service, game_id, eyes, reveal=reveal, reason=reason)
        found = looking.replay(service, game_id, first=first, last=last, seats=seats, reason=reason)
        if html is not None:
            _write_page(found, html)
            if as_json:
                print_json({"ok": True, "game": found.game.id, "file": str(html)})
            else:
                out.print(f"{html} is written.", markup=False, highlight=False, soft_wrap=True)
        elif step:
            stepping.run(found)
        elif as_json:
            _print_json(found)
        else:
            _print(found)


@app.command()
def diff(
    game: GameArgument,
    before: Annotated[str, typer.Argument(metavar="N", help="A move: 17; or an event: @41.")],
    after: Annotated[str, typer.Argument(metavar="M", help="A later move or event.")],
    eyes: EyesOption = None,
    reveal: RevealOption = False,
    reason: RevealReason = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is different on the table after move M from how it was after move N.

    Example: pbem diff k7q2m3x9ab 16 17
    """
    with refusals(as_json=as_json), service_of(config) as service:
        game_id = GameId(game)
        seats, reason = allowed_eyes(service, game_id, eyes, reveal=reveal, reason=reason)
        found = looking.replay(
            service, game_id, first=before, last=after, seats=seats, reason=reason
        )
        old, new = found.steps[0], found.steps[-1]
        lines = replaying.differences(old.view, new.view, found.names)
        if as_json:
            print_json(
                {
                    "game": found.game.id,
                    "from": {"event": old.version, "move": old.ply},
                    "to": {"event": new.version, "move": new.ply},
                    "changes": [
                        {"where": where, "before": was, "after": now} for where, was, now in lines
                    ],
                }
            )
            return
        out.print(
            f"{found.game.id}: from move {old.ply} (event {old.version}) to move {new.ply}"
            f" (event {new.version})",
            style="bold",
            highlight=False,
        )
        print_table(
            "",
            ("where", "before", "after"),
            [(where, text_of(was), text_of(now)) for where, was, now in lines],
        )


def allowed_eyes(
    service: Service, game_id: GameId, eyes: str | None, *, reveal: bool, reason: str | None
) -> tuple[Sequence[int], str | None]:
    """Return the seats whose eyes look, and why; asks for the reason in a terminal. Raises: Refusal."""
    with service.store.reading() as uow:
        count = len(uow.projections.seats(game_id))
        row = uow.projections.game(game_id)
    runs = row is not None and row.status in ("running", "inviting")
    if runs and eyes is not None and not reveal:
        raise Refusal(
            "reveal",
            "The game runs, and a seat's eyes see hidden cards: add --reveal and"
            " --reason TEXT. It becomes an event, and every player reads it.",
        )
    if runs and reveal and reason is None and sys.stdin.isatty():
        reason = typer.prompt("Why? Every player will read it", err=True)
    if eyes is not None:
        return [looking.seat_of(service, game_id, eyes)], reason
    return (range(count) if reveal else ()), reason


def _write_page(found: Replay, file: Path) -> None:

    title = f"{found.game.ruleset.title} with {', '.join(found.names)}"
    text = page.build(page_data(found), title, resources.templates_dir() / "replay")
    shows_cards = bool(found.eyes) and not found.game.is_over
    try:
        if shows_cards:
            file.touch(mode=0o600)
            file.chmod(0o600)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def _print_json(found: Replay) -> None:
    print_json(
        {
            "game": found.game.id,
            "status": found.game.status,
            "players": list(found.names),
            "events": [_step_json(found, step) for step in found.steps],
            "view": found.steps[-1].view,
        }
    )


def _step_json(found: Replay, step: ReplayStep) -> dict[str, Any]:

    return {
        "version": step.version,
        "moves": list(step.moves),
        "retracted": step.is_retracted,
        "recorded_at": step.recorded_at,
        "actor": step.actor,
        "text": step.text,
        "happened": said(found, step),
    }


def _print(found: Replay) -> None:

    print_table(
        f"{found.game.ruleset.title} {found.game.id}",
        ("move", "event", "at (UTC)", "actor", "what"),
        [
            (moves_text(step), step.version, step.recorded_at, step.actor, step.text)
            for step in found.steps
        ],
    )
    view = found.steps[-1].view
    if view is not None:
        out.print(f"The table after event {found.steps[-1].version}", style="bold")
        out.print(terminal.draw(found.game.ruleset.id.name, view, found.names))


def moves_text(step: ReplayStep) -> str:
    """Say the numbers of the moves that an event made: `17`, `1–3` or nothing."""
    if not step.moves:
        return ""
    first, last = step.moves[0], step.moves[-1]
    return f"{first}" if first == last else f"{first}–{last}"


def text_of(value: object) -> str:
    """Say a value of a view in short."""
    if isinstance(value, list):
        return " ".join(text_of(item) for item in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{key} {text_of(item)}" for key, item in value.items())
    return "–" if value is None else str(value)
