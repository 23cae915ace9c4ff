"""Test votes to end a game, and to remove an absent player."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.log.motion_events import MotionEnded, VoteCast
from pbem.domain.log.seat_events import SeatRemoved
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.sections import OnTimeout
from pbem.service.admin import acts, clock_acts
from pbem.service.logbook.verify import verify_file
from pbem.service.votes.motion_orders import MAX_CHANGES
from tests.service.conftest import NAMES, Table


def is_verified(table: Table, game: Game) -> bool:
    """True if the export of the game is complete and verifies."""
    return verify_file(table.export(game.id)).complete


@pytest.mark.rule("GEN-8")
def test_all_agree(table: Table) -> None:
    """The last yes ends the game, with the score for stopping."""
    game = table.started(3, ruleset="phalanx")
    for _ in range(8):
        seat = table.move(table.game(game.id))
    asker = int(table.game(game.id).to_act[0])
    others = [seat for seat in range(3) if seat != asker]
    table.answer_twice(asker, "end game")
    assert "All others who play are asked" in table.last_to(asker).words
    for seat in others:
        asked = table.last_to(seat).words
        assert "asks to end the game here" in asked
        assert "All who play have to agree." in asked
        assert table.game(game.id).status == "running"
        table.answer_twice(seat, "yes")
    over = table.game(game.id)
    assert over.status == "finished"
    assert over.finished.reason == "stopped"
    assert over.finished.ranking == game.ruleset.outcome(over.state).ranking
    for seat in range(3):
        assert "You all agreed to end the game here;" in table.last_to(seat).words
    assert is_verified(table, over)


def test_one_no_is_enough_and_the_game_goes_on(table: Table, trio: Game) -> None:
    """The next move does not end the question, but a no does."""
    table.answer_twice(0, "End the game")
    table.move(table.game(trio.id))
    assert [motion.kind for motion in table.game(trio.id).motions] == ["end"]
    table.answer_twice(1, "yes end")
    assert table.game(trio.id).status == "running"
    table.answer(2, "no")
    assert table.game(trio.id).motions == ()
    assert "was not agreed on" in table.last_to(0).words
    table.answer_twice(1, "end game")
    assert [motion.seat for motion in table.game(trio.id).motions] == [1]
    assert table.game(trio.id).status == "running"


def test_nobody_ends_a_game_alone_while_bots_sit_in(table: Table, game: Game) -> None:
    """Otherwise the leader could end the game of a late player."""
    acts.carry_out(table.service, game.id, clock_acts.hand_to_bot, 1, "He is away.")
    table.answer(0, "end game")
    assert any("they are all away" in mail.words for mail in table.mails_to(0))
    assert table.game(game.id).motions == ()


@pytest.mark.rule("GEN-6")
def test_a_secret_choice_is_not_cut_short(table: Table) -> None:
    """A game cannot be ended while seats choose."""
    game = table.started(2, ruleset="cathedral")
    assert game.is_choosing
    assert "Ask again once the choices are turned up." in table.ask(0, "end game").words
    assert table.game(game.id).motions == ()


def test_a_move_that_wins_meanwhile_ends_the_question(table: Table) -> None:
    """A vote on a finished game has no effect."""
    game = table.started(2, max_plies=2)
    table.answer_twice(0, "end game")
    for _ in range(2):
        table.move(table.game(game.id))
    over = table.game(game.id)
    assert (over.status, over.motions) == ("finished", ())
    table.answer(1, "yes")
    assert [e for e in table.log(game) if isinstance(e.event, MotionEnded)] == []


# --- what a forged mail can do ---------------------------------------------------------------------


def test_a_yes_counts_for_the_request_that_it_answered(table: Table, trio: Game) -> None:
    """A yes to an earlier request does not count for a later one."""
    table.answer_twice(0, "end game")
    table.answer(1, "yes")
    question = table.question(1)
    table.answer(2, "no")
    table.answer_twice(2, "end game")
    table.answer(1, "yes", to=question.reply_to)
    assert 1 not in table.game(trio.id).votes.get("end", {})
    assert "was asked anew" in table.last_to(1).words


def test_a_vote_is_changed_a_few_times_a_day(table: Table, trio: Game) -> None:
    """The answers say how many changes are left."""
    to = table.last_to(0).reply_to
    before = len(table.mails_to(1))
    for number in range(20):
        table.answer(0, "no pause" if number % 2 else "pause", to=to)
        if number == 1:
            assert "change this vote 2 more times today" in table.last_to(0).words
    assert "Try again tomorrow" in " ".join(m.words for m in table.mails_to(0))
    assert len(table.mails_to(1)) - before <= MAX_CHANGES + 1
    cast = [item for item in table.log(trio) if isinstance(item.event, VoteCast)]
    assert len(cast) == MAX_CHANGES + 1
    table.clock.forward(hours=25)
    table.answer(0, "pause", to=to)
    assert table.game(trio.id).votes["pause"][0]


@pytest.mark.usefixtures("trio")
def test_a_request_is_withdrawn_and_asked_again_a_few_times_a_day(table: Table) -> None:
    """Each request is mailed to all players."""
    to = table.last_to(0).reply_to
    before = len(table.mails_to(1))
    for number in range(20):
        table.answer(0, "no tempo" if number % 2 else "tempo 5d", to=to)
    assert len(table.mails_to(1)) - before <= MAX_CHANGES + 1


def test_a_forged_yes_ends_no_game(table: Table, game: Game) -> None:
    """The registered address is asked, and the question describes the effect."""
    table.answer_twice(0, "end game")
    table.answer(1, "yes")
    assert table.game(game.id).status == "running"
    question = table.question(1)
    assert f"End the game of Phyliss [{game.id}] here?" in question.words
    table.answer(1, "yes", to=question.reply_to)
    assert table.game(game.id).status == "finished"


def let_days_pass(table: Table, game: Game, gone: int, days: float) -> Game:
    """Let days pass in which one player is silent and the others play."""
    until = table.clock.now() + timedelta(days=days)
    while table.clock.now() < until:
        now = table.game(game.id)
        if now.status != "running":
            break
        seat, order = table.standby(now)
        if seat != gone and now.seats[seat].controller == "person":
            table.answer(seat, order)
        table.wait(hours=12)
    return table.game(game.id)


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("policy", ["standby", "wait", "ask", "bot"])
def test_the_others_go_on_without_somebody_who_is_gone(table: Table, policy: OnTimeout) -> None:
    """With each timeout policy, a vote removes the silent player."""
    game, gone, _ = table.start(3, timing=Timing(86400, on_timeout=policy, misses=2))
    first, second = (seat for seat in range(3) if seat != gone)
    name = NAMES[gone]
    let_days_pass(table, game, gone, 2.5)
    assert "Nobody is removed for being slow" in table.ask(first, f"drop player {name}").words
    assert table.game(game.id).motions == ()
    let_days_pass(table, game, gone, 6)
    assert "Votes in favour: 1 of 2." in table.ask(first, f"go on without {name}").words
    assert "Any answer to a mail of this game ends that vote." in table.last_to(gone).words
    assert f"asks to go on without {name}" in table.last_to(second).words
    table.answer(second, "yes drop")
    now = table.game(game.id)
    assert now.seats[gone].status == "removed"
    assert now.status == "running"
    assert gone not in now.to_act
    assert f'"observe {game.id}" lets you watch' in table.last_to(gone).words
    assert f"go on without {name}, who is out of the game now" in table.last_to(first).words
    assert table.events(game, SeatRemoved)


@pytest.mark.rule("GEN-7")
def test_any_answer_ends_the_vote_and_keeps_the_seat(table: Table) -> None:
    """A message without a move is enough."""
    game, gone, _ = table.start(3, timing=Timing(86400, on_timeout="wait"))
    first, second = (seat for seat in range(3) if seat != gone)
    let_days_pass(table, game, gone, 5)
    table.answer(first, f"drop player {NAMES[gone]}")
    table.answer(gone, "board")
    assert table.game(game.id).motions == ()
    assert table.events(game, MotionEnded) == [MotionEnded("drop", None, "back")]
    assert "is off" in table.last_to(first).words
    assert (
        "Nobody is removed for being slow" in table.ask(second, f"drop player {NAMES[gone]}").words
    )
    assert table.game(game.id).seats[gone].status == "joined"


@pytest.mark.rule("GEN-7")
def test_of_two_the_other_one_decides_and_wins(table: Table) -> None:
    """The only remaining seat wins."""
    game, gone, _ = table.start(2, timing=Timing(86400, on_timeout="wait"))
    let_days_pass(table, game, gone, 5)
    table.answer(1 - gone, f"drop player {NAMES[gone]}")
    over = table.game(game.id)
    assert over.status == "finished"
    assert over.finished.ranking[0] == (1 - gone,)
    assert "voted to go on without you" in table.last_to(gone).words
    assert is_verified(table, over)


@pytest.mark.parametrize(
    ("timing", "said"),
    [
        (Timing(86400, on_timeout="wait", drop=0), "nobody can be voted out"),
        (Timing(86400, on_timeout="wait", drop=9), "Nobody is removed for being slow"),
        (
            Timing(86400, misses=2, excused=(4, 10)),
            "Nobody is removed for being slow",
        ),
    ],
)
def test_a_table_can_be_more_patient(table: Table, timing: Timing, said: str) -> None:
    """With another number, never, or with misses that are excused and do not count."""
    game, gone, _ = table.start(3, timing=timing)
    let_days_pass(table, game, gone, 5)
    first = next(seat for seat in range(3) if seat != gone)
    assert said in table.ask(first, f"drop player {NAMES[gone]}").words
    assert table.game(game.id).seats[gone].status == "joined"
