"""Simulated players whose orders depend only on the position shown in a message.

Therefore the same cards lead to the same game, however often messages are delivered, answered or lost.
"""

from __future__ import annotations

import asyncio
import email
import hashlib
import re
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from random import Random  # noqa: TID251  (how people behave, not what they play)

from pbem.demo.clients import Client, ReceivedMail, open_mail
from pbem.demo.correspondents import choose_move, listed_moves
from trials.chaos.browsers import Browser
from trials.chaos.wire import Letter, Wire

_LINK = re.compile(r"http://127\.0\.0\.1:\d+(/seat/[a-z0-9-]+)")
_OVER = re.compile(r"the\s+game\s+is\s+over")


@dataclass(slots=True)
class Person:
    """A player with a mail program.

    Attributes:
        phrase: the player's contribution to the shuffles, or None.
        sits_down_after: the neighbour who joins first, so that the log has the same order in every
            run.
        is_nasty: True to answer some messages twice, and messages that came twice again.
        has_joined: set once the service has recorded that the player joined.
        browser: plays on the seat page after joining by mail, or None to answer messages.
        twice: messages that came more than once.
    """

    name: str
    address: str
    client: Client
    mailbox: asyncio.Queue[bytes]
    wire: Wire
    chance: Random
    phrase: str | None
    sits_down_after: Person | None
    is_nasty: bool
    has_joined: asyncio.Event = field(default_factory=asyncio.Event)
    browser: Browser | None = None
    twice: int = 0
    _path: str = ""
    _played: int = 0
    _answered: set[int] = field(default_factory=set)
    _read: dict[str, tuple[ReceivedMail, str | None]] = field(default_factory=dict)

    async def play(self) -> None:
        """Read messages and answer them until the game ends."""
        while True:
            message = email.message_from_bytes(await self.mailbox.get(), policy=default)
            assert isinstance(message, EmailMessage)
            mail = open_mail(message)
            if mail.message_id in self._read:
                self.twice += 1
                self._answer_again(mail.message_id, 0.5)
                continue
            words = None if mail.event is None else await self._decide(mail, mail.event)
            self._read[mail.message_id] = (mail, words)
            link = _LINK.search(mail.text)
            self._path = link[1] if link else self._path
            if words is not None and self.browser is not None and self._path:
                await self.browser.play(self._path, self._choose)
            elif words is not None:
                self._post(mail, words, extra=False)
                self._answer_again(mail.message_id, 0.05)
            if _OVER.search(mail.text):
                return

    async def _decide(self, mail: ReceivedMail, version: int) -> str | None:
        """Return the answer, or None if none is needed or it was sent before."""
        if "invites you to" in mail.text:
            if self.sits_down_after is not None:
                await self.sits_down_after.has_joined.wait()
            return "join" if self.phrase is None else f"join phrase: {self.phrase}"
        self.has_joined.set()
        moves = listed_moves(mail.text)
        if not moves or version in self._answered:
            return None
        self._answered.add(version)
        chance = hashlib.sha256(f"{self.name}|{version}|{moves}".encode()).digest()
        number, words = choose_move(moves, chance)
        return words if words.split()[0].isalpha() and not chance[3] % 2 else str(number)

    def _choose(self, moves: list[str]) -> str:
        """Choose a move of a page, depending only on the listed moves and the number of moves made."""
        self._played += 1
        chance = hashlib.sha256(f"{self.name}|{self._played}|{moves}".encode()).digest()
        return choose_move(list(enumerate(moves)), chance)[1]

    def _answer_again(self, message_id: str, probability: float) -> None:
        """Answer a message again with a given probability, if the first answer was a number.

        The number of a move is valid once, so the service refuses one of the two answers.
        """
        mail, words = self._read[message_id]
        if self.is_nasty and words and words.isdigit() and self.chance.random() < probability:
            self._post(mail, words, extra=True)

    def _post(self, mail: ReceivedMail, words: str, *, extra: bool) -> None:
        raw = self.client(mail, self.address, words)
        reply = email.message_from_bytes(raw, policy=default)
        self.wire.post(
            Letter(raw, self.address, str(reply["To"]), str(reply["Message-ID"]), extra=extra)
        )
