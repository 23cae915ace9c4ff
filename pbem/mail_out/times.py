"""Days and lengths of time as people read them."""

from __future__ import annotations

from datetime import date

from pbem.mail_out.texts import MONTHS, clean, count_text


def day_text(day: object) -> str:
    """`2026-12-20` → `20 December 2026`; what is no date stays as it is."""
    try:
        found = date.fromisoformat(str(day))
    except ValueError:
        return clean(day)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"


def about_text(seconds: int) -> str:
    """Say roughly how long something lasted: `40 minutes`, `7 hours`, `3 days`."""
    for size, one, many in ((86_400, "day", "days"), (3_600, "hour", "hours")):
        if seconds >= 2 * size:
            return count_text(round(seconds / size), one, many)
    return count_text(max(1, round(seconds / 60)), "minute", "minutes")
