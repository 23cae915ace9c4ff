"""Test `pbem mail prune`, and commands that need the bytes of pruned messages."""

from __future__ import annotations

import json

from pbem.domain.table.game import Game
from pbem.service.admin import acts
from pbem.service.evidence import bundles
from pbem.service.evidence.reopen_bundle import open_bundle
from tests.cli.conftest import Shell

AGE = ("mail", "prune", "--older-than", "365d")


def two_games(shell: Shell) -> tuple[Game, Game, bytes, str]:
    """One that was over long ago, with a dispute; one that runs; the mail of a move, and where it went."""
    table = shell.table
    old = table.started(2)
    seat = int(old.to_act[0])
    to = table.last_to(seat).reply_to
    moved = table.answer(seat, "21")
    table.answer(seat, "dispute that was not what I wrote")
    table.answer(seat, "help", to="game@play.example.org")
    old = acts.stop(table.service, old.id, "Nobody has time.")
    table.run()
    running = table.started(2, seed=2)
    table.clock.forward(days=400)
    return old, running, moved, to


def test_old_mails_lose_their_bytes(shell: Shell) -> None:
    """Without --yes the command only counts. Messages of a running game stay."""
    old, running, raw, to = two_games(shell)
    table = shell.table
    before_in, before_out = table.inbox(), table.outbox()
    wanted_in = [mail.id for mail in before_in if mail.game_id != running.id]
    wanted_out = [mail.id for mail in before_out if mail.game_id != running.id and mail.rendered]
    said = shell.json(*AGE)
    assert (said["mails_in"], said["mails_out"]) == (len(wanted_in), len(wanted_out))
    assert said["pruned"] is False
    assert "--yes does it" in shell.done(*AGE)
    assert table.outbox() == before_out
    assert shell.json(*AGE, "--yes")["pruned"] is True
    day = "2027-12-26"
    assert shell.json("mail", "show", str(wanted_in[0]))["pruned"] == day
    assert shell.json("mail", "outbox", "show", str(wanted_out[0]))["pruned"] == day
    assert "pruned: 2027" in shell.done("mail", "show", str(wanted_in[0]))
    again = shell.json(*AGE, "--yes")
    assert (again["mails_in"], again["mails_out"]) == (0, 0)
    assert "0 mails" in shell.done(*AGE, "--yes")
    assert "sound" in shell.done("db", "check")
    shell.done("verify", old.id)
    count = len(table.inbox())
    table.receive(raw, to)
    assert len(table.inbox()) == count


def test_who_asks_for_a_pruned_mail_reads_when_it_went(shell: Shell) -> None:
    """Audit, dispute bundle, export of a person; and a person can still be forgotten."""
    old, running, _, _ = two_games(shell)
    table = shell.table
    shell.done(*AGE, "--yes")
    audited = shell.done("audit", old.id, "--move", "1")
    assert "its bytes were pruned on 2027-12-26" in " ".join(audited.split())
    assert "CHANGED" not in audited
    assert shell.json("audit", old.id, "--move", "1")["source"]["pruned"] == "2027-12-26"
    shell.done("audit", old.id)
    data = bundles.make_bundle(table.service, old.id, 1)
    document = open_bundle(data, table.service.reader).document
    assert document["mails"] == document["sent"] == document["strange"] == []
    assert {mail["on"] for mail in document["pruned"]} == {"2027-12-26"}
    acts.stop(table.service, running.id, "Nobody has time.")
    file = shell.folder / "anna.json"
    shell.done("player", "export", "Anna", "--out", str(file))
    told = json.loads(file.read_text())
    mails = [mail for mail in (*told["mails_in"], *told["mails_out"]) if mail["pruned"]]
    assert {mail["mail"] for mail in mails} == {None}
    shell.done("player", "forget", "Anna", "--reason", "She asked for it.")
    shell.done("verify", old.id)
    assert "sound" in shell.done("db", "check")
