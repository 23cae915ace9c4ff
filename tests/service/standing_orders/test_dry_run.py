"""Test that `try` reveals nothing that its player does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from engine.api import Seat, Setup
from pbem.bots import Chance
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.games.face import knowledge_of
from pbem.service.standing_orders.giving import Tried, dry_run
from tests.domain.samples import PLAYERS, legal_orders, played


def tell(game: Game, seat: int, order: str) -> Tried | str:
    try:
        return dry_run(game, seat, order, PLAYERS, listing=game.position)
    except Refusal as refusal:
        return f"{refusal.rule} {refusal.message} {refusal.suggestions}"


def elsewhere(game: Game, seat: int, number: int) -> Game:
    """Return the same game as a seat can see it, with other hidden cards."""
    chance = Chance("elsewhere", number)
    setup = Setup(len(game.seats), chance.seed(), game.options)
    view = game.ruleset.view(game.state, Seat(seat))
    made = knowledge_of(game.ruleset.id.name).guess(view, setup, chance)
    other = replace(game, state=game.ruleset.state_from_json(setup, made))
    assert other.ruleset.view(other.state, Seat(seat)) == view
    assert other.ruleset.state_json(other.state) != game.ruleset.state_json(game.state)
    return other


@pytest.mark.rule("GEN-5", "GEN-16")
@pytest.mark.parametrize("name", registry.names())
def test_what_is_told_does_not_hang_on_hidden_cards(name: str) -> None:
    """Try every legal move at tables that look the same to the player."""
    asked = 0
    for plies in (0, 3, 9, 20):
        game = played(plies + 1, players=3, plies=plies, ruleset=name).game
        if game.is_over:
            continue
        seat = int(game.to_act[0])
        orders = [
            *legal_orders(game, seat)[:8],
            "play 9 9 9 9",
            "god",
            "flip 1",
            "21",
            "99",
            "take",
        ]
        other = elsewhere(game, seat, plies)
        for order in orders:
            assert tell(game, seat, order) == tell(other, seat, order)
            asked += not isinstance(tell(game, seat, order), str)
        for waiting in {0, 1, 2} - {int(number) for number in game.to_act}:
            other = elsewhere(game, waiting, plies)
            for order in ("pickup", "draw", "play 3", "flip 1"):
                assert tell(game, waiting, order) == tell(other, waiting, order)
    assert asked > 10


def test_what_is_told_comes_true() -> None:
    """The reported facts are the first public facts of the move."""
    game = played(4, players=3, plies=12).game
    seat = int(game.to_act[0])
    for order in legal_orders(game, seat):
        tried = dry_run(game, seat, order, PLAYERS, listing=game.position)
        move = game.ruleset.parse_order(game.state, Seat(seat), order)
        facts = game.ruleset.apply(game.state, Seat(seat), move).facts
        public = [fact for fact in facts if fact.audience is None]
        assert list(tried.facts) == public[: len(tried.facts)]
        assert order == "god" or tried.facts
