"""Coordination between processes that share a PostgreSQL database.

LISTEN/NOTIFY wakes workers, and advisory locks claim resources such as a mailbox. Correctness
depends on neither: a process that misses a notification polls at its next tick, and the inbox
records which messages another process has already claimed. On SQLite this module does nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from pbem.store.db.uow import CHANNEL, Store

log = structlog.get_logger(__name__)

LOOK_ROUND = 1.0
"""Interval in seconds at which a listener checks whether it has been stopped."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Initial and maximum delay in seconds before reconnecting. The delay doubles after each failure.
"""


@contextmanager
def advisory_claim(store: Store, name: str) -> Iterator[bool]:
    """Claim a resource, such as a mailbox, for the duration of the context.

    Yields False if another process holds the claim. The claim ends with the database connection, so
    a killed process leaves no stale claim.
    """
    if store.is_sqlite:
        yield True
        return
    number = _lock_number(name)
    with store.db_engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        is_ours: bool = connection.execute(select(func.pg_try_advisory_lock(number))).scalar_one()
        try:
            yield is_ours
        finally:
            if is_ours:
                # a broken connection has already released its lock
                with suppress(SQLAlchemyError):
                    connection.execute(select(func.pg_advisory_unlock(number)))


class Listener:
    """Call a function whenever another process announces work. Runs in its own thread.

    Args:
        store: the database.
        on_work: called from the thread. It must return quickly.
    """

    def __init__(self, store: Store, on_work: Callable[[], object]) -> None:
        self._store = store
        self._on_work = on_work
        self._stopping = threading.Event()

    def run(self) -> None:
        """Block and listen until `stop` is called. Temporary errors are logged and retried."""
        pause = FIRST_PAUSE
        while not self._store.is_sqlite and not self._stopping.is_set():
            try:
                self._listen()
                pause = FIRST_PAUSE
            except Exception as error:  # noqa: BLE001  (any driver error; polling continues in the meantime)
                self._log_loss(error, pause)
            self._stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def stop(self) -> None:
        """Ask `run` to return soon. Can be called from any thread."""
        self._stopping.set()

    def _listen(self) -> None:
        with self._store.db_engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            self._on_work()  # work announced before LISTEN caused no notification
            driver: Any = connection.connection.driver_connection
            while not self._stopping.is_set():
                if list(driver.notifies(timeout=LOOK_ROUND, stop_after=1)):
                    self._on_work()
            connection.exec_driver_sql(f"UNLISTEN {CHANNEL}")

    @staticmethod
    def _log_loss(error: Exception, pause: float) -> None:
        log.warning(
            "LISTEN connection lost; retrying",
            action="listen_lost",
            error=type(error).__name__,
            again_in=pause,
        )


def _lock_number(name: str) -> int:
    digest = hashlib.sha256(b"pbem-leader:" + name.encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
