"""Test `pbem mail shunted`: show, retry and reject quarantined messages."""

from __future__ import annotations

import pytest

from pbem.domain.log.events import HandsRevealedToAdmin
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.transport import RejectedMail
from pbem.service.intake import accepting as intake
from pbem.service.intake import handle_mail
from tests.cli.conftest import Shell
from tests.service.conftest import raw_mail
from tests.service.core.test_faults import a_fault


@pytest.fixture
def number(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of a quarantined message."""
    game = shell.table.started(2)
    seat, order = shell.table.standby(game)
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        shell.table.answer(seat, order)
    return shell.table.inbox()[-1].id


def test_list_and_show_say_where_it_failed_and_nothing_of_the_mail(shell: Shell, number: int):
    """Number, place and class of the fault; its text may quote cards or addresses."""
    assert shell.json("mail", "shunted")["id"] == number
    assert "RuntimeError" in shell.done("mail", "shunted")
    shown = shell.done("mail", "shunted", "show", str(number))
    assert "test_faults.py" in shown.replace("\n", "")
    assert "anna@example.org" not in shown
    assert "RuntimeError" in shell.json("mail", "shunted", "show", str(number))["error"]


def test_raw_mail_can_be_taken_out(shell: Shell, number: int):
    """For reading it elsewhere, byte by byte; it quotes a hand, so every player is told why."""
    with shell.table.service.store.reading() as uow:
        kept = uow.inbox.get(number)
    assert kept is not None
    assert kept.game_id is not None
    command = ("mail", "shunted", "show", str(number), "--raw")
    before = shell.table.game(kept.game_id).version
    assert "needs a reason" in shell.refused(*command)
    assert shell.table.game(kept.game_id).version == before
    shown = shell.run(*command, "--reason", "it crashes the program")
    assert shown.stdout_bytes == kept.raw
    event = shell.table.log(shell.table.game(kept.game_id))[-1].event
    assert event == HandsRevealedToAdmin((kept.seat,), before, "it crashes the program")


@pytest.mark.parametrize("has_token", [True, False])
def test_a_mail_that_names_no_game_may_quote_one(shell: Shell, has_token: bool):
    """One that could not be stored is of no game, so that no clock waits; it quotes a hand as well."""
    table = shell.table
    game = table.started(2)
    turn = table.last_to(0)
    to = turn.reply_to if has_token else "game@play.example.org"
    raw = raw_mail("anna@example.org", to, f"21\n\n> {turn.text}", message_id="<big@example.org>")
    envelope = Envelope(None, None, "imap", table.clock.now())
    intake.set_aside(table.service, raw, envelope, RejectedMail("ValueError at intake", "17"))
    kept = table.inbox()[-1]
    assert (kept.status, kept.game_id) == ("shunted", None)
    command = ("mail", "shunted", "show", str(kept.id), "--raw")
    assert "needs a reason" in shell.refused(*command)
    assert shell.run(*command, "--reason", "What is in it?").stdout_bytes == raw
    event = table.log(table.game(game.id))[-1].event
    assert event == HandsRevealedToAdmin((0,), game.version, "What is in it?")


def test_retried_mail_is_carried_out(shell: Shell, number: int):
    """After the repair, the move that came in time counts."""
    before = shell.table.inbox()[-1].game_id
    assert before is not None
    seats = shell.table.game(before).to_act
    shell.done("mail", "shunted", "retry", str(number))
    shell.table.run()
    assert shell.table.inbox()[-1].status == "done"
    assert shell.table.game(before).to_act != seats
    assert shell.json("mail", "shunted") == []
