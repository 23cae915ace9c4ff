"""Test that every event has a description for readers of a log."""

from __future__ import annotations

from pbem.domain.log.events import EVENT_TYPES
from pbem.service.logbook.event_words import WORDS


def test_every_event_has_words() -> None:
    """A new event has a row, and no row is left over."""
    assert set(WORDS) == set(EVENT_TYPES)
