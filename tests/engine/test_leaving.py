"""Test resigning in every game: refusals, facts, and the end of the game."""

import pytest

from engine import registry
from engine.api import Seat, Setup, Source
from engine.errors import NotToActError
from tests.engine.chance import chance

PLAYERS = 4
RULESETS = pytest.mark.parametrize("rules", registry.latest(), ids=lambda rules: rules.id.name)


def start(rules, number: int = 1, players: int = PLAYERS):
    seed = chance(number).randbytes(32)
    return rules.start(Setup(players, seed, rules.check_options(players, {}))).state


def standby(rules, state):
    seat = rules.to_act(state)[0]
    return rules.apply(state, seat, rules.standby_move(state, seat), Source.STANDBY).state


def cautious(rules, state):
    seat = rules.to_act(state)[0]
    return rules.apply(state, seat, rules.standby_move(state, seat)).state


@pytest.mark.rule("GEN-7")
@RULESETS
def test_who_cannot_resign_is_told_why(rules):
    state = start(rules)
    for seat in (-1, PLAYERS):
        with pytest.raises(NotToActError) as caught:
            rules.resign(state, Seat(seat))
        assert caught.value.message == f"there is no seat {seat} at this table"
    gone = rules.resign(state, Seat(1)).state
    with pytest.raises(NotToActError) as caught:
        rules.resign(gone, Seat(1))
    assert caught.value.message == "this seat has already resigned"
    with pytest.raises(NotToActError) as caught:
        rules.apply(gone, Seat(1), next(iter(rules.legal_moves(gone, rules.to_act(gone)[0]))))
    assert caught.value.message == "this seat has resigned"
    for seat in (0, 2):
        gone = rules.resign(gone, Seat(seat)).state
    assert rules.to_act(gone) == ()
    with pytest.raises(NotToActError) as caught:
        rules.resign(gone, Seat(3))
    assert caught.value.message == "the game is over"
    with pytest.raises(NotToActError) as caught:
        rules.standby_move(gone, Seat(3))
    assert caught.value.message == "the game is over"


@pytest.mark.rule("GEN-6", "GEN-7")
@RULESETS
def test_after_the_end_no_seat_can_act(rules):
    """Not even the last seat, which may have made a secret choice before the others resigned."""
    players = rules.players[0]
    state = start(rules, players=players)
    last = rules.to_act(state)[0]
    move = rules.standby_move(state, last)
    text = rules.format_move(state, last, move)
    over = rules.apply(state, last, move).state
    for seat in {*map(Seat, range(players))} - {last}:
        over = rules.resign(over, seat).state
    for act in (
        lambda seat: rules.apply(over, seat, move),
        lambda seat: rules.parse_order(over, seat, text),
        lambda seat: rules.standby_move(over, seat),
    ):
        for seat in map(Seat, range(players)):
            with pytest.raises(NotToActError, match="the game is over"):
                act(seat)


@pytest.mark.rule("GEN-7", "GEN-17")
@RULESETS
def test_the_last_seat_wins_and_the_later_resignation_is_better(rules):
    state = start(rules)
    for seat in (2, 0, 1):
        step = rules.resign(state, Seat(seat))
        assert [fact.seat for fact in step.facts if fact.kind == "resigned"] == [seat]
        state = step.state
    outcome = rules.outcome(state)
    assert outcome.reason == "last-seat"
    assert outcome.ranking == ((3,), (1,), (0,), (2,))
    (over,) = [fact for fact in step.facts if fact.kind == "game_over"]
    assert over.data["reason"] == "last-seat"
    assert over.data["ranking"] == [[3], [1], [0], [2]]
    assert over.data["scores"] == outcome.scores


@pytest.mark.rule("GEN-7")
@RULESETS
def test_when_the_only_one_awake_leaves_the_game_is_stopped(rules):
    """All others have been silent for two turns: a resignation ends it as a turn would."""
    state, awake = start(rules, 2), Seat(0)
    for _ in range(400):
        step = rules.resign(state, awake)
        if rules.outcome(step.state) is not None:
            break
        if awake in rules.to_act(state):
            state = rules.apply(state, awake, rules.standby_move(state, awake)).state
        else:
            state = standby(rules, state)
    (stopped,) = [fact for fact in step.facts if fact.kind == "stopped"]
    assert (stopped.seat, stopped.data) == (None, {"cause": "silence"})
    assert rules.outcome(step.state).reason == "stopped"
    assert rules.to_act(step.state) == ()
    assert rules.outcome(state) is None


@pytest.mark.rule("GEN-8")
@RULESETS
@pytest.mark.parametrize("plies", [3, 17])
def test_a_game_that_its_players_end_is_ranked_as_one_that_took_too_long(rules, plies):
    """The stopping score of the table as it is, whoever is to act; nothing is played after it."""
    state = start(rules, 3)
    while rules.is_choosing(state) or rules.ply(state) < plies:
        state = cautious(rules, state)
    step = rules.stop(state)
    assert rules.ply(step.state) == rules.ply(state)
    (stopped,) = [fact for fact in step.facts if fact.kind == "stopped"]
    assert (stopped.seat, stopped.data, stopped.audience) == (None, {"cause": "agreed"}, None)

    outcome = rules.outcome(step.state)
    assert outcome.reason == "stopped"
    assert sorted(seat for place in outcome.ranking for seat in place) == [*range(PLAYERS)]
    if "max_plies" in state.setup.options:
        limit = {"max_plies": rules.ply(state)}
        setup = Setup(PLAYERS, state.setup.seed, rules.check_options(PLAYERS, limit))
        other = rules.start(setup).state
        while rules.outcome(other) is None:
            other = cautious(rules, other)
        assert rules.ply(other) == rules.ply(state)
        assert outcome == rules.outcome(other)

    assert rules.to_act(step.state) == ()
    with pytest.raises(NotToActError) as caught:
        rules.stop(step.state)
    assert caught.value.message == "the game is over"
