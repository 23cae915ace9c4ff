"""Files in the folder of a web server. They are replaced atomically, and only if they differ."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.errors import ConfigError

INDEX = "index.html"
OURS = b'<meta name="generator" content="pbem">'
"""Part of the list of games, which identifies a folder as ours. Other index files are kept."""
NAME = re.compile(
    r"(?:(?:game/)?[a-z0-9]{1,64}(?:-[0-9]{1,9})?\.(?:html|xml)"
    r"|player/[a-z0-9]{1,64}\.html|league/[a-z][a-z0-9-]{1,19}\.html|ladder/[a-z0-9][a-z0-9_-]{0,63}\.html|calendar/[a-z2-7]{32}\.ics)"
)
_FOLDERS = ("game", "league", "ladder", "player", "calendar")
_READABLE = 0o644
_UNFINISHED = ".writing"


class Folder:
    """The folder of the pages."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, name: str, data: bytes) -> bool:
        """Write a file atomically. Return False if it has this content already.

        Raises: ConfigError if the folder cannot be written.
        """
        path = self._path_of(name)
        with suppress(OSError):
            if path.read_bytes() == data:
                return False
        beside = path.with_name(f".{path.name}.{os.getpid()}{_UNFINISHED}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                file.write(data)
                os.fchmod(file.fileno(), _READABLE)
            beside.replace(path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise ConfigError(f"[pages] folder: {path}: {error.strerror}") from None
        return True

    def remove(self, name: str) -> bool:
        """Remove a file. Return False if it does not exist. Raises: ConfigError."""
        try:
            self._path_of(name).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise ConfigError(f"[pages] folder: {self._path_of(name)}: {error.strerror}") from None
        return True

    def names(self) -> list[str]:
        """List the names of the files that are ours."""
        files = [file for folder in ("", *_FOLDERS) for file in (self._path / folder).glob("*.*")]
        names = [file.relative_to(self._path).as_posix() for file in files]
        return sorted(name for name in names if NAME.fullmatch(name))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder for the duration of the context, waiting for other processes.

        Raises: ConfigError if the folder cannot be written or contains files that are not ours.
        """
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ConfigError(f"[pages] folder: {self._path}: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            index = self._path_of(INDEX)
            if index.is_file() and OURS not in index.read_bytes():
                raise ConfigError(
                    f"[pages] folder: {index} is not ours: name a folder that is empty or missing"
                )
            self.tidy()
            yield
        finally:
            os.close(lock)

    def tidy(self) -> None:
        """Remove temporary files of processes that ended while writing."""
        for folder in ("", *_FOLDERS):
            for file in (self._path / folder).glob(f".*{_UNFINISHED}"):
                with suppress(OSError):
                    file.unlink()

    def _path_of(self, name: str) -> Path:
        if NAME.fullmatch(name) is None:
            raise ValueError(f"not a name of a page: {name!r}")
        return self._path / name
