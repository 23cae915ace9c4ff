"""Test the weekly letter: off by default, on Sunday evening, with public facts only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.service.lobby import creation as lobby
from tests.service.conftest import NAMES, Sent, Table, configured

SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)


def send_letters(table: Table, day: int = 22) -> list[Sent]:
    """Let the service run on a Sunday evening. Return all weekly letters until then."""
    table.run_at(SUNDAY.replace(day=day))
    titles = ("Your week at the card tables", "Deine Woche am Kartentisch")
    return [mail for mail in table.delivery.mails if mail.message["Subject"] in titles]


@pytest.fixture
def weekly(table: Table) -> Table:
    """Return a table whose admin has switched the weekly letter on for all players."""
    table.service = configured(table.service, weekly_letter=True)
    return table


def start_by_anna(table: Table) -> None:
    """Start a game of three people that Anna created."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss", invited_by="Anna"))
    table.run()
    table.answer(1, "join")
    table.answer(2, "join")


@pytest.mark.usefixtures("game")
def test_it_is_off_by_default(table: Table) -> None:
    assert send_letters(table) == []


def test_an_admin_switches_it_on_and_a_player_off(weekly: Table) -> None:
    weekly.started(2)
    weekly.answer(1, "weekly off")
    weekly.run_at(SUNDAY - timedelta(minutes=1))
    assert "Your week" not in weekly.last_to(0).message["Subject"]
    send_letters(weekly)
    (mail,) = send_letters(weekly)
    assert mail.rcpt_to == "anna@example.org"
    assert '"weekly off"' in mail.words


@pytest.mark.usefixtures("game")
def test_a_player_switches_it_on_in_their_language(table: Table) -> None:
    table.answer(0, "language de")
    assert "sonntags abends einen Brief" in table.ask(0, "wochenbrief an").words
    (mail,) = send_letters(table)
    assert "Am längsten" in mail.words


def test_it_tells_who_won_the_longest_game_and_the_boldest_hand_of_god(weekly: Table) -> None:
    game = weekly.started(2, ruleset="phyliss")
    weekly.clock.forward(hours=1)
    weekly.answer(int(game.to_act[0]), "god")
    game = weekly.skip(game, 400)
    assert game.is_over
    other = weekly.started(2, seed=2, ruleset="phyliss")
    winner = ("Anna", "Bob")[game.finished.ranking[0][0]]  # type: ignore[union-attr]
    mails = send_letters(weekly)
    assert len(mails) == 2
    for mail in mails:
        assert f"Phyliss with Anna and Bob: {winner} won." in mail.words
        assert "The longest game: Phyliss with Anna and Bob," in mail.words
        assert "The boldest hand of god:" in mail.words
        assert other.id not in mail.words


def test_the_next_letter_tells_only_of_its_own_week(weekly: Table) -> None:
    game = weekly.started(2, ruleset="phyliss")
    weekly.clock.forward(hours=1)
    game = weekly.skip(game, 400)
    assert game.is_over
    letters = send_letters(weekly)
    assert "won." in letters[0].words
    assert send_letters(weekly, day=29) == letters


def test_it_tells_whose_turn_is_oldest(weekly: Table) -> None:
    _, mover, _ = weekly.start(2)
    letters = send_letters(weekly)
    own, other = (
        next(mail for mail in letters if mail.rcpt_to.startswith(name))
        for name in (("anna", "bob")[mover], ("anna", "bob")[1 - mover])
    )
    assert "Your turn is the oldest: Phyliss with Anna and Bob, since Saturday" in own.words
    assert f"The oldest turn is that of {('Anna', 'Bob')[mover]}" in other.words


@pytest.mark.parametrize(
    ("language", "order"),
    [("en", "weekly all"), ("en", "weekly for all"), ("de", "Wochenbrief für alle")],
)
def test_the_starter_switches_it_on_for_everyone_in_their_games(
    table: Table, language: str, order: str
) -> None:
    """Not for other tables, and not for people who switched it off."""
    start_by_anna(table)
    table.answer(0, f"language {language}")
    table.answer(0, order)
    table.answer(2, "weekly off")
    mails = {mail.rcpt_to: mail.words for mail in send_letters(table)}
    assert sorted(mails) == ["anna@example.org", "bob@example.org"]
    reason = "Anna switched this letter on for everyone in the games they started."
    assert reason in mails["bob@example.org"]
    assert reason not in mails["anna@example.org"]


def test_other_players_switch_it_on_only_for_themselves(table: Table) -> None:
    start_by_anna(table)
    table.answer(1, "weekly all")
    assert [mail.rcpt_to for mail in send_letters(table)] == ["bob@example.org"]
