"""From a player's words to a move of Oh Hell and back (GEN-9)."""

from __future__ import annotations

from typing import NamedTuple

from engine.api import Seat
from engine.cards import STANDARD, card_words, read_cards
from engine.errors import AmbiguousOrderError, IllegalMoveError, InvalidOrderError
from engine.orders import echo, lower_words, split_parts
from engine.sentences import Sentence, sentence
from pbem_oh_hell.play import check, need_turn
from pbem_oh_hell.state import Move, State, is_bidding, playable

_BID, _PLAY = "bid", "play"
_NUMBERS = {
    **{str(number): number for number in range(53)},
    "zero": 0,
    "none": 0,
    "nil": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
}
_TRICKS = ("trick", "tricks")

ORDER_WORDS = tuple(
    sorted(
        {_BID, _PLAY, *_TRICKS, *(word for word in _NUMBERS if word.isalpha()), *STANDARD.words()}
    )
)


class _Named(NamedTuple):
    """A line as one card: a rank, and a suit or None."""

    rank: str
    suit: str | None


def _named(text: str) -> _Named | None:
    words = list(card_words(split_parts(text)))
    if _PLAY in words:
        words.remove(_PLAY)
    readings = [
        cards for cards in read_cards(words) if isinstance(cards, tuple) and len(cards) == 1
    ]
    return _Named(readings[0][0].rank, readings[0][0].suit) if len(readings) == 1 else None


def _bid(text: str) -> int | None:
    """Read `bid 2`, `2 tricks`, `two`; None if a line is no bid."""
    words = [word for word in lower_words(text) if word not in _TRICKS]
    if words[:1] == [_BID]:
        del words[0]
    return _NUMBERS.get(words[0]) if len(words) == 1 else None


def reads_as_order(text: str) -> bool:
    """True if a line is a bid, or names one card; `play` may stand before it."""
    return _bid(text) is not None or _named(text) is not None


def parse_order(state: State, seat: Seat, text: str) -> Move:
    """Read a bid or a card; a number alone is a bid while bids are made.

    Raises: see `Ruleset`.
    """
    need_turn(state, seat)
    bid, wanted = _bid(text), _named(text)
    says_bid = _BID in lower_words(text)
    if bid is not None and (says_bid or is_bidding(state) or wanted is None):
        return bid
    if wanted is None:
        raise InvalidOrderError(_no_order(state, text))
    rank, suit = wanted
    held = state.hands[seat]
    fitting = [card for card in held if card[:-1] == rank and suit in (None, card[-1])]
    allowed = [card for card in fitting if card in playable(state, held)]
    if not fitting:
        if is_bidding(state):
            check(state, seat, held[0])  # says that everybody bids first
        words = sentence("OHH-7: you do not hold {card}", card=rank + (suit or ""))
        raise IllegalMoveError(words, rule="OHH-7")
    if len(allowed) > 1:
        orders = tuple(f"{_PLAY} {card}" for card in allowed)
        raise AmbiguousOrderError(
            sentence("you hold several cards of this rank: name the suit"), candidates=orders
        )
    return (allowed or fitting)[0]


def _no_order(state: State, text: str) -> Sentence:
    if is_bidding(state):
        return sentence("“{text}” isn't an order in Oh Hell; try bid 1", text=echo(text))
    return sentence("“{text}” isn't an order in Oh Hell; try play 7h", text=echo(text))


def format_move(state: State, seat: Seat, move: Move) -> str:
    """Return the canonical text; `parse_order` turns it back into the move."""
    return f"{_BID} {move}" if isinstance(move, int) else f"{_PLAY} {move}"
