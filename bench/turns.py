"""Measure incoming messages: from the bytes of an answer to the next messages in the queue."""

from __future__ import annotations

import time
from collections import deque

from bench.conventional import ConventionalIntake
from bench.house import House
from bench.served import reading_seconds
from pbem.mail_in.mime.message import Envelope

GAMES = 24
"""Number of running games that are answered in turn."""
BATCH = 20


class Replies:
    """Prepared answers. They never run out."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._waiting: deque[tuple[bytes, Envelope]] = deque()
        self.batch: list[tuple[bytes, Envelope]] = []

    def prepare(self) -> None:
        """Prepare a batch of answers, each for a different game."""
        while len(self._waiting) < BATCH:
            answers = list(self.house.answers())
            self._waiting.extend(answers)
            if not answers:
                self.house.start_games(GAMES)
        self.batch = [self._waiting.popleft() for _ in range(BATCH)]


class Intake:
    """Process a batch of answers, including the time of the parser process.

    Attributes:
        took: processor seconds of the last batch.

    Args:
        replies: source of the answers.
        one_by_one: True if each message is handled before the next arrives, as on a quiet day. With
            False they arrive faster than they can be handled, as under load. In both cases each
            message is stored in one durable transaction and handled in another.
    """

    def __init__(self, replies: Replies, *, one_by_one: bool) -> None:
        self._replies = replies
        self._one_by_one = one_by_one
        self.prepare = replies.prepare
        self.took = 0.0

    def __call__(self) -> int:
        """Process the batch and return its number of answers."""
        began = time.process_time() + reading_seconds()
        self._take_in()
        self.took = time.process_time() + reading_seconds() - began
        return len(self._replies.batch)

    def _take_in(self) -> None:
        house = self._replies.house
        for raw, envelope in self._replies.batch:
            house.receive(raw, envelope)
            if self._one_by_one:
                house.handle()
        house.handle()


class Conventional:
    """Process the batch that `Intake` processed last with a conventional program."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._intake = ConventionalIntake(replies.house.folder)

    def __call__(self) -> int:
        """Process the batch and return its number of answers."""
        if not self._replies.batch:
            self._replies.prepare()
        for raw, _ in self._replies.batch:
            self._intake.take_in(raw)
        return len(self._replies.batch)
