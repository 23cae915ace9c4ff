"""Test signs of life and downtimes, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.store.db.uow import Store
from pbem.store.rows.core import Outage
from tests.store.samples import NOW

MINUTE = timedelta(minutes=1)
QUARTER = 15 * MINUTE


def period(outage: Outage | None) -> tuple[datetime, datetime] | None:
    return None if outage is None else (outage.begin, outage.end)


def test_only_a_long_gap_is_an_outage(store: Store) -> None:
    """The first beat is none; exactly the limit is none."""
    with store.unit_of_work() as uow:
        assert uow.outages.last_beat("serve") is None
        assert uow.outages.beat("serve", NOW, QUARTER) is None
        assert uow.outages.beat("serve", NOW + QUARTER, QUARTER) is None
        later = NOW + 2 * QUARTER + MINUTE
        assert period(uow.outages.beat("serve", later, QUARTER)) == (NOW + QUARTER, later)
        assert uow.outages.beat("serve", later, QUARTER) is None
        assert uow.outages.last_beat("serve") == later
        assert [*map(period, uow.outages.within(NOW, later))] == [(NOW + QUARTER, later)]
        assert uow.outages.within(NOW, NOW + QUARTER) == []
        assert uow.outages.within(later, later + MINUTE) == []
