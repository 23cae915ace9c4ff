"""`pbem demo`: a real service in a separate process, a real mail server, and simulated players.

Everything happens on loopback and in a temporary folder. At the end, the log and the shuffles are
verified by the same command that a player would use. A browser can show the mailboxes, and a
visitor can take the place of a player.
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
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from pbem import resources
from pbem.demo.clients import CLIENTS, ReceivedMail
from pbem.demo.correspondents import (
    LATE,
    NAMES,
    NONSENSE,
    Correspondent,
    address_of,
    listed_moves,
    make_people,
)
from pbem.demo.mailboxes import DemoMailbox, Mailboxes
from pbem.demo.post_office import free_port, open_post_office
from pbem.errors import PbemError
from pbem.games import EXAMPLE
from pbem.games.profile import all_profiles

_PBEM = (sys.executable, "-P", "-m", "pbem")
"""Command that runs the program. With `-P`, it imports no modules from the current folder."""
TIME_PER_MOVE = "6s"
"""Time per move. One player lets it pass. The others meet it even on a slow machine."""
TIME_OF_VISITOR = "2d"
PATIENCE = 300.0
"""Seconds after which a demonstration without a visitor is abandoned."""
TURNS_SHOWN = 6
"""Number of answers after which no further turn message is printed."""
ABSENCE = 1800.0
"""Seconds without a request from the window after which waiting for the visitor ends."""
LAST_LOOK = 90.0
"""Seconds after the last request from the window until it closes. Background tabs poll rarely."""


class DemoError(PbemError):
    """Raised if the demonstration did not reach its end."""


class Show(Enum):
    """Display of the demonstration: only in the terminal, or also in a browser window."""

    TERMINAL = "terminal"
    WINDOW = "window"
    """Show the game in the terminal and in a read-only window."""
    VISITOR = "visitor"
    """Show the game in a window in which the visitor is one of the players."""


def rulesets() -> list[str]:
    """Return the names of the games that can be demonstrated."""
    return [name for name, profile in all_profiles().items() if profile.ends_by_any_moves]


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """The game to play.

    Attributes:
        options: options of the ruleset, each as NAME=VALUE.
    """

    players: int = 3
    ruleset: str = EXAMPLE
    options: tuple[str, ...] = ()
    show: Show = Show.TERMINAL


@dataclass(slots=True)
class Stage:
    """The folder and the output of the demonstration.

    It prints a line for every answer, and a few complete messages.

    Attributes:
        config: the configuration of the service, in a separate folder.
    """

    plan: DemoPlan
    config: Path
    console: Console
    boxes: Mailboxes = field(default_factory=lambda: Mailboxes({}, ""))
    answers: int = 0

    @property
    def is_visited(self) -> bool:
        """True if the visitor is one of the players."""
        return self.plan.show is Show.VISITOR

    @property
    def people(self) -> list[Correspondent]:
        """Return the players in the order of their seats."""
        return [box.person for box in self.boxes.boxes.values()]

    def say(self, text: str) -> None:
        """Print a line with style markup."""
        self.console.print(text)

    def on_mail(self, who: Correspondent, mail: ReceivedMail, words: str | None) -> None:
        """Show a message that a person has read, and the answer."""
        self.boxes.take(who, mail, words)
        if "invites you" in mail.text and who.turns == 0 and self.answers == 0:
            self.show("The first mail: an invitation", mail)
        if who.turns == 1 and listed_moves(mail.text) and self.answers < TURNS_SHOWN:
            self.show(f"A turn mail, as {who.name} sees it", mail)
        if mail.subject.startswith("Refused: "):
            self.show(f"{who.name} is helped", mail)
        if words is None:
            return
        self.answers += 1
        line = f"  {self.answers:3}  {who.name:<6} answers: {words.splitlines()[0]}"
        self.console.print(line, markup=False)

    def show(self, title: str, mail: ReceivedMail, lines: int = 26) -> None:
        """Print a message up to the end of its moves, unless a visitor reads it in the window."""
        if self.is_visited:
            return
        text = mail.text.strip().splitlines()
        lines = max([lines, *(n for n, line in enumerate(text, 1) if listed_moves(line))])
        more = [f"… {len(text) - lines} more lines"] if len(text) > lines else []
        body = Text("\n".join([f"Subject: {mail.subject}", "", *text[:lines], *more]))
        self.console.print(Panel(body, title=title, title_align="left", width=80))


def run(plan: DemoPlan, *, as_json: bool) -> dict[str, Any] | None:
    """Run the demonstration.

    Args:
        as_json: True if stdout is for machines, so print to stderr.

    Returns:
        The output of `pbem verify`, or None if the demonstration was closed before its end.

    Raises: DemoError.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder:
        console = Console(stderr=as_json, highlight=False)
        stage = Stage(plan, Path(folder) / "pbem.toml", console)
        try:
            return asyncio.run(_run_until_stopped(stage))
        except (KeyboardInterrupt, asyncio.CancelledError):
            stage.say("\nClosed.")
            return None


async def _run_until_stopped(stage: Stage) -> dict[str, Any]:
    """Run the demonstration. SIGTERM and a closed terminal end it like Ctrl-C.

    Otherwise the service would keep running.
    """
    task = asyncio.current_task()
    for signum in (signal.SIGTERM, signal.SIGHUP):
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(signum, task.cancel)
    return await _run(stage)


