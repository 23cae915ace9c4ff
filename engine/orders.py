"""The shared part of reading a player's words in all games.

A whole line must be an order: a line that is not understood to the last word is refused, so that
prose never moves a card (GEN-9). This module reads the numbers of listed moves and `A or B`, and
guesses the meaning of a refused or misspelt line. Each game decides what its words mean. Games may
import `split_words`, `split_parts` and `lower_words` from here.
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
from engine.reading.tokens import lower_words as lower_words  # noqa: PLC0414  (games import it from here)
from engine.reading.tokens import split_parts as split_parts  # noqa: PLC0414  (games import it from here)
from engine.reading.tokens import split_words as split_words  # noqa: PLC0414  (games import it from here)
from engine.sentences import sentence

LIST_START = 21
"""Number of the first listed move. It is so high that a number is never a card rank as well."""

_MOST_WORDS_NEAR = 12
_MOST_MOVES_COMPARED = 500
_LONGEST_COMPARED = 80
_MOST_NEAR = 20
"""Maximum number of moves compared letter by letter. Of more, those that share most pairs of
letters are compared.
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
    """Return the number if the line is only the number of a listed move: `21`, `twenty-one`."""
    words = split_words(text.replace("#", " ") if len(text) <= LONGEST_ORDER else "")
    if len(words) <= 2:  # noqa: PLR2004  (twenty, one)
        spelt = _SPELT_NUMBERS.get("".join(words).casefold())
        if spelt is not None:
            return spelt
    if len(words) != 1 or not _LIST_NUMBER.fullmatch(words[0]):
        return None
    number = int(words[0])
    return number if number >= LIST_START else None


def number_and_move(ruleset: AnyRuleset, text: str) -> tuple[int, str] | None:
    """Return number and words of `21  play 9c` or `play 9c (21)`, else None.

    Messages list moves like this. The words have the form of an order. There must be a blank
    between: `21.5` and `21:10` are not such lines.
    """
    line = plain(text)
    found = _NUMBER_FIRST.fullmatch(line) or _MOVE_FIRST.fullmatch(line)
    if found is None or int(found["number"]) < LIST_START:
        return None
    return (int(found["number"]), found["move"]) if ruleset.reads_as_order(found["move"]) else None


def names_list_number(text: str, ruleset: AnyRuleset) -> bool:
    """Return True if an order names a listed move by its number, alone or as an alternative."""
    return any(
        list_number(part) is not None or number_and_move(ruleset, part) is not None
        for part in alternatives(text)
    )


def listed_move(ruleset: AnyRuleset, state: object, seat: Seat, number: int) -> object:
    """Return the legal move of a number. Raises: InvalidOrderError, NotToActError."""
    moves = list(ruleset.legal_moves(state, seat))
    if not moves:
        return ruleset.parse_order(state, seat, str(number))  # raises the reason
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
    """Split `A or B or C` into its orders. Most lines have only one."""
    return tuple(_OR.split(text.strip())) if len(text) <= LONGEST_ORDER else (text,)


def is_order(ruleset: AnyRuleset, text: str) -> bool:
    """Return True if a line has the form of an order, a list number, both, or several.

    Several are joined with `or`.
    """
    return all(_reads(ruleset, part) for part in alternatives(text))


def _reads(ruleset: AnyRuleset, part: str) -> bool:
    return (
        list_number(part) is not None
        or ruleset.reads_as_order(part)
        or number_and_move(ruleset, part) is not None
    )


def read_order(ruleset: AnyRuleset, state: object, seat: Seat, text: str) -> object:
    """Turn a line into a move: an order, a list number, or the first legal of several.

    Raises: NotToActError, InvalidOrderError, AmbiguousOrderError, IllegalMoveError (for `A or B`:
        the refusal of the first one).
    """
    parts = alternatives(text)
    if len(parts) == 1:
        return _read_one(ruleset, state, seat, text)
    for part in parts:
        if not _reads(ruleset, part):
            # One part that is not an order makes the line prose: "play 7 or maybe not".
            return _read_one(ruleset, state, seat, part)
    refusals: list[IllegalMoveError] = []
    for part in parts:
        try:
            move = _read_one(ruleset, state, seat, part)
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
    """Return the listed move if the words next to its number can mean it."""
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
    """Return a player's words for a message: one line, cut to a sensible length."""
    line = " ".join(text[: 4 * _LONGEST_ECHO].split())
    return line if len(line) <= _LONGEST_ECHO else line[: _LONGEST_ECHO - 1] + "…"


