"""What a player may set for all their mails."""

from __future__ import annotations

import difflib
from zoneinfo import available_timezones

from pbem.errors import Refusal
from pbem.store.uow import UnitOfWork


def checked_zone(text: str | None) -> str:
    """Give the IANA name of a zone, whatever its case. Raises: Refusal with the nearest names."""
    zones = available_timezones()
    by_lower = {zone.lower(): zone for zone in zones}
    wanted = (text or "").lower()
    if wanted in by_lower:
        return by_lower[wanted]
    cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(zones)}
    near = difflib.get_close_matches(wanted, [*by_lower, *cities], n=3, cutoff=0.6)
    names = dict.fromkeys(by_lower.get(name) or cities[name] for name in near)
    raise Refusal(
        "zone",
        "There is no time zone of that name; write it like Europe/Berlin or America/New_York.",
        suggestions=tuple(f"timezone {name}" for name in names),
    )


def set_reminders(uow: UnitOfWork, player_id: str, word: str | None) -> str:
    """Carry out `reminders on` or `reminders off`; gives a sentence. Raises: Refusal."""
    if word is None:
        raise Refusal(
            "reminders",
            "Please say whether you want reminders.",
            suggestions=("reminders on", "reminders off"),
        )
    uow.players.set_reminders(player_id, wanted=word == "on")
    return f"From now on you get {'reminders' if word == 'on' else 'no reminders'} of deadlines."
