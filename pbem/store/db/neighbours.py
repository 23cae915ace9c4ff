"""Messages between processes on one PostgreSQL: there is work, this is mine.

Correctness does not depend on them. A process that hears nothing looks at the next tick, and two
processes that read one mailbox see in the inbox which mails the other took. On SQLite there are no
messages.
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
    """Claim a resource, e.g. a mailbox, for the duration of the context.

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
                with suppress(SQLAlchemyError):  # a broken connection claims nothing
                    connection.execute(select(func.pg_advisory_unlock(number)))


class Listener:
    """Listener for work left by other processes; runs in its own thread.

    Args:
        store: the database.
        on_work: called from the thread; it must not take long.
    """

    def __init__(self, store: Store, on_work: Callable[[], object]) -> None:
        self._store = store
        self._on_work = on_work
        self._stopping = threading.Event()

    def run(self) -> None:
        """Listen until `stop`; blocks, and does not raise for passing trouble."""
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
        """Stop soon; can be called from any thread."""
        self._stopping.set()

    def _listen(self) -> None:
        with self._store.db_engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            self._on_work()  # this process was not told about earlier work
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
