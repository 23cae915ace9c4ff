"""The profile of a game: its messages, orders, bots and pictures.

The rules are implemented in the engine. The module `pbem.games.<name>` contains the `FACE` of the
ruleset `<name>`, and of rulesets called `<name>-…` with the same cards. A game without such a
module uses the default profile: it is played by mail in English, without pictures or thinking bots.
A game that is installed as a package has its own profile (`Game`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from engine import registry
from engine.api import AnyRuleset, Fact, OptionValue, Seat
from engine.sentences import Sentence
from pbem.errors import Refusal
from pbem.games.glossary import Term
from pbem.games.knowledge import Knowledge, Move, State, View
from pbem.games.picture import Picture
from pbem.games.subjects import Subject

OptionSaid: TypeAlias = Callable[[OptionValue], Sentence]
"""Describes one value of an option in a sentence."""

Boast: TypeAlias = Callable[[Fact, View, str], tuple[int, Sentence] | None]
"""Returns how bold a public fact was and a sentence about it, given the observers' view before it and the
player's name. None for other facts."""

OrderForms: TypeAlias = tuple[tuple[str, str], ...]
"""Order patterns in one language, each with its English form. `{words}` is translated."""


Sides: TypeAlias = Callable[[View, Sequence[str]], Mapping[str, int]]
"""Returns the seats by which the viewer can name places of the table, given the usable names."""


@dataclass(frozen=True, slots=True)
class Told:
    """Data for describing a move to someone at the table.

    Attributes:
        view: view of the reader.
        seat: the seat that moved.
        deck: value of the option `deck`.
        called: names by which orders can refer to players, by seat. Empty for the others.
    """

    view: View
    seat: int
    deck: OptionValue
    called: Sequence[str]


@dataclass(frozen=True, slots=True)
class GroupWords:
    """Names of groups of cards on the table. `deck` is the value of the option `deck`.

    Attributes:
        name: returns the name of one of a seat's groups, given its groups in a view, the number and
            the deck.
        hit: returns the name of the group in a fact `hit`, given its data, the owner's present
            groups and the deck.
        takes: returns True if a card fits onto a group.
    """

    name: Callable[[Sequence[View], int, object], str]
    hit: Callable[[Mapping[str, Any], Sequence[View], object], str]
    takes: Callable[[str, View], bool]


@dataclass(frozen=True, slots=True)
class GameProfile:
    """Profile of one game.

    Attributes:
        bot: knowledge for bots, or None if bots do not play it.
        aliases: other names of a ruleset, in lower case letters and digits only.
        picture: lays out the table for a terminal. With None, the view is shown unchanged.
        subjects: subjects of conditions in standing orders.
        next_examples: example standing orders.
        choice_word: the order word of a simultaneous choice of all players (GEN-6), or empty
            without one.
        drawing_examples: example drawing rules, the most useful one first, or empty if turns do not
            begin with a draw.
        ends_by_any_moves: True if random legal moves end the game, as in `pbem demo`.
        long: an option and its value with which a game by mail may take months.
        options: description of each value of an option, for invited players.
        forms: patterns of orders, by language. The first matching pattern counts.
        rows: patterns of its moves in everyday words: an order and, for each language, the required
            and the optional words (`engine.reading.slots`).
        said: deprecated alternative to `rows`: patterns by language, each line starting with the
            order.
        shown: translations of the words of its moves, by language. Words that other games also use
            are already translated.
        terms: words that its rules explain.
        said_move: converts a canonical move to the players' words, which are parsed as the same
            move. Seats may stay numbers. With None, it is shown unchanged.
        groups: names of the groups of cards on its table, or None.
        sides: returns the seat by which the viewer can name each location on the table in orders,
            given the usable names. None if locations have no such names.
        boast: describes bold moves for the weekly letter. None if there are none.
    """

    bot: Knowledge | None = None
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    picture: Picture | None = None
    subjects: tuple[Subject, ...] = ()
    next_examples: tuple[Sentence, ...] = ()
    choice_word: str = ""
    drawing_examples: tuple[Sentence, ...] = ()
    ends_by_any_moves: bool = False
    long: tuple[str, OptionValue] | None = None
    options: Mapping[str, OptionSaid] = field(default_factory=dict)
    forms: Mapping[str, OrderForms] = field(default_factory=dict)
    rows: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    said_move: Callable[[str, Told], str] | None = None
    groups: GroupWords | None = None
    sides: Sides | None = None
    boast: Boast | None = None

    @property
    def everyday_rows(self) -> str:
        """Return the phrases for the game's moves, in the format of `rows`. Empty if it has none."""
        return self.rows or "".join(
            f"{order}\n    {code} | {words}\n"
            for code, lines in self.said.items()
            for order, _, words in (line.partition(" | ") for line in lines.strip().splitlines())
        )


@dataclass(frozen=True, slots=True)
class Game:
    """A game in a package, declared by its entry point of the group `pbem.games`.

    Attributes:
        rulesets: every version that was ever played, older ones first.
        face: its profile.
        folder: contains `templates/includes/<ruleset>/` and
            `locale/<language>/LC_MESSAGES/pbem.po`. With None, its messages show only what all
            games have.
    """

    rulesets: tuple[AnyRuleset, ...]
    face: GameProfile = GameProfile()
    folder: Path | None = None


def all_profiles() -> dict[str, GameProfile]:
    """Return the profiles of all playable rulesets, by name."""
    return {name: profile_of(name) for name in registry.names()}


@cache
def profile_of(ruleset: str) -> GameProfile:
    """Return the profile of the ruleset with this name."""
    package = registry.package_of(ruleset)
    if package is not None:
        brought: GameProfile = package.game.face
        return brought
    module = f"{__package__}.{ruleset.partition('-')[0]}"
    if find_spec(module) is None:
        return GameProfile()
    found: GameProfile = import_module(module).PROFILE
    return found


def said_move(ruleset: str, move: str, told: Told) -> str:
    """Return a canonical move in the players' words. Seats may be left as numbers."""
    say = profile_of(ruleset).said_move
    return say(move, told) if say is not None and told.view else move


def reason_of(rules: AnyRuleset, state: State, seat: Seat, move: Move) -> str:
    """Return a code for a bot's reason to make a move, which messages explain. Empty if unknown."""
    bot = profile_of(rules.id.name).bot
    if bot is None:
        return ""
    return bot.why(state, seat, move) if bot.rule(state, seat) == move else "search"


def knowledge_of(ruleset: str) -> Knowledge:
    """Return the bots' knowledge of a game. Raises: Refusal if no bots exist for it."""
    found = profile_of(ruleset).bot
    if found is None:
        known = ", ".join(name for name, one in all_profiles().items() if one.bot is not None)
        raise Refusal("bot", f"no bot plays {ruleset}; games with bots: {known}")
    return found
