"""Test the answers of the listener to mail servers, over SMTP and LMTP (RFC 2033)."""

from __future__ import annotations

import asyncio
import smtplib

import pytest

from pbem.errors import StoreError
from pbem.mail_in.mime.message import Envelope
from pbem.service.intake import accepting as intake
from tests.service.conftest import NAMES, Table, raw_mail
from tests.service.intake.listening import listening

BARE = "game@play.example.org"


def send(port: int, raw: bytes, to: str = BARE) -> None:
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("anna@example.org", [to], raw)


async def test_messages_are_stored_over_lmtp(table: Table) -> None:
    """A valid recipient gives 250 after the commit. A wrong address gives 550, and HELO is refused."""
    game = await asyncio.to_thread(table.started, 2)
    seat, order = table.standby(game)
    reply_to = table.last_to(seat).reply_to
    sender = f"{NAMES[seat].lower()}@example.org"

    def deliver(port: int) -> None:
        with smtplib.LMTP("127.0.0.1", port) as client:
            raw = raw_mail(sender, reply_to, order, message_id="<lmtp@example.org>")
            assert client.sendmail(sender, [reply_to], raw) == {}
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                client.sendmail(sender, ["game+nonsense@play.example.org"], raw)
            assert refused.value.recipients["game+nonsense@play.example.org"][0] == 550
            assert client.docmd("HELO", "example.org")[0] == 500

    async with listening(table, "lmtp") as port:
        await asyncio.to_thread(deliver, port)
    row = (await asyncio.to_thread(table.inbox))[-1]
    assert (row.transport, row.game_id, row.status) == ("lmtp", game.id, "new")
    await asyncio.to_thread(table.run)
    assert table.game(game.id).version > game.version


async def test_a_message_of_a_mebibyte_is_refused_for_good(table: Table) -> None:
    raw = raw_mail("anna@example.org", BARE, "x", message_id="<b@example>")
    raw += (b"junk " * 15 + b"\r\n") * (1024 * 1024 // 77 + 1)
    async with listening(table) as port:
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            await asyncio.to_thread(send, port, raw)
    assert refused.value.smtp_code == 552
    assert await asyncio.to_thread(table.inbox) == []


@pytest.mark.parametrize(
    "address",
    [
        "game+s-aaaaaaaaaa-0-1-5-6-aaaaaaaaaaaaaaaa@play.example.org",
        "game+nonsense@play.example.org",
        "other@play.example.org",
        "game@elsewhere.example",
    ],
)
async def test_a_wrong_address_is_refused_for_good(table: Table, address: str) -> None:
    """Refuse an address whose MAC fails like an address of somebody else."""
    raw = raw_mail("anna@example.org", address, "x", message_id="<r@example>")
    async with listening(table) as port:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            await asyncio.to_thread(send, port, raw, address)
    assert refused.value.recipients[address][0] == 550


@pytest.mark.parametrize("error", [StoreError("busy"), OSError("disk"), RuntimeError("anna@x.y")])
async def test_an_error_while_storing_is_temporary(table: Table, error: Exception) -> None:
    """Answer any error with 451 and without details."""

    async def fail(_raw: bytes, _envelope: Envelope) -> None:
        raise error

    raw = raw_mail("anna@example.org", BARE, "x", message_id="<t@example>")
    async with listening(table, accept=fail) as port:
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            await asyncio.to_thread(send, port, raw)
    assert refused.value.smtp_code == 451
    assert b"anna" not in refused.value.smtp_error


async def test_a_message_is_stored_once_if_its_250_was_lost(table: Table) -> None:
    """If the connection breaks between commit and answer, the message comes again and gets its 250."""
    lost = iter([True])

    async def accept(raw: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(intake.receive, table.service, raw, envelope)
        if next(lost, False):
            raise ConnectionResetError

    raw = raw_mail("anna@example.org", BARE, "x", message_id="<l@e>")
    async with listening(table, accept=accept) as port:
        with pytest.raises(smtplib.SMTPServerDisconnected):
            await asyncio.to_thread(send, port, raw)
        await asyncio.to_thread(send, port, raw)
    assert [row.status for row in await asyncio.to_thread(table.inbox)] == ["new"]
