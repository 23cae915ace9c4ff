"""Parser for orders of Phase 10 that does not use the position.

It distinguishes prose from orders that cannot be carried out. Every order starts with its verb:
numbers alone are never cards in this game, and a card alone is not an order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engine.cards import CardTable
from engine.cards import card_words as with_aces
from engine.phase10.cards import NUMBERS, WILD
from engine.phase10.groups import End, Kind, Meaning
from engine.phase10.words import (
    ARTICLES,
    IS_SKIP,
    OWN_WORDS,
    Named,
    card_words,
    is_card,
    read_named,
    read_one,
)
from engine.reading.tokens import split_words

_DRAW_VERBS = frozenset({"draw", "take", "pick", "pickup"})
_DRAW_FILLERS = frozenset(
    {"a", "the", "new", "card", "from", "of", "off", "up", "top", "one", "it"}
)
_STOCK_WORDS = frozenset({"stock", "deck", "blind"})
_PILE_WORDS = frozenset({"discard", "discards", "discarded", "pile"})
_LAY_FILLERS = frozenset({"down", "my", "the", "phase"})
_DISCARD_VERBS = ("discard", "drop", "dump", "toss", "throw away", "throw", "get rid of")
_AS = "as"
"""Separates the cards of a group from the meaning of its wilds (P10-V4)."""
_AWAY = frozenset({"to", "on", "onto", "the", "discard", "pile"})
_HIT_VERBS = frozenset({"hit", "add"})
_SEVERAL = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_RANGE = re.compile(r"([0-9]{1,2})[-‐‑–—]([0-9]{1,2})", re.ASCII)
_ON = frozenset({"on", "onto", "to"})
_OWN = frozenset({"own", "mine", "my", "me"})
_KINDS = {
    "set": Kind.SET, "run": Kind.RUN, "colour": Kind.COLOUR, "color": Kind.COLOUR,
}  # fmt: skip
_ENDS = {"low": End.LOW, "high": End.HIGH}
_WHICH = {"first": 0, "second": 1}
_RANKS_OF_SETS = {
    **{_plural: int(number) for word, number in OWN_WORDS.ranks.items() if number.isdecimal()
       for _plural in (f"{word}s", f"{word}es") if word.isalpha()},
    "aces": 1, "jacks": 11, "queens": 12,
}  # fmt: skip
"""Plurals that name a set by its number."""
_GROUP_WORDS: Mapping[str, Mapping[str, Any]] = {
    **{word: {"kind": kind} for word, kind in _KINDS.items()},
    **{word: {"rank": rank} for word, rank in _RANKS_OF_SETS.items()},
    **{word: {"which": which} for word, which in _WHICH.items()},
    **{word: {"is_own": True} for word in _OWN},
}
"""Fields of `HitForm` that are set by a word about a group."""
_FIRST_NO_SEAT = 6
"""Lowest number that cannot be a seat. `7s` alone is a set, but `2s` alone means seat 2's groups."""
_TARGET_FILLERS = frozenset({"the", "seat", "player", "group", "groups", "end", "at", "of"})
_NAME_FILLERS = frozenset({"on", "against", "for", "to", "naming", "seat", "player"})
_SEAT = re.compile(r"([0-9]{1,3})(s?)", re.ASCII)
_SEAT_AND_GROUP = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})", re.ASCII)

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted(
        {"draw", "take", "lay", "hit", "discard", "skip", *ARTICLES, *_ENDS, *_KINDS, *_ON, *_OWN}
        | {*_WHICH, *_RANKS_OF_SETS, _AS}
        | _DRAW_VERBS
        | _HIT_VERBS
        | {"put", "play", "use", *" ".join(_DISCARD_VERBS).split()}
        | _DRAW_FILLERS
        | _STOCK_WORDS
        | _PILE_WORDS
        | _LAY_FILLERS
        | _TARGET_FILLERS
        | _NAME_FILLERS
        | set(card_words())
    )
)
"""All words that can occur in an order."""


@dataclass(frozen=True, slots=True)
class DrawForm:
    """A draw from the stock."""


@dataclass(frozen=True, slots=True)
class TakeForm:
    """A draw from the discard pile. The card may be named."""

    card: Named | None = None


