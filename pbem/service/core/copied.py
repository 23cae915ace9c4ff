"""A database that is a copy of another one: it is looked at, and nothing happens in it."""

from __future__ import annotations

from pbem.errors import StoreError
from pbem.store.db.uow import UnitOfWork

COPIED = "copied"
"""Name under which it is noted, beside the heartbeats, when a copy was made."""


def require_served_here(uow: UnitOfWork) -> None:
    """Refuse to serve a copy of a database as it is, or to act in it. Raises: StoreError."""
    copied = uow.outages.last_beat(COPIED)
    if copied is not None:
        raise StoreError(
            f"this database is a copy that `pbem db backup` made at {copied:%Y-%m-%d %H:%M} UTC. Served"
            " as it is, it would send its mails again and play games in two versions, and of what an"
            " admin does or reveals in it no player would read. To look at it, `pbem db check` is"
            " enough; to play on from it, make sure that no other machine serves the old one, and run"
            " `pbem db restored`"
        )
