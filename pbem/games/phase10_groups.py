"""Players' names for groups of Phase 10 on the table: `my 7s`, `Bob’s run`, `Ada’s first 6s`.

These words are used in moves. The parser accepts them, and the log has numbers instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.phase10.cards import WILD, Card
from engine.phase10.groups import Group, Kind, open_ends
from pbem.games.knowledge import View
from pbem.games.profile import Told

_GROUP = re.compile(r"(?<= on )(\d+)\.(\d+)")
_KINDS = {"run": "run", "colour": "colour group"}
_STANDARD_RANKS = {"1": "aces", "11": "jacks", "12": "queens"}
_ORDER = ("first", "second")


def group_words(groups: Sequence[View], at: int, deck: object) -> str:
    """Return the name of one of a seat's groups. Groups with the same name are numbered.

    Args:
        groups: the seat's groups in a view.
        at: index of the group.
        deck: value of the option. `standard` has aces, jacks and queens.
    """
    names = [_words(group, deck) for group in groups]
    alike = [number for number, name in enumerate(names) if name == names[at]]
    return names[at] if len(alike) == 1 else f"{_ORDER[alike.index(at)]} {names[at]}"


def _words(group: View, deck: object) -> str:
    if group["kind"] in _KINDS:
        return _KINDS[group["kind"]]
    number = _number(group)
    if deck == "standard" and number in _STANDARD_RANKS:
        return _STANDARD_RANKS[number]
    return f"{number}s"


def _number(group: Mapping[str, Any]) -> str:
    """Return the number of a set. In a set of wilds it is stored in a separate field (P10-V4)."""
    natural = next((card for card in group["cards"] if card != WILD), None)
    return str(group["as"]) if natural is None else str(natural[1:])


def group_hit(hit: Mapping[str, Any], groups: Sequence[View], deck: object) -> str:
    """Return the name of the group that a hit was added to.

    Args:
        hit: the data of the fact.
        groups: the owner's current groups. They differ if a later deal has started.
        deck: as in `group_words`.
    """
    number, cards = hit["group"], hit["cards"]
    if number < len(groups) and {*cards} <= {*groups[number]["cards"]}:
        return group_words(groups, number, deck)
    numbers = [card[1:] for card in cards if card != WILD]
    if hit["end"] is not None:
        return "run"
    if "as" in hit or (len(numbers) > 1 and len({*numbers}) == 1):
        return _words({**hit, "kind": "set"}, deck)
    return f"{_ORDER[number]} group"


def said_move(move: str, context: Told) -> str:
    """Return a move with the name of its group: `hit R6 on 1.0` becomes `hit R6 on 1’s 6s`.

    The viewer's own group becomes `my 6s`. A group that is no longer on the table stays as it is.
    """

    def said(match: re.Match[str]) -> str:
        owner, index, laid = int(match[1]), int(match[2]), context.view["groups"]
        groups = laid[owner] if owner < len(laid) else ()
        if index >= len(groups):
            return match[0]
        whose = "my" if owner == context.view["seat"] == context.seat else f"{owner}’s"
        return f"{whose} {group_words(groups, index, context.deck)}"

    return _GROUP.sub(said, move)


def fits_one(card: str, group: Mapping[str, Any]) -> bool:
    """True if a card can be added to a group of a view."""
    return bool(open_ends(group_of(group), Card(card)))


def group_of(group: Mapping[str, Any]) -> Group:
    """Convert a group of a view to the engine's type."""
    return Group(Kind(group["kind"]), tuple(map(Card, group["cards"])), group.get("as"))
