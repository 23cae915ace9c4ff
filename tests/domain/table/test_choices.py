"""Test secret choices in the log (GEN-6), with the set-aside of Cathedral."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.api import Seat
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.log.events import ChoicesRevealed, Hidden
from pbem.domain.play import decide, timeouts
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from pbem.store.log import codec

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def started(players: int = 3) -> Decision:
    decision = Decision(GameId("aaaaaaaaaa"), NOW, "admin:local", "command:x", recorded_at=NOW)
    decide.create_game(
        decision,
        ruleset="cathedral",
        players=[f"p{n}" for n in range(players)],
        options={},
        operator_seats=(),
        timing=Timing(86400),
        server_secret=b"s" * 32,
    )
    for seat in range(players):
        decide.join(decision, seat, None)
    decide.settle(decision)
    return decision


def game_of(decision: Decision) -> Game:
    assert decision.game is not None
    return decision.game


def orders(game: Game, seat: int) -> list[str]:
    rules = game.ruleset
    return [
        rules.format_move(game.state, Seat(seat), move)
        for move in rules.legal_moves(game.state, Seat(seat))
    ]


def by_seat(game: Game, seat: int) -> Decision:
    return decide.decision_on(game, actor=f"seat:{seat}", cause=f"mail:{seat}", now=NOW)


@pytest.mark.rule("GEN-6", "CAT-3")
def test_a_choice_is_a_hidden_event_without_actor_or_cause() -> None:
    """The log contains a hidden event. Its type and author are in the secret."""
    game = game_of(started())
    decision = by_seat(game, 1)
    decide.play(decision, 1, orders(game, 1)[0], source="mail")
    [decided] = decision.events
    event = codec.encode(decided)
    assert (event.type, event.actor, event.cause, event.public) == ("Hidden", "hidden", None, {})
    assert isinstance(decided.event, Hidden)
    assert decided.event.actor == "seat:1"
    assert decided.event.cause == "mail:1"


@pytest.mark.rule("GEN-6")
def test_choices_are_replaceable_until_the_last_and_count_as_plies_then() -> None:
    """Replacing is possible and silent; the last choice reveals, and plies are counted per seat."""
    game = game_of(started())
    first = [seat.decision for seat in game.seats]
    assert None not in first
    decision = by_seat(game, 0)
    listed = orders(game, 0)
    decide.play(decision, 0, listed[0], source="mail")
    decide.play(decision, 0, listed[-1], source="mail")
    game = game_of(decision)
    assert [type(item.event) for item in decision.events] == [Hidden, Hidden]
    assert game.position == game_of(started()).position
    assert [seat.decision for seat in game.seats] == first
    assert game.to_act == (1, 2)
    assert game.may_decide(0)
    assert game.ruleset.ply(game.state) == 0
    public = [
        news.fact
        for news in game.news
        if news.fact.audience is None and news.version > game.position
    ]
    assert [fact.kind for fact in public if fact.seat == 0].count("chosen") == 1
    decision = by_seat(game, 2)
    decide.play(decision, 2, orders(game, 2)[0], source="mail")
    decide.settle(decision)
    decide.play(decision, 1, orders(game, 1)[0], source="mail")
    decide.settle(decision)
    game = game_of(decision)
    kinds = [type(item.event) for item in decision.events]
    assert kinds[:3] == [Hidden, Hidden, ChoicesRevealed]
    assert isinstance(decision.events[-1].event, DeadlineSet)
    assert not game.is_choosing
    assert game.ruleset.ply(game.state) >= 3
    chosen_later = orders(game_of(started()), 0)[0]
    with pytest.raises(Refusal):
        decide.play(by_seat(game, 0), 0, chosen_later, source="mail")


@pytest.mark.rule("GEN-6", "GEN-7")
def test_a_timeout_chooses_for_the_seat_and_moves_nobody_elses_deadline() -> None:
    """Each silent seat gets its standby choice; the running deadline stays as it was."""
    game = game_of(started(2))
    assert game.deadline is not None
    deadline = game.deadline
    decision = decide.decision_on(
        game, actor="clock", cause="deadline:1", now=deadline.due_at + timedelta(seconds=2)
    )
    timeouts.time_out(decision, 0, deadline.version)
    assert game_of(decision).deadline == deadline
    timeouts.time_out(decision, 1, deadline.version)
    game = game_of(decision)
    assert not game.is_choosing
    assert game.deadline is not None
    assert game.deadline.version > deadline.version
    with pytest.raises(Refusal):
        timeouts.time_out(decision, 1, deadline.version)


@pytest.mark.rule("GEN-6", "GEN-7")
def test_a_choice_of_ones_own_ends_the_row_of_misses_once_all_are_revealed() -> None:
    """Choices are hidden before that. A choice made for a silent seat or by a bot does not count."""
    game = game_of(started(3))
    assert game.deadline is not None
    late = game.deadline.due_at + timedelta(seconds=2)
    decision = decide.decision_on(game, actor="clock", cause="deadline:1", now=late)
    for seat in (0, 1):
        timeouts.time_out(decision, seat, game.deadline.version)
    decide.play(decision, 0, orders(game, 0)[0], source="mail")
    assert [seat.misses for seat in game_of(decision).seats] == [1, 1, 0]
    decide.play(decision, 2, orders(game, 2)[0], source="mail")
    assert [seat.misses for seat in game_of(decision).seats] == [0, 1, 0]
    assert not any(seat.has_chosen for seat in game_of(decision).seats)
