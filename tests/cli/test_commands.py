"""Test every command: help, exit codes, JSON, and a clear text for every error."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from sqlalchemy import text
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.config import load_config
from pbem.domain.play import acts
from pbem.domain.table.game import Game
from pbem.service.change import changing
from pbem.store.rows.core import PLAYER
from tests.cli.conftest import Shell


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command of the tree, including groups."""
    yield path
    for name in getattr(group, "commands", {}):
        yield from commands(group.get_command(typer.Context(group), name), (*path, name))


TREE = list(commands(typer.main.get_command(app)))
LEAVES = [path for path in TREE if not any(p[:-1] == path for p in TREE if p)]


@pytest.mark.parametrize("path", [path for path in TREE if path not in LEAVES], ids=" ".join)
def test_every_group_has_help(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_shows_an_example(path: tuple[str, ...]) -> None:
    """A line to copy, which begins with the command itself."""
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output
    example = re.search(r"^  Example:\n    pbem ([a-z -]+)", result.output, re.MULTILINE)
    assert example is not None
    assert "…" not in result.output.partition("Options:")[0]
    assert example.group(1).split()[: len(path)] == list(path)
    assert "--json" in result.output


@pytest.mark.parametrize(
    ("args", "error", "further"),
    [
        (["game", "shwo"], "No such command 'shwo'. Did you mean 'show'?", "pbem game --help"),
        (["game", "show"], "Missing argument 'game'.", "pbem game show --help"),
        (["--nonsense"], "No such option: --nonsense", "pbem --help"),
        (["doctor", "--patience", "x"], "Invalid value for '--patience'", "pbem doctor --help"),
    ],
)
def test_a_usage_error_says_what_to_do_next(args: list[str], error: str, further: str) -> None:
    """One line with the error, the usage, the help to read; or all of it as JSON."""
    said = CliRunner().invoke(app, args, prog_name="pbem")
    lines = said.stderr.splitlines()
    assert lines[0].startswith(f"error: {error}")
    assert lines[1].startswith("Usage: pbem ")
    assert lines[-1] == f"next:  {further}"
    told = CliRunner().invoke(app, [*args, "--json"], prog_name="pbem")
    assert (told.exit_code, told.stderr) == (2, "")
    answer = json.loads(told.stdout)
    assert answer == {"ok": False, "error": answer["error"], "rule": None, "next": further}
    assert answer["error"].startswith(error)


# --- games ----------------------------------------------------------------------------------------

PLAYERS = ("-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org")


def test_new_game_is_listed_and_shown(shell: Shell) -> None:
    """Made, listed, shown: as text and as JSON."""
    made = shell.json("game", "new", "phyliss", *PLAYERS, "-o", "deals=2", "--time-per-move", "36h")
    assert made["ok"] is True
    assert re.fullmatch("[a-z2-7]{10}", made["game"])
    assert re.fullmatch("[0-9a-f]{64}", made["commitment"])
    shown = shell.json("game", "show", made["game"])
    assert shown["status"] == "inviting"
    assert shown["options"]["deals"] == 2
    assert [seat["name"] for seat in shown["seats"]] == ["Anna", "Bob"]
    assert "You play 2 deals." in shell.done("game", "show", made["game"])
    listed = shell.json("game", "list")
    assert listed["game"] == made["game"]
    assert made["game"] in shell.done("game", "list", "--status", "inviting")
    assert made["game"] not in shell.done("game", "list", "--status", "running")
    assert "Anna" in shell.done("game", "show", made["game"])
    assert made["commitment"] not in (shown["head"], "")
    assert shell.table.game(made["game"]).time_per_move == 36 * 3600


def test_games_are_listed_with_who_plays_and_whose_turn_it_is(shell: Shell) -> None:
    """Names, no addresses; the seats whose clock runs, and until when."""
    waiting, running = shell.table.new_game(3), shell.table.started(2)
    seat = running.to_act[0]
    listed = [json.loads(line) for line in shell.done("game", "list", "--json").splitlines()]
    rows = sorted(listed, key=lambda row: row["game"] == running.id)  # made at one instant
    assert [row["game"] for row in rows] == [waiting.id, running.id]
    assert [row["players"] for row in rows] == [["Anna", "Bob", "Carol"], ["Anna", "Bob"]]
    assert [row["to_act"] for row in rows] == [[], [["Anna", "Bob"][seat]]]
    assert (rows[0]["due_at"], rows[0]["silent_since"]) == (None, None)
    assert rows[1]["due_at"] == "2026-11-24T12:00:00+00:00"
    assert rows[1]["silent_since"] == "2026-11-21T12:00:00+00:00"
    shell.table.clock.forward(days=1, hours=3, minutes=59)
    said = " ".join(shell.done("game", "list").split())
    assert "1d 3h" in said
    assert "Anna, Bob" in said
    assert "example.org" not in said


def test_a_game_is_named_by_the_beginning_of_its_id(shell: Shell) -> None:
    """If only one begins so; otherwise they are listed, and nothing is done."""
    games = [shell.table.new_game(2) for _ in range(2)]
    ids = sorted(game.id for game in games)
    length = next(n for n in range(1, 10) if ids[0][:n] != ids[1][:n])
    assert shell.json("game", "show", ids[0][:length].upper())["game"] == ids[0]
    with shell.table.service.store.unit_of_work() as uow:
        uow.projections._connection.execute(
            text("UPDATE game SET id = :twin WHERE id = :id"),
            {"twin": f"{ids[0][:9]}0", "id": ids[1]},
        )
    said = shell.refused("game", "stop", ids[0][:8], "--reason", "over")
    assert f"Several games begin with {ids[0][:8]}: " in said
    assert ids[0] in said


def offered(words: str) -> list[str]:
    """Return bash's completions for the last word of a line, which may be empty."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    asked["_PBEM_COMPLETE"] = "complete_bash"
    return CliRunner().invoke(app, [], prog_name="pbem", env=asked).output.split()


def test_a_shell_completes_games_players_seats_and_rulesets(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids and seats, no addresses; and nothing, silently, where there is no database."""
    game = shell.table.new_game(2)
    assert offered("pbem game show ") == []
    monkeypatch.setenv("PBEM_CONFIG", str(shell.config))
    players = [row["player"] for row in shell.json("player", "list")]
    assert offered("pbem game show ") == [game.id]
    assert offered(f"pbem export {game.id[:3]}") == [game.id]
    assert offered(f"pbem game remove {game.id} ") == ["0", "1"]
    assert sorted(offered("pbem player rotate ")) == sorted(players)
    assert offered("pbem simulate pha") == ["phalanx", "phase10", "phase10-family"]
    assert offered("pbem rules phal") == ["phalanx"]


@pytest.mark.rule("GEN-14")
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["canasta", *PLAYERS], ["canasta", "phyliss"]),
        (["phylliss", *PLAYERS], ["phyliss"]),
        (["phyliss", *PLAYERS[:2]], ["2"]),
        (["phyliss", *(x for n in "lmnopr" for x in ("-p", f"{n}={n}@example.org"))], ["5"]),
        (["phyliss", *PLAYERS, "-o", "deals=0"], ["deals", "1"]),
        (["phyliss", *PLAYERS, "-o", 'deals={"a":1}'], ["deals"]),
        (["phyliss", *PLAYERS, "-o", "deals=NaN"], ["deals"]),
        (["phyliss", *PLAYERS, "-o", "auto_forced=some"], ["auto_forced", "public", "all", "off"]),
        (["phyliss", *PLAYERS, "-o", "delas=2"], ["delas", "deals"]),
        (["phyliss", *PLAYERS, "-o", "dealer=2"], ["dealer"]),
        (["phyliss", *PLAYERS, "-o", "deals"], ["NAME=VALUE"]),
        (["phyliss", "-p", "Anna", "-p", "Bob=b@example.org"], ["NAME=ADDRESS"]),
        (["phyliss", "-p", "Al=a@example.org", "-p", "al=b@example.org"], ["look alike"]),
        (["phyliss", *PLAYERS[:2], "-p", "http://evil.example=b@example.org"], ["Evil Example"]),
        (["phyliss", "-p", "Al=a@example.org", "-p", "B=A@example.org"], ["seat"]),
        (["phyliss", "-p", "Al=nonsense", "-p", "B=b@example.org"], ["nonsense"]),
        (["phyliss", *PLAYERS, "--time-per-move", "soon"], ["time-per-move"]),
    ],
    ids=lambda value: " ".join(value)[-40:],
)
def test_games_that_cannot_be_made(shell: Shell, args: list[str], words: list[str]) -> None:
    """Exit with 1, name the fault and the allowed values, and create nothing."""
    text = shell.refused("game", "new", *args)
    for word in words:
        assert word in text
    assert shell.done("game", "list", "--json") == ""
    assert shell.table.outbox() == []


