"""Interface that every game implements, and the types that it uses.

States are immutable. Applying a move to a state returns a new state or raises an error. A *fact*
describes an event and its audience. Messages are built from facts and views, never from a state.
Only the game's `view` method decides what a seat may know (GEN-5).

Values that are created at every ply are named tuples. They cost half as much as frozen dataclasses.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

Seat = NewType("Seat", int)
"""Position at the table, counted clockwise from 0."""


def left_of(seat: int, players: int) -> Seat:
    """Return the next seat clockwise."""
    return Seat((seat + 1) % players)


JsonValue: TypeAlias = "bool | int | str | list[JsonValue] | dict[str, JsonValue] | None"
# msgspec evaluates this type hint at run time and cannot handle recursion.
globals()["JsonValue"] = Any
JsonObject: TypeAlias = dict[str, JsonValue]
OptionValue: TypeAlias = "bool | int | str | list[int]"

S = TypeVar("S")
M = TypeVar("M")
Row = TypeVar("Row", bound=type)


def without_in_repr(*hidden: str) -> Callable[[Row], Row]:
    """Return a class decorator that omits fields of a named tuple from its `repr`.

    It is used for hidden cards, so that they never appear in tracebacks or log lines.
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
    """Reason why a ply was made, as far as the rules for silent players (GEN-7) need it."""

    CHOSEN = "chosen"
    """Chosen by a player, a standing order, or a bot that substitutes for a player."""
    FORCED = "forced"
    """The only legal move, played automatically (GEN-11)."""
    STANDBY = "standby"
    """A standby move, played for a seat that did not answer in time (GEN-7)."""

    # Each member exists only once, so its identity can serve as its hash. The hash of `Enum` is
    # slow, and every ply uses it.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, order=True)
class RulesetId:
    """Name and version of a ruleset. A released version never changes (GEN-1)."""

    name: str
    version: int

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that determines a game, apart from its moves (GEN-1).

    Attributes:
        players: number of seats.
        seed: the 32-byte game seed (GEN-4), secret while the game is running.
        options: complete, validated options as returned by `Ruleset.check_options`.
    """

    players: int
    seed: bytes = field(repr=False)
    options: Mapping[str, OptionValue]

    def number(self, name: str) -> int:
        """Return the value of an integer option."""
        value = self.options[name]
        assert isinstance(value, int)  # noqa: S101  (checked by `check_options`)
        return value


class Fact(NamedTuple):
    """An event and the seats that may see it.

    Attributes:
        kind: a short past-tense word, documented in the game's module docstring.
        seat: the seat that the event is about, or None for the whole table.
        data: JSON values only. Cards use the notation of GEN-9.
        audience: the only seat that may read the fact, or None for everyone, including observers.
    """

    kind: str
    seat: Seat | None
    data: JsonObject
    audience: Seat | None = None


@without_in_repr("before", "after")
class Shuffle(NamedTuple):
    """One shuffle, kept secret until the end of the game (GEN-2, GEN-3).

    Attributes:
        number: index of the shuffle within the game, starting at 0.
        before: the cards in their documented order. Omitted from `repr`.
        after: the shuffled cards, bottom to top. Omitted from `repr`.
    """

    number: int
    before: tuple[str, ...]
    after: tuple[str, ...]


Note: TypeAlias = Fact | Callable[[], Sequence[Fact]]
"""A fact, or a function that builds facts from immutable values.

