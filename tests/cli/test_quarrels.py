"""Test the usual disputes of docs/disputes.md, opened by mail and settled with its commands."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.domain.table.game import Game
from tests.cli.conftest import Shell

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("Anna", "Bob")


@pytest.fixture
def game(shell: Shell) -> Game:
    return shell.table.skip(shell.table.started(2), 4)


def complain(shell: Shell, seat: int, words: str, to: str | None = None) -> None:
    shell.table.answer(seat, f"dispute {words}", to=to)
    assert shell.json("dispute", "list")["number"] == 1


def resolved(shell: Shell, game: Game, answer: str) -> None:
    """Both players read the answer, and the clock runs again."""
    shell.done("dispute", "resolve", game.id, "1", "--text", answer)
    shell.table.run()
    assert all(answer in shell.table.last_to(seat).words for seat in (0, 1))
    assert shell.table.game(game.id).paused_at is None


def evidence(shell: Shell, game: Game, file: Path) -> dict:
    shell.done(
        "dispute", "bundle", game.id, "1", "--out", str(file), "--reason", "to see what came"
    )
    told = shell.run("dispute", "open-bundle", str(file), config=False)
    assert told.exit_code == 0, told.output
    return json.loads(file.read_text(encoding="utf-8"))


def test_i_wrote_something_else(shell: Shell, game: Game, tmp_path: Path) -> None:
    """The bundle shows the line as it came; the move is taken back all the same."""
    shell.serve()
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, f"{order}\nHave a nice day")
    after = shell.table.game(game.id)
    complain(shell, seat, "I meant another card")
    found = evidence(shell, game, tmp_path / "dispute.json")
    assert any(line["line"] == order for mail in found["mails"] for line in mail["lines"])
    assert "mail" in shell.done("audit", game.id, "--move", "5")
    shell.done("game", "undo", game.id, "--to", "5", "--reason", "Anna clicked beside it")
    again = shell.table.game(game.id)
    assert again.ruleset.ply(again.state) == after.ruleset.ply(after.state) - 1
    resolved(shell, game, "Move 5 is taken back this once.")
    shell.table.answer(seat, order)
    assert shell.table.game(game.id).version > again.version


def test_i_was_in_time(shell: Shell, game: Game) -> None:
    """Audit tells the deadline, and when the mail arrived; the game is set back and time given."""
    seat, order = shell.table.standby(game)
    shell.table.clock.forward(
        seconds=(game.deadline.fires_at - game.deadline.starts_at).total_seconds() + 60
    )  # type: ignore[union-attr]
    shell.table.run()
    late = shell.table.game(game.id)
    assert late.ruleset.ply(late.state) == game.ruleset.ply(game.state) + 1
    shell.table.answer(seat, order)
    complain(shell, seat, "my mail was in time")
    told = shell.done("audit", game.id, "--move", "5")
    assert "deadline" in told
    assert "a cautious move was played" in " ".join(told.split())
    shell.done("game", "undo", game.id, "--to", "5", "--reason", "the line was down")
    resolved(shell, game, "The line was down on our side; you have two more days.")
    before = shell.table.game(game.id).deadline
    shell.done("game", "extend", game.id, "2d", "--reason", "the line was down")
    given = shell.table.game(game.id).deadline
    assert given is not None
    assert before is not None
    assert given.due_at - before.due_at >= timedelta(days=2)


def test_i_never_got_the_mail(shell: Shell, game: Game, tmp_path: Path) -> None:
    """The bundle and the outbox tell what was sent, and when it left."""
    shell.serve()
    seat = int(game.to_act[0])
    complain(shell, seat, "I never got the turn mail")
    sent = evidence(shell, game, tmp_path / "dispute.json")["sent"]
    turn = [mail for mail in sent if mail["kind"] == "turn"][-1]
    assert turn["status"] == "sent"
    assert turn["sent_at"]
    listed = shell.done("mail", "outbox", "list")
    assert str(turn["id"]) in listed
    resolved(shell, game, "It left our server; please look into the spam folder.")


def test_that_mail_was_not_mine(shell: Shell, game: Game, tmp_path: Path) -> None:
    """Whoever has a reply address can write to it: that is asked, told in the bundle, and ended."""
    shell.serve()
    seat, order = shell.table.standby(game)
    address = shell.table.last_to(seat).reply_to
    shell.table.answer(seat, order, to=address, sender="mallory@example.net")
    assert shell.table.game(game.id).version == game.version
    complain(shell, seat, "somebody writes in my name", to=address)
    found = evidence(shell, game, tmp_path / "dispute.json")
    assert len(found["strange"]) == 1
    assert "mallory" not in json.dumps(found["strange"])
    shell.done("player", "rotate", game.seats[seat].player)
    resolved(shell, game, "That mail was not carried out; your reply addresses are new.")
    shell.table.answer(seat, order, to=address)
    assert shell.table.game(game.id).ruleset.ply(shell.table.game(game.id).state) == 4


def test_the_shuffle_is_rigged(shell: Shell, game: Game, tmp_path: Path) -> None:
    """While the game runs the commitment stands; after it everything is computed anew, by anybody."""
    shell.serve()
    complain(shell, 0, "nobody has such bad cards")
    assert "verified" in shell.done("verify", game.id)
    resolved(shell, game, "All will be open at the end; keep the mail with the commitment.")
    file, mail = tmp_path / "game.jsonl", tmp_path / "mail.eml"
    mail.write_bytes(shell.table.last_to(0).raw)
    shell.done("game", "stop", game.id, "--reason", "we both want to see")
    shell.done("export", game.id, "--out", str(file))
    assert "shuffles that follow" in shell.done("verify", str(file))
    outside = subprocess.run(
        [sys.executable, "-I", DOCS / "verify.py", file, "--mail", mail],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outside.returncode == 0, outside.stdout
    assert "fixed before the phrases came" in outside.stdout


def test_you_undid_too_much(shell: Shell, game: Game) -> None:
    """Nothing is gone: the log shows what was taken back; the moves are made again."""
    seat, _ = shell.table.standby(game)
    shell.done("game", "undo", game.id, "--to", "3", "--reason", "move 3 was misread")
    gone = shell.json("audit", game.id, "--move", "4")
    assert gone["retracted"]
    assert "This was taken back later." in gone["why"]
    assert "moves 0" in shell.refused("game", "undo", game.id, "--to", "4", "--reason", "again")
    complain(shell, seat, "my move 4 was good")
    told = shell.done("replay", game.id)
    assert "taken back" in told
    audited = shell.json("audit", game.id)["events"]
    assert any("move 3 was misread" in event["text"] for event in audited)
    resolved(shell, game, "Please make moves 3 and 4 once more.")
    for _ in range(2):
        now = shell.table.game(game.id)
        who, again = shell.table.standby(now)
        shell.table.answer(who, again)
    back = shell.table.game(game.id)
    assert back.ruleset.ply(back.state) == 4
    anew = shell.json("audit", game.id, "--move", "4")
    assert not anew["retracted"]
    said = f"A move of this number was made in event {gone['event']}, too, and taken back later."
    assert said in anew["why"]
    assert "verified" in shell.done("verify", game.id)
