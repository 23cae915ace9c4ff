"""Construct two games with the same moves and visible cards, but different hidden cards.

The second game is the first with pairs of cards exchanged in the shuffles, such that all open cards
and the hand of one seat are the same after every ply. `open_table` determines these cards without
the tested `view` of the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random  # noqa: TID251  (who plays what, not what is dealt)
from typing import Any
from unittest.mock import patch

from engine import registry
from engine.api import AnyRuleset, Seat, Setup, Source
from engine.errors import EngineError
from engine.ruleset import public_move
from engine.shuffle import Shuffled, shuffle

KNOWN_TO_ITS_SEAT = {
    "phyliss": {"hand"},
    "cathedral": {"hand", "reserve", "choice"},
    "phalanx": {"hand", "aside", "choice"},
    "phase10": {"hand"},
    "phase10-family": {"hand"},
}
"""Places of a seat with cards that only its player may see.

No player may see the cards in other hidden places.
"""

FACE_DOWN = {"hand", "reserve", "choice", "aside", "blind"}
NOT_ON_THE_TABLE = {"turn", "turns", "mark", "choice_mark"}
"""Fields that count missed deadlines. They depend on how moves were sent, not on cards."""


@dataclass(slots=True)
class Arrangement:
    """The order of the cards in each shuffle, instead of the order from the seed.

    Attributes:
        first: the shuffles of the first game, by number.
        swaps: pairs of places that are exchanged, by number of the shuffle.
    """

    first: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    swaps: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def arrange(self, items: Sequence[Any], seed: bytes, number: int) -> tuple[Any, ...]:
        """Return the items of a shuffle in this game's order, bottom to top."""
        if number not in self.first:
            self.first[number] = shuffle(items, seed, number)
        cards = list(self.first[number])
        missing = list((Counter(items) - Counter(cards)).elements())
        for gone in (Counter(cards) - Counter(items)).elements():
            cards[cards.index(gone)] = missing.pop()
        assert not missing
        return self.swapped(number, cards)

    def swapped(self, number: int, cards: Sequence[Any]) -> tuple[Any, ...]:
        """Return the cards of shuffle `number` after exchanging its pairs."""
        lying = list(cards)
        for card, other in self.swaps.get(number, ()):
            lying[card], lying[other] = lying[other], lying[card]
        return tuple(lying)


def _brought() -> set[str]:
    """Return the names of the packages of installed games."""
    return {type(rules).__module__.partition(".")[0] for rules in registry.rulesets()} - {"engine"}


