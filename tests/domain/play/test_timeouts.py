"""Test missed deadlines."""

from __future__ import annotations

import pytest

from engine.api import Seat
from pbem.domain.clock import clockwork
from pbem.domain.log.clock_events import AdminAsked, TurnTimedOut
from pbem.domain.log.events import Hidden, MovePlayed
from pbem.domain.log.seat_events import SeatControllerChanged, SeatRemoved
from pbem.domain.play import timeouts
from pbem.domain.play.decide import settle
from pbem.domain.table.decision import Decision
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from pbem.service.notify.mailings import kind_for
from tests.domain.samples import Story, legal_orders, started


def silence(story: Story) -> int:
    """Let the running deadline pass; gives whose it was."""
    deadline = story.game.deadline
    assert deadline is not None
    seat = int(story.game.to_act[0])
    story.now = deadline.fires_at
    story.do(timeouts.time_out, seat, deadline.version, actor="clock")
    return seat


def answer(story: Story) -> int:
    seat = int(story.game.to_act[0])
    story.play(seat, legal_orders(story.game, seat)[0])
    return seat


def test_a_move_of_its_own_ends_the_row_of_misses() -> None:
    """Only silence counts; any decision of the player, an explicit pass too, is one."""
    story = started(timing=Timing(86400, misses=2))
    silent = silence(story)
    assert story.game.seats[silent].misses == 1
    while int(story.game.to_act[0]) != silent:
        answer(story)
    answer(story)
    assert story.game.seats[silent].misses == 0


def silent_turns(story: Story, silent: int, number: int) -> None:
    """Let a seat miss so many turns in a row, while the others play."""
    missed = sum(isinstance(event, TurnTimedOut) for event in story.events) + number
    while sum(isinstance(event, TurnTimedOut) for event in story.events) < missed:
        if int(story.game.to_act[0]) == silent:
            silence(story)
        else:
            answer(story)


@pytest.mark.rule("GEN-7")
def test_an_excused_miss_is_played_for_and_does_not_count() -> None:
    """Two are excused, and the third and fourth in a row bring the bot."""
    story = started(timing=Timing(86400, misses=2, excused=(2, 10)))
    silent = silence(story)
    assert story.game.seats[silent].misses == 0
    assert any(isinstance(event, MovePlayed) for event in story.events)
    assert facts(story, "miss_excused") == [{"left": 1, "of": 2, "moves": 10}]
    silent_turns(story, silent, 2)
    assert story.game.seats[silent].misses == 1
    assert story.game.seats[silent].controller == "person"
    silent_turns(story, silent, 1)
    assert story.game.seats[silent].controller == "bot"
    assert len(facts(story, "miss_excused")) == 2


def test_an_excused_miss_is_told_to_its_player_alone() -> None:
    """The others need not know how much patience is left."""
    story = started(timing=Timing(86400, excused=(1, 10)))
    silent = silence(story)
    (told,) = [news.fact for news in story.game.news if news.fact.kind == "miss_excused"]
    assert (told.seat, told.audience) == (silent, silent)


def test_a_miss_is_excused_again_after_so_many_turns_that_were_played() -> None:
    """`1 per 2 moves`: two turns of one's own later; turns that were missed do not count."""
    story = started(ruleset="phase10", timing=Timing(86400, misses=0, excused=(1, 2)))
    silent = silence(story)
    silent_turns(story, silent, 1)
    assert story.game.seats[silent].misses == 1
    for _ in range(2):
        while int(story.game.to_act[0]) != silent:
            answer(story)
        while int(story.game.to_act[0]) == silent:  # draw, and discard: one turn
            answer(story)
        assert story.game.seats[silent].excused == ((1,) if _ == 0 else ())
    silent_turns(story, silent, 1)
    assert story.game.seats[silent].misses == 0


def facts(story: Story, kind: str) -> list[object]:
    return [news.fact.data for news in story.game.news if news.fact.kind == kind]


def standby(story: Story, seat: int) -> str:
    rules, state = story.game.ruleset, story.game.state
    return rules.format_move(state, Seat(seat), rules.standby_move(state, Seat(seat)))


