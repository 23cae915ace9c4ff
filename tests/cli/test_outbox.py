"""Test `pbem mail outbox` and `pbem player`."""

from __future__ import annotations

from pbem.errors import PermanentDeliveryError, TransientDeliveryError
from tests.cli.conftest import Shell


def failed_mail(shell: Shell) -> int:
    """Return the first invitation of a game, after a permanent refusal."""
    shell.table.delivery.error = PermanentDeliveryError(
        "the server refused the mail", scope="mail", status="5.6.0"
    )
    shell.table.new_game(2)
    shell.table.delivery.error = None
    return shell.table.outbox()[0].id


def test_one_mail_is_shown_without_address_and_contents(shell: Shell) -> None:
    """It shows kind, status and the reason."""
    mail = failed_mail(shell)
    shown = shell.json("mail", "outbox", "show", str(mail))
    assert (shown["kind"], shown["status"], shown["failures"]) == ("invitation", "failed", 1)
    assert "refused the mail" in shown["error"]
    printed = shell.done("mail", "outbox", "show", str(mail))
    assert "invitation" in printed
    assert "example.org" not in printed.replace("pbem.play.example.org", "")
    assert "no mail 999" in shell.refused("mail", "outbox", "show", "999")


def test_a_failed_mail_is_tried_again(shell: Shell) -> None:
    """With the same Message-ID; one that was sent is not."""
    mail = failed_mail(shell)
    assert "same Message-ID" in shell.done("mail", "outbox", "retry", str(mail))
    shell.table.run()
    (sent,) = [row for row in shell.table.outbox() if row.id == mail]
    assert sent.status == "sent"
    known = str(shell.table.delivery.mails[0].message["Message-ID"]).strip("<> ")
    assert shell.table.service.tokens.stored_ids([known]) == [sent.message_id]
    assert "is sent" in shell.refused("mail", "outbox", "retry", str(mail))
    assert "nothing to cancel" in shell.refused("mail", "outbox", "cancel", str(mail), "--reason=x")


def test_all_that_wait_are_tried_again(shell: Shell) -> None:
    """Count the messages, including those that had been given up."""
    failed_mail(shell)
    table = shell.table
    table.delivery.error = TransientDeliveryError("no connection to the server")
    table.new_game(3)
    count = len([mail for mail in table.outbox() if mail.status in ("pending", "failed")])
    assert shell.json("mail", "outbox", "retry") == {"ok": True, "count": count}
    assert f"Tried now: {count} mails" in shell.done("mail", "outbox", "retry")
    table.delivery.error = None
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_rotating_mails_new_addresses(shell: Shell) -> None:
    """By id, address or name; an open invitation and a turn are mailed again."""
    game = shell.table.new_game(2)
    before = len(shell.table.delivery.mails)
    assert "void" in shell.done("player", "rotate", "anna@example.org")
    assert "void" in shell.done("player", "rotate", "Bob")
    shell.table.run()
    assert len(shell.table.delivery.mails) == before + 2
    for seat in range(2):
        shell.table.answer(seat, "join")
    running = shell.table.game(game.id)
    seat = int(running.to_act[0])
    old = shell.table.last_to(seat).reply_to
    shell.json("player", "rotate", running.seats[seat].player)
    shell.table.run()
    new = shell.table.last_to(seat)
    assert new.reply_to != old
    assert "Your turn" in new.words
    assert "no player" in shell.refused("player", "rotate", "nobody")
