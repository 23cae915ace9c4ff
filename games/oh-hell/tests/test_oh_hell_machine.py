"""Whatever is done in whatever order: cards are conserved, suit is followed, hands stay hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine import registry, replay
from engine.api import Seat, Setup, Source
from engine.cards import PACK, SUIT_OF
from engine.errors import IllegalMoveError, NotToActError
from tests.engine.chance import chance as a_chance

RULES: Any = registry.find("ohhell", 1)


def check(state: Any) -> None:
    """What holds in every position."""
    cards = [*state.stock, state.trump, *state.played, *state.gone]
    cards += [card for hand in state.hands for card in hand] + [card for _, card in state.trick]
    assert sorted(cards) == sorted(PACK)
    assert RULES.state_from_json(state.setup, RULES.state_json(state)) == state
    assert (RULES.outcome(state) is None) == bool(RULES.to_act(state))
    for viewer in (None, *range(state.setup.players)):
        json.dumps(RULES.view(state, viewer))
    for seat in RULES.to_act(state):
        hide(state, seat)


def hide(state: Any, seat: Seat) -> None:
    """The view of a seat does not change where hidden cards are exchanged."""
    other = next(one for one in range(state.setup.players) if one != seat)
    if state.hands[other] and state.stock:
        hand, stock = list(state.hands[other]), list(state.stock)
        hand[0], stock[0] = stock[0], hand[0]
        hands = tuple(tuple(hand) if at == other else one for at, one in enumerate(state.hands))
        exchanged = replace(state, hands=hands, stock=tuple(stock))
        assert RULES.view(exchanged, seat) == RULES.view(state, seat)
        assert list(RULES.legal_moves(exchanged, seat)) == list(RULES.legal_moves(state, seat))


@pytest.mark.rule("OHH-8", "OHH-5", "GEN-1", "GEN-12")
@pytest.mark.parametrize("number", range(30))
def test_a_game_of_anything_keeps_its_promises(number: int) -> None:
    chance = a_chance(number)
    players = chance.randrange(3, 8)
    options = {
        "cards": chance.randrange(1, 8),
        "course": chance.choice(["down", "up", "both"]),
        "hook": chance.random() < 0.8,
        "auto_forced": chance.choice(["public", "all", "off"]),
    }
    setup = Setup(players, chance.randbytes(32), RULES.check_options(players, options))
    step, entries = RULES.start(setup), []
    state, limit = step.state, RULES.expected_turns(players, setup.options)
    while RULES.to_act(state):
        check(state)
        (seat,) = RULES.to_act(state)
        moves = list(RULES.legal_moves(state, seat))
        assert moves
        for move in (*range(9), *PACK):
            if move not in moves:
                with pytest.raises(IllegalMoveError):
                    RULES.apply(state, seat, move)
        with pytest.raises(NotToActError):
            RULES.apply(state, Seat((seat + 1) % players), moves[0])
        if not isinstance(moves[0], int) and state.trick:
            led = SUIT_OF[state.trick[0][1]]
            assert all(SUIT_OF[one] == led for one in moves) or not any(
                SUIT_OF[one] == led for one in state.hands[seat]
            )
        if chance.random() < 0.01:
            left = chance.choice([s for s in range(players) if s not in state.resigned])
            entries.append(replay.ResignEntry(Seat(left)))
            state = RULES.resign(state, Seat(left)).state
            continue
        forced = RULES.forced_move(state)
        assert forced is None or ([forced[1]] == moves and forced[0] == seat)
        assert RULES.standby_move(state, seat) in moves
        move = chance.choice(moves)
        text = RULES.format_move(state, seat, move)
        assert RULES.reads_as_order(text)
        assert RULES.parse_order(state, seat, text) == move
        entries.append(replay.MoveEntry(seat, text, Source.CHOSEN))
        after = RULES.apply(state, seat, move).state
        assert RULES.apply(state, seat, move).state == after
        assert RULES.ply(after) == RULES.ply(state) + 1 <= limit
        state = after
    check(state)
    assert replay.final_state(replay.GameLog(RULES, setup, tuple(entries))) == state
    for seat in range(players):
        with pytest.raises(NotToActError, match="the game is over"):
            RULES.apply(state, Seat(seat), 0)
