"""Test votes to remove an absent player, which are impossible against a slow player."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.log.motion_events import MotionEnded
from pbem.domain.log.seat_events import SeatRemoved
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.sections import OnTimeout
from tests.service.conftest import NAMES, Table
from tests.service.votes.test_end import verified


def silent(table: Table, game: Game, gone: int, days: float) -> Game:
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
    silent(table, game, gone, 2.5)
    assert "Nobody is removed for being slow" in table.ask(first, f"drop player {name}").words
    assert table.game(game.id).motions == ()
    silent(table, game, gone, 6)
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
    silent(table, game, gone, 5)
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
    silent(table, game, gone, 5)
    table.answer(1 - gone, f"drop player {NAMES[gone]}")
    over = table.game(game.id)
    assert over.status == "finished"
    assert over.finished.ranking[0] == (1 - gone,)
    assert "voted to go on without you" in table.last_to(gone).words
    assert verified(table, over)


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
    silent(table, game, gone, 5)
    first = next(seat for seat in range(3) if seat != gone)
    assert said in table.ask(first, f"drop player {NAMES[gone]}").words
    assert table.game(game.id).seats[gone].status == "joined"
