"""Test `pbem audit`, which shows the causes of a move."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.cli import common
from pbem.domain.log.chain import NewEvent
from pbem.domain.log.events import HandsRevealedToAdmin, MovePlayed
from pbem.domain.table.game import Game
from pbem.mail_in.mime.authentication import TrustedServer
from tests.cli.conftest import Shell
from tests.service.conftest import NAMES, configured, raw_mail
from tests.service.logbook.test_tampering import written_anew

WORDS = "Nice weather here, Bob."


def mailed(shell: Shell) -> tuple[Game, int]:
    """Play a game in which the second mover first makes a mistake and then moves. Return the seat."""
    table = shell.table
    game = table.started(2)
    seat, order = table.standby(game)
    table.answer(seat, order)
    game = table.game(game.id)
    seat, order = table.standby(game)
    table.clock.forward(hours=5)
    table.answer(seat, "play Kc Kd Kh Ks")
    table.answer(seat, f"{order}\n{WORDS}")
    return table.game(game.id), seat


def test_one_command_tells_who_did_it_and_why(shell: Shell) -> None:
    """It shows player, time, message and verdict, the deadline, and the events before and after."""
    game, seat = mailed(shell)
    who = NAMES[seat]
    said = shell.json("audit", game.id, "--move", "2")
    move = next(e for e in shell.table.log(game) if getattr(e.event, "ply", 0) == 2)
    assert isinstance(move.event, MovePlayed)
    assert (said["event"], said["actor"], said["cause"]) == (
        move.version,
        f"seat:{seat}",
        move.cause,
    )
    assert said["text"] == f"{who}: {move.event.move}"
    source = said["source"]
    assert f"mail:{source['sha256']}" == move.cause
    assert source["intact"] is True
    assert "reply address is genuine" in source["verdict"]
    assert [line["outcome"] for line in source["lines"]] == ["done", "unused"]
    why = " ".join(said["why"])
    assert "until" in why
    assert "; time left then: 2 days and 19 hours." in why
    assert f"{who} was told: turn mail" in why
    assert {mail["kind"] for mail in said["mails"]} == {"answer", "turn"}
    assert all(mail["status"] == "sent" for mail in said["mails"])
    assert said["before"]["ply"] == 1
    assert said["after"]["ply"] == 2
    printed = " ".join(shell.done("audit", game.id, "--move", "2").split())
    for words in ("Why", "Before", "After", "Mails that followed", f"by {who}", "as they came"):
        assert words in printed


@pytest.mark.rule("GEN-5")
def test_words_of_a_mail_stay_closed_until_a_recorded_look(shell: Shell) -> None:
    """Text, lines and refusals; opening them needs a reason, is an event, and is mailed."""
    game, seat = mailed(shell)
    shell.serve()
    closed = shell.json("audit", game.id, "--move", "2")
    assert closed["open"] is False
    assert closed["source"]["text"] is None
    assert all(line["line"] is None for line in closed["source"]["lines"])
    printed = shell.done("audit", game.id, "--move", "2")
    assert WORDS not in printed
    assert "closed while the game runs" in " ".join(printed.split())
    shell.refused("audit", game.id, "--move", "2", "--reveal")
    shell.refused("audit", game.id, "--move", "99", "--reveal", "--reason", "x")
    assert shell.table.game(game.id).version == game.version
    opened = shell.json("audit", game.id, "--move", "2", "--reveal", "--reason", "A dispute")
    assert WORDS in opened["source"]["text"]
    assert ">" not in opened["source"]["text"]
    assert opened["source"]["lines"][1]["line"] == WORDS
    assert all(seat["hand"] is not None for seat in opened["after"]["seats"])
    looks = [e.event for e in shell.table.log(game) if isinstance(e.event, HandsRevealedToAdmin)]
    assert [(look.seats, look.reason) for look in looks] == [((0, 1), "A dispute")]
    shell.table.answer(seat, "board")
    assert "A dispute" in shell.table.last_to(seat).words


def test_what_a_mail_quotes_without_marks_and_names_is_no_word_of_its_writer(shell: Shell) -> None:
    """The service had held it against the newest mails of the seat, and so does a look afterwards."""
    game = shell.table.started(2)
    seat, order = shell.table.standby(game)
    ours = [line for line in shell.table.last_to(seat).text.split("\n") if len(line) > 50]
    shell.table.answer(seat, "\n".join([order, WORDS, "", *ours]))
    shell.serve()
    opened = shell.json("audit", game.id, "--move", "1", "--reveal", "--reason", "A dispute")
    assert opened["source"]["text"].split("\n") == [order, WORDS]


def test_the_whole_audit_lays_mails_beside_events(shell: Shell) -> None:
    """Every event once; admin acts marked; the refused mail is listed, without its words."""
    game, seat = mailed(shell)
    said = shell.json("audit", game.id)
    assert [event["event"] for event in said["events"]] == list(range(1, game.version + 1))
    assert said["events"][0]["admin_act"] is True
    assert not any(event["admin_act"] for event in said["events"][4:])
    joined = next(event for event in said["events"] if event["text"] == "Anna joined.")
    assert joined["cause"].startswith("mail:")
    assert [(mail["seat"], mail["why"]) for mail in said["others"]] == [
        (seat, "0 done, 1 refused, 0 events")
    ]
    printed = shell.done("audit", game.id)
    assert "1 mail that changed nothing" in printed
    assert "turn to" in printed
    assert "@example.org" not in printed + json.dumps(said)


def test_changed_bytes_are_noticed(shell: Shell) -> None:
    """The log names the hash of the mail that arrived: not even who has the key can change it."""
    game, _ = mailed(shell)
    sha = shell.json("audit", game.id, "--move", "2")["source"]["sha256"]
    with shell.table.service.store.unit_of_work() as uow:
        (mail,) = (mail for mail in uow.inbox.list() if mail.raw_sha256 == sha)
        lies = uow.envelopes.seal(b"From: x\r\n\r\nlies", "inbox.raw", mail.key)
        uow.connection.exec_driver_sql("UPDATE inbox SET raw = ? WHERE id = ?", (lies, mail.id))
    assert shell.json("audit", game.id, "--move", "2")["source"]["intact"] is False
    assert "CHANGED" in shell.done("audit", game.id, "--move", "2")


def forged(shell: Shell, cause: str) -> Game:
    """Return a game whose second move has a forged cause, with correct numbers and hashes."""
    game, _ = mailed(shell)
    at = next(e.version for e in shell.table.log(game) if getattr(e.event, "ply", 0) == 2)

    def change(events: list[NewEvent]) -> list[NewEvent]:
        return [*events[: at - 1], replace(events[at - 1], cause=cause), *events[at:]]

    written_anew(shell.table, game, change)
    return shell.table.game(game.id)


def test_a_cause_that_never_came_in(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move's cause is a missing message: audit, verify and `db check` report it."""
    game = forged(shell, "mail:" + "0" * 64)
    said = shell.json("audit", game.id, "--move", "2")
    assert said["cause_mail"] == "missing"
    assert said["source"] is None
    assert "no mail with this fingerprint is in the inbox" in " ".join(said["why"])
    assert "NO MAIL WITH THIS FINGERPRINT" in shell.done("audit", game.id, "--move", "2").upper()
    whole = shell.json("audit", game.id)["events"]
    assert [e["event"] for e in whole if e["cause_mail"] == "missing"] == [said["event"]]
    monkeypatch.setattr(common.out, "_width", 200)  # no cell is folded
    assert "not in the inbox" in shell.done("audit", game.id)
    assert f"event {said['event']} names a mail" in shell.refused("verify", game.id)
    assert f"event {said['event']} names a mail" in shell.run("db", "check").stderr


