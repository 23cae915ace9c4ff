"""How long a mail, a domain or the next server is left alone after a failure."""

from __future__ import annotations

from datetime import timedelta

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(days=5)
"""As long as mail servers try (RFC 5321 §4.5.4.1)."""


def retry_after(attempts: int) -> timedelta:
    """Return the pause after so many failed attempts (from 1): doubling, up to two hours."""
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def is_hopeless(refusals: int) -> bool:
    """True if so many refusals in a row, with the pauses between them, fill the time to give up.

    Counted in attempts: while we are off, or our own server takes nothing, nobody was asked in vain.
    """
    pauses = (retry_after(attempt) for attempt in range(1, refusals))
    return sum(pauses, timedelta()) >= GIVE_UP_AFTER


def server_pause(failures: int) -> timedelta:
    """Return the pause after so many failures of the next server itself: it is asked oftener."""
    doublings = min(max(failures - 1, 0), 20)
    return min(FIRST_SERVER_PAUSE * (1 << doublings), LONGEST_SERVER_PAUSE)
