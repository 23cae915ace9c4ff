"""One connection to an IMAP server, with the few commands that we need.

It also compensates for missing features of servers. `imap-tools` connects, logs in, idles and
handles folder names. Fetching and moving are implemented here: `imap-tools` parses messages with
the standard library, which must not see raw messages, and its move expunges messages that other
clients marked.
"""

from __future__ import annotations

import email.utils
import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from imap_tools.errors import ImapToolsError, MailboxFolderCreateError, MailboxLoginError
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.utils import encode_folder

from pbem.access_token import printed_token
from pbem.mail_in.transports.transport import WakeupSignal
from pbem.sections import Imap

_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,12})", re.IGNORECASE)
_ARRIVED = re.compile(rb'INTERNALDATE "([^"]{1,40})"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class About:
    """The server's metadata of a message.

    Attributes:
        size: bytes.
        arrived_at: INTERNALDATE, when the server received it, or None if unknown.
    """

    size: int
    arrived_at: datetime | None


class Session:
    """A logged-in connection. Every command can raise OSError or an IMAP error."""

    def __init__(self, box: BaseMailBox) -> None:
        self._box = box
        self._client = box.client
        # Some servers list their capabilities only after the login.
        _, capabilities = self._client.capability()
        words = b" ".join(line for line in capabilities if isinstance(line, bytes))
        self._abilities = frozenset(words.decode("ascii", "replace").upper().split())
        self._copied: set[tuple[int, str]] = set()

    @classmethod
    @contextmanager
    def open(cls, settings: Imap) -> Iterator[Session]:
        """Connect and log in. The context manager disconnects on exit."""
        box = _connect(settings)
        try:
            if settings.token_command:
                token = printed_token(settings.token_command)
                try:
                    box.xoauth2(settings.username, token, initial_folder=None)
                except imaplib.IMAP4.error:
                    raise MailboxLoginError(("NO", []), "OK") from None
            elif settings.username.isascii() and settings.password.isascii():
                box.login(settings.username, settings.password, initial_folder=None)
            else:
                box.login_utf8(settings.username, settings.password, initial_folder=None)
            yield cls(box)
            with suppress(ImapToolsError):
                box.logout()
        finally:
            with suppress(OSError, imaplib.IMAP4.error):
                box.client.shutdown()

    def make_folder(self, name: str) -> None:
        """Create a folder unless it exists."""
        if self._box.folder.exists(name):
            return
        try:
            self._box.folder.create(name)
        except MailboxFolderCreateError:
            if not self._box.folder.exists(name):  # another process may have been faster
                raise

    def select(self, name: str) -> str:
        """Select a folder and return its UIDVALIDITY."""
        self._box.folder.set(name)
        _, validity = self._client.response("UIDVALIDITY")
        return validity[-1].decode("ascii", "replace") if validity and validity[-1] else ""

    def uids(self) -> list[int]:
        """Return the UIDs of the messages in the folder, in order of arrival."""
        self._client.noop()  # without it, a search can miss new messages
        self._client.response("EXISTS")
        return sorted(int(uid) for uid in self._box.uids("UNDELETED", charset=None))

    def has(self, uid: int) -> bool:
        """True if a message still exists."""
        return bool(self._box.uids(f"UNDELETED UID {uid}", charset=None))

    def describe(self, uid: int) -> About | None:
        """Return size and arrival time of a message, or None if the server refuses."""
        status, items = self._client.uid("FETCH", str(uid), "(RFC822.SIZE INTERNALDATE)")
        line = b" ".join(item for item in items if isinstance(item, bytes))
        size, arrived = _SIZE.search(line), _ARRIVED.search(line)
        if status != "OK" or size is None:
            return None
        return About(int(size.group(1)), None if arrived is None else _instant(arrived.group(1)))

    def fetch(self, uid: int, limit: int) -> bytes | None:
        """Return the first `limit` bytes of an unread message, or None if the server refuses."""
        status, items = self._client.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{limit}>)")
        if status != "OK":
            return None
        return next((item[1] for item in items if isinstance(item, tuple)), None)

    def move(self, uid: int, folder: str) -> bool:
        """Move a message (RFC 6851), or copy and remove it. Return False if the server refuses."""
        target = encode_folder(folder).decode("ascii")
        if "MOVE" in self._abilities:
            status, _ = self._client.uid("MOVE", str(uid), target)
            if status == "OK":
                return True
        if (uid, folder) not in self._copied:
            status, _ = self._client.uid("COPY", str(uid), target)
            if status != "OK":
                # for the next attempt, because the folder may have been deleted
                self.make_folder(folder)
                return False
            self._copied.add((uid, folder))
        status, _ = self._client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Deleted)")
        if status != "OK":
            return False  # we cannot delete here, so one copy is enough
        if "UIDPLUS" in self._abilities:
            self._client.uid("EXPUNGE", str(uid))
        else:
            self._client.expunge()
        return True

    def wait(self, bell: WakeupSignal, seconds: float) -> None:
        """Wait until the server reports changes, `bell` is set, or the timeout expires."""
        _, count = self._client.response("EXISTS")
        if count != [None]:
            return  # reported along with the answer to an earlier command, and not reported again
        if "IDLE" not in self._abilities:
            bell.wait(seconds)
            return
        self._box.idle.start()  # type: ignore[no-untyped-call]
        if not self._has_news():
            bell.wait(seconds, self._client.sock)
        self._box.idle.stop()  # type: ignore[no-untyped-call]

    def _has_news(self) -> bool:
        """True if the server's reply to IDLE already contained news that no socket event reports."""
        sock = self._client.sock
        before = sock.gettimeout()
        sock.settimeout(0)
        try:
            return bool(self._client.readline())
        except OSError:  # raised by TLS if there is nothing to read
            return False
        finally:
            sock.settimeout(before)


def _connect(settings: Imap) -> BaseMailBox:
    host, port, timeout = settings.host, settings.port, settings.timeout
    match settings.security:
        case "none":
            return MailBoxUnencrypted(host, port, timeout=timeout)
        case "starttls":
            context = ssl.create_default_context()
            return MailBoxStartTls(host, port, timeout=timeout, ssl_context=context)
        case "tls":
            context = ssl.create_default_context()
            return MailBox(host, port, timeout=timeout, ssl_context=context)


def _instant(text: bytes) -> datetime | None:
    """Parse an INTERNALDATE such as `21-Nov-2026 04:31:23 +0100`."""
    try:
        instant = email.utils.parsedate_to_datetime(text.decode("ascii").strip())
    except ValueError:
        return None
    return instant if instant.tzinfo is not None else None
