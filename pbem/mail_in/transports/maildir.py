"""Transport for messages in a Maildir: servers deliver into `new`, stored messages move to `cur`.

https://cr.yp.to/proto/maildir.html: messages in `new` are complete. A message that cannot be
accepted is moved to the subfolder `.Failed`.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import structlog

from pbem.errors import StoreError
from pbem.mail_in.mime.headers import envelope_of
from pbem.mail_in.transports.transport import FIRST_PART, InboundTransport, Intake, keep

log = structlog.get_logger(__name__)

TAKEN = ":2,"
"""Suffix of names in `cur`, without flags, because the message is unread."""


class Maildir(InboundTransport):
    """The transport for the Maildir at `path`, checked every `poll_seconds`."""

    heartbeat: ClassVar[str] = "maildir"

    def __init__(self, path: Path, poll_seconds: float, intake: Intake) -> None:
        super().__init__(intake)
        self._path = path
        self._poll_seconds = poll_seconds

    def _watch(self) -> None:
        self.take_all()
        self._works()
        self._bell.wait(self._poll_seconds)

    def _log_error(self, error: Exception) -> None:
        text = type(error).__name__
        if isinstance(error, StoreError):
            text = str(error)
        elif isinstance(error, OSError) and error.strerror:
            text = error.strerror
        log.warning(
            "Maildir not available; retrying",
            action="maildir_trouble",
            error=text,
            again_in=self._pause,
        )

    def take_all(self) -> None:
        """Take all messages, oldest first.

        Raises: OSError, StoreError.
        """
        began = self._intake.now()
        files: list[tuple[int, str, os.stat_result]] = []
        with os.scandir(self._path / "new") as entries:
            for entry in entries:
                if not entry.name.startswith("."):
                    with suppress(FileNotFoundError):
                        about = entry.stat(follow_symlinks=False)
                        files.append((about.st_mtime_ns, entry.name, about))
        with suppress(OSError):  # logged when a message cannot be moved there
            (self._path / "cur").mkdir(exist_ok=True)
        for _, name, about in sorted(files, key=lambda one: one[:2]):
            if self._stopping:
                return
            if stat.S_ISREG(about.st_mode):
                self._take(name, about)
        self.last_look = began
        self._intake.looked()

    def _take(self, name: str, about: os.stat_result) -> None:
        file = self._path / "new" / name
        limit = self._intake.max_bytes
        try:
            with file.open("rb") as opened:
                raw = opened.read(limit if about.st_size <= limit else FIRST_PART)
        except FileNotFoundError:
            return  # another process was faster
        except OSError as error:  # the other messages must not wait for this one
            log.error("cannot read a mail", action="mail_unreadable", error=error.strerror)
            return
        arrived = datetime.fromtimestamp(about.st_mtime, UTC)
        envelope = envelope_of(
            raw,
            transport="maildir",
            arrived_at=min(arrived, self._intake.now()),
            is_ours=self._intake.is_ours,
        )
        taken = keep(
            self._intake,
            raw,
            envelope,
            size=about.st_size,
            name=f"maildir:{name}",
            place=f"{name} in .Failed",
        )
        try:
            folder = self._path if taken else self._failed()
            file.rename(folder / "cur" / f"{name.partition(':')[0]}{TAKEN}")
        except OSError as error:  # it is stored, so the inbox recognises it next time
            if file.exists():  # otherwise another process moved it first
                log.error("cannot move a mail", action="mail_not_moved", error=error.strerror)

    def _failed(self) -> Path:
        folder = self._path / ".Failed"
        for name in ("tmp", "new", "cur"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "maildirfolder").touch()
        return folder
