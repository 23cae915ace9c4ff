"""Values of a player's settings: parsers of arguments, and texts about the values.

The rows of `player_settings.Settings` use these functions. A function `read_…` returns the new
value for an argument and the current value, or raises ValueError. A function `answer_…` returns the
text that confirms a new value, and `show_…` the line in the answer to `settings`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal, TypeAlias, TypeVar

from engine.sentences import Sentence, all_of, sentence
from pbem.durations import duration_words, parse_duration
from pbem.sections import zones

USUAL_HOUR = 18
LAST_HOUR = 23
NO_HOUR = -1
MAX_REMINDERS = 5

T = TypeVar("T")


def on_or_off(argument: str | None, _current: bool) -> bool:
    """Parse `on` or `off`. Raises: ValueError."""
    return one_of({"on": True, "off": False}, argument)


def one_of(values: Mapping[str, T], argument: str | None) -> T:
    """Return the entry of a mapping for an argument. Raises: ValueError if there is none."""
    if argument is None or argument not in values:
        raise ValueError(argument)
    return values[argument]


def read_zone(argument: str | None, _current: str) -> str:
    """Return the IANA name of a zone. Accepts any case, and a city that is in only one zone."""
    by_lower = {zone.lower(): zone for zone in zones()}
    wanted = (argument or "").lower()
    if wanted in by_lower:
        return by_lower[wanted]
    named = [zone for zone in zones() if zone.lower().endswith(f"/{wanted}")]
    if wanted and len(named) == 1:
        return named[0]
    raise ValueError(argument)


def similar_zones(argument: str | None) -> Sequence[str]:
    """Return suggested orders with time zones whose names are similar to an argument."""
    by_lower = {zone.lower(): zone for zone in zones()}
    cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(zones())}
    near = difflib.get_close_matches(
        (argument or "").lower(), [*by_lower, *cities], n=3, cutoff=0.6
    )
    names = dict.fromkeys(by_lower.get(name) or cities[name] for name in near)
    return [sentence("timezone {zone}", zone=name) for name in names]


def read_cards(argument: str | None, current: tuple[str, ...]) -> tuple[str, ...]:
    """Add a card style. Colour and size can be combined, but `words` excludes the others."""
    if argument is None:
        raise ValueError(argument)
    if argument == "as usual":
        return ()
    kept = (
        () if argument == "words" else [word for word in current if word not in ("words", argument)]
    )
    return (*kept, argument)


def answer_cards(value: tuple[str, ...]) -> Sentence:
    """Return the confirmation for the card style that was added last, or that none is set."""
    return CARDS[value[-1]] if value else sentence("From now on your mails show cards as usual.")


CARDS = {
    "four-colour": sentence("Clubs are green and diamonds blue."),
    "large": sentence("Cards are large."),
    "words": sentence("Cards are written in words, in short mails to be read aloud."),
}


def read_reminders(
    argument: str | None, _current: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    """Parse `on`, `off`, `24h 4h`, `1d, 2h` or `24h and 4h` into minutes. Raises: ValueError."""
    if argument in ("on", "off"):
        return () if argument == "on" else None
    parts = (argument or "").replace(",", " ").replace(" and ", " ").split()
    times = {parse_duration(text) for text in parts}
    if not 0 < len(times) <= MAX_REMINDERS:
        raise ValueError(argument)
    return tuple(sorted({max(1, time // timedelta(minutes=1)) for time in times}, reverse=True))


def answer_reminders(minutes: tuple[int, ...] | None) -> Sentence:
    """Return the confirmation of the reminder times."""
    if minutes is None:
        return sentence("From now on you get no reminders of deadlines.")
    if not minutes:
        return sentence("From now on you get reminders of deadlines.")
    return sentence(
        "From now on you are reminded {times} before a deadline.", times=_times(minutes)
    )


def show_reminders(minutes: tuple[int, ...] | None) -> Sentence:
    """Return the line of `settings` about reminders."""
    if minutes is None:
        return sentence("Reminders: none.")
    if not minutes:
        return sentence("Reminders: as each game has them.")
    return sentence("Reminders: {times} before a deadline.", times=_times(minutes))


def _times(minutes: tuple[int, ...]) -> Sentence:
    return all_of([duration_words(60 * count) for count in minutes])


def read_hour(argument: str | None, _current: int) -> int:
    """Parse `on`, `off` or an hour from 0 to 23. Raises: ValueError."""
    if argument in ("on", "off"):
        return USUAL_HOUR if argument == "on" else NO_HOUR
    digits = (argument or "").removesuffix(":00")
    if digits.isascii() and digits.isdigit() and int(digits) <= LAST_HOUR:
        return int(digits)
    raise ValueError(argument)


def answer_hour(hour: int) -> Sentence:
    """Return the confirmation of the hour of the daily message, or that there is none."""
    if hour == NO_HOUR:
        return sentence("From now on news come in mails of their own again.")
    return sentence(
        "From now on news and most reminders come in one mail a day, at {hour} of your own day."
        " Your turns, answers to your mails, and what else asks something of you come at once.",
        hour=f"{hour:02d}:00",
    )


def show_hour(hour: int) -> Sentence:
    """Return the line of `settings` about the daily message."""
    if hour == NO_HOUR:
        return sentence("You get news as it happens.")
    return sentence(
        "You get the news in one mail a day, at {hour}; what asks something of you comes at once.",
        hour=f"{hour:02d}:00",
    )


TALK = {
    "at once": sentence("What others say comes at once."),
    "folded": sentence(
        "What others say comes with your next mail, or after three hours in one of its own."
    ),
    "": sentence(
        "What others say to you alone comes at once, what they say to all with your next mail or"
        " after three hours in one of its own."
    ),
}


def read_auto(argument: str | None, _current: bool) -> bool:
    """Parse `on`, `off` or nothing, which means `on`. Raises: ValueError."""
    return on_or_off(argument or "on", True)


def answer_auto(is_on: bool) -> Sentence:
    """Return the confirmation about moves that are played for the player."""
    if not is_on:
        return sentence(
            "From now on your moves wait for you, unless the game plays them by itself."
        )
    return sentence(
        "From now on your move is played at once when everybody can see that it is the only one; your"
        " next mail says so. A move that only your cards force still waits for you, since the others"
        " could tell from it what you hold."
    )


def show_auto(is_on: bool) -> Sentence:
    """Return the line of `settings` about moves that are played for the player, or empty."""
    return (
        sentence("Your move is played at once when everybody can see that it is the only one.")
        if is_on
        else Sentence("")
    )


Weekly: TypeAlias = bool | Literal["all"] | None
"""Type of `Settings.weekly`."""


def read_weekly(argument: str | None, _current: Weekly) -> Weekly:
    """Parse `on`, `off`, `all`, `for all`, or nothing, which means `on`. Raises: ValueError."""
    if argument in ("all", "for all"):
        return "all"
    return on_or_off(argument or "on", True)


def answer_weekly(wanted: Weekly) -> Sentence:
    """Return the confirmation about the weekly letter."""
    if wanted == "all":
        return sentence(
            "From now on you and everyone in the games and leagues that you started get a letter on Sunday"
            " evenings. Each of them can end it for themselves."
        )
    if wanted:
        return sentence(
            "From now on you get a letter on Sunday evenings: who won, the longest game, the boldest move,"
            " and whose turn is the oldest."
        )
    return sentence("From now on you get no weekly letter.")


def show_weekly(wanted: Weekly) -> Sentence:
    """Return the line of `settings` about the weekly letter, or empty without one."""
    if wanted == "all":
        return sentence(
            "You and everyone in the games and leagues that you started get a weekly letter."
        )
    return sentence("You get a weekly letter.") if wanted else Sentence("")


def read_receipts(argument: str | None, _current: bool | None) -> bool | None:
    """Parse `on` or `off`. Raises: ValueError."""
    return on_or_off(argument, True)


def show_receipts(wanted: bool | None) -> Sentence:
    """Return the line of `settings` about the setting `receipts`."""
    if wanted is False:
        return sentence("Moves that go well are not confirmed.")
    return sentence("Each of your moves is confirmed.")


def answer_receipts(wanted: bool | None) -> Sentence:
    """Return the confirmation of the setting `receipts`."""
    if wanted:
        return sentence("From now on each of your moves is confirmed in a mail.")
    return sentence(
        "From now on a move that goes well brings no mail; your next turn mail says what came of it."
        " You still get an answer if something was refused or unclear, or cannot be undone. Of"
        " a game's reminders only the last one comes."
    )
