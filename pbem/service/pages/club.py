"""Generate the pages of a service from the log on request.

`page` generates the page with a name, and `names` lists all names except those of games' pages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Final, TypeAlias, TypeVar

import structlog

from engine import registry
from engine.sentences import sentence
from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.ics import CalendarEntry, calendar_file
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import (
    calendar_name,
    ladder_page_name,
    league_page_name,
    own_page_name,
    page_address,
)
from pbem.service.league import ratings
from pbem.service.pages import leagues, standings
from pbem.service.pages.drawn import Listed, draw, line_of, listed, names_at, tag
from pbem.service.pages.files import INDEX, NAME
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.game_rows import Deadline

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

    rows: list[Row]
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
        rows(uow, shown.values()),
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
    yield from (CLUB_FEED, STANDINGS)
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
        own = (
            person
            for person in people
            if person.has_calendar and calendar_name(service, person) == name
        )
        player = next(own, None)
        return None if player is None else calendar(service, uow, player)
    club = read(uow, {}) if club is None else club
    match folder:
        case "league":
            shown = {league_page_name(row.league.terms.name): row for row in club.leagues}.get(name)
            return None if shown is None else leagues.page(service, uow, shown)
        case "ladder":
            is_known = ladder_page_name(stem) == name and stem in club.ladders
            return leagues.ladder_page(uow, stem, club.games, service.now()) if is_known else None
        case "player":
            own = (
                person
                for person in club.people
                if person.has_page and own_page_name(person) == name
            )
            player = next(own, None)
            return None if player is None else of_person(uow, club.rows, player)
        case "":
            return _of_club(service, club, name)
        case _:
            return None


def _of_game(service: Service, uow: UnitOfWork, stem: str, ending: str) -> bytes | None:
    try:
        drawn = draw(service, uow, games.load(uow, GameId(stem)))
    except UnknownStreamError:
        return None
    rendered = {} if drawn is None else {"html": drawn.page, "xml": drawn.feed}
    return rendered.get(ending)


def _of_club(service: Service, club: Club, name: str) -> bytes | None:
    if name == CLUB_FEED:
        return club_feed(service, club.rows, leagues.entries(service, club.leagues))
    if name == STANDINGS:
        return club_standings(service, club.rows)
    shown = (page_ for page_ in _list_pages(service, club) if page_.name == name)
    match = next(shown, None)
    return None if match is None else site.list_page(match, resources.templates_dir())


def _list_pages(service: Service, club: Club) -> Iterator[site.ListPage]:
    contests = [*leagues.titles(club.leagues), *leagues.ladder_titles(club.ladders)]
    with_page = [player for player in club.people if player.has_page]
    return pages(service.config.service.name, club.rows, with_page, contests)


def etag(data: bytes) -> str:
    """Return the HTTP entity tag of a page."""
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'


# --- lists of games and people --------------------------------------------------------------------

PER_PAGE, NEWEST = 80, 12
"""Games, or players, on one page of the list; finished games on its first page."""
MAX_RATED, MAX_IN_FEED = 200, 40
"""People in the standings; entries of the feed."""
CLUB_FEED, STANDINGS = "feed.xml", "standings.html"
T = TypeVar("T")
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """A game that has a page, and its line in lists."""

    game: Listed
    line: site.Line

    @property
    def since(self) -> datetime:
        """Return the time at which the table last changed or the game ended."""
        return self.line.since or self.game.began


def rows(uow: UnitOfWork, games: Collection[Listed]) -> list[Row]:
    """Combine games with their lines in lists, which contain the players' names."""
    uow.players.preload([player for game in games for player in game.players])
    return [Row(game, line_of(game, names_at(uow, game.players))) for game in games]


def pages(
    title: str,
    games: Sequence[Row],
    people: Sequence[Player],
    contests: Sequence[tuple[str, str]],
) -> Iterator[site.ListPage]:
    """Yield the pages of the list in order.

    Running games are sorted by deadline. Pages of finished games are numbered from the oldest games
    on, so that a full page never changes.

    Args:
        title: title of the pages.
        people: players with their own page.
        contests: file names and titles of the pages of leagues and ladders.
    """
    names = texts.shown_names([player.name for player in people])
    own = [(own_page_name(player), name) for player, name in zip(people, names, strict=True)]
    own.sort(key=lambda page: (page[1].casefold(), page[0]))
    over = sorted((row for row in games if row.line.result), key=_ended)
    running = sorted(
        (row for row in games if not row.line.result),
        key=lambda row: (row.line.due is None, row.line.due or row.since, row.game.game_id),
    )
    later, named = list(_batches(running[PER_PAGE:])), list(_batches(own))
    ended = list(_batches(over))
    more = [
        (f"running-{number}.html", f"More running games ({number})")
        for number in range(2, len(later) + 2)
    ]
    if len(over) > NEWEST:
        more += [
            (
                f"finished-{number}.html",
                f"Finished {batch[0].since:%b %Y} to {batch[-1].since:%b %Y}",
            )
            for number, batch in reversed(list(enumerate(ended, 1)))
        ]
    more += [
        (f"players-{number}.html", f"More players ({number})")
        for number in range(2, len(named) + 1)
    ]
    yield site.ListPage(
        title,
        INDEX,
        (
            site.Part(
                "Running games", _lines(running[:PER_PAGE]), "No game is running.", len(running)
            ),
            site.Part(
                "Finished", _lines(over[: -NEWEST - 1 : -1]), "No game has ended yet.", len(over)
            ),
        ),
        more,
        people=named[0] if named else (),
        leagues=contests,
    )
    for number, players in enumerate(named[1:], 2):
        yield site.ListPage(title, f"players-{number}.html", (), (), people=players)
    for number, batch in enumerate(later, 2):
        section = site.Part("Running games", _lines(batch))
        yield site.ListPage(title, f"running-{number}.html", (section,), ())
    if len(over) > NEWEST:
        for number, batch in enumerate(ended, 1):
            section = site.Part("Finished", _lines(batch))
            yield site.ListPage(title, f"finished-{number}.html", (section,), ())


