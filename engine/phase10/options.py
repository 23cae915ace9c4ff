"""The options of Phase 10 (GEN-14, P10-V1 to P10-V4, P10-31)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.api import OptionSpec, OptionValue, Setup
from engine.errors import SetupError
from engine.options import (
    AUTO_FORCED_SPEC,
    DEALER_SPEC,
    MOST,
    check_auto_forced,
    check_choice,
    check_dealer,
    check_int,
    not_allowed,
    show,
)
from engine.phase10.groups import PHASES
from engine.sentences import sentence

ALL_PHASES = tuple(PHASES)
EVEN_PHASES = tuple(phase for phase in PHASES if phase % 2 == 0)
DECKS = ("phase10", "standard")
NATURALS = ("group", "phase")


_PHASES = OptionSpec(
    "phases",
    list(ALL_PHASES),
    sentence("a list of different numbers from 1 to 10, ascending, not empty"),
    "the phases that are played",
)
_EVEN_ONLY = OptionSpec(
    "even_only",
    False,
    sentence("true, false; not together with phases"),
    "play phases 2, 4, 6, 8, 10",
)
_PHASES_TO_WIN = OptionSpec(
    "phases_to_win",
    None,
    sentence("1 to the length of the list of phases"),
    "play only so many phases of the list (all of them)",
)
_TEN_HANDS = OptionSpec(
    "ten_hands", False, "true, false", "one hand per phase, whoever made it; lowest total wins"
)
_DECK = OptionSpec(
    "deck",
    "phase10",
    ", ".join(DECKS),
    "the cards that people read and write; the game is the same",
)
_NATURALS = OptionSpec(
    "naturals",
    "group",
    ", ".join(NATURALS),
    "what needs a number card beside its wilds: each group, or only the whole phase (P10-V4)",
)
_MAX_PLIES = OptionSpec(
    "max_plies",
    10_000,
    sentence("0 (no limit) to 1000000"),
    "plies after which the game is stopped (P10-31)",
)

SPECS: tuple[OptionSpec, ...] = (
    DEALER_SPEC,
    _PHASES,
    _EVEN_ONLY,
    _PHASES_TO_WIN,
    _TEN_HANDS,
    _DECK,
    _NATURALS,
    _MAX_PLIES,
    AUTO_FORCED_SPEC,
)


def check(players: int, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Complete and check options; a second check changes nothing. Raises: SetupError.

    `naturals` came after the release. At its default it is left out, so that the options of a game
    are the same as before (GEN-1).
    """
    phases = _check_phases(given)
    even_only = _check_bool(given, _EVEN_ONLY)
    if even_only and phases != list(ALL_PHASES):
        raise SetupError(
            sentence(
                "option even_only: not together with phases; name the phases or ask for the even ones"
            ),
            rule="GEN-14",
        )
    count = len(EVEN_PHASES) if even_only else len(phases)
    naturals = check_choice(given, _NATURALS, default="group", choices=NATURALS)
    return {
        "dealer": check_dealer(given, players),
        "phases": [*phases],
        "even_only": even_only,
        "phases_to_win": check_int(given, _PHASES_TO_WIN, default=count, least=1, most=count),
        "ten_hands": _check_bool(given, _TEN_HANDS),
        "deck": check_choice(given, _DECK, default="phase10", choices=DECKS),
        **({} if naturals == "group" else {"naturals": naturals}),
        "max_plies": check_int(given, _MAX_PLIES, default=10_000, least=0, most=MOST),
        "auto_forced": check_auto_forced(given),
    }


def _check_bool(given: Mapping[str, OptionValue], spec: OptionSpec) -> bool:
    value = given.get(spec.name, False)
    if not isinstance(value, bool):
        raise not_allowed(spec, show(value))
    return value


def _check_phases(given: Mapping[str, OptionValue]) -> list[int]:
    value = given.get(_PHASES.name, list(ALL_PHASES))
    if not isinstance(value, list):
        problem = show(value)
    elif not all(type(phase) is int and phase in PHASES for phase in value):
        problem = sentence("something else in the list")
    elif value and all(low < high for low, high in pairwise(value)):
        return value
    elif value:
        problem = sentence("a list in another order, or with a phase twice")
    else:
        problem = sentence("an empty list")
    raise not_allowed(_PHASES, problem)


def phase_list(setup: Setup) -> tuple[int, ...]:
    """Return the phases of the game in their order (P10-V2, P10-V3)."""
    return phases_in(setup.options)


def phases_in(options: Mapping[str, OptionValue]) -> tuple[int, ...]:
    """Return the phases for complete options, in order (P10-V2, P10-V3)."""
    phases = options["phases"]
    count = options["phases_to_win"]
    assert isinstance(phases, list)  # noqa: S101  (check has seen to it)
    assert isinstance(count, int)  # noqa: S101
    return (EVEN_PHASES if options["even_only"] else tuple(phases))[:count]


def is_ten_hands(setup: Setup) -> bool:
    """True if every phase is played in exactly one deal (P10-V1)."""
    return setup.options["ten_hands"] is True


def is_by_phase(options: Mapping[str, OptionValue]) -> bool:
    """True if one number card in the whole phase is enough (P10-V4)."""
    return options.get("naturals") == "phase"
