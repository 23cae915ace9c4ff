"""Test that only votes of active players count."""

from __future__ import annotations

import pytest

from pbem.domain.clock import clockwork
from pbem.domain.log.clock_events import GamePaused
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.play import decide, handover, timeouts, voting
from pbem.domain.table import motions
from pbem.domain.table.decision import Decision
from tests.domain.samples import Story, started

DAY = 86400


def vote(story: Story, seat: int, kind: str, *, is_for: bool = True) -> None:
    story.do(voting.vote, seat, kind, is_for=is_for, actor=f"seat:{seat}")


def resign(decision: Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)
    voting.recount(decision)


def hand_to_bot(decision: Decision, seat: int) -> None:
    timeouts.replace_by_bot(decision, seat)
    voting.recount(decision)


def change(story: Story, kind: type, **fields: object) -> list[object]:
    return [
        event
        for event in story.events
        if isinstance(event, kind)
        and all(getattr(event, name) == value for name, value in fields.items())
    ]


@pytest.mark.parametrize("leave", [resign, hand_to_bot])
def test_votes_are_counted_anew_when_a_voter_leaves(leave: object) -> None:
    """Two of four are not more than half; two of three are."""
    story = started(4)
    story.do(voting.ask, "tempo", 0, {"time_per_move": 6 * DAY}, actor="seat:0")
    for seat in (0, 1):
        vote(story, seat, "pause")
    vote(story, 1, "tempo")
    assert not change(story, GamePaused) + change(story, MotionEnded, motion="tempo", why="carried")
    story.do(leave, 2, actor="seat:2")
    assert (
        len(change(story, GamePaused))
        == len(change(story, MotionEnded, motion="tempo", why="carried"))
        == 1
    )


def test_what_cannot_be_carried_any_more_is_off() -> None:
    """One for it, one against it, and nobody else to ask; a pause may be asked for again."""
    story = started(3)
    story.do(voting.ask, "tempo", 0, {"time_per_move": 6 * DAY}, actor="seat:0")
    vote(story, 1, "tempo", is_for=False)
    vote(story, 0, "pause")
    story.do(resign, 2, actor="seat:2")
    assert change(story, MotionEnded) == [MotionEnded("tempo", None, "refused")]
    assert story.game.motions == ()
    assert story.game.paused_at is None


def test_who_asked_and_left_is_not_for_it() -> None:
    story = started(3)
    story.do(voting.ask, "tempo", 0, {"time_per_move": 6 * DAY}, actor="seat:0")
    story.do(resign, 0, actor="seat:0")
    vote(story, 1, "tempo")
    assert not change(story, MotionEnded, motion="tempo", why="carried")
    vote(story, 2, "tempo")
    assert len(change(story, MotionEnded, motion="tempo", why="carried")) == 1


def test_nobody_inherits_a_vote() -> None:
    """Who takes over a seat is asked anew, and what the one before asked is off."""
    story = started(4)
    story.do(voting.ask, "tempo", 0, {"time_per_move": DAY}, actor="seat:0")
    story.do(voting.ask, "observer", None, {"player": "olga"}, actor="player:olga")
    for seat in (1, 2):
        vote(story, seat, "tempo")
        vote(story, seat, "pause")
    story.do(handover.offer, 1, "emil")
    story.do(handover.accept, 1, "emil", actor="player:emil")
    game = story.game
    assert game.votes == {"tempo": {0: True, 2: True}, "pause": {2: True}}
    tempo = motions.open_motion(game, "tempo")
    assert tempo is not None
    assert motions.missing_votes(game, tempo) == [1, 3]
    vote(story, 3, "tempo")
    assert not change(story, MotionEnded, motion="tempo", why="carried")
    story.do(handover.offer, 0, "fritz")
    story.do(handover.accept, 0, "fritz", actor="player:fritz")
    assert [motion.kind for motion in story.game.motions] == ["observer"]


def test_beside_bots_nobody_is_asked() -> None:
    """Who plays with bots alone hands over the own seat at once."""
    story = started(3)
    for seat in (1, 2):
        story.do(Decision.emit, SeatControllerChanged(seat, "bot", "misses"))
    story.do(voting.ask, "replace", 0, {"of": 0, "player": "emil"}, actor="seat:0")
    assert len(change(story, MotionOpened, motion="offer")) == 1
    assert not story.game.offers[0].while_away


def test_nobody_is_replaced_because_nobody_can_vote() -> None:
    """Bots alone give away no seat but that of who asks to go."""
    story = started(3)
    story.do(clockwork.lose_contact, 1, "bounces", actor="system")
    story.do(voting.ask, "replace", 0, {"of": 1, "player": "eve"}, actor="seat:0")
    for seat in (0, 2):
        story.do(hand_to_bot, seat, actor="admin:x")
    assert not story.game.offers
