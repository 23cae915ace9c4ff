"""Patterns for the parts of an order for a new game, in all languages at once.

Each language's module defines the words in its table `WISH`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pbem.domain.words import en
from pbem.domain.words.translate import TABLES

_TONGUES = (en, *TABLES.values())


def _alternatives(piece: str) -> str:
    """Join the languages' alternatives for a part of a pattern."""
    return "|".join(table.WISH[piece] for table in _TONGUES)


def _words(piece: str) -> list[str]:
    return [word for table in _TONGUES for word in table.WISH[piece].split()]


JOINT = rf"(?:{_alternatives('joint')})"
SEPARATOR = re.compile(rf"[,;\n]|(?:^|(?<=\s)){JOINT}(?=\s|$)|(?<=\s)&(?=\s)", re.IGNORECASE)
OPEN_END = re.compile(rf"(?:[,;=:]|\b{JOINT}|<|\b(?:max|time|per|by))\s*$", re.IGNORECASE)
ADDRESS = re.compile(
    r"<?\s*(?:mailto:)?([^\s<>()\[\],;:\"]{1,64}@[^\s<>()\[\],;:\"]{1,190})\s*>?"
    r"(?:\s*[<\[(](?:mailto:)?[^\s<>]*@[^\s<>]*[>\])])?",
    re.IGNORECASE,
)
DURATION = rf"\d{{1,6}}\s*(?:{_alternatives('units')}|[wdhms])(?:\s*\d{{1,6}}\s*[wdhms](?!\w))?"
_NUMBERS = {
    word: number
    for table in _TONGUES
    for number, words in enumerate(table.WISH["numbers"].split("; "), 1)
    for word in words.split()
}
COUNT = rf"(?:(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})\s+)?"
QUOTES = "\"'“”„‟‘’‚‛«»‹›`"
_NOT_THEM = frozenset(_words("leaves_out"))
_NAMES = ("no", "or")
"""Words of `_NOT_THEM` that can be a name if they have a capital letter."""


def leaves_out(name: str) -> bool:
    """True if words before an address exclude a person or leave open who is meant."""
    words = name.split() or [""]
    first = words[0]
    is_name = len(words) > 1 and first.lower() in _NAMES and not first.islower()
    return (first.lower() in _NOT_THEM and not is_name) or words[-1] in _NOT_THEM


def counted(text: str | None) -> int:
    """Return the number in an order such as `two bots`, or 1 if `text` is None."""
    if text is None:
        return 1
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def spelt(name: str) -> str:
    """Return a pattern for a name whose words may be joined by spaces, hyphens, `_` or nothing."""
    return r"[\s_-]*".join(re.escape(word) for word in name.split("_"))


def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern that must end at the end of a word, ignoring case."""
    return re.compile(rf"{text}(?![\w@])", re.IGNORECASE)


BOT = pattern(
    rf"{COUNT}(?:(?P<before>{_alternatives('levels')})\s+)?(?:bots?|computers?|robots?)(?:\s*\(?(?P<after>easy|medium|hard)\b\)?)?"
)


def named_bot(names: Collection[str]) -> re.Pattern[str]:
    """Compile the pattern of a bot with one of these names: `bot mybot`, `2 mybot bots`."""
    named = "|".join(map(re.escape, names))
    return pattern(rf"{COUNT}(?:(?P<before>{named})\s+bots?|bots?\s*\(?(?P<after>{named})\b\)?)")


FREE_SEATS = pattern(rf"{COUNT}(?:{_alternatives('free')})\s+(?:{_alternatives('seats')})")
OPEN = pattern(
    rf"(?:{_alternatives('open')})(?:\s+(?:game|table))?(?:\s+(?:{_alternatives('for')}))?(?:\s+(?P<count>\d{{1,3}})(?:\s*(?:{_alternatives('players')}))?)?"
)
PLAYERS = pattern(r"(?:for\s+)?(?P<count>\d{1,3})\s*(?:players|people|persons)")
LOT = pattern(
    r"(?:(?:the\s+)?(?:seats?|seating|order|places)\s*:?\s*(?:is\s+|are\s+)?)?"
    r"(?P<lot>(?:drawn\s+)?by\s+lot|drawn|at\s+random|random(?:\s+(?:seats|order|seating))?|as\s+listed|in\s+this\s+order)"
)
PER_MOVE = pattern(
    rf"(?P<time>{DURATION})\s*(?:{_alternatives('per')})\s*(?:{_alternatives('moves')})"
)
TIME = pattern(rf"(?:time(?:[\s_-]*per[\s_-]*move)?|clock)\s*[:=]?\s*(?P<time>{DURATION})")
EVENING = pattern(
    r"(?:tempo\s+(?:fast|schnell)|(?:a\s+)?fast\s+evening|schneller\s+abend)"
    r"(?:\s+(?:until|till|to|bis)\s+(?P<until>\d{1,2}(?::\d\d)?)(?:\s*(?:h|uhr))?)?"
)
_WEEKENDS, _OFF = f"(?:{_alternatives('weekends')})", _alternatives("off")
WEEKENDS = pattern(
    rf"(?:(?P<no>{_alternatives('no')}|not\s+on)\s+{_WEEKENDS}"
    rf"|{_WEEKENDS}(?P<off>[\s_-]*off)?\s*[:=]?\s*(?P<how>{_OFF}|no|on|false)?)"
)


def weekends_off(match: re.Match[str]) -> str | None:
    """Return `yes` or `no` for a match of `WEEKENDS`, or None for the bare, ambiguous word."""
    if not any((match["no"], match["off"], match["how"])):
        return None
    is_off = (match["how"] or "off").lower() in _OFF.split("|")
    return "yes" if match["no"] or is_off else "no"


ANONYMOUS = pattern(
    rf"(?:(?P<no>{_alternatives('no')})\s+)?(?:{_alternatives('anonymous')})\s*[:=]?\s*(?P<anonymous>{_alternatives('switch')})?"
)
POLITE = pattern(rf"(?:{_alternatives('polite')})")
"""Words that are ignored next to people and options."""
PLURALS = pattern(r"(?P<count>\d{1,6})\s+(?P<what>deals?|battles?|phases?)")
COUNTED = {"deal": "deals", "battle": "max_battles", "phase": "phases_to_win"}
VALUE = rf"(?P<value>{DURATION}|\d{{1,2}}(?::00)?\s*(?:-|–|to)\s*\d{{1,2}}(?::00)?|\[[\d\s,]*\]|\d{{1,2}}:00|\d+(?:%?\s+\d+)*%?|[\w-]+)"
ONLY_NUMBERS = re.compile(r"\d+(?:[\s,]+\d+)*")
TRUE, FALSE = ("true", "yes", "on", ""), ("false", "no", "off")
SWITCHED_OFF = frozenset().union(*(table.OFF for table in _TONGUES))
ME = frozenset(_words("me"))


def level_of(text: str) -> str:
    """Translate the level of a bot into English."""
    levels = (table.LEVELS.get(text.lower()[:5]) for table in TABLES.values())
    return next(filter(None, levels), text.lower())


def in_english(duration: str) -> str:
    """Write a duration in English units: `2 tage` is 2d."""
    for table in TABLES.values():
        for unit in table.WISH["units"].split("|"):
            short = table.UNITS[unit[0]]
            duration = re.sub(rf"(?<=[\d ]){unit}(?!\w)", short, duration, flags=re.IGNORECASE)
    return duration
