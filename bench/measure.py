"""Measure rates in rounds.

Every round runs each contender in turn, so that a slow minute affects all.

Absolute times differ between machines, but the ratio of two rates of the same round is comparable.
The report contains the median, minimum and maximum of the rounds' ratios.

Seconds are processor seconds of this process, so that other programs and slow disks count as
little as possible. Work in other processes reports its own seconds (`took`).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Batch: TypeAlias = Callable[[], int]
"""Does a small amount of work and returns the number of units (steps, entries).

Preparation that does not count is in its optional method `prepare`. If more than the processor time
of this process counts, its attribute `took` is the time of the last batch.
"""
Aims: TypeAlias = tuple[float, float] | None
"""The required ratio and the ratio aimed at, or None without a goal."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Contenders that do comparable work.

    Attributes:
        title: of its table.
        unit: the counted things, in the plural.
        batches: name -> callable that does some units and returns their number.
        pairs: (name, peer, aims) of the reported ratios.
        per: unit of `took` of the batches, if not seconds.
    """

    title: str
    unit: str
    batches: Mapping[str, Batch]
    pairs: Sequence[tuple[str, str, Aims]]
    per: str = "s"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A line of the report: the rate as a multiple of the peer's."""

    name: str
    peer: str
    aims: Aims
    median: float
    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a contest: rates are medians of this run, in units per second (or per `per`)."""

    title: str
    unit: str
    per: str
    rates: dict[str, float]
    ratios: list[Ratio]


SLICES = 4
"""Number of short slices of each round, so that a busy moment affects all contenders."""


def work(batch: Batch, seconds: float) -> tuple[int, float]:
    """Return units and their seconds.

    At least one batch runs, and more until the time has passed.
    """
    done, elapsed = 0, 0.0
    prepare: Callable[[], None] = getattr(batch, "prepare", lambda: None)
    while True:
        prepare()
        began = time.process_time()
        done += batch()
        elapsed += getattr(batch, "took", time.process_time() - began)
        if elapsed >= seconds:
            return done, elapsed


def run(contest: Contest, rounds: int, seconds: float, on_round: Callable[[], None]) -> Result:
    """Run a contest.

    Args:
        rounds: runs of each contender, without one more round that warms up.
        seconds: for each contender in each round.
        on_round: called after each round, for a progress bar.
    """
    is_slow = any(
        hasattr(batch, name) for batch in contest.batches.values() for name in ("prepare", "took")
    )
    slices = 1 if is_slow else SLICES  # what is prepared for each would take most of the time
    limit = seconds / slices if contest.per == "s" else 0.0  # one batch is enough for other units
    taken: dict[str, list[float]] = {name: [] for name in contest.batches}
    for number in range(rounds + 1):
        sums = dict.fromkeys(contest.batches, (0, 0.0))
        for name in [*contest.batches] * slices:
            done, elapsed = work(contest.batches[name], limit)
            sums[name] = (sums[name][0] + done, sums[name][1] + elapsed)
        if number:
            for name, (done, elapsed) in sums.items():
                taken[name].append(done / elapsed)
        on_round()
    ratios = []
    for name, peer, aims in contest.pairs:
        each = [ours / theirs for ours, theirs in zip(taken[name], taken[peer], strict=True)]
        ratios.append(Ratio(name, peer, aims, statistics.median(each), min(each), max(each)))
    rates = {name: statistics.median(figures) for name, figures in taken.items()}
    return Result(contest.title, contest.unit, contest.per, rates, ratios)
