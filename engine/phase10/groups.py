"""Phases and groups, hits, and lay-downs (P10-8 to P10-13).

Groups store their cards in canonical form. Sets and colour groups are in documented order with
wilds last. Runs are ascending, with each wild in its position. The first number card therefore
determines the numbers of a run. In a run of wilds the player names the number (P10-V4). A wild
never moves (P10-10).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple, TypeAlias, assert_never

from engine.api import JsonValue
from engine.errors import IllegalMoveError, illegal
from engine.phase10.cards import COLOUR_OF, NUMBER_OF, NUMBERS, SKIP, WILD, Card, Cards, sort_cards
from engine.sentences import Sentence, joined, plural, sentence

LOWEST, HIGHEST = NUMBERS[0], NUMBERS[-1]


class Kind(enum.Enum):
    """The three kinds of groups."""

    SET = "set"
    RUN = "run"
    COLOUR = "colour"


class End(enum.Enum):
    """The two ends of a run."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Part:
    """Requirement for one group of a phase."""

    kind: Kind
    size: int
    """Minimum number of cards."""

    def in_words(self) -> Sentence:
        """Describe the requirement, e.g. `set of 3`, `run of 4`, or `7 cards of one colour`."""
        match self.kind:
            case Kind.SET:
                return sentence("set of {size}", size=self.size)
            case Kind.RUN:
                return sentence("run of {size}", size=self.size)
            case Kind.COLOUR:
                return sentence("{size} cards of one colour", size=self.size)


class Group(NamedTuple):
    """A group of cards on the table, in canonical form."""

    kind: Kind
    cards: Cards
    number: int | None = None
    """Number of a set, or lowest number of a run, if all cards are wilds (P10-V4).

    None if the group contains a number card.
    """


Meaning: TypeAlias = int | str | None
"""Meaning of a group of wilds: number of a set, lowest number of a run, or colour letter."""


def group_text(cards: Cards, number: int | None) -> str:
    """Format a group for an order: `R5 B5 W`, or `W W W as 7` if it has only wilds (P10-V4)."""
    text = " ".join(cards)
    return text if number is None else f"{text} as {number}"


def group_json(group: Group) -> dict[str, JsonValue]:
    """Return a group as JSON. Only groups of wilds have the field `as` with their number (P10-V4)."""
    data: dict[str, JsonValue] = {"kind": group.kind.value, "cards": list(group.cards)}
    if group.number is not None:
        data["as"] = group.number
    return data


def _sets(*sizes: int) -> tuple[Part, ...]:
    return tuple(Part(Kind.SET, size) for size in sizes)


PHASES: Mapping[int, tuple[Part, ...]] = {
    1: _sets(3, 3),
    2: (Part(Kind.SET, 3), Part(Kind.RUN, 4)),
    3: (Part(Kind.SET, 4), Part(Kind.RUN, 4)),
    4: (Part(Kind.RUN, 7),),
    5: (Part(Kind.RUN, 8),),
    6: (Part(Kind.RUN, 9),),
    7: _sets(4, 4),
    8: (Part(Kind.COLOUR, 7),),
    9: _sets(5, 2),
    10: _sets(5, 3),
}
"""Required groups of each phase, in the order in which they are logged (P10-8)."""


def phase_words(phase: int) -> Sentence:
    """Describe a phase, e.g. `set of 3 + run of 4`."""
    return joined([group.in_words() for group in PHASES[phase]], " + ")


def run_ends(cards: Cards, low: int | None = None) -> tuple[int, int]:
    """Return the lowest and the highest number of a run.

    Args:
        cards: the cards of the run.
        low: lowest number of a run that has only wilds. None derives it from the first number card.
    """
    if low is None:
        index = next(index for index, card in enumerate(cards) if card != WILD)
        low = NUMBER_OF[cards[index]] - index
    return low, low + len(cards) - 1


def open_ends(group: Group, card: Card) -> tuple[End | None, ...]:
    """Return the positions where a card can be added: ends of a run, None for other groups.

    Empty if the card does not fit. Rules: P10-15, P10-16.
    """
    if card == SKIP:
        return ()
    first = group.cards[0]
    match group.kind:
        case Kind.SET:
            # Wilds come last in sets and colour groups, so the first card is a number card unless
            # all cards of a set are wilds.
            number = NUMBER_OF.get(first, group.number)
            return (None,) if card == WILD or NUMBER_OF[card] == number else ()
        case Kind.COLOUR:
            return (None,) if card == WILD or COLOUR_OF[card] == COLOUR_OF[first] else ()
        case Kind.RUN:
            low, high = run_ends(group.cards, group.number)
            number = None if card == WILD else NUMBER_OF[card]
            ends = []
            if low > LOWEST and number in (None, low - 1):
                ends.append(End.LOW)
            if high < HIGHEST and number in (None, high + 1):
                ends.append(End.HIGH)
            return tuple(ends)


