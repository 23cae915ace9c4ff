"""Write all pages into a folder, for a web server that serves files.

`pbem pages build` calls `build`, and so does `pbem serve` whenever `stamp` has changed. Files are
replaced atomically, and only if their content differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import structlog

from pbem.domain.log.chain import GameId
from pbem.errors import ConfigError, LogError, UnknownStreamError, UpcastError
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.pages import club
from pbem.service.pages.drawn import draw
from pbem.service.pages.files import Folder

log = structlog.get_logger(__name__)

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """Counts of a run: games examined, files written or removed, and files in total."""

    games: int
    changed: int
    files: int = 0


def stamp(service: Service) -> tuple[object, ...]:
    """Return values that change whenever the content of pages does.

    They also change every hour, because the ranking of ladders depends on the time.
    """
    with service.store.reading() as uow:
        return (*uow.pages.stamp(), *uow.players.with_files(), f"{service.now():%d %H}")


def build(
    service: Service,
    progress: Progress = lambda _done, _total: None,
    should_stop: Callable[[], bool] = lambda: False,
    entries: club.Entries | None = None,
) -> Built:
    """Write every page, and remove the files of pages that no longer exist.

    Args:
        progress: called after each game with the number of games done and the total.
        should_stop: called before each game. If it returns True, the remaining files do not change.
        entries: cache of list entries from earlier builds, which is extended, or None for no cache.

    Raises: ConfigError if there is no `[pages] folder` or it cannot be written.
    """
    section = service.config.pages
    if section is None:
        raise ConfigError("there are no pages: add a section [pages] with folder and url")
    if section.folder is None:
        raise ConfigError("[pages] has no folder to write to")
    folder = Folder(section.folder)
    with folder.alone():
        with service.store.reading() as uow:
            ids = [game_id for game_id, _, _ in uow.pages.games()]
        names: set[str] = set()
        changed = 0
        for done, game_id in enumerate(ids, 1):
            if should_stop():
                return Built(done - 1, changed)
            for name, data in _of_game(service, game_id):
                changed += folder.write(name, data)
                names.add(name)
            progress(done, len(ids))
        with service.store.reading() as uow:
            seen = club.read(uow, {} if entries is None else entries)
            for name in club.names(service, seen):
                changed += folder.write(name, club.page(service, uow, name, seen) or b"")
                names.add(name)
        changed += sum(folder.remove(name) for name in folder.names() if name not in names)
    log.info("pages written", action="pages_written", games=len(ids), changed=changed)
    return Built(len(ids), changed, len(names))


def _of_game(service: Service, game_id: GameId) -> list[tuple[str, bytes]]:
    """Generate the files of a game, as name and data.

    The list is empty if the game has no page, or its log is damaged or missing.
    """
    with service.store.reading() as uow:
        try:
            drawn = draw(service, uow, games.load(uow, game_id))
        except (LogError, UpcastError, UnknownStreamError):
            return []
    if drawn is None:
        return []
    return [(f"game/{game_id}.html", drawn.page), (f"game/{game_id}.xml", drawn.feed)]