A function that contains a closure is slower when compiled, so closures are created by separate
small functions.
"""


def told_cards(kind: str, seat: Seat, cards: Sequence[str]) -> Note:
    """Return a note for the public fact that a seat did something with the given cards."""
    return lambda: [Fact(kind, seat, {"cards": list(cards)})]


def told_drawing(seat: Seat, drawn: Sequence[str]) -> Note:
    """Return a note for a draw: everyone learns the number of cards, the seat also learns which."""
    return lambda: [
        Fact("drew", seat, {"count": len(drawn)}),
        Fact("drew", seat, {"count": len(drawn), "cards": list(drawn)}, seat),
    ]


Opening: TypeAlias = Shuffle | Callable[[], Shuffle]
"""A shuffle, or a function that builds it from immutable values."""


class Step(Generic[S]):
    """The result of `start`, `apply`, `resign` and `stop`: a new state, facts and shuffles.

    Facts and shuffles are built on first access, because building them takes longer than the move.
    Callers that do not need them, such as a searching bot, save that time.

    Attributes:
        state: the new state.
    """

    __slots__ = ("_facts", "_notes", "_openings", "state")

    def __init__(
        self, state: S, notes: Sequence[Note] = (), openings: Sequence[Opening] = ()
    ) -> None:
        """Store the state with its notes and shuffles, both in chronological order."""
        self.state: Final = state
        self._openings = openings
        self._notes = notes
        self._facts: tuple[Fact, ...] | None = None

    @property
    def shuffles(self) -> tuple[Shuffle, ...]:
        """Return the shuffles of this step in chronological order."""
        return tuple(
            [opening if isinstance(opening, Shuffle) else opening() for opening in self._openings]
        )

    @property
    def has_shuffled(self) -> bool:
        """True if cards were shuffled in this step, e.g. at the start of a deal or battle."""
        return bool(self._openings)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts of this step in chronological order."""
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

    # Facts contain dicts, so a step cannot be hashed.
    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    Attributes:
        ranking: groups of seats with the same rank, best first (GEN-17).
        reason: `finished`, `stopped` (GEN-7, GEN-8) or `last-seat` (all other seats resigned).
        scores: game-specific JSON for each seat that explains the ranking.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str
    scores: JsonValue


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a ruleset, for validation, documentation and error messages (GEN-14).

    Attributes:
        name: as written in a `new` order.
        default: value if the option is omitted, or None if it depends on the number of seats
            (`dealer`).
        allowed: a description of the allowed values, for players.
        help: a one-line description of the effect.
        check: returns the effective value, given this row, the number of seats and the given
            options.
        None if the ruleset validates the option itself. Raises: SetupError.
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

    `apply` always validates the move. Iteration orders are documented and tested.
    """

    @property
    def id(self) -> RulesetId:
        """Return the name and version that are recorded in logs."""
        ...

    @property
    def title(self) -> str:
        """Return the game's display name, e.g. `Phyliss`."""
        ...

    @property
    def players(self) -> range:
        """Return the range of allowed seat counts."""
        ...

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        """Return all options that `check_options` accepts, in their documented order."""
        ...

    @property
    def order_words(self) -> tuple[str, ...]:
        """Return all words that orders can contain, in lower case. They are used to correct typos."""
        ...

    def check_options(
        self, players: int, given: Mapping[str, OptionValue]
    ) -> dict[str, OptionValue]:
        """Validate options and number of seats, and add defaults (GEN-14). Raises: SetupError."""
        ...

    def start(self, setup: Setup) -> Step[S]:
        """Shuffle and deal. `setup.options` must be a result of `check_options`."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that must act, in ascending order.

        Several seats may have to act at once (GEN-6). The result is empty after the end of the
        game.
        """
        ...

    def is_choosing(self, state: S) -> bool:
        """True while the seats in `to_act` make secret choices (GEN-6).

        `to_act` then contains only the seats that have not chosen yet. A seat that has chosen can
        replace its choice with `apply`. The only public fact is that a seat made its first choice.
        `ply` does not change until the last choice is made and all choices are revealed.
        """
        ...

    def ply(self, state: S) -> int:
        """Return the number of plies made so far in the whole game."""
        ...

    def legal_moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Return the legal moves, with only one of several equivalent moves (GEN-9).

        The order is documented per game. The result can be iterated only once. It is empty if the
        seat does not have to act.
        """
        ...

    def is_list_complete(self, state: S, seat: Seat) -> bool:
        """True if `legal_moves` contains every legal move (field `legal` of the engine protocol)."""
        ...

    def apply(self, state: S, seat: Seat, move: M, source: Source = Source.CHOSEN) -> Step[S]:
        """Validate and apply a move. Raises: NotToActError, IllegalMoveError.

        The given state does not change.
        """
        ...

    def reads_as_order(self, text: str) -> bool:
        """True if the text has the form of an order of this game, whatever the position."""
        ...

    def parse_order(self, state: S, seat: Seat, text: str) -> M:
        """Parse one order into a move, in the context of the position (GEN-9).

        Raises:
            NotToActError: the seat does not have to act.
            InvalidOrderError: the text is not an order.
            AmbiguousOrderError: the text matches several moves.
            IllegalMoveError: the order refers to something that the seat cannot have, such as a
                card that it
            does not hold.
        """
        ...

    def format_move(self, state: S, seat: Seat, move: M) -> str:
        """Return the canonical text of a move. `parse_order` converts it back into the move."""
        ...

    def standby_move(self, state: S, seat: Seat) -> M:
        """Return the cautious, deterministic move for a silent seat (GEN-7). Raises: NotToActError."""
        ...

    def forced_move(self, state: S) -> tuple[Seat, M] | None:
        """Return the seat and the forced move to play now, according to `auto_forced` (GEN-11)."""
        ...

    def resign(self, state: S, seat: Seat) -> Step[S]:
        """Remove a seat that resigned or was removed from the game (GEN-7). Raises: NotToActError.

        A resignation does not count as a ply.
        """
        ...

    def stop(self, state: S) -> Step[S]:
        """End the game by agreement of its players and rank it by the stopping score (GEN-8).

        Stopping does not count as a ply. Raises: NotToActError if the game has already ended.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> JsonObject:
        """Return everything that a seat may know, or an observer if `seat` is None (GEN-5, GEN-16).

        The format is documented in the engine protocol.
        """
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return the result of the game, or None while it is running."""
        ...

    def next_dealer(self, state: S, places: Sequence[Sequence[Seat]]) -> Seat | None:
        """Return the dealer of the next game at the same table, or None if the game has no dealer.

        Args:
            state: the final state of the previous game.
            places: the seats that continue, grouped by rank, best first. Empty if the game was
                stopped.
        """
        ...

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the expected number of turns of all seats together, or None if it is unknown."""
        ...

    def state_json(self, state: S) -> JsonObject:
        """Return the state without its setup as JSON, as in the engine protocol. Digests cover it."""
        ...

    def state_from_json(self, setup: Setup, data: JsonObject) -> S:
        """Restore a state from the result of `state_json`. Raises: ReplayError if it is invalid."""
        ...

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: Callable[[str], str] = str,
    ) -> str:
        """Return the rules for players, adapted to the options of their game.

        The result is plain text of at most 72 columns in the format of `engine.rulebook`.

        Args:
            players: number of seats, or None to describe all table sizes.
            options: the explicit options. Missing options use their defaults.
            say: translates a sentence into the reader's language.

        Raises:
            SetupError: the number of seats or an option is invalid.
        """
        ...


AnyRuleset: TypeAlias = Ruleset[Any, Any]
