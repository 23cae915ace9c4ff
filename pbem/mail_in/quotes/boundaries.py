"""Detect lines after which another message may begin although no program marked it.

People copy messages into theirs by hand. Some programs introduce a quote only by a name, a time or
a ruler. Such a line is only a hint, but an order below it may be someone else's.
"""

from __future__ import annotations

import enum
import re
from typing import Final

from pbem.mail_in.quotes import marks
from pbem.mail_in.quotes.introductions import People

_SHORT: Final = 90
_NAMED: Final = 160
_FEW: Final = 6
_MAX_GREETED: Final = 4
_INSTANT: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T[\d:]+Z?)?"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{0,4}"
    r"|\d{1,2}/\d{1,2}(?!\d)"
    r"|\d{1,2}[:.hH時시点點]\s?\d\d(?:[:.]\d\d)?"
    r"|(?<!\d)(?:19|20)\d\d(?!\d)"
)
_ANSWER: Final = re.compile(
    r"(?:re|aw|sv|vs|antw|fwd?|wg|rv|tr|odp|ynt|ra|res|r|i|bls|回复|答复|回覆|转发|返信)"
    r"(?:\[\d+\])?\s?[:：]\s?\S",
    re.IGNORECASE,
)
_BOXED: Final = re.compile(r"\[[^\[\]]{3,60}\]|[\[(]?(?:\.{3,}|…)[\])]?")
_PARTICLES: Final = frozenset(
    ["am", "pm", "um", "à", "at", "to", "me", "ago", "hour", "hours", "via", "de", "von", "uhr"]
)
_PERSON: Final = re.compile(r"[^<>]{0,80}<[^<>\s]{1,254}@[^<>\s]{1,254}>[\s:,;]*")
_SAID: Final = re.compile(r"\[[\d.:/, -]{4,24}(?:[ap]m)?\]\s?\S", re.IGNORECASE)
"""The start of a message in a messenger: `[21.11.26, 08:30:12] Bob:`."""


class Parting(enum.IntEnum):
    """Likelihood that another message begins after a line."""

    NONE = 0
    FAINT = 1
    """Like `SLIGHT`, but only below an order, because people and gateways draw such lines."""
    SLIGHT = 2
    """Counts only below the player's own text, if no line above is marked."""
    DATED = 3
    """Like `SLIGHT`, also if marked lines with their own introduction follow."""
    POSSIBLE = 4
    LIKELY = 5
    """An order below is almost certainly quoted (`QuoteReading.faint`)."""


def parting_of(text: str, people: People) -> Parting:
    """Return how likely another message begins below this line. The line must not be an order."""
    if not text or len(text) > _NAMED:
        return Parting.NONE
    if marks.is_ruler(text):
        return Parting.FAINT
    if _BOXED.fullmatch(text) or text.casefold() in people.names:
        return Parting.SLIGHT
    if marks.says_wrote(text) or _names_person(text, people.sender):
        return Parting.LIKELY
    if _ANSWER.match(text) or _SAID.match(text) or _is_field(text) or _addresses(text, people):
        return Parting.POSSIBLE
    return Parting.DATED if _is_instant(text) else Parting.NONE


def _names_person(text: str, sender: str | None) -> bool:
    """True for a line such as `Jonas <jonas@example.org>`, possibly with a label."""
    bare = text.strip("*_<>\"' :：,;")
    if marks.is_mailbox(bare):
        return bare.lower() != sender
    return _PERSON.fullmatch(text) is not None


def _is_field(text: str) -> bool:
    """True for a header field such as `From: Jonas`, but not for `No: too risky`."""
    label = marks.label_of(text)
    if label in ("from", "date"):
        value = re.split("[:：﹕՝]", text, maxsplit=1)[-1].strip("*_ ")
        return "@" in value or (len(value.split()) < _FEW and not value[:1].islower())
    return label == "subject"


def _is_instant(text: str) -> bool:
    """True if a line is only a date or time, possibly with a name: `Jonas, 21.11.2026 08:30`."""
    if len(text) > _SHORT or text[-1] in "!?" or not any(map(str.isdigit, text)):
        return False
    rest = _INSTANT.sub(" ", text)
    if rest == text:
        return False
    words = [word for word in re.findall(r"[^\W\d_]+", rest) if marks.fold(word) not in _PARTICLES]
    return len(words) <= _FEW and not any(word[0].islower() for word in words)


def _addresses(text: str, people: People) -> bool:
    """True if a line greets the writer (`Hi Anna,`) or names a speaker (`Bob:`)."""
    words = marks.words_of(text)
    if not 0 < len(words) <= _MAX_GREETED:
        return False
    if text[-1] in ":：" and words[-1] in people.others:
        return True
    greets = len(words) > 1 and words[-1] in people.names
    return greets and text[-1] in ",!，！:" and "," not in text[:-1]
