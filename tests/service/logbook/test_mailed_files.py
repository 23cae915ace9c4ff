"""Test `export` and `replay` by mail: secrets and hidden cards stay closed while a game runs."""

from __future__ import annotations

import json
import re

import pytest

from pbem.domain.table.game import Game
from pbem.service.logbook import replay_page
from pbem.service.logbook.verify import verify_file
from tests.service.conftest import Sent, Table


def read_attachment(mail: Sent) -> bytes:
    (part,) = mail.message.iter_attachments()
    assert part.get_filename().endswith(".jsonl")
    return part.get_content()


def test_a_running_game_is_exported_without_secrets(table: Table) -> None:
    """The export verifies and contains no cards, phrase or seed."""
    game = table.skip(table.started(2), 4)
    mail = table.ask(0, "export")
    assert "what is open by now" in mail.words
    data = read_attachment(mail)
    assert not verify_file(data).complete
    events = [json.loads(line) for line in data.splitlines()][1:]
    assert len(events) == game.version
    assert all(event["secret"] is None for event in events)
    assert game.server_secret.encode() not in data


def test_after_the_end_it_is_whole(table: Table, game: Game) -> None:
    """And every shuffle is in it."""
    table.answer_twice(0, "resign confirm")
    data = read_attachment(table.ask(1, "Export"))
    assert verify_file(data).complete
    assert game.server_secret.encode() in data


def test_from_the_bare_address_by_name(table: Table, game: Game) -> None:
    """The answer asks for the game unless the player has a seat in it."""
    refused = table.ask(0, f"export {game.id}", to=table.service.own_address)
    assert "is sent in answer to a reply only" in refused.words
    assert read_attachment(table.ask(0, f"export {game.id}", to=refused.reply_to))
    assert "Which game do you mean?" in table.ask(0, "export", to=refused.reply_to).words
    table.new_game(4, seed=5)
    table.answer(3, "help", to=table.service.own_address)
    assert "Which game do you mean?" in table.ask(3, f"export {game.id}").words
    assert list(table.last_to(3).message.iter_attachments()) == []


def read_page(mail: Sent) -> dict:
    (part,) = mail.message.iter_attachments()
    assert part.get_filename().endswith(".html")
    text = part.get_content().decode()
    return json.loads(re.search(r"<script[^>]*json[^>]*>(.*?)</script>", text, re.DOTALL)[1])


def test_a_running_game_shows_no_cards_but_ones_own(table: Table) -> None:
    """The page contains no view of another seat, and nothing is recorded."""
    game = table.skip(table.started(3), 6)
    mail = table.ask(0, "replay")
    assert "as you may see" in mail.words
    shown = read_page(mail)
    assert shown["eyes"] == [0]
    assert all(set(step["own"]) <= {"0"} for step in shown["steps"])
    assert json.dumps(shown).count(game.server_secret) == 0
    assert table.game(game.id).version == game.version
    changed = [change for step in shown["steps"] for change in step["change"]]
    assert {str(path[1]) for path, *_ in changed if path[:1] == ["eyes"] and path[1:]} <= {"0"}
    first = next(value for path, value in shown["steps"][0]["change"] if path == ["eyes"])
    assert list(first) == ["0"]


@pytest.mark.usefixtures("game")
def test_after_the_end_all_cards_are_there(table: Table) -> None:
    table.answer_twice(0, "resign confirm")
    assert "with all cards" in table.ask(1, "Replay").words
    assert read_page(table.last_to(1))["eyes"] == [0, 1]


def test_the_end_brings_the_page_to_everybody(
    table: Table, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pack a long page, and leave it out if it is still too long."""
    sizes = []
    for most in (replay_page.MAX_ATTACHED, 60_000, 1_000):
        monkeypatch.setattr(replay_page, "MAX_ATTACHED", most)
        if not sizes:
            table.answer_twice(0, "resign confirm")
        else:
            table.answer(0, "resend", to=table.last_to(0).reply_to)
        mail = table.last_to(0)
        attached = list(mail.message.iter_attachments())
        assert bool(attached) == ("Open the attached page" in mail.words)
        sizes.append(len(attached[0].get_content()) if attached else 0)
    assert read_page(table.mails_to(1)[-1])["looks"] == 1
    assert attached == []
    assert sizes[1] < sizes[0] < 150_000
    assert game.id in table.mails_to(1)[-1].text
