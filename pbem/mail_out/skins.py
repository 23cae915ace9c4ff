"""Display of Phase 10 cards as two standard packs with four jokers (P10-2).

The skin is for display only: the log, the rules and the move lists use the canonical cards, and the
parser accepts both.
"""

from __future__ import annotations

import re
from dataclasses import replace

from engine.api import Fact
from pbem.mail_out.content import GameMail

STANDARD = "standard"
"""Option value for the deck with suits. The other deck has colours."""

_SUITS = {"R": "h", "B": "s", "Y": "d", "G": "c"}
_RANKS = {"1": "A", "11": "J", "12": "Q"}
_OTHERS = {"W": "K", "S": "joker"}
_CARD = re.compile(r"\b(?:([RBGY])(1[0-2]|[1-9])|([WS]))\b(?!-)")


def standard_words(text: str) -> str:
    """Replace the canonical cards in a text by standard cards, e.g. `R7` by `7h` and `W` by `K`."""
    return _CARD.sub(_standard, text)


def _standard(match: re.Match[str]) -> str:
    colour, number, other = match.groups()
    if other is not None:
        return _OTHERS[other]
    return f"{_RANKS.get(number, number)}{_SUITS[colour]}"


def in_skin(mail: GameMail) -> GameMail:
    """Return a message whose orders, lines and refusals use the deck of the game."""
    if mail.skin != STANDARD:
        return mail
    return replace(
        mail,
        moves=tuple(replace(move, text=standard_words(move.text)) for move in mail.moves),
        lines=tuple(
            replace(
                line,
                move=None if line.move is None else standard_words(line.move),
                message=standard_words(line.message),
                suggestions=tuple(map(standard_words, line.suggestions)),
            )
            for line in mail.lines
        ),
        happened=tuple(map(_fact, mail.happened)),
    )


def _fact(fact: Fact) -> Fact:
    """Translate the orders in facts of the service to the deck of the game.

    Cards in other facts are translated when they are displayed.
    """
    move = fact.data.get("move")
    if not isinstance(move, str):
        return fact
    return Fact(fact.kind, fact.seat, {**fact.data, "move": standard_words(move)}, fact.audience)
