"""The pages of leagues and ladders.

The page of a league has its terms, its cross table, and the tables of the last round. That of a
ladder has its ranking, players' results, and running and recent challenges. They name only players
whom the pages of their games name. The lines of other players have no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine import registry
from pbem import resources
from pbem.domain.league.ladder import AWAY, REACH, Challenge
from pbem.domain.league.league import UNIT, League, Round, standings
from pbem.domain.log.chain import GameId, parse_time
from pbem.domain.log.league_events import RoundDrawn
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.mail_out.compose import mailto_link
from pbem.service.core.context import Service
from pbem.service.core.names import contest_address, ladder_page_name, league_page_name
from pbem.service.league import league_messages
from pbem.service.league.changing import load
from pbem.service.league.ladder import Standing, standing
from pbem.service.pages.drawn import Listed, line_of, names_at, tag
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import LeagueStatus

MAX_ROUNDS, MAX_TABLES = 8, 40
"""Rounds in a cross table, the newest ones; tables of the last round that are listed."""
MAX_LISTED = 40
"""Leagues in the list of games."""
_GOING_ON = ("open", "running")
_MEANS = (
    "At a table the first place gives 1 point, the last 0, the others their share in between. Below the"
    " points stand the places of those who sat there, too. Equal points: whose opponents have more is"
    " ahead, then who did better against the other."
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A league with a page.

    Attributes:
        lines: the lines of its cross table.
        named: names of the players whom the page names, by ID.
        tables: the tables of the last round that have pages.
        created: time at which it was created.
        drawn: the time of each round's draw.
        ended: None while it is open or running.
    """

    league: League
    lines: Sequence[site.CrossLine]
    named: Mapping[str, str]
    tables: Sequence[Listed]
    created: datetime
    drawn: Sequence[datetime]
    ended: datetime | None

    @property
    def title(self) -> str:
        """Return the title of its game."""
        return str(registry.title_of(self.league.terms.ruleset))

    @property
    def winner(self) -> str:
        """Return the winner's name, or empty if there is none or the page does not name them."""
        return self.named.get(next(iter(self.league.ranking), ""), "")


def read(uow: UnitOfWork, row: LeagueStatus, games: Mapping[GameId, Listed]) -> Shown | None:
    """Read the current state of a league for its page.

    Returns None if it has no page: its log is damaged, observers are not allowed, or it was stopped
    before its first round.

    Args:
        games: the games that have pages.
    """
    try:
        league = load(uow, row.id)
    except (LogError, UpcastError, UnknownStreamError):
        return None
    if not league_messages.page_of(league):
        return None
    lines, named = _lines(uow, league, games)
    events = uow.events.read(league.id)
    last = league.rounds[-1].tables if league.rounds else ()
    return Shown(
        league,
        lines,
        named,
        [games[table.game] for table in last if table.game in games],
        parse_time(events[0].recorded_at),
        [parse_time(row.recorded_at) for row in events if row.type == RoundDrawn.__name__],
        parse_time(events[-1].recorded_at) if league.is_over else None,
    )


def entries(service: Service, leagues: Iterable[Shown]) -> Iterator[feed.Entry]:
    """Yield entries for the feed of the club: rounds that were drawn, and ends of leagues."""
    for shown in leagues:
        terms = shown.league.terms
        name = f"League {terms.name}"
        begin = f"{tag(service, shown.created)}:{shown.league.id}"
        address = contest_address(service, league_page_name(terms.name))
        for number, drawn_at in enumerate(shown.drawn, 1):
            text = f"{name}: round {number} of {terms.rounds} of {shown.title} is drawn"
            yield feed.Entry(f"{begin}/round/{number}", text, drawn_at, address)
        if shown.ended is not None:
            text = f"{shown.winner} won" if shown.winner else "all rounds are played"
            text = "stopped before its end" if shown.league.status == "stopped" else text
            yield feed.Entry(f"{begin}/ended", f"{name}: {text}", shown.ended, address)


