"""Play whole games of every ruleset by mail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from pbem import resources
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_out.render import Renderer
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from tests.service.conftest import NAMES, Table

RENDERER = Renderer([resources.templates_dir() / "email"])
BY_MAIL = [name for name in registry.names() if RENDERER.knows(name)]
ENGINE_ONLY = [name for name in registry.names() if not RENDERER.knows(name)]


def proven(table: Table, game: Game) -> None:
    """Check that all messages were handled and sent, and that log, export and last messages agree."""
    assert game.status == "finished"
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
        assert {row.status for row in uow.inbox.list(limit=2000)} == {"done"}
        assert {row.status for row in uow.outbox.list(limit=4000)} <= {"sent", "superseded"}
    report = verify_file(data)
    assert report.complete
    assert report.head == game.head
    for seat in range(len(game.seats)):
        proof = table.last_to(seat).message["PBEM-Chain-Head"]
        assert proof.split() == [game.head, str(game.version), game.id]


@pytest.mark.parametrize("ruleset", ["phyliss", *ENGINE_ONLY])
def test_a_game_without_words_is_refused(table: Table, ruleset: str) -> None:
    """A ruleset without templates cannot be played by mail, and nothing is written."""
    service = replace(table.service, renderer=Renderer([]))
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:2]]
    with pytest.raises(Refusal, match="by mail yet"):
        lobby.create_game(service, people, lobby.GamePlan(ruleset))
    with service.store.reading() as uow:
        assert not uow.players.list()


FULL_OF_WILDS = (1332).to_bytes(32, "big")
"""With it the first hand of two players at Phase 10 holds four wilds and three sevens."""


@pytest.mark.rule("P10-V4")
def test_a_game_in_which_wilds_alone_can_be_a_group(table: Table) -> None:
    """The invitation says so, a refusal shows how it is written, and the export verifies."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:2]]
    options = {"naturals": "phase", "phases": [1]}
    plan = lobby.GamePlan("phase10", options=options, server_secret=FULL_OF_WILDS)
    game = lobby.create_game(table.service, people, plan)
    table.run()
    assert "One number card in the whole phase is enough" in table.last_to(0).words
    for seat in range(2):
        table.answer(seat, "join")
    table.answer(0, "draw")
    refusal = table.ask(0, "lay 7 7 W / W W W").words
    assert "P10-V4" in refusal
    assert "W W W as 1" in refusal
    table.answer(0, "lay 7 7 W / W W W as 11")
    moves = [item.event.move for item in table.log(game) if isinstance(item.event, MovePlayed)]
    assert moves == ["draw", "lay B7 Y7 W / W W W as 11"]
    proven(table, table.skip(game, 5000))
