"""Test the commands for mail servers and init systems as real processes."""

from __future__ import annotations

import asyncio
import email
import email.policy
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest
from aiosmtpd.smtp import SMTP

from pbem.cli.app import main
from pbem.clock import SystemClock
from pbem.domain.terms.tokens import PlayerToken
from tests.cli.conftest import CONFIG, Shell
from tests.mail_servers.places import free_port
from tests.patience import patience
from tests.service.conftest import raw_mail

ROOT = Path(__file__).parents[2]
BARE = "game@play.example.org"
PATIENCE = 30
"""Seconds until a process that does not do what it should is given up."""


def pbem(*args: str, stdin: bytes = b"", cwd: Path | None = None) -> Any:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return subprocess.run(
        [sys.executable, "-m", "pbem", *args],
        input=stdin,
        capture_output=True,
        timeout=patience(PATIENCE),
        check=False,
        cwd=cwd or ROOT,
        env={**env, "PYTHONPATH": str(ROOT)},
    )


# --- receive --------------------------------------------------------------------------------------


def receive(shell: Shell, raw: bytes, *args: str) -> Any:
    return pbem("receive", "--config", str(shell.config), *args, stdin=raw)


def test_receive_keeps_a_mail_once(shell: Shell) -> None:
    """Exit 0, silently; the second delivery of it too, without a second row."""
    raw = raw_mail("anna@example.org", BARE, "help", message_id="<p@example.org>")
    result = receive(shell, raw, "--from", "anna@example.org", "--to", BARE)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    again = shell.run("receive", "--sender", "anna@example.org", "--recipient", BARE, stdin=raw)
    assert (again.exit_code, again.output) == (0, "")
    (row,) = shell.table.inbox()
    assert (row.status, row.transport, row.rcpt_to) == ("new", "pipe", BARE)


