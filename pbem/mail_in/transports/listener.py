"""SMTP and LMTP listener that sends 250 only after the raw message is committed.

It is meant for loopback or for a socket behind a mail server. It accepts one recipient per
transaction, so that each reply refers to one inbox row in both protocols. Senders then split
messages with several recipients (RFC 5321 §4.5.3.1.10).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from pbem.errors import ConfigError, MalformedMailError, StoreError
from pbem.mail_in.mime.message import Envelope
from pbem.sections import Listen

log = structlog.get_logger(__name__)

LINE_LIMIT = 64 * 1024
"""Real messages have lines beyond the 1000 octets of RFC 5321, and refusing them would lose moves.
"""


@dataclass(frozen=True, slots=True)
class ListenerHooks:
    """Callbacks of the listener to the service.

    Attributes:
        accept: stores a message durably. Raises MalformedMailError (permanent) or StoreError
            (temporary).
        is_deliverable: returns True if a recipient is one of ours.
        now: returns the time of arrival.
    """

    accept: Callable[[bytes, Envelope], Awaitable[None]]
    is_deliverable: Callable[[str], bool]
    now: Callable[[], datetime]


class _Handler:
    """Handler for aiosmtpd, which prescribes the names of the methods."""

    def __init__(self, hooks: ListenerHooks, protocol: str) -> None:
        self._hooks = hooks
        self._protocol = protocol

    async def handle_RCPT(  # noqa: N802  (aiosmtpd finds it by this name)
        self,
        _server: SMTP,
        _session: Any,  # noqa: ANN401  (aiosmtpd has no types)
        envelope: Any,  # noqa: ANN401  (aiosmtpd has no types)
        address: str,
        _options: list[str],
    ) -> str:
        if envelope.rcpt_tos:
            return "452 4.5.3 Only one recipient per transaction"
        if not self._hooks.is_deliverable(address):
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802  (aiosmtpd finds it by this name)
        self,
        _server: SMTP,
        _session: Any,  # noqa: ANN401  (aiosmtpd has no types)
        envelope: Any,  # noqa: ANN401  (aiosmtpd has no types)
    ) -> str:
        sender = envelope.mail_from or ""
        kept = Envelope(
            mail_from="" if sender == "<>" else sender,
            rcpt_to=envelope.rcpt_tos[0],
            transport=self._protocol,
            arrived_at=self._hooks.now(),
        )
        try:
            await self._hooks.accept(envelope.content, kept)
        except MalformedMailError as error:
            return f"552 5.3.4 {error}"
        except StoreError as error:
            log.error("mail not accepted", action="intake_failed", error=str(error))
            return "451 4.3.0 Temporary local error, try again later"
        return "250 2.6.0 Message accepted"

    async def handle_exception(self, error: Exception) -> str:
        """Return a temporary error as the reply to an unexpected exception.

        By default, aiosmtpd would reply with a permanent error that contains the exception's text.
        """
        log.error(
            "unexpected error while accepting a message",
            action="intake_failed",
            error=type(error).__name__,
        )
        return "451 4.3.0 Temporary local error, try again later"


class _Smtp(SMTP):
    line_length_limit = LINE_LIMIT


class _Lmtp(LMTP):
    line_length_limit = LINE_LIMIT


async def listen(
    hooks: ListenerHooks,
    *,
    protocol: str,
    place: tuple[str, int],
    max_bytes: int,
    tls: ssl.SSLContext | None = None,
    inherited: socket.socket | None = None,
) -> asyncio.Server:
    """Start listening for messages.

    Args:
        hooks: callbacks of the service.
        protocol: `smtp` or `lmtp`.
        place: host and port to listen on. Port 0 selects a free port.
        max_bytes: maximum size of a message.
        tls: certificate, or None. With a certificate, STARTTLS is offered but not required.
        inherited: an already listening socket to use instead.
    """
    kind = _Lmtp if protocol == "lmtp" else _Smtp
    handler = _Handler(hooks, protocol)
    loop = asyncio.get_running_loop()

    def factory() -> SMTP:
        return kind(
            handler,
            data_size_limit=max_bytes,
            enable_SMTPUTF8=True,
            decode_data=False,
            ident="pbem",
            loop=loop,
            tls_context=tls,
        )

    if inherited is not None:
        return await loop.create_server(factory, sock=inherited)
    return await loop.create_server(factory, host=place[0], port=place[1])


def certificate_context(section: Listen) -> ssl.SSLContext | None:
    """Load the listener's certificate, or None.

    Raises: ConfigError.
    """
    if section.certificate_file is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(section.certificate_file, section.certificate_key_file)
    except OSError as error:  # also raised for a file that is not PEM
        is_there = isinstance(error, ssl.SSLError)
        why = "this is no certificate with its key" if is_there else error.strerror
        raise ConfigError(f"[listen] certificate_file: {section.certificate_file}: {why}") from None
    return context


def certificate_end(file: Path) -> datetime:
    """Return the expiry time of the first certificate in a file."""
    x509: Any = import_module(
        "cryptography.x509"
    )  # it takes two megabytes, which a running service does not need
    end: datetime = x509.load_pem_x509_certificates(file.read_bytes())[0].not_valid_after_utc
    return end
