"""Test the order `rules`: the rules of the right game with its options."""

from __future__ import annotations

from engine import registry
from tests.service.conftest import Table
from tests.service.notify.test_refusals import BARE, write


def test_in_a_game_its_own_options_are_in_force(table: Table) -> None:
    """The rules are those for the number of players at the table."""
    game = table.started(4, deals=3)
    change = write(table, game, int(game.to_act[0]), "rules")
    assert change.events == 0
    words = change.only(int(game.to_act[0])).words
    assert "At your table there are 4 players" in words
    assert "* deals=3 (usually 1)" in words


def test_at_the_bare_address_with_several_games_it_is_asked_which(table: Table) -> None:
    """Offer every ruleset. A name gives the usual rules."""
    game = table.started(2, deals=2)
    table.new_game(2, deals=3)
    words = write(table, game, 0, "rules", to=BARE).only(0).words
    assert "Which game do you mean?" in words
    for name in registry.names():
        assert f'"rules {name}"' in words
    table.clock.forward(hours=1, seconds=1)
    assert "- deals=1:" in write(table, game, 0, "rules phyliss", to=BARE).only(0).words


def test_a_question_at_a_table_gets_no_rules_of_another_game(table: Table) -> None:
    """Phyliss has no flanking, Phalanx has. The single word still finds it."""
    game = table.started(3, 1)
    assert "Phalanx" not in write(table, game, 0, "how does flanking work here?").only(0).words
    table.clock.forward(hours=1, seconds=1)
    assert "The rules of Phalanx" in write(table, game, 0, "help flanking").only(0).words