@contextmanager
def dealt(arrangement: Arrangement) -> Iterator[None]:
    """Make every shuffle return the arrangement."""

    class Arranged(Shuffled[Any]):
        __slots__ = ()

        def __init__(self, items: Sequence[Any], seed: bytes, number: int) -> None:
            super().__init__(items, seed, number)
            self._settled = arrangement.arrange(tuple(items), seed, number)
            self._items = self._settled

        def draw(self, count: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
            left = len(self) - count
            return self._all()[left:], self._all()[:left]

    def arranged(items: Any, seed: bytes, number: int) -> tuple[Any, ...]:
        return arrangement.arrange(tuple(items), seed, number)

    with ExitStack() as patches:
        for name in ("engine.deals.shuffle", "engine.phase10.turn.shuffle"):
            patches.enter_context(patch(name, arranged))
        brought = _brought()
        for name in [name for name in sys.modules if name.partition(".")[0] in brought]:
            if getattr(sys.modules[name], "shuffle", None) is shuffle:
                patches.enter_context(patch.object(sys.modules[name], "shuffle", arranged))
        patches.enter_context(patch("engine.phalanx.battle.Shuffled", Arranged))
        yield


@dataclass(frozen=True, slots=True)
class Ply:
    """A move as text. `is_secret`: several seats chose at once, no one saw what."""

    seat: int
    move: str
    is_forced: bool
    is_secret: bool


def play(
    rules: AnyRuleset, setup: Setup, plies: int, luck: Random, *, auto_mine: bool = False
) -> list[Ply]:
    """Play the first game, any legal move; forced ones as the service makes them, also at the end.

    With `auto_mine`, every player has written that order.

    Rules: GEN-11.
    """
    state = rules.start(setup).state
    played: list[Ply] = []
    while rules.to_act(state):
        forced = rules.forced_move(state) or (public_move(rules, state) if auto_mine else None)
        if forced is None and len(played) >= plies:
            break
        if forced is not None:
            seat, move = forced
        else:
            seat = luck.choice(rules.to_act(state))
            move = luck.choice(list(rules.legal_moves(state, seat)))
        text = rules.format_move(state, seat, move)
        played.append(Ply(seat, text, forced is not None, len(rules.to_act(state)) > 1))
        state = rules.apply(state, seat, move, Source.CHOSEN).state
    return played


def happened(rules: AnyRuleset, setup: Setup, plies: Sequence[Ply]) -> set[str]:
    """Return the kinds of facts in a game.

    Kinds of Phalanx include their zone and how the cards counted.
    """
    step = rules.start(setup)
    facts = [*step.facts]
    for ply in plies:
        move = rules.parse_order(step.state, Seat(ply.seat), ply.move)
        step = rules.apply(step.state, Seat(ply.seat), move, Source.CHOSEN)
        facts += step.facts
    kinds = {fact.kind for fact in facts}
    for fact in facts:
        if fact.kind == "resolved":
            kinds.add(f"resolved {fact.data['zone']}")
            cards = [card for owner in fact.data["owners"] for card in owner["cards"]]
            kinds |= {why for card in cards for why in card["why"]}
    return kinds


def tables(
    rules: AnyRuleset, setup: Setup, plies: Sequence[Ply], reader: int
) -> list[dict[str, Any]]:
    """Return everything visible to a reader after each ply.

    Raises:
        EngineError: a move is impossible.
        AssertionError: the game played a forced move (`auto_forced=all`) although the hand left a
            choice.
    """
    state = rules.start(setup).state
    seen = [open_table(rules, state, reader)]
    tells_hands = setup.options["auto_forced"] == "all"
    for ply in plies:
        assert not tells_hands or ply.is_forced == (rules.forced_move(state) is not None)
        move = rules.parse_order(state, Seat(ply.seat), ply.move)
        state = rules.apply(state, Seat(ply.seat), move, Source.CHOSEN).state
        seen.append(open_table(rules, state, reader))
    return seen


def open_table(rules: AnyRuleset, state: Any, reader: int) -> dict[str, Any]:
    """Return the part of a state that is visible to a reader, with the number of hidden cards."""
    data: dict[str, Any] = dict(rules.state_json(state))
    if "seats" not in data:  # a game whose seats only have hands
        data["seats"] = [{"hand": hand} for hand in data.pop("hands")]
    own = KNOWN_TO_ITS_SEAT.get(rules.id.name, {"hand"})
    data["stock"] = len(data.get("stock", ()))
    data["spoils"] = len(data.get("spoils", ()))
    data["seats"] = [
        {
            name: len(value)
            if name in FACE_DOWN - (own if seat == reader else set()) and value
            else value
            for name, value in cards.items()
            if name not in NOT_ON_THE_TABLE
        }
        for seat, cards in enumerate(data["seats"])
    ]
    data["zones"] = {
        zone: [
            card if card["up"] or card["seat"] == reader else {**card, "card": "?"}
            for card in lying
        ]
        for zone, lying in data.get("zones", {}).items()
    }
    return {name: value for name, value in data.items() if name not in NOT_ON_THE_TABLE}


def other_world(
    rules: AnyRuleset,
    setup: Setup,
    plies: Sequence[Ply],
    reader: int,
    first: Arrangement,
    luck: Random,
    *,
    tries: int,
) -> tuple[Arrangement, list[Ply]]:
    """Exchange hidden cards at random, `tries` times, and keep the swaps that the reader cannot see.

    Returns the arrangement, without swaps if none was possible, and the moves in it.
    """
    wanted = tables_of(rules, setup, plies, reader, first)
    arrangement, moves = Arrangement(first.first), list(plies)
    for _ in range(tries):
        number = luck.choice(sorted(first.first))
        cards = arrangement.swapped(number, arrangement.first[number])
        if len(cards) < 2:
            continue
        first_index, other = luck.sample(range(len(cards)), 2)
        if cards[first_index] == cards[other] or _came_together(
            wanted, reader, cards[first_index], cards[other]
        ):
            continue
        swaps = {
            **arrangement.swaps,
            number: [*arrangement.swaps.get(number, ()), (first_index, other)],
        }
        tried = Arrangement(first.first, swaps)
        plies_seen = [_exchanged(ply, reader, cards[first_index], cards[other]) for ply in moves]
        for given in (moves, plies_seen):
            if tables_of(rules, setup, given, reader, tried) == wanted:
                arrangement, moves = tried, list(given)
                break
    return arrangement, moves


def _came_together(
    seen: Sequence[dict[str, Any]] | None, reader: int, one: Any, other: Any
) -> bool:
    """True if the reader drew both cards at once.

    They must not be exchanged, because the reader sees the order of the draw.
    """
    hands = [Counter(table["seats"][reader]["hand"]) for table in seen or ()]
    came = [hands[0], *(after - before for before, after in pairwise(hands))] if hands else []
    return any(str(one) in new and str(other) in new for new in came)


def tables_of(
    rules: AnyRuleset,
    setup: Setup,
    plies: Sequence[Ply],
    reader: int,
    arrangement: Arrangement,
) -> list[dict[str, Any]] | None:
    """Return everything visible in an arranged game, or None if the moves are impossible in it."""
    try:
        with dealt(arrangement):
            return tables(rules, setup, plies, reader)
    except (EngineError, AssertionError, IndexError):
        return None


def _exchanged(ply: Ply, reader: int, one: Any, other: Any) -> Ply:
    """Return a ply with two cards exchanged in it, if it is another seat's secret choice."""
    if not ply.is_secret or ply.seat == reader:
        return ply
    names = {str(one): str(other), str(other): str(one)}
    words = [names.get(word, word) for word in ply.move.split()]
    return Ply(ply.seat, " ".join(words), ply.is_forced, ply.is_secret)
