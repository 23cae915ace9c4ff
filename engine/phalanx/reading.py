"""Parser for orders of Phalanx that does not use the position (GEN-9).

It distinguishes prose from orders that cannot be carried out. Players may name a side zone by the
neighbour who shares it: `7s with 2`. Logs always contain left or right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from engine.cards import STANDARD, Named, Several, card_words, read_cards
from engine.phalanx.betting import CHECK, Bet, Bets
from engine.phalanx.moves import PASS, Pass
from engine.phalanx.state import PLACES
from engine.reading.tokens import LONGEST_ORDER, split_parts, split_words

_PLACE_WORDS = {
    "left": "left",
    "center": "center",
    "centre": "center",
    "middle": "center",
    "right": "right",
}
_TAKE_WORDS = frozenset({"x", "×", "take", "takes", "taking", "capture", "captures", "capturing"})
_SMALL_WORDS = frozenset({"to", "the", "in", "into", "on", "at", "my", "zone", "zones", "goes"})
_INTO = frozenset({"to", "in", "into", "on", "at"})
_PLAY_WORDS = frozenset({"play", "put", "place", "lay", "use"})
_CHECK_WORDS = frozenset({"check", "decline", "fold"})
_MATCH_WORDS = frozenset({"match", "call"})
_OF_WORDS = frozenset({"of", "from"})
_ARTICLES = frozenset({"a", "an"})
SIDES = ("left", "right")
_WITH_SEAT = re.compile(
    r"""(?<![\w@])(?:
        (?:
            (?:(?:(?:in)?to|in|on|at)\s+)?(?:(?:the|my)\s+)?(?:zone|side)
            \s+(?:with|of|against|between\s+(?:me|us)\s+and)
            |with|against|beside|next\s+to|(?P<to>(?:in)?to|towards?)
        )\s+(?:seat\s+)?(?P<seat>[0-9])
        |(?:(?:in)?to|in|on|at|by|with)\s+(?:seat\s+)?(?P<owner>[0-9])['’]s\s+(?:zone|side)
    )(?![\w'’])""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
"""A side zone named after the seat that shares it: `with 2`, `to 2`, `on 2's side`."""
_SCORE = re.compile(r"\W*[0-9]+\s+(?:to|against)\s+[0-9]\W*", re.ASCII)
"""The result of another game, which is not an order."""
_BETS = re.compile(r"\b(?:raise|match|call)\b", re.IGNORECASE)
_OPENS = re.compile(r"\b(?:open|start)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"[-‐‑–—−][0-9]")
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted(
        {"open", "start", *_PLAY_WORDS, "with", "pass", "raise", "by", "seat", "and", *_ARTICLES}
        | {"against", "side"}
        | {*_PLACE_WORDS, *_TAKE_WORDS, *_SMALL_WORDS, *_CHECK_WORDS, *_MATCH_WORDS, *_OF_WORDS}
        | set(STANDARD.words())
    )
)
"""All words that can occur in an order."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """An opening card."""

    card: Named


@dataclass(frozen=True, slots=True)
class TargetForm:
    """The target of a king, with its owner if given."""

    card: Named
    seat: int | None


@dataclass(frozen=True, slots=True)
class PlayForm:
    """A card with an optional zone and king's target. A card alone may be an opening."""

    card: Named
    place: str | None
    target: TargetForm | None


Form: TypeAlias = OpenForm | PlayForm | Bets | Pass


def read_form(text: str) -> Form | None:
    """Parse a line as an order in any position. Return None if it is not an order."""
    text = in_places(text)
    apart = text.replace("@", " @ ") if len(text) <= LONGEST_ORDER else text
    spelt = split_words(apart)
    words = list(card_words(split_parts(apart)))
    if not words:
        return None
    if words == ["pass"]:
        return PASS
    if (len(words) == 1 and words[0] in _CHECK_WORDS) or words == ["no", "raise"]:
        return CHECK
    if words[0] in _MATCH_WORDS or words[0] == "raise":
        return None if _NEGATIVE.search(text) else _read_bets(words)
    if words[:2] == ["start", "with"]:
        words[0] = "open"
    if "open" in words:
        words.remove("open")
        rest = [word for word in words if word not in {"with", "center", "centre", *_SMALL_WORDS}]
        named = _one_card(rest)
        return OpenForm(named) if named else None
    if len(spelt) == 1 and len(spelt[0]) == 1 and spelt[0].islower():
        return None  # a line that is only "k" or "a" is more likely a word than a card
    if words[0] in _INTO and _PLACE_WORDS.keys().isdisjoint(words):
        return None  # "at 10" is a time of day
    if words[0] in _PLAY_WORDS and not (
        words[0] == "place" and _PLACE_WORDS.keys().isdisjoint(words)
    ):
        words = words[1:]  # "place 2" is the rank of a player
    return _read_play(words)


def zones_called(text: str) -> list[tuple[re.Match[str], int]]:
    """Return each match that names a zone by a seat, together with that seat."""
    if len(text) > LONGEST_ORDER or _SCORE.fullmatch(text) or _OPENS.search(text):
        return []
    is_bet = _BETS.search(text) is not None  # "raise left to 5" names an amount
    return [
        (match, int(match["seat"] or match["owner"]))
        for match in _WITH_SEAT.finditer(text)
        if not (is_bet and match["to"])
    ]


def in_places(text: str, places: Mapping[int, str] | None = None) -> str:
    """Replace zones that are named by seats with `left` or `right`.

    Args:
        places: maps a seat to a side. None uses arbitrary sides, which is enough to check the form.
    """
    called = zones_called(text)
    for index, (match, other) in reversed([*enumerate(called)]):
        place = SIDES[min(index, 1)] if places is None else places[other]
        text = f"{text[: match.start()]} {place} {text[match.end() :]}"
    return text


def _one_card(words: Sequence[str]) -> Named | None:
    """Parse words for exactly one card: `7s`, `the seven of spades`, `a seven`, a rank.

    The word `a` means an ace if the result is one card (`a left`, `a of spades`). Otherwise it is
    an article.
    """
    without_article = words[1:] if words and words[0] in _ARTICLES else ()
    for candidate in (words, without_article):
        for reading in read_cards(candidate, STANDARD):
            if not isinstance(reading, Several) and len(reading) == 1:
                return reading[0]
    return None


def _read_play(words: list[str]) -> PlayForm | None:
    places = [word for word in words if word in _PLACE_WORDS]
    if len(places) > 1:
        return None
    place = _PLACE_WORDS[places[0]] if places else None
    words = [word for word in words if word not in _PLACE_WORDS]
    words = _apart(words)
    marks = [index for index, word in enumerate(words) if word in _TAKE_WORDS]
    if len(marks) > 1:
        return None
    end = marks[0] if marks else len(words)
    if marks and words[end - 1] == "and":
        words = [*words[: end - 1], *words[end:]]  # "Ks right and take 10d"
        end -= 1
    named = _one_card([word for word in words[:end] if word not in _SMALL_WORDS])
    if named is None:
        return None
    if not marks:
        return PlayForm(named, place, None)
    target = _read_target([word for word in words[end + 1 :] if word not in _SMALL_WORDS])
    return None if target is None else PlayForm(named, place, target)


def _apart(words: list[str]) -> list[str]:
    """Split words such as `x10d` into the symbol and the card."""
    parts = (
        [word[0], word[1:]] if word[0] in "x×" and _one_card([word[1:]]) else [word]
        for word in words
    )
    return list(chain.from_iterable(parts))


def _read_target(words: list[str]) -> TargetForm | None:
    """Parse a king's target: `10d`, `10d @ 2`, `10 of diamonds of seat 2`, `10d from 2`."""
    seat = None
    if len(words) > 2 and _NUMBER.fullmatch(words[-1]):  # noqa: PLR2004  (card, mark, number)
        mark = words[-2]
        if mark == "seat" and len(words) > 3 and words[-3] in _OF_WORDS:  # noqa: PLR2004
            seat, words = int(words[-1]), words[:-3]
        elif mark in {"@", "seat", *_OF_WORDS}:
            seat, words = int(words[-1]), words[:-2]
    named = _one_card(words)
    return None if named is None else TargetForm(named, seat)


def _read_bets(words: list[str]) -> Bets | None:
    """Parse bets: `match center`, `raise left 5`, `raise left by 5, match center and right`."""
    bets: list[Bet] = []
    verb = ""
    if words[0] == "raise" and len(words) > 2 and _NUMBER.fullmatch(words[1]):  # noqa: PLR2004
        words = [words[0], *words[2:], words[1]]  # "raise 3 on the left"
    place: str | None = None
    amount: int | None = None
    for word in words:
        if word in _MATCH_WORDS or word == "raise":
            if place is not None or amount is not None or (verb and not bets):
                return None  # the previous bet is incomplete
            verb = "match" if word in _MATCH_WORDS else "raise"
        elif word in _PLACE_WORDS:
            if place is not None:
                return None
            place = _PLACE_WORDS[word]
        elif _NUMBER.fullmatch(word):
            if amount is not None or verb == "match" or int(word) == 0:
                return None
            amount = int(word)
        elif word not in _SMALL_WORDS and word not in {"and", "by", "one"}:
            return None
        if place is not None and (verb == "match" or amount is not None):
            bets.append(Bet(place, amount or 0))
            place = amount = None
    ends_complete = place is None and amount is None and words[-1] not in {*_MATCH_WORDS, "raise"}
    if not bets or not ends_complete:
        return None
    return Bets(tuple(sorted(bets, key=lambda bet: PLACES.index(bet.place))))


def reads_as_order(text: str) -> bool:
    """True if a line has the form of an order of Phalanx."""
    return read_form(text) is not None
