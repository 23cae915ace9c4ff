"""Measure how replies are read, with the corpus, grid and shapes: `python -m tools.mail_report`."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

from pbem.mail_in.mime.message import Triage
from tests.mail_in.grid import report as grid
from tests.mail_in.grid import shapes
from tests.mail_in.samples import load, orders_of

GRIDS = ((1, 300, False), (2, 300, True))
"""Seed, number and messiness of the generated replies."""

SHAPES = 5
"""Only every fifth reply of the shapes is read."""


@dataclass(frozen=True)
class Figures:
    """Results of extracting the players' text from replies.

    Attributes:
        replies: number of messages.
        right: number with all the player's orders, in order, and nothing else.
        leaked: number in which an order was read that is not the player's.
        lost: number in which an order of the player was not read.
        doubted: number with a line that the service asks the player about.
        wrong: names of the messages that were read incorrectly.
    """

    replies: int
    right: int
    leaked: int
    lost: int
    doubted: int
    wrong: tuple[str, ...]


def measure(*, knows_answered: bool = True) -> Figures:
    """Read all replies and count the results."""
    right, leaked, lost, doubted, wrong = 0, 0, 0, 0, []
    samples = [sample_ for sample_ in load() if sample_.expected["triage"] == Triage.HUMAN.value]
    for sample in samples:
        reply = sample.extract(knows_answered=knows_answered)
        orders, wanted = orders_of(reply.text), sample.expected["orders"]
        if orders == wanted:
            right += 1
        else:
            wrong.append(sample.name)
        leaked += bool(Counter(orders) - Counter(wanted))
        lost += bool(Counter(wanted) - Counter(orders))
        doubted += bool(reply.doubts)
    return Figures(len(samples), right, leaked, lost, doubted, tuple(wrong))


def main() -> None:
    """Print the figures, with and without knowledge of the answered message."""
    for knows, title in ((True, "answered mail known"), (False, "answered mail unknown")):
        figures = measure(knows_answered=knows)
        sys.stdout.write(
            f"{title}: {figures.replies} replies, all own orders right {figures.right}, "
            f"quoted line leaked {figures.leaked}, own line lost {figures.lost}, "
            f"asked {figures.doubted}\n"
        )
        for name in figures.wrong:
            sys.stdout.write(f"  not right: {name}\n")
    for seed, count, messy in GRIDS:
        grid.main(seed, count, show=False, messy=messy)
    shapes.main(SHAPES)


if __name__ == "__main__":
    main()
