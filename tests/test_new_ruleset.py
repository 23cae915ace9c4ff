"""Test the package of docs/dev/new-ruleset.md, installed from the page's files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from engine import registry, replay
from engine.api import AnyRuleset, Seat, Setup
from engine.errors import AmbiguousOrderError, IllegalMoveError, InvalidOrderError, ReplayError
from pbem.domain.play.seating import next_id
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import read_next
from pbem.domain.words.game_order import read_game_order
from pbem.games.face import face
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file
from pbem.show import terminal
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tools import new_game

SEED = bytes(range(32))


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyRuleset]:
    """The ruleset of the page, installed as the package of the page."""
    top = tmp_path_factory.mktemp("page")
    new_game.write(top / "source")
    with new_game.installed(top / "source", top / "place"):
        yield registry.find("highcard")


@pytest.fixture
def table(tmp_path: Path, rules: AnyRuleset) -> Iterator[Table]:
    with sqlite_store(tmp_path) as store:
        yield make_table(store)


def started(rules: AnyRuleset, players: int = 3) -> object:
    return rules.start(Setup(players, SEED, rules.check_options(players, {}))).state


def test_it_is_registered_as_a_package(rules: AnyRuleset) -> None:
    """It is the last game, its package is known by name and version, and the shipped ones have none."""
    assert registry.names()[-1] == "highcard"
    assert registry.latest()[-1] is rules
    package = registry.package_of("highcard")
    assert package is not None
    assert (package.name, package.pin, package.fault) == ("highcard", "pbem-highcard==1.0", "")
    assert {registry.package_of(one.id.name) for one in registry.RULESETS} == {None}


def test_whole_games_replay(rules: AnyRuleset) -> None:
    """Any seat's first move to the end; the log gives every state back, through its JSON too."""
    for players in rules.players:
        setup = Setup(players, SEED, rules.check_options(players, {"cards": 4}))
        state, entries = rules.start(setup).state, []
        while rules.to_act(state):
            (seat,) = rules.to_act(state)
            assert rules.state_from_json(setup, rules.state_json(state)) == state
            *_, move = rules.legal_moves(state, seat)
            text = rules.format_move(state, seat, move)
            assert rules.parse_order(state, seat, text) == move
            entries.append(replay.MoveEntry(seat, text))
            state = rules.apply(state, seat, move).state
        assert replay.final_state(replay.GameLog(rules, setup, tuple(entries))) == state
        outcome = rules.outcome(state)
        assert outcome is not None
        assert sum(outcome.scores) == 4
        assert len(entries) == 4 * players


def test_orders_are_read_in_the_position(rules: AnyRuleset) -> None:
    state = started(rules)
    held = rules.view(state, Seat(0))["seats"][0]["hand"]  # type: ignore[index, call-overload]
    other = rules.view(state, Seat(1))["seats"][1]["hand"][0]  # type: ignore[index, call-overload]
    assert rules.parse_order(state, Seat(0), f"Play the {held[0]}!") == held[0]
    with pytest.raises(IllegalMoveError):
        rules.parse_order(state, Seat(0), f"play {other}")
    for text in ("play something", "7c 7d", "", "hello"):
        with pytest.raises(InvalidOrderError):
            rules.parse_order(state, Seat(0), text)
    ranks = [card[:-1] for card in held]
    for rank in {rank for rank in ranks if ranks.count(rank) > 1}:
        with pytest.raises(AmbiguousOrderError):
            rules.parse_order(state, Seat(0), f"play {rank}")


def test_nobody_sees_the_hands_of_others(rules: AnyRuleset) -> None:
    state = started(rules)
    for viewer in (None, Seat(0), Seat(1), Seat(2)):
        shown = [own["hand"] is not None for own in rules.view(state, viewer)["seats"]]  # type: ignore[union-attr, index, call-overload]
        assert shown == [seat == viewer for seat in range(3)]


def test_who_leaves_is_last(rules: AnyRuleset) -> None:
    state = started(rules)
    for seat in (2, 0):
        state = rules.resign(state, Seat(seat)).state
        setup = Setup(3, SEED, rules.check_options(3, {}))
        assert rules.state_from_json(setup, rules.state_json(state)) == state
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("last-seat", ((1,), (0,), (2,)))
    with pytest.raises(ReplayError):
        rules.state_from_json(setup, {"hands": []})


def test_a_whole_game_by_mail(table: Table, rules: AnyRuleset) -> None:
    """From the order of a player to the verified export; one seat lets a deadline pass."""
    game = table.started(3, ruleset="highcard", cards=3)
    turn = table.last_to(0)
    assert "You lead: play any card." in turn.words
    assert "Your hand, 3 cards" in turn.text
    html = turn.message.get_body(("html",))
    assert html is not None
    assert "Your hand, 3 cards" in html.get_content()
    table.answer(0, "21")
    table.clock.forward(days=4)
    table.run()
    game = table.game(game.id)
    assert rules.ply(game.state) == 2
    while not (game := table.game(game.id)).is_over:
        table.answer(*table.standby(game))
    over = table.last_to(0)
    assert "the game is over" in over.text
    assert "trick" in over.text
    assert {row.status for row in table.inbox()} == {"done"}
    with table.service.store.reading() as uow:
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
    assert verify_file(data).complete


def test_a_rematch_of_it(table: Table, rules: AnyRuleset) -> None:
    """A game without a dealer has none in the next one either."""
    game = table.started(2, ruleset="highcard", cards=1)
    assert rules.expected_turns(2, game.options) == 2
    while not (game := table.game(game.id)).is_over:
        table.answer(*table.standby(game))
    table.answer(0, "rematch")
    assert table.game(next_id(game, 1)).options == game.options


def test_its_face(rules: AnyRuleset) -> None:
    """What a player may write of it is understood, and its table is drawn."""
    its = face("highcard")
    vocabulary = TableVocabulary("highcard", ("Anna", "Bob", "Carol"))
    for example in its.next_examples:
        assert read_next(example.removeprefix("next: "), vocabulary, rules)
    assert read_game_order("highest card with bob@example.org").ruleset == "highcard"
    screen = io.StringIO()
    Console(file=screen).print(
        terminal.draw("highcard", rules.view(started(rules), Seat(0)), vocabulary.names)
    )
    assert "On the table:" in screen.getvalue()
    assert "5 hidden" in screen.getvalue()


def test_players_make_a_game_of_it_by_mail(table: Table) -> None:
    table.started(2)
    table.answer(0, "new highcard with bob@example.org")
    assert "High Card" in table.last_to(1).words
    table.answer(1, "rules highcard")
    assert "HIGH CARD" in table.last_to(1).text
