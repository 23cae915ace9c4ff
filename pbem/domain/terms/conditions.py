"""Conditions of standing orders about what the player can see in their turn.

`top is Q`, `pile > 6`, `hand of bob <= 2`: a subject, a comparison, a value
(docs/standing-orders.md). Conditions read only their own seat's view.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.sentences import Sentence, sentence
from pbem.games.knowledge import View
from pbem.games.profile import GameProfile, profile_of
from pbem.games.subjects import CardValues, Found, Subject


@dataclass(frozen=True, slots=True)
class TableVocabulary:
    """Vocabulary for parsing the standing orders of one game.

    Attributes:
        game: name of the ruleset.
        names: players' names by seat, or empty if only seat numbers are known.
        deck: value of the option `deck`, which determines the names of cards, or empty without it.
    """

    game: str
    names: tuple[str, ...] = ()
    deck: str = ""

    @property
    def profile(self) -> GameProfile:
        """Return the profile of the game."""
        return profile_of(self.game)


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison.

    Attributes:
        subject: subject of the comparison.
        comparison: a key of `COMPARISONS`. `is` or `is not` for a state.
        value: a number, a card or a class of cards, or empty for a state.
        seat: seat of the subject. None means the player's own.
    """

    subject: Subject
    comparison: str
    value: str = ""
    seat: int | None = None

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the canonical text, with player names or seat numbers. It can be parsed again."""
        whose, name = self.seat, self.subject.name
        of = None if whose is None else (names[whose] if whose < len(names) else str(whose))
        if " " in name:
            return name
        if self.subject.is_state:
            has = "I have" if of is None else f"{of} has"
            return f"{has} {name}" if self.comparison == "is" else f"{has} not {name}"
        cards, has_order = self.subject.cards, self.comparison not in ("is", "is not")
        value = self.value if cards is None or has_order else cards.said(self.value)
        return f"{name if of is None else f'{name} of {of}'} {self.comparison} {value}"

    def holds(self, view: View) -> bool:
        """True if the condition is met. It is never met if it needs a top card and there is none."""
        value = self._found(view)
        return value is not None and self.subject.is_so(value, self.comparison, self.value)

    def why_not(self, view: View, names: Sequence[str]) -> Sentence:
        """Explain to the player why the condition is not met."""
        value, text = self._found(view), self.text(names)
        if self.seat is not None and self.is_about_nobody(view):
            left = names[self.seat] if names else sentence("seat {seat}", seat=self.seat)
            return sentence(
                "“{condition}” cannot be looked at any more: {name} has left the game",
                condition=text,
                name=left,
            )
        if value is None:
            return sentence("“{condition}” does not hold: there is no such card", condition=text)
        if self.subject.is_state:
            return sentence("“{condition}” does not hold", condition=text)
        return sentence("“{condition}” does not hold: it is {found}", condition=text, found=value)

    def is_about_nobody(self, view: View) -> bool:
        """True if its player has resigned. The empty hand then has no meaning (GEN-7)."""
        seats = view["seats"]
        who = self.seat
        return who is not None and who < len(seats) and bool(seats[who].get("resigned"))

    def _found(self, view: View) -> Found:
        if self.is_about_nobody(view):
            return None
        me = view["seat"] if self.seat is None else self.seat
        return self.subject.found(view, view["seats"][me]) if me < len(view["seats"]) else None


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
"""Verbs after which a number without `cards` may be a card: `if I have 9`."""


# --- reading --------------------------------------------------------------------------------------


def read_conditions(
    text: str, vocabulary: TableVocabulary
) -> tuple[tuple[Condition, ...], str] | None:
    """Parse conditions joined by `and` at the start of a text. Also return the rest.

    None if the text does not begin with a condition.
    """
    conditions: list[Condition] = []
    rest = text.strip()
    while True:
        condition = _read_one(rest, vocabulary)
        if condition is None:
            return None
        conditions.append(condition[0])
        rest = condition[1].lstrip()
        more = re.match(r"and\s+", rest, re.IGNORECASE)
        if more is None or _read_one(rest[more.end() :], vocabulary) is None:
            return tuple(dict.fromkeys(conditions)), re.sub(
                r"\A(?:[,:]|then\b)+\s*(?:then\b)?", "", rest
            ).strip()
        rest = rest[more.end() :]


def _player_pattern(vocabulary: TableVocabulary) -> str:
    names = sorted(filter(None, vocabulary.names), key=len, reverse=True)
    return "|".join([*map(re.escape, names), r"(?:seat\s+)?[0-5](?!\d)"])


def _read_one(text: str, vocabulary: TableVocabulary) -> tuple[Condition, str] | None:
    who = rf"(?P<who>{_player_pattern(vocabulary)})"
    # Subjects that may also be player names, such as `top`, are tried last.
    message = (
        (subject, phrase)
        for subject in reversed(vocabulary.profile.subjects)
        for phrase in subject.said
    )
    for subject, pattern in message:
        match = re.match(pattern.replace("{who}", who), text, re.IGNORECASE)
        if match is None:
            continue
        groups = match.groupdict()
        seat = _seat(groups.get("who"), vocabulary)
        rest = text[match.end() :]
        if subject.is_state:
            comparison = "is not" if groups.get("no") else "is"
            return Condition(subject, comparison, "", seat), rest
        compared = _COMPARED.match(rest.lstrip())
        if compared is None:
            continue
        comparison = _comparison(compared)
        behind = rest.lstrip()[compared.end() :]
        if subject.cards is not None:
            value = _read_card(comparison, behind, subject.cards, vocabulary.deck)
        else:
            is_held = _HELD.fullmatch(compared[0]) is not None
            value = _read_count(comparison, behind, is_held=is_held)
        if value is not None:
            return Condition(subject, comparison, value[0], seat), value[1]
    return None


def _comparison(match: re.Match[str]) -> str:
    for number, comparison in enumerate(_SAID):
        if match[f"c{number}"] is not None:
            return comparison
    return "is not" if match["isnt"] else "is"


def _seat(who: str | None, vocabulary: TableVocabulary) -> int | None:
    if who is None:
        return None
    names = [name.casefold() for name in vocabulary.names]
    if who.casefold() in names:
        return names.index(who.casefold())
    return int(who.split()[-1])


def _read_card(comparison: str, text: str, cards: CardValues, deck: str) -> tuple[str, str] | None:
    """Parse the card that is compared with the top card. Also return the rest."""
    for article in (r"(?:an?|the)\s+", ""):  # the article "a" may also mean an ace
        start = re.match(rf"\s*{article}", text, re.IGNORECASE)
        if start is None:
            continue
        behind = text[start.end() :]
        words = list(re.finditer(r"\S+", re.split("[,:]", behind)[0]))[:3]
        value = words and cards.read([word[0].casefold() for word in words], comparison, deck)
        if value:
            return value[0], behind[words[value[1] - 1].end() :]
    return None


def _read_count(comparison: str, text: str, *, is_held: bool) -> tuple[str, str] | None:
    """Parse a number of cards, or a phase. Also return the rest.

    Args:
        is_held: True after `has`, where `cards` must follow the number.
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
