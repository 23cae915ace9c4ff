"""Parse the orders of players, as far as it works the same for all games.

A line is an order only if every word of it is understood, so that prose never moves a card (GEN-9).
This module parses numbers of listed moves and `A or B`, and suggests corrections for a rejected or
misspelt line. Everything else is left to the games, which may import `split_words`, `split_parts`
and `lower_words` from here.
"""

from __future__ import annotations

import difflib
import re
from functools import lru_cache
from itertools import islice, pairwise

from engine.api import AnyRuleset, Seat
from engine.errors import (
    AmbiguousOrderError,
    EngineError,
    IllegalMoveError,
    InvalidOrderError,
)
from engine.reading.tokens import LONGEST_ORDER, plain
from engine.reading.tokens import lower_words as lower_words  # noqa: PLC0414  (re-exported for games)
from engine.reading.tokens import split_parts as split_parts  # noqa: PLC0414  (re-exported for games)
from engine.reading.tokens import split_words as split_words  # noqa: PLC0414  (re-exported for games)
from engine.sentences import sentence

LIST_START = 21
"""Number of the first listed move. It is high enough not to be confused with a card rank."""

_MAX_WORDS_NEAR = 12
_MAX_MOVES_COMPARED = 500
_LONGEST_COMPARED = 80
_MAX_NEAR = 20
"""Maximum number of moves that are compared letter by letter.

If there are more, the moves that share the most letter pairs with the line are compared.
"""
_LONGEST_ECHO = 60

_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"[0-9]{2,6}", re.ASCII)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELT_NUMBERS = {
    ten + one: 10 * tens + ones
    for tens, ten in enumerate(_TENS, start=2)
    for ones, one in enumerate(_ONES, start=1)
}
_NUMBER_FIRST = re.compile(
    r"[\s(*#-]{0,4}(?P<number>[0-9]{2,6})[.:)*=\-–—]{0,2}\s[\s=>→\-–—]{0,4}(?P<move>\S.{0,200})",
    re.ASCII,
)
_MOVE_FIRST = re.compile(
    r"(?P<move>\S.{0,200}?)\s{1,4}[(\[]\s?#?(?P<number>[0-9]{2,6})\s?[)\]][.!]?", re.ASCII
)


def list_number(text: str) -> int | None:
    """Return the number if a line contains only the number of a listed move: `21`, `twenty-one`."""
    words = split_words(text.replace("#", " ") if len(text) <= LONGEST_ORDER else "")
    if len(words) <= 2:  # noqa: PLR2004  (at most two words, such as `twenty one`)
        spelt = _SPELT_NUMBERS.get("".join(words).casefold())
        if spelt is not None:
            return spelt
    if len(words) != 1 or not _LIST_NUMBER.fullmatch(words[0]):
        return None
    number = int(words[0])
    return number if number >= LIST_START else None


def number_and_move(ruleset: AnyRuleset, text: str) -> tuple[int, str] | None:
    """Split a line such as `21  play 9c` or `play 9c (21)` into number and order.

    Messages list moves in this format. Return None if the line has another format or the words are
    not an order. The number must be separated by a blank: `21.5` and `21:10` do not match.
    """
    line = plain(text)
    match = _NUMBER_FIRST.fullmatch(line) or _MOVE_FIRST.fullmatch(line)
    if match is None or int(match["number"]) < LIST_START:
        return None
    return (int(match["number"]), match["move"]) if ruleset.reads_as_order(match["move"]) else None


def names_list_number(text: str, ruleset: AnyRuleset) -> bool:
    """True if an order, or one of its alternatives, contains the number of a listed move."""
    return any(
        list_number(alternative) is not None or number_and_move(ruleset, alternative) is not None
        for alternative in alternatives(text)
    )


def listed_move(ruleset: AnyRuleset, state: object, seat: Seat, number: int) -> object:
    """Return the legal move with a list number. Raises: InvalidOrderError, NotToActError."""
    moves = list(ruleset.legal_moves(state, seat))
    if not moves:
        return ruleset.parse_order(state, seat, str(number))  # raises the error with the reason
    if not LIST_START <= number < LIST_START + len(moves):
        last = LIST_START + len(moves) - 1
        raise InvalidOrderError(
            sentence(
                "{number} is not in the list, which runs from {list_start} to {last}",
                number=number,
                list_start=LIST_START,
                last=last,
            )
        )
    return moves[number - LIST_START]


def alternatives(text: str) -> tuple[str, ...]:
    """Split `A or B or C` into separate orders. Most lines contain only one."""
    return tuple(_OR.split(text.strip())) if len(text) <= LONGEST_ORDER else (text,)


def is_order(ruleset: AnyRuleset, text: str) -> bool:
    """True if a line has the form of an order, a list number, or both.

    The line may contain several of them, joined with `or`.
    """
    return all(_reads(ruleset, alternative) for alternative in alternatives(text))


def _reads(ruleset: AnyRuleset, alternative: str) -> bool:
    return (
        list_number(alternative) is not None
        or ruleset.reads_as_order(alternative)
        or number_and_move(ruleset, alternative) is not None
    )


def read_order(ruleset: AnyRuleset, state: object, seat: Seat, text: str) -> object:
    """Convert a line into a move. Of several orders joined with `or`, the first legal one is used.

    Raises:
        NotToActError: the seat does not have to act.
        InvalidOrderError: the line is not an order.
        AmbiguousOrderError: the line matches several moves.
        IllegalMoveError: the move is illegal. If all alternatives are illegal, this is the error of
            the
        first one.
    """
    parts = alternatives(text)
    if len(parts) == 1:
        return _read_one(ruleset, state, seat, text)
    for alternative in parts:
        if not _reads(ruleset, alternative):
            # If one part is not an order, the whole line is prose: "play 7 or maybe not".
            return _read_one(ruleset, state, seat, alternative)
    refusals: list[IllegalMoveError] = []
    for alternative in parts:
        try:
            move = _read_one(ruleset, state, seat, alternative)
            ruleset.apply(state, seat, move)
        except IllegalMoveError as refusal:
            refusals.append(refusal)
        else:
            return move
    raise refusals[0]


