"""Mails in words, for people who hear them: order of the blocks, no codes, moves that read back."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.api import Seat
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.translate import shown_order
from pbem.mail_out.cards import spelled_order
from pbem.mail_out.content import GameMail
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, turns

CODE = re.compile(
    r"(?<!\w)(?:(?:10|[2-9JQKA])[cdhs♣♦♥♠]|[RBGY](?:1[0-2]|[1-9])|[♣♦♥♠]|[WS]|[0-9a-f]{12,})(?!\w)"
)
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
    listed = re.compile(r"[Yy]our moves\. Reply|[Dd]einer? Züge\. Antworte")
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
