"""What is about several games: the list of games, standings, the feed of the club, and a player's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TypeVar

from engine import registry
from engine.api import JsonValue
from engine.sentences import sentence
from pbem import resources
from pbem.domain.log.chain import GameId, parse_time
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.ics import CalendarEntry, calendar_file
from pbem.service.core.context import Service
from pbem.service.core.names import own_page_name, page_address
from pbem.service.league import ratings
from pbem.service.pages import ladders, leagues, standings
from pbem.service.pages.drawn import line_of, names_at, tag
from pbem.service.pages.files import INDEX
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.tables.pages import Due, Written

PER_PAGE, NEWEST = 80, 12
"""Games, or players, on one page of the list; finished games on its first page."""
MOST_RATED, MOST_ENTRIES = 200, 40
"""People in the standings; entries of the feed."""
CLUB_FEED, STANDINGS = "feed.xml", "standings.html"
T = TypeVar("T")
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A game, and its line in the list."""

    written: Written
    line: site.Line
    began: datetime

    @property
    def since(self) -> datetime:
        return self.line.since or self.began


def files(
    service: Service,
    uow: UnitOfWork,
    games: Sequence[Written],
    people: Sequence[Player],
    contests: Mapping[GameId, Mapping[str, JsonValue] | None],
    *,
    has_ended: bool = True,
) -> Iterator[tuple[str, bytes]]:
    """Build the files about several games, each with its name.

    Args:
        games: all that have pages.
        people: those with a page of their own.
        contests: what leagues and ladders tell.
        has_ended: False if no game ended, or lost its page, since the last time: then what is about
            ended games alone is as it was, and left out.
    """
    shown = _shown(uow, games)
    folder = resources.templates_dir()
    own = [(own_page_name(one), name) for one, name in _named(people)]
    own.sort(key=lambda one: (one[1].casefold(), one[0]))
    titles = [*leagues.titles(contests), *ladders.titles(contests)]
    for page in _pages(service.config.service.name, shown, own, titles):
        if has_ended or not page.name.startswith("finished"):
            yield page.name, site.list_page(page, folder)
    yield CLUB_FEED, _feed(service, shown, leagues.entries(service, uow, contests))
    if has_ended:
        players = {player for one in games for player in one.players}
        report = ratings.report(service)
        rated = [one for one in report.standings if one.player_id in players][:MOST_RATED]
        yield STANDINGS, standings.page(report, rated, home=INDEX).encode()


def _named(people: Sequence[Player]) -> Iterator[tuple[Player, str]]:
    return zip(people, texts.shown_names([one.name for one in people]), strict=True)


def of_person(service: Service, uow: UnitOfWork, games: Sequence[Written], player: Player) -> bytes:
    """Build the page about a player: ratings, games that run, the newest of those that ended."""
    shown = _shown(uow, [one for one in games if player.id in one.players])
    over = sorted((one for one in shown if one.line.result), key=lambda one: one.since)
    running = [one for one in shown if not one.line.result]
    rated = uow.standings.rated([player.id], None)
    called = _titles()
    facts = [
        f"{called.get(one.ruleset, 'All games')}: rating {one.rating.mu:.1f} ± {one.rating.sigma:.1f}"
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
    """Write the calendar of a player's deadlines; its entries are those that come with mails."""
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


def _titles() -> dict[str, str]:
    return {name: str(registry.find(name).title) for name in registry.names()}


def _summary(uow: UnitOfWork, due: Due, player: Player) -> str:
    row = uow.projections.game(due.game_id)
    title = "" if row is None else _titles().get(row.ruleset, row.ruleset)
    seats = uow.projections.seats(due.game_id)
    about = texts.game_name(title, names_at(uow, [one.player_id for one in seats]), due.seat)
    return translate(sentence("Your turn in {game}", game=about), player.language)


def _shown(uow: UnitOfWork, games: Sequence[Written]) -> list[_Shown]:
    uow.players.meet([player for one in games for player in one.players])
    return [
        _Shown(
            one,
            line_of(one.game_id, one.told, names_at(uow, one.players)),
            parse_time(str(one.told["began"])),
        )
        for one in games
    ]


def _pages(
    title: str,
    shown: Sequence[_Shown],
    people: Sequence[tuple[str, str]],
    contests: Sequence[tuple[str, str]],
) -> Iterator[site.ListPage]:
    """Return the pages of the list, the first one first.

    The one whose deadline is next is first. Pages of finished games are numbered from the oldest on, so
    that a page that is full stays as it is.
    """
    over = sorted(
        (one for one in shown if one.line.result), key=lambda one: (one.since, one.written.game_id)
    )
    running = sorted(
        (one for one in shown if not one.line.result),
        key=lambda one: (one.line.due is None, one.line.due or one.since, one.written.game_id),
    )
    later, named = list(_batches(running[PER_PAGE:])), list(_batches(people))
    ended = list(_batches(over))
    more = [
        (f"running-{number}.html", f"More running games ({number})")
        for number in range(2, len(later) + 2)
    ]
    if len(over) > NEWEST:
        more += [
            (f"finished-{number}.html", _years(batch))
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


def _batches(shown: Sequence[T]) -> Iterator[Sequence[T]]:
    return (shown[first : first + PER_PAGE] for first in range(0, len(shown), PER_PAGE))


def _years(batch: Sequence[_Shown]) -> str:
    return f"Finished {batch[0].since:%b %Y} to {batch[-1].since:%b %Y}"


def _lines(shown: Sequence[_Shown]) -> list[site.Line]:
    return [one.line for one in shown]


def _feed(service: Service, shown: Sequence[_Shown], of_leagues: Iterator[feed.Entry]) -> bytes:
    """Write the feed of the club: games that began or ended, rounds of leagues, the newest first."""
    entries = [entry for one in shown for entry in _entries(service, one)]
    entries += of_leagues
    entries.sort(key=lambda one: (one.at, one.id), reverse=True)
    pages = service.config.pages
    url = "" if pages is None else pages.url
    return feed.feed_file(
        feed.Feed(
            id=f"{tag(service, _BEGINNING)}:games",
            title=service.config.service.name,
            own=f"{url}/{CLUB_FEED}",
            link=f"{url}/{INDEX}",
            author=service.config.service.name,
            updated=_BEGINNING,
            entries=list(islice(entries, MOST_ENTRIES)),
        )
    )


def _entries(service: Service, one: _Shown) -> Iterator[feed.Entry]:
    game_id, line = one.written.game_id, one.line
    begin = f"{tag(service, one.began)}:{game_id}"
    page = page_address(service, game_id)
    title = f"{line.title} with {', '.join(line.players)}"
    yield feed.Entry(f"{begin}/began", f"{title} has begun", one.began, page)
    if line.result:
        yield feed.Entry(f"{begin}/ended", f"{title}: {line.result}", one.since, page)
