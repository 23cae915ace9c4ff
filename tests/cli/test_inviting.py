"""`pbem game new`: who invites, and bots."""

from __future__ import annotations

import pytest

from pbem.service.lobby import expiry
from tests.cli.conftest import Shell

PLAYERS = ("-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org")


def test_an_invitation_names_the_person_who_invites(shell: Shell) -> None:
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla", "--note", "Like last year!")
    shell.table.run()
    for seat in (0, 1):
        mail = shell.table.last_to(seat)
        assert mail.message["Subject"].startswith("Karla invites you to Phyliss")
        assert 'Karla writes: "Like last year!"' in mail.words


def test_a_reminder_names_the_same_person(shell: Shell) -> None:
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla", "--note", "Like last year!")
    shell.table.run()
    shell.table.clock.forward(days=8)
    expiry.look(shell.table.service)
    shell.table.run()
    mails = shell.table.mails_to(0)
    assert len(mails) == 2
    assert "Karla is still waiting" in mails[1].words
    assert 'Karla writes: "Like last year!"' in mails[1].words


def test_a_player_who_invites_makes_the_game(shell: Shell) -> None:
    made = shell.json("game", "new", "phyliss", *PLAYERS, "--from", "anna")
    shell.table.run()
    game = shell.table.game(made["game"])
    assert game.creator == game.seats[0].player
    assert game.seats[0].status == "joined"
    assert shell.table.last_to(0).message["Subject"].startswith("Your game:")
    assert shell.table.last_to(1).message["Subject"].startswith("Anna invites you to Phyliss")
    shell.json("audit", made["game"])


def test_without_a_name_the_admin_invites(shell: Shell) -> None:
    """A command in a script is not asked."""
    shell.json("game", "new", "phyliss", *PLAYERS)
    shell.table.run()
    assert (
        shell.table.last_to(0).message["Subject"].startswith("The admin of Cards by mail invites")
    )


@pytest.mark.parametrize(("seat", "level"), [("bot", "easy"), ("hard bot", "hard")])
def test_a_bot_can_take_a_seat(shell: Shell, seat: str, level: str) -> None:
    made = shell.json("game", "new", "phyliss", *PLAYERS[:2], "-p", seat, "--from", "Karla")
    assert shell.table.game(made["game"]).seats[1].player == f"bot:{level}:adabot"


def test_an_unknown_bot_is_refused_with_the_nearest(shell: Shell) -> None:
    said = shell.refused("game", "new", "phyliss", *PLAYERS[:2], "-p", "hrad bot")
    assert "did you mean hard?" in said


def test_an_invitation_says_in_words_how_long_the_game_takes(shell: Shell) -> None:
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla")
    shell.table.run()
    first_screen = shell.table.last_to(1).words.partition("Reply with one word")[0]
    assert "It takes about" in first_screen
    assert "mail" in first_screen.partition("It takes about")[2]
