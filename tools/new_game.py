"""Write the example game of docs/dev/new-ruleset.md, and install packages of games for tests.

`python -m tools.new_game FOLDER` writes the files of that page as a template for another game. This
module must not import modules that list the games.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.packages import GROUP

PAGE = Path(__file__).parents[1] / "docs" / "dev" / "new-ruleset.md"
_FILE = re.compile(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Return the files that docs/dev/new-ruleset.md contains, by their paths in the package."""
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


def write(folder: Path) -> None:
    """Write the files of docs/dev/new-ruleset.md into a folder."""
    for name, text in files().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def install(source: Path, place: Path) -> list[str]:
    """Copy a package into a folder of packages, like an installer. Return its modules."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    modules = [path.parent.name for path in source.glob("*/__init__.py")]
    modules = [name for name in modules if name != "tests"]
    for name in modules:
        shutil.copytree(source / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = place / f"{stem}.dist-info"
    info.mkdir(parents=True)
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    lines = [f"[{GROUP}]"]
    lines += [f"{name} = {where}" for name, where in project["entry-points"][GROUP].items()]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return modules


@contextmanager
def on_path(place: Path) -> Iterator[None]:
    """Treat the packages of a folder as installed for the duration of the context."""
    sys.path.insert(0, str(place))
    before = set(sys.modules)
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(place))
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(place)):
                del sys.modules[name]
        _forget()


@contextmanager
def installed(source: Path, place: Path) -> Iterator[None]:
    """Install a package into an empty folder for the duration of the context."""
    install(source, place)
    with on_path(place):
        yield


_KNOW = (
    *("engine.registry", "pbem.games.profile", "pbem.language", "pbem.mail_out.environment"),
    "pbem.domain.words.",
)
"""Name prefixes of the modules that cache the list of games and their orders."""


def _forget() -> None:
    """Clear the caches of modules that depend on the list of games."""
    for name, module in sys.modules.items():
        if name.startswith(_KNOW):
            for value in vars(module).values():
                getattr(value, "cache_clear", lambda: None)()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
