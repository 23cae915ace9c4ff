"""344 more sentences, and what a good answer to each would be: `fresh.tsv`; `test_natural` has their test.

They were written before anybody looked at how lines are read. Each has a language, a half, a scene, the
sentence, what it is, and what should become of it. The closed half is never read line by line, only its
shares are, so that they say how sentences fare that nobody has seen. Lines to Oh Hell count where it is
installed.
`python -m tests.service.intake.fresh` prints the shares, and with `-v` the open half; the name of another
file measures that one. `unseen.tsv` has 216 lines more, and `strangers.tsv` 174 of somebody else, who wrote as people
chatter; they take too long for every run.
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
    """Half, scene, sentence, what it is, what should become of it."""
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [row[1:] for row in lines if row[0] == language]


def verdict(wanted: str, became: Became) -> str:
    """`good`; `a way` that is not the best, or only its beginning; `lost`; or `harm`: something else was done."""
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
    """Yield half, what it is, scene, sentence, what became of it, and the verdict.

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
                    if "-vv" in sys.argv:
                        sys.stdout.write(f"         {became.answer[:300]}\n")
            for key, number in sorted(shares.items()):
                sys.stdout.write(f"{language} {' '.join(key)}: {number}\n")


if __name__ == "__main__":
    main()