def titles(leagues: Iterable[Shown]) -> list[tuple[str, str]]:
    """Return each league's page name and title: running leagues first, then the most recent."""
    ordered = sorted(leagues, key=lambda shown: shown.league.terms.name)
    ordered.sort(
        key=lambda shown: max(
            [shown.league.terms.joins_until, *(row.ends_at for row in shown.league.rounds[-1:])]
        ),
        reverse=True,
    )
    ordered.sort(key=lambda shown: shown.league.status not in _GOING_ON)
    return [
        (league_page_name(shown.league.terms.name), _title(shown)) for shown in ordered[:MAX_LISTED]
    ]


def _title(shown: Shown) -> str:
    league = shown.league
    words = {"open": "sign-up", "finished": "over", "stopped": "stopped"}
    state = words.get(league.status, f"round {len(league.rounds)} of {league.terms.rounds}")
    return f"League {league.terms.name}: {shown.title}, {state}"


def page(service: Service, uow: UnitOfWork, shown: Shown) -> bytes:
    """Generate the page of a league.

    While the league takes players, a button opens an email that joins it.
    """
    league, name = shown.league, shown.league.terms.name
    parts = []
    if shown.tables:
        lines = [line_of(game, names_at(uow, game.players)) for game in shown.tables[:MAX_TABLES]]
        parts = [site.Part(f"Round {len(league.rounds)}", lines, count=len(shown.tables))]
    columns = [f"Rd {one.number}" for one in league.rounds[-MAX_ROUNDS:]]
    list_page = site.ListPage(
        f"League {name}",
        league_page_name(name),
        parts,
        (),
        facts=_facts(league, shown.named),
        home="../",
        cross=site.Cross(columns, shown.lines, "Points", _MEANS) if shown.named else None,
        button=_join(service, name) if league.takes_more else None,
    )
    return site.list_page(list_page, resources.templates_dir())


def _join(service: Service, name: str) -> tuple[str, str]:
    """Return URL and text of the button that joins a league by email."""
    order = f"join league {name}"
    link = mailto_link(service.own_address, order, order)
    return link, f"Join by mail: “{order}” to {service.own_address}"


def _facts(league: League, named: Mapping[str, str]) -> list[str]:
    count, terms = len(league.playing), league.terms
    facts = [str(fact) for fact in league_messages.terms(league)]
    match league.status:
        case "open":
            people = f"{count} {'player has' if count == 1 else 'players have'} signed up"
            facts.append(f"{people}. The first round is drawn {_day_text(terms.joins_until)}.")
        case "running":
            last = league.rounds[-1]
            playing = sum(table.ranking is None for table in last.tables)
            facts.append(
                f"Round {last.number} of {terms.rounds}: {playing} of {len(last.tables)} tables still"
                f" play. It ends {_day_text(last.ends_at)} at the latest. Players: {count}."
            )
        case "finished":
            winner = named.get(league.ranking[0], "")
            facts.append(f"{winner} won." if winner else "All rounds are played.")
        case _:
            facts.append("It was stopped before its end.")
    facts.append(str(league_messages.sealed(league)))
    if league.status == "finished":
        facts.append(f"The secret behind the draws is open now: {terms.secret}")
    return facts


def _day_text(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b %Y %H:%M}"


def _lines(
    uow: UnitOfWork, league: League, listed: Mapping[GameId, Listed]
) -> tuple[list[site.CrossLine], dict[str, str]]:
    """Return the lines of all players, and the names of the players whom they name."""
    secret = bytes.fromhex(league.terms.secret) if league.status == "finished" else None
    rows = standings(league, secret)
    seen = {
        player
        for round_ in league.rounds
        for table in round_.tables
        if table.game in listed
        for player in listed[table.game].players
    }
    players = [line.player for line in rows if line.player in seen]
    named = dict(zip(players, names_at(uow, players), strict=True))
    rounds = league.rounds[-MAX_ROUNDS:]
    lines = []
    for line in rows:
        cells = [
            _cell(round_, line.player, points, met, listed)
            for round_, points, met in zip(
                rounds, line.rounds[-MAX_ROUNDS:], line.opponents[-MAX_ROUNDS:], strict=True
            )
        ]
        lines.append(
            site.CrossLine(
                line.place, named.get(line.player, ""), cells, _points(line.points), line.has_left
            )
        )
    return lines, named


