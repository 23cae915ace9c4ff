"""Carry out one upgrade: play with the old program, kill it, upgrade, and finish the games."""

from __future__ import annotations

import asyncio
import html
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import aiosmtplib

from pbem.demo.clients import CLIENTS, ReceivedMail, fresh
from pbem.demo.correspondents import OVER, Correspondent, address_of
from pbem.demo.post_office import PostOffice, free_port, open_post_office
from tests.mail_servers.dovecot import PASSWORD, Dovecot
from tests.patience import patience
from trials.upgrade.programs import Program, UpgradeError

ROOT = Path(__file__).resolve().parents[2]
IMAP_USER = 1
GAMES = (
    # ruleset, number of players, options
    ("phyliss", 3, ("max_plies=60",)),
    ("phyliss", 2, ("max_plies=60",)),
    ("phyliss", 2, ("max_plies=2",)),
    ("cathedral", 3, ("max_plies=60",)),
    ("phalanx", 3, ("max_battles=3",)),
    ("phase10", 2, ("phases=[1]",)),
    ("phase10-family", 3, ("phases=[1]",)),
    ("ohhell", 3, ("cards=4",)),
)
BOTS, SHORT = 1, 2
"""Numbers of the game with a bot, and of the short game that ends before the upgrade."""
LEAGUE = "phyliss, 1 round, tables of 2, 2d per move, called winter"
NAMES = ("Anna", "Bob", "Carol")
ENDED = ("finished", "stopped")
MAILS_MORE = 10
"""Number of messages that the old program sends, once all games run, before it is killed."""
RUN_SECONDS = 1200.0
POLL_SECONDS = 3.0


@dataclass(slots=True)
class Plan:
    """The programs, folders and databases of a run.

    Attributes:
        folder: an empty folder.
        old: the folder with the old commands. The old sources are in `../../sources`.
        new: the folder with the new commands.
        games: a folder with the packages of other games for the new program.
        mailbox: a mailbox for incoming messages, or None for a listener of the service.
        url: an empty PostgreSQL database, or empty for SQLite.
        spare_url: another empty database, for the import.
    """

    folder: Path
    old: Path
    new: Path
    games: Path
    mailbox: Dovecot | None = None
    url: str = ""
    spare_url: str = ""


@dataclass
class Person(Correspondent):
    """A player who can leave messages unanswered for a while.

    Attributes:
        plan: the run, which decides how a message reaches the service.
        is_away: True while no message is answered.
        unanswered: messages that came while the player was away.
        ended: ids of the games that ended.
        tapped: number of answers written with a button of the message.
    """

    plan: Plan = field(kw_only=True)
    is_away: bool = True
    unanswered: list[ReceivedMail] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)
    tapped: int = 0

    def answer_to(self, mail: ReceivedMail) -> str | None:
        """Keep the message while away, otherwise answer as in the demo."""
        if OVER.search(mail.text):
            self.ended.add(game_of(mail))
        if self.is_away:
            self.unanswered.append(mail)
            return None
        return self.words_for(mail)

    def words_for(self, mail: ReceivedMail) -> str | None:
        """Return the answer of the demo, or a `join` for a table of the league."""
        if ": your table" in mail.subject:
            return "join"
        return Correspondent.answer_to(self, mail)

    async def come_back(self) -> int:
        """Answer the newest kept message of each game, every second time with its button."""
        self.is_away = False
        newest: dict[str, tuple[ReceivedMail, str]] = {}
        for mail in self.unanswered:
            if (words := self.words_for(mail)) is not None:
                newest[game_of(mail)] = (mail, words)
        self.unanswered = []
        for number, (mail, words) in enumerate(newest.values()):
            buttons = list(moves_of(mail))
            if number % 2 == 0 and buttons:
                self.tapped += 1
                to, subject, body = buttons[0]
                await self.send(fresh(to, subject, self.address, body))
            else:
                await self.send(self.client(mail, self.address, words))
        return len(newest)

    async def send(self, raw: bytes) -> None:
        """Submit a message, retrying like a mail server until it is accepted."""
        to = re.search(rb"^To: <?([^\s>]+)", raw, re.MULTILINE)
        assert to is not None
        if self.plan.mailbox is not None:
            recipient = to[1].decode()
            await asyncio.to_thread(
                self.plan.mailbox.deliver, f"u{IMAP_USER}", raw, to=recipient, sender=self.address
            )
            return
        while True:
            with suppress(OSError, aiosmtplib.SMTPException):
                await Correspondent.send(self, raw)
                return
            await asyncio.sleep(0.5)


