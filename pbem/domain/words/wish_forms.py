"""How the parts of a wish for a game are written, in English and in German."""

from __future__ import annotations

import re

JOINT = r"(?:and|und|with|mit|against|gegen|vs\.?|versus|plus)"
SEPARATOR = re.compile(rf"[,;\n]|(?:^|(?<=\s)){JOINT}(?=\s|$)|(?<=\s)&(?=\s)", re.IGNORECASE)
OPEN_END = re.compile(rf"(?:[,;=:]|\b{JOINT}|<|\b(?:max|time|per|by))\s*$", re.IGNORECASE)
ADDRESS = re.compile(
    r"<?\s*(?:mailto:)?([^\s<>()\[\],;:\"]{1,64}@[^\s<>()\[\],;:\"]{1,190})\s*>?"
    r"(?:\s*[<\[(](?:mailto:)?[^\s<>]*@[^\s<>]*[>\])])?",
    re.IGNORECASE,
)
DURATION = r"\d{1,6}\s*(?:weeks?|days?|hours?|minutes?|mins?|seconds?|wochen?|tage?|stunden?|[wdhms])(?:\s*\d{1,6}\s*[wdhms](?!\w))?"
_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("a an one ein eine einen einem", "two zwei", "three drei", "four vier", "five fünf"), 1
    )
    for word in words.split()
}
COUNT = rf"(?:(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})\s+)?"
QUOTES = "\"'“”„‟‘’‚‛«»‹›`"
_NOT_THEM = frozenset(
    [
        *("not", "no", "without", "except", "excluding", "but", "or"),
        *("nicht", "ohne", "außer", "oder"),
    ]
)
_NAMES = ("no", "or")
"""Of those, what may be a name, with a capital letter."""


def leaves_out(name: str) -> bool:
    """True if words before an address keep somebody away, or leave open who is meant."""
    words = name.split() or [""]
    first = words[0]
    is_name = len(words) > 1 and first.lower() in _NAMES and not first.islower()
    return (first.lower() in _NOT_THEM and not is_name) or words[-1] in _NOT_THEM


def counted(text: str | None) -> int:
    """Return the number that stands before bots or places; 1 if none does."""
    if text is None:
        return 1
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def spelt(name: str) -> str:
    """Return a pattern for a name of several words, however they are joined."""
    return r"[\s_-]*".join(re.escape(word) for word in name.split("_"))


def pattern(text: str) -> re.Pattern[str]:
    """Compile a form that ends where a word ends."""
    return re.compile(rf"{text}(?![\w@])", re.IGNORECASE)


BOT = pattern(
    rf"{COUNT}(?:(?P<before>easy|hard|starke[nrm]?|leichte[nrm]?)\s+)?(?:bots?|computers?|robots?)(?:\s*\(?(?P<after>easy|hard)\b\)?)?"
)
FREE_SEATS = pattern(rf"{COUNT}(?:open|free|offene|freie)\s+(?:seats?|places?|plätze)")
OPEN = pattern(
    r"(?:open|offen)(?:\s+(?:game|table))?(?:\s+(?:for|to|with|für))?(?:\s+(?P<count>\d{1,3})(?:\s*(?:players?|people|persons|spieler))?)?"
)
PLAYERS = pattern(r"(?:for\s+)?(?P<count>\d{1,3})\s*(?:players|people|persons)")
LOT = pattern(
    r"(?:(?:the\s+)?(?:seats?|seating|order|places)\s*:?\s*(?:is\s+|are\s+)?)?"
    r"(?P<lot>(?:drawn\s+)?by\s+lot|drawn|at\s+random|random(?:\s+(?:seats|order|seating))?|as\s+listed|in\s+this\s+order)"
)
PER_MOVE = pattern(
    rf"(?P<time>{DURATION})\s*(?:per|a|each|every|for\s+(?:each|a|every)|pro|je|/)\s*(?:moves?|turns?|zug)"
)
TIME = pattern(rf"(?:time(?:[\s_-]*per[\s_-]*move)?|clock)\s*[:=]?\s*(?P<time>{DURATION})")
_WEEKENDS = r"(?:weekends?|wochenenden?)"
WEEKENDS = pattern(
    rf"(?:(?P<no>no|without|not\s+on|ohne|keine?)\s+{_WEEKENDS}"
    rf"|{_WEEKENDS}(?P<off>[\s_-]*off)?\s*[:=]?\s*(?P<how>off|free|frei|aus|yes|no|on|true|false)?)"
)


def weekends_off(found: re.Match[str]) -> str | None:
    """Return the option that a `WEEKENDS` means; None for the bare word, which may mean either."""
    if not any((found["no"], found["off"], found["how"])):
        return None
    is_off = (found["how"] or "off").lower() in ("off", "free", "frei", "aus", "yes", "true")
    return "yes" if found["no"] or is_off else "no"


ANONYMOUS = pattern(
    r"(?:(?P<no>no|without|keine?|ohne)\s+)?(?:anonymous(?:[\s_-]*(?:talk|words))?"
    r"|anonyme?s?[\s_-]*(?:reden|gespräche?|worte)?)"
    r"\s*[:=]?\s*(?P<anonymous>on|off|yes|no|true|false|an|aus|ja|nein)?"
)
POLITE = pattern(
    r"(?:please|pls|plz|thank\s+you(?:\s+very\s+much)?|thanks(?:\s+a\s+lot)?|many\s+thanks|thx|bitte"
    r"|danke(?:\s+schön)?|vielen\s+dank)"
)
"""What means nothing beside people and options."""
PLURALS = pattern(r"(?P<count>\d{1,6})\s+(?P<what>deals?|battles?|phases?)")
COUNTED = {"deal": "deals", "battle": "max_battles", "phase": "phases_to_win"}
VALUE = rf"(?P<value>{DURATION}|\d{{1,2}}(?::00)?\s*(?:-|–|to)\s*\d{{1,2}}(?::00)?|\[[\d\s,]*\]|\d{{1,2}}:00|\d+(?:%?\s+\d+)*%?|[\w-]+)"
ONLY_NUMBERS = re.compile(r"\d+(?:[\s,]+\d+)*")
TRUE, FALSE = ("true", "yes", "on", ""), ("false", "no", "off")