@dataclass(frozen=True, slots=True)
class LayForm:
    """A lay-down with its groups as written. Without groups, the finder chooses them (P10-30)."""

    groups: tuple[tuple[Named, ...], ...]
    meant: tuple[Meaning, ...] = ()
    """Meaning of each group after `as` (P10-V4), or None. Empty if no group has one."""


@dataclass(frozen=True, slots=True)
class HitForm:
    """A hit: the card, and the given parts of the target group.

    `number` is the number of the group. `which` counts only groups that match the other parts.
    """

    card: Named
    owner: int | None = None
    is_own: bool = False
    number: int | None = None
    kind: Kind | None = None
    rank: int | None = None
    which: int | None = None
    end: End | None = None


@dataclass(frozen=True, slots=True)
class DiscardForm:
    """A discard of one card (None: a skip). Additional cards cause an error later (P10-6)."""

    card: Named | None
    named: int | None = None
    more: tuple[Named, ...] = ()


Form: TypeAlias = DrawForm | TakeForm | LayForm | HitForm | DiscardForm


def read_form(text: str, table: CardTable, *, by_phase: bool = False) -> Form | None:
    """Parse a line as an order in any position. Return None if it is not an order.

    `by_phase` is True in games with `naturals=phase`. In these `as` is a word even if the table
    contains a card of that name (P10-V4).
    """
    spelt = split_words(text.replace("/", " / "))
    words = [word.casefold() for word in spelt]
    if "ace" in table.ranks:
        words = list(with_aces([spelt]))  # in `A 7` the ace must not be mistaken for an article
    if not words:
        return None
    verb, *rest = words
    if verb in _DRAW_VERBS:
        return _read_draw(verb, rest, table)
    if words in (["blind", "draw"], ["draw", "blind"]):
        return DrawForm()
    match verb:
        case "lay":
            return _read_lay(rest, table, by_phase=by_phase)
        case "hit" | "add":
            return _read_hit(rest, table)
        case "skip":
            return _read_skip(rest)
        case "put" | "play" | "use":
            return _read_put(verb, rest, table, by_phase=by_phase)
        case _:
            return _read_away(words, table)


def _read_away(words: list[str], table: CardTable) -> Form | None:
    """Parse a discard: `discard R5`, `throw R5 away`, `R5 on the discard pile`."""
    index = _away_at(words) or len(words)
    for discards in _DISCARD_VERBS:
        cards = discards.split()
        if words[: len(cards)] == cards:
            return _read_discard(words[len(cards) : max(index, len(cards))], table)
    return _read_discard(words[:index], table) if index < len(words) else None


def _away_at(words: list[str]) -> int:
    """Return the index of `on the discard pile` or `away`, or the number of words if absent."""
    if words[-1] == "away":
        return len(words) - 1
    index = len(words)
    while index and words[index - 1] in _AWAY:
        index -= 1
    rest = words[index:]
    is_away = rest[:1] and rest[0] in _ON and "discard" in rest
    return index if is_away else len(words)


def _read_put(verb: str, rest: list[str], table: CardTable, *, by_phase: bool) -> Form | None:
    """Parse `put R5 on the discard pile`, `play my phase`, `play skip on 2`, `put R5 on 1.0`."""
    if not rest:
        return None
    if "phase" in rest:
        return LayForm(()) if frozenset(rest) <= _LAY_FILLERS else None
    index = _away_at(rest)
    if index < len(rest):
        return _read_discard(rest[:index], table) if verb == "put" else None
    if rest[0] == "down" and verb == "put":
        return _read_lay(rest, table, by_phase=by_phase) if len(rest) > 1 else None
    if any(word in IS_SKIP for word in rest[:2]):
        return _read_discard(rest, table)
    return _read_hit(rest, table) if not _ON.isdisjoint(rest) else None


