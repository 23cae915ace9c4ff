"""Input of sentences about facts: the fact, the reader's message, and small helpers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.api import Fact
from engine.sentences import Sentence, filled, sentence
from pbem.domain.log.chain import parse_time
from pbem.domain.table.motion import ByReader
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.durations import duration_words
from pbem.mail_out import texts
from pbem.mail_out.content import GameMail
from pbem.mail_out.times import past_time_text
from pbem.plain import clean

NAME_LIMIT = 40
"""Maximum length of the name of a player who has left the seat."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Data of one message that sentences may use. It must not outlive that message's rendering.

    Attributes:
        mail: content of the message, as its reader may know it.
        names: the players' display names by seat.
        order: returns an order or a move in the reader's language.
    """

    mail: GameMail
    names: Sequence[str]
    order: Callable[[object], str]

    def is_reader(self, seat: object) -> bool:
        """True if the reader is in this seat."""
        return seat == self.mail.reader

    def name(self, seat: object) -> str:
        """Return the name of a seat's player, or `somebody` if the seat does not exist."""
        return name_in(self.names, seat)


def name_in(names: Sequence[str], seat: object) -> str:
    """Return the name of a seat's player, or `somebody` if the seat does not exist."""
    if isinstance(seat, int) and 0 <= seat < len(names):
        return names[seat]
    return sentence("somebody")


Teller = Callable[[Fact, Scene], str]
"""Returns a `Sentence`, or an empty text if the fact is not reported to this reader."""


@dataclass(frozen=True, slots=True)
class Row:
    """The sentences of one kind of fact.

    Attributes:
        sentence: the report.
        headline: the sentence as a title without a full stop, or None if it is never a title.
    """

    sentence: Teller
    headline: Teller | None = None


def values_of(
    fact: Fact,
    names: Sequence[str],
    order: Callable[[object], str] = str,
    zone: str = "UTC",
) -> dict[str, Any]:
    """Return the values for the placeholders in a template about a fact.

    `{name}` is the player who caused the fact, `{whom}` the player of the affected seat, and
    `{person}` someone who may have no seat. Numbers in the fact's data are available under their
    names.

    Args:
        names: player names by seat, as shown in the message.
        order: as in `Scene`.
        zone: the reader's time zone.
    """
    until = fact.data.get("expires_at")
    numbers = {key: value for key, value in fact.data.items() if isinstance(value, int)}
    motion = MOTIONS.get(str(fact.data.get("motion")))
    return {
        **dict.fromkeys(("first", "last", "left", "moves", "number", "of"), 0),
        **numbers,
        "name": name_in(names, fact.seat),
        "whom": name_in(names, fact.data.get("of")),
        "person": person_of(fact),
        "admin": admin_of(fact),
        "reason": reason_of(fact),
        "move": order(fact.data["move"]) if "move" in fact.data else "",
        "time": duration_words(number_of(fact, "time_per_move")),
        "was": duration_words(number_of(fact, "was")),
        "until": past_time_text(parse_time(until), zone) if isinstance(until, str) else "",
        "what": "" if motion is None else motion.texts.noun,
    }


def words_for(words: ByReader, fact: Fact, scene: Scene, **more: str) -> str:
    """Choose the wording for the reader and fill in its placeholders, including those in `more`."""
    template = words.others
    if words.about is not None and scene.is_reader(fact.data.get("of")):
        template = words.about
    if words.own is not None and scene.is_reader(fact.seat):
        template = words.own
    return filled(template, {**values_of(fact, scene.names, scene.order, scene.mail.zone), **more})


def fixed_teller(others: Sentence, own: Sentence | None = None) -> Teller:
    """Create a teller for a fact whose wording depends only on the reader."""
    return lambda fact, scene: words_for(ByReader(others, own), fact, scene)


def data_teller(words: Callable[[Fact], ByReader]) -> Teller:
    """Create a teller for a fact whose wording also depends on its data."""
    return lambda fact, scene: words_for(words(fact), fact, scene)


def number_of(fact: Fact, key: str) -> int:
    """Return a number from a fact's data, or 0 if it is missing."""
    value = fact.data.get(key)
    return value if isinstance(value, int) else 0


def reason_of(fact: Fact, default: str = "none") -> str:
    """Return the reason given by an admin, with a final full stop."""
    return texts.ended(clean(fact.data.get("reason", default)))


def admin_of(fact: Fact) -> str:
    """Return the ID of the admin who acted."""
    return clean(fact.data.get("admin", "local"))


def person_of(fact: Fact) -> str:
    """Return the name of a person who may have no seat."""
    return texts.name_text(fact.data.get("name", ""))
