"""States of Phyliss and Cathedral, in which players try to get rid of all cards.

`engine.deals` contains the sequence of such a game, and `rules` of each game the effects of moves.
Piles are stored bottom to top, so the top card is the last element. Hidden cards are omitted from
`repr`, so that they never appear in tracebacks or log lines.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from engine.api import Seat, Setup, without_in_repr
from engine.plays import Cards
from engine.position import BaseDraft, new_tuple
from engine.silence import Turns, with_turn

SeatT = TypeVar("SeatT")
"""Type of a seat's cards in the game."""
ResultT = TypeVar("ResultT")
"""Type of a deal's result in the game."""

# --- values ---------------------------------------------------------------------------------------


@without_in_repr("left_unseen")
class Course(NamedTuple, Generic[ResultT]):
    """Fields that plies rarely change, kept separately so that plies copy less."""

    deal: int
    """Number of the current (or last) deal and of its shuffle, from 0 (GEN-2)."""
    dealer: Seat
    dealt_in: tuple[Seat, ...] = ()
    """Seats that play in this deal, ascending: those that had not resigned before it."""
    first_ply: int = 0
    """Number of plies in the game before this deal."""
    removed: Cards = ()
    """Cards that were removed with a destroyed or cleared pile, in chronological order."""
    left_seen: Cards = ()
    """Cards of resigned seats that everyone had seen."""
    left_unseen: Cards = ()
    """Cards of resigned seats that stay secret. Omitted from `repr`."""
    results: tuple[ResultT, ...] = ()
    """Results of the finished deals."""


@without_in_repr("stock")
class State(NamedTuple, Generic[SeatT, ResultT]):
    """One complete position of a game."""

    setup: Setup
    course: Course[ResultT]
    seats: tuple[SeatT, ...]
    stock: Cards
    """The stock, bottom to top. Omitted from `repr`."""
    pile: Cards
    to_act: Seat | None
    """The seat whose turn it is. None after the end and during secret choices."""
    ply: int
    """Number of plies in the whole game."""
    turn: int
    """Mark of the current turn so far (see `engine.silence`), or 0 before its first ply."""
    turns: Turns
    """Marks of each seat's last two finished turns, the older one first."""
    resigned: tuple[Seat, ...] = ()
    """Resigned seats, in the order of resignation."""
    reason: str | None = None
    """Reason for the end of the game, or None while it is running."""

    @property
    def deal_ply(self) -> int:
        """Return the number of plies in the current deal."""
        return self.ply - self.course.first_ply


class Draft(BaseDraft[State[SeatT, ResultT]]):
    """A mutable copy of the state."""

    __slots__ = State._fields

    def __init__(self, state: State[SeatT, ResultT]) -> None:
        self.facts = []
        self.opened = []
        (
            self.setup,
            self.course,
            seats,
            self.stock,
            self.pile,
            self.to_act,
            self.ply,
            self.turn,
            self.turns,
            self.resigned,
            self.reason,
        ) = state
        self.seats = list(seats)

    def freeze(self) -> State[SeatT, ResultT]:
        """Return the current contents as an immutable state."""
        fields = (
            self.setup,
            self.course,
            tuple(self.seats),
            self.stock,
            self.pile,
            self.to_act,
            self.ply,
            self.turn,
            self.turns,
            self.resigned,
            self.reason,
        )
        state: State[SeatT, ResultT] = new_tuple(State, fields)
        return state

    def end_turn(self, seat: Seat) -> int:
        """Add the current turn to the seat's record and return its mark (GEN-7)."""
        mark = self.turn
        self.turns = with_turn(self.turns, seat, mark)
        self.turn = 0
        return mark
