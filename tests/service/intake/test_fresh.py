"""240 more sentences, and what a good answer to each would be: `fresh.tsv`.

They were written before anybody looked at how lines are read. Each has a language, a half, a scene, the
sentence, what it is, and what should become of it. The closed half is never read line by line, only its
shares are, so that they say how sentences fare that nobody has seen.
`python -m tests.service.intake.test_fresh` prints the shares, and of the open half what misses.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import sqlite_store
from tests.service.conftest import make_table
from tests.service.intake.test_natural import LANGUAGES, Became, Scenes

LINES = Path(__file__).with_name("fresh.tsv")


def rows(language: str) -> list[list[str]]:
    """Half, scene, sentence, what it is, what should become of it."""
    lines = [line.split("\t") for line in LINES.read_text(encoding="utf-8").splitlines()]
    return [row[1:] for row in lines if row[0] == language]


def verdict(wanted: str, became: Became) -> str:
    """`good`; `a way` that is not the best; `lost`; or `harm`: something else was done."""
    wish, _, move = wanted.partition(" ")
    did = became.said == "carried out"
    if did and (wish in ("nothing", "offer", "answer") or (move[:4] != "join" and move and became.moves != (move,))):
        return "harm"
    if wish == "nothing":
        return "good"
    if became.said == "nothing" or not became.answer and not did:
        return "lost"
    good = {
        "do": did,
        "offer": not did,
        "answer": became.said == "answered",
        "link": True,
    }
    return "good" if good[wish] else "a way"


def found(folder: Path, language: str) -> Iterator[tuple[str, str, str, str, Became, str]]:
    """Half, what it is, scene, sentence, what became of it, and the verdict."""
    with sqlite_store(folder) as store:
        scenes = Scenes(make_table(store), language)
        for half, scene, text, kind, wanted in rows(language):
            if scene in scenes.mails:
                became = scenes.told(scene, text)
                yield half, kind, scene, text, became, verdict(wanted, became)


def main() -> None:
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            shares: Counter[tuple[str, str, str]] = Counter()
            for half, kind, scene, text, became, said in found(Path(folder), language):
                shares[half, kind, said] += 1
                if half == "open" and "-v" in sys.argv:
                    sys.stdout.write(f"{said:6} {scene:18} {text}  [{became.said}] {became.moves}\n")
                    if "-vv" in sys.argv:
                        sys.stdout.write(f"         {became.answer[:300]}\n")
            for key, number in sorted(shares.items()):
                sys.stdout.write(f"{language} {' '.join(key)}: {number}\n")


if __name__ == "__main__":
    main()
