"""The state of a game of Cathedral: values only, no rules.

The rest is in `engine.shedding`.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from engine import shedding
from engine.api import Seat
from engine.plays import Cards, without

RESERVE_SIZE: Final = 3
"""Cards that everybody sets aside (CAT-2)."""


class SeatCards(NamedTuple):
    """The cards of one seat in the running deal."""

    hand: Cards
    """In canonical order (rank 2 … A, then suit); all six cards until the choices are made; not in
    `repr`."""
    private: Cards
    """The part of the hand that nobody else has seen (CAT-20), in canonical order; not in `repr`."""
    reserve: Cards
    """The cards set aside, in canonical order; empty before the choices are made; not in `repr`."""
    choice: Cards | None = None
    """Three cards of the hand to be set aside when all have chosen; None = not chosen (CAT-3); not
    in `repr`."""
    choice_mark: int = 0
    """How the choice came about, one of the marks of `engine.silence`; 0 without a choice."""

    def __repr__(self) -> str:
        return shedding.repr_without(self, {"hand", "private", "reserve", "choice"})

    @property
    def known(self) -> Cards:
        """Return the part of the hand that everyone has seen, in canonical order."""
        return without(self.hand, self.private)

    @property
    def seen(self) -> Cards:
        """Return all cards of the seat that everybody has seen."""
        return self.known

    @property
    def unseen(self) -> Cards:
        """Return the other cards of the seat."""
        return self.private + self.reserve

    @property
    def cards_left(self) -> int:
        """Return the number of cards, wherever they are."""
        return len(self.hand) + len(self.reserve)


NO_CARDS = SeatCards((), (), ())


class DealResult(NamedTuple):
    """How a deal ended."""

    cards_left: tuple[int | None, ...]
    """Per seat; None for a seat that had resigned by then."""
    winner: Seat | None
    """None if the deal was stopped, for then nobody wins it (GEN-8)."""


State: TypeAlias = shedding.State[SeatCards, DealResult]
Draft: TypeAlias = shedding.Draft[SeatCards, DealResult]


def is_choosing(state: State | Draft) -> bool:
    """True while the cards to set aside are being chosen (GEN-6).

    It is nobody's turn then, and not the end.
    """
    return state.to_act is None and state.reason is None
