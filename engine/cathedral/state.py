"""The state of a game of Cathedral: values only, no rules.

Piles are bottom to top, the top is the last element. Cards that a person must not see are left out
of `repr`, so that no traceback or log line shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.api import Seat, Setup
from engine.cards import Card
from engine.silence import Turns

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeatCards:
    """The cards of one seat in the running deal."""

    hand: Cards = field(repr=False)
    """In canonical order (rank 2 … A, then suit); all six cards until the choices are made."""
    known: Cards
    """The part of the hand that everybody has seen (CAT-20), in canonical order."""
    reserve: Cards = field(repr=False)
    """The cards set aside, in canonical order; empty before the choices are made."""
    choice: Cards | None = field(default=None, repr=False)
    """Three cards of the hand to be set aside when all have chosen; None = not chosen (CAT-3)."""
    choice_mark: int = 0
    """How the choice came about, one of the marks of `engine.silence`; 0 without a choice."""

    @property
    def cards_left(self) -> int:
        """Number of cards, wherever they lie."""
        return len(self.hand) + len(self.reserve)


NO_CARDS = SeatCards((), (), ())


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended."""

    cards_left: tuple[int | None, ...]
    """Per seat; None for a seat that had resigned by then."""
    winner: Seat | None
    """None if the deal was stopped, for then nobody wins it (GEN-8)."""


@dataclass(frozen=True, slots=True)
class State:
    """One position of a game, complete."""

    setup: Setup
    deal: int
    """Number of the running (or last) deal, from 0; also the number of its shuffle (GEN-2)."""
    dealer: Seat
    dealt_in: tuple[Seat, ...]
    """Seats that play in this deal, ascending: those that had not resigned before it."""
    seats: tuple[SeatCards, ...]
    stock: Cards = field(repr=False)
    pile: Cards
    cleared: Cards
    """Cards that left the game with a cleared pile, in that order."""
    left_seen: Cards
    """Cards of resigned seats that everybody had seen."""
    left_unseen: Cards = field(repr=False)
    """Cards of resigned seats whose faces stay unknown."""
    is_choosing: bool
    """Whether the cards to set aside are being chosen (GEN-6)."""
    to_act: Seat | None
    """Whose turn it is; None during the choices and after the end."""
    ply: int
    """Plies of the whole game."""
    deal_ply: int
    """Plies of the running deal (CAT-19)."""
    turn: int
    """Mark of the running turn so far (see `engine.silence`); 0 = nothing."""
    turns: Turns
    """Per seat the marks of its last two finished turns, the older one first."""
    resigned: tuple[Seat, ...]
    """In the order of resigning."""
    results: tuple[DealResult, ...]
    """One per finished deal."""
    reason: str | None = None
    """Why the game is over, None while it runs."""

    @property
    def deals(self) -> int:
        """Number of deals that this game has (CAT-4)."""
        deals = self.setup.options["deals"]
        assert isinstance(deals, int)  # noqa: S101  (check_options has seen to it)
        return deals


class Draft:
    """A state in the making: the same fields, open for change, until `freeze`.

    It lives inside one call of the rules and never leaves it.
    """

    __slots__ = (
        "cleared",
        "deal",
        "deal_ply",
        "dealer",
        "dealt_in",
        "is_choosing",
        "left_seen",
        "left_unseen",
        "pile",
        "ply",
        "reason",
        "resigned",
        "results",
        "seats",
        "setup",
        "stock",
        "to_act",
        "turn",
        "turns",
    )

    def __init__(self, state: State) -> None:
        self.setup = state.setup
        self.deal = state.deal
        self.dealer = state.dealer
        self.dealt_in = state.dealt_in
        self.seats = list(state.seats)
        self.stock = state.stock
        self.pile = state.pile
        self.cleared = state.cleared
        self.left_seen = state.left_seen
        self.left_unseen = state.left_unseen
        self.is_choosing = state.is_choosing
        self.to_act = state.to_act
        self.ply = state.ply
        self.deal_ply = state.deal_ply
        self.turn = state.turn
        self.turns = state.turns
        self.resigned = state.resigned
        self.results = state.results
        self.reason = state.reason

    def freeze(self) -> State:
        """Return the state that has been made."""
        return State(
            self.setup,
            self.deal,
            self.dealer,
            self.dealt_in,
            tuple(self.seats),
            self.stock,
            self.pile,
            self.cleared,
            self.left_seen,
            self.left_unseen,
            self.is_choosing,
            self.to_act,
            self.ply,
            self.deal_ply,
            self.turn,
            self.turns,
            self.resigned,
            self.results,
            self.reason,
        )
