"""Test the output of `pbem import`, `db backup` and `player export|forget`."""

from __future__ import annotations

import json
import shutil

from pbem.service.admin import acts
from tests.cli.conftest import Shell


def test_import_of_what_is_no_export(shell: Shell) -> None:
    """No file, no export, a changed one, a running game: exit 1 and why."""
    file = shell.folder / "game.jsonl"
    assert "No such file" in shell.refused("import", str(file))
    file.write_bytes(b"\x00\xff\n")
    assert "damaged" in shell.refused("import", str(file))
    game = shell.table.new_game(2)
    file.unlink()
    shell.done("export", game.id, "--out", str(file))
    assert "still runs" in shell.refused("import", str(file))
    lines = file.read_bytes().splitlines(keepends=True)
    event = json.loads(lines[1])
    lines[1] = lines[1].replace(event["hash"][:8].encode(), b"0" * 8)
    file.write_bytes(b"".join(lines))
    assert "event 1 was changed" in shell.refused("import", str(file))


def test_backup_names_what_is_not_in_it(shell: Shell) -> None:
    """Games and rows, and the files that are needed beside it; no second one in its place."""
    shell.table.new_game(2)
    file = shell.folder / "copy.sqlite3"
    text = shell.done("db", "backup", str(file))
    assert "1 game" in text
    assert str(shell.folder / "pbem.toml") in text
    assert str(shell.folder / "pbem.key") in text
    shell.refused("db", "backup", str(file))
    said = shell.json("db", "backup", str(shell.folder / "second.sqlite3"))
    assert said["rows"]["player"] == 2
    names = ("pbem.toml", "pbem.keys", "pbem.key")
    assert said["needed_too"] == [str(shell.folder / name) for name in names]
    assert said["variables"] == []


def test_backup_is_put_back_as_the_chapter_says(shell: Shell) -> None:
    """docs/runbook.md, "Restore a backup", step by step; the copy alone is not served, and what was lost moves nothing."""
    table, database = shell.table, shell.folder / "pbem.sqlite3"
    game = table.started(2)
    seat = int(game.to_act[0])
    backup = shell.folder / "copy.sqlite3"
    shell.done("db", "backup", str(backup))
    to = table.last_to(seat).reply_to
    lost = table.answer(seat, "21")
    table.service.store.close()  # 1. stop
    damaged = shell.folder / "damaged"
    damaged.mkdir(mode=0o700)
    for file in shell.folder.glob("pbem.sqlite3*"):  # 3. put aside
        file.rename(damaged / file.name)
    shutil.copy(backup, database)  # 4. the copy in its place
    table.clock.forward(hours=20)
    assert "sound" in shell.done("db", "check")  # 5.
    assert "copy that `pbem db backup` made at 2026-11-21 12:00 UTC" in shell.refused("serve")
    assert "is a copy" in shell.run("doctor", "--round-trip", "--json").stdout
    table.receive(lost, to)  # 6. moved back
    said = shell.done("db", "restored")  # 7.
    assert "2026-11-21 12:00 UTC" in said
    assert "void, of" in said
    assert "was run in it" in shell.refused("db", "restored")
    table.run()  # 8. start
    assert table.game(game.id).position == game.position
    assert "was replaced by a new one" in table.last_to(seat).words
    table.answer(seat, "21")
    assert table.game(game.id).position > game.position
    assert "sound" in shell.done("db", "check")
    table.clock.forward(hours=1)
    again = shell.json("db", "restored", "--unmarked")
    assert (again["ok"], again["players"], again["games"]) == (True, 2, [game.id])


def test_person_is_handed_out_and_forgotten(shell: Shell) -> None:
    """Only the owner can read the exported file. After `forget`, no player has that name."""
    acts.stop(shell.table.service, shell.table.new_game(2).id, "Nobody has time.")
    file = shell.folder / "anna.json"
    shell.done("player", "export", "Anna", "--out", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_bytes())["addresses"] == ["anna@example.org"]
    shell.refused("player", "export", "Anna", "--out", str(file))
    assert "names the person" in shell.refused("player", "forget", "Anna", "--reason", "Anna left.")
    said = shell.json("player", "forget", "anna@example.org", "--reason", "By letter.")
    assert said["wiped"] is True
    assert "no player" in shell.refused("player", "forget", "Anna", "--reason", "By letter.")
    assert "1 game verified" in shell.done("player", "forget", "Bob", "--reason", "By letter.")
    assert "rewritten" in shell.done("db", "vacuum")
    assert shell.done("player", "list", "--json") == ""
