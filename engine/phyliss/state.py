"""The state of a game of Phyliss: values only, no rules.

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
    """The cards in front of one seat, and how the seat fares in the running deal."""

    hand: Cards = field(repr=False)
    """In canonical order (rank 2 … A, then suit)."""
    known: Cards
    """The part of the hand that everybody has seen (PHY-28), in canonical order."""
    up: Cards
    """Face up on the table, in the order of the deal."""
    blind: Cards = field(repr=False)
    """Face down on the table, in the order of the deal; nobody knows them."""
    blind_numbers: tuple[int, ...]
    """For each card of `blind` its number, 1 to 3, as dealt."""
    out: int | None = None
    """Place earned in this deal by getting rid of every card, or None."""

    @property
    def cards_left(self) -> int:
        """Number of cards, wherever they lie."""
        return len(self.hand) + len(self.up) + len(self.blind)


NO_CARDS = SeatCards((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended."""

    places: tuple[int | None, ...]
    """Per seat; None for a seat that had resigned before the deal."""
    loser: Seat | None
    """The seat ranked last; None if the deal was stopped, for then nobody loses it (GEN-8)."""


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
    destroyed: Cards
    """Cards that left the game with a destroyed pile, in that order."""
    left_seen: Cards
    """Cards of resigned seats that everybody had seen."""
    left_unseen: Cards = field(repr=False)
    """Cards of resigned seats whose faces stay unknown (PHY-25)."""
    to_act: Seat | None
    """None when the game is over."""
    ply: int
    """Plies of the whole game."""
    deal_ply: int
    """Plies of the running deal (PHY-27)."""
    turn: int
    """What the running turn has held so far; 0 = nothing."""
    turns: Turns
    """Per seat its last two finished turns, the older one first."""
    resigned: tuple[Seat, ...]
    """In the order of resigning."""
    results: tuple[DealResult, ...]
    """One per finished deal."""
    reason: str | None = None
    """Why the game is over, None while it runs."""

    @property
    def deals(self) -> int:
        """Number of deals that this game has (PHY-24)."""
        deals = self.setup.options["deals"]
        assert isinstance(deals, int)  # noqa: S101  (check_options has seen to it)
        return deals


class Draft:
    """A state in the making: the same fields, open for change, until `freeze`.

    It lives inside one call of the rules and never leaves it.
    """

    __slots__ = (
        "deal",
        "deal_ply",
        "dealer",
        "dealt_in",
        "destroyed",
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
        self.destroyed = state.destroyed
        self.left_seen = state.left_seen
        self.left_unseen = state.left_unseen
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
            self.destroyed,
            self.left_seen,
            self.left_unseen,
            self.to_act,
            self.ply,
            self.deal_ply,
            self.turn,
            self.turns,
            self.resigned,
            self.results,
            self.reason,
        )
