"""The contest of whole turns: answers taken in, and the mails that follow written and sent.

Beside it its floor, and the parts that this floor is made of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jinja2 import Environment

from bench.house import House, Kept
from bench.sending import SENDER, bare_connection, taken_apart
from bench.sink import Sink
from bench.turns import BareIntake, Replies
from pbem.mail_out.deliver import SmtpDelivery
from pbem.sections import Smtp

_LINES = "{% for line in lines %}{{ line }}\n{% endfor %}"


class WholeTurns:
    """Takes in a batch of answers as they come, carries them out, writes and sends what follows.

    Attributes:
        replies: the answers; each batch answers what followed the last one.
        followed: the mails that followed the last batch, and their readers.
    """

    def __init__(self, house: House, sink: Sink) -> None:
        self.replies = Replies(house)
        self.followed: list[tuple[bytes, str]] = []
        self._house = house
        self._settings = Smtp(host="127.0.0.1", port=sink.port, security="none", connections=1)

    def prepare(self) -> None:
        """Lay out one batch of answers."""
        self.replies.read(self.followed)
        self.replies.prepare()

    def __call__(self) -> int:
        """Take the batch in, to the last mail that follows; return how many answers it had."""
        way_out = Kept(SmtpDelivery(self._settings))
        for raw, envelope in self.replies.batch:
            self._house.receive(raw, envelope)
        self._house.handle()
        self._house.send(way_out)
        self.followed = way_out.mails
        return len(self.replies.batch)


class BareTurns:
    """The floor, with the answers and mails of the last batch of `turns`.

    A bare parse and two bare commits for each answer; a bare template and sending for each mail.
    """

    def __init__(self, turns: WholeTurns, sink: Sink, *, is_full: bool = True) -> None:
        self._turns = turns
        self._sink = sink
        self._intake = BareIntake(turns.replies, is_full=is_full)
        self._render = BareTemplate(turns)

    def prepare(self) -> None:
        """Take apart what the template is to put together."""
        self._render.prepare()

    def __call__(self) -> int:
        """Do it once; return the number of answers."""
        done = self._intake()
        self._render()
        asyncio.run(self._send())
        return done

    def parts(self) -> dict[str, Callable[[], int]]:
        """Return what the floor is made of, each by itself, by its name."""
        intake = self._intake
        return {
            "bare parse of an answer": lambda: self._each(intake.parse),
            "bare commit": lambda: self._each(intake.keep),
            "bare template of a mail": self._render,
        }

    def _each(self, work: Callable[[bytes], object]) -> int:
        batch = self._turns.replies.batch
        for raw, _ in batch:
            work(raw)
        return len(batch)

    async def _send(self) -> None:
        async with bare_connection(self._sink) as client:
            for raw, reader in self._turns.followed:
                await client.sendmail(SENDER, [reader], raw)


class BareTemplate:
    """Text and page of the same mails by a template that only puts lines below each other."""

    def __init__(self, turns: WholeTurns) -> None:
        self._turns = turns
        self._lines: list[tuple[list[str], list[str]]] = []
        self._text = Environment(autoescape=False).from_string(_LINES)  # noqa: S701  (plain text)
        self._page = Environment(autoescape=True).from_string(_LINES)

    def prepare(self) -> None:
        """Take the mails apart."""
        apart = [taken_apart(raw) for raw, _ in self._turns.followed]
        self._lines = [(text.splitlines(), html.splitlines()) for _, text, html in apart]

    def __call__(self) -> int:
        """Render them all; return their number."""
        for text, html in self._lines:
            self._text.render(lines=text)
            self._page.render(lines=html)
        return len(self._lines)
