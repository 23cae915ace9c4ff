"""What processes on one PostgreSQL tell each other: there is work, this is mine.

Neither is needed for anything to be right: whoever hears nothing looks at the next tick, and two who
read one mailbox find in the inbox what the other took. On SQLite nobody is told anything.
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
"""Seconds after which a listener looks whether it shall stop."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries to listen after trouble; doubled each time."""


@contextmanager
def leading(store: Store, name: str) -> Iterator[bool]:
    """Claim e.g. a mailbox for as long as this lasts.

    Yields False if another process has it.

    The claim ends with the connection, so a killed process leaves none behind.
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
                with suppress(SQLAlchemyError):  # a connection that broke claims nothing any more
                    connection.execute(select(func.pg_advisory_unlock(number)))


class Listener:
    """Hears of work that other processes have left; runs in a thread of its own.

    Args:
        store: the database.
        on_work: called from the thread; it must not take long.
    """

    def __init__(self, store: Store, on_work: Callable[[], object]) -> None:
        self._store = store
        self._on_work = on_work
        self._stopping = threading.Event()

    def run(self) -> None:
        """Listen until `stop`; blocks, and never raises for trouble that may pass."""
        pause = FIRST_PAUSE
        while not self._store.is_sqlite and not self._stopping.is_set():
            try:
                self._listen()
                pause = FIRST_PAUSE
            except Exception as error:  # noqa: BLE001  (the driver's own, too; ticks go on meanwhile)
                self._tell(error, pause)
            self._stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def stop(self) -> None:
        """End soon; from any thread."""
        self._stopping.set()

    def _listen(self) -> None:
        with self._store.db_engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            self._on_work()  # of what came before, nobody told this process
            driver: Any = connection.connection.driver_connection
            while not self._stopping.is_set():
                if list(driver.notifies(timeout=LOOK_ROUND, stop_after=1)):
                    self._on_work()
            connection.exec_driver_sql(f"UNLISTEN {CHANNEL}")

    @staticmethod
    def _tell(error: Exception, pause: float) -> None:
        log.warning(
            "hears nothing of other processes",
            action="deaf",
            error=type(error).__name__,
            again_in=pause,
        )


def _lock_number(name: str) -> int:
    digest = hashlib.sha256(b"pbem-leader:" + name.encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
