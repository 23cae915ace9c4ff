"""Measure outgoing messages, and compare them with only building and sending."""

from __future__ import annotations

import asyncio
import email
from email.message import EmailMessage
from email.policy import SMTP, default

import aiosmtplib

from bench.house import House, Kept
from bench.sink import Sink
from pbem.mail_out.deliver import SmtpDelivery
from pbem.sections import Smtp
from pbem.store.rows.core import OUTBOX

SENDER = "game@play.example.org"
GAMES = 10
"""Number of games that have just begun. Each notifies four people."""


class Mails:
    """The first messages of a few games, sent to a sink over one connection.

    Attributes:
        parts: header fields, text and HTML of each message, and its recipient.
    """

    def __init__(self, house: House, sink: Sink) -> None:
        self.house = house
        self.sink = sink
        house.start_games(GAMES)
        kept = Kept()
        house.send(kept)
        self.parts = [(*taken_apart(raw), reader) for raw, reader in kept.mails]

    def forget(self) -> None:
        """Make all messages due again, as if none had been rendered."""
        with self.house.service.store.unit_of_work() as uow:
            uow.connection.execute(
                OUTBOX.update().values(
                    status="pending", rendered=None, attempts=0, lease_until=None, sent_at=None
                )
            )


def taken_apart(raw: bytes) -> tuple[list[tuple[str, str]], str, str]:
    """Split a message into header fields, text and HTML."""
    message = email.message_from_bytes(raw, policy=default)
    if not isinstance(message, EmailMessage):  # pragma: no cover  (the policy makes them)
        raise TypeError("no EmailMessage")
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    fields = [
        (name, str(value))
        for name, value in message.items()
        if not name.lower().startswith(("content-", "mime-"))
    ]
    return (
        fields,
        "" if plain is None else plain.get_content(),
        "" if html is None else html.get_content(),
    )


class Sending:
    """Send messages with the service: each is rendered from its game, stored, sent and marked."""

    def __init__(self, mails: Mails) -> None:
        self._mails = mails
        self._settings = Smtp(
            host="127.0.0.1", port=mails.sink.port, security="none", connections=1
        )
        self.prepare = mails.forget

    def __call__(self) -> int:
        """Send all messages and return their number."""
        return self._mails.house.send(SmtpDelivery(self._settings))


class BareSending:
    """Build the same header fields and bodies with the standard library and send them.

    This is the lower bound for `Sending`.
    """

    def __init__(self, mails: Mails) -> None:
        self._mails = mails

    def __call__(self) -> int:
        """Send all messages and return their number."""
        return asyncio.run(self._send())

    async def _send(self) -> int:
        client = aiosmtplib.SMTP(
            hostname="127.0.0.1",
            port=self._mails.sink.port,
            local_hostname="bench",
            start_tls=False,
            use_tls=False,
        )
        async with client:
            for fields, text, html, reader in self._mails.parts:
                message = EmailMessage(policy=SMTP)
                for name, value in fields:
                    message[name] = value
                message.set_content(text)
                message.add_alternative(html, subtype="html")
                await client.sendmail(SENDER, [reader], message.as_bytes())
        return len(self._mails.parts)
