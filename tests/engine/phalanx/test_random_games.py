"""Many whole games of Phalanx, played at random through the public interface."""

import json
from collections import Counter

import pytest

from engine.api import Seat, Setup, Source
from engine.cards import PACK
from engine.errors import IllegalMoveError, NotToActError
from engine.phalanx.moves import CHECK, PASS, Open, Play, Target
from engine.phalanx.record import all_cards, cards_of_seat
from engine.phalanx.state import BETTING, is_gambling
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.chance import chance
from tests.engine.phalanx.hidden import exchanged
from tests.engine.phalanx.tables import RULES

GAMES = 60


def some_options(luck, players: int) -> dict:
    stakes = luck.choice(["cards", "cards", "zones", "per_card"])
    given = {
        "stakes": stakes,
        "aces": luck.choice([2, 4, 10, "highest"]),
        "auto_forced": luck.choice(["public", "all", "off"]),
        "max_plies": luck.choice([5000, 5000, 0, 1, 60]),
        "dealer": luck.randrange(players),
    }
    if stakes == "cards":
        given["tie"] = luck.choice(["back", "spoils", "swap"])
        given["ante"] = luck.choice([0, 0, luck.randint(0, 52 // players - 7)])
        given["max_battles"] = luck.choice([0, 1, 3])
    else:
        given["bankroll"] = luck.choice([3, 7, 30, 100])
        given["max_battles"] = luck.choice([1, 2, 3])
    return given


def look_fast(state) -> None:
    """Cards and chips are where they should be."""
    players = state.setup.players
    if is_gambling(state):
        chips = sum(own.chips for own in state.seats) + sum(map(sum, state.pots))
        assert chips == players * state.setup.options["bankroll"]
        assert all(len(cards_of_seat(state, Seat(n))) == 52 for n in range(players))
    else:
        assert len(all_cards(state)) == 52
    sizes = {len(state.seats[n].hand) for n in state.ring if n not in state.resigned}
    assert state.reason or max(sizes) - min(sizes) <= 1


def every_move(state, seat):
    """Every move there is in this position, sensible or not."""
    yield from (CHECK, PASS, *map(Open, PACK))
    lying = [Target(one.seat, one.card) for zone in state.zones for one in zone]
    for card in PACK:
        for place in ("left", "center", "right", "side:0"):
            yield Play(card, place)
            if card in state.seats[seat].hand:
                yield from (Play(card, place, target) for target in lying)


def is_taken(state, seat, move) -> bool:
    """True if the rules accept a move."""
    try:
        RULES.apply(state, seat, move)
    except IllegalMoveError:
        return False
    return True


def look_closely(state, seat, moves, luck) -> None:
    """The dearer checks, for a sample of the positions."""
    packs = (
        [cards_of_seat(state, Seat(n)) for n in range(state.setup.players)]
        if is_gambling(state)
        else [all_cards(state)]
    )
    assert all(sorted(pack) == sorted(PACK) for pack in packs)
    assert len(set(moves)) == len(moves)
    for move in moves:
        text = RULES.format_move(state, seat, move)
        assert RULES.parse_order(state, seat, text) == move
        RULES.apply(state, seat, move)
    if state.phase != BETTING:  # there raises of any height are legal, and not listed
        assert {move for move in every_move(state, seat) if is_taken(state, seat, move)} == set(
            moves
        )
    assert RULES.standby_move(state, seat) in moves
    data = json.loads(json.dumps(RULES.state_json(state)))
    assert RULES.state_from_json(state.setup, data) == state
    for viewer in (None, *range(state.setup.players)):
        other = exchanged(state, viewer, luck)
        assert RULES.view(other, viewer) == RULES.view(state, viewer)
        if viewer is not None and viewer not in state.to_act and not RULES.is_choosing(state):
            for move in (CHECK, PASS, Open(PACK[0])):
                with pytest.raises(NotToActError):
                    RULES.apply(state, Seat(viewer), move)


def next_move(state, luck, silent: bool):
    forced = RULES.forced_move(state)
    seat = luck.choice(state.to_act)
    moves = list(RULES.legal_moves(state, seat))
    assert moves, "a dead end"
    if forced is not None:
        assert [forced[1]] == moves
        return seat, moves, forced[1], Source.FORCED
    if silent:
        return seat, moves, RULES.standby_move(state, seat), Source.STANDBY
    return seat, moves, luck.choice(moves), Source.CHOSEN


def play_one(number: int) -> str:
    luck = chance(f"phalanx {number}")
    players = luck.randint(2, 6)
    options = RULES.check_options(players, some_options(luck, players))
    setup = Setup(players, luck.randbytes(32), options)
    silent = luck.random() < 0.1  # everybody falls asleep after a while
    quitting = 0.02 if luck.random() < 0.2 else 0.0
    state = RULES.start(setup).state
    entries = []
    shuffles = len(RULES.start(setup).shuffles)
    while state.to_act:
        if luck.random() < quitting:
            staying = [n for n in range(players) if n not in state.resigned]
            gone = Seat(luck.choice(staying))
            step = RULES.resign(state, gone)
            assert step.state.ply in (
                state.ply,
                state.ply + len(state.ring) - len(state.resigned) - 1,
            )
            entries.append(ResignEntry(gone))
        else:
            seat, moves, move, source = next_move(state, luck, silent and len(entries) > 20)
            if luck.random() < 0.02:
                look_closely(state, seat, moves, luck)
            entries.append(MoveEntry(seat, RULES.format_move(state, seat, move), source))
            step = RULES.apply(state, seat, move, source)
        numbers = [one.number for one in step.shuffles]
        assert numbers == list(range(shuffles, shuffles + len(numbers)))
        shuffles += len(numbers)
        state = step.state
        look_fast(state)
    outcome = RULES.outcome(state)
    assert sorted(seat for place in outcome.ranking for seat in place) == list(range(players))
    if number % 10 == 0:
        again = final_state(GameLog(RULES, setup, tuple(entries)))
        assert state_digest(RULES, again) == state_digest(RULES, state)
    return outcome.reason


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.rule(
    "GEN-1", "GEN-2", "GEN-5", "GEN-8", "GEN-12", "GEN-16", "PLX-22", "PLX-24", "PLX-V5"
)
def test_random_games_end_with_a_ranking_and_every_card_in_its_place():
    """2 to 6 players, every option, resignations, forced and standby moves."""
    reasons = Counter(play_one(number) for number in range(GAMES))
    assert reasons.total() == GAMES
    assert set(reasons) == {"finished", "stopped", "last-seat"}
