"""Verify the database, upgrade it, and rebuild the tables derived from the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from pbem.errors import LogError, UpcastError
from pbem.service.core import games, reminders
from pbem.service.core.context import Service
from pbem.service.league import verify as leagues
from pbem.service.logbook.verify import verify_causes, verify_game, verify_public
from pbem.service.upkeep import guarding
from pbem.store.db import migrating, schema
from pbem.store.db.uow import UnitOfWork
from pbem.store.seal import sealed
from pbem.store.seal.binding import unfit_mails, unfit_players
from pbem.store.tables.projections import keep_writers_out


def check(service: Service, progress: Callable[[int], None]) -> list[str]:
    """Verify all logs, and compare the projections with them. Return descriptions of problems.

    All reads use the same snapshot, so the service can keep running. If a key was given up, only
    the public part of its games is verified.
    """
    store = service.store
    problems: list[str] = []
    if schema.require_current(store.schema_state()).is_current and migrating.differences(store):
        problems.append("the tables differ from those of this program's schema")
    with store.reading() as uow:
        missing_triggers = guarding.missing_triggers(uow)
        if missing_triggers is not None:
            problems.append(f"{missing_triggers}. {guarding.REMEDY}")
        game_ids = list(uow.events.games())
        lost = sorted(uow.envelopes.ring.lost)
        unsound: list[str] = []
        closed = frozenset(sealed.games_under(uow.connection, lost) if lost else ())
        for done, game_id in enumerate(game_ids, 1):
            try:
                uow.events.sealed_head(game_id)
                if game_id in closed:
                    verify_public(uow, game_id)
                else:
                    verify_game(uow, game_id)
                    verify_causes(uow, game_id)
                    tables = uow.projections.unsound(games.replay(uow, game_id))
                    if tables:
                        unsound.append(f"tables {', '.join(tables)} of game {game_id}")
            except (LogError, UpcastError) as error:
                problems.append(f"game {game_id}: {error}")
            progress(done)
        problems += leagues.problems(uow)
        problems += _unfit(uow, lost)
        if uow.projections.has_strays():
            unsound.append("rows of games that the log does not have")
        if unsound:
            problems.append(
                f"the projections differ from the log ({'; '.join(unsound)}): run `pbem db rebuild`"
            )
    return problems


def _unfit(uow: UnitOfWork, lost: Sequence[str]) -> list[str]:
    """Describe the rows of players, addresses and messages that another program wrote."""
    players = unfit_players(uow.connection, uow.envelopes)
    mails = unfit_mails(uow.connection, uow.envelopes, lost)
    return [
        *(
            f"player {player_id}: a row, or that of an address, does not fit its seal"
            for player_id in players
        ),
        *(f"mail {number} of the {table.name} does not fit its seal" for table, number in mails),
    ]


def upgrade(
    service: Service, progress: Callable[[int], None]
) -> tuple[schema.SchemaState, int | None]:
    """Upgrade the database to this program's schema, and fill new tables from the log.

    This is one transaction: if it is interrupted, the database does not change.

    Returns:
        The new schema state, and the number of games that were replayed, or None if nothing had to
        change.

    Raises: SchemaError, LogError.
    """
    counts: list[int] = []

    def fold(connection: Connection) -> None:
        counts.append(_rebuild(service, service.store.on(connection), progress))

    after = migrating.upgrade(service.store, fold)
    if after.is_current:
        with service.store.unit_of_work() as uow:
            guarding.restore_triggers(service, uow)
    return after, counts[0] if counts else None


def rebuild(service: Service, progress: Callable[[int], None]) -> int:
    """Rebuild the projections from the log and return the number of games."""
    with service.store.unit_of_work() as uow:
        guarding.restore_triggers(service, uow)
        return _rebuild(service, uow, progress)


def _rebuild(service: Service, uow: UnitOfWork, progress: Callable[[int], None]) -> int:
    keep_writers_out(uow.connection)
    count = uow.projections.rebuild(progress)
    leagues.rebuild(uow)
    for player in uow.players.list():
        if player.reminders:
            reminders.arrange_all(uow, player, service.now())
    return count
