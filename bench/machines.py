"""Measure the cost of a move with two services on one database, and with one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import create_engine

from bench.house import House
from trials.load.run import Load, run
from trials.load.traffic import Traffic

GAMES, WARM_UP, MAILS = 24, 60, 240


class Shared:
    """Process replies over LMTP by several `pbem serve` on one PostgreSQL.

    The replies are distributed over the services. The figure is the processor time of the services and
    the database until the last resulting message was sent. The start, the games' first messages and
    some replies are excluded.

    Attributes:
        took: processor seconds of the last batch.
    """

    def __init__(self, url: str, services: int) -> None:
        self._url = url
        self._services = services
        self.took = 0.0

    def __call__(self) -> int:
        """Process one batch on an empty database.

        Raises: RuntimeError if a message was lost or duplicated.
        """
        server = self._emptied()
        house = House(self._url)
        house.start_games(GAMES, deals=50)
        load = Load(MAILS, GAMES, self._services, "postgresql", 0.0)
        asyncio.run(run(load, house, Traffic(MAILS, 0.0), beside=[server], warm_up=WARM_UP))
        house.service.store.close()
        if load.problems:
            raise RuntimeError("; ".join(load.problems))
        self.took = load.cpu_ms * load.mails / 1000
        return load.mails

    def _emptied(self) -> int:
        """Drop all tables of the database. Return the pid of the server's main process."""
        engine = create_engine(self._url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
            folder: str = connection.exec_driver_sql("SHOW data_directory").scalar_one()
        engine.dispose()
        return int((Path(folder) / "postmaster.pid").read_text().split()[0])
