"""Delivery of messages to the next SMTP server, or into a folder.

`_scope_of` decides whether a server's reply is about us, the recipient, or the message. Errors do
not contain the text of the reply, because it repeats addresses. Nothing here logs.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import socket
import ssl
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import aiosmtplib

from pbem import smtp_replies
from pbem.access_token import TokenCommandError, printed_token
from pbem.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError
from pbem.sections import Smtp

_ADDRESS = re.compile(r"[\x21\x23-\x3b\x3d\x3f-\x7e]{1,254}")
# Rejections of us as a client, not of this message: a wrong password must not end our messages.
_AUTH_CODES = frozenset({530, 534, 535, 538})
_HANGS_UP, _TOO_LARGE = 421, 552
_REFUSING = (4, 5)
"""Classes of reply codes that reject a message (RFC 5321 §4.2.1)."""
FINAL_PATIENCE = 600.0
"""Timeout in seconds for the reply to a whole message (RFC 5321 §4.5.3.2.6)."""


class Delivery(Protocol):
    """Delivers messages, several over one connection inside `async with`."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        """Deliver one message to one recipient. On return the next server is responsible for it.

        Args:
            raw: the whole message, lines ended by CRLF.
            mail_from: envelope sender, or empty for the null sender.
            rcpt_to: envelope recipient.

        Raises:
            TransientDeliveryError: it may succeed later.
            PermanentDeliveryError: it never will.
        """
        ...


class SmtpDelivery:
    """Delivery to an SMTP server.

    Connections are opened on demand, reused for the following messages, and reopened if they break.
    Outside `async with` each message has its own connection.

    Args:
        settings: the server, its login and its timeout.
        final_patience: timeout in seconds for the reply to a whole message.
    """

    def __init__(self, settings: Smtp, *, final_patience: float = FINAL_PATIENCE) -> None:
        self._settings = settings
        self._final_patience = final_patience
        self._idle: list[_PatientClient] = []
        self._keeps_open = False
        self._slots = asyncio.Semaphore(settings.connections)

    async def __aenter__(self) -> Self:
        self._keeps_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._keeps_open = False
        while self._idle:
            await hang_up(self._idle.pop())

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        """Deliver one message (see `Delivery.send`).

        If all connections are busy, the message waits for one.
        """
        sender = _checked(mail_from, "sender") if mail_from else ""
        recipient = _checked(rcpt_to, "recipient")
        problem: DeliveryError | None = None
        async with self._slots:
            client = self._idle.pop() if self._idle else None
            try:
                client = client or new_client(self._settings)
                client.final_patience = self._final_patience
                if not client.is_connected:
                    await client.connect()
                refused, _ = await client.sendmail(sender, [recipient], raw)
            except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
                # The cause is dropped, because the server's text, and so the traceback, repeats the
                # addresses.
                problem = problem_of(error)
            else:
                # one of several recipients can be refused without an error
                for answer in refused.values():
                    problem = _refusal(answer.code, "recipient", answer.message)
            finally:
                if client is not None and self._keeps_open:
                    self._idle.append(client)
                elif client is not None:
                    await hang_up(client)
        if problem is not None:
            raise problem from None


class _UnansweredError(aiosmtplib.SMTPException):
    """The server did not reply to a whole message, so it may have accepted it."""


class _PatientClient(aiosmtplib.SMTP):
    """A client with a longer timeout for the reply to a whole message than for other replies."""

    final_patience = FINAL_PATIENCE

    async def data(self, message: str | bytes, /, **_: object) -> aiosmtplib.SMTPResponse:
        """Send a message's data. Distinguish a missing reply from an incomplete transmission."""
        protocol, is_whole = self.protocol, False
        if protocol is None:
            raise aiosmtplib.SMTPServerDisconnected("Connection lost")
        write = protocol.write

        def noted(data: bytes) -> None:
            nonlocal is_whole
            write(data)
            is_whole = data.endswith(_END_OF_MAIL)

        protocol.write = noted  # type: ignore[method-assign]
        try:
            return await super().data(message, timeout=self.final_patience)
        except aiosmtplib.SMTPException as error:
            if not is_whole or _is_refusal(error):
                raise
            self.close()  # a late reply would be taken for the reply to another message
            raise _UnansweredError(str(error)) from error
        finally:
            protocol.write = write  # type: ignore[method-assign]


_END_OF_MAIL = b"\r\n.\r\n"


def _is_refusal(error: aiosmtplib.SMTPException) -> bool:
    """True if the server definitely rejected a message."""
    return isinstance(error, aiosmtplib.SMTPDataError) and error.code // 100 in _REFUSING


def new_client(settings: Smtp) -> _PatientClient:
    """Create a client that encrypts and logs in according to the settings."""
    context = None if settings.security == "none" else ssl.create_default_context()

    async def token() -> str:
        return await asyncio.to_thread(printed_token, settings.token_command)

    return _PatientClient(
        hostname=settings.host,
        port=settings.port,
        username=settings.username,
        password=None if settings.token_command else settings.password,
        oauth_token_generator=token if settings.token_command else None,
        timeout=settings.timeout,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=context,
    )


async def hang_up(client: aiosmtplib.SMTP) -> None:
    """Send QUIT and close. Do nothing without a connection."""
    if not client.is_connected:
        return
    try:
        await client.quit()
    except (aiosmtplib.SMTPException, OSError):
        pass  # the messages are delivered, so errors of QUIT do not matter
    finally:
        client.close()


