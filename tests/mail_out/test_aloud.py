"""Test messages for screen readers: order of blocks, no codes, and moves that can be sent back."""

from __future__ import annotations

import re
import shutil
import subprocess
import wave
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.translate import shown_order
from pbem.mail_out.cards import spelled_order
from pbem.mail_out.content import GameMail
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, Turn, turns

CODE = re.compile(
    r"(?<!\w)(?:(?:10|[2-9JQKA])[cdh♣♦♥♠]|(?<![’Y]our )(?<!’s )(?<!my )(?:10|[2-9JQKA])s|[RBGY](?:1[0-2]|[1-9])|[♣♦♥♠]|[WS]|[0-9a-f]{12,})(?!\w)"
)
HAND, SECONDS = 10, 25
EVERY = pytest.mark.parametrize("row", ROWS)
BOTH = pytest.mark.parametrize("language", ["en", "de"])


def begin(words: re.Pattern[str], text: str) -> int:
    found = words.search(text)
    return -1 if found is None else found.start()


def spoken(mail: GameMail, language: str) -> tuple[str, str]:
    """Return text and HTML of a mail in words."""
    rendered = RENDERER.render(replace(mail, language=language), ("words",))
    return rendered.text, rendered.html


@EVERY
@BOTH
def test_what_one_needs_comes_first(row: str, language: str) -> None:
    """Headline, hand, moves, news, ids; no code of a card, and lines that no client breaks."""
    hand = {"en": "Your hand", "de": "Deine Hand"}[language]
    listed = re.compile(r"[Yy]our moves:|[Dd]einer? Züge:")
    since = {"en": "Since your last move", "de": "Seit deinem letzten Zug"}[language]
    for turn in turns(row):
        text, html = spoken(turn.mail, language)
        assert not CODE.search(text), text
        assert not CODE.search(" ".join(pages.lines(html)))
        assert "<table" not in html
        assert all(columns(line) <= 72 for line in text.splitlines())
        event = {"en": "event 57", "de": "Ereignis 57"}[language]
        places = [text.find(hand), begin(listed, text), text.find(event)]
        assert places[0] > -1, text
        assert places == sorted(places), text
        if since in text:
            assert places[1] < text.index(since)
        assert " ".join(pages.lines(html)).split() == text.split()


@EVERY
@BOTH
def test_moves_are_spelled_as_they_are_understood(row: str, language: str) -> None:
    """Sent back as the mail writes it, each order is read as the move that it stands for."""
    for turn in turns(row):
        rules, names, seat = turn.rules, turn.mail.players, Seat(turn.mail.reader)
        for move in turn.mail.moves:
            said = spelled_order(shown_order(move.text, language), language)
            line = read_line(said, [rules], names, language)
            assert line.kind is LineKind.GAME, said
            meant = read_line(move.text, [rules], names).order
            assert rules.parse_order(turn.state, seat, line.order) == rules.parse_order(
                turn.state, seat, meant
            ), said


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="nobody reads aloud here")
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row != "phalanx-zones"]
)  # stakes take longer
@BOTH
def test_the_moves_are_heard_soon(row: str, language: str, tmp_path: Path) -> None:
    """From the headline to the first move with a hand of ten cards at most."""
    sound = tmp_path / "mail.wav"
    small = [turn for turn in turns(row) if len(own_hand(turn)) <= HAND]
    for turn in small[-2:]:
        text, _ = spoken(turn.mail, language)
        _, _, body = text.partition("\n")
        first = re.search(r"^  21: .*$", body, re.MULTILINE)
        assert first is not None
        command = ["espeak-ng", "-v", language, "-w", str(sound)]
        subprocess.run(command, input=body[: first.end()].encode(), check=True, timeout=60)
        with wave.open(str(sound)) as opened:
            assert opened.getnframes() / opened.getframerate() < SECONDS, body[: first.end()]


def own_hand(turn: Turn) -> list[str]:
    seats: Any = turn.mail.view["seats"]
    return list(seats[turn.mail.reader].get("hand") or [])
