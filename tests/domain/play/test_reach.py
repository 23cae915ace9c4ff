"""Test the clock and the events of a player who cannot be reached by mail."""

from __future__ import annotations

import pytest

from pbem.domain.clock import clockwork
from pbem.domain.log.clock_events import DeadlineExtended
from pbem.domain.log.seat_events import PlayerReachable, PlayerUnreachable
from pbem.domain.play import timeouts
from pbem.domain.table.fold import objection
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from tests.domain.samples import Story, started


def lose(story: Story, seat: int) -> None:
    story.do(clockwork.lose_contact, seat, "bounces", actor="system")


def time_out(story: Story, seat: int) -> None:
    game = story.game
    assert game.deadline is not None
    story.now = game.deadline.due_at
    story.do(timeouts.time_out, seat, game.deadline.version, actor="clock")


@pytest.fixture
def waiting() -> Story:
    return started(timing=Timing(86400, unreachable="wait"))


def test_it_is_said_once_and_the_position_stays() -> None:
    """Everybody may read it; nobody's list or token gets stale; nothing happens twice."""
    story = started()
    before = story.game
    lose(story, 0)
    lose(story, 0)
    assert story.events[-1] == PlayerUnreachable(0, "bounces")
    assert story.names.count("PlayerUnreachable") == 1
    assert story.game.position == before.position
    assert [seat.decision for seat in story.game.seats] == [s.decision for s in before.seats]
    assert [fact.kind for fact in story.game.news_for(1, before.version)] == ["unreachable"]
    story.do(clockwork.restore_contact, 0, actor="system")
    story.do(clockwork.restore_contact, 0, actor="system")
    assert story.events[-1] == PlayerReachable(0)
    assert story.names.count("PlayerReachable") == 1


def test_the_clock_runs_on_unless_the_game_says_otherwise() -> None:
    """The default: the others are not made to wait; the standby move is played."""
    story = started()
    seat = int(story.game.to_act[0])
    lose(story, seat)
    time_out(story, seat)
    assert "TurnTimedOut" in story.names


def test_a_waiting_clock_does_not_fire_and_starts_anew(waiting: Story) -> None:
    """The whole time per move is there again once the player has written."""
    seat = int(waiting.game.to_act[0])
    lose(waiting, seat)
    with pytest.raises(Refusal, match="not due"):
        time_out(waiting, seat)
    waiting.later(days=9)
    waiting.do(clockwork.restore_contact, seat, actor="system")
    extended = waiting.events[-1]
    assert isinstance(extended, DeadlineExtended)
    assert extended.reason == "reachable"
    assert (extended.due_at - waiting.now).total_seconds() == 86400
    time_out(waiting, seat)
    assert "TurnTimedOut" in waiting.names


def test_who_comes_back_while_the_clock_stands_still_has_all_the_time_after_it(
    waiting: Story,
) -> None:
    """However little was left when the game was paused."""
    seat = int(waiting.game.to_act[0])
    lose(waiting, seat)
    waiting.later(days=9)
    waiting.do(clockwork.pause, "admin", actor="admin:x")
    waiting.later(days=2)
    waiting.do(clockwork.restore_contact, seat, actor="system")
    assert not waiting.game.seats[seat].is_unreachable
    waiting.later(days=3)
    waiting.do(clockwork.resume, "admin", actor="admin:x")
    assert waiting.game.deadline is not None
    assert (waiting.game.deadline.due_at - waiting.now).total_seconds() == 86400


def test_a_log_that_says_it_twice_is_wrong() -> None:
    """Neither a second loss nor a return without one can follow, nor one of nobody."""
    story = started()
    game: Game = story.game
    assert objection(game, PlayerReachable(0)) is not None
    assert objection(game, PlayerUnreachable(9, "bounces")) is not None
    lose(story, 0)
    assert objection(story.game, PlayerUnreachable(0, "bounces")) is not None
    assert objection(story.game, PlayerReachable(0)) is None
