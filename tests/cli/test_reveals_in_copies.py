"""Test the warning before a reveal in a database without a running `pbem serve`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

import pytest

from pbem.domain.table.game import Game
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.transport import RejectedMail
from pbem.service.core import live_database
from pbem.service.intake import accepting as intake
from tests.cli.conftest import Shell
from tests.databases import PostgresServer
from tests.service.conftest import make_table, raw_mail

REASON = ("--reason", "I like to see.")
COPY = "warning: The players will not be notified, because this is a copy"
UNSERVED = "The players are not notified yet, because no `pbem serve` is running on this database"


@pytest.fixture
def game(shell: Shell) -> Game:
    """A running game with a dispute and a mail that was set aside, in a database that is served."""
    table = shell.table
    shell.serve()
    game = table.started(2)
    table.answer(0, "dispute: I did not say that.")
    to = table.last_to(0).reply_to
    raw = raw_mail("anna@example.org", to, "21", message_id="<big@example.org>")
    envelope = Envelope("anna@example.org", to, "smtp", table.clock.now())
    intake.set_aside(table.service, raw, envelope, RejectedMail("damaged", "17"))
    return table.game(game.id)


def copied(shell: Shell) -> None:
    """Copy the database file, and make the next commands use the copy."""
    shell.table.service.store.vacuum()  # all is in one file
    shutil.copy(shell.folder / "pbem.sqlite3", shell.folder / "copy.sqlite3")
    text = shell.config.read_text()
    shell.config.write_text(text.replace("pbem.sqlite3", "copy.sqlite3"))


def restore_triggers(shell: Shell) -> None:
    """Make a backup, and a database of it as after a loss."""
    shell.done("db", "backup", str(shell.folder / "copy.sqlite3"))
    text = shell.config.read_text()
    shell.config.write_text(text.replace("pbem.sqlite3", "copy.sqlite3"))
    shell.done("db", "restored")


def reveals(shell: Shell, game: Game) -> dict[str, tuple[str, ...]]:
    """Every command that opens what is hidden of a running game."""
    out = str(shell.folder / "out")
    return {
        "replay": ("replay", game.id, "--reveal", *REASON),
        "eyes": ("replay", game.id, "--as", "0", "--reveal", *REASON),
        "page": ("replay", game.id, "--html", out, "--reveal", *REASON),
        "diff": ("diff", game.id, "0", f"@{game.version}", "--reveal", *REASON),
        "audit": ("audit", game.id, "--reveal", *REASON),
        "preview": (
            "mail",
            "preview",
            "turn",
            "--game",
            game.id,
            "--as",
            str(game.to_act[0]),
            "--out",
            out,
            *REASON,
        ),
        "shunted": ("mail", "shunted", "show", str(shunted(shell)), "--raw", *REASON),
        "bundle": ("dispute", "bundle", game.id, "1", "--out", out, *REASON),
        "player": ("player", "export", "Anna", "--out", out, "--reveal", *REASON),
        "stop": ("game", "stop", game.id, *REASON),
    }


def shunted(shell: Shell) -> int:
    return next(row.id for row in shell.table.inbox() if row.status == "shunted")


PATHS = (
    "replay",
    "eyes",
    "page",
    "diff",
    "audit",
    "preview",
    "shunted",
    "bundle",
    "player",
    "stop",
)


@pytest.mark.parametrize(
    ("take", "path"), [(restore_triggers, "replay"), *((copied, path) for path in PATHS)]
)
def test_a_look_into_a_copy(
    shell: Shell, game: Game, path: str, take: Callable[[Shell], None]
) -> None:
    """A copy of the file a moment old, or a backup that was put back beside it: said for each path."""
    command = reveals(shell, game)[path]
    take(shell)
    looked = shell.run(*command)
    assert looked.exit_code == 0, looked.output
    assert " ".join(looked.stderr.split()).startswith(COPY)
    assert shell.table.game(game.id).version == game.version, (
        "the players' game knows nothing of it"
    )


def test_a_look_while_nobody_serves(shell: Shell, game: Game) -> None:
    """A service that ended minutes ago, and one that never was, with what becomes of the mails."""
    command = reveals(shell, game)["replay"]
    shell.table.clock.forward(minutes=6)
    looked = shell.run(*command)
    assert UNSERVED in looked.stderr
    assert "2026-11-21 12:00 UTC" in looked.stderr
    with shell.table.service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql("DELETE FROM heartbeat")
    looked = shell.run(*command, "--json")
    assert "none ever was" in looked.stderr
    shell.serve()
    assert shell.run(*command).stderr == ""


def test_databases_of_a_server_are_told_apart(server: PostgresServer) -> None:
    """On PostgreSQL, where a copy is another database; a role without any rights can ask."""
    with server.store() as here, server.store() as there:
        table = make_table(here)
        with here.db_engine.begin() as connection:
            connection.exec_driver_sql("CREATE ROLE anybody")
        live_database.note(table.service)
        with here.reading() as uow, there.reading() as beside:
            assert here.identity(uow) != there.identity(beside)
            assert here.identity(uow) in uow.outages.noted("served:", table.clock.now())[0]
            uow.connection.exec_driver_sql("SET LOCAL ROLE anybody")
            assert here.identity(uow)


def test_a_table_that_lies_opens_nothing(shell: Shell, game: Game) -> None:
    """Whether a game has ended depends on its log, not on a manipulated row."""
    shell.table.answer(0, "board")
    asked = ("player", "export", "Anna", "--out")
    shell.done(*asked, str(shell.folder / "before"))
    with shell.table.service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql("UPDATE game SET status = 'finished'")
    shell.done(*asked, str(shell.folder / "after"))
    assert shell.table.game(game.id).status == "running"
    before, after = (json.loads((shell.folder / name).read_text()) for name in ("before", "after"))
    for part in ("mails_in", "mails_out"):
        assert after[part] == before[part]
        assert all(mail["mail"] is None for mail in before[part] if mail["game"] == game.id)
