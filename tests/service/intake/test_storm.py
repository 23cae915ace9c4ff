"""Test that automatic repliers at one table fall silent, over real SMTP on both sides."""

from __future__ import annotations

import asyncio
import email
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

import aiosmtplib
from aiosmtpd.smtp import SMTP
from aiosmtpd.smtp import Envelope as SmtpEnvelope

from pbem.domain.log.events import MovePlayed
from pbem.mail_out.deliver import SmtpDelivery
from pbem.sections import Smtp
from pbem.service.delivery.send_due import send_due
from pbem.service.intake.handle_mail import handle_all
from tests.service.conftest import Table, configured
from tests.service.intake.listening import listening

MAX_ROUNDS = 60


@dataclass
class Internet:
    """The mail server of all players: keeps what it gets; robots answer at once.

    Anna: a robot that answers each mail, like a person, without any header that says so. Bob: one
    that keeps to RFC 3834, but answers everything, to the envelope sender. Carol: a vacation robot
    of the old kind, to From. Dora: no such mailbox. Emil: a mailing list that has the service among
    its members.
    """

    mails: list[tuple[str, bytes]] = field(default_factory=list)
    answers: list[tuple[str, str, bytes]] = field(default_factory=list)

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, _session: object, envelope: SmtpEnvelope
    ) -> str:
        raw = envelope.content
        for rcpt in envelope.rcpt_tos:
            self.mails.append((rcpt, raw))
            message = email.message_from_bytes(raw)
            sender = envelope.mail_from or ""
            self.answers.extend(self._answer(rcpt, sender, message, raw))
        return "250 OK"

    def _answer(
        self, rcpt: str, sender: str, message: Message, raw: bytes
    ) -> Iterator[tuple[str, str, bytes]]:
        number = len(self.mails)
        reply_to = email.utils.parseaddr(message["Reply-To"])[1]
        head = f"From: {rcpt}\r\nMessage-ID: <{number}.{rcpt}>\r\n"
        match rcpt.partition("@")[0]:
            case "anna":
                words = f"Subject: Re: {message['Subject']}\r\n\r\nThank you, I read it soon.\r\n"
                yield rcpt, reply_to, f"{head}To: {reply_to}\r\n{words}".encode()
            case "bob":
                auto = "Auto-Submitted: auto-replied\r\nSubject: Auto: thanks\r\n\r\nThanks.\r\n"
                yield "", sender, f"{head}To: {sender}\r\n{auto}".encode()
            case "carol":
                old = "Precedence: junk\r\nSubject: I am away\r\n\r\nplay 21\r\n"
                yield rcpt, reply_to, f"{head}To: {reply_to}\r\n{old}".encode()
            case "dora":
                dsn = (
                    "From: MAILER-DAEMON@example.org\r\nSubject: failure notice\r\n"
                    f"Message-ID: <dsn{number}@mx.example.org>\r\nContent-Type: multipart/report;"
                    ' report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n'
                    "Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n"
                    "Status: 5.1.1\r\n\r\n--b--\r\n"
                )
                yield "", sender, dsn.encode()
            case "emil":
                listed = b"List-Id: <friends.example.org>\r\nPrecedence: list\r\n" + raw
                yield "friends-bounces@example.org", reply_to, listed


async def deliver_all(table: Table, internet: Internet) -> int:
    """Deliver messages until no party sends any more. Return the number of rounds."""
    loop = asyncio.get_running_loop()
    outside = await loop.create_server(
        lambda: SMTP(internet, hostname="mx.example.org"), "127.0.0.1", 0
    )
    out_port = outside.sockets[0].getsockname()[1]
    delivery = SmtpDelivery(Smtp(host="127.0.0.1", port=out_port, security="none", connections=2))
    async with listening(table) as in_port:
        for rounds in range(MAX_ROUNDS):
            await asyncio.to_thread(handle_all, table.service)
            sent = await send_due(table.service, delivery)
            waiting, internet.answers[:] = internet.answers[:], []
            if not sent and not waiting:
                outside.close()
                return rounds
            async with aiosmtplib.SMTP(hostname="127.0.0.1", port=in_port) as client:
                for sender, to, raw in waiting:
                    await client.sendmail(sender, [to], raw)
    raise AssertionError("the storm does not end")


def test_a_storm_ends_in_silence(table: Table) -> None:
    """Two auto-responders, a vacation robot, a bouncing address and a mailing list in a loop."""
    table.service = configured(table.service, idle_answers_per_hour=3)
    game = table.new_game(5)
    before = len(table.outbox())
    for seat in range(5):
        table.answer(seat, "join", run=False)
    internet = Internet()
    rounds = asyncio.run(deliver_all(table, internet))
    assert table.game(game.id).status == "running"
    table.clock.forward(hours=2)
    assert asyncio.run(deliver_all(table, internet)) == 0, "an hour later nobody begins again"

    got = Counter(rcpt.partition("@")[0] for rcpt, _ in internet.mails)
    cap = 12  # four times three: they are new here, so their first hour counts for no game
    assert rounds < MAX_ROUNDS
    assert cap <= got["anna"] <= cap + 4, "the only robot that nothing tells from a person"
    assert all(1 <= got[name] <= 4 for name in ("bob", "carol", "dora", "emil")), got
    assert sum(got.values()) == len(table.outbox()) - before

    assert set(Counter(row.status for row in table.inbox())) <= {"done", "ignored"}
    moves = table.events(game, MovePlayed)
    assert not any(move.source == "mail" for move in moves), "no robot has moved anything"
    kept = [row.error or "" for row in table.inbox()] + [str(row.verdict) for row in table.inbox()]
    assert not any("@" in words for words in kept)
