"""Every event has its words for people who look at a log."""

from __future__ import annotations

from pbem.domain.log.events import EVENT_TYPES
from pbem.service.logbook.event_words import SAYS_NOTHING, WORDS


def test_every_event_stands_in_one_of_the_tables() -> None:
    """A new event has a row, or is known to say nothing; no row is left over."""
    assert set(WORDS) | SAYS_NOTHING == set(EVENT_TYPES)
    assert not set(WORDS) & SAYS_NOTHING
