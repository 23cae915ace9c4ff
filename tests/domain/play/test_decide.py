"""Test commands on games: the events that they add, or their refusal without any event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.shuffle import commitment, game_seed
from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.log.events import (
    GameCreated,
    GameStarted,
    HandsRevealedToAdmin,
    MovePlayed,
)
from pbem.domain.play import decide
from pbem.domain.table.decision import Decision
from pbem.errors import Refusal
from tests.domain.samples import (
    GAME_ID,
    NOW,
    SECRET,
    Story,
    created,
    join,
    legal_orders,
    played,
    started,
)


def refused(story: Story, code: str, command: Callable[..., Any], *args: object) -> Refusal:
    """Check that the command is refused with this code and adds no events."""
    before = list(story.recorded)
    with pytest.raises(Refusal) as caught:
        story.do(command, *args)
    assert caught.value.code == code
    assert str(caught.value)
    assert story.recorded == before
    return caught.value


# --- GEN-4 as an order of events ------------------------------------------------------------------


@pytest.mark.rule("GEN-4")
def test_first_event_fixes_the_commitment_and_hides_the_secret() -> None:
    """GameCreated is first, before any invitation; the commitment is that of the secret."""
    story = created(3)
    assert story.names == ["GameCreated", "PlayerInvited", "PlayerInvited", "PlayerInvited"]
    event = story.events[0]
    assert isinstance(event, GameCreated)
    assert event.commitment == commitment(SECRET).hex()
    assert SECRET.hex() not in repr(event)


@pytest.mark.rule("GEN-4")
def test_phrases_come_with_joining_and_the_last_join_locks_them() -> None:
    """Phrases are normalised, listed by GameStarted, and the seed follows from them."""
    story = created(3)
    story.do(join, 1, "  grüner\u00a0 Tee ", actor="seat:1")
    story.do(join, 0, actor="seat:0")
    assert "GameStarted" not in story.names
    story.do(join, 2, "x" * 300, actor="seat:2")
    assert story.names[4:] == [
        "PlayerJoined",
        "PhraseGiven",
        "PlayerJoined",
        "PlayerJoined",
        "PhraseGiven",
        "GameStarted",
        "DeadlineSet",
    ]
    start = next(event for event in story.events if isinstance(event, GameStarted))
    assert start.phrases == ("", "grüner Tee", "x" * 200)
    assert story.game.setup.seed == game_seed(SECRET, list(start.phrases))


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize("phrase", [None, "tea"])
def test_no_join_and_no_phrase_after_the_start(phrase: str | None) -> None:
    """The cards are dealt: nothing may go into the shuffle any more."""
    refused(started(2), "started", join, 0, phrase)


# --- joining --------------------------------------------------------------------------------------


def test_commands_to_a_game_that_is_not_there() -> None:
    """A decision without a game refuses everything but creating one."""
    with pytest.raises(Refusal) as caught:
        decide.join(Decision(GAME_ID, NOW, "seat:0", None, recorded_at=NOW), 0, None)
    assert caught.value.code == "unknown-game"


# --- moves ----------------------------------------------------------------------------------------


def test_move_is_recorded_with_ply_digest_and_a_new_deadline() -> None:
    """One MovePlayed with the canonical text, then one DeadlineSet for the next seats to act."""
    story = started(2)
    seat = int(story.game.to_act[0])
    order = legal_orders(story.game, seat)[0]
    story.later(hours=5)
    assert story.play(seat, order.upper()) == order
    move, deadline = story.events[-2:]
    assert isinstance(move, MovePlayed)
    assert (move.seat, move.move, move.source, move.ply) == (seat, order, "mail", 1)
    assert len(move.digest) == 64
    assert isinstance(deadline, DeadlineSet)
    assert deadline.seats == story.game.to_act
    assert deadline.starts_at == story.now
    assert deadline.due_at == story.now + timedelta(days=3)


@pytest.mark.rule("GEN-11", "GEN-12")
def test_forced_moves_follow_at_once_and_are_marked() -> None:
    """Over random games: forced moves are entries of the log by the system, never by a seat."""
    forced = []
    for seed in range(6):
        story = played(seed, players=2)
        forced += [
            item
            for item in story.recorded
            if isinstance(item.event, MovePlayed) and item.event.source == "forced"
        ]
    assert forced
    assert {item.actor for item in forced} == {"system"}


# --- resigning ------------------------------------------------------------------------------------


def resign(decision: Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)


# --- time -----------------------------------------------------------------------------------------


# --- the admin's eyes -----------------------------------------------------------------------------


@pytest.mark.rule("GEN-4")
def test_operator_gives_no_phrase() -> None:
    """An operator, who could know the secret, may not give a phrase, but may join without one."""
    story = created(2, operators=(1,))
    assert refused(story, "operator", join, 1, "tea").rule == "GEN-4"
    assert story.game.seats[1].status == "invited"
    story.do(join, 1)
    assert refused(story, "operator", join, 1, "tea").rule == "GEN-4"
    story.do(join, 0, "tea")
    assert story.game.status == "running"
    assert story.game.seats[1].phrase is None


@pytest.mark.rule("GEN-4")
def test_decline_stops_the_game_and_opens_the_secret() -> None:
    """A game cannot begin without one of its seats."""
    story = created(3)
    story.do(join, 0)
    story.do(decide.decline, 1, actor="seat:1")
    assert story.names[-2:] == ["PlayerDeclined", "GameStopped"]
    assert story.game.status == "stopped"
    refused(story, "called-off", join, 2, None)
    refused(story, "started", decide.decline, 2)


@pytest.mark.rule("GEN-5")
def test_looking_at_hands_is_an_event_that_needs_a_reason() -> None:
    """No reason, no look; after the end everything is open and nothing is recorded."""
    story = started(2)
    refused(story, "reason", decide.reveal, [0], 5, "  ")
    story.do(decide.reveal, [0, 1], 5, " Bob asked ", actor="admin:root")
    assert story.events[-1] == HandsRevealedToAdmin((0, 1), 5, "Bob asked")
    assert [fact.kind for fact in story.game.news_for(1, story.game.version - 1)] == [
        "hands_revealed"
    ]
    over = played(3, players=2)
    before = len(over.recorded)
    over.do(decide.reveal, [0], 5, "", actor="admin:root")
    assert len(over.recorded) == before