def _read_one(ruleset: AnyRuleset, state: object, seat: Seat, text: str) -> object:
    number = list_number(text)
    if number is not None:
        return listed_move(ruleset, state, seat, number)
    both = None if ruleset.reads_as_order(text) else number_and_move(ruleset, text)
    if both is not None:
        return _agreed(ruleset, state, seat, *both)
    return ruleset.parse_order(state, seat, text)


def _agreed(ruleset: AnyRuleset, state: object, seat: Seat, number: int, words: str) -> object:
    """Return the listed move if it matches the words next to its number."""
    listed = listed_move(ruleset, state, seat, number)
    canonical = ruleset.format_move(state, seat, listed)
    meant: tuple[str, ...]
    try:
        meant = (ruleset.format_move(state, seat, ruleset.parse_order(state, seat, words)),)
    except AmbiguousOrderError as error:
        meant = error.candidates
    except (InvalidOrderError, IllegalMoveError):
        meant = ()
    if canonical in meant:
        return listed
    raise AmbiguousOrderError(
        sentence(
            "{number} is “{canonical}” in the list, and “{words}” is not",
            number=number,
            canonical=canonical,
            words=echo(words),
        ),
        candidates=(canonical, *meant),
    )


def echo(text: str) -> str:
    """Return a player's words as a single line, shortened for a message."""
    line = " ".join(text[: 4 * _LONGEST_ECHO].split())
    return line if len(line) <= _LONGEST_ECHO else line[: _LONGEST_ECHO - 1] + "…"


# --- suggestions ----------------------------------------------------------------------------------


def nearest_moves(
    ruleset: AnyRuleset, state: object, seat: Seat, text: str, limit: int = 3
) -> tuple[str, ...]:
    """Return the texts of the legal moves that resemble a line most, best match first.

    Ties keep the order of `legal_moves`. To bound the work, only the first few hundred legal moves
    and the start of the line are considered, and only the most promising moves are compared letter
    by letter.
    """
    moves = islice(ruleset.legal_moves(state, seat), _MAX_MOVES_COMPARED)
    texts = [ruleset.format_move(state, seat, move) for move in moves]
    wanted = " ".join(lower_words(text[:_LONGEST_COMPARED]))
    letters = {*pairwise(wanted)}

    def unlikeness_of_pairs(candidate: str) -> float:
        pairs = {*pairwise(candidate.casefold())}
        return -len(pairs & letters) / (len(pairs) + len(letters) or 1)

    if len(texts) > _MAX_NEAR:
        texts = sorted(texts, key=unlikeness_of_pairs)[:_MAX_NEAR]
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)

    def unlikeness(candidate: str) -> float:
        matcher.set_seq1(candidate.casefold())
        return -matcher.ratio()

    return tuple(sorted(texts, key=unlikeness)[:limit])


def candidates(
    ruleset: AnyRuleset, state: object, seat: Seat, text: str, error: EngineError
) -> tuple[str, ...]:
    """Return suggestions for a rejected order: its interpretations, or similar legal moves."""
    match error:
        case AmbiguousOrderError():
            return error.candidates
        case InvalidOrderError() | IllegalMoveError():
            return nearest_moves(ruleset, state, seat, text)
        case _:
            return ()


def is_near_order(ruleset: AnyRuleset, text: str) -> bool:
    """True if a line is one typo away from an order: `pley 7`, `pikcup`, `god?`.

    Such a line is never carried out. Callers use it to detect that the sender meant an order.
    """
    if len(text) > _LONGEST_COMPARED or is_order(ruleset, text):
        return False
    words = [word.strip("?;#/") for word in lower_words(text)]
    words = [word for word in words if word]
    if not words or len(words) > _MAX_WORDS_NEAR:
        return False
    if is_order(ruleset, " ".join(words)):
        return True
    known = tuple(ruleset.order_words)
    corrected = [_nearest_word(word, known) for word in words]
    return is_order(ruleset, " ".join(corrected))


@lru_cache(4096)  # players often repeat the same words
def _nearest_word(word: str, known: tuple[str, ...]) -> str:
    """Return the known word within a small typing distance, or the word itself."""
    if word in known:
        return word
    if len(word) < 3 or not word.isalpha():  # noqa: PLR2004  (too short to recognise with a slip)
        return word
    allowed = 1 if len(word) < 6 else 2  # noqa: PLR2004
    letters = frozenset(word)
    best, best_slips = word, allowed + 1
    for candidate in known:
        # Each letter that the candidate lacks costs an edit. This excludes most candidates cheaply.
        if (
            len(candidate) > 1
            and abs(len(candidate) - len(word)) <= allowed
            and len(letters.difference(candidate)) <= allowed
            # the past tense reports a move instead of ordering one
            and word not in (candidate + "d", candidate + "ed")
        ):
            slips = typing_distance(word, candidate)
            if slips < best_slips:
                best, best_slips = candidate, slips
    return best


def typing_distance(a: str, b: str) -> int:
    """Return the number of typos between two words: extra, missing, wrong or swapped letters."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        older, before, row = before, row, [i]
        for j, other in enumerate(b, start=1):
            cost = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and other == a[i - 2]:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