def _read_draw(verb: str, rest: list[str], table: CardTable) -> Form | None:
    if verb == "pick":
        if "up" not in rest:
            return None
        rest.remove("up")
    sources = [word for word in rest if word not in _DRAW_FILLERS]
    if sources == ["draw", "pile"]:
        return DrawForm()
    present = frozenset(sources)
    if len(present) < len(sources):
        return None
    if present and present <= _STOCK_WORDS:
        return DrawForm()
    is_any = not {"a", "new", "one"}.isdisjoint(rest) and {"the", "top", "it"}.isdisjoint(rest)
    if not present and verb != "draw" and is_any:
        return None  # "take a card" may mean either pile
    if present <= _PILE_WORDS:
        # Some people call the stock the "draw pile", others call the discard pile that.
        if verb == "draw":
            return DrawForm() if not present else TakeForm() if "pile" not in sources[:1] else None
        return TakeForm()
    named = read_one(rest, table)
    return TakeForm(named) if verb != "draw" and named else None


def _read_lay(rest: list[str], table: CardTable, *, by_phase: bool) -> Form | None:
    is_phase = rest[-2:-1] == ["phase"]  # "lay phase 1"
    while rest and rest[0] in _LAY_FILLERS:
        rest = rest[1:]
    if not rest or (is_phase and len(rest) == 1):
        return LayForm(())
    rest = _strokes_behind_meanings(_counted_out(_with_strokes(rest)), table)
    groups: list[tuple[Named, ...]] = []
    meant: list[Meaning] = []
    for group in " ".join(rest).split("/"):
        words, meaning = _split_meaning(group.split(), table, by_phase=by_phase)
        cards = read_named(words, table)
        if not cards:
            return None
        groups.append(cards)
        meant.append(meaning)
    is_said = any(meaning is not None for meaning in meant)
    return LayForm(tuple(groups), tuple(meant) if is_said else ())


def _strokes_behind_meanings(words: list[str], table: CardTable) -> list[str]:
    """Insert a missing stroke after a meaning such as `W W W as 7`, unless `As` is also a card."""
    if _AS not in words or is_card(_AS, table):
        return words
    parts: list[str] = []
    for word in words:
        if parts[-2:-1] == [_AS] and word != "/":
            parts.append("/")
        if word != "and" or parts[-1:] != ["/"]:
            parts.append(word)
    return parts


def _split_meaning(
    words: list[str], table: CardTable, *, by_phase: bool
) -> tuple[list[str], Meaning]:
    """Split a group at `as`: `W W W as 7` becomes the words of three wilds and 7 (P10-V4).

    If `As` is also a card, it is treated as a word only in games with `naturals=phase`, and only
    between wilds and the last word.
    """
    if words[-2:-1] != [_AS]:
        return words, None
    cards = words[:-2]
    if is_card(_AS, table) and not (by_phase and {*(read_named(cards, table) or ())} == {WILD}):
        return words, None
    meaning = _read_meaning(words[-1], table)
    return (words, None) if meaning is None else (cards, meaning)


def _read_meaning(word: str, table: CardTable) -> Meaning:
    """Parse a number or a colour from a word such as `7`, `seven`, `7s`, `sevens` or `red`."""
    rank = table.ranks.get(_singular(word) or word, "")
    return int(rank) if rank.isdecimal() else _RANKS_OF_SETS.get(word) or table.suits.get(word)


def _with_strokes(words: list[str]) -> list[str]:
    """Replace words such as `a set of` or `and a run` by strokes between the groups."""
    if _KINDS.keys().isdisjoint(words) and "sets" not in words[:2]:
        return words
    parts: list[list[str]] = [[]]
    if words[1] in {"sets", "runs"} and words[0] in {"2", "two"}:
        words = words[2:]
    for word in words:
        if word in _KINDS:
            while parts[-1] and parts[-1][-1] in {"and", "a", "the", "my", "/"}:
                parts[-1].pop()
            parts.append([])
        elif parts[-1] or word != "of":
            parts[-1].append(word)
    groups = [group for group in parts if group]
    return [
        word for index, group in enumerate(groups) for word in (["/", *group] if index else group)
    ]


def _counted_out(words: list[str]) -> list[str]:
    """Expand `three 5s` to `5 5 5` and `3-6` to `3 4 5 6`."""
    result: list[str] = []
    for word in words:
        several = _RANGE.fullmatch(word)
        word_ = _singular(word)
        if several is not None and int(several[1]) < int(several[2]) <= max(NUMBERS):
            result += map(str, range(int(several[1]), int(several[2]) + 1))
        elif word_ is not None and result and result[-1] in _SEVERAL:
            result += [word_] * _SEVERAL[result.pop()]
        else:
            result.append(word)
    return result


