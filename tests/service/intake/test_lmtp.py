"""Test the listener as LMTP server behind a mail server (RFC 2033)."""

from __future__ import annotations

import asyncio
import smtplib

import pytest

from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.listener import ListenerHooks, listen
from pbem.service.intake import accepting as intake
from tests.service.conftest import NAMES, Table, raw_mail


def test_mails_come_in_over_lmtp(table: Table) -> None:
    """LHLO and a valid recipient give 250 after the commit. A wrong address gives 550, and HELO is refused."""
    game = table.started(2)
    seat, order = table.standby(game)
    reply_to = table.last_to(seat).reply_to
    sender = f"{NAMES[seat].lower()}@example.org"
    raw = raw_mail(sender, reply_to, order, message_id="<lmtp@example.org>")

    async def accept(data: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(intake.receive, table.service, data, envelope)

    def deliver(port: int) -> None:
        with smtplib.LMTP("127.0.0.1", port) as client:
            assert client.sendmail(sender, [reply_to], raw) == {}
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                client.sendmail(sender, ["game+nonsense@play.example.org"], raw)
            assert refused.value.recipients["game+nonsense@play.example.org"][0] == 550
            assert client.docmd("HELO", "example.org")[0] == 500

    async def run() -> None:
        hooks = ListenerHooks(
            accept=accept,
            is_deliverable=lambda address: intake.is_deliverable(table.service, address),
            now=table.clock.now,
        )
        server = await listen(hooks, protocol="lmtp", place=("127.0.0.1", 0), max_bytes=262_144)
        try:
            await asyncio.to_thread(deliver, server.sockets[0].getsockname()[1])
        finally:
            server.close()

    asyncio.run(run())
    with table.service.store.reading() as uow:
        row = uow.inbox.list(limit=1)[0]
    assert (row.transport, row.game_id, row.status) == ("lmtp", game.id, "new")
    table.run()
    assert table.game(game.id).version > game.version
