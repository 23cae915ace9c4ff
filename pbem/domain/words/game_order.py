"""Parse an order for a new game: `new phalanx with bob@example.org, 2 bots`.

The form is flexible, but nothing is guessed: if a part is not understood, the refusal names it and
no game is created.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from engine import registry
from engine.api import AnyRuleset, OptionSpec, OptionValue
from engine.errors import SetupError
from engine.rulebook import shown
from engine.sentences import Sentence, joined, one_of, plural, sentence
from pbem.domain.terms import timing
from pbem.domain.terms.seats import BOT_LEVELS
from pbem.domain.words.game_forms import (
    ADDRESS,
    ANONYMOUS,
    BOT,
    COUNTED,
    EVENING,
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
    named_bot,
    pattern,
    spelt,
    weekends_off,
)
from pbem.errors import Refusal
from pbem.games import EXAMPLE_ORDER
from pbem.games.profile import all_profiles

LONGEST = 4000
"""Characters of an order that are read."""
MAX_GUESTS = 60
"""Most people that are read; no game has that many seats."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A person or a bot that an order names as a player.

    Attributes:
        name: name as written, or empty if only an address was written.
        address: address as written, or empty for a person without one, a bot, or the writer.
        level: level of a bot, or empty for a person.
        is_writer: True if this is the writer of the order.
    """

    name: str = ""
    address: str = field(default="", repr=False)
    level: str = ""
    is_writer: bool = False


@dataclass(slots=True)
class GameOrder:
    """The game that an order describes.

    Attributes:
        clock: clock settings, as `pbem.domain.terms.timing.with_words` parses them.
        evening: end of a fast evening as a time of day, or empty for the usual time. None if the
            game is not played in a fast evening.
        players: total number of players. None means the named people and the writer.
        open_seats: number of open seats in addition to those that `players` implies.
        by_lot: True if the order of the seats is drawn by lot.
        anonymous_talk: True if players can talk anonymously.
    """

    ruleset: str
    guests: list[Guest] = field(default_factory=list)
    options: dict[str, OptionValue] = field(default_factory=dict)
    clock: dict[str, str] = field(default_factory=dict)
    evening: str | None = None
    players: int | None = None
    open_seats: int = 0
    is_open: bool = False
    by_lot: bool = False
    anonymous_talk: bool = False


HOW = sentence("Write the game and who shall play, for example: {example}", example=EXAMPLE_ORDER)


def reads_as_game_order(text: str) -> bool:
    """True if the text after `new` contains the name of a game, perhaps mistyped, or an address."""
    name, _ = _ruleset_at(text)
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return name is not None or bool(_near_ruleset(first)) or "@" in text


def ruleset_named(text: str) -> str | None:
    """Return the ruleset if a text is only the name of a game, or None."""
    name, rest = _ruleset_at(text)
    return None if rest.strip(" .!?") else name


def read_game_order(text: str, bots: Collection[str] = ()) -> GameOrder:
    """Parse the text after `new`. Raises: Refusal that names the part that was not understood.

    Args:
        text: the text as written.
        bots: names of the external bots of this server.
    """
    name, rest = _ruleset_at(text[:LONGEST])
    if name is None:
        raise _unknown_ruleset(text)
    wanted = GameOrder(name)
    reader = _GameParser(wanted, registry.find(name), bots)
    for segment in _segments(rest):
        reader.read(segment)
        if len(wanted.guests) > MAX_GUESTS:
            raise Refusal("setup", sentence("So many people fit at no table; nobody was invited."))
    return wanted


def read_guests(ruleset: str, text: str) -> list[Guest]:
    """Parse a list of people, as in `invite Carol <carol@example.org>`. Raises: Refusal."""
    wanted = GameOrder(ruleset)
    reader = _GameParser(wanted, registry.find(ruleset))
    for segment in _segments(text):
        reader.read(segment)
    if not wanted.guests or wanted.options or wanted.clock or wanted.open_seats or wanted.players:
        raise Refusal("setup", not_understood(text, registry.find(ruleset)))
    return wanted.guests


# --- which game -----------------------------------------------------------------------------------

_LEAD = re.compile(r"(?:(?:a|the|game|round|of)\s+)*", re.IGNORECASE)
_WITH = re.compile(r"with\s+", re.IGNORECASE)
_MAX_WORDS = 5


def _ruleset_at(text: str) -> tuple[str | None, str]:
    """Return the ruleset with whose name a text begins, or None, and the rest of the text."""
    text = text[_match_end(_LEAD, text) :]
    words = list(re.finditer(r"\S+", text))[:_MAX_WORDS]
    known = {
        alias: name
        for name, profile in all_profiles().items()
        for alias in (_letters(name), *profile.aliases.get(name, ()))
    }
    for last in reversed(words):
        name = known.get(_letters(text[: last.end()]))
        if name is not None:
            return name, text[last.end() :]
    return None, text


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _near_ruleset(word: str) -> list[str]:
    return difflib.get_close_matches(_letters(word)[:40], registry.names(), 2, 0.7)


def _unknown_ruleset(text: str) -> Refusal:
    words = text[_match_end(_LEAD, text) :].split(maxsplit=1)
    if not words:
        return Refusal("setup", HOW)
    near = _near_ruleset(words[0])
    rest = words[1] if len(words) > 1 else ""
    unknown = sentence(
        "There's no game called {name}. You can play {games}.",
        name=f'"{words[0][:40]}"',
        games=", ".join(registry.names()),
    )
    message = joined(
        [unknown, sentence("Did you mean {names}?", names=one_of(near))] if near else [unknown]
    )
    return Refusal("setup", message, suggestions=tuple(_order_for(name, rest) for name in near))


def _order_for(ruleset: str, rest: str) -> Sentence:
    """Return the order for a game, with the rest of the text that followed its name."""
    people = _WITH.sub("", rest)
    if not rest:
        return sentence("new {ruleset} with bot", ruleset=ruleset)
    if people != rest:
        return sentence("new {ruleset} with {people}", ruleset=ruleset, people=people)
    return sentence("new {ruleset} {wishes}", ruleset=ruleset, wishes=rest)


# --- the parts ------------------------------------------------------------------------------------


def _segments(text: str) -> Iterator[str]:
    """Yield the parts of an order. Lines that a mail program wrapped are joined."""
    joined = ""
    for line in text.splitlines():
        segment = line.strip()
        is_broken = segment.startswith("<") or (joined and OPEN_END.search(joined))
        joined = f"{joined}{' ' if is_broken or not joined else chr(10)}{segment}"
    for segment in SEPARATOR.split(joined):
        stripped = segment.strip(" \t.!:")
        if stripped:
            yield stripped


class _GameParser:
    """Parses the parts of an order for a game, one after another."""

    def __init__(self, wanted: GameOrder, rules: AnyRuleset, bots: Collection[str] = ()) -> None:
        self.wanted = wanted
        self.rules = rules
        self.specs = {spec.name: spec for spec in rules.options}
        self._last: str | None = None  # the option that a list of numbers continues
        flags = {name for name, spec in self.specs.items() if isinstance(spec.default, bool)}
        named = [
            pattern(
                rf"(?P<option>{spelt(name)})(?![^\W\d])\s*[:=]?\s*{VALUE}"
                + ("?" if name in flags else "")
            )
            for name in sorted(self.specs, key=len, reverse=True)
        ]
        clocks = [
            pattern(rf"(?P<clock>{spelt(name)})\s*[:=]?\s*{VALUE}")
            for name in timing.NAMES
            if name != "weekends_off"
        ]
        ics = pattern(r"(?P<clock>ics)")
        self.bots = [BOT] if not bots else [named_bot(bots), BOT]
        self.forms = [
            *self.bots, FREE_SEATS, OPEN, PLAYERS, LOT, EVENING, PER_MOVE, TIME, WEEKENDS, PLURALS,
            ANONYMOUS, POLITE,
            *named, *clocks, ics,
        ]  # fmt: skip

    def read(self, segment: str) -> None:
        """Parse one part and add it to the order. Raises: Refusal."""
        rest = segment
        while rest:
            if self._last is not None and ONLY_NUMBERS.fullmatch(rest):
                self._goes_on(rest)
                return
            match = next((m for form in self.forms if (m := form.match(rest))), None)
            if match is None:
                rest = self._person(rest)
                continue
            self._take(match)
            rest = rest[match.end() :].strip(" \t.!,:")

    def _person(self, text: str) -> str:
        """Parse a person at the start of a text, and return the rest of the text."""
        starts = (space.end() for space in re.finditer(r"\s+", text))
        begins = next(
            (space for space in starts if any(form.match(text, space) for form in self.forms)), None
        )
        self._people(text[:begins].strip())
        return "" if begins is None else text[begins:]

    def _people(self, text: str) -> None:
        before = 0
        for match in ADDRESS.finditer(text):
            name = text[before : match.start()].strip(f" \t<>():=-{QUOTES}")
            if leaves_out(name):
                raise Refusal(
                    "setup", not_understood(f"{name} {match[1]}", self.rules, read=self.wanted)
                )
            self.wanted.guests.append(Guest("" if "@" in name else name, match[1].rstrip(".")))
            before = match.end()
        rest = text[before:].strip(f" \t<>.:!{QUOTES}")
        if before and rest.startswith("(") and rest.endswith(")"):
            last = self.wanted.guests.pop()
            self.wanted.guests.append(Guest(rest.strip("() "), last.address))
        elif rest != ")":
            self._named(rest.removeprefix("players").strip(" :"))

    def _named(self, text: str) -> None:
        if not text:
            return
        if re.search(r"[=\d]", text) or len(text.split()) > _MAX_WORDS:
            raise self._unclear(text)
        is_writer = text.lower() in ME
        self.wanted.guests.append(Guest("", is_writer=True) if is_writer else Guest(text))

    def _take(self, match: re.Match[str]) -> None:
        wanted, given = self.wanted, match.groupdict()
        self._last = None
        match match.re:
            case form if form in self.bots:
                level = level_of(given["before"] or given["after"] or BOT_LEVELS[0])
                wanted.guests += [Guest(level=level)] * min(counted(given["count"]), MAX_GUESTS + 1)
            case form if form is FREE_SEATS:
                wanted.is_open = True
                wanted.open_seats += counted(given["count"])
            case form if form in (OPEN, PLAYERS):
                wanted.is_open = wanted.is_open or form is OPEN
                wanted.players = int(given["count"]) if given["count"] else wanted.players
            case form if form is LOT:
                wanted.by_lot = "listed" not in given["lot"] and "this" not in given["lot"]
            case form if form is EVENING:
                wanted.evening = given["until"] or ""
            case form if form in (PER_MOVE, TIME):
                wanted.clock["time_per_move"] = in_english(given["time"])
            case form if form is WEEKENDS:
                weekends = weekends_off(match)
                if weekends is None:
                    raise self._unclear(match[0])
                wanted.clock["weekends_off"] = weekends
            case form if form is ANONYMOUS:
                weekends = (given["anonymous"] or "on").lower()
                wanted.anonymous_talk = not given["no"] and weekends not in SWITCHED_OFF
            case form if form is POLITE:
                pass
            case form if form is PLURALS:
                self._count_of(given["what"].lower().rstrip("s"), given["count"], match[0])
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
        """Add the further numbers of a list such as `phases 1, 3, 5`."""
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
            if not re.search(r"\d", plain) and plain.strip("[] "):
                raise self._unclear(f"{spec.name} {text}")
            return [int(number) for number in re.findall(r"\d+", plain)[:99]]
        return int(plain[:9]) if plain.isdigit() else plain.replace(" ", "_").replace("-", "_")

    def _unclear(self, text: str) -> Refusal:
        return Refusal("setup", not_understood(text, self.rules, read=self.wanted))


def not_understood(
    text: str, rules: AnyRuleset, *, read: GameOrder | None = None, friends: Sequence[str] = ()
) -> Sentence:
    """Explain that a part of an order was not understood, and what to write instead.

    Args:
        text: the part.
        rules: rules of the game.
        read: the parts before it, which were understood.
        friends: names that could have been meant.
    """
    specs = {spec.name: spec for spec in rules.options}
    near = _nearest(text, [*specs, *timing.NAMES, *friends])
    option = next((specs[name] for name in near if name in specs), None)
    parts = [sentence("I do not understand {text}.", text=f'"{text[:60]}"')]
    if near:
        parts.append(sentence("Did you mean {names}?", names=one_of(near)))
    else:
        parts.append(
            sentence(
                "That isn't an option of {game}, an e-mail address, or anybody you have played with.",
                game=rules.title,
            )
        )
    if option is not None and not isinstance(option.default, bool):
        parts.append(
            sentence("{option} can be: {allowed}.", option=option.name, allowed=option.allowed)
        )
    if read is not None and (understood := _understood(read)):
        parts.append(sentence("Before that I read: {read}.", read=joined(understood, ", ")))
    parts.append(sentence("Write for example: {order}.", order=_example(text, rules, near)))
    parts.append(sentence('"rules {ruleset}" explains all options.', ruleset=rules.id.name))
    return joined(parts)


def _nearest(text: str, names: Sequence[str]) -> list[str]:
    """Return up to three names that are similar to words of a text, the most similar first."""
    words = [_key(re.sub(r"[\d=:]+.*", "", text)), *re.findall(r"[^\W\d_][\w-]*", text.lower())]
    keys = {_key(name): name for name in names}
    near = [
        keys[key]
        for word in words
        for key in difflib.get_close_matches(_key(word)[:60], keys, 2, 0.6)
    ]
    return list(dict.fromkeys(near))[:3]


def _understood(read: GameOrder) -> list[str]:
    people = [guest.name or guest.address for guest in read.guests if not guest.level]
    bots = sum(bool(guest.level) for guest in read.guests)
    return [
        *(name for name in people if name),
        *([plural("{count} bot", "{count} bots", bots)] if bots else []),
        *(f"{name}={shown(value)}" for name, value in read.options.items()),
        *(f"{name}={value}" for name, value in read.clock.items()),
    ]


_USUAL_WISHES = (("phases_to_win", "5"), ("max_battles", "5"), ("deals", "3"))
"""Popular options with a value. The first of them that a game has is its example."""


def _example(text: str, rules: AnyRuleset, near: Sequence[str]) -> Sentence:
    """Return a valid example order, with the option that was probably meant."""
    specs = {spec.name: spec for spec in rules.options}
    if near and near[0] in timing.NAMES:
        wish = ("time_per_move", "2d")
    else:
        option = next((specs[name] for name in near if name in specs), None)
        wish = next(
            (wish for wish in _USUAL_WISHES if wish[0] in specs),
            ("auto_forced", "off"),
        )
        wish = wish if option is None else (option.name, _value_like(text, option, rules))
    return sentence(
        "new {ruleset} with bob@example.org, {option} {value}",
        ruleset=rules.id.name,
        option=wish[0],
        value=wish[1],
    )


def _value_like(text: str, option: OptionSpec, rules: AnyRuleset) -> str:
    """Return a valid value of an option, which is the number in the text if possible."""
    if isinstance(option.default, bool):
        return "on"
    if isinstance(option.default, list):
        return "1 3 5"
    candidates: list[str] = re.findall(r"\d{1,7}", text)
    if isinstance(option.default, str):
        candidates = option.allowed.split(", ")[::-1]
    for value in (*candidates, "3", "0"):
        given = value if isinstance(option.default, str) else int(value)
        try:
            rules.check_options(rules.players[0], {option.name: given})
        except SetupError:
            continue
        return value
    return str(option.default)


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())
