"""`pbem demo`: a real service in a process of its own, a real post office, people who reply.

Everything happens on loopback and in a temporary folder. At the end the log and the shuffles are
verified by the same command that a player would use.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from pbem.demo.clients import CLIENTS, Received
from pbem.demo.correspondents import NONSENSE, Correspondent, address_of, make_people
from pbem.demo.post_office import PostOffice, free_port, open_post_office
from pbem.errors import PbemError

TIME_PER_MOVE = "6s"
"""Short, since somebody lets it pass; long enough that nobody else does on a slow machine."""
PATIENCE = 300.0
"""Seconds until the demonstration gives up."""


class DemoError(PbemError):
    """The demonstration did not come to its end."""


@dataclass(slots=True)
class Stage:
    """Where the demonstration prints: a line for every answer, a few whole mails."""

    console: Console
    answers: int = 0

    def on_mail(self, who: Correspondent, mail: Received, words: str | None) -> None:
        """Show what somebody reads and answers."""
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

    def show(self, title: str, mail: Received, lines: int = 26) -> None:
        """Show a mail, or its beginning."""
        text = mail.text.strip().splitlines()
        more = [f"… {len(text) - lines} more lines"] if len(text) > lines else []
        body = Text("\n".join([f"Subject: {mail.subject}", "", *text[:lines], *more]))
        self.console.print(Panel(body, title=title, title_align="left", width=80))


def run(*, players: int, as_json: bool) -> int:
    """Run the demonstration; gives the exit code. Raises: DemoError."""
    console = Console(stderr=as_json, highlight=False)
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder:
        return asyncio.run(_run(Path(folder), Stage(console), players, as_json=as_json))


async def _run(folder: Path, stage: Stage, players: int, *, as_json: bool) -> int:
    people_names = ("Anna", "Bob", "Carol", "Dora", "Emil")[:players]
    say = stage.console.print
    async with open_post_office([address_of(name) for name in people_names]) as office:
        port = free_port()
        say(f"Post office on 127.0.0.1:{office.port}; setting up the service …")
        config = folder / "pbem.toml"
        await _pbem("init", *_init_options(config, office.port, port), "--json")
        async with _service(config):
            say(f"The service is running, listening for mails on 127.0.0.1:{port}.")
            people = make_people(players, office.mailboxes.__getitem__, port)
            for person in people:
                person.on_mail = stage.on_mail
            game = await _new_game(config, people)
            programs = ", ".join(
                f"{person.name} ({list(CLIENTS)[n % len(CLIENTS)]})"
                for n, person in enumerate(people)
            )
            say(f"Game {game}: {programs} are invited by mail.\n")
            await _play(people)
            return await _finish(folder, config, game, people, office, stage, as_json=as_json)


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


async def _new_game(config: Path, people: list[Correspondent]) -> str:
    seats = [part for p in people for part in ("--player", f"{p.name}={p.address}")]
    made = await _pbem(
        *("game", "new", "phyliss", *seats),
        *("--time-per-move", TIME_PER_MOVE),
        *("--config", str(config), "--json"),
    )
    return str(json.loads(made)["game"])


async def _play(people: list[Correspondent]) -> None:
    try:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.play())
    except TimeoutError:
        raise DemoError(f"the game did not end within {PATIENCE:.0f} seconds") from None


async def _finish(
    folder: Path,
    config: Path,
    game: str,
    people: list[Correspondent],
    office: PostOffice,
    stage: Stage,
    *,
    as_json: bool,
) -> int:
    say = stage.console.print
    last = people[0].last
    if last is not None:
        stage.show("The last mail", last, lines=48)
    export = folder / "game.jsonl"
    await _pbem("export", game, "--out", str(export), "--config", str(config))
    verified = json.loads(await _pbem("verify", str(export), "--json"))
    silent = sum("cautious move was made for you" in m.text for p in people for m in p.read)
    helped = sum(NONSENSE in m.text for p in people for m in p.read)
    if not verified["complete"] or not silent or not helped:
        raise DemoError("the game was not what the demonstration promises")
    say(
        f"\n{len(office.delivered)} mails out, {stage.answers} replies in; {silent} deadline passed,"
        f" {helped} nonsense answered with help."
    )
    for check in verified["checks"]:
        say(f"  ok  {check}", markup=False)
    say(
        f"[bold green]Verified:[/] the game, its log and its shuffles. Head {verified['head'][:16]}…"
    )
    if as_json:
        sys.stdout.write(json.dumps({"ok": True, "game": game, **verified}) + "\n")
    return 0


@asynccontextmanager
async def _service(config: Path) -> AsyncIterator[None]:
    """Run `pbem serve` until the end; its log goes to a file beside the configuration."""
    env = os.environ | {"PBEM_SERVE__TICK_SECONDS": "0.25", "PBEM_LOG__JSON": "true"}
    log = config.with_name("service.log").open("wb")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pbem", "serve", "--config", str(config), "--json"),
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
        *(sys.executable, "-m", "pbem", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaints = await process.communicate()
    if process.returncode != 0:
        text = (printed + complaints).decode(errors="replace").strip()
        raise DemoError(f"pbem {words[0]} failed:\n{text}")
    return printed.decode()
