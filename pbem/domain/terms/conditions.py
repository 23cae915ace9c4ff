"""What a standing order may hang on: a few things that its player sees when the turn comes.

`top is Q`, `pile > 6`, `hand of bob <= 2`: a subject, a comparison, a value (docs/standing-orders.md).
Conditions are looked up in the view of their seat and nowhere else.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.cards import RANKS, STANDARD
from engine.phase10.cards import COLOUR_OF, NUMBER_OF, SKIP, WILD
from engine.phase10.words import OWN_WORDS, TABLES, AnyColour, read_one
from engine.sentences import Sentence, sentence

View: TypeAlias = Mapping[str, Any]
"""A view as the engine protocol describes it."""

COLOURS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}
_SPECIAL = {"wild": WILD, "skip": SKIP}


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the players of a game talk about it.

    Attributes:
        game: name of the ruleset.
        names: of the players, by seat; empty where only numbers of seats are known.
        deck: the skin of Phase 10's cards.
    """

    game: str
    names: tuple[str, ...] = ()
    deck: str = "phase10"

    @property
    def is_phase10(self) -> bool:
        """True if it is Phase 10, by whichever rules."""
        return self.game.startswith("phase10")

    @property
    def subjects(self) -> tuple[str, ...]:
        """What can be asked about this game."""
        if self.is_phase10:
            return ("top", "pile", "stock", "hand", "phase", "laid")
        if self.game == "phalanx":
            return ("left", "center", "right", "hand")
        return ("top", "pile", "stock", "hand")


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison.

    Attributes:
        subject: `top`, `pile`, `stock`, `hand`, `phase`, `laid`, `left`, `center` or `right`.
        comparison: a key of `COMPARISONS`; for `laid` only `is` and `is not`.
        value: a number; for `top` a rank, a card (`R5`), a colour, `wild` or `skip`; none for `laid`.
        seat: whose hand or phase; None = the own one.
    """

    subject: str
    comparison: str
    value: str = ""
    seat: int | None = None

    def text(self, names: Sequence[str] = ()) -> str:
        """Write it so that it can be read again; with the numbers of seats, or these names."""
        whose = self.seat
        of = None if whose is None else (names[whose] if whose < len(names) else str(whose))
        if self.subject == "laid":
            has = "I have" if of is None else f"{of} has"
            return f"{has} laid" if self.comparison == "is" else f"{has} not laid"
        subject = self.subject if of is None else f"{self.subject} of {of}"
        return f"{subject} {self.comparison} {self.value}"

    def holds(self, view: View) -> bool:
        """True if it is so; nothing holds of a top card that is not there."""
        found = self._found(view)
        if found is None:
            return False
        if self.subject == "top":
            return _is_top_so(str(found), self.comparison, self.value)
        wanted = True if self.subject == "laid" else int(self.value)
        return bool(COMPARISONS[self.comparison](found, wanted))

    def why_not(self, view: View, names: Sequence[str]) -> Sentence:
        """Say how it is instead."""
        found, text = self._found(view), self.text(names)
        if found is None:
            return sentence("“{condition}” does not hold: there is no such card", condition=text)
        if self.subject == "laid":
            return sentence("“{condition}” does not hold", condition=text)
        return sentence("“{condition}” does not hold: it is {found}", condition=text, found=found)

    def _found(self, view: View) -> int | str | None:
        me = view["seat"] if self.seat is None else self.seat
        if me >= len(view["seats"]):
            return None
        own = view["seats"][me]
        match self.subject:
            case "top":
                return view["pile"][-1] if view["pile"] else None
            case "pile":
                return len(view["pile"])
            case "stock":
                return int(view["stock_size"])
            case "hand":
                return int(own["hand_size"])
            case "phase":
                return int(own["phase"])
            case "laid":
                return bool(own["laid"])
            case place:
                zones = own["zones"]
                return None if zones is None else len(view["zones"][zones[place]])


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is not": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}

_SAID = {
    "is not": "not|no|!=|<>|≠",
    ">=": "at least|>=|=>|≥",
    "<=": "at most|<=|=<|≤",
    ">": "more than|higher than|over|above|>",
    "<": "less than|fewer than|lower than|under|below|<",
    "is": "==|=",
}
_VERB = r"(?:is|are|has|have|holds)(?![a-z])"
_COMPARED = re.compile(
    rf"(?:{_VERB}\s*)?(?:"
    + "|".join(f"(?P<c{number}>{said})(?![a-z])" for number, said in enumerate(_SAID.values()))
    + r")|(?P<isnt>isn['’]?t)(?![a-z])|(?P<only>is|are|has|have|holds)(?![a-z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
_CARDS = re.compile(r"\s+(?:cards?\s+left|cards?|left)(?!\w)")
_HELD = re.compile(r"(?:has|have|holds)(?:\s+(?:not|no))?", re.IGNORECASE)
"""Behind which a number without `cards` may be a card: `if I have 9`."""


def _is_top_so(top: str, comparison: str, value: str) -> bool:
    """Compare a card; an order is only among ranks, or among the numbers of Phase 10."""
    if top in NUMBER_OF or top in (WILD, SKIP):
        if value in COLOURS:
            return COMPARISONS[comparison](COLOUR_OF.get(top), COLOURS[value])  # type: ignore[call-overload]
        if not value.isdigit():
            return COMPARISONS[comparison](top, _SPECIAL.get(value, value))
        number = NUMBER_OF.get(top)  # type: ignore[call-overload]
        if number is None:
            return comparison == "is not"
        return COMPARISONS[comparison](number, int(value))
    return COMPARISONS[comparison](RANKS.index(top[:-1]), RANKS.index(value))


# --- reading --------------------------------------------------------------------------------------


def read_conditions(text: str, tongue: Tongue) -> tuple[tuple[Condition, ...], str] | None:
    """Read conditions joined by `and` from the start of a text; gives them and the rest.

    None if the text does not begin with one.
    """
    found: list[Condition] = []
    rest = text.strip()
    while True:
        one = _read_one(rest, tongue)
        if one is None:
            return None
        found.append(one[0])
        rest = one[1].lstrip()
        more = re.match(r"and\s+", rest, re.IGNORECASE)
        if more is None or _read_one(rest[more.end() :], tongue) is None:
            return tuple(found), re.sub(r"\A(?:[,:]|then\b)+\s*(?:then\b)?", "", rest).strip()
        rest = rest[more.end() :]


def _who(tongue: Tongue) -> str:
    names = sorted(filter(None, tongue.names), key=len, reverse=True)
    return "|".join([*map(re.escape, names), r"(?:seat\s+)?[0-5](?!\d)"])


def _subject_patterns(tongue: Tongue) -> Iterable[tuple[str, str]]:
    """Return (subject, pattern of how people say it); what is longer first."""
    who = rf"(?P<who>{_who(tongue)})"
    if "laid" in tongue.subjects:
        no = r"(?P<no>\s+not)?\s+laid(?:\s+down)?(?!\w)"
        yield "laid", rf"(?:i\s+have|i['’]ve){no}"
        yield "laid", rf"{who}\s+has{no}"
    for name in ("hand", "phase"):
        if name in tongue.subjects:
            yield name, rf"(?:the\s+)?{name}\s+of\s+{who}(?!\w)"
            yield name, rf"{who}['’]s\s+{name}"
            yield name, rf"(?:my\s+|the\s+)?{name}(?!\w)"
    yield "hand", r"i(?=\s+have\b)"
    yield "hand", rf"{who}(?=\s+has\b)"
    for name in ("top", "pile", "stock"):
        if name in tongue.subjects:
            yield name, rf"(?:the\s+)?(?:discard\s+)?{name}(?:\s+card)?(?!\w)"
    for name, said in (("left", "left"), ("center", "cent(?:er|re)"), ("right", "right")):
        if name in tongue.subjects:
            yield name, rf"(?:my\s+|the\s+)?{said}(?:\s+zone)?(?!\w)"


def _read_one(text: str, tongue: Tongue) -> tuple[Condition, str] | None:
    for subject, pattern in _subject_patterns(tongue):
        found = re.match(pattern, text, re.IGNORECASE)
        if found is None:
            continue
        groups = found.groupdict()
        seat = _seat(groups.get("who"), tongue)
        rest = text[found.end() :]
        if subject == "laid":
            comparison = "is not" if groups["no"] else "is"
            return Condition(subject, comparison, "", seat), rest
        compared = _COMPARED.match(rest.lstrip())
        if compared is None:
            continue
        said = _comparison(compared)
        behind = rest.lstrip()[compared.end() :]
        if subject == "top":
            value = _read_card_named(said, behind, tongue)
        else:
            value = _read_count(said, behind, is_held=_HELD.fullmatch(compared[0]) is not None)
        if value is not None:
            return Condition(subject, said, value[0], seat), value[1]
    return None


def _comparison(found: re.Match[str]) -> str:
    for number, comparison in enumerate(_SAID):
        if found[f"c{number}"] is not None:
            return comparison
    return "is not" if found["isnt"] else "is"


def _seat(who: str | None, tongue: Tongue) -> int | None:
    if who is None:
        return None
    names = [name.casefold() for name in tongue.names]
    if who.casefold() in names:
        return names.index(who.casefold())
    return int(who.split()[-1])


def _read_card_named(comparison: str, text: str, tongue: Tongue) -> tuple[str, str] | None:
    """Read the card with which the top one is compared; gives it and the rest."""
    for article in (r"(?:an?|the)\s+", ""):  # an "a" may also be an ace
        words = re.match(rf"\s*{article}([^\s,:]+)(?:\s+([^\s,:]+))?", text, re.IGNORECASE)
        value = None if words is None else _read_card(words, comparison, text, tongue)
        if value is not None:
            return value
    return None


def _read_count(comparison: str, text: str, *, is_held: bool) -> tuple[str, str] | None:
    """Read a number of cards, or a phase; gives it and the rest.

    Args:
        is_held: it stands behind `has`, so it must say of what.
    """
    word = re.match(r"\s*([^\s,:]+)", text)
    if word is None:
        return None
    rest = text[word.end() :]
    if word[1].casefold() == "empty" and comparison in ("is", "is not"):
        return "0", rest
    cards = _CARDS.match(rest)
    if not _NUMBER.fullmatch(word[1]) or (is_held and cards is None):
        return None
    return str(int(word[1])), rest if cards is None else rest[cards.end() :]


def _read_card(
    words: re.Match[str], comparison: str, text: str, tongue: Tongue
) -> tuple[str, str] | None:
    first, second = words[1].casefold(), (words[2] or "").casefold()
    if not tongue.is_phase10:
        rank = STANDARD.ranks.get(first)
        return None if rank is None else (rank, text[words.end(1) :])
    for said, end in (([first, second], words.end()), ([first], words.end(1))):
        is_filled = "" not in said and not OWN_WORDS.fillers & {*said}
        value = read_card_value(said, tongue) if is_filled else None
        if value is not None:
            has_order = value.isdigit() or comparison in ("is", "is not")
            return (value, text[end:]) if has_order else None
    return None


def read_card_value(words: Sequence[str], tongue: Tongue) -> str | None:
    """Read a card of Phase 10, a number of any colour, a colour, `wild` or `skip`."""
    if len(words) == 1 and words[0] in COLOURS:
        return words[0]
    named = read_one(words, TABLES["standard" if tongue.deck == "standard" else "phase10"])
    if named is None:
        return None
    if isinstance(named, AnyColour):
        return str(named.number)
    return {WILD: "wild", SKIP: "skip"}.get(named, str(named))
