"""Base class of the transports that fetch messages: IMAP mailbox and Maildir.

Each transport runs in its own thread. It reads a message, lets the service commit it, and only then
moves it away. If the process is killed in between, the message is fetched again and the inbox
detects the duplicate.
"""

from __future__ import annotations

import select
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from pbem.errors import StoreError
from pbem.mail_in.mime.message import Envelope

FIRST_PART = 64 * 1024
"""Number of bytes that are stored of a message that exceeds the size limit."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds between two attempts after an error, doubled each time."""


@dataclass(frozen=True, slots=True)
class RejectedMail:
    """Why a message cannot be accepted.

    Attributes:
        why: the error and the location of the whole message, for an admin.
        name: the message's name on its server, for messages without bytes.
        size: size of the whole message in bytes if it exceeds our limit, else None.
    """

    why: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Intake:
    """Callbacks of a transport to the service, called from the transport's thread.

    Attributes:
        accept: stores a message durably. Returns after the commit. Raises StoreError (try again
            later). Any other error is caused by the message.
        set_aside: quarantines the available part of a rejected message for an admin, and notifies
            its sender.
        is_ours: returns True if an address is one of the service's.
        now: returns the current time.
        looked: called after all waiting messages have been taken.
        max_bytes: maximum size of a message.
        advisory_claim: claims a mailbox, by its name, among processes that share a database. False
            means that another process reads it.
    """

    accept: Callable[[bytes, Envelope], None]
    set_aside: Callable[[bytes, Envelope, RejectedMail], None]
    is_ours: Callable[[str], bool]
    now: Callable[[], datetime]
    looked: Callable[[], None]
    max_bytes: int
    advisory_claim: Callable[[str], AbstractContextManager[bool]] = lambda _: nullcontext(True)


def keep(
    intake: Intake, raw: bytes, envelope: Envelope, *, size: int, name: str, place: str
) -> bool:
    """Pass a message to the service. It is committed on return.

    Args:
        intake: the service.
        raw: the message, or the first part of a message that exceeds our limit.
        envelope: its envelope.
        size: size of the whole message in bytes.
        name: the message's name on its server.
        place: location of the whole message if it is not accepted.

    Returns:
        True if it was accepted, False if it was quarantined for an admin.

    Raises: StoreError.
    """
    if size > intake.max_bytes:
        why = (
            f"the mail has {size} bytes, more than the {intake.max_bytes} that are accepted:"
            f" its first {len(raw)} bytes are here, all of it is {place}"
        )
        intake.set_aside(raw, envelope, RejectedMail(why, name, size))
        return False
    try:
        intake.accept(raw, envelope)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  (one invalid message must not stop the others)
        why = f"{type(error).__name__} at intake; it is {place}"
        intake.set_aside(raw, envelope, RejectedMail(why, name))
        return False
    return True


class WakeupSignal:
    """Wakes a waiting thread, even one that waits for a socket."""

    def __init__(self) -> None:
        self._hearing, self._ringing = socket.socketpair()
        self._hearing.setblocking(False)
        self._ringing.setblocking(False)

    def ring(self) -> None:
        """Wake the waiting thread, or the next call that waits."""
        try:
            self._ringing.send(b"!")
        except (BlockingIOError, OSError):
            return  # already signalled, or the waiting thread has ended

    def wait(self, seconds: float, other: socket.socket | None = None) -> bool:
        """Wait for the signal, for bytes on another socket, or for a timeout. True for the signal."""
        poller = select.poll()
        poller.register(self._hearing, select.POLLIN)
        if other is not None:
            poller.register(other, select.POLLIN)
        heard = self._hearing.fileno() in [fd for fd, _ in poller.poll(max(0.0, seconds) * 1000)]
        if heard:
            self._hearing.recv(4096)
        return heard

    def pause(self, seconds: float, *, is_over: Callable[[], bool]) -> None:
        """Wait for the full time even if signalled, unless `is_over` returns True."""
        end = time.monotonic() + seconds
        while not is_over() and (left := end - time.monotonic()) > 0:
            self.wait(left)

    def close(self) -> None:
        """Close the sockets."""
        self._hearing.close()
        self._ringing.close()


class InboundTransport(ABC):
    """A transport that fetches messages from a mailbox.

    Attributes:
        heartbeat: name under which its heartbeats are stored.
        last_look: all messages that arrived until this time have been taken, or None before the
            first look.
    """

    heartbeat: ClassVar[str]

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._bell = WakeupSignal()
        self._stopping = False
        self._pause = FIRST_PAUSE
        self.last_look: datetime | None = None

    def run(self) -> None:
        """Take messages until `stop`. Blocks, and retries with growing pauses after errors."""
        try:
            while not self._stopping:
                try:
                    self._watch()
                except Exception as error:  # noqa: BLE001  (receiving must continue after any error)
                    self._log_error(error)
                    self._bell.pause(self._pause, is_over=lambda: self._stopping)
                    self._pause = min(2 * self._pause, LONGEST_PAUSE)
        finally:
            self.close()

    def look(self) -> None:
        """Request a check for new messages. Thread-safe."""
        self._bell.ring()

    def stop(self) -> None:
        """Stop after the current mail. Thread-safe."""
        self._stopping = True
        self._bell.ring()

    def close(self) -> None:
        """Close the signal's sockets. `run` does so at its end."""
        self._bell.close()

    def _works(self) -> None:
        """Reset the retry delay after a success."""
        self._pause = FIRST_PAUSE

    @abstractmethod
    def _watch(self) -> None:
        """Take all waiting messages, call `_works`, and wait for more."""

    @abstractmethod
    def _log_error(self, error: Exception) -> None:
        """Log an error without any text from the server."""
