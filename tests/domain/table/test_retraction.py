"""Test undone moves, at every point and in every ruleset, and refused undos."""

from __future__ import annotations

import random  # noqa: TID251  (which moves a test makes, never what the game deals)
from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.replay import state_digest
from pbem.domain.clock import clockwork, vacations
from pbem.domain.log.events import ChoicesRevealed, Hidden, MovePlayed, MovesRetracted
from pbem.domain.play import acts, decide
from pbem.domain.table import retraction
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import fold, folded
from pbem.domain.table.game import Game
from pbem.errors import LogError, Refusal
from tests.domain.samples import GAME_ID, Story, legal_orders, played, started

RULESETS = [rules.id.name for rules in registry.latest()]


def undo(story: Story, version: int, reason: str = "misread") -> int:
    """Take moves back to an event of a story; gives the event that the game went back to."""
    back_to = retraction.place_at(story.recorded, version)
    assert back_to is not None
    past = fold(story.recorded[:back_to], GAME_ID)
    decision = Decision(GAME_ID, story.now, "admin:local", None, story.game, recorded_at=story.now)
    acts.retract(decision, past, reason)
    new = [
        story.recorded[0]._replace(version=number, actor=d.actor, cause=d.cause, event=d.event)
        for number, d in enumerate(decision.events, story.game.version + 1)
    ]
    story.recorded.extend(new)
    story.game_or_none = fold(story.recorded, GAME_ID)
    assert decision.game is not None
    assert replace(story.game, head="") == replace(decision.game, head="")
    return back_to


def leave(decision: Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)


def go_on(story: Story, chance: random.Random, plies: int) -> None:
    for _ in range(plies):
        if story.game.is_over:
            return
        seat = int(chance.choice(story.game.to_act))
        story.play(seat, chance.choice(legal_orders(story.game, seat)))


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_undo_at_every_point_of_a_game(ruleset: str) -> None:
    """To every event after the deal: the table is as it was, older tokens and lists are stale."""
    story = played(3, 3, 25, ruleset)
    assert not story.game.is_over
    recorded = list(story.recorded)
    at: list[Game] = list(folded(recorded, GAME_ID))
    first = next(game.version for game in at if game.state is not None)
    for version in range(first, len(recorded)):
        back_to = retraction.place_at(recorded, version)
        assert back_to is not None
        again = Story()
        again.recorded, again.game_or_none, again.now = list(recorded), story.game, story.now
        past = at[back_to - 1]
        if state_digest(past.ruleset, past.state) == state_digest(past.ruleset, story.game.state):
            with pytest.raises(Refusal, match="no move was made"):
                undo(again, version)
            continue
        assert undo(again, version) == back_to
        event = next(e for e in again.events if isinstance(e, MovesRetracted))
        assert event.ply == past.ruleset.ply(past.state)
        forced = [e for e in again.events[len(recorded) :] if isinstance(e, MovePlayed)]
        assert all(move.source == "forced" for move in forced)
        if not forced:
            assert state_digest(past.ruleset, again.game.state) == state_digest(
                past.ruleset, past.state
            )
        assert again.game.position > len(recorded)
        for seat in again.game.to_act:
            decision = again.game.seats[seat].decision
            assert decision is not None
            assert decision > len(recorded)
        assert again.game.deadline is not None
        assert again.game.deadline.version > len(recorded)
        assert set(again.game.deadline.seats) == set(again.game.to_act)


@pytest.mark.rule("GEN-6")
def test_undo_amid_secret_choices_begins_them_anew() -> None:
    """The position before any choice is restored, so that no player learns who has chosen."""
    story = played(1, 3, 2, "cathedral")
    assert story.game.is_choosing
    hidden = [item.version for item in story.recorded if isinstance(item.event, Hidden)]
    assert len(hidden) == 2
    back_to = undo(story, hidden[-1])
    assert story.recorded[back_to - 1].event.__class__.__name__ == "GameStarted"
    assert len(story.game.to_act) == 3


@pytest.mark.rule("GEN-6")
@pytest.mark.parametrize("ruleset", ["cathedral", "phalanx"])
@pytest.mark.parametrize("is_last", [False, True])
def test_choices_go_back_as_a_whole_or_not_at_all(ruleset: str, is_last: bool) -> None:
    """Positions in which a seat left while others had chosen cannot be restored: those could not choose again."""
    story = started(4, ruleset=ruleset)
    story.play(0, legal_orders(story.game, 0)[0])
    for seat in (1, 2) if is_last else ():
        story.play(seat, legal_orders(story.game, seat)[0])
    story.do(leave, 3, actor="seat:3")
    for seat in () if is_last else (1, 2):
        story.play(seat, legal_orders(story.game, seat)[0])
    assert not story.game.is_choosing
    revealed = next(r.version for r in story.recorded if isinstance(r.event, ChoicesRevealed))
    with pytest.raises(Refusal, match="somebody has left"):
        undo(story, revealed - 1)
    go_on(story, random.Random(1), 1)  # noqa: S311
    assert undo(story, story.game.version - 2) == revealed


def test_time_and_seats_stay_as_they_are() -> None:
    """A vacation and a pause that came after the place are not undone; the news tells of the act."""
    story = played(2, 3, 8)
    version = story.game.version
    go_on(story, random.Random(1), 3)  # noqa: S311
    story.do(vacations.take, 1, story.now.date(), story.now.date(), actor="seat:1")
    story.do(clockwork.pause, "admin", "quarrel", actor="admin:local")
    undo(story, version, "Bob's mail was misread")
    assert story.game.paused_at is not None
    assert story.game.seats[1].vacations
    assert story.game.deadline is None
    told = [n.fact for n in story.game.news if n.fact.kind == "moves_retracted"]
    assert told[-1].data["reason"] == "Bob's mail was misread"
    assert told[-1].data["first"] == 9
    story.do(clockwork.resume, "admin", actor="admin:local")
    assert story.game.deadline is not None


def test_what_cannot_be_taken_back() -> None:
    """The deal, a resignation, a place in a branch that is gone, the end; an act without a reason."""
    story = played(4, 3, 10)
    assert retraction.place_at(story.recorded, 4) is None
    inside = story.game.version
    go_on(story, random.Random(2), 2)  # noqa: S311
    undo(story, 10)
    with pytest.raises(Refusal, match="taken back itself"):
        undo(story, inside)
    go_on(story, random.Random(3), 3)  # noqa: S311
    with pytest.raises(Refusal, match="needs a reason"):
        undo(story, 9, "  ")
    before = story.game.version
    story.do(acts.remove, 2, "asked to", actor="admin:local")
    if not story.game.is_over:
        with pytest.raises(Refusal, match="has left"):
            undo(story, before)
    over = played(1, 2)
    assert over.game.is_over
    with pytest.raises(Refusal, match="over"):
        undo(over, 12)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"back_to": 400}, "not there"),
        ({"back_to": 3}, "no card was dealt"),
        ({"ply": 1}, "ply"),
    ],
)
def test_a_log_that_goes_back_wrongly_is_refused(change: dict[str, Any], said: str) -> None:
    """Another place, another count."""
    story = played(2, 3, 8)
    undo(story, story.game.version - 6)
    index = next(i for i, e in enumerate(story.events) if isinstance(e, MovesRetracted))
    event: Any = story.events[index]
    changed = list(story.recorded)
    changed[index] = changed[index]._replace(event=replace(event, **change))
    with pytest.raises(LogError, match=said) as caught:
        fold(changed, GAME_ID)
    assert caught.value.version == index + 1
