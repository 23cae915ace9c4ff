"""Test orders for a game in answers to messages that concern no game."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

import pytest

from pbem.domain.terms.tokens import PlayerToken
from tests.service.conftest import Sent, Table


def rich(mail: Sent) -> str:
    part = mail.message.get_body(("html",))
    assert part is not None
    return html.unescape(part.get_content())


def answers_to(table: Table, seat: int, text: str) -> list[Sent]:
    """Answer a help mail, so to speak, and give what comes back."""
    before = len(table.delivery.mails)
    with table.service.store.reading() as uow:
        player = uow.players.by_address(f"{('anna', 'bob')[seat]}@example.org")
    assert player is not None
    table.answer(seat, text, to=table.service.tokens.address(PlayerToken(player.id)))
    return table.delivery.mails[before:]


@pytest.mark.parametrize(
    ("word", "said"),
    [("board", "The table:"), ("hand", "Your hand"), ("history", "What happened last")],
)
def test_the_one_game_answers(table: Table, word: str, said: str) -> None:
    """Who plays one game need not say which; the answer is a mail of that game."""
    game = table.started(2)
    (mail,) = answers_to(table, game.to_act[0], word)
    assert game.id in mail.message["Subject"]
    assert said.lower() in mail.words.lower()
    assert table.game(game.id).version == game.version


def test_of_several_games_one_must_be_named(table: Table) -> None:
    """They are named, and how to ask; `resend` sends the mails of all of them."""
    first, second = table.started(2), table.started(2, seed=2)
    (mail,) = answers_to(table, 0, "board")
    assert "Which game do you mean?" in mail.words
    assert first.id in mail.text
    assert second.id in mail.text
    assert len(answers_to(table, 0, "resend")) == 2


def test_a_move_brings_the_mail_to_answer(table: Table) -> None:
    """A number stays refused; the table comes with the refusal, and the same words work there."""
    game = table.started(2)
    seat = game.to_act[0]
    (mail,) = answers_to(table, seat, "21\nor so")
    assert "answers none of this game" in mail.words
    assert " 21 " in mail.words
    assert table.game(game.id).version == game.version
    table.answer(seat, "21", to=mail.reply_to)
    assert table.game(game.id).position > game.position
    (mail,) = answers_to(table, seat, "21")
    assert "It is your turn in no game" in mail.words


def test_what_a_sentence_means_comes_with_links(table: Table) -> None:
    """What anybody can order goes to their own address; what a table must do, to the one game."""
    game = table.started(2)
    seat = int(game.to_act[0])
    (mail,) = answers_to(table, seat, "can I take that back?")
    assert game.id in mail.message["Subject"]
    assert "undo" in mail.words
    assert f"mailto:{quote(mail.reply_to, safe='@')}?" in rich(mail)
    assert re.search(r'href="mailto:[^"]+body=undo"', rich(mail))
    (mail,) = answers_to(table, seat, "colourless green ideas")
    links = re.findall(r'href="(mailto:[^"]+)"', rich(mail))
    assert [link.rpartition("body=")[2] for link in links[:3]] == ["games", "rules", "help"]
    table.answer(seat, "language de")
    (mail,) = answers_to(table, seat, "ich bin bis Freitag im Urlaub")
    assert "body=urlaub%20bis%20Freitag" in rich(mail)
    table.started(2, seed=2)
    (mail,) = answers_to(table, seat, "can I take that back?")
    assert "undo" in mail.words or "zurück" in mail.words
    assert "body=undo" not in rich(mail), "nobody knows in which game"


def test_a_typing_mistake_and_prose(table: Table) -> None:
    """What may have been meant is suggested; who writes prose learns what can be done now."""
    game = table.started(2)
    (mail,) = answers_to(table, game.to_act[0], "histroy")
    assert 'for example "history"' in mail.words
    (mail,) = answers_to(table, game.to_act[0], "How does this work?")
    assert "it is your turn: answer its newest mail with a move" in mail.words
