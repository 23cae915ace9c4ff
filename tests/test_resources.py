"""Test that the program's resources are found, installed or in a checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import resources
from pbem.errors import ConfigError


def test_checkout():
    """In a checkout the files lie beside the packages."""
    assert (resources.templates_dir() / "email" / "letters" / "help" / "body.txt").is_file()
    assert resources.config_example().is_file()
    assert resources.migrations_dir().is_dir()


def test_installed_comes_first(tmp_path: Path):
    """What an installed package brings along wins over a folder that happens to lie beside it."""
    package = tmp_path / "site-packages" / "pbem"
    (package / "_data" / "templates").mkdir(parents=True)
    (package.parent / "templates").mkdir()
    assert resources.find("templates", package=package) == package / "_data" / "templates"


def test_missing(tmp_path: Path):
    """A damaged installation is named as such."""
    with pytest.raises(ConfigError, match="migrations is missing"):
        resources.find("migrations", package=tmp_path / "pbem")
