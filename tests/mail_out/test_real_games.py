"""Mails of whole games, with the views and facts that the engine gives."""

from __future__ import annotations

import hashlib

import pytest

from engine import registry
from engine.api import AnyRuleset, Fact, Seat, Setup
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.prose import is_prose
from tests.mail_out.samples import SECRET, SEED, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER, SHOWN_CARD, words

NAMES = ("Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל", "Emil O'Neill")


def check(rules: AnyRuleset, content: GameMail) -> None:
    """Check what holds for every mail."""
    rendered = RENDERER.render(content)
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not LISTED.fullmatch(line):
            assert is_prose(line.strip(), rules.id.name), line
    for line in pages.lines(rendered.html, drawn=True):
        if not any(line.startswith(f"{move.number} ") for move in content.moves):
            assert is_prose(line, rules.id.name), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    assert set(SHOWN_CARD.findall(text)) == set(SHOWN_CARD.findall(html))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_whole_game(players: int):
    """From the deal to the opening, every mail of every seat is in good form."""
    rules = registry.find("phyliss", 1)
    seed = hashlib.sha256(f"mails {players}".encode()).digest()
    options = rules.check_options(players, {})
    step = rules.start(Setup(players, seed, options))
    state = step.state
    news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
    told = 0
    while rules.outcome(state) is None:
        for seat in range(players):
            news[seat] += [fact for fact in step.facts if fact.audience in (None, seat)]
        mover = rules.to_act(state)[0]
        legal = list(rules.legal_moves(state, mover))
        listed = [rules.format_move(state, mover, move) for move in legal]
        for seat in range(players):
            if (seat == mover and told % 4 == 0) or told % 15 == 0:
                check(
                    rules,
                    game_mail(
                        players=NAMES[:players],
                        reader=seat,
                        to_act=(int(mover),),
                        happened=tuple(news[seat]),
                        view=rules.view(state, Seat(seat)),
                        moves=moves(*listed[:60]) if seat == mover else (),
                        kind="turn" if seat == mover else "answer",
                    ),
                )
        news[mover] = []
        told += 1
        bold = legal[seed[told % 32] % len(legal)]
        step = rules.apply(
            state, mover, bold if told % 3 == 0 else rules.standby_move(state, mover)
        )
        state = step.state
    outcome = rules.outcome(state)
    assert outcome is not None
    for seat in range(players):
        check(
            rules,
            game_mail(
                kind="finished",
                players=NAMES[:players],
                reader=seat,
                to_act=(),
                moves=(),
                deadline=None,
                happened=tuple(news[seat]),
                view=rules.view(state, Seat(seat)),
                result=FinalResult(
                    outcome.ranking, outcome.reason, outcome.scores, SECRET, ("",) * players, SEED
                ),
            ),
        )