@pytest.mark.parametrize("command", [("game", "show"), ("replay",), ("export",), ("verify",)])
def test_unknown_game(shell: Shell, command: tuple[str, ...]) -> None:
    """Exit 1 and its name."""
    for name in ("aaaaaaaaaa", "'; DROP TABLE event"):
        assert name in shell.refused(*command, name)


# --- the log --------------------------------------------------------------------------------------


def running(shell: Shell) -> Game:
    return shell.table.skip(shell.table.started(2), 12)


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize(
    "args", [["--as", "0"], ["--as", "0", "--reveal"], ["--reveal"], ["--as", "0", "--reason", "x"]]
)
def test_eyes_of_a_seat_need_reveal_and_reason(shell: Shell, args: list[str]) -> None:
    """Refused, nothing shown, nothing recorded."""
    game = running(shell)
    shell.refused("replay", game.id, *args)
    assert shell.table.game(game.id).version == game.version


def test_export_verifies_and_a_changed_one_does_not(shell: Shell) -> None:
    """export --out, verify FILE, --head; exit 1 and the event for a changed byte."""
    game = running(shell)
    file = shell.folder / "game.jsonl"
    assert f"holds game {game.id}." in shell.done("export", game.id, "--out", str(file))
    assert shell.done("export", game.id).encode() == file.read_bytes()
    assert "exists already" in shell.refused("export", game.id, "--out", str(file))
    report = shell.json("verify", str(file), "--head", game.head)
    assert (report["ok"], report["events"], report["head"]) == (True, game.version, game.head)
    assert "verified" in shell.done("verify", str(file))
    assert shell.json("verify", game.id)["ok"] is True
    assert "not the log that was mailed" in shell.refused("verify", str(file), "--head", "0" * 64)
    lines = file.read_bytes().split(b"\n")
    lines[5] = lines[5].replace(b"seat", b"saet", 1)
    file.write_bytes(b"\n".join(lines))
    assert "event 5" in shell.refused("verify", str(file))
    result = shell.run("verify", str(file), "--json")
    assert json.loads(result.stdout)["event"] == 5
    file.write_bytes(b"")
    shell.refused("verify", str(file))
    file.write_bytes(b"\x00\xff\n")
    shell.refused("verify", str(file))


