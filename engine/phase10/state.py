"""The state of a game of Phase 10, without rules.

Piles are stored bottom to top, so the top card is the last element. Hidden cards are omitted from
`repr`, so that they never appear in tracebacks or log lines. Values are named tuples because these
are the fastest to create at every ply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.api import OptionValue, Seat, Setup, without_in_repr
from engine.phase10.cards import Cards
from engine.phase10.groups import PHASES, Group
from engine.position import BaseDraft, new_tuple
from engine.silence import Turns, with_turn

ALL_PHASES = tuple(PHASES)
EVEN_PHASES = tuple(phase for phase in PHASES if phase % 2 == 0)
DECKS = ("phase10", "standard")
NATURALS = ("group", "phase")


@without_in_repr("hand")
class SeatState(NamedTuple):
    """The state of one seat in the current deal, and its progress in the game."""

    phase: int
    """The phase that the seat must lay down, or has laid down, in this deal."""
    completed: int = 0
    """Number of completed phases in the list of phases (P10-14)."""
    score: int = 0
    """Points from finished deals."""
    hand: Cards = ()
    """The hand, in documented order."""
    known: Cards = ()
    """The part of the hand that everyone saw the seat take (P10-32), in documented order."""
    laid: bool = False
    """True if the seat has laid down its phase."""
    is_floating: bool = False
    """True if the seat has no cards but has not gone out (P10-18)."""
    skips: int = 0
    """Number of turns that the seat must skip, 0 or 1."""
    mark: Seat | None = None
    """Seat at which the protection from skips ends, or None if a skip may name this seat (P10-20).

    It is the seat that discarded the skip, or this seat in the family rules.
    """


class DealResult(NamedTuple):
    """The result of a finished deal, by seat. None for seats that did not take part in it."""

    winner: Seat | None
    """The seat that went out, or None if all seats floated."""
    phases: tuple[int | None, ...]
    laid: tuple[bool | None, ...]
    points: tuple[int | None, ...]
    is_tie_break: bool = False
    """True if the deal only resolved a tie. Such a deal has no points (P10-26)."""


@without_in_repr("stock", "left_unseen")
class State(NamedTuple):
    """One complete position of a game."""

    setup: Setup
    is_family: bool
    """True for the family rules (F), False for the official rules."""
    deal: int
    """Number of the current (or last) deal, from 0."""
    dealer: Seat
    dealt_in: tuple[Seat, ...]
    """Seats in this deal, ascending: not resigned before it, and tied if it is a tie-break."""
    seats: tuple[SeatState, ...]
    groups: tuple[tuple[Group, ...], ...]
    """Groups laid down in this deal, by seat."""
    stock: Cards
    pile: Cards
    left_seen: Cards
    """Cards of seats that resigned in this deal, as far as everyone had seen them."""
    left_unseen: Cards
    """Other cards of seats that resigned in this deal. They stay secret."""
    to_act: Seat | None
    """The seat that must act, or None after the end."""
    has_drawn: bool
    """True after the draw of the current turn (P10-6)."""
    ply: int
    shuffles: int
    """Number of shuffles so far, which is also the number of the next shuffle (GEN-2)."""
    turn: int
    """Marks of the current turn so far, or 0 if there are none."""
    turns: Turns
    resigned: tuple[Seat, ...]
    """Resigned seats, in the order of resignation."""
    tied: tuple[Seat, ...]
    """Seats in a tie-break for first place (P10-26), in ascending order. Empty without one."""
    results: tuple[DealResult, ...]
    reason: str | None = None
    """Reason for the end of the game, or None while it is running."""


class Draft(BaseDraft[State]):
    """A mutable copy of the state."""

    __slots__ = State._fields

    def __init__(self, state: State) -> None:
        self.facts = []
        self.opened = []
        (
            self.setup,
            self.is_family,
            self.deal,
            self.dealer,
            self.dealt_in,
            seats,
            groups,
            self.stock,
            self.pile,
            self.left_seen,
            self.left_unseen,
            self.to_act,
            self.has_drawn,
            self.ply,
            self.shuffles,
            self.turn,
            self.turns,
            self.resigned,
            self.tied,
            self.results,
            self.reason,
        ) = state
        self.seats = list(seats)
        self.groups = list(groups)

    def freeze(self) -> State:
        """Return the current contents as an immutable state."""
        fields = (
            self.setup,
            self.is_family,
            self.deal,
            self.dealer,
            self.dealt_in,
            tuple(self.seats),
            tuple(self.groups),
            self.stock,
            self.pile,
            self.left_seen,
            self.left_unseen,
            self.to_act,
            self.has_drawn,
            self.ply,
            self.shuffles,
            self.turn,
            self.turns,
            self.resigned,
            self.tied,
            self.results,
            self.reason,
        )
        state: State = new_tuple(State, fields)
        return state

    def end_turn(self, seat: Seat) -> None:
        """Add the current turn to the seat's record of turns (GEN-7)."""
        self.turns = with_turn(self.turns, seat, self.turn)
        self.turn = 0


Table = State | Draft


def plays(table: Table, seat: int) -> bool:
    """True if a seat still has turns in this deal: dealt in, and neither resigned nor floating."""
    return (
        seat in table.dealt_in and seat not in table.resigned and not table.seats[seat].is_floating
    )


def has_left(table: Table, seat: Seat) -> bool:
    """True if a seat counts as resigned.

    In a tie-break, a seat that is not tied keeps its rank if it resigns (GEN-7). If it had resigned
    earlier, it has no points in the last scored deal.
    """
    if seat not in table.resigned:
        return False
    if not table.tied or seat in table.tied:
        return True
    counted = [result.points for result in table.results if not result.is_tie_break]
    return counted[-1][seat] is None


def phase_list(options: Mapping[str, OptionValue]) -> tuple[int, ...]:
    """Return the phases to play, in order (P10-V2, P10-V3). `options` must be complete."""
    phases, count = options["phases"], options["phases_to_win"]
    assert isinstance(phases, list) and isinstance(count, int)  # noqa: S101, PT018  (types checked by `check_options`)
    return (EVEN_PHASES if options["even_only"] else tuple(phases))[:count]


def is_ten_hands(setup: Setup) -> bool:
    """True if every phase is played in exactly one deal (P10-V1)."""
    return setup.options["ten_hands"] is True


def is_by_phase(options: Mapping[str, OptionValue]) -> bool:
    """True if one number card in the whole phase is enough (P10-V4)."""
    return options.get("naturals") == "phase"
