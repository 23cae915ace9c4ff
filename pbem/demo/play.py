"""`pbem demo`: a real service in a process of its own, a real post office, people who reply.

Everything happens on loopback and in a temporary folder. At the end the log and the shuffles are
verified by the same command that a player would use. The mailboxes may be seen in a browser, where a
visitor may be one of the players.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from pbem import resources
from pbem.demo.clients import CLIENTS, ReceivedMail
from pbem.demo.correspondents import NAMES, NONSENSE, Correspondent, address_of, make_people
from pbem.demo.mailboxes import DemoMailbox, Mailboxes
from pbem.demo.post_office import PostOffice, free_port, open_post_office
from pbem.errors import PbemError
from pbem.games import EXAMPLE
from pbem.games.face import faces

if TYPE_CHECKING:
    from pbem.demo.window import Window

_PBEM = (sys.executable, "-P", "-m", "pbem")
"""The program as a command; `-P`: files in the current folder are no part of it."""
TIME_PER_MOVE = "6s"
"""Short, since somebody lets it pass; long enough that nobody else does on a slow machine."""
TIME_OF_VISITOR = "2d"
PATIENCE = 300.0
"""Seconds until the demonstration gives up."""
ABSENCE = 1800.0
"""Seconds without a look into the window until it gives up waiting for a visitor's move."""
LAST_LOOK = 90.0
"""Seconds after the last look into the window until it closes; browsers in the background look rarely."""


class DemoError(PbemError):
    """The demonstration did not come to its end."""


class Show(Enum):
    """Where the game is to be seen."""

    TERMINAL = "terminal"
    WINDOW = "window"
    """In the terminal, and in a window in which nobody writes."""
    VISITOR = "visitor"
    """In a window in which the visitor is one of the players."""


def rulesets() -> list[str]:
    """Return the games that can be shown."""
    return [name for name, face in faces().items() if face.ends_by_any_moves]


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """What is to be played.

    Attributes:
        options: of the ruleset, each as NAME=VALUE.
    """

    players: int = 3
    ruleset: str = EXAMPLE
    options: tuple[str, ...] = ()
    show: Show = Show.TERMINAL


def has_window() -> bool:
    """Whether what the window needs is installed (the extra `web`)."""
    return all(find_spec(name) is not None for name in ("starlette", "uvicorn"))


@dataclass(slots=True)
class Stage:
    """Where the demonstration prints: a line for every answer, a few whole mails if `tells_all`."""

    console: Console
    tells_all: bool = True
    boxes: Mailboxes | None = None
    answers: int = 0

    def on_mail(self, who: Correspondent, mail: ReceivedMail, words: str | None) -> None:
        """Show what somebody reads and answers."""
        if self.boxes is not None:
            self.boxes.take(who, mail, words)
        if "invites you" in mail.text and who.turns == 0 and self.answers == 0:
            self.show("The first mail: an invitation", mail)
        if who.turns == 1 and "legal move" in mail.text and self.answers < 6:  # noqa: PLR2004
            self.show(f"A turn mail, as {who.name} sees it", mail)
        if "could not be carried out" in mail.text:
            self.show(f"{who.name} is helped", mail)
        if words is None:
            return
        self.answers += 1
        self.console.print(
            f"  {self.answers:3}  {who.name:<6} answers: {words.splitlines()[0]}",
            markup=False,
            highlight=False,
        )

    def show(self, title: str, mail: ReceivedMail, lines: int = 26) -> None:
        """Show a mail, or its beginning."""
        if not self.tells_all:
            return
        text = mail.text.strip().splitlines()
        more = [f"… {len(text) - lines} more lines"] if len(text) > lines else []
        body = Text("\n".join([f"Subject: {mail.subject}", "", *text[:lines], *more]))
        self.console.print(Panel(body, title=title, title_align="left", width=80))