# --- mails and the database -----------------------------------------------------------------------


@pytest.mark.parametrize("order", ["say to 3: psst", "next: pickup", "board"])
def test_mails_that_are_done_tell_neither_who_nor_when(shell: Shell, order: str) -> None:
    """An admin who plays cannot find the writer of a private message by comparing the lists with the log."""
    table = shell.table
    table.started(3, ruleset="phyliss")
    table.clock.forward(hours=1, minutes=37, seconds=21)
    waiting = int(table.game(table.inbox()[0].game_id or "").to_act[0])
    table.answer((waiting + 1) % 3, order)
    mail, answer = table.inbox()[-1], table.outbox()[-1]
    assert (mail.seat is not None, mail.status) == (True, "done")
    shown = [
        shell.json("mail", "inbox")[0],
        shell.json("mail", "show", str(mail.id)),
        shell.json("mail", "outbox", "list")[0],
        shell.json("mail", "outbox", "show", str(answer.id)),
    ]
    for told in shown:
        assert told["game"] == mail.game_id
        assert told["seat"] is None
        assert told.get("player") is None
        assert "event" not in told
        assert "13:37" not in str(told)
        assert "2026-11-21" in str(told)
        assert f".{table.game(mail.game_id or '').version}." not in str(told.get("message_id"))
    # A Message-ID of ours proves as much as a reply address: only its beginning is printed.
    whole = answer.message_id
    assert [told["message_id"] for told in shown[2:]] == [
        f"{whole[:8]}…@{whole.partition('@')[2]}"
    ] * 2
    words = "".join(shell.done("mail", *what) for what in (["inbox"], ["outbox", "list"]))
    assert "13:37" not in words


def test_database_commands(shell: Shell) -> None:
    """upgrade is idempotent, check says sound, rebuild keeps it so."""
    running(shell)
    assert shell.json("db", "upgrade")["ok"] is True
    assert shell.json("db", "check") == {"ok": True, "problems": []}
    assert shell.json("db", "rebuild") == {"ok": True, "games": 1}
    assert "sound" in shell.done("db", "check")


