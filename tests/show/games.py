"""Play whole games quickly without messages, as input for replays."""

from __future__ import annotations

import hashlib
from itertools import islice

from engine.api import Seat
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.lobby import creation as lobby
from tests.service.conftest import NAMES, Table

PEOPLE = (*NAMES, "Friedrich")

EVERY_KIND: list[tuple[str, int, dict[str, object]]] = [
    ("phyliss", 3, {}),
    ("cathedral", 2, {}),
    ("phalanx", 3, {"max_battles": 2}),
    ("phalanx", 2, {"max_battles": 2, "stakes": "zones"}),
    ("phase10", 3, {"phases_to_win": 2}),
    ("phase10-family", 2, {"phases_to_win": 1}),
]


def play(
    table: Table,
    ruleset: str,
    players: int,
    plies: int = 5000,
    seed: int = 1,
    *,
    challenge: bool = False,
    **options: object,
) -> Game:
    """Play a game with some risky moves, to its end or for at most `plies` plies."""
    game = lobby.create_game(
        table.service,
        [lobby.Person(n, f"{n.lower()}@example.org") for n in PEOPLE[:players]],
        lobby.GamePlan(
            ruleset, options=options, server_secret=bytes([seed]) * 32, challenge=challenge
        ),
    )
    with table.service.store.unit_of_work() as uow:
        decision = decide.decision_on(
            games.load(uow, game.id), actor="system", cause=None, now=table.clock.now()
        )
        for seat in range(players):
            decide.join(decision, seat, None)
        decide.settle(decision)
        for number in range(plies):
            now = decision.game
            assert now is not None
            if now.is_over or not now.to_act:
                break
            decide.play(decision, int(now.to_act[0]), _order(now, seed, number), source="mail")
        decide.settle(decision)
        Change(table.service, uow, None, decision).record()
    return table.game(game.id)


def _order(game: Game, seed: int, number: int) -> str:
    rules, seat = game.ruleset, Seat(game.to_act[0])
    legal = [rules.format_move(game.state, seat, m) for m in islice(_moves(game, seat), 40)]
    for order in legal:
        if order.startswith(("lay", "hit")):
            return order
    chance = hashlib.sha256(f"{seed} {number}".encode()).digest()
    if chance[0] % 3 and legal:
        return legal[chance[1] % len(legal)]
    return rules.format_move(game.state, seat, rules.standby_move(game.state, seat))


def _moves(game: Game, seat: Seat):
    return game.ruleset.legal_moves(game.state, seat)
