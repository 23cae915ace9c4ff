"""Test orders about time, and the texts about base time, bank and deadlines."""

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
from pbem.mail_out.times import short_text
from pbem.service.clock.fire_due import fire_due
from pbem.service.evidence import auditing
from tests.service.conftest import NAMES, Table, configured

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


def test_days_are_those_of_the_players_zone(table: Table, game: Game) -> None:
    """Noon in UTC is the next day in Auckland, and the deadline takes it into account."""
    seat = int(table.game(game.id).to_act[0])
    table.answer(seat, "timezone Pacific/Auckland")
    table.answer(seat, "vacation 1 day")
    assert table.events(game, VacationTaken) == [VacationTaken(seat, "2026-11-22", "2026-11-22")]
    (extended,) = table.events(game, DeadlineExtended)
    assert extended.reason == "vacation"
    assert "because of the vacation" in table.last_to(seat).words


def test_no_deadline_fires_during_a_vacation(table: Table, game: Game) -> None:
    """This includes its last day. The time runs on afterwards."""
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


def test_back_ends_it_and_the_bare_address_does_as_well(table: Table, game: Game) -> None:
    """Without a game in the address it holds for all games, too."""
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
def test_vacations_that_cannot_be(table: Table, game: Game, text: str, said: str) -> None:
    assert said in table.ask(0, text).words
    assert table.events(game, VacationTaken) == []


# --- pauses ---------------------------------------------------------------------------------------


def test_pause_by_vote_and_resume_with_the_time_that_was_left(table: Table, trio: Game) -> None:
    """Players who have not voted are asked by mail. A majority decides, and the pause stops the clock."""
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
    assert [event.by for event in table.events(trio, GamePaused)] == ["vote"]
    assert "The clock of this game is stopped" in table.last_to(2).words
    assert "was stopped by a vote" in table.last_to(2).words
    table.wait(days=30)
    assert table.game(trio.id).to_act == trio.to_act
    table.answer(2, "resume")
    table.answer(1, "yes")
    assert len(table.events(trio, GameResumed)) == 1
    assert table.deadline(trio).due_at == table.clock.now() + 2 * DAY
    assert len(table.events(trio, VoteCast)) == 4


def test_a_yes_is_none_to_what_its_mail_has_not_shown(table: Table, trio: Game) -> None:
    """A yes to an earlier question does not count for a later one, which is asked again."""
    table.answer(0, "tempo 6d")
    tempo = table.last_to(1).reply_to
    table.answer(2, "yes tempo")
    table.answer(2, "pause")
    for word in ("yes", "no"):
        table.answer(1, word, to=tempo)
        assert table.game(trio.id).votes == {"pause": {2: True}}
        assert "was sent before that was asked" in table.last_to(1).words
    table.answer(1, "yes")
    assert len(table.events(trio, GamePaused)) == 1


# --- gifts ----------------------------------------------------------------------------------------


def test_an_opponent_gives_time(table: Table, game: Game) -> None:
    """The gift has a limit, is not for oneself, and its receiver is notified at once."""
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


HOUR = 3600
BERLIN = "Europe/Berlin"


def start_timed(table: Table, **timing: object) -> tuple[Game, int, int]:
    """A game of two with this clock: it, the seat to act, and the other."""
    table.service = configured(table.service, idle_answers_per_hour=100)
    game = table.started(2, timing=Timing(86400, **timing))  # type: ignore[arg-type]
    first = int(game.to_act[0])
    return game, first, 1 - first


def test_a_mail_tells_base_time_bank_and_what_is_safe(table: Table) -> None:
    """Both players read when the move is due and how much time the bank contains."""
    game, mover, other = start_timed(table, bank=5 * HOUR)
    deadline = game.deadline
    base = short_text(deadline.base_at, BERLIN)
    assert deadline.due_at - deadline.base_at == timedelta(hours=5)
    said = f"Answer by {base}, in 24 hours. After that your time bank of 5 h runs."
    assert said in table.last_to(mover).words
    seen = f"{NAMES[mover]} has until {base}. After that the time bank of {NAMES[mover]} runs, 5 h."
    assert seen in table.last_to(other).words
    for order, said in (("board", "time bank of 5 h"), ("games", "5 hours left")):
        assert said in table.ask(mover, order).words, order
    assert f"In game {game.id} your time bank holds 5 hours." in table.ask(mover, "settings").words


def test_the_mail_while_the_bank_runs_and_once_it_is_empty(table: Table) -> None:
    """After the base time, messages say that the bank runs or is used up."""
    game, mover, other = start_timed(table, bank=5 * HOUR, misses=0)
    latest = short_text(game.deadline.due_at, BERLIN)
    table.clock.forward(hours=27)
    table.answer(mover, "board")
    said = f"Your time for this move is over. Your time bank runs until {latest} at the latest."
    assert said in table.last_to(mover).words
    table.answer(other, "board")
    said = f"The time bank of {NAMES[mover]} runs until {latest} at the latest."
    assert said in table.last_to(other).words
    table.answer(mover, table.standby(game)[1])
    used = "used 3 hours of the time bank and has 2 hours left."
    assert f"{NAMES[mover]} {used}" in table.last_to(other).words
    assert (
        "You used 3 hours of your time bank and have 2 hours left."
        in table.ask(mover, "history").words
    )
    table.answer(other, table.standby(table.game(game.id))[1])
    table.wait(days=2)
    table.answer(other, table.standby(table.game(game.id))[1])
    assert "Your time bank is used up." in table.last_to(mover).words
    words = [entry.words for entry in auditing.audit(table.service, game.id).entries]
    assert f"The time bank of {NAMES[mover]}: 2 hours left." in words
    assert f"The time bank of {NAMES[mover]}: used up." in words
