"""Test the final message of a game: result, rematch, replay and verification."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.api import Fact
from pbem.mail_out.content import GameMail
from tests.mail_out.samples import fact
from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, ends

MAX_WORDS = 150
MOVES_TOLD = re.compile(
    r"\b(drew|discarded|picked up|played \S|hat .* (gezogen|gespielt|abgeworfen))"
)
RANKED = re.compile(r"  \d+  .*")

EVERY_ROW = pytest.mark.parametrize("row", ROWS)
EVERY_LANGUAGE = pytest.mark.parametrize("language", ["en", "de"])


def running_words(text: str) -> list[str]:
    """The words of a mail without its marker, the list of places, cards and the secret."""
    lines = [line for line in text.splitlines()[1:] if not RANKED.fullmatch(line)]
    words = re.findall(r"[^\W\d_][^\s]*", "\n".join(lines))
    return [word for word in words if not re.fullmatch(r"[0-9a-f]{64}|[JQKAWS].|[RBGY]\d+.?", word)]


@EVERY_ROW
@EVERY_LANGUAGE
def test_the_end_is_short(row: str, language: str) -> None:
    """Not a move in it: the attached page shows them all, and `history` tells the last."""
    for mail in ends(row):
        text = RENDERER.render(replace(mail, language=language)).text
        assert len(running_words(text)) <= MAX_WORDS, text
        assert not MOVES_TOLD.search(text), text
        assert mail.replay_file in text.replace("\n", " ")
        assert ("history" if language == "en" else "verlauf") in text


def told(mail: GameMail, *happened: Fact) -> str:
    return " ".join(RENDERER.render(replace(mail, happened=happened)).text.split())


def test_what_people_did_beside_the_moves_is_told() -> None:
    """An admin, the clock and those who left are no moves: no page shows them as clearly."""
    mail = ends("phyliss")[0]
    text = told(
        mail,
        fact("timed_out", 1, move="play 7c"),
        fact("played", 1, cards=["7c"], **{"from": "hand"}),
        fact("seat_resigned", 2),
    )
    assert "Bob ran out of time" in text
    assert "Carol" in text.partition("What happened")[2]
    assert "Bob played" not in text
