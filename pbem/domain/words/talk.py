"""Parse messages between players: `say …`, to all, to some, or anonymously.

Talk does not affect the game: it is not tied to turns, does not make move lists out of date, and
does not change deadlines. It is posted exactly as written. If the addressee is unclear, nothing is
posted and the service asks the writer.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.sentences import all_of, sentence
from pbem.domain.words import en
from pbem.domain.words.translate import TABLES
from pbem.errors import Refusal
from pbem.plain import visible

TEXT_LIMIT = 2000
"""Maximum number of characters of a message."""
ANONYMOUS = "anonymous"
_NAME_LIKE = 0.75
EVERYBODY = en.EVERYBODY.union(*(table.EVERYBODY for table in TABLES.values()))
_AND = "|".join(["and", *(table.AND for table in TABLES.values())])
_ANONYMOUS = re.compile(r"anonymous(?:ly)?\s*:\s*|anonymously\b[\s,.]*", re.IGNORECASE)
_TO = re.compile(r"to\s+([^:\n]{1,300}?)\s*:[ \t]*", re.IGNORECASE)
_TO_WHOM = re.compile(r"to\s+([^\n]*)", re.IGNORECASE)
_TO_ALL = re.compile(
    r"to\s+(?:everybody|everyone|the table|them all)\b[\s,.–-]*(?=\w)", re.IGNORECASE
)
_BETWEEN = re.compile(rf"\s*(?:,|;|&|\b(?:{_AND})\b)\s*", re.IGNORECASE)
_OPENING = re.compile(r"(?:(?:anonymous(?:ly)?|to\s+[^:\n]{1,300}?)\s*:)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """A parsed talk message.

    Attributes:
        text: the text that others read.
        to: the seats that can read it, or empty for the whole table.
        is_anonymous: True if the writer's name is not shown.
    """

    text: str
    to: tuple[int, ...] = ()
    is_anonymous: bool = False


def opens_paragraph(words: str) -> bool:
    """True if the words after `say` only introduce a message on the lines below (`to bob:`)."""
    return _OPENING.fullmatch(words.strip()) is not None


def message_text(text: str) -> str:
    """Return the stored form of a text, without invisible characters and surrounding spaces."""
    lines = [visible(line).strip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n")


def read_said(words: str, names: Sequence[str], seat: int) -> Said:
    """Parse the words of a message after `say`.

    Args:
        words: one or more lines.
        names: names of the players, by seat.
        seat: seat of the writer.

    Raises: Refusal if the addressees are unclear, or if the message is empty or too long.
    """
    rest = words.lstrip()
    to: tuple[int, ...] = ()
    anonymous = _ANONYMOUS.match(rest)
    if anonymous is not None:
        rest = rest[anonymous.end() :]
        if _TO.match(rest):
            raise Refusal(
                "talk", sentence("Words without a name go to the whole table, not to some of it.")
            )
    else:
        addressed = _TO.match(rest)
        if addressed is not None:
            to = _seats(addressed[1], names, seat)
            rest = rest[addressed.end() :]
        else:
            rest = _TO_ALL.sub("", rest)
            _refuse_doubtful(rest, names)
    text = message_text(rest)
    if not text:
        raise Refusal(
            "talk",
            sentence("There are no words behind it, so nothing was said."),
            suggestions=("say good luck to all of you",),
        )
    if len(text) > TEXT_LIMIT:
        raise Refusal(
            "talk",
            sentence(
                "A message has at most {limit} characters, and this one has {count}, so nothing was"
                " said: please make it shorter, or several of it.",
                limit=TEXT_LIMIT,
                count=len(text),
            ),
        )
    return Said(text, to, anonymous is not None)


def _seats(words: str, names: Sequence[str], seat: int) -> tuple[int, ...]:
    """Parse names such as `bob, carol and dora` into seats. Empty means all. Raises: Refusal."""
    seats: set[int] = set()
    for name in filter(None, _BETWEEN.split(words.strip())):
        if name.casefold() in EVERYBODY:
            return ()
        seats.add(seat_called(name, names))
    seats.discard(seat)
    if not seats:
        raise Refusal("talk", sentence("You name nobody but yourself, so nothing was said."))
    return tuple(sorted(seats))


def seat_called(name: str, names: Sequence[str]) -> int:
    """Return the seat of the player with this name. Raises: Refusal with all names."""
    wanted = name.strip(" .,!\"'@").casefold()
    for seat, known in enumerate(names):
        if known.casefold() == wanted:
            return seat
    raise Refusal(
        "talk",
        sentence(
            'Nobody at this table is called "{name}", so nothing was done. Here sit {names}.',
            name=name.strip()[:40],
            names=all_of(names),
        ),
    )


def _refuse_doubtful(rest: str, names: Sequence[str]) -> None:
    """Refuse words that may be meant for one person only. Raises: Refusal."""
    addressed = _TO_WHOM.match(rest)
    called = rest.partition(":")[0] if addressed is None else addressed[1]
    if addressed is None and (":" not in rest.partition("\n")[0] or not called.strip()):
        return
    match = _name_at(called.strip(" @"), names, whole=addressed is None)
    if match is None:
        return
    raise Refusal(
        "talk",
        sentence(
            "I can't tell whether only {name} may read that, so nothing was said. Begin with"
            ' "say to {name}:" if it is for {name} alone, and leave out the name if it is for'
            " everybody.",
            name=match,
        ),
        suggestions=(f"say to {match}: …", "say …"),
    )


def _name_at(words: str, names: Sequence[str], *, whole: bool) -> str | None:
    """Return the player with whose name the words begin, even if mistyped, or None.

    With `whole`, the words must be only the name.
    """
    plain = words.casefold()
    for name in names:
        folded = name.casefold()
        rest = plain[len(folded) :]
        if plain.startswith(folded) and not (whole and rest.strip()) and not rest[:1].isalnum():
            return name
    first = plain if whole else re.split(r"[\s,.!]", plain, maxsplit=1)[0]
    by_folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(first, by_folded, n=1, cutoff=_NAME_LIKE)
    return by_folded[near[0]] if near else None
