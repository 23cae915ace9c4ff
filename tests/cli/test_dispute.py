"""`pbem dispute`: listed, shown, answered; the bundle and its judgement offline."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Shell


def test_from_the_complaint_to_the_answer(shell: Shell, tmp_path: Path) -> None:
    """Every command, for people and for machines; the bundle needs a reason while the game runs."""
    game = shell.table.skip(shell.table.started(3), 3)
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, order)
    shell.table.answer(1, "dispute my mail was misread\nsee for yourself")
    assert "1 dispute" in shell.done("dispute", "list")
    assert shell.json("dispute", "list")["number"] == 1
    shown = shell.done("dispute", "show", game.id, "1")
    assert "| see for yourself" in shown
    assert "It is open." in shown
    file = tmp_path / "dispute.json"
    refused = shell.refused("dispute", "bundle", game.id, "1", "--out", str(file))
    assert "reason" in refused
    assert not file.exists()
    wanted = ("dispute", "bundle", game.id, "1", "--out", str(file), "--reason", "Bob asked")
    assert shell.json(*wanted)["bytes"] == file.stat().st_size
    assert file.stat().st_mode & 0o777 == 0o600
    version = shell.table.game(game.id).version
    assert "exists already" in shell.refused(*wanted)
    elsewhere = (*wanted[:5], str(tmp_path / "no" / "such.json"), *wanted[6:])
    assert "its folder" in shell.refused(*elsewhere)
    assert shell.table.game(game.id).version == version
    told = shell.run("dispute", "open-bundle", str(file), config=False)
    assert told.exit_code == 0
    assert "come to the results that were mailed" in told.stdout
    assert "numbers, hashes and commitments hold" in told.stdout
    shell.done("dispute", "resolve", game.id, "1", "--text", "It was read as it stands.")
    assert "0 disputes" in shell.done("dispute", "list")
    assert shell.json("dispute", "list", "--all")["answer"] == "It was read as it stands."
    assert "The answer: It was" in shell.done("dispute", "show", game.id, "1")
    words = shell.table.last_to(0)
    shell.table.run()
    assert "Bob asked" in shell.table.last_to(0).words
    assert shell.table.last_to(0) is not words


def test_what_is_refused(shell: Shell, tmp_path: Path) -> None:
    """Unknown games, numbers and files; a file that is wrong; a result that differs is exit 1."""
    game = shell.table.skip(shell.table.started(2), 2)
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, order)
    name = ("Anna", "Bob")[seat]
    assert shell.json("dispute", "open", game.id, name, "--text", "by telephone")["number"] == 1
    assert "open already" in shell.refused("dispute", "open", game.id, name, "--text", "again")
    assert "no dispute 4" in shell.refused("dispute", "show", game.id, "4")
    assert "no game" in shell.refused("dispute", "show", "aaaaaaaaaa", "1")
    file = tmp_path / "dispute.json"
    assert "No such file" in shell.refused("dispute", "open-bundle", str(file), config=False)
    file.write_text("{}")
    assert "dispute bundle" in shell.refused("dispute", "open-bundle", str(file), config=False)
    file.unlink()
    shell.done("dispute", "bundle", game.id, "1", "--out", str(file), "--reason", "x")
    document = json.loads(file.read_text())
    moved = next(mail for mail in document["mails"] if any(ln["move"] for ln in mail["lines"]))
    moved["lines"][0]["move"] = "pickup everything"
    file.write_text(json.dumps(document))
    told = shell.run("dispute", "open-bundle", str(file), config=False)
    assert told.exit_code == 1
    assert "NOT" in told.stdout
    assert "another result" in told.stdout
    assert shell.run("dispute", "open-bundle", str(file), "--json", config=False).exit_code == 1
