"""`pbem replay` and `pbem diff`: show a game step by step, and compare positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from pbem import resources
from pbem.cli import stepping
from pbem.cli.common import ask_reason, require_folder
from pbem.cli.frame import JsonOption, Row, Shown, commands, table
from pbem.cli.opening import GameArgument, OpenService
from pbem.domain.log.chain import GameId
from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.service.logbook import replaying, replays
from pbem.service.logbook.replay_page import page_data
from pbem.service.logbook.replaying import ReplayStep
from pbem.service.logbook.replays import Replay
from pbem.show import page, terminal

app = commands()

RevealOption = Annotated[
    bool,
    typer.Option(
        help="Show hidden cards of a running game, which is recorded and reported to the players."
    ),
]
RevealReason = Annotated[str | None, typer.Option(help="Reason, shown to every player.")]


@dataclass(frozen=True, slots=True)
class ReplaySpan:
    """Options for the range of a replay."""

    first: Annotated[
        str | None, typer.Option("--from", help="First move to show: 17; or event: @41.")
    ] = None
    last: Annotated[
        str | None, typer.Option("--to", help="Last move to show: 17; or event: @41.")
    ] = None


@dataclass(frozen=True, slots=True)
class Look:
    """Options for the seats whose view is shown, and the reason."""

    eyes: Annotated[
        str | None,
        typer.Option("--as", help="Show the view of this player: a name, or a seat from 0."),
    ] = None
    reveal: RevealOption = False
    reason: RevealReason = None

    def at(self, service: Service, game_id: GameId, span: ReplaySpan) -> Replay:
        """Replay a game, prompting for a missing reason at a terminal. Raises: Refusal."""
        with service.store.reading() as uow:
            count = len(uow.projections.seats(game_id))
            row = uow.projections.game(game_id)
        runs = row is not None and row.status in ("running", "inviting")
        if runs and self.eyes is not None and not self.reveal:
            raise Refusal(
                "reveal",
                "The game runs, and a seat's eyes see hidden cards: add --reveal and"
                " --reason TEXT. It becomes an event, and every player reads it.",
            )
        reason = ask_reason(self.reason) if runs and self.reveal else self.reason
        seats: Sequence[int] = range(count) if self.reveal else ()
        if self.eyes is not None:
            seats = [replays.seat_of(service, game_id, self.eyes)]
        return replays.replay(
            service, game_id, first=span.first, last=span.last, seats=seats, reason=reason
        )


@dataclass(frozen=True, slots=True)
class Form:
    """Options for the output format of a replay."""

    step: Annotated[
        bool,
        typer.Option("--step", help="Step through the game: Enter continues, h helps, q quits."),
    ] = False
    html: Annotated[
        Path | None, typer.Option(help="Write a page that steps through the game in a browser.")
    ] = None


@app.command()
def replay(
    service: OpenService,
    game: GameArgument,
    span: ReplaySpan,
    look: Look,
    form: Form,
    as_json: JsonOption = False,
) -> Shown | None:
    """Replay a game from its log: its events, and the table at the end.

    A position is a move, such as 17 (0 is the deal), or an event, such as @41, as named in
    messages. Hidden cards stay hidden unless --reveal, which is recorded in a running game and
    needs --reason.

    Example: pbem replay k7q2m3x9ab --to 17
    """
    if form.step and as_json:
        raise Refusal("usage", "--step asks and answers; --json prints once: choose one.")
    if form.html is not None:
        require_folder(form.html)  # before hidden cards are revealed
    shown = look.at(service, game, span)
    if form.html is not None:
        _write_page(shown, form.html)
        done = {"ok": True, "game": shown.game.id, "file": form.html}
        return Shown(done, f"{form.html} is written.")
    if form.step:
        stepping.run(shown)
        return None
    return _shown(shown)


def _shown(replayed: Replay) -> Shown:
    last = replayed.steps[-1]
    words: list[RenderableType] = [
        table(
            f"{replayed.game.ruleset.title} {replayed.game.id}",
            ("move", "event", "at (UTC)", "actor", "what"),
            [
                (moves_text(step), step.version, step.recorded_at, step.actor, step.text)
                for step in replayed.steps
            ],
        )
    ]
    if last.view is not None:
        words.append(Text(f"The table after event {last.version}", "bold"))
        words.append(terminal.draw(replayed.game.ruleset.id.name, last.view, replayed.names))
    return Shown(
        {
            "game": replayed.game.id,
            "status": replayed.game.status,
            "players": list(replayed.names),
            "events": [_row(replayed, step) for step in replayed.steps],
            "view": last.view,
        },
        *words,
    )


def _row(replayed: Replay, step: ReplayStep) -> Row:
    return {
        "version": step.version,
        "moves": list(step.moves),
        "retracted": step.is_retracted,
        "recorded_at": step.recorded_at,
        "actor": step.actor,
        "text": step.text,
        "happened": stepping.describe_step(replayed, step),
    }


def _write_page(replayed: Replay, file: Path) -> None:
    title = f"{replayed.game.ruleset.title} with {', '.join(replayed.names)}"
    text = page.build(page_data(replayed), title, resources.templates_dir() / "replay")
    shows_cards = bool(replayed.eyes) and not replayed.game.is_over
    try:
        if shows_cards:
            file.touch(mode=0o600)
            file.chmod(0o600)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


@app.command()
def diff(
    service: OpenService,
    game: GameArgument,
    before: Annotated[str, typer.Argument(metavar="N", help="A move: 17; or an event: @41.")],
    after: Annotated[str, typer.Argument(metavar="M", help="A later move or event.")],
    look: Look,
) -> Shown:
    """Show the differences between the table after move N and after move M.

    Example: pbem diff k7q2m3x9ab 16 17
    """
    shown = look.at(service, game, ReplaySpan(before, after))
    old, new = shown.steps[0], shown.steps[-1]
    lines = replaying.differences(old.view, new.view, shown.names)
    return Shown(
        {
            "game": shown.game.id,
            "from": {"event": old.version, "move": old.ply},
            "to": {"event": new.version, "move": new.ply},
            "changes": [{"where": where, "before": was, "after": now} for where, was, now in lines],
        },
        Text(
            f"{shown.game.id}: from move {old.ply} (event {old.version}) to move {new.ply}"
            f" (event {new.version})",
            "bold",
        ),
        table(
            "",
            ("where", "before", "after"),
            [(where, text_of(was), text_of(now)) for where, was, now in lines],
        ),
    )


def moves_text(step: ReplayStep) -> str:
    """Format the numbers of the moves that an event made: `17`, `1–3` or empty."""
    if not step.moves:
        return ""
    first, last = step.moves[0], step.moves[-1]
    return f"{first}" if first == last else f"{first}–{last}"


def text_of(value: object) -> str:
    """Format a value of a view briefly."""
    if isinstance(value, list):
        return " ".join(text_of(item) for item in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{key} {text_of(item)}" for key, item in value.items())
    return "–" if value is None else str(value)
