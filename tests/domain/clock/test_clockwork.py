"""Test decisions about time: banks, vacations, pauses, downtimes and gifts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.clock import clockwork, vacations
from pbem.domain.log.clock_events import (
    BankChanged,
    GamePaused,
    VacationEnded,
)
from pbem.domain.log.motion_events import VoteCast
from pbem.domain.play import acts, decide, handover, timeouts
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game, OpenDeadline
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from tests.domain.samples import GAME_ID, Story, legal_orders, started

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def running(story: Story) -> OpenDeadline:
    assert story.game.deadline is not None
    return story.game.deadline


def to_act(story: Story) -> int:
    return int(story.game.to_act[0])


def move(story: Story) -> int:
    seat = to_act(story)
    story.play(seat, legal_orders(story.game, seat)[0])
    return seat


# --- banks ----------------------------------------------------------------------------------------


def test_a_slow_move_costs_the_bank_and_a_quick_one_fills_it() -> None:
    """Time beyond the time per move is taken from the bank. Each move adds an increment, up to the bank."""
    story = started(timing=Timing(86400, bank=7200, increment=600))
    story.now = running(story).base_at + timedelta(seconds=3000)
    slow = move(story)
    assert BankChanged(slow, 7200 - 3000 + 600) in story.events
    assert story.game.seats[slow].bank_used == 2400
    while to_act(story) != slow:
        move(story)
    assert running(story).due_at == story.now + DAY + timedelta(seconds=4800)
    move(story)
    assert story.game.seats[slow].bank_used == 1800


def used(story: Story) -> list[float]:
    """Days of the bank, by seat."""
    return [seat.bank_used / 86400 for seat in story.game.seats]


def of_phase10(**timing: int) -> Story:
    return started(ruleset="phase10", timing=Timing(3 * 86400, **timing))


def draw_and_discard(decision: Decision, seat: int) -> None:
    """Two lines of one mail."""
    decide.play(decision, seat, "draw", source="mail")
    game = decision.existing()
    moves = [game.ruleset.format_move(game.state, seat, move) for move in legal(game, seat)]
    decide.play(decision, seat, next(m for m in moves if m.startswith("discard")), source="mail")
    decide.settle(decision)


def legal(game: Game, seat: int) -> Sequence[Any]:
    return game.ruleset.legal_moves(game.state, Seat(seat))


@pytest.mark.parametrize(("increment", "days"), [(0, 5.0), (86400, 4.0)])
def test_a_mail_of_two_moves_is_charged_once(increment: int, days: float) -> None:
    """Five days over: `draw` and `discard` cost them once, and bring one increment."""
    story = of_phase10(bank=10 * 86400, increment=increment)
    story.later(days=8)
    seat = to_act(story)
    story.do(draw_and_discard, seat)
    assert used(story)[seat] == days


def test_a_missed_turn_uses_the_bank_up() -> None:
    """And no increment comes of it; a secret choice never had one."""
    story = started(timing=Timing(86400, bank=10 * 86400, increment=3600, misses=0))
    seat, deadline = to_act(story), running(story)
    story.now = deadline.fires_at
    story.do(timeouts.time_out, seat, deadline.version, actor="clock")
    assert used(story)[seat] == 10
    story = started(ruleset="phalanx", timing=Timing(86400, bank=86400))
    story.now = running(story).fires_at
    story.do(timeouts.time_out, 0, running(story).version, actor="clock")
    assert used(story) == [0, 0]


# --- vacations ------------------------------------------------------------------------------------


def take(story: Story, seat: int, first: date, last: date) -> None:
    story.do(vacations.take, seat, first, last, actor=f"seat:{seat}")


def test_who_is_not_to_act_moves_nothing_now() -> None:
    """The days count when the turn comes."""
    story = started(timing=Timing(86400))
    other, today = 1 - to_act(story), story.now.date()
    take(story, other, today, today + 4 * DAY)
    assert story.names[-1] == "VacationTaken"
    while to_act(story) != other:
        move(story)
    assert running(story).due_at.date() >= today + 6 * DAY


def test_the_budget_of_days_is_kept_and_days_count_once() -> None:
    """Overlapping vacations share their days."""
    story = started(timing=Timing(86400, max_vacation=5))
    today = story.now.date()
    take(story, 0, today, today + 2 * DAY)
    take(story, 0, today + DAY, today + 4 * DAY)
    with pytest.raises(Refusal, match="0 of 5 days of vacation left"):
        take(story, 0, today + 5 * DAY, today + 5 * DAY)
    with pytest.raises(Refusal, match="told of those days"):
        take(story, 0, today, today + 4 * DAY)
    take(story, 1, today, today)


def test_coming_back_gives_the_days_back_and_takes_no_time_away() -> None:
    """The rest of the budget can be used later; the running deadline stays."""
    story = started(timing=Timing(86400, max_vacation=5))
    seat, today = to_act(story), story.now.date()
    take(story, seat, today, today + 4 * DAY)
    due_at = running(story).due_at
    story.later(days=2)
    story.do(vacations.come_back, seat, actor=f"seat:{seat}")
    assert story.events[-1] == VacationEnded(seat, (story.now.date() - DAY).isoformat())
    assert running(story).due_at == due_at
    assert len(story.game.seats[seat].vacations) == 1
    day = story.now.date() + DAY
    take(story, seat, day, day + 2 * DAY)
    with pytest.raises(Refusal, match="on no vacation"):
        story.do(vacations.come_back, 1 - seat, actor="x")


# --- pauses and votes -----------------------------------------------------------------------------


def cast(story: Story, seat: int, motion: str, *, is_for: bool = True) -> bool:
    carried: bool = story.do(clockwork.vote, seat, motion, is_for=is_for, actor=f"seat:{seat}")
    return carried


def pause(story: Story) -> None:
    story.do(clockwork.pause, "admin", actor="admin:x")


def resume(story: Story) -> None:
    story.do(clockwork.resume, "admin", actor="admin:x")


@pytest.mark.parametrize("paused", [timedelta(), HOUR, 2 * DAY])
@pytest.mark.parametrize("begins", [timedelta(), DAY + HOUR])
def test_a_pause_moves_nothing_that_a_vacation_moved(begins: timedelta, paused: timedelta) -> None:
    """A vacation moved the deadline to one of its own days: a pause then adds its own length only."""
    story = started(timing=Timing(2 * 86400, vacation_moves=3))
    first = story.now.date() + DAY
    take(story, to_act(story), first, first + 9 * DAY)
    moved_to = running(story).due_at
    assert moved_to == story.now + 5 * DAY
    story.now += begins
    pause(story)
    story.now += paused
    resume(story)
    assert running(story).due_at == moved_to + paused


def test_a_clock_that_was_set_back_leaves_no_more_than_the_time() -> None:
    """The second ply of a turn, by a clock on which its deadline has not begun yet."""
    story = started(ruleset="phase10", timing=Timing(3 * 86400))
    seat = move(story)
    assert to_act(story) == seat, "drawing comes before discarding"
    story.later(minutes=-25)
    move(story)
    assert running(story).due_at == story.now + 3 * DAY


def test_who_comes_to_a_seat_in_a_pause_has_the_whole_time() -> None:
    """This applies to takeovers, and to players who take their seat back from a bot."""
    story = started(timing=Timing(3 * 86400))
    story.later(hours=71)
    pause(story)
    seat = to_act(story)
    story.do(timeouts.replace_by_bot, seat, actor="admin:x")
    story.do(handover.take_back, seat)
    story.do(clockwork.welcome_back, seat)
    resume(story)
    assert running(story).due_at == story.now + 3 * DAY
    story.later(hours=71)
    pause(story)
    story.do(acts.replace_player, seat, "emil", "asked for", actor="admin:x")
    resume(story)
    assert running(story).due_at == story.now + 3 * DAY


# --- gaps of the service, gifts -------------------------------------------------------------------


def test_a_gap_before_the_deadline_was_set_or_after_it_fired_changes_nothing() -> None:
    """Only time that was really lost is given back."""
    story = started(timing=Timing(86400))
    deadline = running(story)
    story.do(clockwork.compensate, deadline.starts_at - DAY, deadline.starts_at, actor="clock")
    story.do(clockwork.compensate, deadline.fires_at, deadline.fires_at + DAY, actor="clock")
    assert "ClockCompensated" not in story.names


def test_what_moves_a_deadline_keeps_to_the_days_and_hours_of_the_game() -> None:
    """Neither a gap nor a gift puts it on a weekend or into the night; reminders stay out of it, too."""
    story = started(timing=Timing(86400, weekends_off=True, quiet=(22, 8), reminders=(90,)))
    before = running(story)
    for step in range(1, 9):
        if step % 2:
            begin = running(story).due_at - timedelta(hours=9)
            story.do(clockwork.compensate, begin, begin + 7 * HOUR, actor="clock")
        else:
            story.do(clockwork.grant, DAY, "admin", actor="admin:x")
        now = running(story)
        assert now.due_at > before.due_at
        assert now.due_at.weekday() < 5
        for at in (now.due_at, *now.reminders):
            assert 8 <= at.hour < 22
        before = now


def test_what_a_decision_had_is_not_lost_by_what_others_do() -> None:
    """Ten extra days remain when another player leaves, or after the first of two plies."""
    story = started(3, timing=Timing(3 * 86400, bank=86400))
    seat, given = to_act(story), running(story).due_at + 10 * DAY
    story.do(clockwork.grant, 10 * DAY, "courtesy", actor="seat:1")
    story.later(hours=1)
    story.do(leave, next(n for n in range(3) if n != seat), actor="seat:1")
    assert to_act(story) == seat
    assert running(story).due_at == given
    assert running(story).starts_at == story.now
    story.later(days=13, hours=11)
    story.do(decide.settle)
    assert used(story)[seat] == 0.5
    assert running(story).due_at == story.now + 3 * DAY + 12 * HOUR
    story = of_phase10()
    given = running(story).due_at + 10 * DAY
    story.do(clockwork.grant, 10 * DAY, "courtesy", actor="seat:1")
    story.play(to_act(story), "draw")
    assert running(story).due_at == given


def leave(decision: Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)


def test_a_replay_gives_everything_that_time_can_do() -> None:
    story = started(3, timing=Timing(86400, bank=600, quiet=(22, 8)))
    today = story.now.date()
    take(story, 0, today + DAY, today + 2 * DAY)
    story.later(hours=30)
    move(story)
    story.do(clockwork.compensate, story.now, story.now + timedelta(hours=1), actor="clock")
    cast(story, 1, "pause")
    assert fold(story.recorded, GAME_ID) == story.game
    story.do(clockwork.pause, "dispute", "why", actor="admin:x")
    assert fold(story.recorded, GAME_ID) == story.game


def test_more_than_half_carry_a_motion() -> None:
    """Two of three; a vote can be changed, but not cast twice."""
    story = started(3)
    assert not cast(story, 0, "pause")
    with pytest.raises(Refusal, match="voted so already"):
        cast(story, 0, "pause")
    assert not cast(story, 1, "pause", is_for=False)
    assert cast(story, 1, "pause")
    assert story.events[-2:] == [VoteCast(1, "pause", is_for=True), GamePaused("vote", "")]
    with pytest.raises(Refusal, match="is stopped already"):
        cast(story, 2, "pause")
    assert not cast(story, 2, "resume")
    assert cast(story, 0, "resume")
    assert story.game.paused_at is None
    assert story.game.votes == {}


def test_a_gift_of_time() -> None:
    """An opponent may give some, within reason; an admin more."""
    story = started(timing=Timing(86400))
    before = running(story)
    story.do(clockwork.grant, 2 * DAY, "courtesy", actor="seat:1")
    assert running(story).due_at == before.due_at + 2 * DAY
    with pytest.raises(Refusal, match="at most 14 days"):
        story.do(clockwork.grant, 15 * DAY, "courtesy", actor="seat:1")
    story.do(clockwork.grant, 30 * DAY, "admin", actor="admin:x")
    assert running(story).due_at == before.due_at + 32 * DAY
