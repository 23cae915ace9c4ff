"""Test a service that accepts only senders authenticated by its mail server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.mail_in.mime.authentication import TrustedServer
from tests.service.conftest import Table, configured


@pytest.fixture
def checked(table: Table) -> Table:
    return replace(
        table, service=configured(table.service, trusted=TrustedServer("mx.example.net", "dmarc"))
    )


def send(table: Table, seat: int, text: str, result: str | None, *, sender: str) -> None:
    headers = {} if result is None else {"Authentication_Results": result}
    table.send(sender, table.last_to(seat).reply_to, text, **headers)


def test_a_mail_without_a_pass_moves_nothing(checked: Table) -> None:
    """Without a pass of the trusted server, nothing happens and the player is notified once an hour."""
    game = checked.new_game(2)
    checked.delivery.mails = checked.delivery.mails[:2]
    for result in (
        None,
        "mx.evil.example; dmarc=pass header.from=example.org",
        "mx.example.net; dmarc=fail header.from=example.org",
    ):
        send(checked, 0, "join", result, sender="anna@example.org")
        assert checked.inbox()[-1].status == "ignored"
        assert "without the proof" in checked.last_to(0).words
        checked.delivery.mails = checked.delivery.mails[:2]
        send(checked, 0, "join", result, sender="anna@example.org")
        assert len(checked.delivery.mails) == 2, "one answer within an hour"
        checked.clock.forward(hours=1, seconds=1)
    assert checked.game(game.id).seats[0].status == "invited"


def test_what_the_server_said_is_kept_with_the_mail(checked: Table) -> None:
    """Store the result, the method and the server with the message."""
    checked.new_game(2)
    for result in ("dmarc=pass header.from=example.org", "dmarc=fail", "spf=pass"):
        send(checked, 0, "help", f"mx.example.net; {result}", sender="anna@example.org")
    send(checked, 1, "help", None, sender="bob@example.org")
    kept = [row.authentication or {} for row in checked.inbox()]
    assert [said["result"] for said in kept] == ["pass", "fail", "none", "none"]
    assert {(said["method"], said["authserv_id"]) for said in kept} == {("dmarc", "mx.example.net")}


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize(
    "text", ["resign", "confirm", "resign\nconfirm\nSorry, Anna", "resign confirm\npickup"]
)
def test_resigning_needs_a_mail_with_nothing_else(checked: Table, text: str) -> None:
    """An authenticated message resigns at once, so nothing else may be in it."""
    game = checked.new_game(2)
    good = "mx.example.net; dmarc=pass header.from=example.org"
    for seat, name in enumerate(("anna", "bob")):
        send(checked, seat, "join", good, sender=f"{name}@example.org")
    before = checked.game(game.id).version
    send(checked, 0, text, good, sender="anna@example.org")
    assert checked.game(game.id).version == before
    assert "resign confirm" in checked.last_to(0).words
    assert "GEN-7" in checked.last_to(0).words
