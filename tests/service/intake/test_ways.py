"""Test that deadlines wait for polling transports, and that unreadable messages are set aside."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.domain.log.events import MessagePosted
from pbem.domain.table.game import Game
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.transport import RejectedMail
from pbem.service.intake import accepting as intake
from pbem.service.runner import LOOK_AGAIN, Runner
from tests.service.conftest import NAMES, START, HandClock, Sent, Table, raw_mail


@dataclass
class Mailbox:
    """A way in whose looks are made by hand."""

    clock: HandClock
    last_look: datetime | None = None
    asked: int = 0
    alarms: list[datetime | None] = field(default_factory=list)

    def run(self) -> None: ...

    def look(self) -> None:
        self.asked += 1

    def stop(self) -> None: ...

    def was_read(self) -> None:
        self.last_look = self.clock.now()


def test_no_deadline_fires_before_the_mailbox_was_read(table: Table, game: Game) -> None:
    """Deadlines wait until the mailbox was polled, because it may contain a message that arrived in time."""
    box = Mailbox(table.clock)
    box.was_read()
    runner = Runner(table.service, table.delivery, box.alarms.append, transports=[box])
    table.clock.forward(days=4)
    seat, order = table.standby(game)
    raw = raw_mail(
        f"{table.last_to(seat).rcpt_to}", table.last_to(seat).reply_to, order, message_id="<t@e>"
    )
    for times in (1, 2):
        asyncio.run(runner.run_once())
        assert box.asked == times
        assert table.game(game.id).version == game.version
        assert box.alarms[-1] == table.clock.now() + LOOK_AGAIN
    envelope = Envelope(None, table.last_to(seat).reply_to, "imap", START)
    intake.receive(table.service, raw, envelope)
    box.was_read()
    asyncio.run(runner.run_once())
    played = table.log(table.game(game.id))[game.version]
    assert (played.actor, played.cause is not None) == (f"seat:{seat}", True)
    assert box.asked == 2


def test_deadlines_fire_once_every_mailbox_was_read(table: Table, game: Game) -> None:
    """If the mailboxes are empty, deadlines fire. Mailboxes are polled only while a deadline is due."""
    boxes = [Mailbox(table.clock), Mailbox(table.clock)]
    runner = Runner(table.service, table.delivery, boxes[0].alarms.append, transports=[*boxes])
    asyncio.run(runner.run_once())
    assert [box.asked for box in boxes] == [0, 0]
    table.clock.forward(days=4)
    asyncio.run(runner.run_once())
    table.clock.forward(seconds=1)
    boxes[0].was_read()
    asyncio.run(runner.run_once())
    assert [box.asked for box in boxes] == [1, 2]
    assert table.game(game.id).version == game.version
    boxes[1].was_read()
    asyncio.run(runner.run_once())
    assert table.game(game.id).version > game.version


def test_what_is_set_aside_is_kept_once(table: Table, game: Game) -> None:
    """It names no game, so that nobody buys time; the same mail again is no second row.

    A mail that is too large needs nobody: its sender is told, and can write again.
    """
    reply_to = table.last_to(0).reply_to
    raw = raw_mail("anna@example.org", reply_to, "x", message_id="<big@example.org>")
    envelope = Envelope(None, reply_to, "imap", START)
    first = intake.set_aside(
        table.service, raw, envelope, RejectedMail("too large", "imap:1:1", 10**6)
    )
    again = intake.set_aside(
        table.service, raw[:200], envelope, RejectedMail("too large", "imap:2:1")
    )
    empty = intake.set_aside(table.service, b"", envelope, RejectedMail("damaged", "imap:1:2"))
    other = intake.set_aside(table.service, b"", envelope, RejectedMail("damaged", "imap:1:3"))
    assert again.inbox_id is None
    assert None not in (first.inbox_id, empty.inbox_id, other.inbox_id)
    assert [(row.status, row.error, row.game_id) for row in table.inbox()[-3:]] == [
        ("ignored", "too large", None),
        ("shunted", "damaged", None),
        ("shunted", "damaged", None),
    ]
    table.run()
    assert table.game(game.id).version == game.version


def put_aside(table: Table, *, sender: str, to: str, name: str, head: str = "") -> list[Sent]:
    """Store the fetched start of a message that is too large, and return the messages that follow."""
    before = len(table.delivery.mails)
    raw = head.encode() + raw_mail(sender, to, "21", message_id=f"<{name}@example.org>")
    rejected = RejectedMail("too large", f"imap:1:{name}", 3_000_000)
    intake.set_aside(table.service, raw, Envelope(None, to, "imap", table.clock.now()), rejected)
    table.run()
    return table.delivery.mails[before:]


def test_the_sender_of_a_mail_that_is_too_large_is_told_once(table: Table, game: Game) -> None:
    """The answer names both sizes and a remedy. No order is carried out."""
    to = table.last_to(0).reply_to
    (answer,) = put_aside(table, sender="anna@example.org", to=to, name="big")
    assert answer.rcpt_to == "anna@example.org"
    assert "has 2930 kB, more than the 256 kB that are accepted here" in answer.words
    assert "without attachments" in answer.words
    assert answer.message["In-Reply-To"] == "<big@example.org>"
    assert put_aside(table, sender="anna@example.org", to=to, name="big") == []
    bare = "game@play.example.org"
    assert len(put_aside(table, sender="anna@example.org", to=bare, name="bare")) == 1
    assert table.game(game.id).version == game.version


def test_answers_to_mails_of_an_earlier_key_still_count(table: Table) -> None:
    """After a rotation old tokens are accepted until the old key is removed."""
    game, seat, order = table.start(2)
    old = table.last_to(seat).reply_to
    tokens = table.service.tokens
    table.service = replace(table.service, tokens=replace(tokens, keys=(b"n" * 32, b"k" * 32)))
    assert intake.is_deliverable(table.service, old)
    table.answer(seat, order, to=old)
    assert table.inbox()[-1].status == "done"
    assert table.game(game.id).version > game.version
    table.answer(seat, "board", to=old)  # its turn is over by now
    assert table.inbox()[-1].status == "done"
    newest = table.last_to(seat).reply_to
    table.service = replace(table.service, tokens=replace(tokens, keys=(b"n" * 32,)))
    assert intake.is_deliverable(table.service, newest)
    assert not intake.is_deliverable(table.service, old)


def test_a_copy_to_the_bare_address_is_no_second_mail(table: Table) -> None:
    """A message to a reply address and to the bare address is carried out once."""
    game, seat, _ = table.start(2)
    to, bare = table.last_to(1 - seat).reply_to, "game@play.example.org"
    sender = f"{NAMES[1 - seat].lower()}@example.org"
    raw = raw_mail(sender, to, "say hello", message_id="<two@example.org>", Cc=bare)
    rows = [table.receive(raw, one).inbox_id for one in (bare, to, to.upper())]
    table.run()
    assert [row is None for row in rows] == [False, True, True]
    assert sum(type(one.event) is MessagePosted for one in table.log(game)) == 1
