r"""Transport for messages in an ordinary mailbox over IMAP (RFC 3501).

IDLE and MOVE are used if the server supports them. A message is fetched without marking it
(BODY.PEEK). The service commits it before it is moved to another folder: messages outside the inbox
folder are done. `\Seen` is ignored, since a person can read the mailbox too. UIDs are remembered
for one UIDVALIDITY only, and not longer than the process lives.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import structlog
from imap_tools.errors import MailboxLoginError

from pbem.access_token import TokenCommandError
from pbem.errors import StoreError
from pbem.mail_in.mime.headers import envelope_of
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.imap_session import Session
from pbem.mail_in.transports.transport import (
    FIRST_PART,
    InboundTransport,
    Intake,
    RejectedMail,
    keep,
)
from pbem.sections import Imap

log = structlog.get_logger(__name__)

FETCH_TRIES = 3
"""Number of failed attempts to fetch a message before it is quarantined."""


class ImapMailbox(InboundTransport):
    """The transport for one IMAP mailbox."""

    heartbeat: ClassVar[str] = "imap"

    def __init__(self, settings: Imap, intake: Intake) -> None:
        super().__init__(intake)
        self._settings = settings
        self._name = f"{settings.username}@{settings.host}:{settings.port}/{settings.inbox}"
        self._validity = ""
        self._kept: dict[int, str] = {}
        """Target folder of each committed mail that is not moved yet, by UID."""
        self._refused: dict[int, int] = {}
        """Number of times that the server refused a message, by UID."""

    def _watch(self) -> None:
        with self._intake.advisory_claim(self._name) as is_leader:
            if is_leader:
                with self._connected() as session:
                    while not self._stopping:
                        self._take_all(session)
                        self._works()
                        session.wait(self._bell, self._settings.poll_seconds)
        if not is_leader:
            self._bell.pause(self._settings.poll_seconds, is_over=lambda: self._stopping)

    def take_all(self) -> None:
        """Connect, fetch all messages, and disconnect. Raises: OSError, StoreError and IMAP errors."""
        with self._connected() as session:
            self._take_all(session)

    def _log_error(self, error: Exception) -> None:
        # Server texts can contain addresses. Our own errors do not.
        is_ours = isinstance(error, StoreError | TokenCommandError)
        text = str(error) if is_ours else type(error).__name__
        about = {}
        if isinstance(error, MailboxLoginError):
            text, about = "the server refused our login", {"user": self._settings.username}
        log.warning(
            "mailbox not available; retrying",
            action="imap_trouble",
            error=text,
            host=f"{self._settings.host}:{self._settings.port}",
            **about,
            again_in=self._pause,
        )

    @contextmanager
    def _connected(self) -> Iterator[Session]:
        settings = self._settings
        with Session.open(settings) as session:
            for folder in (settings.processed, settings.failed):
                session.make_folder(folder)
            validity = session.select(settings.inbox)
            if validity != self._validity:
                self._validity = validity
                self._kept.clear()
                self._refused.clear()
            yield session

    def _take_all(self, session: Session) -> None:
        began = self._intake.now()
        unread = 0
        for uid in session.uids():
            if self._stopping:
                return
            unread += not self._take(session, uid)
        if not unread:
            self.last_look = began
            self._intake.looked()

    def _take(self, session: Session, uid: int) -> bool:
        """Fetch, commit and move a message. Steps that were already done are skipped.

        Returns False if the message is still unread.
        """
        folder = self._kept.get(uid) or self._keep(session, uid)
        if folder is None:
            return not session.has(uid)
        self._kept[uid] = folder
        if session.move(uid, folder):
            del self._kept[uid]
        else:
            log.error("cannot move a mail", action="mail_not_moved", uid=uid, folder=folder)
        return True

    def _keep(self, session: Session, uid: int) -> str | None:
        """Pass a message to the service and return its target folder.

        None leaves the message where it is.
        """
        settings, limit = self._settings, self._intake.max_bytes
        name = f"imap:{self._validity}:{uid}"
        location = f"in the folder {settings.failed}; its UID in {settings.inbox} was {uid}"
        about = session.describe(uid)
        wanted = FIRST_PART if about is not None and about.size > limit else limit + 1
        raw = None if about is None else session.fetch(uid, wanted)
        if about is None or raw is None:
            if not session.has(uid):
                return None  # a person or another program has moved it
            self._refused[uid] = self._refused.get(uid, 0) + 1
            if self._refused[uid] < FETCH_TRIES:
                return None
            now = self._intake.now()
            why = f"the server does not give the mail out; it is {location}"
            self._intake.set_aside(b"", Envelope(None, None, "imap", now), RejectedMail(why, name))
            return settings.failed
        size = max(about.size, len(raw))
        if size > limit:
            raw = raw[:FIRST_PART]
        envelope = envelope_of(
            raw,
            transport="imap",
            arrived_at=min(about.arrived_at or self._intake.now(), self._intake.now()),
            is_ours=self._intake.is_ours,
        )
        taken = keep(self._intake, raw, envelope, size=size, name=name, place=location)
        return settings.processed if taken else settings.failed
