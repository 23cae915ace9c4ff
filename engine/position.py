"""Drafts of states, and common code for the JSON form of states.

Digests are computed from the JSON, so its format is frozen with the version of a ruleset (GEN-1).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.api import Fact, JsonObject, JsonValue, Note, Opening, Seat, Step
from engine.canonical import canonical_json
from engine.errors import ReplayError
from engine.silence import Turns

S = TypeVar("S")
Item = TypeVar("Item")
Checks: TypeAlias = Mapping[str, bool]
"""Maps an impossible property to True if the state has it. Checks must not depend on each other."""

new_tuple: Final = tuple.__new__
"""Creates a named tuple from its fields at half the cost of calling its class."""

MAX_PLAYERS = 6
CLOCKWISE: Final[Mapping[int, tuple[tuple[Seat, ...], ...]]] = {
    players: tuple(
        tuple(Seat((seat + step) % players) for step in range(1, players + 1))
        for seat in range(players)
    )
    for players in range(2, MAX_PLAYERS + 1)
}
"""By number of players and seat: all seats clockwise from the left neighbour to the seat itself."""


class BaseDraft(Generic[S]):
    """A mutable copy of a state that exists only during one call of the rules.

    Each game lists its fields explicitly in `__init__` and `freeze`. In compiled code this takes a
    quarter of the time of access by name.

    Attributes:
        facts: facts about the events of this call, in chronological order.
        opened: the shuffles of this call, in chronological order.
    """

    __slots__ = ("facts", "opened")

    facts: list[Note]
    opened: list[Opening]

    def tell(
        self, kind: str, seat: Seat | None, data: JsonObject, audience: Seat | None = None
    ) -> None:
        """Add a fact."""
        self.facts.append(Fact(kind, seat, data, audience))

    @abstractmethod
    def freeze(self) -> S:
        """Return the current contents as an immutable state."""

    def finish(self) -> Step[S]:
        """Return a step with the new state, the facts and the shuffles."""
        return Step(self.freeze(), self.facts, self.opened)


def with_item(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    """Return a tuple with the item at an index replaced."""
    # twice as fast as concatenating slices
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def fields_json(value: Any, names: Iterable[str]) -> JsonObject:  # noqa: ANN401
    """Return the named fields of a state as JSON. Tuples become lists."""
    fields = ((name, getattr(value, name)) for name in names)
    return {name: list(field) if isinstance(field, tuple) else field for name, field in fields}


def read_fields(
    data: Mapping[str, Any], names: Iterable[str], read_card: Callable[[str], Any]
) -> dict[str, Any]:
    """Parse the result of `fields_json`. Lists contain numbers or cards.

    Raises: KeyError, ValueError.
    """
    fields = ((name, data[name]) for name in names)
    return {
        name: tuple([read_card(item) if isinstance(item, str) else item for item in field])
        if isinstance(field, list)
        else field
        for name, field in fields
    }


def lists(rows: Iterable[Iterable[JsonValue]]) -> list[JsonValue]:
    """Convert rows to lists of JSON values."""
    return [list(row) for row in rows]


def read_seats(numbers: Iterable[int]) -> tuple[Seat, ...]:
    """Convert numbers to seats."""
    return tuple(map(Seat, numbers))


def read_turns(rows: Iterable[Sequence[int]]) -> Turns:
    """Parse the record of turns, in which each row contains two marks. Raises: ValueError."""
    return tuple((older, last) for older, last in rows)


def read_back(
    title: str,
    data: Mapping[str, Any],
    read: Callable[[Mapping[str, Any]], S],
    write: Callable[[S], JsonObject],
    checks: Callable[[S], Checks],
) -> S:
    """Parse a state and check that it produces the same JSON again. Raises: ReplayError.

    Args:
        title: name of the game.
        data: the JSON of a state.
        read: creates the state. It may raise any error for malformed data.
        write: the inverse of `read`.
        checks: maps impossible properties to True if the state has them.
    """
    try:
        state = read(data)
        problem = next((words for words, is_so in checks(state).items() if is_so), None)
        # Canonical texts are compared, because 1 == True in Python.
        if problem is None and canonical_json(write(state)) != canonical_json(dict(data)):
            problem = "it does not read back the same"
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ReplayError(f"this is no state of {title}: {error!r}") from error
    if problem is not None:
        raise ReplayError(f"this is no state of {title}: {problem}")
    return state


def impossible(
    players: int,
    *,
    by_seat: Iterable[Sequence[Any]],
    counts: Iterable[Any],
    seats: Iterable[Any],
    to_act: Sequence[Any],
    reason: str | None,
) -> Checks:
    """Check properties that are impossible in any game.

    Args:
        players: number of seats.
        by_seat: sequences with one item per seat.
        counts: all numbers that are not seats.
        seats: all seats that occur anywhere in the state.
        to_act: seats that must act.
        reason: reason for the end of the game, or None while it is running.
    """
    return {
        "a count that is not a whole number": any(
            type(count) is not int or count < 0 for count in counts
        ),
        f"not {players} seats": any(len(items) != players for items in by_seat),
        "a seat that is not at the table": any(
            type(seat) is not int or not 0 <= seat < players for seat in (*seats, *to_act)
        ),
        "over and not over": bool(to_act) != (reason is None),
    }
