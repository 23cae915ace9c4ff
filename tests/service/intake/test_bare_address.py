"""Test orders for a game in answers to messages that concern no game."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

import pytest

from pbem.domain.table.game import Game
from tests.service.conftest import Sent, Table


def read_html(mail: Sent) -> str:
    return html.unescape(mail.html)


def write_aside(table: Table, seat: int, text: str) -> list[Sent]:
    """Write to a player's own reply address, and return the answers."""
    return table.send(f"{('anna', 'bob')[seat]}@example.org", table.own_address(seat), text)


@pytest.mark.parametrize(
    ("word", "said"),
    [("board", "The table:"), ("hand", "Your hand"), ("history", "What happened last")],
)
def test_the_one_game_answers(table: Table, game: Game, word: str, said: str) -> None:
    """A player of one game need not name it."""
    (mail,) = write_aside(table, game.to_act[0], word)
    assert game.id in mail.message["Subject"]
    assert said.lower() in mail.words.lower()
    assert table.game(game.id).version == game.version


def test_of_several_games_one_must_be_named(table: Table) -> None:
    """The answer lists the games. `resend` sends the messages of all of them."""
    first, second = table.started(2), table.started(2, seed=2)
    (mail,) = write_aside(table, 0, "board")
    assert "Which game do you mean?" in mail.words
    assert first.id in mail.text
    assert second.id in mail.text
    assert len(write_aside(table, 0, "resend")) == 2


def test_a_move_brings_the_mail_to_answer(table: Table) -> None:
    """A number is refused with the table, and the same words work in answer to that."""
    game, seat, _ = table.start(2)
    (mail,) = write_aside(table, seat, "21\nor so")
    assert "answers none of this game" in mail.words
    assert " 21 " in mail.words
    assert table.game(game.id).version == game.version
    table.answer(seat, "21", to=mail.reply_to)
    assert table.game(game.id).position > game.position
    (mail,) = write_aside(table, seat, "21")
    assert "It is your turn in no game" in mail.words


def test_what_a_sentence_means_comes_with_links(table: Table) -> None:
    """Links lead to the player's own address, or to the only game."""
    game, seat, _ = table.start(2)
    (mail,) = write_aside(table, seat, "can I take that back?")
    assert game.id in mail.message["Subject"]
    assert "undo" in mail.words
    assert f"mailto:{quote(mail.reply_to, safe='@')}?" in read_html(mail)
    assert re.search(r'href="mailto:[^"]+body=undo"', read_html(mail))
    (mail,) = write_aside(table, seat, "colourless green ideas")
    links = re.findall(r'href="(mailto:[^"]+)"', read_html(mail))
    assert [link.rpartition("body=")[2] for link in links[:3]] == ["games", "rules", "help"]
    table.answer(seat, "language de")
    (mail,) = write_aside(table, seat, "ich bin bis Freitag im Urlaub")
    assert "body=urlaub%20bis%20Freitag" in read_html(mail)
    table.started(2, seed=2)
    (mail,) = write_aside(table, seat, "can I take that back?")
    assert "undo" in mail.words or "zurück" in mail.words
    assert "body=undo" not in read_html(mail), "nobody knows in which game"


def test_a_typing_mistake_and_prose(table: Table, game: Game) -> None:
    """Suggest the probable order, or explain what the player can do now."""
    (mail,) = write_aside(table, game.to_act[0], "histroy")
    assert 'for example "history"' in mail.words
    (mail,) = write_aside(table, game.to_act[0], "How does this work?")
    assert "it is your turn: answer its newest mail with a move" in mail.words
