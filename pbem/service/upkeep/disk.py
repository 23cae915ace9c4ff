"""How much room the disk of the database has left: a full one stops every game."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from pbem.service.core.context import Service

SHARE = 0.05
LEAST, ENOUGH = 200_000_000, 1_000_000_000
"""Bytes: less is trouble on every disk, more on none, however small a share of it that is."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is left on a disk, in bytes.

    Attributes:
        folder: of the database.
        total: the size of the disk.
    """

    folder: Path
    free: int
    total: int

    @property
    def is_short(self) -> bool:
        """Whether somebody has to make room soon."""
        return self.free < max(LEAST, min(ENOUGH, SHARE * self.total))


def database_file(service: Service) -> Path | None:
    """Return the file of a SQLite database; None for PostgreSQL."""
    url = service.store.db_engine.url
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def room(service: Service) -> Room | None:
    """Look at the disk of a SQLite database; None for PostgreSQL, or where it cannot be looked at."""
    file = database_file(service)
    if file is None:
        return None
    try:
        usage = shutil.disk_usage(file.parent)
    except OSError:
        return None
    return Room(file.parent, usage.free, usage.total)


def told(found: Room) -> str:
    """Say how much room there is, for people."""
    return f"{found.folder}: {found.free / 1e9:.1f} GB are free of {found.total / 1e9:.0f} GB"
