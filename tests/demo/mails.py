"""Create mailboxes with sample messages. Answers to them are discarded."""

from __future__ import annotations

import asyncio
import email
from dataclasses import dataclass, field, replace
from email.policy import default
from functools import cache

from pbem import resources
from pbem.demo.clients import CLIENTS, ReceivedMail, open_mail
from pbem.demo.correspondents import Correspondent, Visitor, address_of
from pbem.demo.mailboxes import DemoMailbox, Mailboxes
from pbem.domain.log.chain import Head
from pbem.mail_out.compose import compose
from pbem.mail_out.content import GameMail, InvitationMail
from pbem.mail_out.render import Renderer
from tests.mail_out.samples import MAIL_HEAD, SAMPLES


@cache
def received(name: str) -> ReceivedMail:
    """Return a sample message as a received mail."""
    content = SAMPLES[name]
    rendered = Renderer([resources.templates_dir() / "email"]).render(content)
    heads: tuple[tuple[str, Head, Head], ...] = ()
    if isinstance(content, GameMail | InvitationMail):
        heads = ((content.game_id, Head(content.version, content.head), content.before),)
    raw = compose(rendered, replace(MAIL_HEAD, heads=heads))
    return open_mail(email.message_from_bytes(raw, policy=default))


@dataclass(slots=True)
class Writer(Visitor):
    """A visitor whose messages are recorded."""

    sent: list[bytes] = field(default_factory=list)

    async def send(self, raw: bytes) -> None:
        self.sent.append(raw)


def make_mailboxes(*, visitor: bool = True) -> Mailboxes:
    """Create mailboxes: Anna's with an invitation and a turn mail, Bob's with an answered turn mail."""
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    kinds = {"Anna": Writer if visitor else Correspondent, "Bob": Correspondent}
    people = [
        kind(name, address_of(name), CLIENTS["Gmail"], queue, 0) for name, kind in kinds.items()
    ]
    boxes = Mailboxes(
        {person.name.lower(): DemoMailbox(person, "Gmail") for person in people}, "Phyliss by mail"
    )
    boxes.take(people[0], received("invitation"), None)
    boxes.take(people[0], received("turn"), None)
    boxes.take(people[1], received("turn-large-hand"), "21")
    return boxes
