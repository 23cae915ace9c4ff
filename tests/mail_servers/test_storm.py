"""Robots of every kind at one table, behind real Postfix: it ends in silence by itself.

`tests/service/intake/test_storm.py` is the same without servers; here queue, bounces and LMTP are real.
"""

from __future__ import annotations

import email
import email.utils
import time
from collections import Counter
from pathlib import Path

from pbem.domain.log.events import MovePlayed
from pbem.domain.log.seat_events import PlayerUnreachable
from pbem.store.log import codec
from tests.mail_servers import robots
from tests.mail_servers.dovecot import Dovecot
from tests.mail_servers.places import until
from tests.mail_servers.postfix import PEOPLE, ROBOTS, Postfix
from tests.mail_servers.stage import Stage
from tests.service.conftest import raw_mail

CAP = 4
"""Answers to one person in their first hour: four times what is configured."""
QUESTIONS = 2
QUIET = 3.0
"""Seconds without any mail that count as silence."""
SEATS = (*ROBOTS, "nobody")


def join_all(stage: Stage) -> None:
    """Say yes for everybody, in words that robots would not find."""
    until(lambda: all(row.status == "sent" for row in stage.outbox()[: len(SEATS)]))
    for row, name in zip(stage.outbox()[: len(SEATS)], SEATS, strict=True):
        with stage.service.store.reading() as uow:
            mail = uow.outbox.get(row.id)
        assert mail is not None
        assert mail.rendered is not None
        to = email.utils.parseaddr(email.message_from_bytes(mail.rendered)["Reply-To"])[1]
        address = f"{name}@{PEOPLE}"
        raw = raw_mail(address, to, "join", message_id=f"<join-{name}@{PEOPLE}>")
        stage.postfix.send(raw, address, to)


def wait_for_silence(stage: Stage) -> None:
    """Wait until no mail moves anywhere any more."""
    quiet_since, seen, deadline = time.monotonic(), (0, 0), time.monotonic() + 90
    while time.monotonic() - quiet_since < QUIET:
        assert time.monotonic() < deadline, "the storm does not end"
        now = (len(stage.inbox()), len(stage.outbox()))
        if now != seen or not stage.postfix.is_idle():
            quiet_since, seen = time.monotonic(), now
        time.sleep(0.1)


def test_a_storm_through_postfix_ends(
    tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix
) -> None:
    """Two auto-responders, a vacation robot, a mailing list that feeds one of them, a dead address."""
    stage = Stage(
        tmp_path,
        "lmtp",
        imap_server,
        smtp_server,
        f'[listen]\nprotocol = "lmtp"\nport = {smtp_server.lmtp}\n[limits]\n'
        f"idle_answers_per_hour = {CAP // 4}\nbounce_threshold = 4\nquestions_per_day = {QUESTIONS}\n",
    )
    with robots.running(smtp_server) as machines, stage.served():
        game_id = stage.new_game([f"{name}@{PEOPLE}" for name in SEATS])
        join_all(stage)
        wait_for_silence(stage)
        game = stage.game(game_id)
        assert game.status == "running"
        assert game.seats[SEATS.index("nobody")].is_unreachable
        assert smtp_server.is_idle()

    inbox, outbox = stage.inbox(), stage.outbox()
    assert {row.status for row in outbox} <= {"sent", "superseded"}
    kinds = Counter(row.kind for row in outbox)
    assert kinds["invitation"] == len(SEATS)
    assert CAP <= kinds["answer"] + kinds["refusal"] <= CAP + len(SEATS), kinds
    assert kinds["ask_sender"] <= QUESTIONS
    assert kinds["notice"] == len(SEATS) - 1, "the others hear of the dead address once"
    assert len(outbox) <= 4 * len(SEATS) + CAP + QUESTIONS
    assert sum(machines.got.values()) <= 2 * len(outbox)

    verdicts = Counter((row.status, (row.verdict or {}).get("triage")) for row in inbox)
    assert {status for status, _ in verdicts} <= {"done", "ignored", "held"}
    assert verdicts["done", "bounce"] >= 2, verdicts
    assert verdicts["ignored", "auto"] == machines.sent["polite"] + machines.sent["away"] > 0
    assert verdicts["ignored", "own"] == machines.sent["friends"] / 2 > 0
    with stage.service.store.reading() as uow:
        events = [codec.decode(event).event for event in uow.events.read(game_id)]
    assert PlayerUnreachable(SEATS.index("nobody"), "bounces") in events
    assert not any(isinstance(event, MovePlayed) and event.source == "mail" for event in events)
    assert "@" not in stage.log()
