"""Measure how the grid is read: `python -m tests.mail_in.grid.report SEED COUNT [--show] [--messy]`."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache

from pbem.service.intake.parsing import QuoteParser
from tests.mail_in.grid.build import Reply, replies


@dataclass
class Figures:
    """Numbers of replies by result, and the names of those read incorrectly."""

    replies: int = 0
    right: int = 0
    leaked: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    untidy: list[str] = field(default_factory=list)


def _plain(lines: list[str] | tuple[str, ...]) -> list[str]:
    return [
        "".join(c for c in " ".join(line.split()) if c.isprintable()).strip("*") for line in lines
    ]


@cache
def _describer(turn: bytes | None) -> QuoteParser:
    return QuoteParser(answered=turn)


def judge(figures: Figures, reply: Reply, *, knows: bool) -> str:
    """Read a reply and count its result. Return a description of the errors, or an empty string."""
    got = _describer(reply.turn.raw if knows else None).describe(reply.raw)
    found, wanted = _plain(got["orders"]), _plain(reply.orders)
    figures.replies += 1
    figures.right += found == wanted
    leaked, lost = Counter(found) - Counter(wanted), Counter(wanted) - Counter(found)
    if leaked:
        figures.leaked.append(reply.name)
    if lost:
        figures.lost.append(reply.name)
    text = set(_plain(got["text"].split("\n")))
    quoted = {" ".join(line.split()) for line in reply.turn.lines} - set(reply.orders) - {""}
    untidy = text & quoted
    missing = {word for word in _plain(reply.words) if word} - text
    if untidy or missing:
        figures.untidy.append(f"{reply.name}: {sorted(untidy)[:2]} {sorted(missing)[:2]}")
    if leaked or lost:
        return f"{reply.name}: wanted {wanted}, found {found}; {got['triage']} {got['problems']} {got['text'][:300]!r}"
    return ""


def main(seed: int, count: int, *, show: bool, messy: bool, further: bool = False) -> None:
    """Print the results with and without knowledge of the answered message."""
    for knows in (True, False):
        figures = Figures()
        built = replies(seed, count, messy=messy, further=further)
        wrong = [judge(figures, reply, knows=knows) for reply in built]
        title = f"grid {seed}{' (messy)' if messy else ''}{' (further)' if further else ''}"
        sys.stdout.write(
            f"{title}, answered mail {'known' if knows else 'unknown'}: {figures.replies} replies, "
            f"right {figures.right} ({figures.right / figures.replies:.1%}), "
            f"leaked {len(figures.leaked)}, lost {len(figures.lost)}, "
            f"text untidy {len(figures.untidy)}\n"
        )
        if show:
            sys.stdout.writelines(f"  {line}\n" for line in wrong if line)
            sys.stdout.writelines(f"  untidy {line}\n" for line in figures.untidy)


if __name__ == "__main__":
    main(
        int(sys.argv[1]),
        int(sys.argv[2]),
        show="--show" in sys.argv,
        messy="--messy" in sys.argv,
        further="--further" in sys.argv,
    )
