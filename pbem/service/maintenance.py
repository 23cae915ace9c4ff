"""Is the database sound, and making again what can be made again."""

from __future__ import annotations

from collections.abc import Callable

from pbem.errors import LogError, StoreError, UpcastError
from pbem.service import preferences
from pbem.service.context import Service
from pbem.service.verify import verify_game, verify_public
from pbem.store import schema, sealed
from pbem.store.refolding import fold_apart
from pbem.store.uow import UnitOfWork


def check(service: Service, progress: Callable[[int], None]) -> list[str]:
    """Verify every game and compare the projections with rebuilt ones; gives what is wrong.

    It only reads, from one moment, so that a service goes on beside it and no mail has to wait.
    Of a game whose secrets are sealed with a key that was given up, what is public is verified.
    """
    store = service.store
    problems: list[str] = []
    if schema.check(store).is_current and schema.differences(store):
        problems.append("the tables differ from those of this program's schema")
    with store.reading() as uow:
        game_ids = list(uow.events.games())
        lost = sorted(store.keys().lost)
        closed = frozenset(sealed.games_under(uow.connection, lost) if lost else ())
        for done, game_id in enumerate(game_ids, 1):
            try:
                (verify_public if game_id in closed else verify_game)(uow, game_id)
            except (LogError, UpcastError) as error:
                problems.append(f"game {game_id}: {error}")
            progress(done)
        try:
            if fold_apart(uow.connection) != uow.projections.dump():
                problems.append("the projections differ from the log: run `pbem db rebuild`")
        except (StoreError, LogError) as error:
            problems.append(f"the projections cannot be rebuilt: {error}")
    return problems


def upgrade(
    service: Service, progress: Callable[[int], None]
) -> tuple[schema.SchemaState, int | None]:
    """Bring the database to the schema of this program, and fold the log into tables that are new.

    Returns:
        The schema now; the number of games that were folded again, None if the schema was in order.

    Raises: SchemaError, LogError.
    """
    service.store.make_file()
    before = service.store.schema_state()
    after = schema.upgrade(service.store)
    is_older = before.current is not None and not before.is_current
    return after, rebuild(service, progress) if is_older else None


def rebuild(service: Service, progress: Callable[[int], None]) -> int:
    """Drop projections and snapshots and fold them again; gives the number of games."""
    with service.store.unit_of_work() as uow:
        count = _rebuild(uow, progress)
        for player in uow.players.list():
            if player.reminders:
                preferences.arrange_reminders(service, uow, player)
        return count


def _rebuild(uow: UnitOfWork, progress: Callable[[int], None]) -> int:
    uow.snapshots.delete_all()
    return uow.projections.rebuild(progress)
