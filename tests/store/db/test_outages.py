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


def test_what_a_clock_that_ran_ahead_has_told_is_taken_back(store: Store) -> None:
    """No outage ends in the future, and the next real one is noticed."""
    with store.unit_of_work() as uow:
        uow.outages.beat("serve", NOW, QUARTER)
        uow.outages.beat("serve", NOW + timedelta(days=2), QUARTER)
        uow.outages.beat("serve", NOW + timedelta(days=4), QUARTER)
        assert uow.outages.beat("serve", NOW + MINUTE, QUARTER) is None
        assert [*map(period, uow.outages.within(NOW, NOW + timedelta(days=9)))] == [
            (NOW, NOW + MINUTE)
        ]
        again = NOW + MINUTE + timedelta(hours=7)
        assert period(uow.outages.beat("serve", again, QUARTER)) == (NOW + MINUTE, again)
