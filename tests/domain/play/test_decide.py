"""Test commands on games: the events that they add, or their refusal without any event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.shuffle import commitment, game_seed
from pbem.domain.clock import clockwork
from pbem.domain.log.clock_events import DeadlineExtended, DeadlineSet, TurnTimedOut
from pbem.domain.log.events import (
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    HandsRevealedToAdmin,
    MovePlayed,
)
from pbem.domain.log.seat_events import SeatResigned
from pbem.domain.play import acts, decide, timeouts
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
@pytest.mark.parametrize("phrase", [None, "tea"])
def test_no_join_and_no_phrase_after_the_start(phrase: str | None) -> None:
    """The cards are dealt: nothing may go into the shuffle any more."""
    refused(started(2), "started", join, 0, phrase)


@pytest.mark.rule("GEN-4", "GEN-15")
def test_end_opens_the_secret() -> None:
    """GameFinished carries it, and no event before it does in the open."""
    story = played(3, players=2)
    last = story.events[-1]
    assert isinstance(last, GameFinished)
    assert commitment(bytes.fromhex(last.server_secret)).hex() == story.game.commitment


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize("begun", [True, False])
def test_stopping_opens_the_secret_too(begun: bool) -> None:
    """Aborted before or after the deal: what was committed to is shown."""
    story = started(2) if begun else created(2)
    story.do(acts.stop, "the server moves house", actor="admin:local")
    assert story.events[-1] == GameStopped("admin", SECRET.hex(), "the server moves house")
    assert story.game.is_over
    refused(story, "over", acts.stop, "again")


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


# --- joining --------------------------------------------------------------------------------------


def test_commands_to_a_game_that_is_not_there() -> None:
    """A decision without a game refuses everything but creating one."""
    with pytest.raises(Refusal) as caught:
        decide.join(Decision(GAME_ID, NOW, "seat:0", None, recorded_at=NOW), 0, None)
    assert caught.value.code == "unknown-game"


# --- moves ----------------------------------------------------------------------------------------


def test_move_is_recorded_with_ply_digest_and_a_new_deadline() -> None:
    """One MovePlayed with the canonical text, then one DeadlineSet for who is to act now."""
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


@pytest.mark.rule("GEN-7", "GEN-12")
def test_resignation_is_an_event_and_no_ply() -> None:
    """The game goes on without the seat; a second resignation of it is refused."""
    story = started(3)
    seat = int(story.game.to_act[0])
    story.do(resign, seat)
    assert SeatResigned(seat) in story.events
    assert not any(isinstance(event, MovePlayed) for event in story.events)
    assert seat not in story.game.to_act
    assert refused(story, "resigned", resign, seat).rule == "GEN-7"


@pytest.mark.rule("GEN-7")
def test_last_seat_wins() -> None:
    """One seat left: the game is over, it is first, a later resignation beats an earlier one."""
    story = started(3)
    story.do(resign, 2)
    story.do(resign, 0)
    assert story.game.finished is not None
    assert story.game.finished.ranking == ((1,), (0,), (2,))


def resign(decision: Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)


# --- time -----------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-7")
def test_timeout_plays_standby_until_another_seat_is_to_act() -> None:
    """TurnTimedOut, the standby moves, then a new deadline."""
    story = started(2)
    seat = int(story.game.to_act[0])
    assert story.game.deadline is not None
    deadline = story.game.deadline.version
    story.later(days=3)
    story.do(timeouts.time_out, seat, deadline, actor="clock")
    assert TurnTimedOut(seat, deadline) in story.events
    sources = [event.source for event in story.events if isinstance(event, MovePlayed)]
    assert set(sources) <= {"standby", "forced"}
    assert seat not in story.game.to_act
    refused(story, "not-due", timeouts.time_out, seat, deadline)


def test_timeout_that_is_not_due() -> None:
    """Too early, of another deadline, of another seat: refused."""
    story = started(2)
    seat = int(story.game.to_act[0])
    assert story.game.deadline is not None
    deadline = story.game.deadline.version
    story.later(days=3, seconds=-1)
    refused(story, "not-due", timeouts.time_out, seat, deadline)
    story.later(days=1)
    refused(story, "not-due", timeouts.time_out, seat, deadline - 1)
    refused(story, "not-due", timeouts.time_out, 1 - seat, deadline)


def test_extension_starts_the_clock_anew() -> None:
    """The turn mail left late: the whole time counts from then, reminders too."""
    story = started(2)
    assert story.game.deadline is not None
    deadline = story.game.deadline
    story.later(hours=30)
    story.do(clockwork.extend_for_delivery, actor="clock")
    event = story.events[-1]
    assert isinstance(event, DeadlineExtended)
    assert event.deadline == deadline.version
    assert event.due_at == story.now + timedelta(days=3)
    assert all(story.now < at < event.due_at for at in event.reminders)
    refused(created(2), "not-due", clockwork.extend_for_delivery)


# --- the admin's eyes -----------------------------------------------------------------------------


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
