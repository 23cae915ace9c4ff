"""Test that zones of Phalanx are named after the neighbour who shares them."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table


@pytest.mark.rule("PLX-3", "PLX-11")
def test_zones_are_called_by_neighbours(table: Table) -> None:
    """In refusals, in a move that the service made, and where moves are to be taken back."""
    game = table.skip(table.started(3, ruleset="phalanx"), 3)
    seat = int(game.to_act[0])
    card = table.standby(game)[1].split()[1]
    refused = table.ask(seat, card).words
    assert f"Into which zone does {card} go: with Bob, middle, with Carol?" in refused
    assert "middle, with Carol?" in table.ask(seat, f"try {card}").words
    table.wait(days=4)
    made = f'"play {card} with Bob"'
    assert f"a safe move was made for you: {made}" in table.last_to(seat).words
    assert f"so a safe move was made: {made}" in table.last_to((seat + 1) % 3).words
    table.answer(seat, "undo")
    asked = table.last_to((seat + 2) % 3).words
    assert "asks to take back moves" in asked.split("Phalanx")[0]
    assert "with Bob" in asked.split("would be as it was")[0]
