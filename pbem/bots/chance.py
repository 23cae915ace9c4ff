"""Random numbers for bots. They are never used for the deal (GEN-2)."""

from __future__ import annotations

import random  # noqa: TID251  (for bots only: fast and seeded, but not secret)
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A random stream. The same initial words give the same stream.

    It only uses `random.Random.random` and `getrandbits`. Python guarantees their sequences for a
    given seed.
    """

    __slots__ = ("_random", "bits", "number")

    def __init__(self, *words: object) -> None:
        self._random = random.Random("/".join(map(str, words)))  # noqa: S311  (not secret, see the import)
        self.number = self._random.random
        """Draw a number from 0 up to, but not including, 1."""
        self.bits = self._random.getrandbits
        """Draw an integer with this number of random bits."""

    def restart(self, seed: int) -> None:
        """Restart the stream with a numeric seed."""
        self._random.seed(seed)

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items. Raises: IndexError without items."""
        return items[int(self.number() * len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place."""
        number = self.number
        for last in range(len(items) - 1, 0, -1):
            chosen = int(number() * (last + 1))
            items[last], items[chosen] = items[chosen], items[last]

    def take(self, items: Sequence[T], count: int) -> list[T]:
        """Draw `count` different items."""
        left = list(items)
        self.shuffle(left)
        return left[:count]

    def seed(self) -> bytes:
        """Draw the 32 bytes of an invented game seed."""
        return self.bits(256).to_bytes(32, "big")
