"""Layout of the rules texts for players, which messages show as plain text.

The format is fixed, so that others can convert it (to HTML, for example):

- the first line is the title, in capitals. The paragraphs after it are wrapped at 72 columns.
- a chapter begins with a line such as `3. Your turn`.
- points begin with `- `, or with `* ` if an option differs from the default. Their continuation
  lines begin with two blanks.
- lines of a picture begin with four blanks and are never joined. Cards are in brackets: `[7♠]`,
  `[7]` where the suit does not matter, `[?]` face down, `[R7]`, `[W]` and `[S]` in Phase 10.

No text needs vertical alignment, so it works with proportional fonts. Messages are quoted in
replies, so no line may be parseable as an order. Examples of orders are inside sentences.

Every heading, paragraph, point and line of a picture is a separate sentence. `say` translates it,
and `fill` marks its values.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.api import AnyRuleset, OptionSpec, OptionValue
from engine.errors import SetupError
from engine.sentences import Sentence, filled

WIDTH = 72

PICTURE = "    "
POINTS = ("- ", "* ")

_QUOTED = re.compile(r'\S*"[^"]*"\S*')
_GLUE = "\u00a0"
_LONGEST_PIECE = 40
_LIST_NUMBER = re.compile(r"[0-9]")


Say: TypeAlias = Callable[[str], str]
"""A function that translates a sentence into the reader's language."""

_OPEN, _IS, _CLOSE, _PLAIN = "\ue000", "\ue001", "\ue002", "\ue003"


class Plain(str):
    """A value that is not translated, such as a name or an option value."""

    __slots__ = ()


def fill(template: str, **values: object) -> str:
    """Fill in a template. Values stay marked, so that `layout` can find them.

    A value that fills a whole line is template source as well and may contain several blocks.
    """
    marked = {
        name: f"{_OPEN}{name}{_IS}{'' if type(value) is str else _PLAIN}{value}{_CLOSE}"
        for name, value in values.items()
    }
    return template.format(**marked)


