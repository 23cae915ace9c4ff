"""Whole games of every ruleset, from the invitation to the end, only by mail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from engine.api import Seat
from pbem import resources
from pbem.errors import Refusal
from pbem.mail_out.render import Renderer
from pbem.service.lobby import making as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from tests.service.conftest import NAMES, Table

SHORT: dict[str, dict[str, object]] = {
    "phalanx": {"max_battles": 1},
    "phase10": {"phases_to_win": 1},
    "phase10-family": {"phases_to_win": 1},
}


RENDERER = Renderer([resources.templates_dir() / "email"])
BY_MAIL = [name for name in registry.names() if RENDERER.knows(name)]
ENGINE_ONLY = [name for name in registry.names() if not RENDERER.knows(name)]


@pytest.mark.parametrize("ruleset", BY_MAIL)
def test_a_whole_game_by_mail(table: Table, ruleset: str) -> None:
    """Invitations, joins, choices, moves and the end by mail; the export verifies."""
    players = max(3 if ruleset in ("phyliss", "phalanx") else 2, registry.find(ruleset).players[0])
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:players]]
    game = lobby.create_game(
        table.service,
        people,
        lobby.GamePlan(ruleset, options=SHORT.get(ruleset, {}), server_secret=b"e" * 32),
    )
    table.run()
    for seat in range(players):
        table.answer(seat, "join")
    for _ in range(600):
        game = table.game(game.id)
        if game.is_over:
            break
        seat = game.to_act[0]
        move = game.ruleset.standby_move(game.state, Seat(seat))
        table.answer(seat, game.ruleset.format_move(game.state, Seat(seat), move))
    assert game.status == "finished"
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
        assert {row.status for row in uow.inbox.list(limit=2000)} == {"done"}
        assert {row.status for row in uow.outbox.list(limit=4000)} <= {"sent", "superseded"}
    report = verify_file(data)
    assert report.complete
    assert report.head == game.head
    for seat in range(players):
        proof = table.last_to(seat).message["PBEM-Chain-Head"]
        assert proof.split() == [game.head, str(game.version), game.id]


@pytest.mark.parametrize("ruleset", ["phyliss", *ENGINE_ONLY])
def test_a_game_without_words_is_refused(table: Table, ruleset: str) -> None:
    """Rules that no template can show make no game by mail; nothing is written."""
    service = replace(table.service, renderer=Renderer([]))
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:2]]
    with pytest.raises(Refusal, match="by mail yet"):
        lobby.create_game(service, people, lobby.GamePlan(ruleset))
    with service.store.reading() as uow:
        assert not uow.players.list()
