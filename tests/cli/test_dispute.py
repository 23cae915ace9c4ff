"""Test `pbem dispute`: list, show, answer, and the offline check of the bundle."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from pbem.domain.log.chain import NewEvent
from pbem.domain.log.events import MovePlayed
from tests.cli.conftest import Shell
from tests.service.conftest import NAMES
from tests.service.logbook.test_tampering import written_anew


def test_from_the_complaint_to_the_answer(shell: Shell, tmp_path: Path) -> None:
    """Every command, for people and for machines; the bundle needs a reason while the game runs."""
    shell.serve()
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
    shell.refused(*wanted)
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
    """Unknown games, numbers and invalid files are refused. A different result gives exit code 1."""
    shell.serve()
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


def test_a_bundle_names_what_no_mail_caused(shell: Shell, tmp_path: Path) -> None:
    """A move in the complainant's name that no mail of the seat caused: the file alone tells."""
    table = shell.table
    shell.serve()
    game = table.skip(table.started(2), 2)
    seat, order = table.standby(game)
    table.answer(seat, order)
    at = next(e.version for e in table.log(game)[::-1] if isinstance(e.event, MovePlayed))

    def change(events: list[NewEvent]) -> list[NewEvent]:
        forged = replace(events[at - 1], cause="mail:" + "0" * 64)
        return [*events[: at - 1], forged, *events[at:]]

    table.answer(seat, f"dispute I did not write {order}")
    file = tmp_path / "honest.json"
    shell.done("dispute", "bundle", game.id, "1", "--out", str(file), "--reason", "x")
    assert shell.run("dispute", "open-bundle", str(file), config=False).exit_code == 0
    written_anew(table, game, change)
    file = tmp_path / "forged.json"
    shell.done("dispute", "bundle", game.id, "1", "--out", str(file), "--reason", "x")
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "sent": []}))  # what was mailed names the other log
    told = shell.run("dispute", "open-bundle", str(file), config=False)
    assert told.exit_code == 1
    words = f"event {at} was made in {NAMES[seat]}'s name, but no mail in this file has"
    assert words in " ".join(told.stdout.split())
    said = shell.run("dispute", "open-bundle", str(file), "--json", config=False)
    assert json.loads(said.stdout)["unfounded"] == [at]
