"""Test receipts, automatic moves and the offer of another language."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.api import Seat
from engine.ruleset import public_move
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from tests.service.conftest import NAMES, Table


def move_on(table: Table, game: Game) -> tuple[Game, int]:
    """Let the seat to act make its safe move. Return the game and the seat."""
    game = table.game(game.id)
    seat = table.move(game)
    return table.game(game.id), seat


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("en", "receipts off", "From now on a move that goes well brings no mail"),
        ("en", "confirmations off", "From now on a move that goes well brings no mail"),
        ("de", "Quittungen aus", "Ab jetzt kommt zu einem Zug, der klappt, keine Mail"),
    ],
)
def test_a_player_can_leave_out_receipts(
    table: Table, language: str, words: str, said: str
) -> None:
    game, seat, _ = table.start()
    table.answer(seat, f"language {language}")
    assert said in table.ask(seat, words).words
    count = len(table.mails_to(seat))
    moved, _ = move_on(table, game)
    assert moved.position > game.position
    assert len(table.mails_to(seat)) == count


def test_the_next_turn_mail_says_what_came_of_the_move(table: Table) -> None:
    """The facts of a game forget a player's own move by the next turn."""
    game, first, _ = table.start()
    table.answer(first, "receipts off")
    _, order = table.standby(game)
    _, mover = move_on(table, game)
    while first not in table.game(game.id).to_act:
        move_on(table, game)
    mail = table.last_to(mover)
    assert mail.message["Subject"].startswith("Your turn:")
    assert f"- You played {order.removeprefix('play ')[0]}" in mail.words


@pytest.mark.parametrize(
    "words", ["play 2h 2s 2d 2c", "next: play 9", "board", "pause", "hello?\nwho is next", "undo"]
)
def test_everything_else_is_answered(table: Table, words: str) -> None:
    """Refusals, questions, settings, votes and looks."""
    _, seat, _ = table.start()
    table.answer(seat, "receipts off")
    count = len(table.mails_to(seat))
    table.answer(seat, words)
    assert len(table.mails_to(seat)) > count


def test_the_move_that_ends_the_game_is_answered(table: Table) -> None:
    game = table.started(2, ruleset="phyliss")
    for seat in (0, 1):
        table.answer(seat, "receipts off")
    table.skip(game, 60)
    for _ in range(400):
        if table.game(game.id).is_over:
            break
        move_on(table, game)
    assert table.game(game.id).is_over
    assert all("won at" in table.last_to(seat).message["Subject"] for seat in (0, 1))


def test_the_third_receipt_of_a_day_offers_to_leave_them_out(table: Table) -> None:
    """Offer it once, and never to a player who has chosen."""
    game, first, _ = table.start(2)
    table.answer(1 - first, "receipts on")
    offered: dict[int, list[bool]] = {0: [], 1: []}
    for _ in range(10):
        _, seat = move_on(table, game)
        receipt = [
            mail
            for mail in table.mails_to(seat)
            if mail.message["Subject"].startswith("You moved:")
        ]
        offered[seat].append("Too many mails?" in receipt[-1].words)
    assert offered[first].count(True) == 1
    assert offered[1 - first] == [False] * 5


def count_forced(table: Table, game: Game) -> Counter[str]:
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
    assert count_forced(table, game).keys() == {"Anna"}
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
    while not count_forced(table, game):
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
    assert count_forced(table, game) == Counter()


OFFER = 'Mit "sprache de" schreibe ich dir auf Deutsch.'


@pytest.mark.parametrize("words", ["tisch", "aufnehmen", "ich nehme den Stapel auf"])
def test_german_orders_bring_the_offer_once_in_the_answer(table: Table, words: str) -> None:
    _, seat, _ = table.start(2)
    assert table.ask(seat, words).words.count(OFFER) == 1
    table.answer(seat, "sprache de")
    assert OFFER not in table.ask(seat, words).words


def test_german_is_offered_only_once_ever(table: Table) -> None:
    """Not with the next answer, and not in another game."""
    _, seat, _ = table.start(2)
    table.answer(seat, "aufnehmen")
    assert OFFER not in table.ask(seat, "aufnehmen").words
    table.started(2, seed=2)
    table.answer(seat, "tisch")
    assert sum(OFFER in mail.words for mail in table.mails_to(seat)) == 1


@pytest.mark.parametrize("words", ["board", "play 99", "hello there, nice to meet you"])
def test_english_brings_none(table: Table, words: str) -> None:
    _, seat, _ = table.start(2)
    assert OFFER not in table.ask(seat, words).words
