"""Change the rules of a game in a thousand small ways and see which changes no test notices.

`python -m trials.mutation phyliss` copies the engine and its tests to build/mutation/phyliss, lets
mutmut run there with that game's tests only, and prints how many mutants survived, per module.
Results are stored, so that a second run continues where the first stopped. A run takes minutes to
an hour.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "mutation"

MODULES = {
    "phyliss": ("rules", "moves", "turn", "deal", "scoring"),
    "cathedral": ("rules", "moves", "turn", "deal", "scoring"),
    "phalanx": ("rules", "moves", "turn", "battle", "betting", "resolving", "scoring", "zones"),
    "phase10": (
        "rules",
        "moves",
        "turn",
        "deal",
        "finder",
        "groups",
        "laying",
        "refusals",
        "scoring",
    ),
}
"""The modules with the rules of each game, without orders, views and texts."""

COMMON_TESTS = ["tests/engine/test_leaving.py"]
EXTRA_TESTS = {"phyliss": ["tests/engine/test_machines.py"]}

CONFIGURATION = """\
[tool.pytest]
strict = true
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not slow"]
timeout = "120"
markers = ["rule(*ids): rule-book ids", "slow: left out here"]

[tool.mutmut]
source_paths = ["engine"]
only_mutate = {modules}
pytest_add_cli_args_test_selection = {tests}
also_copy = ["docs"]
use_git_change_detection = false
"""
KILLED = {"killed", "timeout", "suspicious", "caught by type check", "segfault"}
ALIVE = {"survived", "no tests"}
_RESULT = re.compile(r"^\s*(?P<name>engine\.\S+): (?P<verdict>[a-z ]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change, and its result."""

    name: str
    verdict: str

    @property
    def module(self) -> str:
        """Return the changed module, such as `phyliss/turn.py`."""
        game, module = self.name.split(".")[1:3]
        return f"{game}/{module}.py"


def stage(game: str) -> Path:
    """Copy the files of a run. Results of an earlier run are kept."""
    folder = BUILD / game
    for name in ("engine", "tests", "docs"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "conftest.py", folder)
    names = [
        f"engine/{game}/{module}.py"
        for module in MODULES[game]
        if (ROOT / "engine" / game / f"{module}.py").exists()
    ]
    # The tests of orders take long, and orders are not mutated.
    own = (ROOT / "tests" / "engine" / game).glob("test_*.py")
    chosen = sorted(
        f"tests/engine/{game}/{path.name}" for path in own if path.stem != "test_orders"
    )
    tests = [*chosen, *EXTRA_TESTS.get(game, ()), *COMMON_TESTS]
    (folder / "pyproject.toml").write_text(
        CONFIGURATION.format(modules=json.dumps(names), tests=json.dumps(tests))
    )
    return folder


def results(place: Path) -> list[Mutant]:
    """Return every mutant of a run with its result."""
    output = _mutmut(place, "results", "--all", "true", capture=True)
    return [Mutant(match["name"], match["verdict"]) for match in _RESULT.finditer(output)]


def difference(place: Path, name: str) -> list[str]:
    """Return the changed lines of a mutant."""
    output = _mutmut(place, "show", name, capture=True)
    return [line for line in output.splitlines() if re.match(r"[-+](?![-+]{2})", line)]


def _mutmut(place: Path, *words: str, capture: bool = False) -> str:
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "mutation"}
    done = subprocess.run(
        [Path(sys.executable).with_name("mutmut"), *words],
        cwd=place,
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE if capture else None,
    )
    return done.stdout or ""


def main() -> int:
    """Run the mutants and print the figures. Return 1 if a tenth or more of them survive."""
    parser = argparse.ArgumentParser(prog="python -m trials.mutation", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(MODULES)}; all")
    parser.add_argument("--report", action="store_true", help="only tell what earlier runs found")
    parser.add_argument("--survivors", action="store_true", help="show every surviving change")
    given = parser.parse_args()
    unknown = sorted(set(given.games) - set(MODULES))
    if unknown:
        parser.error(f"no game {', '.join(unknown)}; there are: {', '.join(MODULES)}")
    is_bad = False
    for game in given.games or MODULES:
        folder = BUILD / game
        if not given.report:
            _mutmut(stage(game), "run")
        is_bad |= tell(folder, survivors=given.survivors)
    return int(is_bad)


def tell(place: Path, *, survivors: bool) -> bool:
    """Print the figures of one game. Return True if too many mutants survive."""
    mutants = results(place)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
        counts[mutant.module][mutant.verdict] += 1
    lines = [
        f"{module:<26} {sum(of[v] for v in KILLED):>6} killed {sum(of[v] for v in ALIVE):>5} alive"
        for module, of in sorted(counts.items())
    ]
    alive = [mutant for mutant in mutants if mutant.verdict in ALIVE]
    tried = len(alive) + sum(mutant.verdict in KILLED for mutant in mutants)
    share = len(alive) / tried if tried else 1.0
    lines.append(f"{place.name}: {len(alive)} of {tried} survive ({share:.1%})")
    if tried < len(mutants):
        lines.append(f"{len(mutants) - tried} were not tried")
    for mutant in alive if survivors else ():
        lines += ["", mutant.name, *difference(place, mutant.name)]
    sys.stdout.write("\n".join(lines) + "\n")
    return share >= 0.1


if __name__ == "__main__":
    sys.exit(main())