class FolderDelivery:
    """Delivery into a folder, one file per message, for trials.

    The same message to the same recipient is the same file, so resending it leaves one. With
    `as_maildir` the folder is a Maildir, which mail programs open, otherwise it contains `.eml`
    files.
    """

    def __init__(self, folder: Path, *, as_maildir: bool = False) -> None:
        self._folder = folder
        self._as_maildir = as_maildir

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        """Write one message, with its envelope in two additional header lines."""
        sender = _checked(mail_from, "sender") if mail_from else ""
        recipient = _checked(rcpt_to, "recipient")
        try:
            await asyncio.to_thread(self._write, raw, sender, recipient)
        except OSError as error:
            raise TransientDeliveryError(
                f"the mail could not be written: {error.strerror}"
            ) from error

    def _write(self, raw: bytes, sender: str, recipient: str) -> None:
        name = hashlib.sha256(recipient.encode() + b"\n" + raw).hexdigest()[:24]
        envelope = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n".encode()
        if self._as_maildir:
            for part in ("tmp", "new", "cur"):
                (self._folder / part).mkdir(parents=True, exist_ok=True)
            if any((self._folder / "cur").glob(f"{name}*")):
                return  # a mail program has already moved it to `cur`
            unfinished, file = self._folder / "tmp" / name, self._folder / "new" / name
        else:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished, file = self._folder / f".{name}.part", self._folder / f"{name}.eml"
        unfinished.write_bytes(envelope + raw)
        unfinished.replace(file)


def _checked(address: str, what: str) -> str:
    if not _ADDRESS.fullmatch(address) or "@" not in address:
        raise PermanentDeliveryError(f"the {what} is no address that can be sent to", scope=what)
    return address


def problem_of(error: Exception) -> DeliveryError:
    """Return an error with our own text, whose type determines whether to retry."""
    match error:
        case aiosmtplib.SMTPRecipientsRefused(recipients=[first, *_]):
            return _refusal(first.code, "recipient", first.message)
        case aiosmtplib.SMTPSenderRefused():
            return _refusal(error.code, "sender", error.message)
        case aiosmtplib.SMTPDataError():
            return _refusal(error.code, "mail", error.message)
        case aiosmtplib.SMTPAuthenticationError():
            return TransientDeliveryError(f"the server refused our login ({error.code})")
        case aiosmtplib.SMTPResponseException(code=-1):
            return TransientDeliveryError("the server does not answer as a mail server does")
        case aiosmtplib.SMTPResponseException():
            return TransientDeliveryError(f"the server does not serve us ({error.code})")
        case TokenCommandError():
            return TransientDeliveryError(str(error))
        case _UnansweredError():
            return TransientDeliveryError(
                "the server did not say whether it took the mail", scope="unanswered"
            )
        case TimeoutError():
            return TransientDeliveryError("the server did not answer in time")
        case aiosmtplib.SMTPConnectError() | ssl.SSLError():
            return TransientDeliveryError(_unconnected(error))
        case aiosmtplib.SMTPServerDisconnected():
            return TransientDeliveryError("the server closed the connection")
        case _:
            lacking = _missing_extension(error)
            return TransientDeliveryError(
                lacking or "the server cannot do what the settings ask for"
            )


def _unconnected(error: BaseException | None) -> str:
    """Return the reason why a server could not be reached, from the first specific cause."""
    while error is not None:
        match error:
            case ssl.SSLCertVerificationError():
                return f"the certificate of the server does not hold: {error.verify_message}"
            case ssl.SSLError():
                return 'the server does not speak TLS as security = "tls" or "starttls" asks for'
            case socket.gaierror():
                return "the name of the server is not known to DNS"
            case ConnectionRefusedError():
                return "nobody listens at the address of the server"
            case _:
                error = error.__cause__ or error.__context__
    return "no connection to the server"


def _missing_extension(error: BaseException) -> str:
    """Return which extension the server lacks that the settings need, or empty if it is another error.

    The library's errors name the extension. The server's own text is never used.
    """
    if type(error) is not aiosmtplib.SMTPException:
        return ""
    if "STARTTLS" in str(error) and "extension not supported" in str(error):
        return 'the server does not offer STARTTLS, which security = "starttls" needs'
    if "AUTH" in str(error):
        return "the server does not offer AUTH here, so it accepts no login"
    return ""


def _refusal(code: int, stage: str, message: str = "") -> DeliveryError:
    """Return the error for a rejection: permanent for 5xx except authentication.

    The error contains only the enhanced status code of the reply.

    Args:
        stage: subject of the rejected command: `sender`, `recipient` or `mail`.
    """
    status = smtp_replies.status_of(message)
    is_permanent = code // 100 == 5 and code not in _AUTH_CODES  # noqa: PLR2004  (first digit of permanent errors)
    kind = PermanentDeliveryError if is_permanent else TransientDeliveryError
    scope = _scope_of(code, status, stage, message)
    what = scope if scope == "sender" else stage
    detail = f"{code} {status}" if status else f"{code}"
    return kind(f"the server refused the {what} ({detail})", scope=scope, status=status)


def _scope_of(code: int, status: str | None, stage: str, message: str) -> str:
    """Return the subject of a rejection, one of `DeliveryError.scope`.

    Servers reject a sender at any command: Postfix does so only at RCPT, providers with a daily
    limit only after DATA.
    """
    if code in _AUTH_CODES or code == _HANGS_UP:  # it rejects all clients, after any command
        return "server"
    if stage == "sender" and code == _TOO_LARGE:  # MAIL also names the size of the message
        return "mail"
    if smtp_replies.is_about_us(status, message):
        return "sender"
    if stage == "sender" and code // 100 == 4:  # noqa: PLR2004  (first digit of temporary errors)
        return "server"
    return stage