def _span_end(text: str, start: int) -> int:
    """Return the end of the value that starts at `start`. Values may be nested."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == _OPEN) - (text[index] == _CLOSE)
        if depth == 0:
            return index + 1
    raise ValueError("a value has no end")


def _unwrapped(source: str) -> str:
    """Remove the marks around values on separate lines. Empty values leave no line."""
    parts, index = [], 0
    while (start := source.find(_OPEN, index)) >= 0:
        end = _span_end(source, start)
        parts.append(source[index:start])
        begins = start == 0 or source[start - 1] == "\n"
        if begins and source[end : end + 1] in ("", "\n"):
            inner = _unwrapped(source[source.index(_IS, start) + 1 : end - 1])
            parts.append(inner)
            end += not inner
        else:
            parts.append(source[start:end])
        index = end
    return "".join([*parts, source[index:]])


def _sentence(marked: str) -> Sentence:
    """Return the sentence for a piece of source. Its values become sentences as well."""
    values: dict[str, str] = {}
    parts, index = [], 0
    while (start := marked.find(_OPEN, index)) >= 0:
        end = _span_end(marked, start)
        middle = marked.index(_IS, start)
        name, inner = marked[start + 1 : middle], marked[middle + 1 : end - 1]
        is_plain = inner.startswith(_PLAIN)
        value = inner.removeprefix(_PLAIN) if is_plain else _sentence(inner)
        parts += [marked[index:start], f"{{{name}}}"]
        if values.setdefault(name, value) != value:
            raise ValueError(f"two values are called {name}")
        index = end
    return filled(re.sub(r"\s+", " ", "".join([*parts, marked[index:]])), values)


def layout(source: str, say: Say = str) -> str:
    """Lay out a text: number chapters, wrap paragraphs and points, keep pictures.

    Args:
        say: translates each piece to the reader's language.
        source: blocks separated by empty lines, the first one being the title. A block is a heading
            after `## `, a list whose items begin with `- ` or `* `, a picture with four spaces at
            the beginning of each line, or otherwise a paragraph.
    """
    plain = _unwrapped(source).strip("\n")
    title, *blocks = (block for block in re.split(r"\n\s*\n", plain) if block.strip())
    parts, chapters = [_translated(title, say).upper()], 0
    for block in blocks:
        if block.startswith("## "):
            chapters += 1
            parts.append(f"{chapters}. {_translated(block.removeprefix('## '), say)}")
        elif block.startswith(PICTURE):
            parts += ["\n".join(f"{PICTURE}{_translated(line, say)}" for line in block.split("\n"))]
        elif block.startswith(POINTS):
            items = re.split(r"\n(?=[-*] )", block)
            parts.append(
                "\n".join(_fill(_translated(item[2:], say), item[:2], "  ") for item in items)
            )
        else:
            parts.append(_fill(_translated(block, say), "", ""))
    return "\n\n".join(parts) + "\n"


def _translated(piece: str, say: Say) -> str:
    return say(_sentence(piece.strip()))


def _fill(text: str, first: str, rest: str) -> str:
    """Wrap lines at `WIDTH` columns without breaking quotations."""
    glued = _QUOTED.sub(
        lambda found: found[0].replace(" ", _GLUE) if len(found[0]) < _LONGEST_PIECE else found[0],
        " ".join(text.split()),
    )
    lines = textwrap.wrap(
        " ".join(_words(glued)),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(_GLUE, " ")


def _words(text: str) -> list[str]:
    """Split at spaces, but keep numbers and quoted orders together with the previous word."""
    words: list[str] = []
    for word in text.split(" "):
        stays = _LIST_NUMBER.match(word) or word.startswith('"')
        if words and stays and len(words[-1]) + len(word) < _LONGEST_PIECE:
            words[-1] += _GLUE + word
        else:
            words.append(word)
    return words


# --- the options of a game ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Terms:
    """The table that a rules text is written for.

    Attributes:
        players: number of seats, or None for a text about any table.
        options: complete options. `dealer` is omitted unless it was given.
        specs: options of the game, in documented order.
    """

    players: int | None
    options: Mapping[str, OptionValue]
    specs: tuple[OptionSpec, ...]

    def number(self, name: str) -> int:
        """Return the value of an integer option."""
        value = self.options[name]
        assert isinstance(value, int)  # noqa: S101  (checked by `check_options`)
        return value


def terms(
    ruleset: AnyRuleset, players: int | None, given: Mapping[str, OptionValue] | None
) -> Terms:
    """Complete the options of a table. Raises: SetupError if they are invalid.

    Args:
        ruleset: the ruleset of the options.
        players: None for any table: the options must then be valid for some number of seats.
        given: given options. The others have their defaults.
    """
    wanted = dict(given or {})
    refused: SetupError | None = None
    for number in ruleset.players if players is None else (players,):
        try:
            options = ruleset.check_options(number, wanted)
        except SetupError as error:
            refused = refused or error
            continue
        if players is None and "dealer" not in wanted:
            options.pop("dealer", None)
        return Terms(players, options, ruleset.options)
    assert refused is not None  # noqa: S101  (every game has some number of seats)
    raise refused


Words: TypeAlias = Mapping[str, str | Mapping[str, str] | Callable[[Terms], str]]
"""Description of each option: a sentence, one per value, or a function of the table."""


def option_points(
    its: Terms,
    words: Words,
    usual: Mapping[str, OptionValue | None] | None = None,
    hidden: Container[str] = (),
) -> str:
    """Return the source of a list of all options with value and meaning.

    A star marks a non-default value.

    Args:
        its: the effective values.
        words: meaning of each value. An option without words is not listed.
        usual: defaults that depend on other options.
        hidden: options without effect at this table.
    """
    defaults = {spec.name: spec.default for spec in its.specs if spec.name not in hidden}
    if its.players is not None:
        defaults["dealer"] = its.players - 1
    defaults |= usual or {}
    meanings: Words = {"dealer": dealer_words, "auto_forced": _FORCED, **words}
    items: list[str] = []
    for name, default in defaults.items():
        value, meaning = its.options.get(name, default), meanings.get(name, "")
        if isinstance(meaning, Mapping):
            meaning = meaning[shown(value)]
        elif not isinstance(meaning, str):
            meaning = meaning(its)
        if not meaning:
            continue
        is_usual = value == default
        option = Plain(name if value is None else f"{name}={shown(value)}")
        template = "{option} (usually {usual}): {meaning}"
        if is_usual or default is None:
            template = "{option}: {meaning}"
        point = fill(template, option=option, usual=Plain(shown(default)), meaning=meaning)
        items.append(f"{'- ' if is_usual else '* '}{point}")
    return "\n".join(items)


def dealer_words(its: Terms) -> str:
    """Describe the first dealer."""
    seat = its.options.get("dealer")
    last = its.players is not None and seat == its.players - 1
    if seat is None or last:
        return "the last player in the list of players deals first. (GEN-14)"
    return fill(
        "seat {seat}, counted from 0 in the list of players, deals first. (GEN-14)", seat=seat
    )


def plies_words(its: Terms, then: str, *, is_deal: bool = False) -> str:
    """Describe the maximum length of a game or deal. `then` describes what decides the game."""
    limit = its.number("max_plies")
    if limit == 0:
        return (
            "a deal may go on without end. (GEN-8)"
            if is_deal
            else "a game may go on without end. (GEN-8)"
        )
    return fill(
        "a deal that is not over after {limit} plies (single moves, all players together) is"
        " stopped. {then} (GEN-8)"
        if is_deal
        else "a game that is not over after {limit} plies (single moves, all players together) is"
        " stopped. {then} (GEN-8)",
        limit=limit,
        then=then,
    )


_FORCED = {
    "public": (
        "where everybody can see that a player has only one move, the service plays it at once"
        " and says so. (GEN-11)"
    ),
    "all": (
        "where a player has only one move, the service plays it at once, even if only that"
        " player's hand shows it. The others learn from this that nothing else was possible."
        " (GEN-11)"
    ),
    "off": "every move waits for its player, even if it is the only one. (GEN-11)",
}


def shown(value: OptionValue | None) -> str:
    """Format an option value as in an order: `3`, `true`, `zones`, `[2,4,6]`."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return "[" + ",".join(map(str, value)) + "]"
        case _:
            return str(value)


