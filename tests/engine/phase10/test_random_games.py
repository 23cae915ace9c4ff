"""Whole games by chance: both rulesets, every option, resignations, silence, forced moves."""

import json
from collections import Counter

import pytest

from engine.api import Seat, Setup, Source
from engine.errors import EngineError
from engine.phase10.cards import PACK, less
from engine.phase10.moves import DRAW, TAKE, Discard
from engine.phase10.record import all_cards
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from engine.silence import CHOSEN, FORCED, STANDBY
from tests.engine.chance import chance
from tests.engine.phase10.hidden import exchanged
from tests.engine.phase10.players import choose
from tests.engine.phase10.tables import FAMILY, OFFICIAL, orders_of

GAMES = 40

VARIANTS = (
    {},
    {"phases_to_win": 2},
    {"even_only": True},
    {"ten_hands": True, "phases": [1, 7, 9]},
    {"phases": [1], "auto_forced": "all"},
    {"phases": [8, 10], "deck": "standard"},
    {"phases": [2, 3], "ten_hands": True, "auto_forced": "off"},
    {"max_plies": 150},
    {"naturals": "phase", "phases": [1, 2, 3]},
    {"naturals": "phase", "phases": [2, 9], "deck": "standard"},
)


def look_closely(rules, state, luck):
    """What costs time and holds in every position."""
    data = json.loads(json.dumps(rules.state_json(state)))
    assert rules.state_from_json(state.setup, data) == state
    for viewer in (None, *range(state.setup.players)):
        other = exchanged(state, viewer, luck.shuffle)
        assert rules.view(other, viewer) == rules.view(state, viewer)
        if state.to_act != viewer and state.setup.options["auto_forced"] == "public":
            assert rules.forced_move(other) == rules.forced_move(state)
    seat = state.to_act
    moves = list(rules.legal_moves(state, seat))
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert rules.parse_order(state, seat, rules.format_move(state, seat, move)) == move
        rules.apply(state, seat, move)
    if not rules.is_list_complete(state, seat):
        return
    for move in (DRAW, TAKE, *(Discard(card) for card in set(PACK))):
        if move not in moves:
            with pytest.raises(EngineError):
                rules.apply(state, seat, move)


def always_true(state):
    assert sorted(all_cards(state)) == sorted(PACK)
    for seat, own in enumerate(state.seats):
        assert not less(own.known, own.hand)
        assert own.skips in (0, 1)
        assert own.laid or not state.groups[seat]
        if state.to_act == seat:
            assert own.hand
            assert not own.is_floating
            assert seat in state.dealt_in
            assert seat not in state.resigned


def play_one(number):
    luck = chance(number)
    rules = (OFFICIAL, FAMILY)[number % 2]
    players = 2 + luck.randrange(5)
    options = {**VARIANTS[number // 2 % len(VARIANTS)], "dealer": luck.randrange(players)}
    setup = Setup(players, luck.randbytes(32), rules.check_options(players, options))
    quitting = luck.choice([0, 0, 0, 0.002, 0.02])
    silent = luck.random() < 0.15
    step = rules.start(setup)
    state, entries, shuffles = step.state, [], list(step.shuffles)
    while state.to_act is not None:
        seat = state.to_act
        if luck.random() < 0.02:
            look_closely(rules, state, luck)
            always_true(state)
        if luck.random() < quitting:
            gone = Seat(luck.choice([s for s in range(players) if s not in state.resigned]))
            step = rules.resign(state, gone)
            entries.append(ResignEntry(gone))
        else:
            forced = rules.forced_move(state)
            moves = list(rules.legal_moves(state, seat))
            assert moves
            if forced is not None:
                assert [forced] == [(seat, move) for move in moves]
                move, source = forced[1], Source.FORCED
            elif silent and len(entries) > 60:
                move, source = rules.standby_move(state, seat), Source.STANDBY
                assert move in moves
            else:
                move, source = choose(state, seat, moves, luck), Source.CHOSEN
            entries.append(MoveEntry(seat, rules.format_move(state, seat, move), source))
            step = rules.apply(state, seat, move, source)
            assert step.state.ply == state.ply + 1
        state = step.state
        shuffles += step.shuffles
    always_true(state)
    assert [opened.number for opened in shuffles] == list(range(len(shuffles)))
    outcome = rules.outcome(state)
    assert sorted(seat for place in outcome.ranking for seat in place) == list(range(players))
    assert not state.setup.options["max_plies"] or state.ply <= state.setup.options["max_plies"]
    if number % 10 == 0:
        again = final_state(GameLog(rules, setup, tuple(entries)))
        assert state_digest(rules, again) == state_digest(rules, state)
    return outcome.reason


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-8", "GEN-12", "GEN-13", "GEN-16", "P10-31", "P10-V4")
def test_random_games_end_with_a_ranking_and_every_card_in_its_place():
    """2 to 6 players, all options, resignations, forced and standby moves."""
    reasons = Counter(play_one(number) for number in range(GAMES))
    assert reasons.total() == GAMES
    assert reasons["finished"]


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.rule("P10-29")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_standby_alone_makes_progress(rules, players):
    """A table that only draws, lays, hits and discards by rule ends the whole game."""
    state = rules.start(
        Setup(players, bytes([players]) * 32, rules.check_options(players, {"phases_to_win": 5}))
    ).state
    while state.to_act is not None:
        move = rules.standby_move(state, state.to_act)
        assert rules.format_move(state, state.to_act, move) in orders_of(state)
        # As if chosen, so that silence does not stop it.
        state = rules.apply(state, state.to_act, move).state
    assert rules.outcome(state).reason == "finished"


def test_turn_marks():
    """The sums that the tests of silence write down."""
    assert (STANDBY, CHOSEN, FORCED) == (1, 2, 4)