def test_damaged_projection_is_found_and_mended(shell: Shell) -> None:
    """check exits with 1 and says what to run; rebuild mends it."""
    running(shell)
    with sqlite3.connect(shell.folder / "pbem.sqlite3") as database:
        database.execute("UPDATE game SET status = 'finished'")
    database.close()
    assert "rebuild" in shell.run("db", "check").stderr
    assert shell.run("db", "check").exit_code == 1
    shell.done("db", "rebuild")
    assert shell.json("db", "check")["ok"] is True


def test_database_that_is_newer_than_the_program(shell: Shell) -> None:
    """Refused by every command that opens it, with a text that says why."""
    shell.table.service.store.close()
    with sqlite3.connect(shell.folder / "pbem.sqlite3") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    for args in (
        ("game", "list"),
        ("db", "check"),
        ("serve",),
        ("game", "new", "phyliss", *PLAYERS),
    ):
        assert "newer" in shell.refused(*args)
    assert "newer" in shell.refused("db", "upgrade")


def test_database_without_tables(shell: Shell) -> None:
    """The text says which command makes them."""
    shell.table.service.store.close()
    for file in shell.folder.glob("pbem.sqlite3*"):
        file.unlink()
    assert "pbem db upgrade" in shell.refused("game", "list")
    assert shell.json("db", "upgrade")["ok"] is True
    assert shell.done("game", "list", "--json") == ""


# --- the configuration ----------------------------------------------------------------------------


def test_no_configuration(shell: Shell) -> None:
    """Says how to make one."""
    assert "pbem init" in shell.refused("game", "list", config=False)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("host =", "hots ="), ["hots", "host"]),
        (("[smtp]", "[stmp]"), ["stmp", "smtp"]),
        (("2526", "99999"), ["port"]),
        (('"none"', '"maybe"'), ["security", "starttls"]),
        (("game@play.example.org", "nobody"), ["address"]),
        (("[service]", "[service"), ["TOML"]),
        (('"pbem.key"', '"missing.key"'), ["missing.key"]),
        (("sqlite:///pbem.sqlite3", "oracle://x"), ["url"]),
    ],
    ids=lambda value: str(value[0]),
)
def test_configuration_with_a_mistake(
    shell: Shell, change: tuple[str, str], words: list[str]
) -> None:
    """Exit with 1 and name the file, the key and the allowed values."""
    text = shell.config.read_text(encoding="utf-8")
    assert change[0] in text
    shell.config.write_text(text.replace(*change, 1), encoding="utf-8")
    said = shell.refused("game", "list")
    for word in [*words, "pbem.toml"]:
        assert word in said


@pytest.mark.parametrize(
    "command",
    [("game", "list"), ("health",), ("doctor",), ("serve",), ("db", "check"), ("verify", "x")],
    ids=" ".join,
)
def test_a_database_that_is_not_there_is_not_made(shell: Shell, command: tuple[str, ...]) -> None:
    """A wrong path is an error that names it; no command leaves an empty database behind."""
    text = shell.config.read_text(encoding="utf-8")
    shell.config.write_text(text.replace("pbem.sqlite3", "other.sqlite3"), encoding="utf-8")
    before = sorted(shell.folder.iterdir())
    said = shell.run(*command)
    assert said.exit_code == 1
    text = " ".join(said.output.split())
    assert f"{shell.folder / 'other.sqlite3'}: there is no such database" in text
    assert "`pbem db upgrade`" in text
    assert "--config" in text
    assert sorted(shell.folder.iterdir()) == before


INIT = ("init", "--address", "game@play.example.org", "--smtp-host", "mail.example.org")