def _ended(row: Row) -> tuple[datetime, GameId]:
    return row.since, row.game.game_id


def of_person(uow: UnitOfWork, games: Sequence[Row], player: Player) -> bytes:
    """Generate a player's page: ratings, running games, and the most recently finished games."""
    own = [row for row in games if player.id in row.game.players]
    over = sorted((row for row in own if row.line.result), key=_ended)
    running = [row for row in own if not row.line.result]
    rated = uow.standings.rated([player.id], None)
    facts = [
        f"{registry.title_of(game.ruleset) if game.ruleset else 'All games'}: rating {game.rating.mu:.1f} ± {game.rating.sigma:.1f}"
        f" after {game.games} {'game' if game.games == 1 else 'games'}"
        for game in rated
    ]
    parts = (
        site.Part("Running games", _lines(running[:PER_PAGE]), "No game is running.", len(running)),
        site.Part(
            "Finished", _lines(over[: -PER_PAGE - 1 : -1]), "No game has ended yet.", len(over)
        ),
    )
    name = texts.shown_names([player.name])[0]
    page = site.ListPage(name, own_page_name(player), parts, (), facts=facts, home="../")
    return site.list_page(page, resources.templates_dir())


def calendar(service: Service, uow: UnitOfWork, player: Player) -> bytes:
    """Generate the calendar of a player's deadlines.

    Its entries have the same IDs as those attached to messages.
    """
    return calendar_file(
        *(
            CalendarEntry(
                uid=f"{row.game_id}.{row.seat}@{service.message_domain}",
                sequence=row.version,
                stamped_at=row.set_at,
                due_at=row.due_at,
                summary=_summary(uow, row, player),
                organizer=service.own_address,
            )
            for row in uow.pages.due(player.id)
        ),
        name=service.config.service.name,
    )


def _summary(uow: UnitOfWork, due: Deadline, player: Player) -> str:
    row = uow.projections.game(due.game_id)
    title = "" if row is None else registry.title_of(row.ruleset)
    seats = uow.projections.seats(due.game_id)
    about = texts.game_name(title, names_at(uow, [seat.player_id for seat in seats]), due.seat)
    return translate(sentence("Your turn in {game}", game=about), player.language)


def _batches(shown: Sequence[T]) -> Iterator[Sequence[T]]:
    return (shown[first : first + PER_PAGE] for first in range(0, len(shown), PER_PAGE))


def _lines(shown: Sequence[Row]) -> list[site.Line]:
    return [row.line for row in shown]


def club_feed(service: Service, games: Iterable[Row], of_leagues: Iterable[feed.Entry]) -> bytes:
    """Generate the feed of the club, newest first: starts and ends of games, rounds of leagues."""
    entries = [entry for row in games for entry in _entries(service, row)]
    entries += of_leagues
    entries.sort(key=lambda entry: (entry.at, entry.id), reverse=True)
    section = service.config.pages
    url = "" if section is None else section.url
    return feed.feed_file(
        feed.Feed(
            id=f"{tag(service, _BEGINNING)}:games",
            title=service.config.service.name,
            own=f"{url}/{CLUB_FEED}",
            link=f"{url}/{INDEX}",
            author=service.config.service.name,
            updated=_BEGINNING,
            entries=list(islice(entries, MAX_IN_FEED)),
        )
    )


def _entries(service: Service, row: Row) -> Iterator[feed.Entry]:
    game, line = row.game, row.line
    begin = f"{tag(service, game.began)}:{game.game_id}"
    page = page_address(service, game.game_id)
    title = f"{line.title} with {', '.join(line.players)}"
    yield feed.Entry(f"{begin}/began", f"{title} has begun", game.began, page)
    if line.result:
        yield feed.Entry(f"{begin}/ended", f"{title}: {line.result}", row.since, page)


def club_standings(service: Service, games: Iterable[Row]) -> bytes:
    """Generate the page with the ratings of the people who play in these games."""
    players = {player for row in games for player in row.game.players}
    report = ratings.report(service)
    rated = [rating for rating in report.standings if rating.player_id in players][:MAX_RATED]
    return standings.page(report, rated, home=INDEX).encode()
