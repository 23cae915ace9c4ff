"""Simulated players of the demonstration. They see only their messages, and answer by SMTP."""

from __future__ import annotations

import asyncio
import email
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default

import aiosmtplib

from pbem.demo.clients import CLIENTS, Client, ReceivedMail, open_mail

_LISTED = re.compile(r"^  (?: {24}){0,2}\d{2,4}  \S.*$", re.MULTILINE)
"""Matches a line with moves in up to three columns. Left columns may be empty."""
_MOVE = re.compile(r"(?<!\S)(\d{2,4})  (\S+(?: \S+)*)")
OVER = re.compile(r"the\s+game\s+is\s+over")
LATE = "move was made for you"
NONSENSE = "Sorry, the cat walked over my keyboard: asdf jklö"


@dataclass(slots=True)
class Correspondent:
    """A person with a mail program.

    Attributes:
        client: formats replies like their mail program.
        phrase: their contribution to the shuffles, or None.
        ignores_turn: number of the turn (from 1) from which they do not answer until they miss a
            deadline, or 0 for never.
        babbles_turn: number of the turn that they first answer with nonsense, or 0 for never.
        on_mail: called with each message that they read, and their answer.
    """

    name: str
    address: str
    client: Client
    mailbox: asyncio.Queue[bytes]
    service_port: int
    phrase: str | None = None
    ignores_turn: int = 0
    babbles_turn: int = 0
    on_mail: Callable[[Correspondent, ReceivedMail, str | None], None] = lambda *_: None
    turns: int = 0
    read: list[ReceivedMail] = field(default_factory=list)
    last: ReceivedMail | None = None
    has_finished: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        """Read messages and answer them until cancelled, since a rematch may follow."""
        while True:
            message = email.message_from_bytes(await self.mailbox.get(), policy=default)
            if not isinstance(message, EmailMessage):
                raise TypeError("the default policy makes EmailMessages")
            mail = open_mail(message)
            self.read.append(mail)
            words = self.answer_to(mail)
            self.on_mail(self, mail, words)
            if words is not None:
                await self.send(self.client(mail, self.address, words))
            if OVER.search(mail.text):
                self.last = mail
                self.has_finished.set()

    def answer_to(self, mail: ReceivedMail) -> str | None:
        """Return the answer to a message, based on its text, or None for no answer."""
        if "invites you to" in mail.text:
            return "join" if self.phrase is None else f"join phrase: {self.phrase}"
        moves = listed_moves(mail.text)
        if LATE in " ".join(mail.text.split()):
            self.ignores_turn = 0
        if not moves or "Still your turn" in mail.text:
            return None
        if not mail.subject.startswith("Refused: "):
            self.turns += 1
            if self.ignores_turn and self.turns >= self.ignores_turn:
                return None
            if self.turns == self.babbles_turn:
                return NONSENSE
        return self._choose(mail, moves)

    def _choose(self, mail: ReceivedMail, moves: list[tuple[int, str]]) -> str:
        """Choose a move and return it as a number or in words."""
        chance = hashlib.sha256(f"{self.name} {self.turns} {mail.text}".encode()).digest()
        number, text = choose_move(moves, chance)
        is_whole = text.split()[0].isalpha()  # a card in a column has no zone
        return text if is_whole and not chance[3] % 2 else str(number)

    async def send(self, raw: bytes) -> None:
        """Send a message to the service. Raises: aiosmtplib.SMTPException, OSError."""
        to = str(email.message_from_bytes(raw)["To"])
        await aiosmtplib.send(
            raw,
            sender=self.address,
            recipients=[to],
            hostname="127.0.0.1",
            port=self.service_port,
            start_tls=False,
            timeout=30,
        )


@dataclass(slots=True)
class Visitor(Correspondent):
    """The visitor, who answers in the window. Messages wait until then."""

    def answer_to(self, _mail: ReceivedMail) -> str | None:
        """Return None, because the visitor answers every message."""
        return None


def listed_moves(text: str) -> list[tuple[int, str]]:
    """Return the moves listed in a message, as pairs of number and text."""
    lines = _LISTED.findall(text)
    return [(int(number), move) for line in lines for number, move in _MOVE.findall(line)]


def choose_move(moves: Sequence[tuple[int, str]], chance: bytes) -> tuple[int, str]:
    """Choose a sensible move in Phyliss, and any move in other games.

    In Phyliss low cards are played first, with an occasional risky move.

    Args:
        moves: the legal moves, at least one.
        chance: three random bytes or more.
    """
    plays = [move for move in moves if move[1].startswith("play")]
    others = [move for move in moves if not move[1].startswith("play")]
    pickup = [move for move in others if move[1] == "pickup"]
    if plays and chance[0] % 8:
        lowest = plays[0][1].split()[1][:-1]
        alike = [move for move in plays if move[1].split()[-1][:-1] == lowest]
        return alike[-1] if alike else plays[chance[2] % len(plays)]
    if plays:
        return plays[-1]
    if pickup and chance[1] % 8:
        return pickup[0]
    return others[chance[2] % len(others)]


NAMES = ("Anna", "Bob", "Carol", "Dora", "Emil")


def make_people(
    count: int,
    mailboxes: Callable[[str], asyncio.Queue[bytes]],
    service_port: int,
    *,
    visitor: bool,
) -> list[Correspondent]:
    """Create the players, using three mail programs in turn.

    With `visitor`, the first player is the visitor. Otherwise, to demonstrate the reactions, the
    first player writes nonsense once and the second misses a deadline once.
    """
    phrases = ("green tea on Sunday", None, "Grüße aus Łódź", "to be or not", None)
    kinds = list(CLIENTS.values())
    return [
        (Visitor if visitor and number == 0 else Correspondent)(
            name=name,
            address=address_of(name),
            client=kinds[number % len(kinds)],
            mailbox=mailboxes(address_of(name)),
            service_port=service_port,
            phrase=phrases[number],
            ignores_turn=3 if number == 1 and not visitor else 0,
            babbles_turn=2 if number == 0 and not visitor else 0,
        )
        for number, name in enumerate(NAMES[:count])
    ]


def address_of(name: str) -> str:
    """Return the email address of a person in the demonstration."""
    return f"{name.lower()}@friends.example"