# --- what may have been meant ---------------------------------------------------------------------


def nearest_moves(
    ruleset: AnyRuleset, state: object, seat: Seat, text: str, limit: int = 3
) -> tuple[str, ...]:
    """Return the texts of the legal moves most like the line, nearest first.

    Equally near ones stay in the order of `legal_moves`. Only the first few hundred legal moves and
    the start of the line are compared, and letter by letter only those that share most with it.
    """
    moves = islice(ruleset.legal_moves(state, seat), _MOST_MOVES_COMPARED)
    texts = [ruleset.format_move(state, seat, move) for move in moves]
    wanted = " ".join(lower_words(text[:_LONGEST_COMPARED]))
    letters = {*pairwise(wanted)}

    def unlikeness_of_pairs(candidate: str) -> float:
        pairs = {*pairwise(candidate.casefold())}
        return -len(pairs & letters) / (len(pairs) + len(letters) or 1)

    if len(texts) > _MOST_NEAR:
        texts = sorted(texts, key=unlikeness_of_pairs)[:_MOST_NEAR]
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)

    def unlikeness(candidate: str) -> float:
        matcher.set_seq1(candidate.casefold())
        return -matcher.ratio()

    return tuple(sorted(texts, key=unlikeness)[:limit])


def candidates(
    ruleset: AnyRuleset, state: object, seat: Seat, text: str, error: EngineError
) -> tuple[str, ...]:
    """Return alternatives for a refusal: readings of an order, or legal moves."""
    match error:
        case AmbiguousOrderError():
            return error.candidates
        case InvalidOrderError() | IllegalMoveError():
            return nearest_moves(ruleset, state, seat, text)
        case _:
            return ()


def is_near_order(ruleset: AnyRuleset, text: str) -> bool:
    """Return True if a line is one typo away from an order: `pley 7`, `pikcup`, `god?`.

    Such a line is never carried out. It tells a reader that its sender meant an order there.
    """
    if len(text) > _LONGEST_COMPARED or is_order(ruleset, text):
        return False
    words = [word.strip("?;#/") for word in lower_words(text)]
    words = [word for word in words if word]
    if not words or len(words) > _MOST_WORDS_NEAR:
        return False
    if is_order(ruleset, " ".join(words)):
        return True
    known = tuple(ruleset.order_words)
    corrected = [_nearest_word(word, known) for word in words]
    return is_order(ruleset, " ".join(corrected))


@lru_cache(4096)  # players often write the same words
def _nearest_word(word: str, known: tuple[str, ...]) -> str:
    """Return the known word within typing distance, or the word itself."""
    if word in known:
        return word
    if len(word) < 3 or not word.isalpha():  # noqa: PLR2004  (too short to recognise with a slip)
        return word
    allowed = 1 if len(word) < 6 else 2  # noqa: PLR2004
    letters = frozenset(word)
    best, best_slips = word, allowed + 1
    for candidate in known:
        # Each letter that the other word does not have takes a slip: few words need the full count.
        if (
            len(candidate) > 1
            and abs(len(candidate) - len(word)) <= allowed
            and len(letters.difference(candidate)) <= allowed
            and word not in (candidate + "d", candidate + "ed")  # the past tense reports a move
        ):
            slips = typing_distance(word, candidate)
            if slips < best_slips:
                best, best_slips = candidate, slips
    return best


def typing_distance(a: str, b: str) -> int:
    """Count the typos between two words: extra, missing, wrong or swapped letters."""
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