def _cell(
    round_: Round,
    player: str,
    points: int | None,
    met: Sequence[int],
    listed: Mapping[GameId, Listed],
) -> site.Cell:
    table = round_.table_of(player)
    is_listed = table is not None and table.game in listed
    plays = "plays" if is_listed else "–"
    return site.Cell(
        plays if points is None else _points(points),
        f"game/{table.game}.html" if table is not None and is_listed else "",
        ", ".join(map(str, met)),
    )


def _points(number: int) -> str:
    return f"{number / UNIT:.2f}"


# --- ladders --------------------------------------------------------------------------------------

MAX_LINES = 300
"""Players on the page of a ladder."""
MAX_RUNNING, NEWEST = 40, 12
"""Maximum numbers of running and finished challenges on the page of a ladder."""


def ladder_titles(rulesets: Iterable[str]) -> list[tuple[str, str]]:
    """Return the file names and titles of the pages of ladders, sorted by title."""
    shown = [(ladder_page_name(name), f"Ladder of {registry.title_of(name)}") for name in rulesets]
    return sorted(shown, key=lambda page: page[1])


def ladder_page(
    uow: UnitOfWork, ruleset: str, games: Mapping[GameId, Listed], at: datetime
) -> bytes | None:
    """Generate the page of a ladder as it is now, or return None if no challenge has a page.

    It counts and names only players of challenges that have a page. Others have a line without a
    name.

    Args:
        games: the games that have pages.
    """
    now = standing(uow, ruleset, at)
    shown = [challenge for challenge in now.challenges if GameId(challenge.game) in games]
    if not shown:
        return None
    running = [one for one in shown if one.status == "running"]
    over = [one for one in reversed(shown) if one.finished_at is not None]
    parts = [
        site.Part(title, _ladder_lines(uow, found[:most], games), count=len(found))
        for title, found, most in (
            ("Running challenges", running, MAX_RUNNING),
            ("Finished", over, NEWEST),
        )
        if found
    ]
    how = (
        "Only challenges change the order: whoever wins against somebody above takes that place. People"
        f" challenge somebody up to {REACH} places above, in a mail: “challenge NAME at {now.ruleset}”."
    )
    facts = [how]
    if not now.players:
        facts.append("Nobody stands on it yet.")
    made = site.ListPage(
        f"Ladder of {now.title}",
        ladder_page_name(now.ruleset),
        parts,
        (),
        facts=facts,
        home="../",
        cross=_ladder_cross(uow, now, shown) if now.players else None,
    )
    return site.list_page(made, resources.templates_dir())


def _ladder_lines(
    uow: UnitOfWork, found: Sequence[Challenge], games: Mapping[GameId, Listed]
) -> list[site.Line]:
    shown = [games[GameId(challenge.game)] for challenge in found]
    return [line_of(game, names_at(uow, game.players)) for game in shown]


def _ladder_cross(uow: UnitOfWork, now: Standing, shown: Sequence[Challenge]) -> site.Cross:
    """Build the ranking, with figures for the players that it names."""
    seen = {player for one in shown for player in one.players}
    first = now.players[:MAX_LINES]
    players = [who for who in first if who in seen]
    named = dict(zip(players, names_at(uow, players), strict=True))
    played: dict[str, list[Challenge]] = {}
    for one in shown:
        if one.places:
            for player in one.players:
                played.setdefault(player, []).append(one)
    lines = [
        site.CrossLine(place, named.get(who, ""), *_figures(who, played.get(who, ())))
        for place, who in enumerate(first, 1)
    ]
    means = (
        "Counted are challenges that have a page here. Who finishes none for"
        f" {AWAY.days} days leaves the ladder."
    )
    more = len(now.players) - len(first)
    return site.Cross(("Last", "Played"), lines, "Won", means, more)


def _figures(player: str, played: Sequence[Challenge]) -> tuple[Sequence[site.Cell], str]:
    """Return the cells for a player's last game and number of games, and the number of wins."""
    if not played:
        return (site.Cell("–"), site.Cell("–")), "–"
    last = played[-1]
    ended = last.finished_at or last.created_at
    won = sum(challenge.winner == player for challenge in played)
    when = site.Cell(f"{ended.day} {ended:%b %Y}", f"game/{last.game}.html")
    return (when, site.Cell(str(len(played)))), str(won)
