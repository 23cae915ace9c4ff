"""The interface that every game offers, and the values that cross it.

A state is an immutable value; a move and a state make a new state or an error, nothing in between.
A *fact* tells what happened and who may read it: mails are written from facts and views, never
from a state. What a seat may know is decided in one place per game, its `view` (GEN-5).

Values made at every ply are named tuples, which cost half of what frozen dataclasses do.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

Seat = NewType("Seat", int)
"""Position at the table, from 0; clockwise = increasing."""


def left_of(seat: int, players: int) -> Seat:
    """Return the next seat clockwise."""
    return Seat((seat + 1) % players)


JsonValue: TypeAlias = "bool | int | str | list[JsonValue] | dict[str, JsonValue] | None"
globals()["JsonValue"] = (
    Any  # at run time: what reads hints there, as msgspec does, knows no recursion
)
JsonObject: TypeAlias = dict[str, JsonValue]
OptionValue: TypeAlias = "bool | int | str | list[int]"

S = TypeVar("S")
M = TypeVar("M")


class Source(enum.Enum):
    """How a ply came about; the rules of silence (GEN-7) tell them apart."""

    CHOSEN = "chosen"
    """Somebody decided it: a player, a standing order, a bot that sits in for a person."""
    FORCED = "forced"
    """The only legal move, played by the service (GEN-11)."""
    STANDBY = "standby"
    """Played for a seat that did not answer (GEN-7)."""

    # Members are single objects; that of `Enum` is slow, and each ply looks its source up.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, order=True)
class RulesetId:
    """Name and version of a set of rules; a shipped version never changes in behaviour (GEN-1)."""

    name: str
    version: int

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a game is computed from, but the moves (GEN-1).

    Attributes:
        players: number of seats.
        seed: the game seed of GEN-4, 32 bytes; secret while the game runs.
        options: complete and checked, as `Ruleset.check_options` returns them.
    """

    players: int
    seed: bytes = field(repr=False)
    options: Mapping[str, OptionValue]


class Fact(NamedTuple):
    """Something that happened, for those who may know it.

    Attributes:
        kind: a short past-tense word, documented in the module docstring of the game's `facts`.
        seat: whom it is about, None for the table.
        data: JSON values only; cards as in GEN-9.
        audience: None = everybody, observers too; else the one seat that may read it.
    """

    kind: str
    seat: Seat | None
    data: JsonObject
    audience: Seat | None = None


class Shuffle(NamedTuple):
    """One shuffle, for the opening at the end of the game; secret until then (GEN-2, GEN-3).

    Attributes:
        number: 0, 1, 2, … per game.
        before: the list in its documented order; not in `repr`.
        after: bottom to top; not in `repr`.
    """

    number: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Shuffle(number={self.number})"


Note: TypeAlias = Fact | Callable[[], Sequence[Fact]]
"""A fact, or a function that writes one or more out of values that never change."""


Opening: TypeAlias = Shuffle | Callable[[], Shuffle]
"""A shuffle, or a function that makes it out of values that never change."""


class Step(Generic[S]):
    """What `start`, `apply` and `resign` give back: the new state, what happened, what was shuffled.

    Facts are written when they are first read, and so are shuffles. Whoever plays on without
    reading, a bot that thinks ahead or a replay to a position, is spared the story, which costs
    more than the move.

    Attributes:
        state: the new state.
    """

    __slots__ = ("_facts", "_notes", "_openings", "state")

    def __init__(
        self, state: S, notes: Sequence[Note] = (), openings: Sequence[Opening] = ()
    ) -> None:
        """Keep the notes of what happened, and the shuffles, each in its order."""
        self.state: Final = state
        self._openings = openings
        self._notes = notes
        self._facts: tuple[Fact, ...] | None = None

    @property
    def shuffles(self) -> tuple[Shuffle, ...]:
        """The shuffles of this step, in their order."""
        return tuple([one if isinstance(one, Shuffle) else one() for one in self._openings])

    @property
    def has_shuffled(self) -> bool:
        """Whether anything was shuffled, as at the start of each deal or battle."""
        return bool(self._openings)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened, in its order."""
        if self._facts is None:
            facts: list[Fact] = []
            for note in self._notes:
                if isinstance(note, Fact):
                    facts.append(note)
                else:
                    facts += note()
            self._facts = tuple(facts)
            self._notes = ()
        return self._facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Step):
            return NotImplemented
        return (self.state, self.facts, self.shuffles) == (
            other.state,
            other.facts,
            other.shuffles,
        )

    # The data of facts are dicts.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Step(state={self.state!r}, facts={self.facts!r}, shuffles={self.shuffles!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Functions cannot be pickled; what they write can.
        return Step, (self.state, self.facts, self.shuffles)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    Attributes:
        ranking: seats by place, best first; equal places together (GEN-17).
        reason: `finished`, `stopped` (GEN-7, GEN-8) or `last-seat` (all others resigned).
        scores: per seat, what the ranking was computed from; game-specific JSON.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str
    scores: JsonValue


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a ruleset, for validation, documentation and error texts (GEN-14).

    Attributes:
        name: as written in a `new` order.
        default: value if not given; None where it depends on the number of seats (`dealer`).
        allowed: the allowed values in words, for people.
        help: one line: what it does.
    """

    name: str
    default: OptionValue | None
    allowed: str
    help: str


