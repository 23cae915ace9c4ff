"""What the ways in that fetch mails themselves (a mailbox, a Maildir) have in common.

Each runs in a thread of its own. The order is the same everywhere: the bytes are read, the service
commits them, only then the mail is moved out of the way. A process that is killed in between finds
the mail again, and the inbox knows that it has seen it.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbem.errors import StoreError
from pbem.mail_in.mime.message import Envelope

FIRST_PART = 64 * 1024
"""Bytes that are kept of a mail that is too large to be taken."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds between two tries after trouble; doubled each time."""


@dataclass(frozen=True, slots=True)
class Untaken:
    """Why a mail cannot be taken.

    Attributes:
        why: in words for an admin: what is wrong, and where all of the mail can be found.
        name: the mail's own name on its server, for where there are no bytes.
        size: bytes of the whole mail, if it is larger than we take; else None.
    """

    why: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Intake:
    """What a way in asks of the service; called from the way's own thread.

    Attributes:
        accept: keeps a mail durably; returns after the commit. Raises StoreError (try again later);
            whatever else it raises is the mail's own.
        set_aside: keeps what there is of a mail that cannot be taken, for a person, and has its
            sender told.
        is_ours: says whether an address is one of the service's.
        now: the instant.
        looked: told after everything that was there has been taken.
        max_bytes: of the largest mail that is taken.
        leading: claims a mailbox, by its name, among processes that share a database; False: another
            one reads it.
    """

    accept: Callable[[bytes, Envelope], None]
    set_aside: Callable[[bytes, Envelope, Untaken], None]
    is_ours: Callable[[str], bool]
    now: Callable[[], datetime]
    looked: Callable[[], None]
    max_bytes: int
    leading: Callable[[str], AbstractContextManager[bool]] = lambda _: nullcontext(True)


def keep(
    intake: Intake, raw: bytes, envelope: Envelope, *, size: int, name: str, place: str
) -> bool:
    """Hand a mail to the service; it is committed on return.

    Args:
        intake: the service.
        raw: the mail; where it is larger than we take, its first part.
        envelope: of the mail.
        size: bytes of the whole mail.
        name: the mail's own name on its server.
        place: where all of it can be found if it is not taken.

    Returns:
        True if it was taken, False if it was set aside for a person.

    Raises: StoreError.
    """
    if size > intake.max_bytes:
        why = (
            f"the mail has {size} bytes, more than the {intake.max_bytes} that are accepted:"
            f" its first {len(raw)} bytes are here, all of it is {place}"
        )
        intake.set_aside(raw, envelope, Untaken(why, name, size))
        return False
    try:
        intake.accept(raw, envelope)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  (one mail that nobody can take must not stop the others)
        why = f"{type(error).__name__} at intake; it is {place}"
        intake.set_aside(raw, envelope, Untaken(why, name))
        return False
    return True


class WayIn(Protocol):
    """A way in that looks for mails by itself."""

    @property
    def last_look(self) -> datetime | None:
        """Everything that had arrived by this instant has been taken; None: not looked yet."""
        ...

    def run(self) -> None:
        """Take mails until `stop`; blocks, and never raises for trouble that may pass."""
        ...

    def look(self) -> None:
        """Look now; from any thread."""
        ...

    def stop(self) -> None:
        """End after the mail that is being taken; from any thread."""
        ...


class Bell:
    """Wakes a thread that waits, also one that waits for a socket."""

    def __init__(self) -> None:
        self._hearing, self._ringing = socket.socketpair()
        self._hearing.setblocking(False)
        self._ringing.setblocking(False)

    def ring(self) -> None:
        """Wake the thread, now or as soon as it waits."""
        try:
            self._ringing.send(b"!")
        except (BlockingIOError, OSError):
            return  # it rings already, or nobody listens any more

    def wait(self, seconds: float, other: socket.socket | None = None) -> bool:
        """Wait for the bell, for bytes on another socket, or for the time; True for the bell."""
        poller = select.poll()
        poller.register(self._hearing, select.POLLIN)
        if other is not None:
            poller.register(other, select.POLLIN)
        heard = self._hearing.fileno() in [fd for fd, _ in poller.poll(max(0.0, seconds) * 1000)]
        if heard:
            self._hearing.recv(4096)
        return heard

    def pause(self, seconds: float, *, is_over: Callable[[], bool]) -> None:
        """Wait all of the time, however often the bell rings, unless `is_over` says so."""
        end = time.monotonic() + seconds
        while not is_over() and (left := end - time.monotonic()) > 0:
            self.wait(left)

    def close(self) -> None:
        """Ring no more."""
        self._hearing.close()
        self._ringing.close()
