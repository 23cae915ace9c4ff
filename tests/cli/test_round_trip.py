"""Test the round trip of a message to the service itself, by each inbound transport."""

from __future__ import annotations

import json
import mailbox
import re
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from typer.testing import CliRunner

from pbem.cli.app import app
from tests.cli.conftest import Shell
from tests.cli.test_doctor import configured, names, served
from tests.mail_servers.places import free_port

__all__ = ["names"]


class Post:
    """A mail server that delivers into a Maildir, refuses, or loses what it is given.

    With `only` it takes mails from this envelope sender alone, and loses mails to others; with
    `renames` it replaces each Message-ID; the first mail is refused for now if it `is_greylisting`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        answer: str = "250 OK",
        *,
        only: str = "",
        renames: bool = False,
        is_greylisting: bool = False,
    ) -> None:
        self.is_greylisting = is_greylisting
        self.folder, self.answer, self.only, self.renames = folder, answer, only, renames
        self.recipients: list[str] = []
        self.senders: list[str] = []

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if self.only and envelope.mail_from != self.only:
            return f"553 5.7.1 <{envelope.mail_from}>: Sender address rejected: not owned by user"
        if self.is_greylisting:
            self.is_greylisting = False
            return "450 4.2.0 greylisted, come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.recipients += envelope.rcpt_tos
        self.senders.append(envelope.mail_from)
        content = envelope.content
        if self.renames:
            content = re.sub(rb"(?m)^Message-ID: .*$", b"Message-ID: <0100@ses.example>", content)
        if self.folder is not None:
            mailbox.Maildir(self.folder).add(content)
        return self.answer


def trip(shell: Shell, patience: int = 20) -> dict[str, str]:
    """Run the check-up; gives the finding about the round trip."""
    result = shell.run("doctor", "--round-trip", "--patience", str(patience), "--json")
    (found,) = [one for one in json.loads(result.stdout)["checks"] if one["name"] == "round trip"]
    return found


def test_by_a_maildir(shell: Shell) -> None:
    post = Post(shell.folder / "Maildir")
    with served(lambda: SMTP(post)) as port:
        configured(shell, port, f'[maildir]\npath = "{post.folder}"\npoll_seconds = 1\n')
        found = trip(shell)
    assert found["status"] == "ok"
    assert "came in by maildir" in found["text"]
    (to,) = post.recipients
    assert to.startswith("game+")


def test_it_leaves_as_mails_to_players_do(shell: Shell) -> None:
    """Find a server that refuses bounce addresses as senders, and try the remedy before advising it."""
    post = Post(shell.folder / "Maildir", only="game@play.example.org")
    with served(lambda: SMTP(post)) as port:
        configured(shell, port, f'[maildir]\npath = "{post.folder}"\npoll_seconds = 1\n')
        found = trip(shell)
    assert found["status"] == "fail"
    assert found["text"] == "not sent: the server refused the sender (553 5.7.1)"
    assert 'addressing = "plain"' in found["remedy"]
    assert "without plus addresses it works" in found["remedy"]
    assert post.senders == ["game@play.example.org"]


def test_a_replaced_message_id_hides_no_mail(shell: Shell) -> None:
    """Some providers replace it: the mail is in the inbox, and is found by its words."""
    post = Post(shell.folder / "Maildir", renames=True)
    with served(lambda: SMTP(post)) as port:
        configured(shell, port, f'[maildir]\npath = "{post.folder}"\npoll_seconds = 1\n')
        found = trip(shell)
    assert found["status"] == "ok"
    assert "its Message-ID was replaced on the way" in found["text"]
    (sender,) = post.senders
    assert sender.startswith("game+b-0-")


def test_a_mail_that_gets_lost_is_missed(shell: Shell) -> None:
    with served(lambda: SMTP(Post())) as port:
        configured(shell, port)
        found = trip(shell, patience=1)
    assert found["status"] == "fail"
    assert "has not come in within 1 seconds" in found["text"]
    assert "game+ANYTHING@play.example.org" in found["remedy"]
    assert 'addressing = "plain" does not help' in found["remedy"]


def test_init_offers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first configuration is tried out as soon as it is written."""
    monkeypatch.setattr("pbem.cli.init._is_interactive", lambda: True)
    port = free_port()
    given = ("init", "--address", "game@play.example.org", "--smtp-host", "127.0.0.1")
    more = (
        "--smtp-port",
        str(port),
        "--smtp-security",
        "none",
        "--listen",
        f"smtp:127.0.0.1:{port}",
    )
    result = CliRunner().invoke(
        app, [*given, *more, "--out", str(tmp_path / "pbem.toml")], input="\n\n\ny\n"
    )
    assert result.exit_code == 0, result.output
    assert "round trip: a mail to ourselves came in by smtp" in " ".join(result.stdout.split())
