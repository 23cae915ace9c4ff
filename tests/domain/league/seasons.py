"""Simulate random seasons in which the better player usually wins, and measure the draws."""

from __future__ import annotations

import hashlib
import random  # noqa: TID251  (who wins, never who plays whom)
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from pbem.domain.league import pairing
from pbem.domain.league.pairing import Contender, Draw, draw

WON = 120


class Season(NamedTuple):
    """The statistics of a season.

    Attributes:
        repeats: number of repeated pairs at a table, over all rounds.
        avoidable: number of repeats that were not shown to be unavoidable.
        spread: average range of the points at a table, in games won.
        deals, seats: maximum difference of two players in the number of deals, and of games in a
            seat.
        byes: maximum difference in rounds without a table.
    """

    repeats: int
    avoidable: int
    spread: float
    deals: int
    seats: int
    byes: int


class Field:
    """The players of a season, with their earlier meetings."""

    def __init__(self, players: int, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.seed = seed
        self.players = [f"player{number:03}" for number in range(players)]
        self.strength = {player: self.chance.gauss(0, 1) for player in self.players}
        self.points = Counter[str]()
        self.met = {player: Counter[str]() for player in self.players}
        self.byes = Counter[str]()
        self.sat = {player: Counter[int]() for player in self.players}
        self.number = 0

    def contenders(self) -> list[Contender]:
        return [
            Contender(one, self.points[one], self.met[one], self.byes[one], self.sat[one])
            for one in self.players
        ]

    def draw(self, most: int, least: int = 2) -> Draw:
        self.number += 1
        seed = hashlib.sha256(f"{self.seed} {self.number}".encode()).digest()
        return draw(self.contenders(), most=most, least=least, seed=seed)

    def repeats(self, found: Draw) -> int:
        """Return the sum that `pairing` minimizes: squares of earlier meetings, and earlier byes."""
        pairs = (pair for table in found.tables for pair in combinations(table, 2))
        return sum(self.met[a][b] ** 2 for a, b in pairs) + sum(
            self.byes[one] ** 2 for one in found.byes
        )

    def play(self, found: Draw) -> None:
        for table in found.tables:
            form = {one: self.strength[one] + self.chance.gauss(0, 1) for one in table}
            for place, one in enumerate(sorted(table, key=lambda one: -form[one])):
                self.points[one] += WON * (len(table) - 1 - place) // (len(table) - 1)
            for seat, one in enumerate(table):
                self.sat[one][seat] += 1
            for one, other in permutations(table, 2):
                self.met[one][other] += 1
        for one in found.byes:
            self.byes[one] += 1
            self.points[one] += WON // 2


def season(players: int, most: int, rounds: int, seed: int) -> Season:
    """Simulate a season and return its statistics."""
    field = Field(players, seed)
    repeats = avoidable = 0
    spreads: list[float] = []
    for _ in range(rounds):
        found = field.draw(most)
        again = sum(
            field.met[a][b] > 0 for table in found.tables for a, b in combinations(table, 2)
        )
        repeats += again
        avoidable += again if again and not is_proven(field, found) else 0
        for table in found.tables:
            pairs = [*combinations([field.points[one] for one in table], 2)]
            spreads.append(sum(abs(a - b) for a, b in pairs) / len(pairs) / WON)
        field.play(found)
    return Season(
        repeats,
        avoidable,
        sum(spreads) / len(spreads),
        _apart(field.sat[one][0] for one in field.players),
        max(_apart(field.sat[one][seat] for one in field.players) for seat in range(most)),
        _apart(field.byes[one] for one in field.players),
    )


def is_proven(field: Field, found: Draw) -> bool:
    """True if an exhaustive search shows that no draw has fewer repeats."""
    known = field.contenders()
    sizes = [len(table) for table in found.tables]
    space = pairing._Field(known, sizes, len(found.byes))
    search = pairing._Search(space, field.repeats(found))
    return search.left > 0 and search.best is None


def _apart(counts: Iterator[int]) -> int:
    known = [*counts]
    return max(known) - min(known)


def fewest_repeats(field: Field, sizes: Sequence[int], byes: int) -> int:
    """Return the minimum of `Field.repeats` over every seating of a small field."""

    def seat(free: Sequence[str], sizes: Sequence[int], byes: int) -> int:
        if not free:
            return 0
        first, rest = free[0], free[1:]
        found = []
        if byes:
            found.append(field.byes[first] ** 2 + seat(rest, sizes, byes - 1))
        for size in sorted(set(sizes)):
            left = [*sizes]
            left.remove(size)
            for others in combinations(rest, size - 1):
                pairs = combinations((first, *others), 2)
                cost = sum(field.met[a][b] ** 2 for a, b in pairs)
                found.append(cost + seat([one for one in rest if one not in others], left, byes))
        return min(found, default=10**9)

    return seat(field.players, sizes, byes)
