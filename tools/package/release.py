"""Make a release: `python -m tools.package.release VERSION [--really]`.

All work is done in a clone. The version is written, the changelog's section `Unreleased` gets the
version and the date, both are committed and tagged, and the packages are built. Without --really
the clone is deleted. With --really, its commit and tag are fetched into this repository, and the
packages with their hashes and the notes are copied to dist/. Nothing is pushed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

from pbem.clock import SystemClock

ROOT = Path(__file__).resolve().parents[2]
ONE_SCREEN = 60
"""Maximum number of lines of the notes, which should fit on one screen."""
SLACK = 1.05
"""Factor by which the number of statements may exceed `[tool.pbem] statements`."""
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


class ReleaseError(Exception):
    """The release is not possible until the admin has fixed something."""


def main(root: Path, version: str, build: Callable[[Path], Path], *, really: bool) -> str:
    """Make a release of the current commit and return the notes. Raises: ReleaseError."""
    require_ready(root, version)
    with tempfile.TemporaryDirectory(prefix="pbem-release-") as folder:
        clone = Path(folder) / "clone"
        git(root, "clone", "--quiet", "--no-hardlinks", str(root), str(clone))
        for key in ("user.name", "user.email"):
            git(clone, "config", key, git(root, "config", key))
        text = write_version(clone, version)
        git(clone, "commit", "--quiet", "--all", "--message", f"Version {version}")
        git(clone, "tag", "--annotate", "--cleanup=verbatim", f"v{version}", "--message", text)
        built = build(clone)
        sums = "".join(
            f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
            for file in sorted(built.iterdir())
        )
        if really:
            git(root, "pull", "--quiet", "--ff-only", str(clone), "HEAD")
            git(root, "fetch", "--quiet", str(clone), f"refs/tags/v{version}:refs/tags/v{version}")
            shutil.copytree(built, root / "dist", dirs_exist_ok=True)
            (root / "dist" / "SHA256SUMS").write_text(sums, encoding="utf-8")
            (root / "dist" / "NOTES.md").write_text(text, encoding="utf-8")
    return f"{text}\n{sums}"


def require_ready(root: Path, version: str) -> None:
    """Raise `ReleaseError` if this version cannot be released from this checkout."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is no version: 1.1.0, 1.1.0rc1")
    if git(root, "status", "--porcelain"):
        raise ReleaseError(
            "there are changes that are not committed: commit them, or put them away"
        )
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if git(root, "tag", "--list", f"v{version}") or f"\n## {version} - " in changelog:
        raise ReleaseError(f"{version} was released before: choose the next version")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    limit = int(project["tool"]["pbem"]["statements"] * SLACK)
    if (count := count_statements(root)) > limit:
        raise ReleaseError(
            f"engine and pbem have {count} statements, the limit is {limit}: remove some, "
            "or raise `[tool.pbem] statements` in a commit that gives the reason"
        )


def count_statements(root: Path) -> int:
    """Count the statements of `engine` and `pbem`, docstrings excluded."""
    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for package in ("engine", "pbem")
        for path in (root / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


def write_version(root: Path, version: str) -> str:
    """Write version and date into the files and return the notes. Raises: ReleaseError."""
    project, changelog = root / "pyproject.toml", root / "CHANGELOG.md"
    settings = project.read_text(encoding="utf-8")
    (old,) = re.findall(r'^version = "(.+)"$', settings, re.MULTILINE)
    project.write_text(settings.replace(f'version = "{old}"', f'version = "{version}"', 1), "utf-8")
    install = root / "docs" / "install.md"
    if install.exists():  # names the file of the wheel
        page = install.read_text(encoding="utf-8")
        install.write_text(page.replace(f"pbem_cards-{old}-", f"pbem_cards-{version}-"), "utf-8")
    before, heading, after = changelog.read_text(encoding="utf-8").partition("## Unreleased\n")
    text, following, rest = after.partition("\n## ")
    if not heading or not text.strip():
        raise ReleaseError("CHANGELOG.md has nothing under `## Unreleased`: say what is new")
    day = SystemClock().now().date()
    below = f"\n{text.strip()}\n{following}{rest}"
    changelog.write_text(f"{before}{heading}\n## {version} - {day}\n{below}", encoding="utf-8")
    return f"PBEM {version}\n\n{text.strip()}\n"


def git(root: Path, *args: str) -> str:
    """Run git in a folder and return its output. Raises: ReleaseError."""
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"git {args[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def build(root: Path) -> Path:
    """Build sdist and wheel of a checkout and return their folder."""
    command = [sys.executable, "-m", "build", "--outdir", "dist", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"the packages cannot be built: {done.stderr[-2000:]}")
    return root / "dist"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make release", description="Make a release.")
    parser.add_argument("version", help="such as 1.1.0")
    parser.add_argument(
        "--really", action="store_true", help="commit and tag; else it is tried only"
    )
    given = parser.parse_args()
    try:
        said = main(ROOT, given.version, build, really=given.really)
    except ReleaseError as error:
        sys.exit(f"error: {error}")
    sys.stdout.write(said)
    lines = said.count("\n")
    if lines > ONE_SCREEN:
        sys.stdout.write(f"\nThe notes have {lines} lines; people read {ONE_SCREEN}.\n")
    done = (
        "is committed and tagged here; push it" if given.really else "was tried: nothing is changed"
    )
    sys.stdout.write(f"\nVersion {given.version} {done}.\n")
