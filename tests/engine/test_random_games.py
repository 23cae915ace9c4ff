"""Many games of Phyliss, played at random through the public interface."""

import json
from collections import Counter

import pytest

from engine import registry
from engine.api import Seat, Setup, Source
from engine.cards import PACK
from engine.deals import all_cards
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.chance import chance
from tests.engine.phyliss.hidden import exchanged

RULES = registry.find("phyliss", 1)
GAMES = 100


def size(state) -> int:
    """Number of cards on the table."""
    table = len(state.stock) + len(state.pile) + len(state.course.removed)
    table += len(state.course.left_seen) + len(state.course.left_unseen)
    return table + sum(own.cards_left for own in state.seats)


def look_closely(state, seat, moves, luck):
    """The dearer checks, for a sample of the positions."""
    assert sorted(all_cards(state)) == sorted(PACK)
    for move in moves:
        text = RULES.format_move(state, seat, move)
        assert RULES.parse_order(state, seat, text) == move
        RULES.apply(state, seat, move)
    assert RULES.standby_move(state, seat) in moves
    data = json.loads(json.dumps(RULES.state_json(state)))
    assert RULES.state_from_json(state.setup, data) == state
    for viewer in (None, *range(state.setup.players)):
        other = exchanged(state, viewer, luck.shuffle)
        assert RULES.view(other, viewer) == RULES.view(state, viewer)


def choose(moves, wild: bool, luck):
    """A careless player takes anything; the others seldom pick up or call god without need."""
    if wild or luck.random() < 0.05:
        return luck.choice(moves)
    return luck.choice(moves[: max(1, len(moves) - 2)])


def play_one(number: int) -> str:
    luck = chance(f"phyliss {number}")
    players = luck.randint(2, 5)
    wild = luck.random() < 0.1
    given = {
        "deals": luck.choice([1, 1, 1, 1, 2, 3]),
        "max_plies": luck.choice([2000, 0, 40]) if not wild else 300,
        "auto_forced": luck.choice(["public", "all", "off"]),
    }
    silent = luck.random() < 0.1  # everybody falls asleep after a while
    quitting = 0.01 if luck.random() < 0.15 else 0.0
    setup = Setup(players, luck.randbytes(32), RULES.check_options(players, given))
    state = RULES.start(setup).state
    entries = []
    while to_act := RULES.to_act(state):
        (seat,) = to_act
        moves = list(RULES.legal_moves(state, seat))
        assert moves
        assert size(state) == 52
        if luck.random() < 0.01:
            look_closely(state, seat, moves, luck)
        if quitting and luck.random() < quitting:
            gone = Seat(luck.choice([s for s in range(players) if s not in state.resigned]))
            state = RULES.resign(state, gone).state
            entries.append(ResignEntry(gone))
            continue
        forced = RULES.forced_move(state)
        if forced is not None:
            assert forced == (seat, moves[0])
            assert len(moves) == 1
            move, source = moves[0], Source.FORCED
        elif silent and len(entries) > 20:
            move, source = RULES.standby_move(state, seat), Source.STANDBY
            assert move in moves
        else:
            move, source = choose(moves, wild, luck), Source.CHOSEN
        entries.append(MoveEntry(seat, RULES.format_move(state, seat, move), source))
        before = state
        state = RULES.apply(state, seat, move, source).state
        assert state.ply == before.ply + 1
    outcome = RULES.outcome(state)
    assert sorted(seat for place in outcome.ranking for seat in place) == list(range(players))
    assert sorted(all_cards(state)) == sorted(PACK)
    if number % 20 == 0:
        again = final_state(GameLog(RULES, setup, tuple(entries)))
        assert state_digest(RULES, again) == state_digest(RULES, state)
    return outcome.reason


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.rule("GEN-1", "GEN-8", "GEN-12", "PHY-22")
def test_random_games_end_with_a_ranking_and_every_card_in_its_place():
    """2 to 5 players, 1 to 3 deals, resignations, forced and standby moves."""
    reasons = Counter(play_one(number) for number in range(GAMES))
    assert reasons.total() == GAMES
    assert set(reasons) == {"finished", "stopped", "last-seat"}
