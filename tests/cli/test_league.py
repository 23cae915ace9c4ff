"""Test `pbem league …`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell
from tests.service.league.club import Club, named

WISH = "phyliss, 2 rounds, tables of 2, 1d per move, called winter"


def test_from_new_to_stop(shell: Shell, tmp_path: Path) -> None:
    """An admin makes a league and looks after it; players join it by mail."""
    assert 'The league winter is open: "join league winter"' in shell.done("league", "new", WISH)
    assert "Nobody else has joined" in shell.refused("league", "start", "winter")
    club = Club(shell.table, [*named(3)])
    for name in club.names:
        club.write(name, "join league winter")
    shell.done("league", "start", "winter")
    (row,) = [shell.json("league", "list")]
    assert (row["league"], row["status"], row["players"], row["round"]) == (
        "winter",
        "running",
        3,
        1,
    )
    shown = shell.json("league", "show", "winter")
    assert sorted(one["points"] for one in shown["standings"]) == [0, 0, 0.5]
    assert [len(one["players"]) for one in shown["tables"]] == [2]
    assert set(shown["tables"][0]["names"]) <= set(club.names)
    assert {one["name"] for one in shown["standings"]} == set(club.names)
    assert club.names[0] in shell.done("league", "show", "winter")
    assert "1 draws follow" in shell.done("league", "verify", "winter")
    file = tmp_path / "winter.jsonl"
    shell.done("league", "export", "winter", "--out", str(file))
    assert shell.json("league", "verify", str(file))["ok"]
    assert "secret" not in shell.json("league", "show", "winter")
    shell.done("league", "stop", "winter", "--reason", "Too many are away.")
    assert "is over" in shell.refused("league", "stop", "winter", "--reason", "Again.")
    assert "There is no league summer" in shell.refused("league", "show", "summer")


def test_a_damaged_file_is_refused(shell: Shell, tmp_path: Path) -> None:
    shell.done("league", "new", WISH)
    file = tmp_path / "winter.jsonl"
    shell.done("league", "export", "winter", "--out", str(file))
    file.write_bytes(file.read_bytes().replace(b'"rounds":2', b'"rounds":3'))
    assert "was changed" in shell.refused("league", "verify", str(file))
