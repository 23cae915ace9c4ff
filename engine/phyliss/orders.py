"""Parser and formatter for moves of Phyliss (GEN-9).

`read_form` parses the words without looking at the position. The result is then converted into a
move in the position. The two steps distinguish prose from an order that cannot be carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, assert_never

from engine.api import Seat
from engine.cards import STANDARD, Reading, sort_cards
from engine.errors import AmbiguousOrderError, InvalidOrderError
from engine.orders import echo
from engine.phyliss.moves import (
    GOD,
    Flip,
    God,
    Move,
    SeatCards,
    State,
    cards_in_play,
    missing,
    only_blind_left,
)
from engine.plays import (
    PICK_UP,
    PICK_UP_WORDS,
    PLAY_WORDS,
    Cards,
    PickUp,
    Play,
    PlayForm,
    TakeForm,
    choose_play,
    find_cards,
    means_pile,
    read_play,
    says_pick_up,
    written_move,
)
from engine.reading.tokens import lower_words
from engine.sentences import sentence

_GOD_WORDS = frozenset({"play", "use", "try", "take", "risk", "for", "the", "hand", "of", "god"})
_FLIP_WORDS = frozenset({"flip", "over", "blind", "hidden", "card", "my", "the", "number", "no"})
_FLIP_VERBS = frozenset({"flip", "reveal", "turn"})
_FLIP_NUMBERS = {
    **{str(n): n for n in range(1, 10)},
    "one": 1, "two": 2, "three": 3, "first": 1, "second": 2, "third": 3,
}  # fmt: skip

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted(
        {*PLAY_WORDS, *PICK_UP_WORDS, *_GOD_WORDS, *_FLIP_WORDS, *_FLIP_VERBS, *_FLIP_NUMBERS}
        | set(STANDARD.words())
    )
)
"""All words that can occur in an order."""


@dataclass(frozen=True, slots=True)
class FlipForm:
    """A blind card to flip, or None if no number was given."""

    number: int | None


Form: TypeAlias = PlayForm | FlipForm | TakeForm | PickUp | God


def read_form(text: str) -> Form | None:
    """Parse a line as an order in any position. Return None if it is not an order."""
    words = lower_words(text)
    present = frozenset(words)
    if len(present) < len(words) and present <= PICK_UP_WORDS | _GOD_WORDS | _FLIP_WORDS:
        return None  # "god god": words must not be repeated
    if says_pick_up(words):
        return PICK_UP
    if "god" in present:
        return GOD if present <= _GOD_WORDS else None
    if words and (words[0] in _FLIP_VERBS or "flip" in present):
        return _read_flip([word.lstrip("#") for word in words])
    return read_play(text)


def _read_flip(words: list[str]) -> FlipForm | None:
    verb, *_ = words
    if verb == "turn" and "over" not in words:
        return None  # "turn 2" can mean anything
    words = ["flip", *words[1:]] if verb in _FLIP_VERBS else words
    if len(words) > 2 and words[-1] == "one":  # noqa: PLR2004  ("the second one")
        words = words[:-1]
    numbers = [_FLIP_NUMBERS[word] for word in words if word in _FLIP_NUMBERS]
    rest = frozenset(word for word in words if word not in _FLIP_NUMBERS)
    if len(numbers) > 1 or not rest <= _FLIP_WORDS:
        return None
    if "no" in rest and not any(
        word == "no" and after in _FLIP_NUMBERS for word, after in pairwise(words)
    ):
        return None  # "no flip" is a refusal, not an order
    return FlipForm(numbers[0] if numbers else None)


def reads_as_order(text: str) -> bool:
    """True if a line has the form of an order of Phyliss."""
    return read_form(text) is not None


def read_order(state: State, seat: Seat, text: str) -> Move:
    """Convert an order of a seat that may act into a move.

    The legality of the move is checked when it is applied.

    Raises:
        InvalidOrderError: the text is not an order.
        AmbiguousOrderError: the text matches several moves.
        IllegalMoveError: the seat does not hold the cards.
    """
    own = state.seats[seat]
    form = written_move(text, cards_in_play(own)) or read_form(text)
    match form:
        case Play() | PickUp() | God():
            return form
        case FlipForm(number):
            return _flip(own, number)
        case TakeForm(named):
            if means_pile(form, state.pile, cards_in_play(own), "PHY-12"):
                return PICK_UP
            return _play(own, ((named,),))
        case PlayForm(readings):
            return _play(own, readings)
        case None:
            raise InvalidOrderError(
                sentence(
                    "“{text}” isn't a move in Phyliss; moves look like play 7, play 7 7, play all 7,"
                    " pickup, god, flip 2",
                    text=echo(text),
                )
            )
        case _:
            assert_never(form)


def _flip(own: SeatCards, number: int | None) -> Flip:
    if number is not None:
        return Flip(number)
    if own.hand or own.up or not own.blind_numbers:
        return Flip(1)  # applying the move raises the error with the reason (PHY-20)
    if len(own.blind_numbers) > 1:
        raise AmbiguousOrderError(
            sentence("which hidden card? Say its number"),
            rule="PHY-20",
            candidates=tuple(f"flip {left}" for left in own.blind_numbers),
        )
    return Flip(own.blind_numbers[0])


def _play(own: SeatCards, readings: tuple[Reading, ...]) -> Play:
    source = sort_cards(cards_in_play(own))
    if not source:
        raise only_blind_left(own)

    def find(reading: Reading) -> Cards:
        with_others = isinstance(reading, tuple) and any(
            named.suit is not None and named.rank + named.suit in source for named in reading
        )
        return find_cards(
            reading,
            source,
            lambda what, held: missing(own, what, held, with_others=with_others),
            "PHY-8",
        )

    return choose_play(readings, find, "PHY-8")
