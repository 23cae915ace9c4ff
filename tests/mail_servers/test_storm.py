"""A robot that answers everything, and an address that is gone, behind real Postfix: it ends.

The larger table of robots is in `tests/service/test_storm.py`; here the bounces are Postfix's own.
"""

from __future__ import annotations

import time
from pathlib import Path

from pbem.domain.events import PlayerUnreachable
from pbem.store import codec
from tests.mail_servers.dovecot import Dovecot
from tests.mail_servers.places import until
from tests.mail_servers.postfix import PEOPLE, Postfix
from tests.mail_servers.stage import Stage

CAP = 3
QUIET = 3.0
"""Seconds without any mail that count as silence."""


def test_robot_and_bouncing_address(
    tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix
) -> None:
    """The robot falls silent with us; the report finds its player; the log says so; no more mails."""
    stage = Stage(
        tmp_path,
        "lmtp",
        imap_server,
        smtp_server,
        f'[listen]\nprotocol = "lmtp"\nport = {smtp_server.lmtp}\n'
        f"[limits]\nidle_answers_per_hour = {CAP}\nbounce_threshold = 2\n",
    )
    robot = stage.player()
    with stage.served():
        game_id = stage.new_game([robot.address, f"nobody@{PEOPLE}"])
        quiet_since, mails, deadline = time.monotonic(), 0, time.monotonic() + 60
        while time.monotonic() - quiet_since < QUIET:
            assert time.monotonic() < deadline, "the storm does not end"
            mail = robot.next_mail()
            if mail is not None:
                robot.write(mail, "Thank you for your mail, I will read it soon.")
            count = len(stage.inbox()) + len(stage.outbox())
            if mail is not None or count != mails:
                quiet_since, mails = time.monotonic(), count
            time.sleep(0.1)
        until(lambda: stage.game(game_id).seats[1].is_unreachable, 20)
    kinds = [row.kind for row in stage.outbox()]
    assert kinds.count("invitation") == 2
    assert kinds.count("notice") == 1
    assert kinds.count("answer") == CAP
    assert len(kinds) == 3 + CAP
    reports = [row for row in stage.inbox() if row.verdict and "report" in row.verdict["why"]]
    assert [row.status for row in reports] == ["done"]
    with stage.service.store.reading() as uow:
        events = [codec.decode(event).event for event in uow.events.read(game_id)]
    assert PlayerUnreachable(1, "bounces") in events
    assert "nobody@" not in stage.log()
