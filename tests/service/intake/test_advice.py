"""Test `hint` and `play for me`, which use a bot with the cards of a seat."""

from __future__ import annotations

import re

import pytest

from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.intake import advice
from tests.service.conftest import Table


@pytest.fixture
def game(table: Table, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose bot plays by a rule of thumb, which needs no time."""
    monkeypatch.setattr(advice, "LEVEL", "easy")
    return table.started(3)


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("en", "hint", "A bot would play"),
        ("en", "what should I do?", "A bot would play"),
        ("de", "Tipp", "Ein Bot würde jetzt"),
        ("de", "was soll ich tun?", "Ein Bot würde jetzt"),
    ],
)
def test_a_hint_names_a_move_and_plays_nothing(
    table: Table, game: Game, language: str, words: str, said: str
) -> None:
    seat = game.to_act[0]
    table.answer(seat, f"language {language}")
    mail = table.ask(seat, words)
    assert said in mail.words
    assert table.game(game.id).version == game.version


def test_the_bot_plays_this_turn_and_the_log_says_so(table: Table) -> None:
    """In Phase 10 a turn is several moves; the next turn is the player's own again."""
    game, seat, _ = table.start(2, ruleset="phase10")
    table.answer(seat, "play for me")
    after = table.game(game.id)
    assert seat not in after.to_act
    assert after.seats[seat].controller == "person"
    moves = [item for item in table.log(game) if isinstance(item.event, MovePlayed)]
    assert len(moves) >= 2
    assert {item.event.source for item in moves if isinstance(item.event, MovePlayed)} == {"bot"}
    assert {item.actor for item in moves} == {f"seat:{seat}"}
    assert all(item.cause for item in moves)
    assert "The bot moved for you:" in table.last_to(seat).words


def test_nobody_else_reads_that_a_bot_was_asked(table: Table, game: Game) -> None:
    seat = game.to_act[0]
    table.answer(seat, "play for me")
    others = [table.last_to(other) for other in range(3) if other != seat]
    assert [re.search(r"\bbots?\b", mail.words, re.IGNORECASE) for mail in others] == [None] * 2


@pytest.mark.parametrize("words", ["hint", "play for me"])
def test_out_of_turn_nothing_is_advised(table: Table, game: Game, words: str) -> None:
    other = next(seat for seat in range(3) if seat not in game.to_act)
    assert "It is not your turn" in table.ask(other, words).words
    assert table.game(game.id).version == game.version


def test_an_old_mail_lets_nobody_play_the_next_turn(table: Table, game: Game) -> None:
    seat, order = table.standby(game)
    old = table.last_to(seat).reply_to
    table.answer(seat, order)
    while seat not in table.game(game.id).to_act:
        table.move(table.game(game.id))
    before = table.game(game.id)
    table.answer(seat, "play for me", to=old)
    assert table.game(game.id).version == before.version
    assert "Your mail answers an older position" in table.last_to(seat).words


@pytest.mark.parametrize("words", ["hint", "play for me"])
def test_a_game_can_switch_hints_off(table: Table, words: str) -> None:
    game, seat, _ = table.start(2, timing=Timing(3 * 86400, hints=False))
    assert "hints are off" in table.ask(seat, words).words
    assert table.game(game.id).version == game.version
