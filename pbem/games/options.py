"""Describe a game's options in sentences for invited players.

Every option has a sentence for its non-default values. Sentences for common options are defined
here, those for a game's own options in its profile. The rules texts explain all options in detail.
These sentences cover what players must know before they join.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.api import AnyRuleset, OptionSpec, OptionValue
from engine.errors import SetupError
from engine.sentences import Sentence, joined, plural, sentence
from pbem.games.profile import OptionSaid, profile_of

Options: TypeAlias = Mapping[str, OptionValue]

AUTO_FORCED: Mapping[str, Sentence] = {
    "public": sentence(
        "In this game your move is played by itself when everybody can see that it is the only one."
    ),
    "all": sentence(
        "In this game your move is played by itself whenever it is the only one, even if that tells the"
        " others something about your hand."
    ),
    "off": sentence(
        'In this game no move is played by itself, except for players who wrote "auto mine".'
    ),
}
"""Description of the option `auto_forced` by value (GEN-11)."""

_EVERY_GAME: Mapping[str, OptionSaid] = {"auto_forced": lambda value: AUTO_FORCED[str(value)]}


# --- sentences that several games share -----------------------------------------------------------


def whole(value: OptionValue) -> int:
    """Return the value of an integer option that the rules have validated."""
    return value if isinstance(value, int) else 0


def deals(value: OptionValue) -> Sentence:
    """Describe the number of deals."""
    return plural("You play {count} deal.", "You play {count} deals.", whole(value))


def plies_of_a_deal(value: OptionValue) -> Sentence:
    """Describe the maximum length of a deal."""
    if value == 0:
        return sentence("A deal goes on until it is over, however long that takes.")
    return plural(
        "A deal that is not over after {count} move of all players together is stopped.",
        "A deal that is not over after {count} moves of all players together is stopped.",
        whole(value),
    )


def plies_of_a_game(value: OptionValue) -> Sentence:
    """Describe the maximum length of a game."""
    if value == 0:
        return sentence("The game goes on until it is over, however long that takes.")
    return plural(
        "A game that is not over after {count} move of all players together is stopped.",
        "A game that is not over after {count} moves of all players together is stopped.",
        whole(value),
    )


# --- the options of a table -----------------------------------------------------------------------


def option_sentences(
    ruleset: AnyRuleset, options: Options, names: Sequence[str]
) -> tuple[Sentence, ...]:
    """Return a sentence for each non-default option, in documented order.

    Args:
        ruleset: the ruleset of the game.
        options: complete options, as returned by `check_options`.
        names: player names by seat.
    """
    return tuple(
        describe_option(ruleset, name, options[name], names)
        for name in unusual(ruleset, len(names), options)
    )


def describe_option(
    ruleset: AnyRuleset, name: str, value: OptionValue, names: Sequence[str]
) -> Sentence:
    """Return the sentence for one value of an option."""
    if name == "dealer":
        return sentence("{name} deals first.", name=names[whole(value)])
    said = profile_of(ruleset.id.name).options.get(name) or _EVERY_GAME.get(name)
    return said(value) if said else joined([f"{name}: {value}"])


def unusual(ruleset: AnyRuleset, players: int, options: Options) -> list[str]:
    """Return the names of options with non-default values, in documented order.

    A default may depend on other options, such as the complete list of phases.
    """
    return [
        spec.name
        for spec in ruleset.options
        if (value := options.get(spec.name, spec.default))
        != _left_out(ruleset, players, options, spec)
        or (spec.default is not None and value != spec.default)
    ]


def _left_out(
    ruleset: AnyRuleset, players: int, options: Options, spec: OptionSpec
) -> OptionValue | None:
    """Return the value that an option has when omitted, or None if it must be given."""
    others = {other: value for other, value in options.items() if other != spec.name}
    try:
        return ruleset.check_options(players, others).get(spec.name, spec.default)
    except SetupError:
        return None
