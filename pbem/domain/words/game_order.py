"""Reads an order for a game: `new phalanx with bob@example.org, 2 bots`.

It is forgiving about form but never about meaning: if a part is not understood, the refusal names
it and no game is made.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine import registry
from engine.api import AnyRuleset, OptionSpec, OptionValue
from engine.sentences import Sentence, joined, one_of, sentence
from pbem.domain.terms import timing
from pbem.domain.terms.occupants import BOT_LEVELS
from pbem.domain.words.game_forms import (
    ADDRESS,
    ANONYMOUS,
    BOT,
    COUNTED,
    FALSE,
    FREE_SEATS,
    LOT,
    ME,
    ONLY_NUMBERS,
    OPEN,
    OPEN_END,
    PER_MOVE,
    PLAYERS,
    PLURALS,
    POLITE,
    QUOTES,
    SEPARATOR,
    SWITCHED_OFF,
    TIME,
    TRUE,
    VALUE,
    WEEKENDS,
    counted,
    in_english,
    leaves_out,
    level_of,
    pattern,
    spelt,
    weekends_off,
)
from pbem.errors import Refusal
from pbem.games import EXAMPLE_ORDER
from pbem.games.face import faces

LONGEST = 4000
"""Characters of an order that are read."""
MOST_GUESTS = 60
"""Most people that are read; no game has that many seats."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A person or a bot that is wanted at the table.

    Attributes:
        name: as it was written; empty if only an address was.
        address: as it was written; empty for a name, a bot, or the writer.
        level: level of a bot; empty for a person.
        is_writer: the writer, in this place among the others.
    """

    name: str = ""
    address: str = field(default="", repr=False)
    level: str = ""
    is_writer: bool = False


@dataclass(slots=True)
class GameOrder:
    """A game as its writer wants it.

    Attributes:
        clock: as `pbem.domain.terms.timing.with_words` reads it.
        players: how many in all; None = the named people and the writer.
        open_seats: free seats in addition to those that `players` leaves.
        by_lot: the order of the seats is drawn by lot.
        anonymous_talk: players can talk anonymously.
    """

    ruleset: str
    guests: list[Guest] = field(default_factory=list)
    options: dict[str, OptionValue] = field(default_factory=dict)
    clock: dict[str, str] = field(default_factory=dict)
    players: int | None = None
    open_seats: int = 0
    is_open: bool = False
    by_lot: bool = False
    anonymous_talk: bool = False


HOW = sentence("Write the game and who shall play, for example: {example}", example=EXAMPLE_ORDER)


def reads_as_game_order(text: str) -> bool:
    """True if the text after `new` is about a game: it names one, nearly, or people."""
    name, _ = _ruleset_at(text)
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return name is not None or bool(_near_ruleset(first)) or "@" in text


def read_game_order(text: str) -> GameOrder:
    """Read the text after `new`. Raises: Refusal that names what was not understood."""
    name, rest = _ruleset_at(text[:LONGEST])
    if name is None:
        raise _unknown_ruleset(text)
    wanted = GameOrder(name)
    reader = _GameParser(wanted, registry.find(name))
    for segment in _segments(rest):
        reader.read(segment)
        if len(wanted.guests) > MOST_GUESTS:
            raise Refusal("setup", sentence("So many people fit at no table; nobody was invited."))
    return wanted


def read_guests(ruleset: str, text: str) -> list[Guest]:
    """Read only people, as in `invite Carol <carol@example.org>`. Raises: Refusal."""
    wanted = GameOrder(ruleset)
    reader = _GameParser(wanted, registry.find(ruleset))
    for segment in _segments(text):
        reader.read(segment)
    if not wanted.guests or wanted.options or wanted.clock or wanted.open_seats or wanted.players:
        raise Refusal("setup", not_understood(text, registry.find(ruleset)))
    return wanted.guests


# --- which game -----------------------------------------------------------------------------------

_LEAD = re.compile(r"(?:(?:a|the|game|round|of)\s+)*", re.IGNORECASE)
_MOST_WORDS = 5


def _ruleset_at(text: str) -> tuple[str | None, str]:
    """Return the game that a text begins with, and the rest."""
    text = text[_match_end(_LEAD, text) :]
    words = list(re.finditer(r"\S+", text))[:_MOST_WORDS]
    known = {
        alias: name
        for name, face in faces().items()
        for alias in (_letters(name), *face.aliases.get(name, ()))
    }
    for last in reversed(words):
        name = known.get(_letters(text[: last.end()]))
        if name is not None:
            return name, text[last.end() :]
    return None, text


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _near_ruleset(word: str) -> list[str]:
    return difflib.get_close_matches(_letters(word)[:40], registry.names(), 2, 0.7)


def _unknown_ruleset(text: str) -> Refusal:
    first = text.split(maxsplit=1)[0][:40] if text.split() else ""
    near = _near_ruleset(first)
    games = ", ".join(registry.names())
    message = (
        sentence(
            "There is no game called {name}. The games: {games}.", name=f'"{first}"', games=games
        )
        if first
        else HOW
    )
    return Refusal("setup", message, suggestions=tuple(f"new {name} with …" for name in near))


# --- the parts ------------------------------------------------------------------------------------


def _segments(text: str) -> Iterator[str]:
    """Yield the parts of an order; a line that a mail program broke is joined again."""
    joined = ""
    for line in text.splitlines():
        part = line.strip()
        is_broken = part.startswith("<") or (joined and OPEN_END.search(joined))
        joined = f"{joined}{' ' if is_broken or not joined else chr(10)}{part}"
    for part in SEPARATOR.split(joined):
        stripped = part.strip(" \t.!:")
        if stripped:
            yield stripped


class _GameParser:
    """Reads the parts into an order, one by one."""

    def __init__(self, wanted: GameOrder, rules: AnyRuleset) -> None:
        self.wanted = wanted
        self.rules = rules
        self.specs = {spec.name: spec for spec in rules.options}
        self._last: str | None = None  # the option that a list of numbers continues
        flags = {name for name, spec in self.specs.items() if isinstance(spec.default, bool)}
        named = [
            pattern(
                rf"(?P<option>{spelt(name)})\s*[:=]?\s*{VALUE}" + ("?" if name in flags else "")
            )
            for name in sorted(self.specs, key=len, reverse=True)
        ]
        clocks = [
            pattern(rf"(?P<clock>{spelt(name)})\s*[:=]?\s*{VALUE}")
            for name in timing.NAMES
            if name != "weekends_off"
        ]
        ics = pattern(r"(?P<clock>ics)")
        self.forms = [
            BOT, FREE_SEATS, OPEN, PLAYERS, LOT, PER_MOVE, TIME, WEEKENDS, PLURALS, ANONYMOUS, POLITE,
            *named, *clocks, ics,
        ]  # fmt: skip

    def read(self, segment: str) -> None:
        """Read one part. Raises: Refusal."""
        rest = segment
        while rest:
            if self._last is not None and ONLY_NUMBERS.fullmatch(rest):
                self._goes_on(rest)
                return
            found = next((m for form in self.forms if (m := form.match(rest))), None)
            if found is None:
                rest = self._person(rest)
                continue
            self._take(found)
            rest = rest[found.end() :].strip(" \t.!,:")

    def _person(self, text: str) -> str:
        """Read a person, up to the next part of another kind; return the rest."""
        starts = (at.end() for at in re.finditer(r"\s+", text))
        begins = next(
            (at for at in starts if any(form.match(text, at) for form in self.forms)), None
        )
        self._people(text[:begins].strip())
        return "" if begins is None else text[begins:]

    def _people(self, text: str) -> None:
        before = 0
        for found in ADDRESS.finditer(text):
            name = text[before : found.start()].strip(f" \t<>():=-{QUOTES}")
            if leaves_out(name):
                raise Refusal("setup", not_understood(f"{name} {found[1]}", self.rules))
            self.wanted.guests.append(Guest("" if "@" in name else name, found[1].rstrip(".")))
            before = found.end()
        rest = text[before:].strip(f" \t<>.:!{QUOTES}")
        if before and rest.startswith("(") and rest.endswith(")"):
            last = self.wanted.guests.pop()
            self.wanted.guests.append(Guest(rest.strip("() "), last.address))
        elif rest != ")":
            self._named(rest.removeprefix("players").strip(" :"))

    def _named(self, text: str) -> None:
        if not text:
            return
        if re.search(r"[=\d]", text) or len(text.split()) > _MOST_WORDS:
            raise self._unclear(text)
        is_writer = text.lower() in ME
        self.wanted.guests.append(Guest("", is_writer=True) if is_writer else Guest(text))

    def _take(self, found: re.Match[str]) -> None:
        wanted, given = self.wanted, found.groupdict()
        self._last = None
        match found.re:
            case form if form is BOT:
                level = level_of(given["before"] or given["after"] or BOT_LEVELS[0])
                wanted.guests += [Guest(level=level)] * min(
                    counted(given["count"]), MOST_GUESTS + 1
                )
            case form if form is FREE_SEATS:
                wanted.is_open = True
                wanted.open_seats += counted(given["count"])
            case form if form in (OPEN, PLAYERS):
                wanted.is_open = wanted.is_open or form is OPEN
                wanted.players = int(given["count"]) if given["count"] else wanted.players
            case form if form is LOT:
                wanted.by_lot = "listed" not in given["lot"] and "this" not in given["lot"]
            case form if form in (PER_MOVE, TIME):
                wanted.clock["time_per_move"] = in_english(given["time"])
            case form if form is WEEKENDS:
                said = weekends_off(found)
                if said is None:
                    raise self._unclear(found[0])
                wanted.clock["weekends_off"] = said
            case form if form is ANONYMOUS:
                said = (given["anonymous"] or "on").lower()
                wanted.anonymous_talk = not given["no"] and said not in SWITCHED_OFF
            case form if form is POLITE:
                pass
            case form if form is PLURALS:
                self._count_of(given["what"].lower().rstrip("s"), given["count"], found[0])
            case _:
                self._named_value(given)

    def _named_value(self, given: dict[str, str | None]) -> None:
        if given.get("clock"):
            name = _key(given["clock"] or "")
            self.wanted.clock[name] = given.get("value") or "yes"
            return
        name = _key(given["option"] or "")
        name = next(spec for spec in self.specs if _letters(spec) == _letters(name))
        self.wanted.options[name] = self._value(self.specs[name], given["value"] or "")
        if isinstance(self.wanted.options[name], list):
            self._last = name

    def _count_of(self, what: str, count: str, text: str) -> None:
        name = COUNTED[what]
        if name not in self.specs:
            raise self._unclear(text)
        self.wanted.options[name] = int(count)

    def _goes_on(self, text: str) -> None:
        """Add further numbers to a list: `phases 1, 3, 5`."""
        before = self.wanted.options[self._last or ""]
        more = [int(number) for number in re.findall(r"\d+", text)]
        self.wanted.options[self._last or ""] = [
            *(before if isinstance(before, list) else []),
            *more,
        ]

    def _value(self, spec: OptionSpec, text: str) -> OptionValue:
        plain = text.strip().lower()
        if isinstance(spec.default, bool):
            if plain not in (*TRUE, *FALSE):
                raise Refusal(
                    "setup",
                    sentence(
                        "{option} is on or off, not {value}.", option=spec.name, value=f'"{text}"'
                    ),
                )
            return plain in TRUE
        if isinstance(spec.default, list):
            ends = re.fullmatch(r"(\d+)\s*(?:-|–|to)\s*(\d+)", plain)
            if ends is not None:
                return list(range(int(ends[1]), min(int(ends[2]), 99) + 1))
            return [int(number) for number in re.findall(r"\d+", plain)[:99]]
        return int(plain[:9]) if plain.isdigit() else plain.replace(" ", "_").replace("-", "_")

    def _unclear(self, text: str) -> Refusal:
        """Return a refusal of an unknown option, with all options and the nearest ones."""
        names = [*self.specs, *timing.NAMES]
        words = [*re.findall(r"[^\W\d_][\w-]*", text.lower()), _key(re.sub(r"[\d=:]+.*", "", text))]
        near = [
            name for word in words for name in difflib.get_close_matches(_key(word), names, 2, 0.6)
        ]
        if not near:
            return Refusal("setup", not_understood(text, self.rules))
        return Refusal(
            "setup",
            joined(
                [
                    sentence("Did you mean {names}?", names=one_of(tuple(dict.fromkeys(near))[:3])),
                    not_understood(text, self.rules),
                ]
            ),
        )


def not_understood(text: str, rules: AnyRuleset) -> Sentence:
    """Return a sentence that a part of an order is not understood, with all options."""
    return sentence(
        "I do not understand {text}: it is no mail address, nobody with whom you have played, and no"
        " option. Options of {game}: {options}. Of the clock: {clock}.",
        text=f'"{text[:60]}"',
        game=rules.title,
        options=", ".join(spec.name for spec in rules.options),
        clock=", ".join(timing.NAMES),
    )


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())
