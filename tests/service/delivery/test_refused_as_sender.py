"""Test a mail server that refuses the service at any command."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP

from pbem.domain.log.seat_events import PlayerUnreachable
from pbem.mail_out.deliver import SmtpDelivery
from pbem.sections import Smtp
from pbem.service.admin import disputes
from pbem.service.clock.contact import tell_games
from pbem.service.clock.fire_due import fire_due
from pbem.service.delivery.send_due import send_due
from pbem.service.intake.handle_mail import handle_all
from pbem.service.upkeep.health import compute_health
from tests.cli.test_doctor import served
from tests.service.conftest import Sent, Table

OWN = "game@play.example.org"
NOT_OWNED = "553 5.7.1 <{sender}>: Sender address rejected: not owned by user game"
BLOCKED = "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.example.net"
UNUSUAL = "550 5.4.6 Unusual sending activity detected"
QUOTA = "550 5.4.5 Daily user sending limit exceeded."
SEND_AS = "554 5.2.252 SendAsDenied; not allowed to send as {sender}"


@dataclass
class NextServer:
    """Keeps what it takes; `answers` maps a command to the answer with which it refuses mails.

    It takes mails from the `exempt` sender and mails to the `spared` readers.
    """

    answers: dict[str, str] = field(default_factory=dict)
    exempt: str = ""
    spared: tuple[str, ...] = ()
    mails: list[Sent] = field(default_factory=list)
    tried: int = 0

    def _answer(self, command: str, sender: str, recipient: str = "") -> str | None:
        if sender == self.exempt or recipient in self.spared or command not in self.answers:
            return None
        return self.answers[command].format(sender=sender)

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        refusal = self._answer("MAIL", address)
        if refusal is None:
            envelope.mail_from = address
        self.tried += 1
        return refusal or "250 2.1.0 Ok"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        refusal = self._answer("RCPT", envelope.mail_from, address)
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 2.1.5 Ok"

    async def handle_DATA(self, _server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802
        (recipient,) = envelope.rcpt_tos
        refusal = self._answer("DATA", envelope.mail_from, recipient)
        if refusal is None:
            self.mails.append(Sent(recipient, envelope.mail_from, envelope.content))
        return refusal or "250 2.0.0 Ok: queued"

    def to(self, address: str) -> list[str]:
        return [str(mail.message["Subject"]) for mail in self.mails if mail.rcpt_to == address]


@dataclass
class Post:
    """A table whose messages leave through a real server."""

    table: Table
    server: NextServer
    delivery: SmtpDelivery

    def send(self) -> None:
        asyncio.run(send_due(self.table.service, self.delivery))

    def let_pass(self, **time: float) -> None:
        self.table.clock.forward(**time)
        fire_due(self.table.service)
        self.send()
        tell_games(self.table.service)

    def statuses(self) -> set[str]:
        return {row.status for row in self.table.outbox() if row.kind != "alert"}

    def score(self, seat: int, game_id: str) -> int:
        player = self.table.game(game_id).seats[seat].player
        return self.table.read(
            lambda uow: uow.deliverability.score(
                player, self.table.clock.now() - timedelta(days=30)
            )
        )


@pytest.fixture
def post(table: Table) -> Iterator[Post]:
    server = NextServer()
    with served(lambda: SMTP(server)) as port:
        settings = Smtp(host="127.0.0.1", port=port, security="none", timeout=5, connections=1)
        yield Post(table, server, SmtpDelivery(settings))


EVERY_WAY = pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("MAIL", NOT_OWNED),
        ("RCPT", NOT_OWNED),
        ("RCPT", "553 Sender address rejected: not owned by user game"),
        ("RCPT", "550 5.1.0 <{sender}>: Sender address rejected: User unknown"),
        ("RCPT", BLOCKED),
        ("RCPT", UNUSUAL),
        ("RCPT", "554 Service unavailable"),
        ("DATA", QUOTA),
        ("DATA", SEND_AS),
        ("DATA", "454 Throttling failure: Daily message quota exceeded."),
        ("DATA", "554 Message rejected: Email address is not verified."),
    ],
)


@EVERY_WAY
def test_invitations_wait_and_no_player_is_blamed(post: Post, command: str, answer: str) -> None:
    """After six days of refusals, all messages are sent."""
    game = post.table.started(2)
    post.server.answers = {command: answer}
    seat = int(game.to_act[0])
    for word in ("board", "rules", "help"):
        post.table.answer(seat, word, run=False)
    handle_all(post.table.service)
    for _ in range(8):
        post.let_pass(hours=18)
    assert post.statuses() <= {"sent", "pending", "superseded"}
    assert [post.score(number, game.id) for number in (0, 1)] == [0, 0]
    kinds = {type(item.event) for item in post.table.log(game)}
    assert PlayerUnreachable not in kinds
    assert any(
        "refuses mails from this service" in words
        for words in compute_health(post.table.service).problems
    )
    post.server.answers.clear()
    for _ in range(2):
        post.let_pass(hours=2)
    assert post.statuses() <= {"sent", "superseded"}
    assert not any(
        "refuses mails" in words for words in compute_health(post.table.service).problems
    )


def test_the_admins_are_told_by_the_way_that_still_works(post: Post) -> None:
    """An alert leaves with our bare address, which the server takes, and at once."""
    post.server.answers, post.server.exempt = {"RCPT": NOT_OWNED}, OWN
    _invite(post)
    post.send()
    (alert,) = [mail for mail in post.server.mails if mail.rcpt_to == "root@example.org"]
    assert alert.mail_from == OWN
    assert "refuses mails from this service" in alert.words
    assert "@example.org" not in alert.words.replace(OWN, "")
    for _ in range(12):
        post.let_pass(hours=20)
    assert "failed" not in post.statuses(), "the alerts that leave prove nothing about the others"


def test_a_reader_refused_while_others_are_not_is_the_readers(post: Post) -> None:
    """An unclear refusal counts as a bounce if other messages were sent meanwhile."""
    post.server.answers = {"RCPT": "550 no"}
    post.server.spared = ("bob@example.org", "carol@example.org", "root@example.org")
    _invite(post)
    assert post.statuses() == {"pending"}
    post.let_pass(minutes=1)
    assert {row.status for row in post.table.outbox() if row.seat == 0} >= {"failed"}
    assert {row.status for row in post.table.outbox() if row.seat in (1, 2)} == {"sent"}


def _invite(post: Post) -> None:
    """Invite three players, and send the mails through the real server."""
    real, post.table.delivery = post.table.delivery, post.delivery  # type: ignore[assignment]
    try:
        post.table.new_game(3)
    finally:
        post.table.delivery = real


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "552 5.2.2 mailbox full"])
def test_an_alert_is_tried_again_though_its_reader_is_refused(post: Post, answer: str) -> None:
    """The alert may be the only report about a stopped game."""
    game = post.table.started(2)
    post.server.answers = {"RCPT": answer}
    post.server.spared = ("anna@example.org", "bob@example.org")
    disputes.open_for(post.table.service, game.id, "Bob", "my move was lost")
    for _ in range(3):
        post.let_pass(hours=2)
    (alert,) = [row for row in post.table.outbox() if row.kind == "alert"]
    assert alert.status == "pending"
    post.server.answers = {}
    post.let_pass(hours=3)
    (mail,) = [mail for mail in post.server.mails if mail.rcpt_to == "root@example.org"]
    assert "dispute 1" in mail.words
