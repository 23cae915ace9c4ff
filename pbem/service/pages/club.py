"""Generate the pages of a service from the log on request.

`page` generates the page with a name, and `names` lists all names except those of games' pages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import (
    calendar_name,
    ladder_page_name,
    league_page_name,
    own_page_name,
)
from pbem.service.pages import ladders, leagues, lists
from pbem.service.pages.drawn import Listed, draw, listed
from pbem.service.pages.files import NAME
from pbem.show import site
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

log = structlog.get_logger(__name__)

MAX_ENTRIES: Final = 5000
Entries: TypeAlias = dict[str, Listed | None]
"""Cache of games' list entries by the hash of the last event, or None for a game without a page.

The caller that generates pages keeps it, so that only games that have changed are read.
"""


@dataclass(frozen=True, slots=True)
class Club:
    """The games, people and leagues that pages show now.

    Attributes:
        rows: the games with a page and their lines in lists.
        games: the entries of these games, by ID.
        ladders: the rulesets with a challenge that has a page.
        people: players with their own page or calendar.
    """

    rows: list[lists.Row]
    games: dict[GameId, Listed]
    leagues: list[leagues.Shown]
    ladders: list[str]
    people: list[Player]


def read(uow: UnitOfWork, entries: Entries) -> Club:
    """Read all games, leagues, ladders and people that pages show.

    Args:
        entries: cache of list entries from earlier calls, which is extended.
    """
    shown: dict[GameId, Listed] = {}
    rulesets = set()
    for game_id, ruleset, is_challenge in uow.pages.games():
        try:
            game = _listed(uow, game_id, entries)
        except (LogError, UpcastError, UnknownStreamError) as error:
            log.error("game not drawn", action="log_broken", game=game_id, error=str(error))
            continue
        if game is not None:
            shown[game_id] = game
            rulesets |= {ruleset} if is_challenge else set()
    of_leagues = (leagues.read(uow, row, shown) for row in uow.leagues.every())
    return Club(
        lists.rows(uow, shown.values()),
        shown,
        [league for league in of_leagues if league is not None],
        sorted(rulesets),
        uow.players.with_files(),
    )


def _listed(uow: UnitOfWork, game_id: GameId, entries: Entries) -> Listed | None:
    _, head = uow.events.sealed_head(game_id)
    if head not in entries:
        if len(entries) >= MAX_ENTRIES:
            entries.clear()
        entries[head] = listed(uow, games.load(uow, game_id))
    return entries[head]


def names(service: Service, club: Club) -> Iterator[str]:
    """Yield the names of all pages, feeds and calendars, except those of games."""
    yield from (page.name for page in _list_pages(service, club))
    yield from (lists.CLUB_FEED, lists.STANDINGS)
    yield from (league_page_name(shown.league.terms.name) for shown in club.leagues)
    yield from map(ladder_page_name, club.ladders)
    yield from (own_page_name(player) for player in club.people if player.has_page)
    yield from (calendar_name(service, player) for player in club.people if player.has_calendar)


def page(service: Service, uow: UnitOfWork, name: str, club: Club | None = None) -> bytes | None:
    """Generate a page, a feed or a calendar by its file name. None if it does not exist.

    Args:
        club: as read in the same unit of work. None reads it if the page needs it.

    Raises: LogError or UpcastError if the log of a game cannot be read.
    """
    if NAME.fullmatch(name) is None:
        return None
    folder, _, file = name.rpartition("/")
    stem, _, ending = file.rpartition(".")
    if folder == "game":
        return _of_game(service, uow, stem, ending)
    if folder == "calendar":
        people = uow.players.with_files()
        own = (one for one in people if one.has_calendar and calendar_name(service, one) == name)
        player = next(own, None)
        return None if player is None else lists.calendar(service, uow, player)
    club = read(uow, {}) if club is None else club
    match folder:
        case "league":
            shown = {league_page_name(one.league.terms.name): one for one in club.leagues}.get(name)
            return None if shown is None else leagues.page(service, uow, shown)
        case "ladder":
            is_known = ladder_page_name(stem) == name and stem in club.ladders
            return ladders.page(uow, stem, club.games, service.now()) if is_known else None
        case "player":
            own = (one for one in club.people if one.has_page and own_page_name(one) == name)
            player = next(own, None)
            return None if player is None else lists.of_person(uow, club.rows, player)
        case "":
            return _of_club(service, club, name)
        case _:
            return None


def _of_game(service: Service, uow: UnitOfWork, stem: str, ending: str) -> bytes | None:
    try:
        drawn = draw(service, uow, games.load(uow, GameId(stem)))
    except UnknownStreamError:
        return None
    made = {} if drawn is None else {"html": drawn.page, "xml": drawn.feed}
    return made.get(ending)


def _of_club(service: Service, club: Club, name: str) -> bytes | None:
    if name == lists.CLUB_FEED:
        return lists.club_feed(service, club.rows, leagues.entries(service, club.leagues))
    if name == lists.STANDINGS:
        return lists.club_standings(service, club.rows)
    shown = (one for one in _list_pages(service, club) if one.name == name)
    found = next(shown, None)
    return None if found is None else site.list_page(found, resources.templates_dir())


def _list_pages(service: Service, club: Club) -> Iterator[site.ListPage]:
    contests = [*leagues.titles(club.leagues), *ladders.titles(club.ladders)]
    with_page = [player for player in club.people if player.has_page]
    return lists.pages(service.config.service.name, club.rows, with_page, contests)


def etag(data: bytes) -> str:
    """Return the HTTP entity tag of a page."""
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'
