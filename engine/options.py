"""Validate the options of a game (GEN-14).

Every error message contains the option, the given value and the allowed values. For a misspelt name
or word it also suggests the most similar one. Values of another type are rejected rather than
converted: `"3"` and `true` are not integers.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from engine.api import OptionSpec, OptionValue
from engine.errors import SetupError
from engine.sentences import Sentence, joined, sentence

_LONGEST_ECHO = 40

MAX = 1_000_000
"""Maximum number of deals, battles, chips or plies. Real games stay far below it."""

AUTO_FORCED = ("public", "all", "off")
"""Values of the option `auto_forced` (GEN-11)."""


def scaled(measured: int | None, count: OptionValue, per: int = 1) -> int | None:
    """Scale a measured number of turns to `count` deals or battles. Return None if unlimited.

    Args:
        measured: average number of turns for `per` deals or battles, or None if not measured.
    """
    if measured is None or not isinstance(count, int) or count == 0:
        return None
    return round(measured * count / per)


def nearest(word: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return up to `limit` known words that resemble the word, best match first."""
    return tuple(difflib.get_close_matches(word[:_LONGEST_ECHO], sorted(known), limit, 0.5))


def check_players(players: int, allowed: range, title: str) -> None:
    """Reject an invalid number of seats. Raises: SetupError."""
    if type(players) is not int or players not in allowed:
        raise SetupError(
            sentence(
                "{title} is for {least} to {most} players, not {given}",
                title=title,
                least=allowed[0],
                most=allowed[-1],
                given=show(players),
            ),
            rule="GEN-14",
        )


def check_names(given: Mapping[str, OptionValue], specs: Sequence[OptionSpec], title: str) -> None:
    """Reject unknown option names. Raises: SetupError."""
    names = [spec.name for spec in specs]
    for name in given:
        if name not in names:
            raise SetupError(
                sentence(
                    "{name} is no option of {title}{hint}; options: {known}",
                    name=show(name),
                    title=title,
                    hint=_did_you_mean(name, names),
                    known=", ".join(names),
                ),
                rule="GEN-14",
            )


def check_int(
    given: Mapping[str, OptionValue],
    spec: OptionSpec,
    *,
    default: int,
    least: int,
    most: int | None = None,
) -> int:
    """Return an integer option, or its default if it is omitted. Raises: SetupError."""
    value = given.get(spec.name, default)
    # In Python `bool` is a subclass of `int`, but options distinguish them.
    if isinstance(value, bool) or not isinstance(value, int):
        raise SetupError(
            sentence(
                "option {option} is a whole number ({allowed}), not {given}",
                option=spec.name,
                allowed=spec.allowed,
                given=show(value),
            ),
            rule="GEN-14",
        )
    if value < least or (most is not None and value > most):
        raise not_allowed(spec, show(value))
    return value


def check_choice(
    given: Mapping[str, OptionValue], spec: OptionSpec, *, default: str, choices: Sequence[str]
) -> str:
    """Return the value of an option that allows a fixed set of words. Raises: SetupError."""
    value = given.get(spec.name, default)
    if not isinstance(value, str) or value not in choices:
        raise SetupError(
            sentence(
                "option {option}: {given} is not allowed{hint}; allowed: {allowed}",
                option=spec.name,
                given=show(value),
                hint=_did_you_mean(value, choices),
                allowed=", ".join(choices),
            ),
            rule="GEN-14",
        )
    return value


def not_allowed(spec: OptionSpec, given: str) -> SetupError:
    """Create the error for an invalid value. `given` is the value as shown in the message."""
    return SetupError(
        sentence(
            "option {option}: {given} is not allowed; allowed: {allowed}",
            option=spec.name,
            given=given,
            allowed=spec.allowed,
        ),
        rule="GEN-14",
    )


def show(value: object) -> str:
    """Format a value as JSON for a message. Long values are shortened."""
    match value:
        case bool():
            text = "true" if value else "false"
        case int():
            text = str(value) if abs(value) < 10**_LONGEST_ECHO else sentence("a huge number")
        case str():
            text = f'"{value}"'
        case None:
            text = "null"
        case list() | tuple():
            text = sentence("a list")
        case _:
            text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 1] + "…"


def _did_you_mean(given: object, known: Iterable[str]) -> Sentence:
    near = nearest(given, known, 1) if isinstance(given, str) else ()
    return sentence(" (did you mean {word}?)", word=near[0]) if near else joined([])


# --- constructors for option rows -----------------------------------------------------------------

Given: TypeAlias = Mapping[str, OptionValue]
Bound: TypeAlias = "int | Callable[[int, Given], int]"
"""A limit, or a function that computes it from the number of seats and the given options."""


def number(
    name: str,
    default: int | None,
    allowed: str,
    effect: str,
    *,
    least: Bound = 0,
    most: Bound = MAX,
    usual: Bound | None = None,
) -> OptionSpec:
    """Create the row of an integer option. `usual` computes a default that is not constant."""

    def check(spec: OptionSpec, players: int, given: Given) -> int:
        bounds = (default or 0 if usual is None else usual, least, most)
        value, low, high = [
            bound if isinstance(bound, int) else bound(players, given) for bound in bounds
        ]
        return check_int(given, spec, default=value, least=low, most=high)

    return OptionSpec(name, default, allowed, effect, check)


def choice(name: str, choices: tuple[str, ...], effect: str) -> OptionSpec:
    """Create the row of an option with a fixed set of words. The first word is the default."""
    usual, allowed = choices[0], ", ".join(choices)
    return OptionSpec(
        name, usual, allowed, effect,
        lambda spec, _, given: check_choice(given, spec, default=usual, choices=choices),
    )  # fmt: skip


def special(
    name: str,
    default: OptionValue,
    allowed: str,
    effect: str,
    valid: Callable[[OptionSpec, Any], OptionValue],
) -> OptionSpec:
    """Create the row of an option with custom validation.

    Args:
        valid: receives the given value or the default and returns the effective value.
    """
    return OptionSpec(
        name, default, allowed, effect, lambda spec, _, given: valid(spec, given.get(name, default))
    )


def flag(name: str, allowed: str, effect: str) -> OptionSpec:
    """Create the row of a boolean option that is False by default."""
    return special(name, False, allowed, effect, _valid_flag)


def _valid_flag(spec: OptionSpec, value: object) -> bool:
    if not isinstance(value, bool):
        raise not_allowed(spec, show(value))
    return value


DEALER_SPEC = number(
    "dealer",
    None,
    sentence("a seat, 0 to players - 1"),
    "who deals first (last seat)",
    most=lambda players, _: players - 1,
    usual=lambda players, _: players - 1,
)
AUTO_FORCED_SPEC = choice(
    "auto_forced",
    AUTO_FORCED,
    "which forced moves are played at once: those that everybody can see, all, or none",
)


def check_dealer(given: Given, players: int) -> int:
    """Return the first dealer. The default is the last seat (GEN-14)."""
    return check_int(given, DEALER_SPEC, default=players - 1, least=0, most=players - 1)


def check_auto_forced(given: Given) -> str:
    """Return the setting for forced moves: `public`, `all` or `off` (GEN-11)."""
    return check_choice(given, AUTO_FORCED_SPEC, default="public", choices=AUTO_FORCED)