class Ruleset(Protocol[S, M]):
    """The rules of one game in one version. Implementations hold no mutable state.

    `apply` always validates. Iteration orders are documented and tested.
    """

    @property
    def id(self) -> RulesetId:
        """Name and version, as a log records them."""
        ...

    @property
    def title(self) -> str:
        """The game's name for people, e.g. `Phyliss`."""
        ...

    @property
    def players(self) -> range:
        """The numbers of seats that can play."""
        ...

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        """Every option that `check_options` knows, in the order of the documentation."""
        ...

    @property
    def order_words(self) -> tuple[str, ...]:
        """Every word that may stand in an order, lower case: what a misspelt word may have meant."""
        ...

    def check_options(
        self, players: int, given: Mapping[str, OptionValue]
    ) -> dict[str, OptionValue]:
        """Complete and check options and the number of seats (GEN-14). Raises: SetupError."""
        ...

    def start(self, setup: Setup) -> Step[S]:
        """Shuffle and deal. `setup.options` must come from `check_options`."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Seats that have something to decide, ascending; several under GEN-6; empty = over."""
        ...

    def is_choosing(self, state: S) -> bool:
        """True if the seats to act choose secretly, each for itself (GEN-6).

        Then `to_act` holds the seats that have not chosen yet; a seat that has may `apply` another
        choice. Nothing of a choice but that it was made is a public fact, a replacement is not even
        that, and `ply` stands still until the last choice reveals them all.
        """
        ...

    def ply(self, state: S) -> int:
        """Number of plies made so far in the whole game."""
        ...

    def legal_moves(self, state: S, seat: Seat) -> Iterator[M]:
        """Legal moves up to GEN-9 equivalence, in a documented order; none if not to act."""
        ...

    def is_list_complete(self, state: S, seat: Seat) -> bool:
        """True if `legal_moves` holds every legal move (engine protocol, `legal`)."""
        ...

    def apply(self, state: S, seat: Seat, move: M, source: Source = Source.CHOSEN) -> Step[S]:
        """Make a move. Raises: NotToActError, IllegalMoveError; the state is a value and stays."""
        ...

    def reads_as_order(self, text: str) -> bool:
        """True if a line has the form of an order of this game, in whatever position."""
        ...

    def parse_order(self, state: S, seat: Seat, text: str) -> M:
        """Turn one order into a move, in the context of the position (GEN-9).

        Raises: NotToActError, InvalidOrderError, AmbiguousOrderError, and IllegalMoveError where
        the words name what the seat cannot have (a card that it does not hold).
        """
        ...

    def format_move(self, state: S, seat: Seat, move: M) -> str:
        """Return the canonical text; `parse_order` gives the move back."""
        ...

    def standby_move(self, state: S, seat: Seat) -> M:
        """Return the cautious, deterministic move for a silent seat (GEN-7). Raises: NotToActError."""
        ...

    def forced_move(self, state: S) -> tuple[Seat, M] | None:
        """Return the move that the service must play now under option `auto_forced` (GEN-11)."""
        ...

    def resign(self, state: S, seat: Seat) -> Step[S]:
        """Take a seat out of the game, by its wish or not (GEN-7). Not a ply. Raises: NotToActError."""
        ...

    def view(self, state: S, seat: Seat | None) -> JsonObject:
        """What this seat (None: an observer) may know, as in the engine protocol (GEN-5, GEN-16)."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return the result, None while the game runs."""
        ...

    def next_dealer(self, state: S, places: Sequence[Sequence[Seat]]) -> Seat | None:
        """Return the seat that deals the next game at the same table; None: nobody deals.

        Args:
            state: the last one.
            places: seats by place, best first, of those who stayed; empty if the game had no end.
        """
        ...

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return how many turns all seats together take, roughly; None where nobody measured it."""
        ...

    def state_json(self, state: S) -> JsonObject:
        """Everything but the setup, as in the engine protocol: the source of digests."""
        ...

    def state_from_json(self, setup: Setup, data: JsonObject) -> S:
        """Inverse of `state_json`. Raises: ReplayError for what is no state."""
        ...

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: Callable[[str], str] = str,
    ) -> str:
        """The rules for players, in our own words, with the options in force.

        Plain text, lines of at most 72 columns, in the form of `engine.rulebook`.

        Args:
            players: number of seats; None for any table.
            options: given ones; the others have their defaults.
            say: says a sentence in the reader's language.

        Raises: SetupError: such a table cannot be.
        """
        ...


AnyRuleset: TypeAlias = Ruleset[Any, Any]
