"""Build the packages and use them without a checkout: `python -m tools.package DIST`.

The wheel is built from the sdist and installed into a new virtual environment for each Python that
is found. Its commands run in an empty folder, in an environment without the checkout. The games in
`games/` and the one of docs/dev/new-ruleset.md are installed there as separate packages and played
by mail. The tests of Oh Hell run in a copy of its folder. Failures are printed, and the exit code is
1 if there were any.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.new_game import write

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PATIENCE = 1200
_KEPT = ("PIP_", "HTTP", "SSL_", "UV_", "no_proxy", "http")
_INIT = (
    *("init", "--address", "game@play.example.org", "--smtp-host", "127.0.0.1"),
    *("--smtp-security", "none", "--smtp-port", "2526", "--json"),
)
_GERMAN = (
    "from pbem.language import translate; from engine.sentences import sentence;"
    "told = sentence('A rematch can be asked for when this game is over.');"
    "assert translate(told, 'de') != str(told)"
)


class UsageError(Exception):
    """A package does not do what it should."""


def main(dist: Path) -> None:
    """Build the packages and test them with every Python. Raises: UsageError."""
    shutil.rmtree(dist, ignore_errors=True)
    run([sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)], ROOT, os.environ.copy())
    expect_again(dist)
    (wheel,) = dist.glob("*.whl")
    pythons = {version: python for version in PYTHONS if (python := find_python(version))}
    say(f"built {wheel.name}; Python {', '.join(pythons)} found")

    def tried(python: str) -> None:
        with tempfile.TemporaryDirectory(prefix="pbem-package-") as folder:
            try_out(wheel, python, Path(folder))

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each test is mostly sequential
        for version, _ in zip(pythons, pool.map(tried, pythons.values()), strict=True):
            say(f"ok  Python {version}")
    expect_claims(list(pythons))


def expect_again(dist: Path) -> None:
    """Check that a build in another folder, time zone and umask has the same bytes.

    Raises: UsageError.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-again-") as folder:
        (sdist,) = dist.glob("*.tar.gz")
        run(["tar", "xzf", str(sdist), "--strip-components=1"], Path(folder), os.environ.copy())
        again = ["sh", "-c", f"umask 077; exec '{sys.executable}' -m build --outdir again ."]
        run(again, Path(folder), os.environ | {"TZ": "Asia/Tokyo"})
        for file in sorted(dist.iterdir()):
            same = (Path(folder) / "again" / file.name).read_bytes() == file.read_bytes()
            expect(same, f"{file.name} is the same when it is built again", "")
    say("ok  built again elsewhere: the same bytes")


def find_python(version: str) -> str | None:
    """Find an interpreter, on the path or in pyenv. Return None if there is none."""
    homes = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*"))
    for path in [shutil.which(f"python{version}"), *(str(home / "bin/python3") for home in homes)]:
        if path is None:
            continue
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and f"Python {version}." in asked.stdout:
            return path
    return None


def install(wheel: Path, python: str, folder: Path) -> tuple[Path, dict[str, str]]:
    """Install the wheel for one Python into a new virtual environment `folder/venv`.

    Return an empty folder in which to run its commands, and their environment variables, which do
    not lead to the checkout. Raises: UsageError.
    """
    home, there = folder / "home", folder / "there"
    home.mkdir()
    there.mkdir()
    env = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
    env |= {"HOME": str(home), "PATH": f"{folder / 'venv/bin'}:/usr/bin:/bin", "LANG": "C.UTF-8"}
    env["CI"] = "true"
    run([python, "-m", "venv", str(folder / "venv")], there, env)
    run([str(folder / "venv/bin/pip"), "install", "--quiet", str(wheel)], there, env)
    return there, env


def play(pbem: str, there: Path, env: dict[str, str]) -> None:
    """Play a whole game and verify it. Raises: UsageError."""
    said = run([pbem, "demo"], there, env)
    expect("Verified: the game" in said, "a whole demonstration", said[-2000:])


def try_out(wheel: Path, python: str, folder: Path) -> None:
    """Install the wheel for one Python and run its commands. Raises: UsageError."""
    there, env = install(wheel, python, folder)
    inside, pbem = str(folder / "venv/bin/python"), str(folder / "venv/bin/pbem")
    run([pbem, *_INIT], there, env)
    expect((there / "pbem.toml").exists(), "pbem init writes its file", "")
    expect((folder / "venv/share/man/man1/pbem.1").exists(), "the manual page is installed", "")
    players = ("-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org")
    run([pbem, "game", "new", "phase10", *players, "--json"], there, env)
    expect("ten phases" in run([pbem, "rules", "phase10"], there, env), "the rules", "")
    run([pbem, "db", "check"], there, env)
    run([inside, "-c", _GERMAN], there, env)
    asked = env | {"_PBEM_COMPLETE": "complete_bash", "COMP_WORDS": "pbem ga", "COMP_CWORD": "1"}
    output = run([pbem], there, asked)
    expect(output.split() == ["game", "games"], "completion in bash", output)
    run([inside, "-c", "import pbem.demo.window, pbem.web.server"], there, env)
    play(pbem, there, env)
    try_games(inside, pbem, there, env)


def try_games(inside: str, pbem: str, there: Path, env: dict[str, str]) -> None:
    """Install games as separate packages and play them by mail. Raises: UsageError."""
    write(there / "high-card")
    for source, name in ((ROOT / "games" / "oh-hell", "ohhell"), (there / "high-card", "highcard")):
        run([inside, "-m", "pip", "install", "--quiet", str(source)], there, env)
        listed = run([pbem, "games", "--json"], there, env)
        expect(f'"ruleset": "{name}"' in listed, f"{name} is listed", listed)
        output = run([pbem, "demo", "--game", name], there, env)
        expect("Verified: the game" in output, f"a game of {name} by mail", output[-2000:])
    shutil.copytree(ROOT / "games" / "oh-hell", there / "oh-hell")
    run([inside, "-m", "pip", "install", "--quiet", "pytest", "hypothesis"], there, env)
    run([inside, "-m", "pytest", "-q", str(there / "oh-hell")], there, env)
    run([inside, "-m", "pip", "uninstall", "--quiet", "--yes", "pbem-highcard"], there, env)
    listed = run([pbem, "games", "--json"], there, env)
    expect("highcard" not in listed, "what is uninstalled is gone", listed)


def expect_claims(found: Sequence[str]) -> None:
    """Check that the classifiers name only tested Python versions. Raises: UsageError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "Programming Language :: Python :: 3."
    claimed = {"3." + c.removeprefix(prefix) for c in project["classifiers"] if prefix in c}
    untried = sorted(claimed - set(found))
    if untried:
        say(f"NOT TESTED: Python {', '.join(untried)}, which the classifiers name, is not here")


def run(command: Sequence[str], cwd: Path, env: dict[str, str], expected: int = 0) -> str:
    """Run a command and return its output. Raises: UsageError."""
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    printed = done.stdout + done.stderr
    if done.returncode != expected:
        raise UsageError(f"{' '.join(command)} gave {done.returncode}:\n{printed[-3000:]}")
    return printed


def expect(held: bool, what: str, printed: str) -> None:
    """Raise `UsageError` with a command's output unless the condition `held`."""
    if not held:
        raise UsageError(f"not as it should be: {what}\n{printed}")


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve())
    except UsageError as error:
        sys.exit(str(error))