def grown(group: Group, card: Card, end: End | None) -> Group:
    """Return the group with a card added at an end returned by `open_ends`."""
    number = group.number if card == WILD else None
    match end:
        case End.LOW:
            return Group(group.kind, (card, *group.cards), None if number is None else number - 1)
        case End.HIGH:
            return Group(group.kind, (*group.cards, card), number)
        case None:
            return Group(group.kind, sort_cards((*group.cards, card)), number)


def arrange(
    phase: int,
    written: Sequence[Cards],
    meant: Sequence[Meaning] = (),
    *,
    by_phase: bool = False,
) -> tuple[Group, ...]:
    """Return the groups of a phase in their required order, given cards as written by a player.

    Groups that match several parts of the phase keep their written order.

    Args:
        phase: number of the phase.
        written: the cards of each group.
        meant: the meaning of each group as written, or empty if none is given.
        by_phase: True if one number card in the whole phase is enough (P10-V4).

    Raises:
        IllegalMoveError: the groups do not form the phase.

    Rules: P10-9, P10-10, P10-12, P10-13, P10-V4.
    """
    if meant and not by_phase:
        raise illegal(
            sentence(
                "P10-V4: “as” is only for games with naturals=phase; here each group has a number"
                " card, which says what the group is"
            )
        )
    parts = PHASES[phase]
    if len(written) > len(parts):
        raise illegal(
            plural(
                "P10-13: phase {phase} is {words}: {count} group and no more, not {written}",
                "P10-13: phase {phase} is {words}: {count} groups and no more, not {written}",
                len(parts),
                phase=phase,
                words=phase_words(phase),
                written=len(written),
            )
        )
    if len(written) < len(parts):
        raise illegal(
            plural(
                "P10-12: phase {phase} is {words}, so {count} group separated by /, not {written}",
                "P10-12: phase {phase} is {words}, so {count} groups separated by /, not {written}",
                len(parts),
                phase=phase,
                words=phase_words(phase),
                written=len(written),
            )
        )
    refusals: list[IllegalMoveError] = []
    for order in permutations(zip(written, meant or (None,) * len(written), strict=True)):
        try:
            groups = tuple(
                make_group(group, cards, meaning, by_phase=by_phase)
                for group, (cards, meaning) in zip(parts, order, strict=True)
            )
        except IllegalMoveError as refusal:
            refusals.append(refusal)
        else:
            return _check_wilds(groups) if by_phase else groups
    raise refusals[0]


def make_group(
    group: Part, cards: Cards, meaning: Meaning = None, *, by_phase: bool = False
) -> Group:
    """Create one group of a phase. Raises: IllegalMoveError (P10-8, P10-9, P10-10, P10-V4).

    With `by_phase` the group may consist only of wilds, even without a meaning.
    """
    if SKIP in cards:
        raise illegal(sentence("P10-10: a skip is never part of a group"))
    naturals = [card for card in cards if card != WILD]
    if not naturals and not by_phase:
        raise illegal(
            sentence("P10-10: each group needs at least one number card beside its wilds")
        )
    if len(cards) < group.size:
        raise illegal(
            sentence(
                "P10-8: {cards} is too short for a {part}",
                cards=" ".join(cards),
                part=group.in_words(),
            )
            if group.kind is not Kind.COLOUR
            else sentence(
                "P10-8: {cards} is too short, phase 8 is {part}",
                cards=" ".join(cards),
                part=group.in_words(),
            )
        )
    if not naturals:
        return _of_wilds(group.kind, cards, meaning)
    fixed: Meaning
    match group.kind:
        case Kind.SET:
            if len({NUMBER_OF[card] for card in naturals}) > 1:
                raise _no_group(cards, sentence("a set has one number"))
            form, fixed = sort_cards(cards), NUMBER_OF[naturals[0]]
        case Kind.COLOUR:
            if len({COLOUR_OF[card] for card in naturals}) > 1:
                raise _no_group(cards, sentence("the cards of a colour group have one colour"))
            form, fixed = sort_cards(cards), COLOUR_OF[naturals[0]]
        case Kind.RUN:
            form = _make_run(cards, naturals)
            fixed = run_ends(form)[0]
        case _:
            assert_never(group.kind)
    if meaning not in (None, fixed):
        raise _not_meant(cards, meaning)
    return Group(group.kind, form)


