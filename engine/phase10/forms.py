"""Words to the form of an order, without a look at the table.

So a line of prose is told from an order that cannot be carried out. Every order begins with its
verb: numbers alone are never cards here, and a card alone is not an order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import CardTable
from engine.cards import card_words as with_aces
from engine.orders import split_words
from engine.phase10.groups import End, Kind
from engine.phase10.words import ARTICLES, IS_SKIP, Named, card_words, read_named, read_one

_DRAW_VERBS = frozenset({"draw", "take", "pick", "pickup"})
_DRAW_FILLERS = frozenset({"a", "the", "card", "from", "of", "up", "top", "one"})
_STOCK_WORDS = frozenset({"stock", "deck"})
_PILE_WORDS = frozenset({"discard", "discards", "pile"})
_LAY_FILLERS = frozenset({"down", "my", "the", "phase"})
_ON = frozenset({"on", "onto", "to"})
_OWN = frozenset({"own", "mine", "my", "me"})
_KINDS = {
    "set": Kind.SET, "run": Kind.RUN, "colour": Kind.COLOUR, "color": Kind.COLOUR,
}  # fmt: skip
_ENDS = {"low": End.LOW, "high": End.HIGH}
_TARGET_FILLERS = frozenset({"the", "seat", "player", "group", "end", "at", "of"})
_NAME_FILLERS = frozenset({"on", "against", "for", "to", "naming", "seat", "player"})
_SEAT = re.compile(r"([0-9]{1,3})s?", re.ASCII)
_SEAT_AND_GROUP = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})", re.ASCII)

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted(
        {"draw", "take", "lay", "hit", "discard", "skip", *ARTICLES, *_ENDS, *_KINDS, *_ON, *_OWN}
        | _DRAW_VERBS
        | _DRAW_FILLERS
        | _STOCK_WORDS
        | _PILE_WORDS
        | _LAY_FILLERS
        | _TARGET_FILLERS
        | _NAME_FILLERS
        | set(card_words())
    )
)
"""Every word that may stand in an order."""


@dataclass(frozen=True, slots=True)
class DrawForm:
    """From the stock."""


@dataclass(frozen=True, slots=True)
class TakeForm:
    """From the discard pile, perhaps with the card named."""

    card: Named | None = None


@dataclass(frozen=True, slots=True)
class LayForm:
    """Groups as written; none asks for the finder (P10-30)."""

    groups: tuple[tuple[Named, ...], ...]


@dataclass(frozen=True, slots=True)
class HitForm:
    """One card, and as much of its place as was said."""

    card: Named
    owner: int | None = None
    is_own: bool = False
    number: int | None = None
    kind: Kind | None = None
    end: End | None = None


@dataclass(frozen=True, slots=True)
class DiscardForm:
    """One card; None is a skip."""

    card: Named | None
    named: int | None = None


Form: TypeAlias = DrawForm | TakeForm | LayForm | HitForm | DiscardForm


def read_form(text: str, table: CardTable) -> Form | None:
    """Read a line as an order in any position; None if it is not an order."""
    spelt = split_words(text.replace("/", " / "))
    words = [word.casefold() for word in spelt]
    if "ace" in table.ranks:
        words = list(with_aces([spelt]))  # in `A 7` the ace is not an article
    if not words:
        return None
    verb, *rest = words
    if verb in _DRAW_VERBS:
        return _read_draw(verb, rest, table)
    match verb:
        case "lay":
            return _read_lay(rest, table)
        case "hit":
            return _read_hit(rest, table)
        case "discard":
            return _read_discard(rest, table)
        case "skip":
            return _read_skip(rest)
        case _:
            return None


def _read_draw(verb: str, rest: list[str], table: CardTable) -> Form | None:
    if verb == "pick":
        if "up" not in rest:
            return None
        rest.remove("up")
    said = [word for word in rest if word not in _DRAW_FILLERS]
    present = frozenset(said)
    if len(present) < len(said):
        return None
    if present and present <= _STOCK_WORDS:
        return DrawForm()
    if present <= _PILE_WORDS:
        # "draw pile" is the stock for some and the discards for others.
        if verb == "draw":
            return DrawForm() if not present else TakeForm() if "pile" not in said[:1] else None
        return TakeForm()
    named = read_one(rest, table)
    return TakeForm(named) if verb != "draw" and named else None


def _read_lay(rest: list[str], table: CardTable) -> Form | None:
    while rest and rest[0] in _LAY_FILLERS:
        rest = rest[1:]
    if not rest:
        return LayForm(())
    groups: list[tuple[Named, ...]] = []
    for part in _split(rest):
        cards = read_named(part, table)
        if not cards:
            return None
        groups.append(cards)
    return LayForm(tuple(groups))


def _split(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "/":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _read_hit(rest: list[str], table: CardTable) -> Form | None:
    at = next((at for at, word in enumerate(rest) if word in _ON), len(rest))
    ends = [_ENDS[word] for word in rest if word in _ENDS]
    named = read_one([word for word in rest[:at] if word not in _ENDS], table)
    where = [word for word in rest[at + 1 :] if word not in _TARGET_FILLERS and word not in _ENDS]
    if named is None or len(ends) > 1 or (at < len(rest) and not where):
        return None
    owner: int | None = None
    number: int | None = None
    kind: Kind | None = None
    is_own = False
    for word in where:
        seat, both = _SEAT.fullmatch(word), _SEAT_AND_GROUP.fullmatch(word)
        has_owner = is_own or owner is not None
        if word in _KINDS and kind is None:
            kind = _KINDS[word]
        elif word in _OWN and not has_owner:
            is_own = True
        elif seat is not None and not has_owner:
            owner = int(seat[1])
        elif both is not None and not has_owner:
            owner, number = int(both[1]), int(both[2])
        else:
            return None
    return HitForm(named, owner, is_own, number, kind, ends[0] if ends else None)


def _read_discard(rest: list[str], table: CardTable) -> Form | None:
    skip = rest[1:] if rest and rest[0] in {"my", "the", *ARTICLES} else rest
    if skip and skip[0] in IS_SKIP:
        return _read_skip(skip[1:])
    named = read_one(rest, table)
    return DiscardForm(named) if named else None


def _read_skip(rest: list[str]) -> Form | None:
    names = [word for word in rest if word not in _NAME_FILLERS]
    if not names:
        return None if rest else DiscardForm(None)
    seat = _SEAT.fullmatch(names[0])
    return DiscardForm(None, int(seat[1])) if len(names) == 1 and seat is not None else None
