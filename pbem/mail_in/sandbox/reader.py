"""Client of the separate process in which untrusted messages are parsed.

The limits of `pbem.mail_in.mime.limits` keep all known messages cheap. The process bounds the
others: it has 256 MiB, and one second of CPU time per message. If a message kills it, that message
is quarantined, a new process is started, and the next message is read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import IO, Final, Protocol

import msgspec

from pbem.child_process import ChildProcess, module_command
from pbem.errors import MailError, MalformedMailError, PbemError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.mime.parse import LIMITS, parse_mail
from pbem.mail_in.quotes.html import UNREADABLE_HTML, html_lines
from pbem.mail_in.sandbox.wire import LENGTH, LONGEST, Answer, Request, answer_of, mail_of, pack

PATIENCE: Final = 20.0
"""Timeout in seconds. Far above the process's own limit, for busy machines."""
MAILS_EACH: Final = 2000
"""Number of messages after which a process is replaced by a new one."""
_COMMAND: Final = module_command("pbem.mail_in.sandbox.worker")
_SHORTAGES: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Errors of a machine that is out of processes, files or memory."""


class ReaderError(MailError):
    """Raised when a message cannot be parsed within the limits.

    The error's text contains the reason, but no part of the message.
    """


class ReaderAwayError(PbemError):
    """Raised when the process cannot parse any message at present. The text gives the reason.

    The error is temporary and not caused by a message.
    """


class MailReader(Protocol):
    """Parses raw messages."""

    def read(
        self,
        raw: bytes,
        *,
        own_domains: Iterable[str] = (),
        own_addresses: Iterable[str] = (),
        mail_from: str | None = None,
        head_only: bool = False,
        secret: bytes | None = None,
    ) -> InboundMail:
        """Parse a message. The arguments are those of `parse_mail`.

        Args:
            raw: the bytes as received.
            own_domains: the domains of our Message-IDs.
            own_addresses: the addresses of this service.
            mail_from: envelope sender, None if unknown.
            head_only: True to skip the body.
            secret: our OpenPGP key, to decrypt an encrypted message.

        Raises:
            MalformedMailError: the bytes are not a message.
            ReaderError: parsing it exceeded the limits.
            ReaderAwayError: no message can be parsed at present.
        """


class DirectReader:
    """Parses messages in this process. Used in tests, and for our own messages."""

    def read(
        self,
        raw: bytes,
        *,
        own_domains: Iterable[str] = (),
        own_addresses: Iterable[str] = (),
        mail_from: str | None = None,
        head_only: bool = False,
        secret: bytes | None = None,
    ) -> InboundMail:
        """Parse a message (see `MailReader`)."""
        mail = parse_mail(
            raw,
            own_domains=frozenset(own_domains),
            own_addresses=frozenset(own_addresses),
            mail_from=mail_from,
            head_only=head_only,
            secret=secret,
        )
        if mail.html is None:
            return mail
        lines = html_lines(mail.html)
        if lines is None:
            unread = mail.unread if (mail.plain or "").strip() else UNREADABLE_HTML
            problems = (*mail.problems, UNREADABLE_HTML)
            return replace(mail, html=None, problems=problems, unread=unread)
        return replace(mail, html=None, rich=tuple(lines))


class WorkerReader:
    """Parses messages in a separate process.

    The first message starts the process. Threads can share one reader.
    """

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._child = ChildProcess(_COMMAND, is_ours=True)
        self._read = 0

    def read(
        self,
        raw: bytes,
        *,
        own_domains: Iterable[str] = (),
        own_addresses: Iterable[str] = (),
        mail_from: str | None = None,
        head_only: bool = False,
        secret: bytes | None = None,
    ) -> InboundMail:
        """Parse a message (see `MailReader`).

        If the process dies, the message is retried once. A message that is decrypted with a key
        gets a separate process, so that other messages can neither prepare an attack on the key nor
        read it later.
        """
        # The reader stops at its limit. One more byte shows that the message is longer.
        raw = raw[: LIMITS.mail + 1]
        domains, addresses = sorted(own_domains), sorted(own_addresses)
        data = pack(Request(domains, addresses, mail_from, head_only, secret, len(raw))) + raw
        with self._lock, contextlib.ExitStack() as stack:
            asked = self if secret is None else WorkerReader(patience=self._patience)
            if asked is not self:
                stack.callback(asked.close)
            answer = asked._ask_again(data)
        if answer.malformed is not None:
            raise MalformedMailError(answer.malformed)
        try:
            return mail_of(answer.mail)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ReaderError("the reading process gave no mail") from error

    def close(self) -> None:
        """Stop the process. A later message starts a new one."""
        with self._lock:
            self._stop()

    def _ask_again(self, data: bytes) -> Answer:
        """Send a request, and retry once if the process dies, as the cause may be temporary."""
        try:
            return self._ask(data)
        except ReaderError:
            self._stop()
        try:
            return self._ask(data)
        except ReaderError:
            self._stop()
            raise

    def _ask(self, data: bytes) -> Answer:
        try:
            if self._read >= MAILS_EACH:
                self._stop()
            process = self._child.running()
        except OSError as error:
            raise _away(error) from error
        if process.stdin is None or process.stdout is None:
            raise ReaderError("the reading process has no pipes")
        deadline = time.monotonic() + self._patience
        try:
            process.stdin.write(data)
            process.stdin.flush()
            size = int.from_bytes(self._receive(process.stdout, LENGTH, deadline), "big")
            if size > LONGEST:
                raise ReaderError("the reading process gave too much")
            answer = answer_of(self._receive(process.stdout, size, deadline))
        except (OSError, EOFError, msgspec.DecodeError, RecursionError) as error:
            if isinstance(error, OSError) and error.errno in _SHORTAGES:
                self._stop()  # it may already have part of the message
                raise _away(error) from error
            raise ReaderError(self._why_it_died(process)) from error
        self._read += 1
        if answer.failed is not None:
            raise ReaderError(f"the reading process failed: {answer.failed}")
        return answer

    def _receive(self, pipe: IO[bytes], size: int, deadline: float) -> bytes:
        """Read exactly `size` bytes. Raises: EOFError, or ReaderError on timeout."""
        pieces: list[bytes] = []
        ready = select.poll()  # the only selector that does not need a file descriptor
        ready.register(pipe, select.POLLIN)
        while size > 0:
            if not ready.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise ReaderError("the reading process gave no answer in time")
            piece = os.read(pipe.fileno(), min(size, 1 << 20))
            if not piece:
                raise EOFError
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _stop(self) -> None:
        self._child.stop()
        self._read = 0

    def _why_it_died(self, process: subprocess.Popen[bytes]) -> str:
        try:
            code = process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "the reading process does not understand"
        if code in (-signal.SIGPROF, -signal.SIGXCPU):
            return "reading it takes more than a second of processor time"
        return f"the reading process died ({code})"


def _away(error: OSError) -> ReaderAwayError:
    return ReaderAwayError(f"the reading process cannot be used: {os.strerror(error.errno or 0)}")
