"""Test `pbem mail preview`, and who is notified of it."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.domain.log.events import HandsRevealedToAdmin
from tests.cli.conftest import Shell
from tests.service.conftest import NAMES

REASON = "to see a new template"


def looked_at(file: Path) -> tuple[EmailMessage, str]:
    """A written mail and its text."""
    mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    part = mail.get_body(("plain",))
    assert part is not None
    return mail, part.get_content()


def test_a_turn_of_a_running_game_is_a_reveal(shell: Shell) -> None:
    """Without a reason nothing is shown; with one it is an event, and every player reads it."""
    shell.serve()
    game = shell.table.started(2)
    seat = int(game.to_act[0])
    asked = ("mail", "preview", "turn", "--game", game.id, "--as", NAMES[seat])
    folder = shell.folder / "look"
    assert "--reason" in shell.refused(*asked, "--out", str(folder))
    assert not folder.exists()
    shell.done(*asked, "--out", str(folder), "--reason", REASON)
    mail, text = looked_at(folder / "turn.eml")
    sent = shell.table.last_to(seat)
    hand = shell.table.game(game.id).ruleset.view(game.state, game.to_act[0])["seats"][seat]["hand"]  # type: ignore[call-overload,index]
    assert str(hand[0])[:-1] in text
    assert mail["Subject"] == sent.message["Subject"]
    assert "<html" in (folder / "turn.html").read_text()
    assert (folder / "turn.html").stat().st_mode & 0o077 == 0
    events = [item.event for item in shell.table.log(game)]
    assert isinstance(events[-1], HandsRevealedToAdmin)
    assert events[-1].seats == (seat,)
    shell.table.answer(seat, "board")
    assert REASON in shell.table.last_to(seat).words


def test_nobody_can_answer_with_a_mail_that_was_looked_at(shell: Shell) -> None:
    """Its reply address is no one's, and the reader's own address is not in it."""
    game = shell.table.new_game(2)
    shell.done("mail", "preview", "invitation", "--game", game.id, "--as", "1", "--out", "look")
    mail, _ = looked_at(Path("look/invitation.eml"))
    reply_to = str(mail["Reply-To"]).partition("<")[2].rstrip(">")
    before = shell.table.game(game.id).version
    tokens = shell.table.service.tokens
    assert tokens.decode(tokens.token_text(reply_to) or "") is None
    assert b"bob@example.org" not in Path("look/invitation.eml").read_bytes()
    assert shell.table.game(game.id).version == before, "no hand was shown"


def test_what_was_said_in_private_is_in_no_preview(shell: Shell) -> None:
    """Neither talk between players nor standing orders."""
    shell.serve()
    game = shell.table.started(2)
    seat = int(game.to_act[0])
    shell.table.answer(1 - seat, f"say to {NAMES[seat]}: meet me at noon")
    shell.table.answer(seat, "drawing: deck")
    asked = ("mail", "preview", "answer", "--game", game.id, "--as", str(seat))
    shell.done(*asked, "--reason", REASON, "--out", "look")
    raw = Path("look/answer.eml").read_text()
    assert "noon" not in raw
    assert "drawing: deck" not in raw


@pytest.mark.parametrize("kind", ["help", "rules", "games", "standings", "refusal", "noted"])
def test_mails_to_a_person_need_no_game(shell: Shell, kind: str) -> None:
    """In the language that is asked for; what is there already is not overwritten."""
    shell.table.new_game(2)
    asked = ("mail", "preview", kind, "--as", "Anna", "--language", "de")
    said = shell.json(*asked)
    mail, text = looked_at(Path(said["files"][0]))
    assert mail["Subject"]
    assert "Schreib deine Antwort oberhalb dieser Zeile" in text
    assert "exists" in shell.refused(*asked)


def test_what_cannot_be_shown_is_refused(shell: Shell) -> None:
    """With what could be instead."""
    game = shell.table.started(2)
    waiting = 1 - int(game.to_act[0])
    of_game = ("--game", game.id, "--as", str(waiting), "--reason", REASON)
    assert "there are turn" in shell.refused("mail", "preview", "nothing")
    assert "--game" in shell.refused("mail", "preview", "turn", "--as", "Anna")
    assert "--as" in shell.refused("mail", "preview", "turn", "--game", game.id)
    assert "nothing to decide" in shell.refused("mail", "preview", "turn", *of_game)
    assert "has begun" in shell.refused("mail", "preview", "invitation", *of_game)
    assert "to an end" in shell.refused("mail", "preview", "finished", *of_game)
    assert "there are" in shell.refused("mail", "preview", "alert", "--language", "xx")
    assert shell.table.game(game.id).version == game.version
    assert shell.done("mail", "preview", "alert")