def test_init_writes_files_that_load_and_overwrites_nothing(tmp_path: Path) -> None:
    """All ready, each file for its owner alone; a second init refuses, and changes nothing."""
    file = tmp_path / "new" / "pbem.toml"
    args = (*INIT, "--admin", "root@example.org", "--listen", "lmtp:127.0.0.1:2525")
    result = CliRunner().invoke(app, [*args, "--out", str(file), "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["ok"] is True
    key_file = Path(said["key_file"])
    assert [path for path in file.parent.iterdir() if path.stat().st_mode & 0o077] == []
    config = load_config(file, {})
    assert config.service.address == "game@play.example.org"
    assert config.service.admins == ("root@example.org",)
    assert config.listen is not None
    assert key_file.read_text(encoding="ascii").strip() not in result.output
    listed = CliRunner().invoke(app, ["game", "list", "--config", str(file), "--json"])
    assert (listed.exit_code, listed.stdout) == (0, "")
    before = {path.name: path.read_bytes() for path in file.parent.glob("pbem.[tk]*")}
    again = CliRunner().invoke(app, [*INIT, "--out", str(file)])
    assert again.exit_code == 1
    assert "exists already" in again.stderr
    assert {path.name: path.read_bytes() for path in file.parent.glob("pbem.[tk]*")} == before


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("--listen", "lmtp"), "lmtp:127.0.0.1:2525"),
        (("--listen", "http:127.0.0.1:2525"), "protocol"),
        (("--smtp-port", "0"), "port"),
        (("--smtp-security", "maybe"), "security"),
        (("--time-zone", "Mars/Olympus"), "time_zone"),
        (("--admin", "nobody"), "admins"),
        (("--address", "nobody"), "address"),
        (("--database", "oracle://x"), "url"),
        (("--database", "sqlite:////nosuch/x.sqlite3"), "/nosuch/x.sqlite3: cannot be created"),
        (("--imap-host", "imap.example.org"), "--imap-password-file"),
    ],
)
def test_init_with_a_mistake_leaves_nothing_behind(
    tmp_path: Path, args: tuple[str, str], word: str
) -> None:
    """Refused with the key that is wrong; the same command without the mistake works at once."""
    file = tmp_path / "pbem.toml"
    result = CliRunner().invoke(app, [*INIT, *args, "--out", str(file)])
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.stderr
    assert word in result.stderr
    good = CliRunner().invoke(app, [*INIT, "--out", str(file)])
    assert good.exit_code == 0, good.output


def test_init_asks_for_other_ways_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listener with its usual place, or nothing but the pipe."""
    monkeypatch.setattr("pbem.cli.init._is_interactive", lambda: True)
    lmtp, pipe = tmp_path / "lmtp.toml", tmp_path / "pipe.toml"
    CliRunner().invoke(app, [*INIT, "--out", str(lmtp)], input="lmtp\n\n\n\n\nn\n")
    said = CliRunner().invoke(
        app,
        [*INIT, "--out", str(pipe)],
        input="pipe\n\n\nhttp://example.org\nhttps://example.org/\nn\n",
    )
    listen = load_config(lmtp, {}).listen
    assert listen is not None
    assert (listen.protocol, listen.port) == ("lmtp", 2525)
    assert load_config(pipe, {}).listen is None
    web = load_config(pipe, {}).web
    assert web is not None
    assert web.url == "https://example.org"
    assert load_config(lmtp, {}).web is None
    assert "pbem receive" in said.stdout


def test_init_without_a_proxy_on_this_machine(tmp_path: Path) -> None:
    """The service listens itself at an address of this machine; otherwise where a proxy finds it."""
    here, away = tmp_path / "here.toml", tmp_path / "away.toml"
    for file, url in ((here, "http://127.0.0.1:9025"), (away, "https://example.org:9025")):
        result = CliRunner().invoke(app, [*INIT, "--web-url", url, "--out", str(file)])
        assert result.exit_code == 0, result.output
    sections = [load_config(file, {}).web for file in (here, away)]
    assert [web and web.listen for web in sections] == ["127.0.0.1:9025", "127.0.0.1:8025"]


def test_texts_do_not_command_the_terminal(shell: Shell) -> None:
    """Names with brackets are no mark-up, and control characters of a foreign log are not printed."""
    game = shell.table.new_game(2)
    with shell.table.service.store.unit_of_work() as uow:  # no command lets people be called so
        anna = PLAYER.c.id == game.seats[0].player
        uow.connection.execute(PLAYER.update().where(anna).values(name="[/red]"))
    for command in (("game", "show", game.id), ("player", "list"), ("replay", game.id)):
        assert "[/red]" in shell.done(*command)
    assert "[/red]" in shell.done("player", "rotate", "[/red]")
    with shell.table.service.store.unit_of_work() as uow:
        actor = "admin:[/]\x1b[2Jeve"
        with changing(
            shell.table.service, uow, game.id, actor=actor, cause="command:eve"
        ) as change:
            acts.stop(change.decision, "enough")
    for command in (("replay", game.id), ("audit", game.id), ("audit", game.id, "--move", "@4")):
        said = shell.run(*command)
        assert said.exit_code == 0
        assert "\x1b[2J" not in said.stdout
