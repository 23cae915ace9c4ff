"""Programs that answer every message automatically, behind Postfix, which delivers to them over
LMTP.
"""

from __future__ import annotations

import asyncio
import email
import email.utils
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP
from aiosmtpd.smtp import Envelope as SmtpEnvelope

from tests.mail_servers.postfix import PEOPLE, Postfix

LIST_HEAD = (
    "List-Id: Friends of cards <friends.people.example>\r\n"
    "List-Post: <mailto:friends@people.example>\r\nPrecedence: list\r\n"
)


@dataclass
class Robots:
    """The immediate reaction of each of `postfix.ROBOTS` to a message.

    `thanks` answers like a person, without a header that says what it is. `polite` keeps to RFC 3834
    but writes to everybody. `away` is a vacation notice of the old kind, to Reply-To. `friends` is a
    mailing list: its members are whoever the mail asks to answer to, that is the service, and
    `thanks`.

    Attributes:
        got: number of messages received by each.
        sent: number of messages sent by each.
    """

    postfix: Postfix
    got: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)

    async def handle_DATA(  # noqa: N802  (aiosmtpd finds it by this name)
        self, _server: SMTP, _session: object, envelope: SmtpEnvelope
    ) -> str:
        raw, rcpt = envelope.content, envelope.rcpt_tos[0]
        assert isinstance(raw, bytes)
        name = rcpt.partition("@")[0]
        self.got[name] += 1
        for sender, to, answer in self._answers(name, envelope.mail_from or "", raw):
            self.sent[name] += 1
            await asyncio.to_thread(self.postfix.send, answer, sender, to)
        return "250 2.0.0 OK"

    def _answers(self, name: str, mail_from: str, raw: bytes) -> Iterator[tuple[str, str, bytes]]:
        """Return (envelope sender, recipient, mail) of everything that a mail makes a robot send."""
        message = email.message_from_bytes(raw)
        address = f"{name}@{PEOPLE}"
        reply_to = email.utils.parseaddr(message["Reply-To"] or message["From"])[1]
        match name:
            case "thanks":
                yield address, reply_to, _mail(address, reply_to, message, "")
            case "polite":
                head = "Auto-Submitted: auto-replied\r\n"
                for to in (mail_from, reply_to):
                    yield "", to, _mail(address, to, message, head)
            case "away":
                head = "Precedence: bulk\r\nX-Autoreply: yes\r\nX-Autorespond: away\r\n"
                yield address, reply_to, _mail(address, reply_to, message, head)
            case "friends":
                listed = LIST_HEAD.encode() + raw
                for to in (reply_to, f"thanks@{PEOPLE}"):
                    yield f"friends-bounces@{PEOPLE}", to, listed


def _mail(address: str, to: str, answered: Message, head: str) -> bytes:
    text = (
        f"From: {address}\r\nTo: {to}\r\nSubject: Re: {answered['Subject']}\r\n"
        f"Message-ID: {email.utils.make_msgid(domain=PEOPLE)}\r\n"
        f"In-Reply-To: {answered['Message-ID']}\r\n{head}\r\n"
        "Thank you for your mail, I will read it soon.\r\n"
    )
    return text.encode()


@contextmanager
def running(postfix: Postfix) -> Iterator[Robots]:
    """Run the robots."""
    robots = Robots(postfix)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        loop.create_server(lambda: LMTP(robots, loop=loop), "127.0.0.1", postfix.robots)
    )
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield robots
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        server.close()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
