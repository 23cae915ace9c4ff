"""Measure how the service answers 344 sentences of players in `fresh.tsv` (tested in `test_natural`).

The sentences were written without knowledge of the reader. Each row has a language, a half, a scene, the
sentence, its kind, and the desired result. Developers look only at the shares of the closed half, never at its
lines, so that these measure unseen sentences. Lines for Oh Hell count only if it is installed.

`python -m tests.service.intake.fresh` prints the shares, and with `-v` the open half. It also accepts the name
of another file. `unseen.tsv` has 216 more lines, and `strangers.tsv` has 174 chatty lines of another author.
They take too long for every run.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.service.intake.scenes import LANGUAGES, Became, Scenes, built

LINES = Path(__file__).with_name("fresh.tsv")


def rows(language: str, file: Path = LINES) -> list[list[str]]:
    """Return half, scene, sentence, kind and desired result of each row of a language."""
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [row[1:] for row in lines if row[0] == language]


def verdict(wanted: str, became: Became) -> str:
    """Judge the result of a sentence.

    Returns `good`, `a way` if the answer leads to the goal less directly, `lost`, or `harm` if the
    service did something else.
    """
    wish, _, order = wanted.partition(" ")
    did, made = became.said == "carried out", became.moves
    moves = () if order in ("", "join") else tuple(order.split("; "))
    is_other = bool(moves) and (not made or made != moves[: len(made)])
    if did and (wish in ("nothing", "offer", "answer") or is_other):
        return "harm"
    if wish == "nothing":
        return "good"
    if became.said == "nothing":
        return "lost"
    good = {
        "do": did and made == (moves or made),
        "offer": not did,
        "answer": became.said == "answered",
        "link": True,
    }
    return "good" if good[wish] else "a way"


def share(said: Counter[tuple[str, str, str]], half: str, kind: str) -> float:
    whole = sum(number for key, number in said.items() if key[:2] == (half, kind))
    return said[half, kind, "good"] / whole


def found(
    scenes: Scenes, language: str, file: Path = LINES, half: str | None = None
) -> Iterator[tuple[str, str, str, str, Became, str]]:
    """Yield half, kind, scene, sentence, result and verdict of each row.

    Args:
        half: "open" or "closed"; None yields both.
    """
    scenes.speak(language)
    for of_half, scene, text, kind, wanted in rows(language, file):
        if scene in scenes.mails and half in (None, of_half):
            became = scenes.told(scene, text)
            yield of_half, kind, scene, text, became, verdict(wanted, became)


def main() -> None:
    named = [Path(text) for text in sys.argv[1:] if text.endswith(".tsv")]
    with tempfile.TemporaryDirectory() as folder, built(Path(folder)) as scenes:
        for language in LANGUAGES:
            shares: Counter[tuple[str, str, str]] = Counter()
            for half, kind, scene, text, became, said in found(scenes, language, *named[:1]):
                shares[half, kind, said] += 1
                if half == "open" and "-v" in sys.argv:
                    sys.stdout.write(
                        f"{said:6} {scene:18} {text}  [{became.said}] {became.moves}\n"
                    )
            for key, number in sorted(shares.items()):
                sys.stdout.write(f"{language} {' '.join(key)}: {number}\n")


if __name__ == "__main__":
    main()