def test_what_the_mail_server_said_of_the_sender_is_shown(shell: Shell) -> None:
    """In the audit of a move, and by `pbem mail show`, which shows no address and no word of it."""
    table = shell.table
    trusted = TrustedServer("mx.example.net", "dmarc")
    game = table.started(2)
    asked = configured(table.service, trusted=trusted)
    seat, order = table.standby(game)
    to, address = table.last_to(seat).reply_to, f"{NAMES[seat].lower()}@example.org"
    passed = {"Authentication_Results": "mx.example.net; dmarc=pass header.from=example.org"}
    raw = raw_mail(address, to, order, message_id="<m@example.org>", **passed)
    checked = replace(table, service=asked)
    checked.receive(raw, to)
    checked.run()
    said = shell.json("audit", game.id, "--move", "1")["source"]
    expected = {"result": "pass", "method": "dmarc", "authserv_id": "mx.example.net"}
    assert said["authentication"] == expected
    words = "DMARC passed for its sender, says mx.example.net."
    assert words in " ".join(shell.done("audit", game.id, "--move", "1").split())
    number = str(said["mail"])
    assert shell.json("mail", "show", number)["authentication"] == expected
    shown = shell.done("mail", "show", number)
    assert words in shown
    assert "@" not in shown
    assert order not in shown
    assert "The sender was not checked by a mail server" in shell.done("mail", "show", "1")
    assert "there is no mail 99" in shell.refused("mail", "show", "99")
