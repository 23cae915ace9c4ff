"""Pages about several games: the list of games, standings, the club's feed, players' files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TypeVar

from engine import registry
from engine.sentences import sentence
from pbem import resources
from pbem.domain.log.chain import GameId
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.ics import CalendarEntry, calendar_file
from pbem.service.core.context import Service
from pbem.service.core.names import own_page_name, page_address
from pbem.service.league import ratings
from pbem.service.pages import standings
from pbem.service.pages.drawn import Listed, line_of, names_at, tag
from pbem.service.pages.files import INDEX
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.tables.pages import Due

PER_PAGE, NEWEST = 80, 12
"""Games, or players, on one page of the list; finished games on its first page."""
MAX_RATED, MAX_ENTRIES = 200, 40
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
        part = site.Part("Running games", _lines(batch))
        yield site.ListPage(title, f"running-{number}.html", (part,), ())
    if len(over) > NEWEST:
        for number, batch in enumerate(ended, 1):
            part = site.Part("Finished", _lines(batch))
            yield site.ListPage(title, f"finished-{number}.html", (part,), ())


def _ended(row: Row) -> tuple[datetime, GameId]:
    return row.since, row.game.game_id


def of_person(uow: UnitOfWork, games: Sequence[Row], player: Player) -> bytes:
    """Generate a player's page: ratings, running games, and the most recently finished games."""
    own = [row for row in games if player.id in row.game.players]
    over = sorted((row for row in own if row.line.result), key=_ended)
    running = [row for row in own if not row.line.result]
    rated = uow.standings.rated([player.id], None)
    facts = [
        f"{registry.title_of(one.ruleset) if one.ruleset else 'All games'}: rating {one.rating.mu:.1f} ± {one.rating.sigma:.1f}"
        f" after {one.games} {'game' if one.games == 1 else 'games'}"
        for one in rated
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
                uid=f"{one.game_id}.{one.seat}@{service.message_domain}",
                sequence=one.version,
                stamped_at=one.set_at,
                due_at=one.due_at,
                summary=_summary(uow, one, player),
                organizer=service.own_address,
            )
            for one in uow.pages.due(player.id)
        ),
        name=service.config.service.name,
    )


def _summary(uow: UnitOfWork, due: Due, player: Player) -> str:
    row = uow.projections.game(due.game_id)
    title = "" if row is None else registry.title_of(row.ruleset)
    seats = uow.projections.seats(due.game_id)
    about = texts.game_name(title, names_at(uow, [one.player_id for one in seats]), due.seat)
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
            entries=list(islice(entries, MAX_ENTRIES)),
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
