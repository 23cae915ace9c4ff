"""Test the weekly letter: off by default, on Sunday evening, with public facts only."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.service.lobby import making as lobby
from tests.service.conftest import NAMES, Sent, Table

SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)


def letters(table: Table) -> list[Sent]:
    return [
        mail
        for mail in table.delivery.mails
        if mail.message["Subject"] in ("Your week at the card tables", "Deine Woche am Kartentisch")
    ]


def on(table: Table, *, by_admin: bool = True) -> None:
    """Switch the weekly letter on for all players."""
    config = table.service.config
    section = config.service.model_copy(update={"weekly_letter": by_admin})
    table.service = replace(table.service, config=config.model_copy(update={"service": section}))


def started_by_anna(table: Table) -> None:
    """Start a game of three people that Anna created."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss", invited_by="Anna"))
    table.run()
    table.answer(1, "join")
    table.answer(2, "join")


def test_it_is_off_by_default(table: Table) -> None:
    table.started(2)
    table.clock.instant = SUNDAY
    table.run()
    assert letters(table) == []


def test_an_admin_switches_it_on_and_a_player_off(table: Table) -> None:
    on(table)
    table.started(2)
    table.answer(1, "weekly off")
    table.clock.instant = SUNDAY.replace(hour=17, minute=59)
    table.run()
    assert letters(table) == []
    table.clock.instant = SUNDAY
    table.run()
    table.run()
    (mail,) = letters(table)
    assert mail.rcpt_to == "anna@example.org"
    assert '"weekly off"' in mail.words


def test_a_player_switches_it_on_in_their_language(table: Table) -> None:
    table.started(2)
    table.answer(0, "language de")
    table.answer(0, "wochenbrief an")
    assert "sonntags abends einen Brief" in table.last_to(0).words
    table.clock.instant = SUNDAY
    table.run()
    (mail,) = letters(table)
    assert "Am längsten" in mail.words


def test_it_tells_who_won_the_longest_game_and_the_boldest_hand_of_god(table: Table) -> None:
    on(table)
    game = table.started(2, ruleset="phyliss")
    table.clock.forward(hours=1)
    table.answer(int(game.to_act[0]), "god")
    game = table.skip(game, 400)
    assert game.is_over
    other = table.started(2, seed=2, ruleset="phyliss")
    table.clock.instant = SUNDAY
    table.run()
    winner = ("Anna", "Bob")[game.finished.ranking[0][0]]  # type: ignore[union-attr]
    mails = letters(table)
    assert len(mails) == 2
    for mail in mails:
        assert f"Phyliss with Anna and Bob: {winner} won." in mail.words
        assert "The longest game: Phyliss with Anna and Bob," in mail.words
        assert "The boldest hand of god:" in mail.words
        assert other.id not in mail.words


def test_the_next_letter_tells_only_of_its_own_week(table: Table) -> None:
    on(table)
    game = table.started(2, ruleset="phyliss")
    table.clock.forward(hours=1)
    game = table.skip(game, 400)
    assert game.is_over
    table.clock.instant = SUNDAY
    table.run()
    assert "won." in letters(table)[0].words
    count = len(letters(table))
    table.clock.instant = SUNDAY.replace(day=29)
    table.run()
    assert len(letters(table)) == count


def test_it_tells_whose_turn_is_oldest(table: Table) -> None:
    on(table)
    game = table.started(2)
    mover = int(game.to_act[0])
    table.clock.instant = SUNDAY
    table.run()
    own, other = (
        next(mail for mail in letters(table) if mail.rcpt_to.startswith(name))
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
    started_by_anna(table)
    table.answer(0, f"language {language}")
    table.answer(0, order)
    table.answer(2, "weekly off")
    table.clock.instant = SUNDAY
    table.run()
    mails = {mail.rcpt_to: mail.words for mail in letters(table)}
    assert sorted(mails) == ["anna@example.org", "bob@example.org"]
    reason = "Anna switched this letter on for everyone in the games they started."
    assert reason in mails["bob@example.org"]
    assert reason not in mails["anna@example.org"]


def test_other_players_switch_it_on_only_for_themselves(table: Table) -> None:
    started_by_anna(table)
    table.answer(1, "weekly all")
    table.clock.instant = SUNDAY
    table.run()
    assert [mail.rcpt_to for mail in letters(table)] == ["bob@example.org"]