def chips(count: int) -> str:
    """Format a number of chips, e.g. `1 chip`, `3 chips`."""
    return fill("{count} chip" if count == 1 else "{count} chips", count=count)


# --- common to all games --------------------------------------------------------------------------


def by_mail(alternatives: str) -> str:
    """Return the source of the points about orders, including the game's `alternatives`."""
    return fill(
        """\
- Several moves go on several lines, and count from top to bottom. If one is refused, those before it
stand and those after it are not carried out. (GEN-10)
- Moves joined with "or", as in "{alternatives}", are tried in turn: the first that is allowed is
carried out.
- The moves that a mail lists have numbers from 21 up. The number alone will do, but only in the
answer to that very mail.
- To leave the game for good, send a mail with nothing but the words "resign confirm". If a mail then
asks whether you mean it, answer that with "yes".""",
        alternatives=alternatives,
    )


OPTIONS_LEAD = "These hold in this game. A star in front marks what is not as usual."

SILENCE = """\
When everybody has been silent for two turns, so that only safe moves were made, the game is
stopped and ranked as it stands. (GEN-7)"""

OPENED = "When the whole game is over, everything is turned up. (GEN-15)"

PLACES = "Equal results share a place: first, second, second, fourth. (GEN-17)"

COMMON: Mapping[str, str] = {
    "options_lead": OPTIONS_LEAD, "opened": OPENED, "silence": SILENCE, "places": PLACES,
}  # fmt: skip
"""Parts of the texts that most games share."""
