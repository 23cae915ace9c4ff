"""Reading a stranger's mail in a separate process, where it can do no harm.

The limits of `pbem.mail_in.mime.limits` keep every mail that we know of cheap. The process bounds
the others: it has 256 MiB, and one second of processor time for a mail. If it dies of a mail, that
mail is set aside, a new process is started, and the next mail is read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Final, Protocol

import msgspec

import pbem
from pbem.errors import MailError, MalformedMailError, PbemError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.mime.parse import LIMITS, parse_mail
from pbem.mail_in.quotes.html import UNREADABLE_HTML, html_lines
from pbem.mail_in.sandbox.wire import LENGTH, LONGEST, Answer, Request, answer_of, mail_of, pack

PATIENCE: Final = 20.0
"""Seconds to wait for the reader: far beyond its limit, for busy machines."""
MAILS_EACH: Final = 2000
"""Mails that one process reads before a fresh one replaces it."""
_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "TMPDIR")
"""The variables that the process inherits: no keys, no passwords."""
_SHORTAGES: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Errors of a machine that is out of processes, files or memory."""


class ReaderError(MailError):
    """A mail could not be read within the bounds; the text gives the reason.

    The text holds no content of the mail.
    """


class ReaderAwayError(PbemError):
    """The reader cannot read any mail now; the text gives the reason.

    The trouble passes, and no mail causes it.
    """


class MailReader(Protocol):
    """Reads raw mails."""

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
        """Read a mail; the arguments are those of `parse_mail`.

        Args:
            raw: the bytes as they arrived.
            own_domains: the domains of our Message-IDs.
            own_addresses: the addresses of this service.
            mail_from: envelope sender, None if unknown.
            head_only: leave the body alone.
            secret: our OpenPGP key, which opens an encrypted mail.

        Raises:
            MalformedMailError: the bytes are not a mail.
            ReaderError: reading it went beyond the bounds.
            ReaderAwayError: nothing can be read now.
        """


class DirectReader:
    """Reads in this process: for tests, and for our own mails."""

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
        """Read a mail; see `MailReader`."""
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
    """Reads in a process of its own.

    The first mail starts the process. Threads can share one reader.
    """

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[[subprocess.Popen[bytes]], WorkerReader] | None = None
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
        """Read a mail; see `MailReader`.

        If the process dies of the mail, it is read once more. One that is opened with a key has a
        process to itself: no mail before it can lie in wait there, and none after it finds the key.
        """
        # The reader stops at its limit; one byte more tells it that the mail is longer.
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
        """End the process; a later mail starts a new one."""
        with self._lock:
            self._stop()

    def _ask_again(self, data: bytes) -> Answer:
        """Ask, and ask once more if the process dies: the moment may have been bad."""
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
            process = self._running()
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
                self._stop()  # it may already have part of the mail
                raise _away(error) from error
            raise ReaderError(self._why_it_died(process)) from error
        self._read += 1
        if answer.failed is not None:
            raise ReaderError(f"the reading process failed: {answer.failed}")
        return answer

    def _receive(self, pipe: IO[bytes], size: int, deadline: float) -> bytes:
        """Read `size` bytes.

        Raises: EOFError, or ReaderError if it takes too long.
        """
        pieces: list[bytes] = []
        ready = select.poll()  # of all selectors the one that takes no file of its own
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

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is not None and (self._read >= MAILS_EACH or process.poll() is not None):
            self._stop()
            process = None
        if process is None:
            process = self._process = _start()
            self._end = weakref.finalize(self, _end, process)
            self._read = 0
        return process

    def _stop(self) -> None:
        if self._end is not None:
            self._end()
        self._process = self._end = None

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


def _start() -> subprocess.Popen[bytes]:
    env = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    env["PYTHONPATH"] = str(Path(pbem.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-B", "-m", "pbem.mail_in.sandbox.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with process:  # closes the pipes and waits
        pass
