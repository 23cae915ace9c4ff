"""Generate positions of every ruleset, from the middle of random games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine import registry
from engine.api import AnyRuleset, Seat, Setup
from tests.engine.cathedral.hidden import exchanged as exchange_cathedral
from tests.engine.chance import chance
from tests.engine.phalanx.hidden import exchanged as exchange_phalanx
from tests.engine.phase10.hidden import exchanged as exchange_phase10
from tests.engine.phyliss.hidden import exchanged as exchange_phyliss

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("phyliss", 2, {}),
    ("phyliss", 3, {"deals": 3}),
    ("phyliss", 5, {"max_plies": 60}),
    ("cathedral", 2, {"deals": 2}),
    ("cathedral", 4, {}),
    ("cathedral", 6, {"deals": 3}),
    ("phalanx", 2, {}),
    ("phalanx", 3, {"tie": "spoils", "ante": 2}),
    ("phalanx", 5, {"tie": "swap", "aces": "highest"}),
    ("phalanx", 6, {"aces": 10, "max_battles": 3}),
    ("phalanx", 2, {"stakes": "zones", "bankroll": 9}),
    ("phalanx", 4, {"stakes": "zones", "aces": 4}),
    ("phalanx", 3, {"stakes": "per_card", "bankroll": 12, "max_battles": 6}),
    ("phase10", 2, {"phases_to_win": 2}),
    ("phase10", 4, {"phases": [1, 8]}),
    ("phase10", 3, {"ten_hands": True, "phases": [1, 2]}),
    ("phase10", 3, {"naturals": "phase", "phases": [1, 2]}),
    ("phase10-family", 2, {"even_only": True}),
    ("phase10-family", 6, {"phases_to_win": 1}),
]
"""Ruleset, number of seats and options, with every option that affects what a bot must guess."""

NAMES = [f"{name}-{players}-{'-'.join(map(str, given))}" for name, players, given in GAMES]


@dataclass(frozen=True, slots=True)
class Position:
    """A position in which a seat is to act."""

    rules: AnyRuleset
    setup: Setup
    state: Any
    seat: Seat

    @property
    def view(self) -> Any:
        """Return the seat's view after a round trip through JSON."""
        return json.loads(json.dumps(self.rules.view(self.state, self.seat)))

    @property
    def orders(self) -> list[str]:
        """Return the orders of all legal moves of the seat."""
        moves = self.rules.legal_moves(self.state, self.seat)
        return [self.rules.format_move(self.state, self.seat, move) for move in moves]


def positions(
    name: str, players: int, given: dict[str, Any], seed: int, plies: int = 250
) -> Iterator[Position]:
    """Yield every position of a random game of at most `plies` plies, with some resignations."""
    rules = registry.find(name)
    luck = chance(f"{name} {players} {given} {seed}")
    setup = Setup(players, luck.randbytes(32), rules.check_options(players, given))
    state = rules.start(setup).state
    quitting = luck.choice([0.0, 0.02])
    for _ in range(plies):
        to_act = rules.to_act(state)
        if not to_act:
            return
        for seat in to_act:
            yield Position(rules, setup, state, seat)
        if luck.random() < quitting:
            shown = rules.view(state, None)["seats"]
            left = [Seat(at) for at in range(players) if not shown[at]["resigned"]]
            state = rules.resign(state, luck.choice(left)).state
            continue
        seat = luck.choice(to_act)
        if luck.random() < 0.6:
            move = rules.standby_move(state, seat)
        else:
            move = luck.choice(list(rules.legal_moves(state, seat)))
        state = rules.apply(state, seat, move).state


def exchanged(position: Position, seed: int) -> Any:
    """Return the state after dealing again everything that the seat to act cannot know."""
    luck = chance(seed)
    exchange: dict[str, Callable[[], Any]] = {
        "phyliss": lambda: exchange_phyliss(position.state, position.seat, luck.shuffle),
        "cathedral": lambda: exchange_cathedral(position.state, position.seat, luck.shuffle),
        "phalanx": lambda: exchange_phalanx(position.state, position.seat, luck),
        "phase10": lambda: exchange_phase10(position.state, position.seat, luck.shuffle),
        "phase10-family": lambda: exchange_phase10(position.state, position.seat, luck.shuffle),
    }
    return exchange[position.rules.id.name]()
