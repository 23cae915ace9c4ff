"""Test the order `rules`: the rules of the right game with its options."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.service_words import Word
from tests.service.conftest import Table
from tests.service.notify.test_refusals import BARE, write


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rules phyliss", "phyliss"),
        ("Rules of Phalanx!", "phalanx"),
        ("rules for phase 10", "phase10"),
        ("rules phase10-family", "phase10-family"),
        ("RULES: Phase 10 family", "phase10-family"),
        ("rules", None),
    ],
)
def test_a_ruleset_may_be_named(text: str, name: str | None) -> None:
    """As people call it."""
    line = read_line(text, registry.latest())
    assert (line.kind, line.word, line.argument) == (LineKind.SERVICE, Word.RULES, name)


def test_in_a_game_its_own_options_are_in_force(table: Table) -> None:
    """For as many players as there are; one mail, no event."""
    game = table.started(4, deals=3)
    change = write(table, game, int(game.to_act[0]), "rules")
    assert change.events == 0
    words = change.only(int(game.to_act[0])).words
    assert "At your table there are 4 players" in words
    assert "* deals=3 (usually 1)" in words


def test_at_the_bare_address_with_several_games_it_is_asked_which(table: Table) -> None:
    """And every ruleset is offered; the name then gives the usual rules."""
    game = table.started(2, deals=2)
    table.new_game(2, deals=3)
    words = write(table, game, 0, "rules", to=BARE).only(0).words
    assert "Which game do you mean?" in words
    for name in registry.names():
        assert f'"rules {name}"' in words
    table.clock.forward(hours=1, seconds=1)
    assert "- deals=1:" in write(table, game, 0, "rules phyliss", to=BARE).only(0).words


def test_a_card_with_a_question_mark_is_offered_as_a_move(table: Table) -> None:
    """ "Hm, the 6 or so?" asks nothing that the rules could answer."""
    game = table.started(3, 1)
    seat, move = table.standby(game)
    change = write(table, game, seat, f"hm, the {move.split()[1][:-1]} or so?")
    words = change.only(seat).words
    assert change.events == 0
    assert f'If you mean that, reply with "{move}"' in words
    assert "The rules of" not in words


def test_a_question_at_a_table_gets_no_rules_of_another_game(table: Table) -> None:
    """Phyliss has no flanking, Phalanx has. The single word still finds it."""
    game = table.started(3, 1)
    words = write(table, game, 0, "how does flanking work here?").only(0).words
    assert "Phalanx" not in words
    table.clock.forward(hours=1, seconds=1)
    assert "The rules of Phalanx" in write(table, game, 0, "help flanking").only(0).words
