"""Play real games and collect a message of each kind, for the gallery and the checks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from engine import registry
from pbem.domain.table.game import Game
from pbem.service.lobby import creation as lobby
from tests.databases import sqlite_store
from tests.service.conftest import NAMES, Sent, Table, make_table

GAMES = {
    "phyliss": (3, {}),
    "cathedral": (3, {}),
    "phalanx": (3, {"max_battles": 2}),
    "phalanx-zones": (2, {"stakes": "zones", "max_battles": 2, "bankroll": 30}),
    "phase10": (3, {"phases_to_win": 2}),
    "phase10-family": (2, {"phases_to_win": 1}),
}
"""Players and options by row of the gallery. The names of rows begin with a ruleset."""
LONGEST = 400


def scenes(row: str, language: str) -> Iterator[tuple[str, Sent]]:
    """Play one game of a row and return its messages by content."""
    with tempfile.TemporaryDirectory() as folder, sqlite_store(Path(folder)) as store:
        yield from _played(make_table(store), row, language)


def _played(table: Table, row: str, language: str) -> Iterator[tuple[str, Sent]]:
    players, options = GAMES[row]
    ruleset = max((name for name in registry.names() if row.startswith(name)), key=len)
    for name in NAMES[:players]:
        person = lobby.Person(name, f"{name.lower()}@example.org", language)
        lobby.add_player(table.service, person)
    game = table.new_game(players, 7, ruleset=ruleset, **options)
    yield "invitation", table.last_to(0)
    table.answer(0, "join phrase: green tea on Sunday")
    yield "joined", table.last_to(0)
    for seat in range(1, players):
        table.answer(seat, "join")
    game = table.game(game.id)
    now, later = _acting(game), _waiting(game)
    yield "first turn", table.last_to(now)
    if later is not None:
        yield "started, not to move", table.last_to(later)
    table.answer(now, "paly 99 of everything")
    yield "answer, not understood", table.last_to(now)
    yield from _told(table, now)
    game = table.skip(game, 8 * players, until=_is_rich)
    if not game.is_over:
        yield from _later(table, game)
    if ruleset == "phalanx":
        game = table.skip(game, LONGEST, until=_is_second_battle)
        yield "turn, after a battle", table.last_to(_acting(game))
    game = table.skip(game, LONGEST)
    yield "finished" if game.is_over else "far on", table.last_to(0)


def _told(table: Table, seat: int) -> Iterator[tuple[str, Sent]]:
    of_game = table.last_to(seat).reply_to
    for order in ("help", "rules", "games", "settings", "standings", "board", "history"):
        table.answer(seat, order, to=of_game)
        yield order, table.last_to(seat)


def _later(table: Table, game: Game) -> Iterator[tuple[str, Sent]]:
    now = _acting(game)
    yield "turn, mid game", table.last_to(now)
    other = _waiting(game)
    if other is not None:
        table.answer(other, "21", to=table.mails_to(other)[-1].reply_to)
        yield "answer, not their turn", table.last_to(other)
        table.answer(other, "say Who shuffled these cards? They hate me; all of them.")
        table.answer(now, "board")
        yield "board, with talk", table.last_to(now)
        table.answer(other, "pause")
        yield "vote on a pause", table.last_to(now)
        table.answer(now, "no")
    _, order = table.standby(table.game(game.id))
    table.answer(now, order)
    yield "answer, done", table.last_to(now)
    table.answer(now, "undo")
    asked = [seat for seat in range(len(game.seats)) if seat != now]
    if not table.game(game.id).is_over:
        yield "vote on taking back", table.last_to(asked[0])
    for seat in asked:
        table.answer(seat, "no")
    game = table.game(game.id)
    if game.is_over:
        return
    now = _acting(game)
    table.clock.forward(days=2.8)
    table.run()
    yield "reminder", table.last_to(now)
    table.clock.forward(days=1)
    table.run()
    yield "timed out", table.last_to(now)
    table.answer(now, "digest on")
    table.clock.forward(days=1)
    table.run()
    yield "daily mail", table.last_to(now)
    table.answer(now, "digest off")


def _acting(game: Game) -> int:
    return int(game.to_act[0])


def _waiting(game: Game) -> int | None:
    others = [seat for seat in range(len(game.seats)) if seat not in game.to_act]
    return others[0] if others else None


def _is_second_battle(game: Game) -> bool:
    return int(game.ruleset.state_json(game.state)["battle"]) > 0  # type: ignore[arg-type]


def _is_rich(game: Game) -> bool:
    """True if the table is worth a picture: three laid groups, a fought battle or a long pile."""
    name, state = game.ruleset.id.name, game.ruleset.state_json(game.state)
    if name.startswith("phase10"):
        return sum(map(len, state["groups"])) >= 3  # type: ignore[arg-type]
    if name == "phalanx":
        return sum(map(len, state["zones"].values())) >= 6  # type: ignore[union-attr]
    return len(state["pile"]) > 4  # type: ignore[arg-type]
