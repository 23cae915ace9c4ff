"""The common parts of the ways in that fetch mails: a mailbox, a Maildir.

Each runs in a thread of its own. The order is always the same: read the bytes, have the service
commit them, and only then move the mail away. A process that is killed in between finds the mail
again, and the inbox recognises it.
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
"""Bytes that are stored of a mail that is too large."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds between two tries after trouble; doubled each time."""


@dataclass(frozen=True, slots=True)
class RejectedMail:
    """Why a mail cannot be taken.

    Attributes:
        why: what is wrong, and where the whole mail is, in words for an admin.
        name: the mail's own name on its server, for mails without bytes.
        size: bytes of the whole mail, if it is larger than our limit; else None.
    """

    why: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Intake:
    """The questions of a way in to the service, called from the way's own thread.

    Attributes:
        accept: stores a mail durably; returns after the commit. Raises StoreError (try again
            later); any other error is the fault of the mail.
        set_aside: stores the available part of a mail that cannot be taken, for a person, and has
            its sender told.
        is_ours: tells whether an address is one of the service's.
        now: the instant.
        looked: called after every mail that was there has been taken.
        max_bytes: size of the largest mail that is taken.
        leading: claims a mailbox, by its name, among processes that share a database; False:
            another one reads it.
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
    """Hand a mail to the service; it is committed on return.

    Args:
        intake: the service.
        raw: the mail; of a mail beyond our limit, its first part.
        envelope: of the mail.
        size: bytes of the whole mail.
        name: the mail's own name on its server.
        place: where the whole mail is found if it is not taken.

    Returns:
        True if it was taken, False if it was set aside for a person.

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
    except Exception as error:  # noqa: BLE001  (one bad mail must not stop the others)
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
        """Wake the thread, now or as soon as it waits."""
        try:
            self._ringing.send(b"!")
        except (BlockingIOError, OSError):
            return  # it already rings, or nobody listens any more

    def wait(self, seconds: float, other: socket.socket | None = None) -> bool:
        """Wait for the bell, bytes on another socket, or the time.

        Returns True for the bell.
        """
        poller = select.poll()
        poller.register(self._hearing, select.POLLIN)
        if other is not None:
            poller.register(other, select.POLLIN)
        heard = self._hearing.fileno() in [fd for fd, _ in poller.poll(max(0.0, seconds) * 1000)]
        if heard:
            self._hearing.recv(4096)
        return heard

    def pause(self, seconds: float, *, is_over: Callable[[], bool]) -> None:
        """Wait the whole time, even if the bell rings, unless `is_over` is true."""
        end = time.monotonic() + seconds
        while not is_over() and (left := end - time.monotonic()) > 0:
            self.wait(left)

    def close(self) -> None:
        """Stop the bell for good."""
        self._hearing.close()
        self._ringing.close()


class WayIn(ABC):
    """A way in that looks for mails by itself.

    Attributes:
        pulse: under which its signs of life are kept.
        last_look: everything that arrived by this instant is taken; None: not looked yet.
    """

    pulse: ClassVar[str]

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._bell = WakeupSignal()
        self._stopping = False
        self._pause = FIRST_PAUSE
        self.last_look: datetime | None = None

    def run(self) -> None:
        """Take mails until `stop`; blocks, and tries again after trouble, with growing pauses."""
        try:
            while not self._stopping:
                try:
                    self._watch()
                except Exception as error:  # noqa: BLE001  (mails must come in again after any error)
                    self._tell(error)
                    self._bell.pause(self._pause, is_over=lambda: self._stopping)
                    self._pause = min(2 * self._pause, LONGEST_PAUSE)
        finally:
            self.close()

    def look(self) -> None:
        """Look for mails now; call it from any thread."""
        self._bell.ring()

    def stop(self) -> None:
        """End after the current mail; call it from any thread."""
        self._stopping = True
        self._bell.ring()

    def close(self) -> None:
        """Release what was opened; `run` does so at its end."""
        self._bell.close()

    def _works(self) -> None:
        """Note that there is no trouble now: the next pause is the first one again."""
        self._pause = FIRST_PAUSE

    @abstractmethod
    def _watch(self) -> None:
        """Take the mails that are there, say that it works, and wait for more."""

    @abstractmethod
    def _tell(self, error: Exception) -> None:
        """Note in the log what the trouble is, without words of others."""
