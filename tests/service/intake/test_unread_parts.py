"""Test messages whose text is in an unread part, and automatic messages of a player."""

from __future__ import annotations

import pytest

from tests.service.conftest import Sent, Table

EMPTY = "had no text of its own"


def write(table: Table, seat: int, head: str, body: str) -> list[Sent]:
    mail = table.last_to(seat)
    start = f"From: {mail.rcpt_to}\r\nTo: {mail.reply_to}\r\nMessage-ID: <part@example.org>\r\n"
    raw = f"{start}Subject: Re: game\r\nMIME-Version: 1.0\r\n{head}\r\n\r\n{body}\r\n"
    return table.deliver(raw.encode(), mail.reply_to)


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: text/plain charset=utf-8",
        "Content-Type: text/plain, charset=utf-8",
        "Content-Type: text/markdown; charset=utf-8",
        'Content-Type: text/plain; charset=utf-8; name="body.txt"',
        'Content-Type: text/plain\r\nContent-Disposition: inline; filename="reply.txt"',
    ],
)
def test_order_in_an_odd_part_is_carried_out(table: Table, head: str) -> None:
    game, seat, order = table.start(2)
    write(table, seat, head, order)
    assert table.game(game.id).position > game.position


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("Content-Type: text/enriched", "text/enriched"),
        ("Content-Type: application/octet-stream", "application/octet-stream"),
        ('Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a"', "text/plain"),
    ],
)
def test_part_that_is_not_read_is_named(table: Table, head: str, kind: str) -> None:
    game, seat, order = table.start(2)
    (answer,) = write(table, seat, head, order)
    assert f"no text that I can read, only a part of type {kind}" in answer.words
    assert EMPTY not in answer.words
    assert table.game(game.id).version == game.version


@pytest.mark.parametrize(
    "body",
    [
        "👍\n\nBob Example reacted via Gmail\n<https://www.google.com/gmail/about/>",
        "Bob Example reacted to your message:\n👍",
        'Bob Example would like to recall the message, "Your turn".',
    ],
)
def test_reactions_and_recalls_are_silent(table: Table, body: str) -> None:
    table.started(2)
    assert write(table, 0, "Content-Type: text/plain; charset=utf-8", body) == []
    assert table.inbox()[-1].status == "ignored"
