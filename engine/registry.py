"""Registry of all rulesets, by name and version.

Released versions are never removed, so that old games are replayed with their own rules (GEN-1).
Other games are installed as separate packages (`engine.packages`) and are loaded on first use.
"""

from __future__ import annotations

from functools import cache

from engine import packages
from engine.api import AnyRuleset, RulesetId
from engine.cathedral.rules import Cathedral
from engine.errors import SetupError
from engine.options import nearest, show
from engine.packages import Package
from engine.phalanx.rules import Phalanx
from engine.phase10.rules import FAMILY, OFFICIAL
from engine.phyliss.rules import Phyliss
from engine.sentences import one_of, sentence

RULESETS: tuple[AnyRuleset, ...] = (Phyliss(), Cathedral(), Phalanx(), OFFICIAL, FAMILY)
"""Built-in rulesets in display order, older versions of a game first."""


@cache
def installed() -> tuple[Package, ...]:
    """Return the games installed as packages, by name. Packages are loaded only once."""
    return tuple(packages.load({ruleset.id.name for ruleset in RULESETS}))


def package_of(name: str) -> Package | None:
    """Return the package that contains the ruleset of this name, or None for built-in rulesets."""
    return next(
        (
            package
            for package in installed()
            if any(rules.id.name == name for rules in package.rulesets)
        ),
        None,
    )


def rulesets() -> tuple[AnyRuleset, ...]:
    """Return all playable rulesets, first the built-in and then the installed rulesets."""
    return (*RULESETS, *(rules for package in installed() for rules in package.rulesets))


def has(name: str, version: int) -> bool:
    """True if exactly this ruleset is available. Its package may be missing."""
    return any(ruleset.id == RulesetId(name, version) for ruleset in rulesets())


def title_of(name: str) -> str:
    """Return the title of a game, or the name of its ruleset if that is not available."""
    return next((ruleset.title for ruleset in latest() if ruleset.id.name == name), name)


def names() -> tuple[str, ...]:
    """Return the names of all games without duplicates."""
    return tuple(dict.fromkeys(ruleset.id.name for ruleset in rulesets()))


def latest() -> tuple[AnyRuleset, ...]:
    """Return the newest version of each game."""
    return tuple({ruleset.id.name: ruleset for ruleset in rulesets()}.values())


def find(name: str, version: int | None = None) -> AnyRuleset:
    """Return a ruleset, by default its newest version. Raises: SetupError."""
    versions = {ruleset.id.version: ruleset for ruleset in rulesets() if ruleset.id.name == name}
    if not versions:
        near = nearest(name.lower(), names())
        hint = sentence("; did you mean {near}?", near=one_of(near)) if near else "."
        raise SetupError(
            sentence(
                "there is no game {name}{hint} Games: {names}",
                name=show(name),
                hint=hint,
                names=", ".join(names()),
            )
        )
    wanted = max(versions) if version is None else version
    if wanted not in versions:
        known = ", ".join(map(str, sorted(versions)))
        raise SetupError(
            sentence(
                "there is no version {wanted} of {name}; versions: {known}",
                wanted=show(wanted),
                name=name,
                known=known,
            )
        )
    return versions[wanted]


def get(ruleset_id: RulesetId) -> AnyRuleset:
    """Return the ruleset with this name and version. Raises: SetupError."""
    return find(ruleset_id.name, ruleset_id.version)
