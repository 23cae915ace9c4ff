"""Test that bots choose moves from the view of their seat alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.errors import NotToActError
from pbem.bots import LEVELS, Chance, choose, find_level
from pbem.bots.search import Search
from pbem.errors import Refusal
from pbem.games.profile import knowledge_of
from tests.bots.tables import GAMES, NAMES, Position, exchanged, positions

EASY, MEDIUM, STANDBY = find_level("easy"), find_level("medium"), find_level("standby")
SEARCHED = [name for name in registry.names() if knowledge_of(name).iterations[0]]


def order_of(position: Position, level: Any, *stream: object) -> str:
    return choose(
        position.rules.id,
        position.setup.players,
        position.setup.options,
        position.view,
        level,
        Chance(*stream),
    )


def some_positions(
    name: str, players: int, given: dict[str, Any], count: int, moves: int = 5
) -> list[Position]:
    """A few positions of a game, spread over it, in which the seat has so many moves or more."""
    every = list(positions(name, players, given, 7, 120))
    every = [position for position in every if len(position.orders) >= moves]
    return every[:: max(1, len(every) // count)][:count]


@pytest.mark.rule("GEN-5", "GEN-16")
@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_hidden_cards_change_no_move(name: str, players: int, given: dict[str, Any]) -> None:
    """Exchange all that the seat cannot know: with the same dice the bot gives the same order."""
    for number, position in enumerate(some_positions(name, players, given, 2)):
        first = order_of(position, EASY, number)
        assert first in position.orders
        for seed in range(2):
            other = Position(
                position.rules, position.setup, exchanged(position, seed), position.seat
            )
            assert other.state != position.state
            assert order_of(other, EASY, number) == first


@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_the_weakest_level_is_the_standby_move(
    name: str, players: int, given: dict[str, Any]
) -> None:
    """It follows from the view alone."""
    for number, position in enumerate(some_positions(name, players, given, 12, 1)):
        move = position.rules.standby_move(position.state, position.seat)
        text = position.rules.format_move(position.state, position.seat, move)
        assert order_of(position, STANDBY, number) == text


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_finds_a_move_of_the_seat(name: str) -> None:
    """This includes secret choices. `medium` and `hard` differ only in their budget."""
    known = knowledge_of(name)
    assert known.iterations[0] < known.iterations[1]
    for number, position in enumerate(some_positions(name, 3, {}, 3)):
        rules, setup = position.rules, position.setup
        search = Search(
            rules, known, setup.players, dict(setup.options), position.view, Chance(number)
        )
        moves = list(rules.legal_moves(position.state, position.seat))
        assert search.best(moves, 40) in moves


@pytest.mark.parametrize("name", sorted({*registry.names()} - {*SEARCHED}))
def test_where_a_search_finds_nothing_better_every_level_plays_the_rule(name: str) -> None:
    """Phase 10, both rulesets: the levels differ in nothing."""
    for position in some_positions(name, 3, {}, 12):
        move = knowledge_of(name).rule(position.state, position.seat)
        text = position.rules.format_move(position.state, position.seat, move)
        assert {order_of(position, level) for level in (EASY, MEDIUM, find_level("hard"))} == {text}


@pytest.mark.parametrize(("doubt", "is_the_rule"), [(1e9, True), (-1e9, False)])
def test_a_flat_search_leaves_the_rule_of_thumb_only_if_it_is_sure(
    doubt: float, is_the_rule: bool
) -> None:
    """With endless doubt it plays the rule; with none it does not, somewhere."""
    known = replace(knowledge_of("phyliss"), doubt=doubt)
    usual = []
    for number, position in enumerate(some_positions("phyliss", 3, {}, 12)):
        rules, setup = position.rules, position.setup
        search = Search(
            rules, known, setup.players, dict(setup.options), position.view, Chance(number)
        )
        moves = list(rules.legal_moves(position.state, position.seat))
        rule = known.rule(position.state, position.seat)
        usual.append(known.key(search.best(moves, 20)) == known.key(rule))
    assert all(usual) is is_the_rule


def test_a_flat_search_plays_on_only_until_the_own_place_is_certain() -> None:
    """Once a player of Phyliss is out, the moves of others do not change the result."""
    known = knowledge_of("phyliss")
    settled = []

    def is_settled(state: Any, seat: Any) -> bool:
        settled.append(known.is_settled(state, seat))
        assert settled[-1] is (state.seats[seat].out is not None)
        return settled[-1]

    position = next(positions("phyliss", 3, {}, 7))
    rules, setup = position.rules, position.setup
    watched = replace(known, is_settled=is_settled)
    search = Search(rules, watched, 3, dict(setup.options), position.view, Chance(1))
    search.best(list(rules.legal_moves(position.state, position.seat)), 40)
    assert any(settled)


@pytest.mark.parametrize(("name", "players", "given"), GAMES, ids=NAMES)
def test_a_rule_of_thumb_is_at_hand_everywhere(
    name: str, players: int, given: dict[str, Any]
) -> None:
    """A legal move in every position, with every option."""
    rule = knowledge_of(name).rule
    for position in positions(name, players, given, 11, 120):
        move = rule(position.state, position.seat)
        position.rules.apply(position.state, position.seat, move)


def test_a_view_of_nobody_to_act_is_refused() -> None:
    """An observer's view, and that of a seat that waits."""
    position = next(positions("phyliss", 2, {}, 1))
    for viewer in (None, 1 - position.seat):
        view = position.rules.view(position.state, viewer)
        with pytest.raises(NotToActError):
            choose(position.rules.id, 2, position.setup.options, view, EASY, Chance())


def test_an_unknown_level_or_game_is_refused_with_what_there_is() -> None:
    """In plain words."""
    with pytest.raises(Refusal, match=r"did you mean hard\?"):
        find_level("hadr")
    with pytest.raises(Refusal, match="phyliss"):
        knowledge_of("bridge")
    assert [level.name for level in LEVELS] == ["standby", "random", "easy", "medium", "hard"]
