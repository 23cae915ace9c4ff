"""Possible worlds: the cards that a seat cannot see, dealt at random.

`guess` and `redeal` of each game determine the places of hidden cards. Both take them from here, so
that every possibility is equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from engine.api import Setup
from pbem.games.knowledge import Dice, View

CardT = TypeVar("CardT", bound=str)


class HiddenCards(Generic[CardT]):
    """The cards that a seat cannot see, shuffled.

    Args:
        cards: the hidden cards, in any order that the seat could know.
        dice: source of randomness.
        sort: sorts the cards of a hand.
        from_end: True to take the last cards first. Changing this changes the moves of bots.
    """

    def __init__(
        self,
        cards: Iterable[CardT],
        dice: Dice,
        sort: Callable[[Iterable[CardT]], tuple[CardT, ...]],
        *,
        from_end: bool = False,
    ) -> None:
        self._cards = list(cards)
        self._sort = sort
        self._from_end = from_end
        dice.shuffle(self._cards)

    def take(self, count: int) -> tuple[CardT, ...]:
        """Take this many cards."""
        start = len(self._cards) - count if self._from_end else 0
        taken = tuple(self._cards[start : start + count])
        del self._cards[start : start + count]
        return taken

    def hand(self, count: int) -> tuple[CardT, ...]:
        """Take this many cards, in the order of a hand."""
        return self._sort(self.take(count))

    def hand_of(self, own: View) -> list[CardT]:
        """Return a random hand for a seat of a view, including its known cards."""
        private = self.take(own["hand_size"] - len(own["known"]))
        return [*self._sort((*own["known"], *private))]

    def rest(self) -> tuple[CardT, ...]:
        """Take all remaining cards."""
        return self.take(len(self._cards))


def other_setup(state: Any, dice: Dice) -> Setup:  # noqa: ANN401
    """Return the setup of a state with a new seed for future shuffles."""
    setup: Setup = state.setup
    return Setup(setup.players, dice.seed(), setup.options)
