"""Measure rates in rounds, and report ratios of rates.

Every round runs each contender in turn, so that a slow minute affects all of them.

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
"""A callable that does a small amount of work and returns the number of units (steps, entries).

Its optional method `prepare` does preparation that is not measured. If work outside this process is
measured too, its attribute `took` contains the time of the last batch.
"""
Aims: TypeAlias = tuple[float, float] | None
"""The required and the desired ratio, or None if the ratio is only reported."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Contenders that do comparable work.

    Attributes:
        title: title of its table.
        unit: name of the counted units, in the plural.
        batches: name -> callable that does some units and returns their number.
        pairs: (name, peer, aims) of the reported ratios.
        per: unit of the batches' `took`, if not seconds.
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
    """Run a batch repeatedly for some seconds. Return the number of units and their seconds.

    At least one batch runs.
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
    """Run a contest and return its result.

    Args:
        rounds: number of measured rounds, after a round that warms up.
        seconds: time for each contender in each round.
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
