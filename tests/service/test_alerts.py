"""The admins hear by mail of an outbox that is stuck and of mails that were given up; once a day."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pbem.errors import PermanentDeliveryError, TransientDeliveryError
from pbem.service.health import look
from pbem.service.runner import Runner
from tests.service.conftest import Table

AWAY = TransientDeliveryError("the next server is away", scope="server")


def alerts(table: Table) -> list[str]:
    """What the admins were meant to be told, in order."""
    return [str(row.params["message"]) for row in table.outbox() if row.kind == "alert"]


def tick(table: Table, **later: float) -> None:
    """Let time pass, then let the service look at everything once."""
    table.clock.forward(**later)
    asyncio.run(Runner(table.service, table.delivery, lambda _: None).run_once())


def test_a_stuck_outbox_is_told_once_a_day(table: Table) -> None:
    """Not within the first hour; then one alert, which leaves with the others; health says it, too."""
    table.delivery.error = AWAY
    table.new_game(2)
    tick(table, minutes=50)
    assert alerts(table) == []
    for _ in range(5):
        tick(table, minutes=30)
    (told,) = alerts(table)
    assert "2 mails have waited to be handed on for an hour or longer" in told
    assert look(table.service).stuck >= 2
    tick(table, hours=24)
    assert len(alerts(table)) == 2
    table.delivery.error = None
    tick(table, minutes=30)
    assert [mail.rcpt_to for mail in table.delivery.mails].count("root@example.org") == 2
    tick(table, hours=24)
    assert len(alerts(table)) == 2, "nothing is stuck any more"


def test_without_admins_nobody_is_told(table: Table) -> None:
    """A service that names no admin has nobody to write to."""
    settings = replace(table.service.settings, admins=frozenset())
    table.service = replace(table.service, settings=settings)
    table.delivery.error = AWAY
    table.new_game(2)
    tick(table, hours=2)
    assert alerts(table) == []


def test_mails_that_were_given_up_are_told_together(table: Table) -> None:
    """One alert for all of a day, and a line of `pbem health` for a day."""
    table.delivery.error = TransientDeliveryError("greylisted", scope="mail")
    table.new_game(3)
    with table.service.store.unit_of_work() as uow:
        for mail in uow.outbox.list("pending"):
            for _ in range(70):
                uow.outbox.retry_at(mail.id, table.clock.now(), "greylisted")
    tick(table, days=6)
    assert [row.status for row in table.outbox()][:3] == ["failed"] * 3
    (told,) = [words for words in alerts(table) if "given up after days" in words]
    assert "outbox list --status failed" in told
    found = look(table.service)
    assert found.given_up == 3
    assert any(problem.startswith("3 mails were given up") for problem in found.problems)
    table.clock.forward(days=2)
    assert look(table.service).given_up == 0


def test_a_refused_reader_is_a_bounce_and_no_mail_given_up(table: Table) -> None:
    """The address of a player that is gone is told otherwise (`reach`), and is no fault of ours."""
    table.delivery.error = PermanentDeliveryError("no such user", scope="recipient", status="5.1.1")
    table.new_game(2)
    assert [row.status for row in table.outbox()] == ["failed", "failed"]
    assert look(table.service).given_up == 0
    table.delivery.error = PermanentDeliveryError("too many links", scope="mail", status="5.7.1")
    table.new_game(2)
    assert look(table.service).given_up == 3, "the alert about them, too"
    assert len(alerts(table)) == 1
