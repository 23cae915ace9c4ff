"""Back up the database while the service is running, then verify the copy."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.domain.log.chain import GameId
from pbem.errors import Refusal, StoreError
from pbem.service.core.context import Service
from pbem.service.upkeep import maintenance, restoring
from pbem.store.db import copying, schema
from pbem.store.db.uow import Store

_BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of files that SQLite may create next to a database."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup and its contents, as read back from the file."""

    file: Path
    size: int
    games: int
    counts: dict[str, int]


def take(service: Service, file: Path, progress: Callable[[int], None]) -> Backup:
    """Copy the database into a new file, and rename that to `file` after verification.

    Args:
        service: provides the database, which any number of processes may be using.
        file: must not exist. Only its owner will be able to read it.
        progress: called with the number of verified games.

    Raises: Refusal (PostgreSQL, or the file exists), StoreError.
    """
    store = service.store
    schema.require_current(store.schema_state())
    if store.db_engine.dialect.name != "sqlite":
        raise Refusal(
            "backup",
            "This database is PostgreSQL, which has its own tool: pg_dump --format=custom"
            f" --file={file} DATABASE. To be sure of it, pg_restore it into an empty database and run"
            " `pbem db check` with PBEM_DATABASE__URL set to that one.",
        )
    partial = file.with_name(f"{file.name}.part")
    try:
        if file.exists():
            raise Refusal("file", f"{file} exists already; nothing was overwritten.")
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise Refusal("file", f"{partial}: {error.strerror}") from None
    try:
        backup = _copied(service, partial, progress)
        partial.rename(file)
        return replace(backup, file=file, size=file.stat().st_size)
    finally:
        for name in (partial, *(partial.with_name(partial.name + end) for end in _BESIDE)):
            name.unlink(missing_ok=True)


def _copied(service: Service, partial: Path, progress: Callable[[int], None]) -> Backup:
    with service.store.reading() as uow:
        before = copying.counts(uow.connection)
    began = service.now()
    copying.copy_to(service.store, partial)
    with closing(service.store.beside(f"sqlite:///{partial}")) as copy:
        restoring.mark_copy(copy, began)
        problems = copying.damage(copy)
        problems += maintenance.check(replace(service, store=copy), progress)
        with copy.reading() as uow:
            counts, heads = copying.counts(uow.connection), copying.heads(uow.connection)
        problems += _differences(service.store, before, counts, heads)
    if problems:
        raise StoreError("the backup is not sound and was removed: " + "; ".join(problems))
    return Backup(partial, 0, len(heads), counts)


def _differences(
    store: Store,
    before: dict[str, int],
    counts: dict[str, int],
    heads: dict[GameId, tuple[int, str]],
) -> list[str]:
    """Compare a copy with the database, which may have changed in the meantime.

    Args:
        before: rows by table when the copy was started.
        counts: rows by table in the copy.
        heads: version and hash of the newest event of each game in the copy.

    Returns: descriptions of the differences.
    """
    with store.reading() as uow:
        after = copying.counts(uow.connection)
        strange = [
            game_id
            for game_id, (version, head) in heads.items()
            if [e.hash for e in uow.events.read_public(game_id)][version - 1 : version] != [head]
        ]
    return [
        *(f"game {game_id} has another head there" for game_id in strange),
        *(
            f"{name}: {count} rows there, {before[name]} to {after[name]} here"
            for name, count in counts.items()
            if not min(before[name], after[name]) <= count <= max(before[name], after[name])
        ),
    ]
