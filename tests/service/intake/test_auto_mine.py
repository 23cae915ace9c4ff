"""Test `auto mine`: forced moves are played if everyone can see that there is no choice."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.api import Seat
from engine.ruleset import public_move
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from tests.service.conftest import NAMES, Table


def forced_by(table: Table, game: Game) -> Counter[str]:
    """Return how many moves of each player were played by the service."""
    events = [item.event for item in table.log(game)]
    return Counter(
        NAMES[event.seat]
        for event in events
        if isinstance(event, MovePlayed) and event.source == "forced"
    )


def play(table: Table, game: Game, plies: int) -> list[Game]:
    """Answer each turn mail with the safe move, and return the games in which a player had to act."""
    waited = []
    for _ in range(plies):
        game = table.game(game.id)
        if game.is_over:
            break
        waited.append(game)
        table.move(game)
    return waited


@pytest.mark.rule("GEN-11", "GEN-16")
def test_moves_without_a_choice_are_played_for_a_player_who_wants_it(table: Table) -> None:
    """Forced moves of the other player wait. A move that only a hand forces waits for both."""
    game = table.started(2, 2, ruleset="cathedral", auto_forced="off")
    assert "your move is played at once" in table.ask(0, "auto mine").words
    waited = play(table, game, 64)
    assert forced_by(table, game).keys() == {"Anna"}
    public = [public_move(before.ruleset, before.state) for before in waited]
    assert {NAMES[move[0]] for move in public if move is not None} == {"Bob"}
    private = [
        NAMES[before.to_act[0]]
        for before, move in zip(waited, public, strict=True)
        if move is None
        and len(list(before.ruleset.legal_moves(before.state, Seat(before.to_act[0])))) == 1
    ]
    assert set(private) == {"Anna", "Bob"}


def test_the_next_mail_gives_the_reason(table: Table) -> None:
    game = table.started(2, 2, ruleset="cathedral", auto_forced="off")
    table.answer(0, "auto mine")
    while not forced_by(table, game):
        play(table, game, 1)
    assert "Anna had only one legal move, so it was made at once" in table.last_to(1).words
    play(table, game, 1)
    mail = table.last_to(0)
    assert mail.message["Subject"].startswith("Your turn:")
    assert "You had only one legal move, so it was made at once" in mail.words


def test_it_can_be_ended(table: Table) -> None:
    game = table.started(2, 2, ruleset="cathedral", auto_forced="off")
    table.answer(0, "auto mine")
    assert "Your move is played at once when everybody can see" in table.ask(0, "settings").words
    assert "From now on your moves wait for you" in table.ask(0, "auto mine off").words
    play(table, game, 64)
    assert forced_by(table, game) == Counter()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("automatik für mich", "dein Zug sofort gespielt"),
        ("automatik für mich an", "dein Zug sofort gespielt"),
        ("Automatik für mich: aus", "warten deine Züge auf dich"),
    ],
)
def test_it_is_understood_in_german(table: Table, words: str, said: str) -> None:
    table.started(2, 2, ruleset="cathedral", auto_forced="off")
    table.answer(0, "language de")
    assert said in table.ask(0, words).words
