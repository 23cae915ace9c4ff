"""`pbem.domain.table.fold`: one row for each event, and what it says is what the ladders said."""

from __future__ import annotations

from typing import get_args

import pytest

from engine import registry
from pbem.domain.log.events import Event, Recorded
from pbem.domain.table import evolve as ladder
from pbem.domain.table import fold
from pbem.domain.table.game import Game
from pbem.errors import LogError
from tests.domain.samples import GAME_ID, NOW, played


def test_every_event_has_its_row() -> None:
    assert set(fold.ROWS) == set(get_args(Event))


def test_no_event_is_folded_twice() -> None:
    modules = (fold.act_folds, fold.card_folds, fold.clock_folds, fold.motions, fold.seat_folds)
    rows = [kind for module in (*modules, fold.talk_folds) for kind in module.ROWS]
    assert len(rows) == len(set(rows))


def _says(evolve: object, game: Game | None, item: Recorded, past: dict[int, Game]) -> object:
    try:
        return evolve(game, item, GAME_ID, past)  # type: ignore[operator]
    except LogError as error:
        return str(error)


@pytest.mark.parametrize("name", registry.names())
def test_rows_and_ladders_agree(name: str) -> None:
    """On every event of a game, and at every tenth place on events of all others."""
    story = played(3, 3 if name != "phalanx" else 2, ruleset=name, plies=80)
    game, past = None, {}
    for item in story.recorded:
        if item.version % 10 == 0:
            for other in story.recorded[1::7]:
                here = Recorded(item.version, NOW, other.actor, None, "", other.event)
                assert _says(fold.evolve, game, here, past) == _says(
                    ladder.evolve, game, here, past
                )
        after = ladder.evolve(game, item, GAME_ID, past)
        assert fold.evolve(game, item, GAME_ID, past) == after
        game = past[item.version] = after