def run(plan: DemoPlan, *, as_json: bool) -> int:
    """Run the demonstration; gives the exit code. Raises: DemoError."""
    stage = Stage(Console(stderr=as_json, highlight=False), plan.show is not Show.VISITOR)
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder:
        try:
            return asyncio.run(_run_until_told(Path(folder), stage, plan, as_json=as_json))
        except (KeyboardInterrupt, asyncio.CancelledError):
            stage.console.print("\nClosed.")
            return 0


async def _run_until_told(folder: Path, stage: Stage, plan: DemoPlan, *, as_json: bool) -> int:
    """Run, and end on SIGTERM or a closed terminal as on Ctrl-C: the service must not stay behind."""
    task = asyncio.current_task()
    for signum in (signal.SIGTERM, signal.SIGHUP):
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(signum, task.cancel)
    return await _run(folder, stage, plan, as_json=as_json)


async def _run(folder: Path, stage: Stage, plan: DemoPlan, *, as_json: bool) -> int:
    say = stage.console.print
    is_visited = plan.show is Show.VISITOR
    addresses = [address_of(name) for name in NAMES[: plan.players]]
    async with open_post_office(addresses) as office:
        port = free_port()
        say(f"Post office on 127.0.0.1:{office.port}; setting up the service …")
        config = folder / "pbem.toml"
        await _pbem("init", *_init_options(config, office.port, port), "--json")
        async with _service(config):
            say(f"The service is running, listening for mails on 127.0.0.1:{port}.")
            people = make_people(
                plan.players, office.mailboxes.__getitem__, port, visitor=is_visited
            )
            programs = [list(CLIENTS)[n % len(CLIENTS)] for n in range(len(people))]
            boxes = Mailboxes(
                {box.key: box for box in map(DemoMailbox, people, programs)},
                f"{plan.ruleset.capitalize()} by mail",
            )
            stage.boxes = boxes
            async with _window(boxes, plan, stage) as window:
                for person in people:
                    person.on_mail = stage.on_mail
                game = await _new_game(config, people, plan)
                invited = ", ".join(
                    f"{person.name} ({program})"
                    for person, program in zip(people, programs, strict=True)
                )
                say(f"Game {game}: {invited} are invited by mail.\n")
                reading = [asyncio.create_task(person.play()) for person in people]
                try:
                    await _play(people, reading, window if is_visited else None)
                    await _finish(folder, config, game, people, office, stage, as_json=as_json)
                    await _linger(window, stage)
                finally:
                    for task in reading:
                        task.cancel()
    return 0


@asynccontextmanager
async def _window(boxes: Mailboxes, plan: DemoPlan, stage: Stage) -> AsyncIterator[Window | None]:
    """Open the window, if one is wanted, and say where it is."""
    if plan.show is Show.TERMINAL:
        yield None
        return
    from pbem.demo.window import open_window  # noqa: PLC0415  (an extra)

    async with open_window(boxes, resources.templates_dir() / "demo") as window:
        if plan.show is Show.VISITOR:
            stage.console.print(f"\n  You are {NAMES[0]}. Your mailbox: [bold]{window.url}[/]")
            stage.console.print("  Answer there; Ctrl-C ends it.\n")
        else:
            stage.console.print(f"\n  The mailboxes, while they play: [bold]{window.url}[/]")
            stage.console.print("  To be one of the players: pbem demo --play\n")
        yield window


async def _linger(window: Window | None, stage: Stage) -> None:
    """Keep the window open as long as somebody looks."""
    if window is None or window.seen is None:
        return
    stage.console.print("The mailboxes stay open while somebody looks; Ctrl-C ends it.")
    while True:
        left = window.seen + LAST_LOOK - time.monotonic()
        if left <= 0:
            return
        await asyncio.sleep(left)


def _init_options(config: Path, smtp_port: int, listen_port: int) -> list[str]:
    return [
        *("--out", str(config)),
        *("--address", "game@play.example.org"),
        *("--smtp-host", "127.0.0.1"),
        *("--smtp-port", str(smtp_port)),
        *("--smtp-security", "none"),
        *("--time-zone", "Europe/Berlin"),
        *("--listen", f"smtp:127.0.0.1:{listen_port}"),
    ]


