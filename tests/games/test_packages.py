"""Test games in separate packages: discovery, caching, and broken packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import packages, registry
from engine.errors import SetupError
from pbem.games.profile import GameProfile, profile_of
from pbem.language import catalog
from tools import new_game

PROJECT = """
[project]
name = "pbem-{name}"
version = "1.0"
[project.entry-points."pbem.games"]
{name} = "pbem_{name}:GAME"
"""
BRINGS = """
from pathlib import Path
from engine.phyliss.rules import Phyliss
from engine.api import RulesetId
from pbem.games.profile import Game

class Own(Phyliss):
    id = RulesetId("{ruleset}", 1)

GAME = Game((Own(),), folder=Path(__file__).parent)
"""
PACKAGES = {
    "broken": "import nothing_of_this_name",
    "exits": "import sys; sys.exit('no cards here')",
    "hangs": "import time; time.sleep(3600)",
    "interrupts": "raise KeyboardInterrupt",
    "bare": "from pbem.games.profile import Game; GAME = Game(())",
    "shadow": BRINGS.format(ruleset="phyliss"),
    "slash": BRINGS.format(ruleset="../up"),
    "silent": """
class Silent(Exception):
    def __str__(self):
        raise SystemExit

raise Silent
""",
    "string": "GAME = 'no game at all'",
    "talks": "import sys; print('heard', flush=True); print('heard', file=sys.stderr); sys.stdout.close()",
    "tidy": BRINGS.format(ruleset="tidy"),
    "twin": BRINGS.format(ruleset="tidy"),
}
CATALOG = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Tidy up"\nmsgstr "Räum auf"\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which good and bad packages are installed."""
    top = tmp_path_factory.mktemp("packages")
    for name, code in PACKAGES.items():
        source = top / "sources" / name
        (source / f"pbem_{name}").mkdir(parents=True)
        (source / f"pbem_{name}" / "__init__.py").write_text(code, encoding="utf-8")
        (source / "pyproject.toml").write_text(PROJECT.format(name=name), encoding="utf-8")
        new_game.install(source, top / "place")
    folder = top / "place/pbem_tidy/locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "pbem.po").write_text(CATALOG, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, new_game.on_path(top / "place"):
        patch.setattr(packages, "MAX_SECONDS", 5.0)
        yield top / "place"


def test_packages_are_loaded_when_somebody_asks_and_once(place: Path) -> None:
    assert registry.installed() is registry.installed()
    with new_game.on_path(place / "nothing"):
        for name in [name for name in sys.modules if name == "pbem_tidy"]:
            del sys.modules[name]
    assert "pbem_tidy" not in sys.modules
    assert "tidy" in registry.names()
    assert "pbem_tidy" in sys.modules


def test_a_package_that_cannot_be_used_says_why_and_stops_nothing(place: Path) -> None:
    faults = {one.name: one.fault for one in registry.installed()}
    assert faults == {
        "bare": "brings no ruleset",
        "broken": "ModuleNotFoundError: No module named 'nothing_of_this_name'",
        "exits": "SystemExit: no cards here",
        "hangs": "its code did not return within 5 seconds",
        "interrupts": "KeyboardInterrupt:",
        "shadow": "another package brings phyliss already",
        "slash": "cannot be called '../up'",
        "silent": "Silent: its text cannot be read",
        "string": "AttributeError: 'str' object has no attribute 'rulesets'",
        "talks": "AttributeError: module 'pbem_talks' has no attribute 'GAME'",
        "tidy": "",
        "twin": "another package brings tidy already",
    }
    assert registry.names() == (*dict.fromkeys(one.id.name for one in registry.RULESETS), "tidy")
    assert registry.find("tidy").id.version == 1
    with pytest.raises(SetupError, match=r"there is no game .bare."):
        registry.find("bare")


def test_no_output_of_a_package_reaches_ours(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would break JSON and could move the cursor of a terminal."""
    with new_game.on_path(place / "nothing"):
        sys.modules.pop("pbem_talks", None)
    assert "talks" in {package.name for package in registry.installed()}
    print("ours")  # noqa: T201  (the output is still open)
    assert capsys.readouterr() == ("ours\n", "")


def test_a_package_is_known_by_name_and_version(place: Path) -> None:
    assert {one.name: one.pin for one in registry.installed()} == {
        name: f"pbem-{name}==1.0" for name in PACKAGES
    }


def test_a_game_without_a_face_has_the_plain_one(place: Path) -> None:
    assert profile_of("tidy") == GameProfile()


def test_a_catalog_adds_what_only_its_game_says(place: Path) -> None:
    """It cannot change what the program says."""
    german = catalog("de")
    assert german.gettext("Tidy up") == "Räum auf"
    assert german.gettext("The table:") == "Der Tisch:"
    assert german.gettext("nobody translated this") == "nobody translated this"


def test_a_catalog_that_cannot_be_read_leaves_its_game_in_english(place: Path) -> None:
    file = place / "pbem_tidy/locale/de/LC_MESSAGES/pbem.po"
    file.write_bytes(b'msgid "\xff\xfe"\nmsgstr "\xff"\n')
    catalog.cache_clear()
    try:
        assert catalog("de").gettext("The table:") == "Der Tisch:"
        assert catalog("de").gettext("Tidy up") == "Tidy up"
    finally:
        file.write_text(CATALOG, encoding="utf-8")
        catalog.cache_clear()