def game_of(mail: ReceivedMail) -> str:
    """Return the game of a message, from its reply address, or the address itself."""
    match = re.search(r"\+s-([a-z0-9]{10})", mail.reply_to)
    return mail.reply_to if match is None else match[1]


def moves_of(mail: ReceivedMail) -> Iterator[tuple[str, str, str]]:
    """Yield address, subject and text of each button for a move of the message's list."""
    moves = {move.strip() for move in re.findall(r"^ +\d{2,4}  (.+)$", mail.text, re.MULTILINE)}
    for link in re.findall(r'href="(mailto:[^"]+)"', mail.html):
        parts = urlsplit(html.unescape(link))
        query = parse_qs(parts.query)
        body = query.get("body", [""])[0]
        if body.strip() in moves:
            yield unquote(parts.path), query.get("subject", [""])[0], body


async def play(plan: Plan) -> str:
    """Play, kill, upgrade, and play on. Return what happened. Raises: UpgradeError."""
    async with open_post_office([address_of(name) for name in NAMES]) as office:
        old, port = Program(plan.old, plan.folder), free_port()
        new = Program(plan.new, plan.folder, plan.games)
        people = [
            Person(
                name, address_of(name), client, office.mailboxes[address_of(name)], port, plan=plan
            )
            for name, client in zip(NAMES, CLIENTS.values(), strict=True)
        ]
        await old.run(*init_words(plan, office, port))
        tasks = [asyncio.create_task(person.play()) for person in people]
        try:
            async with asyncio.timeout(patience(RUN_SECONDS)):
                early = await play_before(old, office, people)
                games = await old.run("game", "list")
                await upgrade(plan, old, new)
                answers = sum([await person.come_back() for person in people])
                await end(new, tasks)
                await new.stop()
        finally:
            for task in tasks:
                task.cancel()
            for program in (old, new):
                await program.kill()
    ended = [game["game"] for game in games]
    await verify(plan, new, ended, early)
    tapped = sum(person.tapped for person in people)
    if not tapped:
        raise UpgradeError("no message of the old program had a button")
    return f"{len(ended)} games, {answers} answers to old messages, {tapped} of them by a button"


def init_words(plan: Plan, office: PostOffice, port: int) -> list[str]:
    """Return the words of `pbem init`."""
    words = ["init", "--address", "u1@play.example", "--smtp-host", "127.0.0.1"]
    words += ["--smtp-port", str(office.port), "--smtp-security", "none"]
    if plan.mailbox is None:
        words += ["--listen", f"smtp:127.0.0.1:{port}"]
    else:
        password = plan.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o600)
        words += ["--imap-host", "127.0.0.1", "--imap-port", str(plan.mailbox.imap)]
        words += ["--imap-security", "none", "--imap-username", f"u{IMAP_USER}"]
        words += ["--imap-password-file", str(password)]
    return words + (["--database", plan.url] if plan.url else [])


