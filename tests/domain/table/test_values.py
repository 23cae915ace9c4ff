"""Test `replace` of `pbem.domain.table.game`."""

from __future__ import annotations

import dataclasses

import pytest

from pbem.domain.table.game import SeatState, replace


def test_what_is_not_named_stays() -> None:
    seat = SeatState("p1", "joined", phrase="moss", vacations=(("2026-12-20", "2027-01-03"),))

    changed = replace(seat, seen=7, status="resigned")

    assert changed == dataclasses.replace(seat, seen=7, status="resigned")
    assert (seat.seen, seat.status) == (0, "joined")


def test_a_field_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        replace(SeatState("p1"), colour="red")
