"""Test that messages about a finished game offer nothing that needs a running game."""

from __future__ import annotations

import pytest

from pbem.domain.table.game import Game
from pbem.service.admin import acts
from tests.service.conftest import Table, configured


@pytest.fixture(params=["phyliss", "cathedral", "phalanx", "phase10"])
def over(request: pytest.FixtureRequest, table: Table) -> tuple[Table, Game]:
    """Return a game that ended in the middle of a deal, at a table without limits on answers."""
    table.service = configured(table.service, idle_answers_per_hour=100)
    game = table.skip(table.started(2, ruleset=request.param), 6)
    acts.adjudicate(table.service, game.id, "Anna, Bob", "Bob moved away.")
    table.run()
    return table, table.game(game.id)


OFFERED = (
    "resign",
    "resgin",
    "play 7 maybe",
    "resign confirm",
    "confirm",
    "skip tutorial",
    "undoo",
    "pickupp",
)


def test_a_game_that_is_over_offers_no_order_in_it(over: tuple[Table, Game]) -> None:
    """Refuse orders with the reason, and suggest none for a typing mistake."""
    table, _ = over
    last = table.last_to(0).reply_to
    for line in OFFERED:
        said = table.ask(0, line, to=last).words
        assert "would be allowed" not in said, (line, said)
        assert "resign confirm" not in said.replace(f'"{line}"', ""), (line, said)
    assert 'This would be allowed: "rematch".' in table.ask(0, "remacth", to=last).words


def test_nothing_is_on_in_a_game_that_is_over(over: tuple[Table, Game]) -> None:
    """The table of an answer tells no hand, battle or card to beat."""
    table, game = over
    said = table.ask(0, "board", to=table.last_to(0).reply_to).words
    assert f"[{game.id}]" in str(table.last_to(0).message["Subject"])
    assert " is on." not in said
    assert "On top of " not in said
    assert "On the pile lies" not in said
