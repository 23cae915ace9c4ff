"""Test which questions and offers end when a person takes over a seat."""

from __future__ import annotations

import pytest

from engine.api import JsonObject
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import SeatReplaced
from pbem.domain.play import handover, voting
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import objection
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from tests.domain.samples import Story, legal_orders, started


def mover(story: Story) -> int:
    seat = int(story.game.to_act[0])
    story.play(seat, legal_orders(story.game, seat)[0])
    return seat


def ask_back_to(decision: Decision, seat: int, past: Game) -> None:
    decision.past[past.version] = past
    terms: JsonObject = {"back_to": past.version, "ply": past.ruleset.ply(past.state)}
    voting.ask(decision, "undo", seat, terms)


def ask_for_undo(story: Story) -> tuple[Game, int]:
    """Make a move and ask to undo it. Return the game before the move, and the seat."""
    before = story.game
    seat = mover(story)
    story.do(ask_back_to, seat, before)
    return before, seat


def test_nothing_goes_back_behind_a_person_who_came() -> None:
    """The question is off, the asker reads it, and another vote is refused."""
    story = started(3)
    story.do(handover.offer, 2, "emil")
    _, asker = ask_for_undo(story)
    assert [motion.kind for motion in story.game.motions] == ["undo"]
    story.do(handover.accept, 2, "emil", actor="player:emil")
    game = story.game
    assert game.motions == ()
    ended = game.news_of(asker, game.version - 1) + game.news_of(asker, game.version)
    assert [f.data["why"] for f in ended if f.kind == "motion_ended"] == ["moved"]
    with pytest.raises(Refusal, match="There is no such question to vote on"):
        story.do(voting.vote, 1, "undo", is_for=True, actor="seat:1")


def test_who_sits_down_does_not_ask_to_look_on() -> None:
    """The player does not ask for another seat either. Requests of other people continue."""
    story = started(4)
    story.do(handover.offer, 1, "emil")
    story.do(voting.ask, "observer", None, {"player": "emil"}, actor="player:emil")
    story.do(voting.ask, "replace", 2, {"of": 2, "player": "emil"}, actor="seat:2")
    story.do(voting.ask, "tempo", 0, {"time_per_move": 3600}, actor="seat:0")
    story.do(handover.accept, 1, "emil", actor="player:emil")
    assert [motion.kind for motion in story.game.motions] == ["tempo"]
    assert set(story.game.votes) == {"tempo"}
    for kind in ("observer", "replace"):
        with pytest.raises(Refusal, match="There is no such question to vote on"):
            story.do(voting.vote, 3, kind, is_for=True, actor="seat:3")


ODD: list[MotionOpened | MotionEnded] = [
    MotionOpened("lunch", 0, {}),
    MotionOpened("pause", 0, {}),
    MotionOpened("tempo", 0, {}),
    MotionOpened("tempo", 0, {"time_per_move": "long"}),
    MotionOpened("tempo", 0, {"time_per_move": 60, "more": 1}),
    MotionOpened("tempo", 0, {"time_per_move": -1}),
    MotionOpened("tempo", None, {"time_per_move": 60}),
    MotionOpened("undo", 0, {"back_to": 10**6, "ply": 0}),
    MotionOpened("observer", 0, {"player": "olga"}),
    MotionOpened("observer", None, {"player": "anna"}),
    MotionOpened("replace", 0, {"of": 9, "player": "emil"}),
    MotionOpened("replace", 0, {"of": 1, "player": "anna"}),
    MotionOpened("offer", 9, {"player": "emil", "expires_at": "2026-11-28T12:00:00.000000Z"}),
    MotionEnded("offer", 1, "declined"),
    MotionEnded("tempo", None, "carried"),
    MotionEnded("lunch", None, "refused"),
]


@pytest.mark.parametrize("event", ODD, ids=repr)
def test_motions_that_cannot_be(event: MotionOpened | MotionEnded) -> None:
    assert objection(started(3).game, event) is not None


def test_who_has_a_seat_takes_no_second_one() -> None:
    """The same applies if an admin seated a person who had an offer."""
    story = started(3)
    story.do(handover.offer, 2, "emil")
    story.do(lambda decision: decision.emit(SeatReplaced(1, "emil", "asked for it")))
    with pytest.raises(Refusal, match="You have a seat in this game"):
        story.do(handover.accept, 2, "emil", actor="player:emil")
    assert story.game.seats[2].generation == 1


def test_who_was_offered_two_seats_takes_one() -> None:
    """The other offer is over with it, and a second `join` is refused."""
    story = started(3)
    for seat in (1, 2):
        story.do(handover.offer, seat, "emil")
    story.do(handover.accept, 1, "emil", actor="player:emil")
    assert MotionEnded("offer", 2, "declined") in story.events
    assert story.game.offers == ()
    with pytest.raises(Refusal, match="not offered to you"):
        story.do(handover.accept, 2, "emil", actor="player:emil")
