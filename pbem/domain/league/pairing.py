"""Draw the tables of a round: players with similar scores, avoiding repeated meetings.

The same field and seed give the same tables on every machine. The algorithm is a Swiss system as
described by FIDE for pairs (Handbook C.04.1), for tables of any size. docs/leagues.md describes
each step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import NamedTuple

MEETING = 10**9
"""Cost of an earlier meeting, relative to the squares of differences in points."""
MAX_TRIED = 1_000_000
"""Maximum number of positions tried in the search for a draw without repeats."""
DEALER = 10
"""Weight of having been the dealer, relative to having had another seat."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to be drawn.

    Attributes:
        points: points so far, in any unit.
        met: number of games at a table with each other player.
        byes: number of rounds without a table.
        sat: number of times in seat 0, 1, …. Seat 0 deals.
    """

    player: str
    points: int = 0
    met: Mapping[str, int] = field(default_factory=dict)
    byes: int = 0
    sat: Mapping[int, int] = field(default_factory=dict)


class Draw(NamedTuple):
    """Tables with their players by seat, highest scores first, and the players without a table."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


def draw(contenders: Sequence[Contender], *, most: int, least: int, seed: bytes) -> Draw:
    """Draw the tables of a round.

    Args:
        contenders: all players, in any order.
        most: number of seats per table.
        least: minimum number of people per table.
        seed: seed of this round, used to break ties.

    Raises:
        ValueError: there are too few players for one table.
    """
    known = sorted(contenders, key=lambda one: (-one.points, lot(seed, one.player)))
    sizes = table_sizes(len(known), most, least)
    if not sizes:
        raise ValueError("too few players for a table")
    field_ = _Field(known, sizes, len(known) - sum(sizes))
    *groups, idle = field_.drawn()
    tables = [_seated([known[n] for n in group], seed) for group in sorted(groups, key=min)]
    return Draw(tuple(tables), tuple(known[n].player for n in idle))


def lot(seed: bytes, player: str) -> bytes:
    """Return a pseudo-random sort key for a player. Lower keys come first."""
    return hashlib.sha256(b"pbem-league-lot-v1" + seed + player.encode()).digest()


def table_sizes(count: int, largest: int, smallest: int) -> list[int]:
    """Return the sizes of the tables, largest first: as few tables and as even sizes as possible.

    If some tables would be too small, as few players as possible are left without a table.
    """
    for seated in range(count, smallest - 1, -1):
        tables = -(-seated // largest)
        small, larger = divmod(seated, tables)
        if small >= smallest:
            return [small + 1] * larger + [small] * (tables - larger)
    return []


class _Field:
    """The players, numbered from best to worst, and the cost of seating them together.

    Groups are lists of player numbers. There is a group for each table, and a last group for the
    players without a table.
    """

    def __init__(self, known: Sequence[Contender], sizes: Sequence[int], byes: int) -> None:
        self.sizes = [*sizes, byes]
        lowest = min(contender.points for contender in known)
        self.met = [
            [contender.met.get(other.player, 0) ** 2 for other in known] for contender in known
        ]
        self.cost = [
            [
                MEETING * met + (contender.points - other.points) ** 2
                for met, other in zip(row, known, strict=True)
            ]
            for row, contender in zip(self.met, known, strict=True)
        ]
        self.byes = [contender.byes**2 for contender in known]
        self.idle = [
            MEETING * contender.byes**2 + 2 * (contender.points - lowest) ** 2
            for contender in known
        ]

    def drawn(self) -> list[list[int]]:
        """Return the groups with the lowest cost that the search has found."""
        groups = self._settled(self._sliced())
        repeats = self._repeats(groups)
        better = _Search(self, repeats).best if repeats else None
        return groups if better is None else self._settled(better)

    def _sliced(self) -> list[list[int]]:
        """Return initial groups of players with adjacent ranks. The last players get no table."""
        numbers = iter(range(len(self.cost)))
        return [[next(numbers) for _ in range(size)] for size in self.sizes]

    def _repeats(self, groups: Sequence[Sequence[int]]) -> int:
        *tables, idle = groups
        pairs = (pair for group in tables for pair in combinations(group, 2))
        return sum(self.met[a][b] for a, b in pairs) + sum(
            self.byes[idle_index] for idle_index in idle
        )

    def _settled(self, groups: list[list[int]]) -> list[list[int]]:
        """Exchange pairs of players while this reduces the cost, choosing the best exchange first."""
        while True:
            found = min(self._exchanges(groups), default=(0,))
            if found[0] >= 0:
                return groups
            _, one, at, other, there = found
            groups[one][at], groups[other][there] = groups[other][there], groups[one][at]

    def _exchanges(self, groups: list[list[int]]) -> Iterator[tuple[int, ...]]:
        last = len(groups) - 1
        for (one, first), (other, second) in combinations(enumerate(groups), 2):
            for index, a in enumerate(first):
                for there, b in enumerate(second):
                    change = self._change(first, a, b)
                    change += (
                        self.idle[a] - self.idle[b] if other == last else self._change(second, b, a)
                    )
                    yield change, one, index, other, there

    def _change(self, group: Sequence[int], out: int, into: int) -> int:
        before, after = self.cost[out], self.cost[into]
        return sum(after[one] - before[one] for one in group if one != out)


class _Search:
    """Search for groups with fewer repeats, table by table, the best players first."""

    def __init__(self, field_: _Field, repeats: int) -> None:
        self.field, self.left = field_, MAX_TRIED
        self.most = repeats
        self.best: list[list[int]] | None = None
        self._place_first([*range(len(field_.cost))], [[] for _ in field_.sizes], 0)

    def _place_first(self, free: list[int], groups: list[list[int]], repeats: int) -> None:
        """Place the first free player into each distinct empty group, then fill the group."""
        if not free:
            self.most, self.best = repeats, [[*group] for group in groups]
            return
        last, tried = len(groups) - 1, set[int]()
        for number, (group, size) in enumerate(zip(groups, self.field.sizes, strict=True)):
            if number == last:
                if len(group) < size:
                    self._without(free, groups, repeats)
            elif not group and size not in tried:
                tried.add(size)
                group.append(free[0])
                self._fill(free[1:], 0, number, groups, repeats)
                group.clear()

    def _without(self, free: list[int], groups: list[list[int]], repeats: int) -> None:
        again = repeats + self.field.byes[free[0]]
        if self._may_go_on(again):
            groups[-1].append(free[0])
            self._place_first(free[1:], groups, again)
            groups[-1].pop()

    def _fill(
        self, free: list[int], begin: int, number: int, groups: list[list[int]], repeats: int
    ) -> None:
        group = groups[number]
        if len(group) == self.field.sizes[number]:
            self._place_first(free, groups, repeats)
            return
        for at in range(begin, len(free)):
            again = repeats + sum(self.field.met[free[at]][one] for one in group)
            if self._may_go_on(again):
                group.append(free[at])
                self._fill(free[:at] + free[at + 1 :], at, number, groups, again)
                group.pop()

    def _may_go_on(self, repeats: int) -> bool:
        self.left -= 1
        return self.left > 0 and self.most > 0 and repeats < self.most


def _seated(group: Sequence[Contender], seed: bytes) -> tuple[str, ...]:
    """Return the players of a table by seat, preferring seats that they rarely had before."""

    def repetition_cost(order: Sequence[Contender]) -> int:
        return sum((1 if seat else DEALER) * one.sat.get(seat, 0) for seat, one in enumerate(order))

    drawn = sorted(group, key=lambda one: lot(seed, one.player))
    return tuple(one.player for one in min(permutations(drawn), key=repetition_cost))
