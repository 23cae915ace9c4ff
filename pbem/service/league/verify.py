"""Verify the log of a league (chain, draws, results, winner), and export it.

A file is verified from its bytes alone. In the database, the logs of the league's games are
verified as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from engine.canonical import canonical_json
from pbem.domain.league.league import DRAW_VERSION, League, Round, drawn, evolve
from pbem.domain.log.chain import GameId, StoredEvent, check_chain, checked
from pbem.domain.log.events import Recorded
from pbem.domain.log.league_events import (
    LEAGUE,
    LEAGUE_EVENTS,
    RoundDrawn,
    TableScored,
)
from pbem.domain.play.log_validation import check_times
from pbem.errors import LogError, UpcastError
from pbem.service.core import games
from pbem.service.league.changing import keep, load
from pbem.service.logbook import verify as of_games
from pbem.service.logbook.exports import LEAGUE_EXPORT, event_json, read_file
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LeagueVerification:
    """A verified league and the checks that it passed, as sentences."""

    league: League
    events: int
    checks: tuple[str, ...]


def verify_league(uow: UnitOfWork, league_id: GameId) -> LeagueVerification:
    """Verify a league in the database together with its games. Raises: LogError."""
    uow.events.sealed_head(league_id)
    report = _verify([*checked(uow.events.read_written(league_id), league_id)])
    count = 0
    for round_ in report.league.rounds:
        for table in round_.tables:
            _check_game(uow, report.league, round_, table.game)
            count += table.ranking is not None
    message = f"{count} games that count: each log holds, with these players, and ends like this"
    return LeagueVerification(report.league, report.events, (*report.checks, message))


def _check_game(uow: UnitOfWork, league: League, round_: Round, game_id: GameId) -> None:
    table = next(table for table in round_.tables if table.game == game_id)
    of_games.verify_game(uow, game_id)
    first = games.load(uow, game_id, up_to=1)
    mark = f"{league.id.removeprefix(LEAGUE)}:{round_.number}"
    if first.league != mark or tuple(seat.player for seat in first.seats) != table.players:
        raise LogError(f"game {game_id} is not the one that was drawn in round {round_.number}")
    game = games.load(uow, game_id)
    if table.ranking is None:
        return
    everybody = (tuple(range(len(game.seats))),)
    ranking = (game.finished.ranking if game.finished else ()) or everybody
    if not game.is_over or ranking != table.ranking:
        raise LogError(f"game {game_id} did not end as the league says")


def export(uow: UnitOfWork, league_id: GameId) -> bytes:
    """Return a league as JSON Lines, with secrets only once it has ended. Raises: LogError."""
    is_over = load(uow, league_id).is_over
    events = uow.events.read(league_id) if is_over else uow.events.read_public(league_id)
    lines = [
        LEAGUE_EXPORT.header(events, complete=is_over),
        *(event_json(event, opened=is_over) for event in events),
    ]
    return b"".join(canonical_json(line) + b"\n" for line in lines)


def verify_file(data: bytes) -> LeagueVerification:
    """Verify a league from the bytes of its file. Raises: LogError."""
    export = read_file(data, LEAGUE_EXPORT)
    check_chain(export.events, export.events[0].game_id)
    report = _verify(export.events)
    if export.header["complete"] is not report.league.is_over:
        raise LogError("the header and the events disagree on whether the league has ended")
    return report


def _verify(events: Sequence[StoredEvent]) -> LeagueVerification:
    """Verify a league from events whose chain was verified. Raises: LogError."""
    checks = [f"{len(events)} events: numbers, hashes and commitments hold"]
    try:
        recorded = [codec.decode(event, types=LEAGUE_EVENTS, redacted=True) for event in events]
        check_times(recorded)
        league = _replay(recorded, events[0].game_id)
    except UpcastError as error:
        raise LogError(str(error)) from error
    # raised by payloads that this program never writes
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise LogError(f"the log does not replay: {type(error).__name__}") from error
    checks.append(
        f"{len(league.rounds)} draws follow from the log before them and the opened links"
    )
    scored = sum(isinstance(item.event, TableScored) for item in recorded)
    checks.append(f"{scored} results of tables that were drawn")
    if league.status == "finished":
        checks.append("the winner follows from them, and the secret is the one committed to")
    return LeagueVerification(league, len(events), tuple(checks))


def _replay(recorded: Sequence[Recorded], league_id: GameId) -> League:
    league = evolve(None, recorded[0], league_id)
    for item in recorded[1:]:
        event: object = item.event
        before, league = league, evolve(league, item, league_id)
        if not isinstance(event, RoundDrawn):
            continue
        if before.terms.draw_version != DRAW_VERSION:
            raise LogError("this program does not know that way to draw", version=item.version)
        expected = drawn(before, bytes.fromhex(event.link))
        if (expected.tables, expected.byes) != (event.tables, event.byes):
            raise LogError(
                f"event {item.version}: these are not the tables that follow from the draw",
                version=item.version,
            )
    return league


def problems(uow: UnitOfWork) -> list[str]:
    """Verify every league, compare its row with its log, and describe the problems."""
    result = []
    rows = {row.id: row for row in uow.leagues.every()}
    for league_id in uow.events.leagues():
        try:
            league = verify_league(uow, league_id).league
        except (LogError, UpcastError) as error:
            result.append(f"league {league_id}: {error}")
            continue
        row = rows.get(league_id)
        if row is None or (row.name, row.status) != (league.terms.name, league.status):
            result.append(
                f"league {league_id}: its row differs from its log: run `pbem db rebuild`"
            )
    return result


def rebuild(uow: UnitOfWork) -> None:
    """Rebuild the rows of all leagues from their logs, and schedule their next checks."""
    uow.leagues.clear()
    for league_id in uow.events.leagues():
        league = load(uow, league_id)
        keep(uow, league, league.terms.joins_until if league.status == "open" else _LONG_AGO)
