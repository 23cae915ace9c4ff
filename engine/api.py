"""The interface of every game, and the values that cross it.

A state is immutable. Applying a move to it returns a new state or raises an error. A *fact*
describes an event and its audience. Messages are made from facts and views, never from a state.
Only a game's `view` decides what a seat may know (GEN-5).

Values created at every ply are named tuples, which cost half as much as frozen dataclasses.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

Seat = NewType("Seat", int)
"""Position at the table, from 0, increasing clockwise."""


def left_of(seat: int, players: int) -> Seat:
    """Return the next seat clockwise."""
    return Seat((seat + 1) % players)


JsonValue: TypeAlias = "bool | int | str | list[JsonValue] | dict[str, JsonValue] | None"
globals()["JsonValue"] = Any  # at run time, as msgspec evaluates type hints without recursion
JsonObject: TypeAlias = dict[str, JsonValue]
OptionValue: TypeAlias = "bool | int | str | list[int]"

S = TypeVar("S")
M = TypeVar("M")
Row = TypeVar("Row", bound=type)


def without_in_repr(*hidden: str) -> Callable[[Row], Row]:
    """Return a decorator that omits fields of a named tuple from its `repr`.

    It is used for hidden cards, so that no traceback or log line shows them.
    """

    def write(value: NamedTuple) -> str:
        pairs = zip(value._fields, value, strict=True)
        shown = ", ".join(f"{name}={field!r}" for name, field in pairs if name not in hidden)
        return f"{type(value).__name__}({shown})"

    def decorate(row: Row) -> Row:
        row.__repr__ = write  # type: ignore[assignment]
        return row

    return decorate


class Source(enum.Enum):
    """Origin of a ply, as far as the rules of silence (GEN-7) distinguish it."""

    CHOSEN = "chosen"
    """Decided by a player, a standing order, or a bot in the place of a person."""
    FORCED = "forced"
    """The only legal move, played by the service (GEN-11)."""
    STANDBY = "standby"
    """Played for a seat that did not answer (GEN-7)."""

    # Members are singletons. `Enum`'s own hash is slow, and each ply looks its source up.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, order=True)
class RulesetId:
    """Name and version of a ruleset. A shipped version never changes (GEN-1)."""

    name: str
    version: int

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a game is computed from, except the moves (GEN-1).

    Attributes:
        players: number of seats.
        seed: the game seed of GEN-4, 32 bytes, secret while the game runs.
        options: complete and checked, as `Ruleset.check_options` returns them.
    """

    players: int
    seed: bytes = field(repr=False)
    options: Mapping[str, OptionValue]

    def number(self, name: str) -> int:
        """Return an option that is an integer."""
        value = self.options[name]
        assert isinstance(value, int)  # noqa: S101  (check_options has seen to it)
        return value


class Fact(NamedTuple):
    """An event, as visible to its audience.

    Attributes:
        kind: a short past-tense word, documented in the game's module docstring.
        seat: the seat that it is about, or None for the table.
        data: JSON values only. Cards are written as in GEN-9.
        audience: None for everyone, including observers, else the only seat that may read it.
    """

    kind: str
    seat: Seat | None
    data: JsonObject
    audience: Seat | None = None


@without_in_repr("before", "after")
class Shuffle(NamedTuple):
    """One shuffle, which is secret until the end of the game (GEN-2, GEN-3).

    Attributes:
        number: 0, 1, 2, … per game.
        before: the list in its documented order, not in `repr`.
        after: bottom to top, not in `repr`.
    """

    number: int
    before: tuple[str, ...]
    after: tuple[str, ...]


Note: TypeAlias = Fact | Callable[[], Sequence[Fact]]
"""A fact, or a function that builds facts from immutable values.

Closures slow down the compiled function that contains them, so each is created by a small function.
"""


def told_cards(kind: str, seat: Seat, cards: Sequence[str]) -> Note:
    """Return a public fact about a seat's action with some cards."""
    return lambda: [Fact(kind, seat, {"cards": list(cards)})]


def told_drawing(seat: Seat, drawn: Sequence[str]) -> Note:
    """Return the facts of a draw: the number of cards for everyone, the cards for the seat."""
    return lambda: [
        Fact("drew", seat, {"count": len(drawn)}),
        Fact("drew", seat, {"count": len(drawn), "cards": list(drawn)}, seat),
    ]


Opening: TypeAlias = Shuffle | Callable[[], Shuffle]
"""A shuffle, or a function that builds it from immutable values."""