async def play_before(old: Program, office: PostOffice, people: list[Person]) -> Path:
    """Begin games and play until the old program is killed. Return the export of a short game."""
    await old.serve()
    await old.run("league", "new", LEAGUE)
    ids = await asyncio.gather(
        *(new_game(old, ruleset, count, *options) for ruleset, count, options in GAMES)
    )
    while len({game_of(mail) for mail in people[0].unanswered}) < len(GAMES):  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    for person in people[:2]:
        mail = person.unanswered[0]
        await person.send(person.client(mail, person.address, "join league winter"))
    await until(old, "league show winter", lambda shown: len(shown[0]["standings"]) == 2)
    await old.run("league", "start", "winter")
    for person in people:
        await person.come_back()
    await until(old, f"game show {ids[BOTS]}", lambda shown: shown[0]["status"] == "running")
    await old.run("game", "bot", ids[BOTS], "1", "--reason", "Bob is away.")
    while ids[SHORT] not in people[0].ended:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    early = old.folder / "early.jsonl"
    await old.run("export", ids[SHORT], "--out", str(early))
    killed, number = asyncio.Event(), len(office.delivered) + MAILS_MORE

    async def kill() -> None:
        if len(office.delivered) > number and not killed.is_set():
            for person in people:
                person.is_away = True
            killed.set()
            await old.kill()  # this ends the connection and so cancels this task

    office.on_delivered = kill
    await killed.wait()
    await old.kill()
    return early


async def new_game(program: Program, ruleset: str, count: int, *options: str) -> str:
    """Create a game with some of the people and return its id."""
    words = [f"-p{name}={address_of(name)}" for name in NAMES[:count]]
    words += [f"-o{option}" for option in options]
    (row,) = await program.run("game", "new", ruleset, *words)
    return str(row["game"])


async def until(
    program: Program, words: str, is_true: Callable[[list[dict[str, Any]]], bool]
) -> None:
    """Run a command repeatedly until its output is as expected."""
    while not is_true(await program.run(*words.split())):  # noqa: ASYNC110  (another process)
        await asyncio.sleep(POLL_SECONDS)


async def end(program: Program, players: list[asyncio.Task[None]]) -> None:
    """Wait until all games have ended. Raises the error of a player that failed."""
    ended = asyncio.create_task(
        until(program, "game list", lambda rows: all(row["status"] in ENDED for row in rows))
    )
    done, _ = await asyncio.wait([ended, *players], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def upgrade(plan: Plan, old: Program, new: Program) -> None:
    """Follow docs/install.md, "Upgrading". Raises: UpgradeError."""
    if not plan.url:
        await old.run("db", "backup", "before.sqlite3")
    await new.run("db", "upgrade")
    await new.run("db", "check")
    await new.serve()
    await new.run("doctor")


async def verify(plan: Plan, new: Program, games: list[str], early: Path) -> None:
    """Verify and export each game. Import all exports into another installation."""
    other = Program(new.commands, plan.folder / "other", plan.games)
    other.folder.mkdir()
    words = ["init", "--address", "game@other.example", "--smtp-host", "127.0.0.1"]
    words += ["--smtp-security", "none"]
    await other.run(*words, *(["--database", plan.spare_url] if plan.spare_url else []))
    await asyncio.gather(
        new.run("db", "check"),
        check_export(plan, other, early),
        *(verify_game(plan, new, other, game) for game in games),
    )
    await other.run("db", "check")


async def verify_game(plan: Plan, new: Program, other: Program, game: str) -> None:
    """Verify a game where it was played, and its export elsewhere."""
    file = plan.folder / f"{game}.jsonl"
    await new.run("verify", game)
    await new.run("export", game, "--out", str(file))
    await check_export(plan, other, file)


async def check_export(plan: Plan, other: Program, file: Path) -> None:
    """Verify an export by verify.py of both versions, and import it."""
    for root in (plan.old.parents[1] / "sources", ROOT):
        await run_script(root / "docs" / "verify.py", file)
    await other.run("import", str(file))


async def run_script(script: Path, log: Path) -> None:
    """Run a verify.py on an export. Raises: UpgradeError."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), str(log)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    if process.returncode:
        raise UpgradeError(f"{script} {log.name}:\n{printed.decode()}")