@pytest.mark.parametrize("way", ["environment", "header", "pipe"])
def test_receive_finds_the_envelope(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Read it from the server's variables, otherwise from its header fields. A null sender is empty."""
    raw = raw_mail("anna@example.org", "list@example.org", "x", message_id="<e@example.org>")
    address = shell.table.service.tokens.address(PlayerToken("anna"))
    args: tuple[str, ...] = ()
    match way:
        case "environment":
            monkeypatch.setenv("SENDER", "MAILER-DAEMON")
            monkeypatch.setenv("RECIPIENT", BARE)
            monkeypatch.setenv("ORIGINAL_RECIPIENT", address)
        case "header":
            noted = f"Return-Path: <>\r\nDelivered-To: {BARE}\r\nX-Original-To: {address}\r\n"
            raw = noted.encode() + raw
        case _:
            args = ("--sender", "", "--recipient", f"<{address}>")
    assert shell.run("receive", *args, stdin=raw).exit_code == 0
    (row,) = shell.table.inbox()
    assert (row.mail_from, row.rcpt_to) == ("", address)


IN_A_PROCESS = "75 newer"
"""One case shows that a code is that of the process; which one it is, is decided before it ends."""


@pytest.mark.parametrize(
    "case", ["65", "67", "75 newer", "75 no tables", "75 wrong key", "75 no file"]
)
def test_receive_says_why_not_in_sysexits_codes(shell: Shell, case: str) -> None:
    """65: refused; 67: no such address; 75: a fault of ours, so that the message waits."""
    raw = raw_mail("anna@example.org", BARE, "help", message_id="<c@example.org>")
    args: tuple[str, ...] = ("--to", BARE)
    match case:
        case "65":
            raw += b"junk\r\n" * (1024 * 1024 // 6 + 1)
        case "67":
            args = ("--to", "game+s-aaaaaaaaaa-0-1-5-6-aaaaaaaaaaaaaaaa@play.example.org")
        case "75 newer":
            with shell.table.service.store.db_engine.begin() as connection:
                connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        case "75 no tables":
            shell.table.service.store.close()
            for file in shell.folder.glob("pbem.sqlite3*"):
                file.unlink()
        case "75 wrong key":
            shell.config.write_text(CONFIG.replace("host =", "hots ="), encoding="utf-8")
        case _:
            shell.config.unlink()
    result = shell.run("receive", *args, stdin=raw)
    assert result.exit_code == int(case[:2]), result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.strip()
    assert "anna@" not in result.stderr
    if case == IN_A_PROCESS:
        ran = receive(shell, raw, *args)
        assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (
            result.exit_code,
            b"",
            result.stderr,
        )
    again = shell.run("receive", *args, "--json", stdin=raw)
    assert again.exit_code == int(case[:2])
    assert json.loads(again.stdout)["ok"] is False
    if case[:2] in ("65", "67"):
        assert shell.table.inbox() == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("receive extra", 75),
        ("receive --to", 75),
        ("--confg x receive", 75),
        ("recieve --to x", 75),
        ("health --confg x", 2),
        ("frobnicate", 2),
    ],
)
def test_a_mistyped_command(monkeypatch: pytest.MonkeyPatch, words: str, code: int) -> None:
    """Only what a mail server runs asks for another try."""
    monkeypatch.setattr(sys, "argv", ["pbem", *words.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code


# --- serve ----------------------------------------------------------------------------------------


@dataclass
class Sink:
    """A mail server that takes everything and keeps it."""

    mails: list[tuple[str, email.message.EmailMessage]] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_DATA(self, _server: SMTP, _session: object, envelope: Any) -> str:  # noqa: N802
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, email.message.EmailMessage)
        self.mails.append((envelope.rcpt_tos[0], message))
        self.arrived.set()
        return "250 OK"

    async def until(self, count: int) -> None:
        async with asyncio.timeout(patience(PATIENCE)):
            while len(self.mails) < count:
                self.arrived.clear()
                await self.arrived.wait()

    def last_to(self, address: str) -> email.message.EmailMessage:
        return next(mail for rcpt, mail in reversed(self.mails) if rcpt == address)


@asynccontextmanager
async def sink() -> AsyncIterator[tuple[Sink, int]]:
    loop = asyncio.get_running_loop()
    kept = Sink()
    server = await loop.create_server(
        lambda: SMTP(kept, enable_SMTPUTF8=True, loop=loop), host="127.0.0.1", port=0
    )
    try:
        yield kept, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def served(shell: Shell, out: int) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """`pbem serve` with a listener, sending to port `out`; gives the process and its port."""
    config = CONFIG.replace("2526", str(out))
    config += f'timeout = 5\n[listen]\nprotocol = "smtp"\nport = {free_port()}\n'
    shell.config.write_text(config, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pbem", "serve", "--config", str(shell.config), "--json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(patience(PATIENCE)):
            line = await process.stdout.readline()
        assert line, await process.communicate()
        ready = json.loads(line)
        assert ready["ready"] is True
        yield process, ready["port"]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def send(port: int, raw: bytes, to: str) -> None:
    async with aiosmtplib.SMTP(
        hostname="127.0.0.1", port=port, use_tls=False, start_tls=False
    ) as client:
        await client.sendmail("anna@example.org", [to], raw)


async def test_serve_takes_answers_and_stops(shell: Shell) -> None:
    """A game is begun over real SMTP: invitations out, joins in, turn mails out; SIGTERM ends it."""
    shell.table.clock.instant = SystemClock().now()  # the service runs by the clock of the machine
    made = await asyncio.to_thread(
        shell.json, *("game", "new", "phyliss", "-p", "Anna=anna@example.org"),
        *("-p", "Bob=bob@example.org"),
    )  # fmt: skip
    people = ("anna@example.org", "bob@example.org")
    async with sink() as (mails, out), served(shell, out) as (process, port):
        await mails.until(2)
        assert {rcpt for rcpt, _ in mails.mails} == set(people)
        for number, person in enumerate(people):
            to = email.utils.parseaddr(mails.last_to(person)["Reply-To"])[1]
            raw = raw_mail(person, to, "join", message_id=f"<j{number}@example.org>")
            await send(port, raw, to)
            await mails.until(3 + 2 * number)
        await mails.until(5)
        bodies = [mails.last_to(person).get_body(("plain",)) for person in people]
        words = [" ".join(body.get_content().split()) for body in bodies if body is not None]
        assert ["Your turn: " in one for one in words] in ([True, False], [False, True])
        for one in words:
            assert "Your hand, " in one
            assert ("Your turn: " in one) != ("The cards are dealt" in one)
        with pytest.raises(aiosmtplib.SMTPRecipientsRefused):
            await send(port, raw, "game+nonsense@play.example.org")
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(patience(PATIENCE)):
            _, errors = await process.communicate()
        assert process.returncode == 0
        assert b"Traceback" not in errors
        for private in (b"@", b"anna", b"Anna"):
            assert private not in errors
    assert (await asyncio.to_thread(shell.json, "game", "show", made["game"]))[
        "status"
    ] == "running"
    assert (await asyncio.to_thread(shell.json, "db", "check"))["ok"] is True
