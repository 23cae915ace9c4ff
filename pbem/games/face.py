"""The face of a game: its facts for mails, orders, bots and pictures.

The rules are in the engine. The module `pbem.games.<name>` holds the `FACE` of the ruleset
`<name>`, and of the rulesets called `<name>-…` that use the same cards. A game without such a
module has the plain face: it is played by mail in English, without a picture and without bots that
think. A game that is installed as a package of its own brings its face along (`Game`).
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
from engine.api import AnyRuleset, OptionValue, Seat
from engine.sentences import Sentence
from pbem.errors import Refusal
from pbem.games.glossary import Term
from pbem.games.knowledge import Knowledge, Move, State, View
from pbem.games.picture import Picture
from pbem.games.subjects import Subject

OptionSaid: TypeAlias = Callable[[OptionValue], Sentence]
"""Says one value of an option, in a sentence."""

OrderForms: TypeAlias = tuple[tuple[str, str], ...]
"""Forms of orders in one language, each with its English; `{words}` is translated."""


Sides: TypeAlias = Callable[[View, Sequence[str]], Mapping[str, int]]
"""Says by whom the viewer can call places of the table, given those names."""


@dataclass(frozen=True, slots=True)
class Told:
    """What it takes to tell a move to somebody at the table.

    Attributes:
        view: of the one who reads it.
        seat: whose move it is.
        deck: the option.
        called: names by which an order can call somebody, by seat, or empty for the others.
    """

    view: View
    seat: int
    deck: OptionValue
    called: Sequence[str]


@dataclass(frozen=True, slots=True)
class GroupWords:
    """What players call groups of cards on the table; `deck` is the option.

    Attributes:
        name: of one of a seat's groups, as a view has them: groups, number, deck.
        hit: of the group in a fact `hit`: its data, the owner's groups now, deck.
        takes: True if a card fits onto a group.
    """

    name: Callable[[Sequence[View], int, object], str]
    hit: Callable[[Mapping[str, Any], Sequence[View], object], str]
    takes: Callable[[str, View], bool]


@dataclass(frozen=True, slots=True)
class GameFace:
    """One game, as the service presents it.

    Attributes:
        bot: what bots know of the game; None = bots do not play it.
        aliases: other names of a ruleset, in lower case letters and digits only.
        picture: lays out the table for a terminal; None = the view is shown as it is.
        subjects: what standing orders can ask about.
        next_examples: standing orders that fit the game.
        choice_word: the order word of a choice of all players at once (GEN-6); empty without one.
        drawing_examples: rules to begin a turn automatically, the most useful one first; empty if
            turns do not begin with a draw.
        ends_by_any_moves: random legal moves end the game, as in `pbem demo`.
        long: an option and its value with which a game by mail may take months.
        options: what each value of an option means, for people who are asked to play.
        forms: forms of orders, by language; the first one that matches counts.
        rows: its moves in everyday words: an order, and below it, per language, the words of which
            some must be said and those that can stand beside them (engine.reading.slots).
        shown: words of its moves as mails show them in another language, by language; words that
            other games have, too, are translated already.
        terms: words that its rules explain.
        said_move: says a canonical move in words of the table, which are read back as the same; a
            seat can stay a number. None = it is shown as it is.
        groups: names of the groups of cards on its table; None = it has none.
        sides: whose seat the viewer can name in an order to mean a place of the table, by place,
            given the names by which an order can call somebody. None = places have no such names.
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
    shown: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    said_move: Callable[[str, Told], str] | None = None
    groups: GroupWords | None = None
    sides: Sides | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game as a package brings it, named by its entry point of the group `pbem.games`.

    Attributes:
        rulesets: every version that was ever played, the older ones first.
        face: what the service knows of the game besides its rules.
        folder: holds `templates/includes/<ruleset>/` and `locale/<language>/LC_MESSAGES/pbem.po`;
            None = its mails show only what all games have.
    """

    rulesets: tuple[AnyRuleset, ...]
    face: GameFace = GameFace()
    folder: Path | None = None


def faces() -> dict[str, GameFace]:
    """Return the face of every ruleset that can be played, keyed by name."""
    return {name: face(name) for name in registry.names()}


@cache
def face(ruleset: str) -> GameFace:
    """Return the face of a ruleset, given its name."""
    package = registry.package_of(ruleset)
    if package is not None:
        brought: GameFace = package.game.face
        return brought
    module = f"{__package__}.{ruleset.partition('-')[0]}"
    if find_spec(module) is None:
        return GameFace()
    found: GameFace = import_module(module).FACE
    return found


def said_move(ruleset: str, move: str, told: Told) -> str:
    """Return a canonical move in words of the table. Seats can still be numbers."""
    say = face(ruleset).said_move
    return say(move, told) if say is not None and told.view else move


def reason_of(rules: AnyRuleset, state: State, seat: Seat, move: Move) -> str:
    """Return why a bot may have made a move, as a word that mails explain, or empty if nobody knows."""
    bot = face(rules.id.name).bot
    if bot is None:
        return ""
    return bot.why(state, seat, move) if bot.rule(state, seat) == move else "search"


def knowledge_of(ruleset: str) -> Knowledge:
    """Return what bots know of a game. Raises: Refusal."""
    found = face(ruleset).bot
    if found is None:
        known = ", ".join(name for name, one in faces().items() if one.bot is not None)
        raise Refusal("bot", f"no bot plays {ruleset}; games with bots: {known}")
    return found
