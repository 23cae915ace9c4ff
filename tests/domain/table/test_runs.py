"""Test that folding plies and deadlines in place gives the same game as `evolve`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from pbem.domain.log.clock_events import DeadlineExtended, GamePaused, GameResumed, TurnTimedOut
from pbem.domain.log.events import (
    MUTE_SET,
    NEXT_ORDERED,
    Event,
    HandsRevealedToAdmin,
    MessagePosted,
    Recorded,
)
from pbem.domain.log.motion_events import MotionOpened, VoteCast
from pbem.domain.log.seat_events import SeatControllerChanged, SeatResigned
from pbem.domain.play import acts, decide
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import fold, folded, rebuild
from pbem.domain.table.game import Game
from pbem.domain.table.retraction import place_at
from pbem.domain.terms.timing import Timing
from pbem.errors import LogError, Refusal
from tests.domain.samples import GAME_ID, Story, legal_orders, started

RULESETS = [rules.id.name for rules in registry.latest()]
Act = Callable[[Decision, int], None]


def _event(made: Callable[[Game, int], Event]) -> Act:
    def act(decision: Decision, seat: int) -> None:
        decision.emit(made(decision.existing(), seat), actor=f"seat:{seat}")

    return act


def _hidden(kind: str, **payload: Any) -> Act:
    return lambda decision, seat: _done(decision.emit_hidden(kind, {"seat": seat, **payload}))


def _done(_: object) -> None:
    return None


def _later(game: Game, _: int) -> Event:
    deadline = game.deadline
    if deadline is None:
        raise Refusal("none", "There is no deadline.")
    due = deadline.due_at + timedelta(hours=1)
    return DeadlineExtended(deadline.version, due, due, due, (), "courtesy")


def _missed(game: Game, seat: int) -> Event:
    return TurnTimedOut(seat, 0 if game.deadline is None else game.deadline.version)


def _resigned(decision: Decision, seat: int) -> None:
    decision.emit(SeatResigned(seat))
    decide.settle(decision)


ACTS: list[Act] = [
    _event(lambda game, seat: MessagePosted(seat, game.seats[seat].player, "Hello")),
    _hidden(MUTE_SET, player="anonymous", is_muted=True),
    _hidden(NEXT_ORDERED, text="1"),
    _hidden(NEXT_ORDERED, text=""),
    _event(lambda game, seat: MotionOpened("undo", seat, {"back_to": game.position - 1})),
    _event(lambda _, seat: VoteCast(seat, "undo", True)),
    _event(lambda _, seat: VoteCast(seat, "pause", True)),
    _event(lambda _, __: GamePaused("players", "")),
    _event(lambda _, __: GameResumed("players")),
    _event(lambda _, seat: HandsRevealedToAdmin((seat,), 1, "why")),
    _event(lambda _, seat: SeatControllerChanged(seat, "bot", "silent")),
    _event(lambda _, seat: SeatControllerChanged(seat, "person", "back")),
    _event(_later),
    _event(_missed),
    _resigned,
]
"""Whatever ends a run, or changes what a ply does."""


def _taken_back(story: Story, plies: int) -> None:
    back_to = place_at(story.recorded, story.game.position - plies)
    if back_to is not None:
        past = fold(story.recorded[:back_to], GAME_ID)
        story.past[back_to] = past
        story.do(acts.retract, past, "misread", actor="admin:local")


class Told(Story):
    """A story whose moves can be taken back."""

    def __init__(self) -> None:
        super().__init__()
        self.past: dict[int, Game] = {}


@st.composite
def stories(draw: st.DrawFn) -> list[Recorded]:
    """Draw a game of any rules, in which all kinds of things happen between its plies."""
    ruleset = draw(st.sampled_from(RULESETS))
    excused = draw(st.sampled_from([(), (2, 3)]))
    players = max(3, registry.find(ruleset).players[0])
    timing = Timing(3 * 86400, excused=excused)
    story = Told()
    begun = started(players, ruleset=ruleset, timing=timing)
    story.recorded, story.game_or_none = begun.recorded, begun.game
    for _ in range(draw(st.integers(5, 25))):
        if story.game.is_over:
            break
        what = draw(st.integers(0, 9))
        if what < 7 and story.game.to_act:
            seat = int(draw(st.sampled_from(story.game.to_act)))
            source = draw(st.sampled_from(["mail", "mail", "admin", "standby", "bot"]))
            _tried(story.play, seat, draw(st.sampled_from(legal_orders(story.game, seat))), source)
        elif what == 7:
            _tried(_taken_back, story, draw(st.integers(1, 5)))
        else:
            act = draw(st.sampled_from(ACTS))
            _tried(story.do, act, draw(st.integers(0, players - 1)))
    return story.recorded


def _tried(what: Callable[..., object], *given_: Any) -> None:
    """Do it if it may be done now."""
    with suppress(LogError, Refusal):
        what(*given_)


@pytest.mark.rule("GEN-1")
@settings(max_examples=40, deadline=None)
@given(stories())
def test_a_game_folded_in_place_is_that_of_its_events(recorded: list[Recorded]) -> None:
    games = [*folded(recorded, GAME_ID)]
    past = {game.version: game for game in games}

    for number, game in enumerate(games, start=1):
        assert fold(recorded[:number], GAME_ID) == game
        assert (
            fold(recorded[number:] or [recorded[-1]], GAME_ID, *_from(games, number), past)
            == games[-1]
        )
    assert rebuild(recorded, GAME_ID) == games[-1]


def _from(games: list[Game], number: int) -> list[Game]:
    return [games[number - 1] if number < len(games) else games[-2]]
