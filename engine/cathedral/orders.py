"""Parser and formatter for moves of Cathedral (GEN-9).

`read_form` parses the words without looking at the position. The result is then converted into a
move in the position. The two steps distinguish prose from an order that cannot be carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias, assert_never

from engine.api import Seat
from engine.cards import RANK_OF, STANDARD, Reading, card_words, read_cards
from engine.cathedral.moves import (
    RESERVE_SIZE,
    Keep,
    Move,
    SeatCards,
    State,
    is_choosing,
    missing,
    need_choosing,
    need_playing,
    wrong_number,
)
from engine.errors import InvalidOrderError
from engine.orders import echo
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
from engine.reading.tokens import lower_words, split_parts
from engine.sentences import sentence

_ASIDE = ("keep", "set aside", "put aside", "hold back")
"""Verbs for setting cards aside. The last word of a verb may follow the cards: `set 2 10 Q aside`.
"""
_ASIDE_WORDS = frozenset(" ".join(_ASIDE).split())

ORDER_WORDS: tuple[str, ...] = tuple(
    sorted({*PLAY_WORDS, *_ASIDE_WORDS, *PICK_UP_WORDS} | set(STANDARD.words()))
)
"""All words that can occur in an order."""


@dataclass(frozen=True, slots=True)
class KeepForm:
    """Cards to set aside, with every interpretation of the words."""

    readings: tuple[Reading, ...]


Form: TypeAlias = PlayForm | KeepForm | TakeForm | PickUp


def read_form(text: str) -> Form | None:
    """Parse a line as an order in any position. Return None if it is not an order."""
    if says_pick_up(lower_words(text)):
        return PICK_UP
    words = list(card_words(split_parts(text)))
    if any(set(verb.split()).issubset(words) for verb in _ASIDE):
        return _read_keep(words)
    return read_play(text)


def _read_keep(words: list[str]) -> KeepForm | None:
    """Parse `keep …`, `set aside …`, `set … aside` or `keep … aside`, with each word used once."""
    verbs = [word for word in words if word in _ASIDE_WORDS - {"aside", "back"}]
    if len(verbs) != 1 or {"aside", "back"}.issubset(words):
        return None
    for word in (*verbs, "aside", "back"):
        words = _without_once(words, word)
    # "a" alone may be an ace or an article. The count decides, since a choice has three cards.
    readings = read_cards(words, STANDARD) + read_cards(_without_articles(words), STANDARD)
    return KeepForm(readings) if readings else None


def _without_articles(words: list[str]) -> list[str]:
    """Remove every `a` that is followed by another word of the same card."""
    followed = zip_longest(words, words[1:], fillvalue=STANDARD.joiner)
    return [word for word, after in followed if word != "a" or after == STANDARD.joiner]


def _without_once(words: list[str], word: str) -> list[str]:
    """Remove a word that occurs once. A repeated word is kept and makes the line invalid."""
    return [other for other in words if other != word] if words.count(word) == 1 else words


def reads_as_order(text: str) -> bool:
    """True if a line has the form of an order of Cathedral."""
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
    form = written_move(text, own.hand) or read_form(text)
    match form:
        case PickUp():
            return form
        case Play():
            need_playing(state)
            return form
        case KeepForm(readings):
            need_choosing(state)
            return _keep(own, readings)
        case TakeForm(one):
            need_playing(state)
            if means_pile(form, state.pile, own.hand, "CAT-12"):
                return PICK_UP
            return _play(own, ((one,),))
        case PlayForm(readings, has_verb):
            if is_choosing(state) and not has_verb and _of_three(own, readings):
                return _keep(own, readings)
            need_playing(state)
            return _play(own, readings)
        case None:
            raise InvalidOrderError(
                sentence(
                    "“{text}” isn't a move in Cathedral; moves look like set aside 2 10 Q, play 7, play 7"
                    " 7, play all 7, pickup",
                    text=echo(text),
                )
            )
        case _:
            assert_never(form)


def _of_three(own: SeatCards, readings: tuple[Reading, ...]) -> list[Reading]:
    return [reading for reading in readings if _count(own, reading) == RESERVE_SIZE]


def _keep(own: SeatCards, readings: tuple[Reading, ...]) -> Keep:
    fitting = _of_three(own, readings)
    if not fitting:
        raise wrong_number(_count(own, readings[0]))
    # At most one interpretation of the same words has three cards (tested in the ambiguity tests).
    return Keep(_find(own, fitting[0], "CAT-2"))


def _count(own: SeatCards, reading: Reading) -> int:
    """Return the number of cards that are meant. `all` means every card of that rank in the hand."""
    if isinstance(reading, tuple):
        return len(reading)
    if reading.count is not None:
        return reading.count
    return sum(RANK_OF[held] == reading.rank for held in own.hand)


def _play(own: SeatCards, readings: tuple[Reading, ...]) -> Play:
    return choose_play(readings, lambda reading: _find(own, reading, "CAT-6"), "CAT-6")


def _find(own: SeatCards, reading: Reading, rule: str) -> Cards:
    return find_cards(reading, own.hand, lambda what, held: missing(own, what, held, rule), rule)
