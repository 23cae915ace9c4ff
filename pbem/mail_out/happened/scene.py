"""What a sentence about a fact is made from: the fact, the reader's mail, and small helpers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.api import Fact
from engine.sentences import sentence
from pbem.mail_out import texts
from pbem.mail_out.content import GameMail
from pbem.plain import clean

NAME_LIMIT = 40
"""Characters of the name of a player who has left the seat."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence may depend on in one mail. It does not outlive that mail's rendering.

    Attributes:
        mail: what its reader may know.
        names: of the players by seat, as the mail shows them.
        order: turns an order or a move into what the reader would write.
    """

    mail: GameMail
    names: Sequence[str]
    order: Callable[[object], str]

    def is_reader(self, seat: object) -> bool:
        """True if a seat is the reader's."""
        return seat == self.mail.reader

    def name(self, seat: object) -> str:
        """Return the name of a seat's player, or `somebody` if there is no such seat."""
        return name_in(self.names, seat)


def name_in(names: Sequence[str], seat: object) -> str:
    """Return the name of a seat's player, or `somebody` if there is no such seat."""
    if isinstance(seat, int) and 0 <= seat < len(names):
        return names[seat]
    return sentence("somebody")


Teller = Callable[[Fact, Scene], str]
"""Returns a `Sentence`, or an empty text if this reader learns nothing from the fact."""


@dataclass(frozen=True, slots=True)
class Row:
    """The words for one kind of fact.

    Attributes:
        sentence: what happened.
        headline: the same as a title without a full stop; None if it never is one.
    """

    sentence: Teller
    headline: Teller | None = None


def number_of(fact: Fact, key: str) -> int:
    """Return a number from the data of a fact, or 0 if it has none of that name."""
    value = fact.data.get(key)
    return value if isinstance(value, int) else 0


def reason_of(fact: Fact, default: str = "none") -> str:
    """Return the reason that an admin gave, with a full stop."""
    return texts.ended(clean(fact.data.get("reason", default)))


def admin_of(fact: Fact) -> str:
    """Return the id of the admin who acted."""
    return clean(fact.data.get("admin", "local"))


def person_of(fact: Fact) -> str:
    """Return the name of a person who may have no seat."""
    return texts.name_text(fact.data.get("name", ""))


def moves_of(fact: Fact) -> tuple[int, int]:
    """Return the numbers of the first and the last move that a fact is about.

    The last is below the first if there were only secret choices.
    """
    return number_of(fact, "first"), number_of(fact, "last")
