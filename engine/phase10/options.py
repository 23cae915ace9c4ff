"""The options of Phase 10 (GEN-14, P10-V1 to P10-V4, P10-31)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.api import OptionSpec, OptionValue, Setup
from engine.errors import SetupError
from engine.options import (
    AUTO_FORCED_SPEC,
    DEALER_SPEC,
    Option,
    choice,
    flag,
    not_allowed,
    number,
    show,
    special,
)
from engine.phase10.groups import PHASES
from engine.ruleset import Options
from engine.sentences import sentence

ALL_PHASES = tuple(PHASES)
EVEN_PHASES = tuple(phase for phase in PHASES if phase % 2 == 0)
DECKS = ("phase10", "standard")
NATURALS = ("group", "phase")


def _valid_phases(spec: OptionSpec, value: object) -> list[int]:
    if not isinstance(value, list):
        problem = show(value)
    elif not all(type(phase) is int and phase in PHASES for phase in value):
        problem = sentence("something else in the list")
    elif value and all(low < high for low, high in pairwise(value)):
        return [*value]
    elif value:
        problem = sentence("a list in another order, or with a phase twice")
    else:
        problem = sentence("an empty list")
    raise not_allowed(spec, problem)


def _count(players: int, given: Mapping[str, OptionValue]) -> int:
    """Return the length of the list of phases, if the list is possible."""
    phases = given.get("phases", list(ALL_PHASES))
    if given.get("even_only") is True:
        return len(EVEN_PHASES)
    return len(phases) if isinstance(phases, list) else 1


SPECS: tuple[Option, ...] = (
    DEALER_SPEC,
    special(
        "phases",
        list(ALL_PHASES),
        sentence("a list of different numbers from 1 to 10, ascending, not empty"),
        "the phases that are played",
        _valid_phases,
    ),
    flag(
        "even_only",
        sentence("true, false; not together with phases"),
        "play phases 2, 4, 6, 8, 10",
    ),
    number(
        "phases_to_win",
        None,
        sentence("1 to the length of the list of phases"),
        "play only so many phases of the list (all of them)",
        least=1,
        most=_count,
        usual=_count,
    ),
    flag("ten_hands", "true, false", "one hand per phase, whoever made it; lowest total wins"),
    choice("deck", DECKS, "the cards that people read and write; the game is the same"),
    choice(
        "naturals",
        NATURALS,
        "what needs a number card beside its wilds: each group, or only the whole phase (P10-V4)",
    ),
    number(
        "max_plies",
        10_000,
        sentence("0 (no limit) to 1000000"),
        "plies after which the game is stopped (P10-31)",
    ),
    AUTO_FORCED_SPEC,
)


def check_together(options: Options) -> None:
    """Refuse a list of phases with `even_only`. Raises: SetupError.

    `naturals` came after the release. At its default it is left out, so that the options of a game
    are the same as before (GEN-1).
    """
    if options["even_only"] and options["phases"] != list(ALL_PHASES):
        raise SetupError(
            sentence(
                "option even_only: not together with phases; name the phases or ask for the even ones"
            ),
            rule="GEN-14",
        )
    if options["naturals"] == NATURALS[0]:
        del options["naturals"]


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