class Step(Generic[S]):
    """The result of `start`, `apply`, `resign` and `stop`: new state, facts, shuffles.

    Facts and shuffles are built when they are first read. A caller that does not read them, such as
    a searching bot or a replay to a position, saves their cost, which exceeds that of the move.

    Attributes:
        state: the new state.
    """

    __slots__ = ("_facts", "_notes", "_openings", "state")

    def __init__(
        self, state: S, notes: Sequence[Note] = (), openings: Sequence[Opening] = ()
    ) -> None:
        """Store the notes and the shuffles, which must be in order."""
        self.state: Final = state
        self._openings = openings
        self._notes = notes
        self._facts: tuple[Fact, ...] | None = None

    @property
    def shuffles(self) -> tuple[Shuffle, ...]:
        """Return the shuffles of this step in order."""
        return tuple(
            [opening if isinstance(opening, Shuffle) else opening() for opening in self._openings]
        )

    @property
    def has_shuffled(self) -> bool:
        """True if anything was shuffled, as at the start of each deal or battle."""
        return bool(self._openings)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts in order."""
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
        mine = (self.state, self.facts, self.shuffles)
        return mine == (other.state, other.facts, other.shuffles)

    # The data of facts are dicts.
    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    Attributes:
        ranking: seats by place, best first, with equal places together (GEN-17).
        reason: `finished`, `stopped` (GEN-7, GEN-8) or `last-seat` (all others resigned).
        scores: per seat, the source of the ranking, as game-specific JSON.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str
    scores: JsonValue


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a ruleset, for validation, documentation and error texts (GEN-14).

    Attributes:
        name: as written in a `new` order.
        default: value if not given, or None if it depends on the number of seats (`dealer`).
        allowed: the allowed values in words, for people.
        help: one line about its effect.
        check: returns the effective value, given this row, the number of seats and the given
            options, or None if the ruleset checks the option itself. Raises: SetupError.
    """

    name: str
    default: OptionValue | None
    allowed: str
    help: str
    check: Callable[[OptionSpec, int, Mapping[str, OptionValue]], OptionValue] | None = field(
        default=None, repr=False, compare=False
    )


class Ruleset(Protocol[S, M]):
    """The rules of one version of a game. Implementations have no mutable state.

    `apply` always validates. Iteration orders are documented and tested.
    """

    @property
    def id(self) -> RulesetId:
        """Return name and version, as recorded in logs."""
        ...

    @property
    def title(self) -> str:
        """Return the game's display name, e.g. `Phyliss`."""
        ...

    @property
    def players(self) -> range:
        """Return the possible numbers of seats."""
        ...

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        """Return every option that `check_options` knows, in documented order."""
        ...

    @property
    def order_words(self) -> tuple[str, ...]:
        """Return all words of orders in lower case, to correct misspelt words."""
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
        """Return the seats that have to act, ascending.

        GEN-6 allows several. After the end there are none.
        """
        ...

    def is_choosing(self, state: S) -> bool:
        """Return True while the seats to act make secret choices (GEN-6).

        `to_act` then contains the seats that have not chosen yet. A seat that has chosen can
        `apply` another choice. The only public fact is that a choice was made. Replacing a choice
        makes no public fact. `ply` does not change until the last choice reveals them all.
        """
        ...

    def ply(self, state: S) -> int:
        """Return the number of plies made so far in the whole game."""
        ...

    def legal_moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Return the legal moves up to GEN-9 equivalence, in a documented order, to be read once.

        There are none if the seat is not to act.
        """
        ...

    def is_list_complete(self, state: S, seat: Seat) -> bool:
        """Return True if `legal_moves` has every legal move (engine protocol, `legal`)."""
        ...

    def apply(self, state: S, seat: Seat, move: M, source: Source = Source.CHOSEN) -> Step[S]:
        """Return the step of a move. Raises: NotToActError, IllegalMoveError.

        The given state does not change.
        """
        ...

    def reads_as_order(self, text: str) -> bool:
        """Return True if a line has the form of an order of this game, in any position."""
        ...

    def parse_order(self, state: S, seat: Seat, text: str) -> M:
        """Parse one order as a move, in the context of the position (GEN-9).

        Raises: NotToActError, InvalidOrderError, AmbiguousOrderError, and IllegalMoveError if the
        order names something that the seat cannot have (a card that it does not hold).
        """
        ...

    def format_move(self, state: S, seat: Seat, move: M) -> str:
        """Return the canonical text. `parse_order` turns it back into the move."""
        ...

    def standby_move(self, state: S, seat: Seat) -> M:
        """Return the cautious, deterministic move for a silent seat (GEN-7). Raises: NotToActError."""
        ...

    def forced_move(self, state: S) -> tuple[Seat, M] | None:
        """Return the move that option `auto_forced` makes the service play now (GEN-11)."""
        ...

    def resign(self, state: S, seat: Seat) -> Step[S]:
        """Remove a seat from the game, voluntarily or not (GEN-7). Raises: NotToActError.

        This is not a ply.
        """
        ...

    def stop(self, state: S) -> Step[S]:
        """End the game now, ranked by its stopping score (GEN-8), as agreed by its players.

        This is not a ply. Raises: NotToActError if the game is over.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> JsonObject:
        """Return everything that this seat (None: an observer) may know (GEN-5, GEN-16).

        The format is that of the engine protocol.
        """
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the game runs."""
        ...

    def next_dealer(self, state: S, places: Sequence[Sequence[Seat]]) -> Seat | None:
        """Return the dealer of the next game at the same table, or None without a dealer.

        Args:
            state: the last state.
            places: the remaining seats by place, best first, or empty if the game was not finished.
        """
        ...

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the approximate number of turns of all seats together, or None if not measured."""
        ...

    def state_json(self, state: S) -> JsonObject:
        """Return everything except the setup, as in the engine protocol, for digests."""
        ...

    def state_from_json(self, setup: Setup, data: JsonObject) -> S:
        """Return the state of a `state_json`. Raises: ReplayError if it is not a state."""
        ...

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: Callable[[str], str] = str,
    ) -> str:
        """Return the rules text for players, adapted to the options.

        It is plain text with at most 72 columns, in the format of `engine.rulebook`.

        Args:
            players: number of seats, or None for any table.
            options: the given options. The others have their defaults.
            say: translates a sentence to the reader's language.

        Raises: SetupError if such a table is impossible.
        """
        ...


AnyRuleset: TypeAlias = Ruleset[Any, Any]