def test_a_deadline_that_is_over_never_fires() -> None:
    """Only the running one is named by its version; a look that came late changes nothing."""
    story = started(timing=Timing(86400, misses=0))
    first = story.game.deadline
    assert first is not None
    seat = answer(story)
    answer(story)
    assert int(story.game.to_act[0]) == seat
    assert story.game.deadline is not None
    story.now = story.game.deadline.fires_at
    before = story.game.version
    with pytest.raises(Refusal, match="settled already"):
        story.do(timeouts.time_out, seat, first.version, actor="clock")
    assert story.game.version == before
    story.do(timeouts.time_out, seat, story.game.deadline.version, actor="clock")
    assert "TurnTimedOut" in story.names


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("ruleset", ["phyliss", "phalanx"])
def test_policy_bot_ends_a_game_of_sleepers(ruleset: str) -> None:
    """A bot plays each silent turn while a person plays. Then the rules of silence apply."""
    story = started(2, ruleset=ruleset, timing=Timing(86400, on_timeout="bot"))
    for _ in range(400):
        game = story.game
        if game.is_over:
            break
        seat = int(game.to_act[0])
        if game.seats[seat].controller == "bot":
            story.play(seat, legal_orders(game, seat)[0], source="bot")
        else:
            silence(story)
            new = story.events[game.version :]
            assert any(isinstance(e, MovePlayed | Hidden | SeatControllerChanged) for e in new)
    assert story.game.is_over
    whose = [e.why for e in story.events if isinstance(e, SeatControllerChanged)]
    assert whose == ["timeout", "asleep"]


def test_policy_ask_asks_once_and_waits() -> None:
    """The admin decides; nothing is played."""
    story = started(timing=Timing(86400, on_timeout="ask"))
    seat, deadline = silence(story), story.game.deadline
    assert deadline is not None
    silence(story)
    assert story.events.count(AdminAsked(seat, deadline.version)) == 1
    assert not any(isinstance(event, TurnTimedOut) for event in story.events)


@pytest.mark.rule("GEN-6")
def test_policy_ask_tells_nobody_who_has_chosen() -> None:
    """Amid a secret choice only who is silent reads that the admin was asked about them."""
    story = started(3, ruleset="phalanx", timing=Timing(86400, on_timeout="ask"))
    story.later(days=2)
    assert story.game.deadline is not None
    story.do(timeouts.time_out, 1, story.game.deadline.version, actor="clock")
    told = [news.fact for news in story.game.news if news.fact.kind == "admin_asked"]
    assert [(fact.seat, fact.audience) for fact in told] == [(1, 1)]
    happened = [event for event in story.events if isinstance(event, AdminAsked)]
    kinds = [kind_for(story.game, happened, seat, story.game.position) for seat in range(3)]
    assert [kind and kind.name for kind in kinds] == [None, "notice", None]


@pytest.mark.rule("GEN-7")
def test_policy_forfeit_takes_the_seat_out() -> None:
    """As a resignation does; with two players that ends the game."""
    story = started(timing=Timing(86400, on_timeout="forfeit"))
    seat = silence(story)
    assert SeatRemoved(seat, "silent") in story.events
    assert story.game.is_over


def test_nothing_fires_while_the_clock_stands_still() -> None:
    """Nor within the grace."""
    story = started(timing=Timing(86400, grace=600))
    deadline = story.game.deadline
    assert deadline is not None
    seat = int(story.game.to_act[0])
    story.now = deadline.due_at
    with pytest.raises(Refusal, match="not due"):
        story.do(timeouts.time_out, seat, deadline.version, actor="clock")
    story.do(clockwork.pause, "admin", actor="admin:x")
    with pytest.raises(Refusal, match="not due"):
        silence(story)


def test_an_admin_may_seat_a_bot() -> None:
    """Once; not on a seat that was left."""

    def seat_bot(decision: Decision, seat: int) -> None:
        timeouts.replace_by_bot(decision, seat)
        settle(decision)

    story = started(3)
    story.do(seat_bot, 1, actor="admin:x")
    assert SeatControllerChanged(1, "bot", "admin") in story.events
    with pytest.raises(Refusal, match="already"):
        story.do(seat_bot, 1, actor="admin:x")
