"""Mails in words, for people who hear them: order of the blocks, no codes, moves that read back."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from functools import cache

import pytest

from engine import registry
from engine.api import AnyRuleset, Fact, Seat, Setup
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.translate import shown_order
from pbem.mail_out.cards import spelled_order
from pbem.mail_out.content import GameMail
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.samples import game_mail, moves
from tests.mail_out.test_render import RENDERER

PLAYERS = ("Anna", "Bob", "Carol")
CODE = re.compile(
    r"(?<!\w)(?:(?:10|[2-9JQKA])[cdhs♣♦♥♠]|[RBGY](?:1[0-2]|[1-9])|[♣♦♥♠]|[WS]|[0-9a-f]{12,})(?!\w)"
)
EVERY = pytest.mark.parametrize("ruleset", sorted(registry.names()))
BOTH = pytest.mark.parametrize("language", ["en", "de"])


@cache
def turns(ruleset: str) -> list[tuple[AnyRuleset, object, GameMail]]:
    """Return turn mails of a game that is played cautiously, early and late."""
    rules = registry.find(ruleset)
    seed = hashlib.sha256(f"aloud {ruleset}".encode()).digest()
    step = rules.start(Setup(len(PLAYERS), seed, rules.check_options(len(PLAYERS), {})))
    news: dict[int, list[Fact]] = {seat: [] for seat in range(len(PLAYERS))}
    found = []
    for ply in range(40):
        for seat, told in news.items():
            told += [fact for fact in step.facts if fact.audience in (None, seat)]
        state = step.state
        if not rules.to_act(state):
            break
        mover = Seat(int(rules.to_act(state)[0]))
        legal = [rules.format_move(state, mover, one) for one in rules.legal_moves(state, mover)]
        if ply in (0, 7, 16, 30):
            mail = game_mail(
                ruleset=ruleset,
                title=rules.title,
                players=PLAYERS,
                reader=int(mover),
                to_act=(int(mover),),
                happened=tuple(news[mover]),
                view=rules.view(state, mover),
                moves=moves(*legal[:60]),
            )
            found.append((rules, state, mail))
        news[mover] = []
        step = rules.apply(state, mover, rules.standby_move(state, mover))
    return found


def spoken(mail: GameMail, language: str) -> tuple[str, str]:
    """Return text and HTML of a mail in words."""
    rendered = RENDERER.render(replace(mail, language=language), ("words",))
    return rendered.text, rendered.html


@EVERY
@BOTH
def test_what_one_needs_comes_first(ruleset: str, language: str) -> None:
    """Headline, hand, moves, news, ids; no code of a card, and lines that no client breaks."""
    hand = {"en": "Your hand", "de": "Deine Hand"}[language]
    listed = {"en": "Your moves", "de": "Deine Züge"}[language]
    since = {"en": "Since your last move", "de": "Seit deinem letzten Zug"}[language]
    for _, _, mail in turns(ruleset):
        text, html = spoken(mail, language)
        assert not CODE.search(text), text
        assert not CODE.search(" ".join(pages.lines(html)))
        assert "<table" not in html
        assert all(columns(line) <= 72 for line in text.splitlines())
        event = {"en": "event 57", "de": "Ereignis 57"}[language]
        places = [text.find(hand), text.find(listed), text.find(event)]
        assert places[0] > -1, text
        assert places == sorted(places), text
        if since in text:
            assert places[1] < text.index(since)
        assert " ".join(pages.lines(html)).split() == text.split()


@EVERY
@BOTH
def test_moves_are_spelled_as_they_are_understood(ruleset: str, language: str) -> None:
    """Sent back as the mail writes it, each order is read as the move that it stands for."""
    for rules, state, mail in turns(ruleset):
        seat = Seat(mail.reader)
        for move in mail.moves:
            said = spelled_order(shown_order(move.text, language), language)
            line = read_line(said, [rules], PLAYERS, language)
            assert line.kind is LineKind.GAME, said
            assert rules.parse_order(state, seat, line.order) == rules.parse_order(
                state, seat, move.text
            ), said
