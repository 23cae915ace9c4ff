"""Writes the pages that are behind the log, or all of them.

A page is behind if the version of its game or league, or the mark, is not that of its row in the table
`page`; that of a league or ladder, too, when a game of it is drawn, and that of a ladder when somebody
leaves it because time has passed. Rows are written after the files, so what a crash
interrupts is done again. A reply does nothing for pages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib import metadata
from itertools import takewhile
from typing import TypeAlias

import structlog

from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import UNFINISHED
from pbem.errors import ConfigError, LogError, UnknownStreamError, UpcastError
from pbem.sections import Pages
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import calendar_name, of_league, own_page_name
from pbem.service.pages import ladders, leagues, lists
from pbem.service.pages.drawn import Contest, Drawn, draw
from pbem.service.pages.files import INDEX, OF_PEOPLE, Folder
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.tables.pages import Written

log = structlog.get_logger(__name__)

Progress: TypeAlias = Callable[[int, int], None]

AT_ONCE = 40
"""Games of which pages are written before the lists are."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was done: games looked at, files that were written or removed, files that there are."""

    games: int
    changed: int
    files: int = 0


@dataclass(frozen=True, slots=True)
class _Page:
    """A game that was drawn; `drawn` is None if it has no page, `is_stopped` if it cannot go on."""

    game_id: GameId
    version: int
    players: tuple[str, ...]
    drawn: Drawn | None
    league: GameId | None = None
    ladder: str = ""
    is_stopped: bool = False


def catch_up(service: Service, should_stop: Callable[[], bool] = lambda: False) -> Built:
    """Write some of the pages that are behind; `games` is 0 if none was.

    Args:
        should_stop: asked before each game; what is left waits for the next time.

    Raises: ConfigError, the folder cannot be written.
    """
    section = service.config.pages
    if section is None:
        return Built(0, 0)
    folder, mark = Folder(section.folder), _mark(section, service)
    if not folder.has(INDEX):
        with service.store.unit_of_work() as uow:
            uow.pages.outdate()
        is_new = True
    else:
        is_new = False
    with service.store.reading() as uow:
        stale = uow.pages.stale(mark, AT_ONCE)
        behind = [*uow.pages.stale_leagues(mark), *uow.pages.stale_ladders(mark, service.now())]
        own = sorted(_own(service, uow.players.with_files()))
    if not stale and not behind and not is_new and own == folder.names(OF_PEOPLE):
        return Built(0, 0)
    with folder.alone():
        return _write(service, folder, mark, takewhile(lambda _: not should_stop(), stale))


def build(service: Service, progress: Progress = lambda _done, _total: None) -> Built:
    """Write every page, and remove those of games that have none.

    Args:
        progress: told the numbers of games done and of all, after each.

    Raises: ConfigError, there is no `[pages]`, or the folder cannot be written.
    """
    section = service.config.pages
    if section is None:
        raise ConfigError("there are no pages: add a section [pages] with folder and url")
    folder, mark = Folder(section.folder), _mark(section, service)
    with folder.alone():
        with service.store.unit_of_work() as uow:
            uow.pages.outdate()
        with service.store.reading() as uow:
            stale = uow.pages.stale(mark)
        return _write(
            service, folder, mark, stale, lambda done: progress(done, len(stale)), is_all=True
        )


