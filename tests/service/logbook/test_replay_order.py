"""Test `replay` by mail: the game as a page, with the player's own cards while it runs."""

from __future__ import annotations

import json
import re

import pytest

from pbem.service.logbook import replay_page
from tests.service.conftest import Sent, Table


def page(mail: Sent) -> dict:
    (part,) = mail.message.iter_attachments()
    assert part.get_filename().endswith(".html")
    text = part.get_content().decode()
    return json.loads(re.search(r"<script[^>]*json[^>]*>(.*?)</script>", text, re.DOTALL)[1])


def test_a_running_game_shows_no_cards_but_ones_own(table: Table) -> None:
    """The page contains no view of another seat, and nothing is recorded."""
    game = table.skip(table.started(3), 6)
    mail = table.ask(0, "replay")
    assert "as you may see" in mail.words
    shown = page(mail)
    assert shown["eyes"] == [0]
    assert all(set(step["own"]) <= {"0"} for step in shown["steps"])
    assert json.dumps(shown).count(game.server_secret) == 0
    assert table.game(game.id).version == game.version
    changed = [change for step in shown["steps"] for change in step["change"]]
    assert {str(path[1]) for path, *_ in changed if path[:1] == ["eyes"] and path[1:]} <= {"0"}
    first = next(value for path, value in shown["steps"][0]["change"] if path == ["eyes"])
    assert list(first) == ["0"]


def test_after_the_end_all_cards_are_there(table: Table) -> None:
    table.started(2)
    table.answer_twice(0, "resign confirm")
    assert "with all cards" in table.ask(1, "Replay").words
    assert page(table.last_to(1))["eyes"] == [0, 1]


def test_the_end_brings_the_page_to_everybody(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pack a long page, and leave it out if it is still too long."""
    game = table.started(2)
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
    assert page(table.mails_to(1)[-1])["looks"] == 1
    assert attached == []
    assert sizes[1] < sizes[0] < 150_000
    assert game.id in table.mails_to(1)[-1].text