async def _run(stage: Stage) -> dict[str, Any]:
    plan = stage.plan
    addresses = [address_of(name) for name in NAMES[: plan.players]]
    async with open_post_office(addresses) as office:
        port = free_port()
        stage.say(f"Post office on 127.0.0.1:{office.port}; setting up the service …")
        await _pbem("init", *_init_options(stage, office.port, port), "--json")
        async with _service(stage.config):
            stage.say(f"The service is running, listening for mails on 127.0.0.1:{port}.")
            mailbox = office.mailboxes.__getitem__
            people = make_people(plan.players, mailbox, port, visitor=stage.is_visited)
            programs = [list(CLIENTS)[n % len(CLIENTS)] for n in range(len(people))]
            stage.boxes = Mailboxes(
                {box.key: box for box in map(DemoMailbox, people, programs)},
                f"{plan.ruleset.capitalize()} by mail",
            )
            async with _window(stage):
                for person in people:
                    person.on_mail = stage.on_mail
                game = await _new_game(stage)
                invited = ", ".join(
                    f"{person.name} ({program})"
                    for person, program in zip(people, programs, strict=True)
                )
                stage.say(f"Game {game}: {invited} are invited by mail.\n")
                reading = [asyncio.create_task(person.play()) for person in people]
                try:
                    await _play(stage, reading)
                    verified = await _finish(stage, game, len(office.delivered))
                    await _linger(stage)
                finally:
                    for task in reading:
                        task.cancel()
    return verified


@asynccontextmanager
async def _window(stage: Stage) -> AsyncIterator[None]:
    """Open the browser window unless the demo runs only in the terminal, and print its URL."""
    if stage.plan.show is Show.TERMINAL:
        yield
        return
    window = import_module("pbem.demo.window")  # a demo without a window starts no web server
    async with window.open_window(stage.boxes, resources.templates_dir() / "demo") as opened:
        if stage.is_visited:
            stage.say(f"\n  You are {NAMES[0]}. Your mailbox: [bold]{opened.url}[/]")
            stage.say("  Answer there; Ctrl-C ends it.\n")
        else:
            stage.say(f"\n  The mailboxes, while they play: [bold]{opened.url}[/]")
            stage.say("  To be one of the players: pbem demo --play\n")
        yield


async def _linger(stage: Stage) -> None:
    """Keep the window open while it is in use."""
    if stage.boxes.seen is None:
        return
    stage.say("The mailboxes stay open while somebody looks; Ctrl-C ends it.")
    while True:
        left = stage.boxes.seen + LAST_LOOK - time.monotonic()
        if left <= 0:
            return
        await asyncio.sleep(left)


def _init_options(stage: Stage, smtp_port: int, listen_port: int) -> list[str]:
    web = ["--web-url", f"http://127.0.0.1:{free_port()}"] if stage.is_visited else []
    return [
        *web,
        *("--out", str(stage.config)),
        *("--address", "game@play.example.org"),
        *("--smtp-host", "127.0.0.1"),
        *("--smtp-port", str(smtp_port)),
        *("--smtp-security", "none"),
        *("--time-zone", "Europe/Berlin"),
        *("--listen", f"smtp:127.0.0.1:{listen_port}"),
    ]


async def _new_game(stage: Stage) -> str:
    seats = [argument for p in stage.people for argument in ("--player", f"{p.name}={p.address}")]
    options = [argument for option in stage.plan.options for argument in ("--option", option)]
    output = await _pbem(
        *("game", "new", stage.plan.ruleset, *seats, *options),
        *("--time-per-move", TIME_OF_VISITOR if stage.is_visited else TIME_PER_MOVE),
        *("--config", str(stage.config), "--json"),
    )
    return str(json.loads(output)["game"])


async def _play(stage: Stage, reading: Sequence[asyncio.Task[None]]) -> None:
    """Wait until all players have read the last message. Raises: DemoError."""
    everybody = asyncio.create_task(_everybody_has_finished(stage.people))
    begun = time.monotonic()
    while not everybody.done():
        done, _ = await asyncio.wait(
            {everybody, *reading}, timeout=1, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            task.result()
        patience, since = PATIENCE, begun
        if stage.is_visited:
            patience, since = ABSENCE, stage.boxes.seen or begun
        if not everybody.done() and time.monotonic() - since > patience:
            everybody.cancel()
            raise DemoError(f"the game did not end within {patience:.0f} seconds")


async def _everybody_has_finished(people: Sequence[Correspondent]) -> None:
    for person in people:
        await person.has_finished.wait()


async def _finish(stage: Stage, game: str, mails: int) -> dict[str, Any]:
    """Verify the game and print a summary.

    Args:
        mails: number of messages that the service sent.

    Raises: DemoError.
    """
    people = stage.people
    if people[0].last is not None:
        stage.show("The last mail", people[0].last, lines=48)
    export = stage.config.with_name("game.jsonl")
    await _pbem("export", game, "--out", str(export), "--config", str(stage.config))
    verified = json.loads(await _pbem("verify", str(export), "--json"))
    read = [" ".join(mail.text.split()) for person in people for mail in person.read]
    silent = sum(LATE in words for words in read)
    helped = sum(NONSENSE in words for words in read)
    if not verified["complete"] or not (stage.is_visited or (silent and helped)):
        raise DemoError("the game was not what the demonstration promises")
    happened = f"; {silent} deadline passed, {helped} nonsense answered with help"
    happened = "" if stage.is_visited else happened
    stage.say(f"\n{mails} mails out, {stage.answers} replies in{happened}.")
    for check in verified["checks"]:
        stage.console.print(f"  ok  {check}", markup=False)
    head = verified["head"][:16]
    stage.say(f"[bold green]Verified:[/] the game, its log and its shuffles. Head {head}…")
    stage.boxes.finish(verified["checks"])
    return {"ok": True, "game": game, **verified}


@asynccontextmanager
async def _service(config: Path) -> AsyncIterator[None]:
    """Run `pbem serve` during the context. Its log is written next to the configuration."""
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
    """Run a command like a user and return its output. Raises: DemoError."""
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
