"""Test alerts to admins by mail, at most one a day for each cause."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from pbem.errors import TransientDeliveryError
from pbem.service.clock import downtime, heartbeats
from pbem.service.intake import handle_mail, shunted
from pbem.service.runner import Runner
from pbem.service.upkeep.health import alert as look_for_trouble
from pbem.service.upkeep.health import look
from tests.service.conftest import Table, configured
from tests.service.core.test_faults import a_fault

AWAY = TransientDeliveryError("the next server is away", scope="server")


def tick(table: Table, **later: float) -> None:
    """Let time pass, then let the service look at everything once."""
    table.clock.forward(**later)
    asyncio.run(Runner(table.service, table.delivery, lambda _: None).run_once())


def test_a_stuck_outbox_is_told_once_a_day(table: Table) -> None:
    """Alert after an hour, and show it in the health report."""
    table.delivery.error = AWAY
    table.new_game(2)
    tick(table, minutes=50)
    assert (table.alerts()) == []
    for _ in range(5):
        tick(table, minutes=30)
    (told,) = table.alerts()
    assert "2 mails have waited to be handed on for an hour or longer" in told
    assert look(table.service).figures["stuck"] >= 2
    tick(table, hours=24)
    assert len(table.alerts()) == 2
    table.delivery.error = None
    tick(table, minutes=30)
    assert [mail.rcpt_to for mail in table.delivery.mails].count("root@example.org") == 2
    tick(table, hours=24)
    assert len(table.alerts()) == 2, "nothing is stuck any more"


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
    (told,) = [words for words in (table.alerts()) if "given up after days" in words]
    assert "outbox list --status failed" in told
    found = look(table.service)
    assert found.figures["given_up"] == 3
    assert any(problem.startswith("3 mails were given up") for problem in found.problems)
    table.clock.forward(days=2)
    assert look(table.service).figures["given_up"] == 0


def test_mails_that_are_set_aside_are_told_once_a_day(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alert contains nothing of the messages."""
    table.started(2)
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        for seat in (0, 1):
            table.answer(seat, "board")
    tick(table, seconds=1)
    tick(table, minutes=5)
    (told,) = table.alerts()
    assert "2 mails are set aside" in told
    assert "pbem mail shunted retry NUMBER" in told
    assert "no deadline of that seat fires" in told
    for secret in ("7c", "anna", "example.org"):
        assert secret not in told
    tick(table, days=1)
    assert len(table.alerts()) == 2
    for mail in table.inbox():
        if mail.status == "shunted":
            shunted.drop(table.service, mail.id, "for the test")
    tick(table, days=1)
    assert len(table.alerts()) == 2


@pytest.mark.parametrize("name", ["imap", "maildir", "listener"])
def test_a_way_in_that_is_dead_is_told_after_an_hour(table: Table, name: str) -> None:
    """Do not count time in which the service itself was down."""
    waits = ((name, timedelta(minutes=5)), ("delivery", timedelta(minutes=5)))
    service = configured(table.service, heartbeats=waits)
    began = table.clock.now()

    def told(**later: float) -> list[str]:
        table.clock.forward(**later)
        downtime.beat(service)
        look_for_trouble(service, since=began)
        return table.alerts()

    assert told(minutes=1) == []
    for _ in range(6):
        assert told(minutes=9) == []
    (never,) = told(minutes=10)
    assert "has never worked yet" in never
    assert ("no deadline fires" in never) is (name != "listener")
    heartbeats.note(service, {name: table.clock.now()})
    assert len(told(days=1)) == 1, "we were away: nobody could have looked"
    at = table.clock.now()
    heartbeats.note(service, {name: at})
    for _ in range(6):
        assert len(told(minutes=10)) == 1
    assert f"has not worked since {at:%Y-%m-%d %H:%M} UTC" in told(minutes=10)[-1]
    assert len(told(minutes=10)) == 2
