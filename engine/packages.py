"""Load games that are installed as separate packages.

A distribution declares each game with an entry point of the group `pbem.games`. A game that cannot
be loaded has an error text instead of rules and does not affect other games. No other module of the
engine accesses its environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

from engine.api import AnyRuleset

GROUP = "pbem.games"
"""Name of the entry point group."""

MAX_SECONDS = 30.0
"""Time limit for loading a package. Slow machines and large packages need a few seconds."""
_LONGEST_FAULT = 300
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Package:
    """A game that is installed as a separate package.

    Attributes:
        name: name of its entry point.
        pin: distribution and version in pip's syntax, e.g. `pbem-oh-hell==1.0`.
        game: the object of the entry point, a `pbem.games.profile.Game`, or None if loading failed.
        fault: error text if loading failed, else empty.
    """

    name: str
    pin: str
    game: Any = None
    fault: str = ""

    @property
    def rulesets(self) -> tuple[AnyRuleset, ...]:
        """Return the rulesets, older versions of a game first. Empty if the package failed to load."""
        return () if self.game is None else tuple(self.game.rulesets)

    def folder(self, name: str) -> Path | None:
        """Return a directory of the package's data files, or None if it does not exist."""
        top = None if self.game is None else self.game.folder
        return top / name if top is not None and (top / name).is_dir() else None


def load(taken: set[str]) -> Iterator[Package]:
    """Load all packages, sorted by name.

    Args:
        taken: ruleset names that are already in use. The names of loaded rulesets are added.
    """
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = _loaded(entry, taken)
        taken.update(ruleset.id.name for ruleset in package.rulesets)
        yield package


def _loaded(entry: EntryPoint, taken: set[str]) -> Package:
    """Load a package in a separate thread, which is abandoned after a timeout.

    The package's output is discarded because commands may print JSON. A package that ends the
    process (`os._exit`) or blocks all threads still affects the process. Packages must not import
    modules above `pbem.games`, because these may be waiting for the package to load.
    """
    results: list[Package] = []
    loading = Thread(target=lambda: results.append(_imported(entry, taken)), daemon=True)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        loading.start()
        loading.join(MAX_SECONDS)
    if results:
        return results[0]
    why = f"its code did not return within {MAX_SECONDS:g} seconds"
    return Package(entry.name, _pin(entry), fault=why)


def _pin(entry: EntryPoint) -> str:
    return "" if entry.dist is None else f"{entry.dist.name}=={entry.dist.version}"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001  (code of others, too)
        return "its text cannot be read"


def _imported(entry: EntryPoint, taken: set[str]) -> Package:
    pin = _pin(entry)
    try:
        game = entry.load()
        names = [ruleset.id.name for ruleset in game.rulesets]
        wrong = [name for name in names if not _NAME.fullmatch(name)]
        doubled = sorted(taken.intersection(names))
    except BaseException as error:  # noqa: BLE001  (code of others may call `sys.exit`, and other games must work)
        why = " ".join(f"{type(error).__name__}: {_text_of(error)}".split())
        return Package(entry.name, pin, fault=why[:_LONGEST_FAULT])
    if not names or wrong or doubled:
        why = f"cannot be called {wrong[0]!r}" if wrong else "brings no ruleset"
        why = f"another package brings {doubled[0]} already" if doubled else why
        return Package(entry.name, pin, fault=why)
    return Package(entry.name, pin, game)
