"""Test that guessed hidden cards agree with the view and are drawn uniformly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine import registry
from engine.api import Setup
from pbem.bots import Chance
from pbem.games.profile import knowledge_of
from tests.bots.tables import GAMES, NAMES, Position, positions


def guessed(position: Position, dice: Chance) -> Any:
    """Return a state guessed from a view alone, after a round trip through JSON."""
    setup = Setup(position.setup.players, dice.seed(), position.setup.options)
    data = knowledge_of(position.rules.id.name).guess(position.view, setup, dice)
    return position.rules.state_from_json(setup, data)


@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_a_guess_is_a_state_that_gives_the_view_back(
    name: str, players: int, given: dict[str, Any]
) -> None:
    """In every position: same view, same legal moves, same standby move, and it can be played on."""
    dice = Chance("guess", name)
    for seed in range(2):
        for position in positions(name, players, given, seed):
            rules, seat = position.rules, position.seat
            state = guessed(position, dice)
            assert rules.view(state, seat) == position.view
            state = knowledge_of(name).redeal(state, seat, dice)
            assert rules.view(state, seat) == position.view
            assert rules.to_act(state) == rules.to_act(position.state)
            moves = list(rules.legal_moves(state, seat))
            assert [rules.format_move(state, seat, move) for move in moves] == position.orders
            standby = rules.standby_move(state, seat)
            assert standby == rules.standby_move(position.state, seat)
            rules.apply(state, seat, standby)


def first_position(name: str) -> Position:
    return next(positions(name, 2, {}, 3))


@pytest.mark.parametrize("name", registry.names())
def test_hidden_cards_of_others_are_equally_likely(name: str) -> None:
    """Over many guesses every card that may be there turns up about equally often."""
    position = first_position(name)
    rules, other = position.rules, 1 - position.seat
    dice = Chance("even", name)
    hands: Counter[str] = Counter()
    times = 600
    state = guessed(position, dice)
    for _ in range(times):
        state = knowledge_of(name).redeal(state, position.seat, dice)
        hands.update(rules.state_json(state)["seats"][other]["hand"])
    held = position.view["seats"][position.seat]["hand"]
    full = rules.state_json(position.state)["seats"][other]["hand"]
    assert not set(hands) & set(held) or name.startswith("phase10")
    kinds = [card for card in hands if card not in held and card not in ("W", "S")]
    mean = sum(hands[card] for card in kinds) / len(kinds)
    assert len(kinds) > 25
    assert sum(hands.values()) == times * len(full)
    # Six standard deviations of a count that is about Poisson.
    assert all(abs(hands[card] - mean) < 6 * mean**0.5 for card in kinds)


def test_the_guessed_future_is_not_the_real_one() -> None:
    """The seed of later shuffles is made up with the cards: two guesses deal on differently."""
    position = first_position("phyliss")
    dice = Chance("future")
    stocks = {str(position.rules.state_json(guessed(position, dice))["stock"]) for _ in range(20)}
    assert len(stocks) == 20
