"""Test upgrades and shutdowns while messages are being processed."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

from pbem.domain.log.chain import NewEvent
from pbem.errors import SchemaError
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from pbem.service.runner import Runner
from tests.patience import patience
from tests.service.conftest import START, Table, raw_mail

PATIENCE = 20
BARE = "game@play.example.org"


def receive_three(table: Table) -> None:
    for number in range(3):
        raw = raw_mail("anna@example.org", BARE, "help", message_id=f"<{number}@example.org>")
        table.receive(raw, BARE)


def test_game_that_a_newer_program_went_on_with_is_left_to_it(table: Table) -> None:
    """The program ends with an error, without quarantining the message or notifying its sender."""
    game, seat, order = table.start(2)
    outbox = len(table.outbox())
    table.answer(seat, order, run=False)
    with table.service.store.unit_of_work() as uow:
        newest = uow.events.read(game.id)[-1]
        event = NewEvent("HatThrown", 1, "system", None, {})
        uow.events.append(game.id, newest.version, [event], START)
    with pytest.raises(SchemaError, match="a newer pbem wrote it"):
        handle_all(table.service)
    assert table.inbox()[-1].status == "new"
    assert len(table.outbox()) == outbox


async def test_a_service_ends_when_the_database_is_upgraded_under_it(table: Table) -> None:
    """The service raises an error, and unhandled messages stay for the new program."""
    runner = Runner(table.service, table.delivery, lambda _: None)
    task = asyncio.create_task(runner.run())
    await asyncio.to_thread(receive_three, table)
    with table.service.store.db_engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    runner.wake()
    with pytest.raises(ExceptionGroup) as caught:
        async with asyncio.timeout(patience(PATIENCE)):
            await task
    assert isinstance(caught.value.exceptions[0], SchemaError)
    assert "newer pbem" in str(caught.value.exceptions[0])
    with table.service.store.db_engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM inbox")).scalar() == 3


async def test_a_service_that_is_asked_to_end_finishes_one_mail(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finish the current message, and leave the others for the next start."""
    await asyncio.to_thread(receive_three, table)
    entered, may_go_on = threading.Event(), threading.Event()
    real = handle_mail._handle

    def slowly(*args: object) -> object:
        entered.set()
        may_go_on.wait(patience(PATIENCE))
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(handle_mail, "_handle", slowly)
    runner = Runner(table.service, table.delivery, lambda _: None)
    task = asyncio.create_task(runner.run())
    assert await asyncio.to_thread(entered.wait, patience(PATIENCE))
    runner.stop()
    may_go_on.set()
    async with asyncio.timeout(patience(PATIENCE)):
        await task
    rows = await asyncio.to_thread(table.inbox)
    assert [row.status == "new" for row in rows] == [False, True, True]
    assert [row.attempts for row in rows] == [1, 0, 0]
    monkeypatch.undo()
    await asyncio.to_thread(table.run)
    assert not any(row.status == "new" for row in await asyncio.to_thread(table.inbox))
