"""Data files: templates, migrations, the example configuration.

In an installed package they are in `pbem/_data/`. In a checkout or an editable install they are in
the root of the repository.
"""

from __future__ import annotations

from pathlib import Path

from pbem.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parent


def find(name: str, *, package: Path = _PACKAGE) -> Path:
    """Return the path of a data file or folder of the program.

    Args:
        name: `templates`, `migrations` or `config.example.toml`.
        package: the folder of the package `pbem`. Only tests pass another folder.

    Raises:
        ConfigError: it is missing, so the installation is damaged.
    """
    for folder in (package / "_data" / name, package.parent / name):
        if folder.exists():
            return folder
    raise ConfigError(
        f"{name} is missing: neither in {package / '_data'} nor beside the package; "
        "install the program again"
    )


def templates_dir() -> Path:
    """Return the folder of the templates. Its subfolder `email` has those of messages."""
    return find("templates")


def migrations_dir() -> Path:
    """Return the folder of the database migrations."""
    return find("migrations")


def config_example() -> Path:
    """Return the path of the example configuration, which documents every setting."""
    return find("config.example.toml")
