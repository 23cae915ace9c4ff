"""Test the answers to sentences of players in `natural.tsv` and `fresh.tsv`.

The sentences were written by people who did not know how lines are read: each line has a language,
a scene, the sentence, what its writer wanted, and what becomes of it. Each is the answer to one mail,
handled in a unit of work that is rolled back, so that all meet the same tables.
`python -m tests.service.intake.test_natural` writes what becomes of them anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.intake import fresh
from tests.service.intake.scenes import LANGUAGES, Scenes, built

GOLDEN = Path(__file__).with_name("natural.tsv")
MIN_MOVES, MIN_ANSWERED = 0.78, 0.85


def rows() -> list[list[str]]:
    """Return language, scene, sentence, intention and result of each row."""
    return [line.split("\t") for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def outcomes(scenes: Scenes, language: str) -> Iterator[list[str]]:
    """Yield the rows of a language with their current results."""
    scenes.speak(language)
    for spoken, scene, text, wanted, _ in rows():
        if spoken == language:
            yield [spoken, scene, text, wanted, scenes.told(scene, text).said]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scenes]:
    with built(tmp_path_factory.mktemp("scenes")) as scenes:
        yield scenes


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_becomes_of_it(scenes: Scenes, language: str) -> None:
    found = list(outcomes(scenes, language))
    assert found == [row for row in rows() if row[0] == language]
    wishes = [row for row in found if row[3] != "chat"]
    assert len(wishes) >= 75
    assert {row[4] for row in found if row[3] == "chat"} <= {"nothing", "told what to write"}
    lost = [row for row in wishes if row[4] == "nothing"]
    assert len(lost) <= len(wishes) / 20, "a way forward for nearly every wish"


@pytest.mark.parametrize("language", LANGUAGES)
def test_shares(scenes: Scenes, language: str) -> None:
    """Only the closed half counts, and no sentence has an unintended effect."""
    said = Counter[tuple[str, str, str]]()
    for half, kind, *_, became in fresh.found(scenes, language, half="closed"):
        said[half, kind, became] += 1
    assert not [key for key in said if key[2] == "harm"]
    assert fresh.share(said, "closed", "move") >= MIN_MOVES
    assert fresh.share(said, "closed", "question") >= MIN_ANSWERED
    lost = sum(number for key, number in said.items() if key[2] == "lost")
    assert lost <= sum(said.values()) / 20


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, built(Path(folder)) as scenes:
        found = [row for language in LANGUAGES for row in outcomes(scenes, language)]
    GOLDEN.write_text("".join("\t".join(row) + "\n" for row in found), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