def _not_meant(cards: Cards, meaning: Meaning) -> IllegalMoveError:
    return illegal(
        sentence(
            "P10-V4: {cards} can’t be laid down “as {meaning}”",
            cards=" ".join(cards),
            meaning=meaning,
        )
    )


def _of_wilds(kind: Kind, cards: Cards, meaning: Meaning) -> Group:
    """Create a group that has only wilds. Without a meaning its number is None (P10-V4)."""
    if isinstance(meaning, str):
        raise _not_meant(cards, meaning)
    if meaning is not None:
        last = run_ends(cards, meaning)[1] if kind is Kind.RUN else meaning
        if meaning < LOWEST or last > HIGHEST:
            raise _not_meant(cards, meaning)
    return Group(kind, cards, meaning)


def _check_wilds(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Reject a phase that has only wilds, or wilds without a meaning (P10-V4)."""
    if all(is_of_wilds(group) for group in groups):
        raise illegal(sentence("P10-V4: a phase needs at least one number card beside its wilds"))
    numbered = with_numbers(groups)
    if numbered != groups:
        raise illegal(
            sentence(
                "P10-V4: a group of wilds alone says what it is, as in {groups}",
                groups=joined([_in_words(group) for group in numbered], " / "),
            )
        )
    return groups


def _in_words(group: Group) -> Sentence:
    """Return the text of `group_text` as a translatable sentence."""
    cards = " ".join(group.cards)
    if group.number is None:
        return joined([cards])
    return sentence("{cards} as {number}", cards=cards, number=group.number)


def is_of_wilds(group: Group) -> bool:
    """True if a group has no number card (P10-V4)."""
    return all(card == WILD for card in group.cards)


def with_numbers(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Assign the lowest possible number to each group of wilds that has none.

    For a set, this is the lowest number that no other set of the phase uses (P10-V4).
    """
    taken = {NUMBER_OF.get(group.cards[0]) for group in groups if group.kind is Kind.SET}
    free = next(number for number in NUMBERS if number not in taken)
    return tuple(
        group._replace(number=LOWEST if group.kind is Kind.RUN else free)
        if group.number is None and is_of_wilds(group)
        else group
        for group in groups
    )


def _no_group(cards: Cards, why: str) -> IllegalMoveError:
    return IllegalMoveError(
        sentence("{rule}: {why}", rule=f"P10-9: {' '.join(cards)}", why=why), rule="P10-9"
    )


def _make_run(cards: Cards, naturals: list[Card]) -> Cards:
    """Validate a run. A run without wilds may be written in any order (P10-9)."""
    upwards = tuple(sorted(naturals, key=NUMBER_OF.__getitem__))
    if len(naturals) == len(cards):
        cards = upwards
    low, high = run_ends(cards)
    is_run = all(card == WILD or NUMBER_OF[card] == low + index for index, card in enumerate(cards))
    if is_run and low >= LOWEST and high <= HIGHEST:
        return cards
    form = _with_wilds_in_place(upwards, len(cards) - len(naturals))
    if len(naturals) == len(cards) or form is None:
        raise _no_group(cards, sentence("a run has consecutive numbers from 1 to 12, each once"))
    raise _no_group(
        cards,
        sentence(
            "write a run with wilds upwards, each wild at its place, as in {form}",
            form=" ".join(form),
        ),
    )


def _with_wilds_in_place(upwards: Cards, wilds: int) -> Cards | None:
    """Insert wilds into the gaps of a run, then extend its high end, then its low end.

    Return None if the cards do not form a run.
    """
    form: list[Card] = []
    for card in upwards:
        if form:
            gap = NUMBER_OF[card] - run_ends(tuple(form))[1] - 1
            if gap < 0 or gap > wilds:
                return None
            form += [WILD] * gap
            wilds -= gap
        form.append(card)
    low, high = run_ends(tuple(form))
    above = min(wilds, HIGHEST - high)
    if wilds - above > low - LOWEST:
        return None
    return (*(WILD,) * (wilds - above), *form, *(WILD,) * above)
