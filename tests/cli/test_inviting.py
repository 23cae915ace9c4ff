"""Test `pbem game new` with an inviting player, bots and open seats, and `pbem game link`."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service.core import live_database
from tests.cli.conftest import Shell

PLAYERS = ("-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org")


def test_an_invitation_names_the_person_who_invites(shell: Shell) -> None:
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla", "--note", "Like last year!")
    shell.table.run()
    for seat in (0, 1):
        mail = shell.table.last_to(seat)
        assert mail.message["Subject"].startswith("Karla invites you to Phyliss")
        assert 'Karla writes: "Like last year!"' in mail.words


def test_an_invitation_that_comes_again_names_the_same_person(shell: Shell) -> None:
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla", "--note", "Like last year!")
    shell.table.run()
    shell.table.answer(1, "resend", to="game@play.example.org")
    mail = shell.table.last_to(1)
    assert len(shell.table.mails_to(1)) == 2
    assert mail.message["Subject"].startswith("Karla invites you to Phyliss")
    assert 'Karla writes: "Like last year!"' in mail.words


def test_a_reminder_to_a_new_person_of_a_seat_has_no_note_to_the_first(shell: Shell) -> None:
    """The note was written to somebody else."""
    shell.json("game", "new", "phyliss", *PLAYERS, "--from", "anna", "--note", "Hi Bob!")
    shell.table.run()
    shell.table.answer(0, "invite dora@example.org instead of bob")
    shell.table.send("dora@example.org", "game@play.example.org", "resend")
    mails = [mail for mail in shell.table.delivery.mails if mail.rcpt_to == "dora@example.org"]
    assert len(mails) == 2
    assert "Hi Bob!" not in mails[-1].words


def test_a_player_who_invites_makes_the_game(shell: Shell) -> None:
    made = shell.json("game", "new", "phyliss", *PLAYERS, "--from", "anna")
    shell.table.run()
    game = shell.table.game(made["game"])
    assert game.creator == game.seats[0].player
    assert game.seats[0].status == "joined"
    assert shell.table.last_to(0).message["Subject"].startswith("Your game:")
    assert shell.table.last_to(1).message["Subject"].startswith("Anna ")
    shell.json("audit", made["game"])


def test_a_new_player_is_invited_in_the_given_language(shell: Shell) -> None:
    """A player who is known keeps theirs."""
    for language in ("de", "English"):
        people = (*PLAYERS[:2], "-p", f"Klaus=klaus@example.org {language}")
        shell.json("game", "new", "phyliss", *people, "--from", "Karla")
    shell.table.run()
    titles = {
        (mail.rcpt_to, mail.message["Subject"].partition(" to ")[0].partition(" zu ")[0])
        for mail in shell.table.delivery.mails
    }
    assert titles == {
        ("anna@example.org", "Karla invites you"),
        ("klaus@example.org", "Karla lädt dich"),
    }


def test_an_unknown_language_is_refused_and_nobody_is_invited(shell: Shell) -> None:
    said = shell.refused("game", "new", "phyliss", *PLAYERS[:2], "-p", "Klaus=klaus@example.org xx")
    assert "There are texts in" in said
    assert shell.json("player", "list") == []


def test_only_invitations_are_counted(shell: Shell) -> None:
    """Bots, open seats and the player who invites get none."""
    seats = (*PLAYERS, "-p", "bot", "-p", "open", "--from", "Anna")
    assert "Invitations queued: 1." in shell.run("game", "new", "phyliss", *seats).output


@pytest.mark.parametrize(("seat", "level"), [("bot", "easy"), ("hard bot", "hard")])
def test_a_bot_can_take_a_seat(shell: Shell, seat: str, level: str) -> None:
    made = shell.json("game", "new", "phyliss", *PLAYERS[:2], "-p", seat, "--from", "Karla")
    assert shell.table.game(made["game"]).seats[1].player == f"bot:{level}:adabot"


def test_a_service_that_started_before_an_installation_is_to_be_restarted(shell: Shell) -> None:
    """Its entry has the hash of another program, as after `pip install`."""
    live_database.start(shell.table.service)
    assert shell.json("game", "new", "phyliss", *PLAYERS, "--from", "Karla")["outdated_serve"] == []
    with shell.table.service.store.unit_of_work() as uow:
        (own,) = live_database.processes(uow, shell.table.clock.now())
        uow.outages.forget("program:", shell.table.clock.now() + timedelta(days=1))
        uow.outages.note(f"program:0123456789abcdef {own}", shell.table.clock.now())
    said = shell.run("game", "new", "phyliss", *PLAYERS, "--from", "Karla").output
    assert f"Restart `pbem serve` (process {own})" in " ".join(said.split())
