"""Words that must not start a line: quoted, it might be read as an order."""

from __future__ import annotations

from pbem.domain.words.translate import order_beginnings
from pbem.plain import words_in

_ENGLISH = frozenset(
    words_in("""
play pickup pick take god hand flip draw lay hit discard skip all next say join accept decline
phrase resign confirm yes no help rules games board history resend vacation back pause resume
dispute extend reminders digest settings undo tempo rematch observe address addresses export
replace unobserve status end stop one two three four ace aces king kings queen queens jack jacks
deuce deuces twos threes fours five fives six sixes seven sevens eight eights nine nines ten
tens
""")
)


def may_begin_order(word: str) -> bool:
    """True if a word, in lower case, begins orders in a language; numbers do."""
    return word.isdigit() or word in _ENGLISH or word in order_beginnings()
