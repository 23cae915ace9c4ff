"""Test which deadlines count as met and which as missed."""

from __future__ import annotations

import pytest

from pbem.domain.log.clock_events import AdminAsked
from pbem.domain.log.events import Event
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.play import decide, timeouts
from pbem.domain.table.decision import Decision
from pbem.domain.terms.timing import Timing
from pbem.sections import OnTimeout
from tests.domain.samples import Story, legal_orders, started


def turns(story: Story) -> dict[str, tuple[int, int]]:
    """Return the numbers of deadlines that were met and missed, by player."""
    return {player: counts[:2] for (_, player), counts in story.game.turns.items()}


def to_act(story: Story) -> int:
    return int(story.game.to_act[0])


def player(story: Story) -> str:
    return story.game.seats[to_act(story)].player


def move(story: Story, source: str = "mail") -> None:
    seat = to_act(story)
    orders = legal_orders(story.game, seat)
    story.play(seat, next((order for order in orders if order != "pickup"), orders[0]), source)


def emit(story: Story, event: Event, actor: str = "system") -> None:
    story.do(Decision.emit, event, actor=actor)


def miss(story: Story) -> None:
    """Let the deadline of the seat to act pass; the service plays for it."""
    deadline = story.game.deadline
    assert deadline is not None
    story.now = deadline.fires_at
    story.do(_time_out, to_act(story), deadline.version, actor="clock")


def _time_out(decision: Decision, seat: int, version: int) -> None:
    timeouts.time_out(decision, seat, version)
    decide.settle(decision)


def waiting(policy: OnTimeout = "wait") -> Story:
    return started(timing=Timing(86400, on_timeout=policy))


def test_an_answer_is_on_time_until_the_deadline_passes() -> None:
    story = started()
    first = player(story)
    move(story)
    assert turns(story) == {first: (1, 0)}
    second = player(story)
    assert second != first
    miss(story)
    assert turns(story) == {first: (1, 0), second: (0, 1)}


@pytest.mark.parametrize(("hours", "expected"), [(24, (1, 0)), (25, (0, 1))])
def test_in_a_game_that_waits_the_clock_tells(hours: int, expected: tuple[int, int]) -> None:
    """Nothing else is in the log there when a deadline passes."""
    story = waiting()
    first = player(story)
    story.later(hours=hours)
    move(story)
    assert turns(story) == {first: expected}


def test_an_answer_after_the_admin_was_asked_is_late() -> None:
    """Once: the deadline passed in silence, whatever comes of it."""
    story = waiting("ask")
    first, deadline = player(story), story.game.deadline
    assert deadline is not None
    emit(story, AdminAsked(to_act(story), deadline.version), actor="clock")
    move(story)
    assert turns(story) == {first: (0, 1)}


def test_plies_of_the_service_and_of_bots_do_not_count() -> None:
    story = started()
    emit(story, SeatControllerChanged(to_act(story), "bot", "admin"))
    move(story, "bot")
    emit(story, SeatControllerChanged(to_act(story), "bot", "admin"))
    move(story)
    assert turns(story) == {}


def test_a_second_ply_in_one_decision_does_not_count() -> None:
    """Phase 10: draw and discard in one mail, before a new deadline is set."""
    story = started(ruleset="phase10")
    seat, first = to_act(story), player(story)

    def turn(decision: Decision) -> None:
        decide.play(decision, seat, "draw", source="mail")
        game = decision.existing()
        order = next(one for one in legal_orders(game, seat) if one.startswith("discard"))
        decide.play(decision, seat, order, source="mail")
        decide.settle(decision)

    story.do(turn)
    assert turns(story) == {first: (1, 0)}


@pytest.mark.rule("GEN-6")
def test_secret_choices_are_answers_once_they_are_revealed() -> None:
    """All but those that were made for somebody who was silent."""
    story = started(3, ruleset="cathedral")
    deadline = story.game.deadline
    assert deadline is not None
    story.now = deadline.fires_at
    story.do(timeouts.time_out, 1, deadline.version, actor="clock")
    assert turns(story) == {"bob": (0, 1)}
    for seat in (0, 2):
        story.play(seat, legal_orders(story.game, seat)[0])
    assert turns(story) == {"anna": (1, 0), "bob": (0, 1), "carol": (1, 0)}
