"""Standing orders in other languages, turned into English ones: `wenn oben <= 9 spiele 9 oder aufnehmen`.

A condition is turned piece by piece, the order behind it as any other; where one ends and the other begins
is found by what can be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from types import ModuleType

from engine.api import AnyRuleset
from pbem.domain.terms.conditions import Tongue, read_conditions
from pbem.domain.words import german_standing
from pbem.domain.words.foreign import in_english, words_in_english

_TABLES: dict[str, ModuleType] = {"de": german_standing}
_LONGEST = 300
_MOST_WORDS = 40
_MOST_NAMES = 4
_EDGES = " \t,.:;"


def next_in_english(text: str, language: str, rules: AnyRuleset, tongue: Tongue) -> str | None:
    """Return what stands behind `next:` in English; None if some of it means nothing in that language."""
    table = _TABLES.get(language)
    if table is None or len(text) > _LONGEST or len(text.split()) > _MOST_WORDS:
        return None
    joints = rf"\s*,?\s+(?:{table.OR}|or|{table.OTHERWISE}|otherwise|else)\s+"
    parts = [
        _alternative(part.strip(_EDGES), table, language, rules, tongue)
        for part in re.split(joints, text, flags=re.IGNORECASE)
    ]
    read = [part for part in parts if part is not None]
    return " or ".join(read) if len(read) == len(parts) else None


def drawing_in_english(text: str, language: str) -> str | None:
    """Return what stands behind `drawing:` in English, as far as the words of that language go."""
    table = _TABLES.get(language)
    if table is None or len(text) > _LONGEST:
        return None
    return _pieces(" ".join(text.split()).strip(_EDGES), table.DRAWING, language)


def _alternative(
    part: str, table: ModuleType, language: str, rules: AnyRuleset, tongue: Tongue
) -> str | None:
    first = re.match(rf"(?:{table.IF}|if)\s+", part, re.IGNORECASE)
    last = re.search(rf"[\s,]+(?:{table.IF}|if)\s+", part, re.IGNORECASE)
    if first is not None:
        words = part[first.end() :].split()
        for at in range(len(words) - 1, 0, -1):
            conditions = _conditions(" ".join(words[:at]), table, language, tongue)
            is_led = words[at].lower().strip(_EDGES) in (table.THEN, "then")
            then = words[at + is_led :]
            order = None if conditions is None else _order(then, language, rules)
            if order is not None:
                return f"if {conditions} {order}"
        return None
    if last is not None:
        conditions = _conditions(part[last.end() :], table, language, tongue)
        order = _order(part[: last.start()].split(), language, rules)
        return None if conditions is None or order is None else f"{order} if {conditions}"
    return _order(part.split(), language, rules)


def _order(words: Sequence[str], language: str, rules: AnyRuleset) -> str | None:
    text = " ".join(words).strip(_EDGES)
    said = (text, *in_english(text, language, [rules]))
    return next((one for one in said if one and rules.reads_as_order(one)), None)


def _conditions(text: str, table: ModuleType, language: str, tongue: Tongue) -> str | None:
    """Turn conditions; None unless all of them can be read."""
    parts = re.split(rf"\s+(?:{table.AND}|and)\s+", text.strip(_EDGES), flags=re.IGNORECASE)
    read = [_condition(part.strip(_EDGES), table, language, tongue) for part in parts]
    found = [one for one in read if one is not None]
    return " and ".join(found) if len(found) == len(read) else None


def _condition(text: str, table: ModuleType, language: str, tongue: Tongue) -> str | None:
    """Turn one condition, the verb of which may stand last; None if it cannot be read."""
    bare = re.sub(rf"\s+{table.VERB_LAST}\Z", "", text, flags=re.IGNORECASE)
    words = bare.split()
    said = [_pieces(one, table.CONDITIONS, language) for one in (text, bare)]
    for count in range(1, min(len(words), _MOST_NAMES)):  # "Bob 1 Karte hat", "oben ein Ass ist"
        who, what = " ".join(words[:count]), " ".join(words[count:])
        subject, value = (_pieces(one, table.CONDITIONS, language) for one in (who, what))
        said += [f"{who} has {value}", f"{subject} have {value}", f"{subject} is {value}"]
    for one in said:
        found = read_conditions(one, tongue)
        if found is not None and not found[1]:
            return one
    return None


def _pieces(text: str, forms: Sequence[tuple[str, str]], language: str) -> str:
    """Turn a text from its beginning on: the first form that fits, else one word."""
    said: list[str] = []
    rest = text
    while rest:
        for form, english in _compiled(tuple(forms)):
            found = form.match(rest)
            if found is not None:
                said.append(found.expand(english))
                break
        else:
            found = re.match(r"[^\s,;:]+|[,;:]", rest)
            if found is None:
                break
            said.append(words_in_english(found[0], language))
        rest = rest[found.end() :].lstrip()
    return re.sub(r"\s+([,;:])", r"\1", " ".join(filter(None, said)))


@cache
def _compiled(forms: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"(?:{form})(?![\w])", re.IGNORECASE), english) for form, english in forms]
