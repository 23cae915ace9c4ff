"""Test that `pbem.domain.table.fold` has exactly one row for each event."""

from __future__ import annotations

from typing import get_args

from pbem.domain.log.events import Event
from pbem.domain.table import fold


def test_every_event_has_its_row() -> None:
    assert set(fold.ROWS) == set(get_args(Event))


def test_no_event_is_folded_twice() -> None:
    modules = (fold.act_folds, fold.card_folds, fold.clock_folds, fold.motions, fold.seat_folds)
    rows = [kind for module in modules for kind in module.ROWS]
    assert len(rows) == len(set(rows))
