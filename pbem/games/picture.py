"""A table picture as plain values: lines of cards and words, and grids.

A game lays out a view. `pbem.show.terminal` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.knowledge import View

Line: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with a style: `card` and `down` for cards, or a terminal style."""
Cell: TypeAlias = "str | Line | list[Line]"
Names: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under column titles."""

    titles: Sequence[str]
    rows: Sequence[Sequence[Cell]]


Picture: TypeAlias = "Callable[[View, Names], list[Line | Grid]]"
"""A function that lays out a view as a picture. It also gets the player names by seat."""

MAX_PILE_CARDS = 14


def words(text: str, look: str = "") -> Line:
    """Return a line of text with an optional style."""
    return ((text, look),)


def cards(faces: Iterable[str]) -> Line:
    """Return a line of cards, or a dash if there are none."""
    return tuple((face, "card") for face in faces) or words("–", "dim")


def hidden(count: int) -> Line:
    """Return a line with face-down cards and their number."""
    return (("▒▒", "blue"),) * min(count, 5) + words(f"{count} hidden")


def who(number: int, view: View, names: Names) -> list[Line]:
    """Return the name of a seat, with a mark if it is its turn."""
    turn = [words("to move", "yellow")] if number in view["to_act"] else []
    return [words(names[number], "bold"), *turn]


def hand(seat: View) -> Line:
    """Return a line with the hand of a seat, or with its known part."""
    if seat["hand"] is not None:
        return cards(seat["hand"])
    known = seat.get("known") or []
    count = seat["hand_size"] - len(known)
    if not known:
        return hidden(count) if count else cards([])
    return cards(known) + words("known") + (hidden(count) if count else ())


def place(seat: View) -> Line:
    """Return a line with the hand of a seat, or with its rank if it is out."""
    if seat["resigned"]:
        return words("left the game")
    return words(f"out, place {seat['out']}") if seat.get("out") else hand(seat)


def heaps(view: View, pile: str) -> list[Line]:
    """Return lines with the stock, the pile and other cards in the middle of the table."""
    top = view["pile"][::-1]
    lying = cards(top[:MAX_PILE_CARDS])
    if len(top) > MAX_PILE_CARDS:
        lying += words(f"and {len(top) - MAX_PILE_CARDS} more")
    lines = [words(f"{pile}, top first:" if len(top) > 1 else f"{pile}:") + lying]
    if view["stock"]:
        lines.append(words("Stock, top first:") + cards(view["stock"][::-1]))
    else:
        lines.append(words("Stock:") + words(f"{view['stock_size']} left"))
    if view["gone"] or view["gone_hidden"]:
        gone = cards(view["gone"]) if view["gone"] else ()
        unseen = words(f"{view['gone_hidden']} unseen") if view["gone_hidden"] else ()
        lines.append(words("Out of the game:") + gone + unseen)
    return lines
