"""The page of a league: what is played, how it stands as a cross table, the tables of the last round.

It names whom the pages of its games name, and nobody else; the others are lines without a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from engine import registry
from engine.api import JsonValue
from pbem import resources
from pbem.domain.league.league import UNIT, League, Round, standings
from pbem.domain.log.chain import GameId, format_time, parse_time
from pbem.domain.log.league_events import RoundDrawn
from pbem.errors import LogError, UnknownStreamError, UpcastError
from pbem.service.core.context import Service
from pbem.service.core.names import contest_address, league_page_name
from pbem.service.league import telling
from pbem.service.league.changing import load
from pbem.service.pages.drawn import Contest, line_of, names_at, tag
from pbem.show import feed, site
from pbem.store.db.uow import UnitOfWork
from pbem.store.tables.pages import Written

MOST_ROUNDS, MOST_TABLES = 8, 40
"""Rounds in a cross table, the newest ones; tables of the last round that are listed."""
MOST_LISTED = 40
"""Leagues in the list of games."""
_GOING_ON = ("open", "running")
_MEANS = (
    "At a table the first place gives 1 point, the last 0, the others their share in between. Below the"
    " points stand the places of those who sat there, too. Equal points: whose opponents have more is"
    " ahead, then who did better against the other."
)


def draw(
    uow: UnitOfWork, league_ids: Collection[GameId], listed: Sequence[Written]
) -> list[Contest]:
    """Draw leagues as they are now.

    One whose log is damaged, that nobody may watch, or that never began, has no page.

    Args:
        league_ids: unknown ids are left out.
        listed: the games that have pages.
    """
    names = {one.id: one.name for one in uow.leagues.every()} if league_ids else {}
    games = {one.game_id: one for one in listed}
    return [_drawn(uow, one, names[one], games) for one in league_ids if one in names]


def _drawn(
    uow: UnitOfWork, league_id: GameId, name: str, games: Mapping[GameId, Written]
) -> Contest:
    file = league_page_name(name)
    try:
        league = load(uow, league_id)
    except (LogError, UpcastError, UnknownStreamError):
        head = uow.events.head(league_id)
        return Contest(league_id, 0 if head is None else head[0], file)
    if not telling.page_of(league):
        return Contest(league_id, league.version, file)
    lines, named = _lines(uow, league, games)
    data = _page(uow, league, games, lines, named)
    return Contest(league_id, league.version, file, data, _told(uow, league, named))


def entries(
    service: Service, uow: UnitOfWork, told: Mapping[GameId, Mapping[str, Any] | None]
) -> Iterator[feed.Entry]:
    """Return what the feed of the club says of leagues: rounds that were drawn, and how each ended."""
    for league_id, one in told.items():
        if one is None or "league" not in one:
            continue
        name = f"League {one['league']}"
        begin = f"{tag(service, parse_time(one['created']))}:{league_id}"
        page = contest_address(service, league_page_name(one["league"]))
        for number, at in enumerate(one["drawn"], 1):
            said = f"{name}: round {number} of {one['rounds']} of {one['title']} is drawn"
            yield feed.Entry(f"{begin}/round/{number}", said, parse_time(at), page)
        if one["ended"] is not None:
            (winner,) = names_at(uow, [one["winner"]]) if one["winner"] else ("",)
            said = f"{winner} won" if winner else "all rounds are played"
            said = "stopped before its end" if one["status"] == "stopped" else said
            yield feed.Entry(f"{begin}/ended", f"{name}: {said}", parse_time(one["ended"]), page)


def titles(told: Mapping[GameId, Mapping[str, Any] | None]) -> list[tuple[str, str]]:
    """Return the pages of leagues as the list names them, those that go on first, then the newest."""
    found = [one for one in told.values() if one is not None and "league" in one]
    found.sort(key=lambda one: one["league"])
    found.sort(key=lambda one: one["at"], reverse=True)
    found.sort(key=lambda one: one["status"] not in _GOING_ON)
    return [(league_page_name(one["league"]), _title(one)) for one in found[:MOST_LISTED]]


def _title(told: Mapping[str, Any]) -> str:
    words = {"open": "sign-up", "finished": "over", "stopped": "stopped"}
    said = words.get(told["status"], f"round {told['round']} of {told['rounds']}")
    return f"League {told['league']}: {told['title']}, {said}"


def _told(uow: UnitOfWork, league: League, named: Collection[str]) -> Mapping[str, JsonValue]:
    """Return what the list and the feed say of a league.

    `at` orders those that are over; `winner` is the id of somebody whom the page names.
    """
    ends = [one.ends_at for one in league.rounds[-1:]]
    events = uow.events.read(league.id)
    drawn = [one.recorded_at for one in events if one.type == RoundDrawn.__name__]
    winner = next(iter(league.ranking), "")
    return {
        "created": events[0].recorded_at,
        "drawn": [*drawn],
        "ended": events[-1].recorded_at if league.is_over else None,
        "winner": winner if winner in named else "",
        "league": league.terms.name,
        "title": str(registry.title_of(league.terms.ruleset)),
        "status": league.status,
        "round": len(league.rounds),
        "rounds": league.terms.rounds,
        "at": format_time(max([league.terms.joins_until, *ends])),
    }


def _page(
    uow: UnitOfWork,
    league: League,
    listed: Mapping[GameId, Written],
    lines: Sequence[site.CrossLine],
    named: Mapping[str, str],
) -> bytes:
    last = league.rounds[-1] if league.rounds else None
    tables = [listed[one.game] for one in last.tables if one.game in listed] if last else []
    name = league.terms.name
    page = site.ListPage(
        f"League {name}",
        league_page_name(name),
        [_part(uow, last, tables)] if last and tables else [],
        (),
        facts=_facts(league, named),
        home="../",
        cross=_cross(league, lines) if named else None,
    )
    return site.list_page(page, resources.templates_dir())


def _cross(league: League, lines: Sequence[site.CrossLine]) -> site.Cross:
    columns = [f"Rd {one.number}" for one in league.rounds[-MOST_ROUNDS:]]
    return site.Cross(columns, lines, "Points", _MEANS)


def _facts(league: League, named: Mapping[str, str]) -> list[str]:
    count, terms = len(league.playing), league.terms
    said = [str(one) for one in telling.terms(league)]
    match league.status:
        case "open":
            said.append(f"Sign-up ends {_at(terms.joins_until)}. Players: {count}.")
        case "running":
            last = league.rounds[-1]
            said.append(f"Round {last.number} ends {_at(last.ends_at)} at the latest.")
        case "finished":
            winner = named.get(league.ranking[0], "")
            said.append(f"{winner} won." if winner else "All rounds are played.")
        case _:
            said.append("It was stopped before its end.")
    if league.takes_more:
        said.append(f"Whoever wants to play writes “join league {terms.name}” in a mail.")
    said.append(str(telling.sealed(league)))
    if league.status == "finished":
        said.append(f"The secret behind the draws is open now: {terms.secret}")
    return said


def _at(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b %Y %H:%M}"


def _part(uow: UnitOfWork, last: Round, tables: Sequence[Written]) -> site.Part:
    lines = [
        line_of(one.game_id, one.told, names_at(uow, one.players)) for one in tables[:MOST_TABLES]
    ]
    return site.Part(f"Round {last.number}", lines, count=len(tables))


def _lines(
    uow: UnitOfWork, league: League, listed: Mapping[GameId, Written]
) -> tuple[list[site.CrossLine], dict[str, str]]:
    """Return a line for each player, and the names of those whom it names."""
    secret = bytes.fromhex(league.terms.secret) if league.status == "finished" else None
    found = standings(league, secret)
    seen = {
        player
        for one in league.rounds
        for table in one.tables
        if table.game in listed
        for player in listed[table.game].players
    }
    players = [line.player for line in found if line.player in seen]
    named = dict(zip(players, names_at(uow, players), strict=True))
    rounds = league.rounds[-MOST_ROUNDS:]
    lines = []
    for line in found:
        cells = [
            _cell(one, line.player, points, met, listed)
            for one, points, met in zip(
                rounds, line.rounds[-MOST_ROUNDS:], line.opponents[-MOST_ROUNDS:], strict=True
            )
        ]
        lines.append(
            site.CrossLine(
                line.place, named.get(line.player, ""), cells, _points(line.points), line.has_left
            )
        )
    return lines, named


def _cell(
    one: Round,
    player: str,
    points: int | None,
    met: Sequence[int],
    listed: Mapping[GameId, Written],
) -> site.Cell:
    table = one.table_of(player)
    is_listed = table is not None and table.game in listed
    plays = "plays" if is_listed else "–"
    return site.Cell(
        plays if points is None else _points(points),
        f"game/{table.game}.html" if table is not None and is_listed else "",
        ", ".join(map(str, met)),
    )


def _points(number: int) -> str:
    return f"{number / UNIT:.2f}"
