"""The state of a game of Phyliss: values only, no rules.

The rest is in `engine.shedding`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine import shedding
from engine.api import Seat
from engine.plays import Cards, without


class SeatCards(NamedTuple):
    """The cards in front of one seat, and how the seat fares in the running deal."""

    hand: Cards
    """In canonical order (rank 2 … A, then suit); not in `repr`."""
    private: Cards
    """The part of the hand that nobody else has seen (PHY-28), in canonical order; not in `repr`."""
    up: Cards
    """Face up on the table, in the order of the deal."""
    blind: Cards
    """Face down on the table, in the order of the deal; nobody knows them; not in `repr`."""
    blind_numbers: tuple[int, ...]
    """For each card of `blind` its number, 1 to 3, as dealt."""
    out: int | None = None
    """Place earned in this deal by getting rid of every card, or None."""

    def __repr__(self) -> str:
        return shedding.repr_without(self, {"hand", "private", "blind"})

    @property
    def known(self) -> Cards:
        """Return the part of the hand that everyone has seen, in canonical order."""
        return without(self.hand, self.private)

    @property
    def seen(self) -> Cards:
        """Return all cards of the seat that everybody has seen."""
        return self.known + self.up

    @property
    def unseen(self) -> Cards:
        """Return the other cards of the seat."""
        return self.private + self.blind

    @property
    def cards_left(self) -> int:
        """Return the number of cards, wherever they are."""
        return len(self.hand) + len(self.up) + len(self.blind)


NO_CARDS = SeatCards((), (), (), (), ())


class DealResult(NamedTuple):
    """How a deal ended."""

    places: tuple[int | None, ...]
    """Per seat; None for a seat that had resigned before the deal."""
    loser: Seat | None
    """The seat ranked last; None if the deal was stopped, for then nobody loses it (GEN-8)."""


State: TypeAlias = shedding.State[SeatCards, DealResult]
Draft: TypeAlias = shedding.Draft[SeatCards, DealResult]
