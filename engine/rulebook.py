"""How the rules texts for players are laid out: plain text that a mail shows as it stands.

The form is fixed, so that others can set it anew (in HTML, say):

- the first line is the title, in capitals; after it paragraphs, each filled to 72 columns;
- a chapter begins with a line such as `3. Your turn`;
- points begin with `- `, or with `* ` where an option is not as usual; their lines go on after two
  blanks;
- a picture is lines after four blanks, each of which stays a line. Cards stand in brackets: `[7♠]`,
  `[7]` where the suit does not matter, `[?]` face down, `[R7]`, `[W]` and `[S]` in Phase 10.

Nothing has to stand below something else: it reads the same in letters of any width. No line reads
as an order, because mails come back quoted; so what a player may write stands inside sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.api import AnyRuleset, OptionSpec, OptionValue
from engine.errors import SetupError

WIDTH = 72

PICTURE = "    "
POINTS = ("- ", "* ")

_QUOTED = re.compile(r'\S*"[^"]*"\S*')
_GLUE = "\u00a0"
_LONGEST_PIECE = 40
_LIST_NUMBER = re.compile(r"[0-9]")


def layout(source: str) -> str:
    """Set a text: chapters numbered, paragraphs and points filled, pictures as they are.

    Args:
        source: blocks with empty lines between them, the first one the title. A block is a heading
            after `## `, a list whose items begin with `- ` or `* `, a picture with four blanks at
            the beginning of each line, or else a paragraph.
    """
    title, *blocks = (block for block in re.split(r"\n\s*\n", source.strip("\n")) if block.strip())
    parts, chapters = [title.strip().upper()], 0
    for block in blocks:
        if block.startswith("## "):
            chapters += 1
            parts.append(f"{chapters}. {block.removeprefix('## ')}")
        elif block.startswith(PICTURE):
            parts.append(block.rstrip())
        elif block.startswith(POINTS):
            items = re.split(r"\n(?=[-*] )", block)
            parts.append("\n".join(_fill(item[2:], item[:2], "  ") for item in items))
        else:
            parts.append(_fill(block, "", ""))
    return "\n\n".join(parts) + "\n"


def _fill(text: str, first: str, rest: str) -> str:
    """Fill lines of at most `WIDTH` columns; what stands in quotation marks stays in one piece."""
    glued = _QUOTED.sub(
        lambda found: found[0].replace(" ", _GLUE) if len(found[0]) < _LONGEST_PIECE else found[0],
        " ".join(text.split()),
    )
    lines: list[str] = []
    line, is_empty = first, True
    for word in _words(glued):
        if not is_empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, is_empty = rest, True
        line += word if is_empty else f" {word}"
        is_empty = False
    lines.append(line)
    return "\n".join(lines).replace(_GLUE, " ")


def _words(text: str) -> list[str]:
    """Split at blanks; a number or a quoted order stays behind the word before it."""
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
    """The table that a text is written for.

    Attributes:
        players: number of seats; None in a text for any table.
        options: complete; `dealer` is left out if nobody said who deals.
        specs: the options that the game has, in the order of the documentation.
    """

    players: int | None
    options: Mapping[str, OptionValue]
    specs: tuple[OptionSpec, ...]

    def number(self, name: str) -> int:
        """Give an option that is a whole number."""
        value = self.options[name]
        assert isinstance(value, int)  # noqa: S101  (check_options has seen to it)
        return value


def terms(
    ruleset: AnyRuleset, players: int | None, given: Mapping[str, OptionValue] | None
) -> Terms:
    """Complete the options of a table. Raises: SetupError for what no table of this game can have.

    Args:
        ruleset: whose options they are.
        players: None = any table: then the options need only be possible for some number of seats.
        given: what is not given has its default.
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
            del options["dealer"]
        return Terms(players, options, ruleset.options)
    assert refused is not None  # noqa: S101  (every game has some number of seats)
    raise refused


def option_points(
    its: Terms,
    words: Mapping[str, str],
    usual: Mapping[str, OptionValue | None] | None = None,
) -> str:
    """Write the source of a list: every option with its value, a star where that is not as usual, and what it means.

    Args:
        its: the values in force.
        words: what each value means, a sentence by name; without one the option is not listed.
        usual: defaults that depend on other options.
    """
    defaults = {spec.name: spec.default for spec in its.specs}
    if its.players is not None:
        defaults["dealer"] = its.players - 1
    defaults |= usual or {}
    said = {"dealer": dealer_words(its), "auto_forced": _FORCED[str(its.options["auto_forced"])]}
    items: list[str] = []
    for name, default in defaults.items():
        meaning = (said | dict(words)).get(name)
        if meaning is None:
            continue
        value = its.options.get(name, default)
        is_usual = value == default
        mark = "- " if is_usual else "* "
        instead = "" if is_usual or default is None else f" (usually {shown(default)})"
        equals = "" if value is None else f"={shown(value)}"
        items.append(f"{mark}{name}{equals}{instead}: {meaning}")
    return "\n".join(items)


def dealer_words(its: Terms) -> str:
    """Say who deals first."""
    seat = its.options.get("dealer")
    last = its.players is not None and seat == its.players - 1
    if seat is None or last:
        return "the last player in the list of players deals first. (GEN-14)"
    return f"seat {seat}, counted from 0 in the list of players, deals first. (GEN-14)"


def plies_words(its: Terms, what: str, then: str) -> str:
    """Say when a game is stopped for its length.

    Args:
        its: the table.
        what: `game` or `deal`.
        then: what decides it, a whole sentence.
    """
    limit = its.number("max_plies")
    if limit == 0:
        return f"a {what} may go on without end. (GEN-8)"
    return (
        f"a {what} that is not over after {limit} plies (single moves, all players together) is"
        f" stopped. {then} (GEN-8)"
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
    """Write a value as it stands in an order: `3`, `true`, `zones`, `[2,4,6]`."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return "[" + ",".join(map(str, value)) + "]"
        case _:
            return str(value)


def counted(count: int, one: str) -> str:
    """Say `1 chip`, `3 chips`."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


# --- what is the same in every game ---------------------------------------------------------------


def by_mail(alternatives: str) -> str:
    """Write the source of the points on orders; `alternatives` is an example of the game's own."""
    return f"""\
- Several orders go on several lines, and are carried out from top to bottom. If one is refused,
those before it stand and those after it are not carried out. (GEN-10)
- Orders joined with "or", as in "{alternatives}", are tried in turn: the first that is allowed is
carried out.
- The moves that a mail lists have numbers from 21 up. The number alone will do, but only in the
answer to that very mail.
- To leave the game for good, send a mail with nothing but the words "resign confirm"."""


OPTIONS_LEAD = "These hold in this game. A star in front marks what is not as usual."

SILENCE = """\
When everybody has been silent for two turns, so that only standby moves were made, the game is
stopped and ranked as it stands. (GEN-7)"""

OPENED = "When the whole game is over, everything is turned up. (GEN-15)"

PLACES = "Equal results share a place: first, second, second, fourth. (GEN-17)"
