"""Test `export` by mail: the log as a file, without secrets while the game runs."""

from __future__ import annotations

import json

from pbem.service.logbook.verify import verify_file
from tests.service.conftest import Sent, Table


def attached(mail: Sent) -> bytes:
    (part,) = mail.message.iter_attachments()
    assert part.get_filename().endswith(".jsonl")
    return part.get_content()


def test_a_running_game_is_exported_without_secrets(table: Table) -> None:
    """The export verifies and contains no cards, phrase or seed."""
    game = table.skip(table.started(2), 4)
    mail = table.ask(0, "export")
    assert "what is open by now" in mail.words
    data = attached(mail)
    assert not verify_file(data).complete
    events = [json.loads(line) for line in data.splitlines()][1:]
    assert len(events) == game.version
    assert all(event["secret"] is None for event in events)
    assert game.server_secret.encode() not in data


def test_after_the_end_it_is_whole(table: Table) -> None:
    """And every shuffle is in it."""
    game = table.started(2)
    table.answer_twice(0, "resign confirm")
    data = attached(table.ask(1, "Export"))
    assert verify_file(data).complete
    assert game.server_secret.encode() in data


def test_from_the_bare_address_by_name(table: Table) -> None:
    """The answer asks for the game unless the player has a seat in it."""
    game = table.started(2)
    refused = table.ask(0, f"export {game.id}", to=table.service.own_address)
    assert "is sent in answer to a reply only" in refused.words
    assert attached(table.ask(0, f"export {game.id}", to=refused.reply_to))
    assert "Which game do you mean?" in table.ask(0, "export", to=refused.reply_to).words
    table.new_game(4, seed=5)
    table.answer(3, "help", to=table.service.own_address)
    assert "Which game do you mean?" in table.ask(3, f"export {game.id}").words
    assert list(table.last_to(3).message.iter_attachments()) == []