def _write(
    service: Service,
    folder: Folder,
    mark: str,
    stale: Iterable[GameId],
    progress: Callable[[int], None] = lambda _done: None,
    *,
    is_all: bool = False,
) -> Built:
    """Write the files of games, leagues and ladders, the lists, then remove what is gone, then note it all."""
    made: list[_Page] = []
    changed = 0
    names: set[str] = set()
    for done, game_id in enumerate(stale, 1):
        page = _drawn(service, game_id)
        if page.drawn is not None:
            for name, data in zip(_names(game_id), (page.drawn.page, page.drawn.feed), strict=True):
                changed += folder.write(name, data)
                names.add(name)
            page = replace(page, drawn=Drawn(b"", b"", page.drawn.told))
        made.append(page)
        progress(done)
    has_ended = is_all or any(
        one.drawn is None or one.drawn.told["ended"] is not None for one in made
    )
    with service.store.reading() as uow:
        listed, people = _with_pages(uow, made), uow.players.with_files()
        with_page = [one for one in people if one.has_page]
        has_ended = has_ended or not folder.has(INDEX)
        contests = _contests(uow, mark, made, listed, service.now())
        for contest in contests:
            if contest.data is not None:
                changed += folder.write(contest.name, contest.data)
                names.add(contest.name)
        told = {**uow.pages.contests(), **{one.id: one.told for one in contests}}
        of_ladders = ladders.titles(told)
        for name, data in lists.files(service, uow, listed, with_page, told, has_ended=has_ended):
            changed += folder.write(name, data)
            names.add(name)
        own = _own(service, people)
        for name, player in own.items():
            changed += folder.write(name, _of_person(service, uow, name, listed, player))
    names |= own.keys()
    changed += sum(folder.remove(name) for name in folder.names(OF_PEOPLE) if name not in own)
    gone = [name for one in made if one.drawn is None for name in _names(one.game_id)]
    gone += [one.name for one in contests if one.data is None]
    gone += set(folder.names(["ladder"])).difference(name for name, _ in of_ladders)
    written = ("running", "players", "finished") if has_ended else ("running", "players")
    gone += [one for one in folder.names([""]) if one.startswith(written) and one not in names]
    changed += sum(folder.remove(name) for name in gone)
    if is_all:
        changed += sum(folder.remove(name) for name in folder.names() if name not in names)
    with service.store.unit_of_work() as uow:
        for one in made:
            uow.pages.keep(
                one.game_id, one.version, mark, None if one.drawn is None else one.drawn.told
            )
            if one.is_stopped:
                games.note_stopped(service, uow, one.game_id)
        for contest in contests:
            uow.pages.keep(contest.id, contest.version, mark, contest.told)
    log.info("pages written", action="pages_written", games=len(made), changed=changed)
    return Built(len(made), changed, len(names))


def _contests(
    uow: UnitOfWork, mark: str, made: Sequence[_Page], listed: Sequence[Written], at: datetime
) -> list[Contest]:
    """Draw the leagues and ladders that are behind, and those of games that were drawn."""
    of_leagues = {one.league for one in made if one.league is not None}
    drawn = leagues.draw(uow, sorted({*uow.pages.stale_leagues(mark), *of_leagues}), listed)
    of_ladders = {one.ladder for one in made if one.ladder}
    behind = sorted({*uow.pages.stale_ladders(mark, at), *of_ladders})
    return [*drawn, *ladders.draw(uow, behind, listed, at)]


def _own(service: Service, people: Iterable[Player]) -> dict[str, Player]:
    """Return the files that people want, by name."""
    own = {own_page_name(one): one for one in people if one.has_page}
    return own | {calendar_name(service, one): one for one in people if one.has_calendar}


def _of_person(
    service: Service, uow: UnitOfWork, name: str, listed: Sequence[Written], player: Player
) -> bytes:
    if name == own_page_name(player):
        return lists.of_person(service, uow, listed, player)
    return lists.calendar(service, uow, player)


def _names(game_id: GameId) -> tuple[str, str]:
    return f"game/{game_id}.html", f"game/{game_id}.xml"


def _with_pages(uow: UnitOfWork, made: Sequence[_Page]) -> list[Written]:
    """List the games that have a page now, by id."""
    found = {one.game_id: one for one in uow.pages.written()}
    for one in made:
        found.pop(one.game_id, None)
        if one.drawn is not None:
            found[one.game_id] = Written(one.game_id, one.drawn.told, one.players)
    return [found[game_id] for game_id in sorted(found)]


def _drawn(service: Service, game_id: GameId) -> _Page:
    """Draw a game; one whose log is damaged or gone has no page."""
    with service.store.reading() as uow:
        try:
            game = games.load(uow, game_id)
            drawn = draw(service, uow, game)
        except (LogError, UpcastError, UnknownStreamError) as error:
            log.error("game not drawn", action="log_broken", game=game_id, error=str(error))
            row = uow.projections.game(game_id)
            is_stopped = row is not None and row.status in UNFINISHED
            return _Page(
                game_id, 0 if row is None else row.version, (), None, is_stopped=is_stopped
            )
    players = tuple(seat.player for seat in game.seats)
    ladder = game.ruleset.id.name if game.is_challenge else ""
    return _Page(game_id, game.version, players, drawn, of_league(game), ladder)


def _mark(section: Pages, service: Service) -> str:
    """Return what all pages depend on beside their games: the program, the folder, the address."""
    service_section = service.config.service
    parts = (
        _design(),
        str(section.folder),
        section.url,
        service_section.name,
        service_section.domain,
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@cache
def _design() -> str:
    """Return a digest of the program's version and its templates."""
    digest = hashlib.sha256(metadata.version("pbem-cards").encode())
    for file in sorted(resources.templates_dir().rglob("*.*")):
        digest.update(file.read_bytes() if file.is_file() else b"")
    return digest.hexdigest()
