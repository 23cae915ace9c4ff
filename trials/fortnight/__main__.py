"""Play the fortnight with and without confirmations: `python -m trials.fortnight`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from trials.fortnight.script import DAYS, QUIETLY, Person, play


def main() -> None:
    """Print the mails of each person, with confirmations and without."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    seed = options.parse_args().seed
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    for title, orders in (("as it is", ()), (" + ".join(QUIETLY), QUIETLY)):
        with TemporaryDirectory() as folder:
            _show(title, play(Path(folder), orders, seed))


def _show(title: str, people: Sequence[Person]) -> None:
    moves = sum(person.moves for person in people)
    mails = sum(person.mails.total() for person in people)
    loose = sum((person.loose for person in people), Counter[str]())
    print(f"{title}: {mails} mails for {moves} moves in {DAYS} days, {mails / moves:.2f} a move")
    print(f"  moves in loose words: {_counts(loose)}")
    for person in people:
        print(
            f"  {person.name}: {person.moves} moves, {person.days:.1f} days each, "
            f"{person.mails.total()} mails, {person.per_move:.2f} a move ({_counts(person.mails)})"
        )


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.most_common())


if __name__ == "__main__":
    main()
