"""How long a mail, a domain or the next server is left alone after a failure."""

from __future__ import annotations

from datetime import timedelta

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)


def retry_after(attempts: int) -> timedelta:
    """Give the pause after so many failed attempts (from 1): doubling, up to two hours."""
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def server_pause(failures: int) -> timedelta:
    """Give the pause after so many failures of the next server itself: it is asked oftener."""
    doublings = min(max(failures - 1, 0), 20)
    return min(FIRST_SERVER_PAUSE * (1 << doublings), LONGEST_SERVER_PAUSE)