async def _new_game(config: Path, people: Sequence[Correspondent], plan: DemoPlan) -> str:
    seats = [part for p in people for part in ("--player", f"{p.name}={p.address}")]
    options = [part for option in plan.options for part in ("--option", option)]
    time_per_move = TIME_OF_VISITOR if plan.show is Show.VISITOR else TIME_PER_MOVE
    made = await _pbem(
        *("game", "new", plan.ruleset, *seats, *options),
        *("--time-per-move", time_per_move),
        *("--config", str(config), "--json"),
    )
    return str(json.loads(made)["game"])


async def _play(
    people: Sequence[Correspondent], reading: Sequence[asyncio.Task[None]], visited: Window | None
) -> None:
    """Wait until everybody has read that the game is over. Raises: DemoError."""
    everybody = asyncio.create_task(_everybody_has_finished(people))
    begun = time.monotonic()
    while not everybody.done():
        done, _ = await asyncio.wait(
            {everybody, *reading}, timeout=1, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            task.result()
        patience = PATIENCE if visited is None else ABSENCE
        since = begun if visited is None or visited.seen is None else visited.seen
        if not everybody.done() and time.monotonic() - since > patience:
            everybody.cancel()
            raise DemoError(f"the game did not end within {patience:.0f} seconds")


async def _everybody_has_finished(people: Sequence[Correspondent]) -> None:
    for person in people:
        await person.has_finished.wait()


async def _finish(
    folder: Path,
    config: Path,
    game: str,
    people: list[Correspondent],
    office: PostOffice,
    stage: Stage,
    *,
    as_json: bool,
) -> None:
    """Verify the game and say what it was. Raises: DemoError."""
    say = stage.console.print
    last = people[0].last
    if last is not None:
        stage.show("The last mail", last, lines=48)
    export = folder / "game.jsonl"
    await _pbem("export", game, "--out", str(export), "--config", str(config))
    verified = json.loads(await _pbem("verify", str(export), "--json"))
    silent = sum("cautious move was made for you" in m.text for p in people for m in p.read)
    helped = sum(NONSENSE in m.text for p in people for m in p.read)
    is_watched = stage.tells_all
    if not verified["complete"] or (is_watched and not (silent and helped)):
        raise DemoError("the game was not what the demonstration promises")
    happened = f"; {silent} deadline passed, {helped} nonsense answered with help"
    say(
        f"\n{len(office.delivered)} mails out, {stage.answers} replies in"
        f"{happened if is_watched else ''}."
    )
    for check in verified["checks"]:
        say(f"  ok  {check}", markup=False)
    say(
        f"[bold green]Verified:[/] the game, its log and its shuffles. Head {verified['head'][:16]}…"
    )
    if as_json:
        sys.stdout.write(json.dumps({"ok": True, "game": game, **verified}) + "\n")
    if stage.boxes is not None:
        stage.boxes.finish(verified["checks"])


@asynccontextmanager
async def _service(config: Path) -> AsyncIterator[None]:
    """Run `pbem serve` until the end; its log goes to a file beside the configuration."""
    env = os.environ | {"PBEM_SERVE__TICK_SECONDS": "0.25", "PBEM_LOG__JSON": "true"}
    log = config.with_name("service.log").open("wb")
    process = await asyncio.create_subprocess_exec(
        *(*_PBEM, "serve", "--config", str(config), "--json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=log,
        env=env,
    )
    try:
        if process.stdout is None or not await process.stdout.readline():
            tail = config.with_name("service.log").read_text(encoding="utf-8")[-2000:]
            raise DemoError(f"the service did not start:\n{tail}")
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        log.close()


async def _pbem(*words: str) -> str:
    """Run one command as a user would; gives what it prints. Raises: DemoError."""
    process = await asyncio.create_subprocess_exec(
        *(*_PBEM, *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaints = await process.communicate()
    if process.returncode != 0:
        text = (printed + complaints).decode(errors="replace").strip()
        raise DemoError(f"pbem {words[0]} failed:\n{text}")
    return printed.decode()