def _singular(word: str) -> str | None:
    """Return the singular of `5s`, `fives`, `wilds` etc., or None if the word is not such a plural."""
    singular = word.removesuffix("s")
    if singular != word and (singular.isdecimal() or singular in OWN_WORDS.ranks):
        return singular
    singular = word.removesuffix("es")
    return singular if singular != word and singular in OWN_WORDS.ranks else None


def _read_hit(rest: list[str], table: CardTable) -> Form | None:
    if rest[:1] == ["with"]:
        rest = rest[1:]
    index = next((index for index, word in enumerate(rest) if word in _ON), len(rest))
    ends = [_ENDS[word] for word in rest if word in _ENDS]
    named = read_one([word for word in rest[:index] if word not in _ENDS], table)
    where = [
        word for word in rest[index + 1 :] if word not in _TARGET_FILLERS and word not in _ENDS
    ]
    if "with" in rest and rest.index("with") != 0:
        index = rest.index("with")  # "hit 1's set with red 5"
        return _read_hit([*rest[index + 1 :], "on", *rest[:index]], table)
    if named is None or len(ends) > 1 or (index < len(rest) and not where):
        return None
    target = _read_group(where)
    if target is None:
        return None
    return replace(target, card=named, end=ends[0] if ends else None)


def _read_group(words: list[str]) -> HitForm | None:
    """Parse a group and its owner without the card, as in `bob's first 6s`."""
    fields: dict[str, Any] = {}
    numbers: list[tuple[int, str]] = []
    for word in words:
        meaning, number = _meaning(word), _SEAT.fullmatch(word)
        if not (fields.keys() & meaning.keys()) <= {"is_own"}:
            return None  # a property is given twice
        fields |= meaning
        if number is not None:
            numbers.append((int(number[1]), number[2]))
        elif not meaning:
            return None
    if not numbers and {"is_own", "owner"} <= fields.keys():
        return None
    owner_and_rank = _owner_and_rank(numbers, fields) if numbers else {}
    return None if owner_and_rank is None else HitForm(WILD, **fields, **owner_and_rank)


def _meaning(word: str) -> Mapping[str, Any]:
    """Return the fields of `HitForm` that a word sets. Empty for a plain number and unknown words."""
    if word in _GROUP_WORDS:
        return _GROUP_WORDS[word]
    both = _SEAT_AND_GROUP.fullmatch(word)
    return {} if both is None else {"owner": int(both[1]), "number": int(both[2])}


def _owner_and_rank(
    numbers: list[tuple[int, str]], fields: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Distinguish the owner of a group from the number of a set among plain numbers.

    A number with an s is a set (`6s`) or a seat (`2's`). A single number is a set if the owner is
    known or there is no such seat. If there are two numbers, one is the seat: `5s of 1`, `1's 5s`,
    `1 5s`.

    Args:
        numbers: each number with its `s`, or with an empty text.
        fields: fields of `HitForm` that other words have determined.
    """
    has_owner, has_rank = not fields.keys().isdisjoint({"is_own", "owner"}), "rank" in fields
    match numbers:
        case [(rank, "s")] if not has_rank and (has_owner or rank >= _FIRST_NO_SEAT):
            return {"rank": rank}
        case [(seat, _)] if not has_owner:
            return {"owner": seat}
        case [(rank, "s"), (seat, "")] | [(seat, _), (rank, "s")]:
            return None if has_owner or has_rank else {"owner": seat, "rank": rank}
        case _:
            return None


def _read_discard(rest: list[str], table: CardTable) -> Form | None:
    skip = rest[1:] if rest and rest[0] in {"my", "the", *ARTICLES} else rest
    if skip and skip[0] in IS_SKIP and (form := _read_skip(skip[1:])) is not None:
        return form
    named = read_one(rest, table)
    if named is not None:
        return DiscardForm(named)
    several = read_named(rest, table)
    return DiscardForm(several[0], more=several[1:]) if several else None


def _read_skip(rest: list[str]) -> Form | None:
    names = [word for word in rest if word not in _NAME_FILLERS]
    if not names:
        return None if rest else DiscardForm(None)
    seat = _SEAT.fullmatch(names[0])
    return DiscardForm(None, int(seat[1])) if len(names) == 1 and seat is not None else None
