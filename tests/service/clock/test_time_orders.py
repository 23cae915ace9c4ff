"""Test orders about time: vacations, pauses, votes and gifts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pbem.domain.log.clock_events import (
    DeadlineExtended,
    GamePaused,
    GameResumed,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.motion_events import VoteCast
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.clock.fire_due import fire_due
from tests.service.conftest import Table

DAY = timedelta(days=1)


def join_all(table: Table, game: Game, players: int) -> Game:
    for seat in range(players):
        mail = next(m for m in table.mails_to(seat)[::-1] if "invites you" in m.words)
        table.answer(seat, "join", to=mail.reply_to)
    return table.game(game.id)


# --- vacations ------------------------------------------------------------------------------------


def test_vacation_holds_in_all_games_and_each_has_its_budget(table: Table) -> None:
    """The answer names the games that refuse it. The other players read of it in their next message."""
    first = table.started(2, seed=1)
    second = join_all(table, table.new_game(3, seed=2), 3)
    strict = join_all(table, table.new_game(2, seed=3, timing=Timing(86400, max_vacation=2)), 2)
    seat = 0
    mail = next(m for m in table.mails_to(seat) if first.id in m.message["Subject"])
    sent = len(table.delivery.mails)
    table.answer(seat, "vacation 20 Dec to 3 Jan", to=mail.reply_to)
    taken = [VacationTaken(seat, "2026-12-20", "2027-01-03")] * 1
    assert table.events(first, VacationTaken) == []
    assert "in this game you have 14 of 14 days of vacation left" in table.last_to(seat).words
    table.answer(seat, "vacation 21 Dec to 3 Jan", to=mail.reply_to)
    taken = [VacationTaken(seat, "2026-12-21", "2027-01-03")]
    assert table.events(first, VacationTaken) == taken
    assert table.events(second, VacationTaken) == taken
    assert table.events(strict, VacationTaken) == []
    words = table.last_to(seat).words
    assert "from 21 December 2026 to 3 January 2027" in words
    assert f"This holds in Phyliss [{first.id}] and Phyliss [{second.id}]." in words
    assert f"Not in Phyliss [{strict.id}]: That would be 14 days" in words
    assert len(table.delivery.mails) == sent + 2
    other = next(m for m in table.mails_to(1) if first.id in m.message["Subject"])
    assert (
        "Anna is on vacation from 21 December 2026 to 3 January 2027"
        in table.ask(1, "board", to=other.reply_to).words
    )


def test_days_are_those_of_the_players_zone(table: Table) -> None:
    """Noon in UTC is the next day in Auckland, and the deadline takes it into account."""
    game = table.started(2)
    seat = int(table.game(game.id).to_act[0])
    table.answer(seat, "timezone Pacific/Auckland")
    table.answer(seat, "vacation 1 day")
    assert table.events(game, VacationTaken) == [VacationTaken(seat, "2026-11-22", "2026-11-22")]
    (extended,) = table.events(game, DeadlineExtended)
    assert extended.reason == "vacation"
    assert "because of the vacation" in table.last_to(seat).words


def test_no_deadline_fires_during_a_vacation(table: Table) -> None:
    """This includes its last day. The time runs on afterwards."""
    game = table.started(2)
    seat = 1 - int(table.game(game.id).to_act[0])
    table.answer(seat, "vacation 21 Nov to 4 Dec")
    table.move(table.game(game.id))
    deadline = table.deadline(game)
    assert deadline.due_at.astimezone().date() >= date(2026, 12, 7)
    table.clock.instant = deadline.due_at
    fire_due(table.service)
    assert int(table.game(game.id).to_act[0]) == seat


def test_a_vacation_that_covers_its_days_in_part_says_when_the_turn_runs_out(table: Table) -> None:
    """The answer names the time, the reason and what the player can do, and so does the next mail."""
    game = table.started(2, timing=Timing(2 * 86400, vacation_moves=3))
    seat = int(table.game(game.id).to_act[0])
    table.answer(seat, "vacation 21 Nov to 28 Nov")
    assert table.deadline(game).due_at.date() == date(2026, 11, 26)
    words = table.last_to(seat).words
    assert "Your turn in Phyliss" in words
    assert "can move it by 3 days at most" in words
    assert "it runs out on Thursday, 26 November" in words
    assert '"extend 2d"' in words
    assert "it was running before you announced the vacation" in table.ask(seat, "resend").words


def test_back_ends_it_and_the_bare_address_does_as_well(table: Table) -> None:
    """Without a game in the address it holds for all games, too."""
    game = table.started(2)
    table.answer(0, "vacation 2 Dec to 5 Dec", to=table.service.own_address)
    table.answer(0, "yes")  # From alone proves nothing
    assert table.events(game, VacationTaken) == [VacationTaken(0, "2026-12-02", "2026-12-05")]
    assert table.outbox()[-1].kind == "noted"
    assert f"This holds in Phyliss [{game.id}]." in table.last_to(0).words
    table.clock.forward(hours=2)  # such mails are asked about once an hour
    table.answer(0, "back", to=table.service.own_address)
    table.answer(0, "yes")
    assert len(table.events(game, VacationEnded)) == 1
    assert table.game(game.id).seats[0].vacations == ()
    table.clock.forward(hours=2)
    table.answer(0, "back", to=table.service.own_address)
    assert "You are on no vacation" in table.ask(0, "yes").words
    assert len(table.events(game, VacationEnded)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vacation", "Please say from which day to which one."),
        ("vacation 31 Feb", "Please say from which day to which one."),
        ("vacation 2026-12-24 to 2026-12-20", "The last day of a vacation comes before the first."),
        ("vacation 1.1.2020-3.1.2020", "Those days are over already."),
    ],
)
def test_vacations_that_cannot_be(table: Table, text: str, said: str) -> None:
    game = table.started(2)
    assert said in table.ask(0, text).words
    assert table.events(game, VacationTaken) == []


# --- pauses ---------------------------------------------------------------------------------------


def test_pause_by_vote_and_resume_with_the_time_that_was_left(table: Table) -> None:
    """Players who have not voted are asked by mail. A majority decides, and the pause stops the clock."""
    game = table.started(3)
    proposer = 0
    rows = len(table.outbox())
    table.answer(proposer, "pause")
    asked = {row.seat for row in table.outbox()[rows:] if row.kind == "notice"}
    assert asked == {1, 2}
    words = table.last_to(1).words
    assert "Anna asks for a pause" in words
    assert 'Reply with "yes" or "no"' in words
    assert "Votes in favour: 1 of 3." in table.last_to(0).words
    table.clock.forward(days=1)
    table.answer(1, "yes")
    assert [event.by for event in table.events(game, GamePaused)] == ["vote"]
    assert "The clock of this game is stopped" in table.last_to(2).words
    assert "was stopped by a vote" in table.last_to(2).words
    table.wait(days=30)
    assert table.game(game.id).to_act == game.to_act
    table.answer(2, "resume")
    table.answer(1, "yes")
    assert len(table.events(game, GameResumed)) == 1
    assert table.deadline(game).due_at == table.clock.now() + 2 * DAY
    assert len(table.events(game, VoteCast)) == 4


def test_a_yes_is_none_to_what_its_mail_has_not_shown(table: Table) -> None:
    """A yes to an earlier question does not count for a later one, which is asked again."""
    game = table.started(3)
    table.answer(0, "tempo 6d")
    tempo = table.last_to(1).reply_to
    table.answer(2, "yes tempo")
    table.answer(2, "pause")
    for word in ("yes", "no"):
        table.answer(1, word, to=tempo)
        assert table.game(game.id).votes == {"pause": {2: True}}
        assert "was sent before that was asked" in table.last_to(1).words
    table.answer(1, "yes")
    assert len(table.events(game, GamePaused)) == 1


# --- gifts ----------------------------------------------------------------------------------------


def test_an_opponent_gives_time(table: Table) -> None:
    """The gift has a limit, is not for oneself, and its receiver is notified at once."""
    game = table.started(2)
    seat = int(table.game(game.id).to_act[0])
    before = game.deadline.due_at  # type: ignore[union-attr]
    assert "You can give time to the others, not to yourself" in table.ask(seat, "extend 2d").words
    table.answer(1 - seat, "extend 2 days")
    assert table.deadline(game).due_at == before + 2 * DAY
    assert "An opponent gave more time to answer" in table.last_to(seat).words
    for _ in range(5):
        table.answer(1 - seat, "extend 5d")
    assert "You can add at most 14 days" in table.last_to(1 - seat).words
    assert len(table.events(game, DeadlineExtended)) == 3
