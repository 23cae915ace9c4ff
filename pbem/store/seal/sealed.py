"""Count the envelopes in the database by key, and encrypt values that were stored without a key.

`SEALED` lists the columns, and docs/keys.md explains why others are plain text. Encryption runs in
batches, each in a transaction, so that an interrupted run leaves every value readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Table, case, func, or_, select, tuple_

from pbem.domain.log.chain import GameId
from pbem.errors import StoreError
from pbem.plain import words_in
from pbem.store.rows.core import EVENT, EVENT_SECRET, INBOX, OUTBOX, OWN_KEY, PLAYER, QUESTION
from pbem.store.rows.texts import spelt
from pbem.store.seal.binding import BOUND
from pbem.store.seal.envelope import PLAIN, SEALED_PREFIXES, Envelopes, Place, is_envelope, kid_of
from pbem.store.seal.keyring import KID_LENGTH

NOTHING = ""
"""Value of an empty column. Like null, it is not an envelope."""
BATCH = 100
"""Number of rows encrypted in one transaction. Kept small because messages can be large."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A table with encrypted columns.

    Attributes:
        order: unique columns that order the rows.
        bound_to: columns that are part of an envelope's context, besides the column's name.
        columns: the encrypted columns.
    """

    table: Table
    order: tuple[Column[Any], ...]
    bound_to: tuple[Column[Any], ...]
    columns: tuple[Column[Any], ...]


def _sealed(table: Table, order: str, bound_to: str, columns: str) -> Sealed:
    named = (words_in(names) for names in (order, bound_to, columns))
    return Sealed(table, *(tuple(table.c[name] for name in names) for names in named))


_SECRET, _OUT, _IN = EVENT_SECRET.c, OUTBOX.c, INBOX.c
SEALED = (
    _sealed(EVENT_SECRET, "game_id version", "game_id version", "salt payload"),
    _sealed(INBOX, "id", "key", "raw mail_from rcpt_to verdict error sender authentication"),
    _sealed(OUTBOX, "id", "key", "params rendered rcpt_to last_error said"),
    _sealed(PLAYER, "id", "id", "ping openpgp"),
    _sealed(OWN_KEY, "player_id address", "player_id address", "secret"),
    _sealed(QUESTION, "id", "id kind player_id", "what"),
    *(
        Sealed(table, tuple(table.primary_key), columns, (table.c.bound,))
        for table, columns in BOUND.items()
    ),
)


_NEWEST = (
    select(_SECRET.payload)
    .join(EVENT, (EVENT.c.game_id == _SECRET.game_id) & (EVENT.c.version == _SECRET.version))
    .where(_SECRET.payload.is_not(None))
    .order_by(EVENT.c.position.desc())
    .limit(1),
    select(_IN.raw).order_by(_IN.id.desc()).limit(1),
    select(_OUT.params).order_by(_OUT.id.desc()).limit(1),
)


def count(connection: Connection) -> Counter[str]:
    """Count the envelopes by key name, with `PLAIN` for unencrypted values. Reads all rows."""
    counts: Counter[str] = Counter()
    for sealed in SEALED:
        for column in sealed.columns:
            kid = _kid(column)
            query = select(kid, func.count()).where(column != NOTHING).group_by(kid)
            for name, number in connection.execute(query):
                counts[name] += number
    return counts


def newest_kids(connection: Connection) -> set[str]:
    """Return the names of the keys used in the newest rows of the large tables. Always fast."""
    texts = (connection.execute(query).scalar_one_or_none() for query in _NEWEST)
    return {kid_of(text) for text in texts if text is not None} - {PLAIN}


def games_under(connection: Connection, kids: Sequence[str]) -> list[GameId]:
    """Return the games with secrets encrypted with one of these keys, in ascending order."""
    query = select(_SECRET.game_id).where(_kid(_SECRET.payload).in_(kids)).distinct()
    return [GameId(game_id) for game_id in sorted(connection.execute(query).scalars())]


def mails_under(
    connection: Connection, table: Table, kids: Sequence[str], statuses: Sequence[str]
) -> list[int]:
    """Return messages with these statuses that are encrypted with one of these keys, oldest first.

    Args:
        table: inbox or outbox.
    """
    content = _IN.raw if table is INBOX else _OUT.params
    query = (
        select(table.c.id)
        .where(
            _kid(content).in_(kids),
            or_(*(table.c.status == spelt(statuse) for statuse in statuses)),
        )
        .order_by(table.c.id)
    )
    return list(connection.execute(query).scalars())


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of encrypting a batch of rows.

    Attributes:
        last: key of the last row, from which the next batch continues, or None without rows.
        rows: the number of rows.
        envelopes: the number of values that were encrypted.
        unopened: a description and the error of each row that could not be read.
    """

    last: tuple[Place, ...] | None
    rows: int
    envelopes: int
    unopened: tuple[str, ...]


def seal_plain(
    connection: Connection,
    envelopes: Envelopes,
    sealed: Sealed,
    after: tuple[Place, ...] | None,
) -> Batch:
    """Encrypt the next rows of a table that have an unencrypted value.

    Args:
        after: `last` of the previous batch, or None to begin.
    """
    is_plain = or_(*((column != NOTHING) & (_kid(column) == PLAIN) for column in sealed.columns))
    columns = (*sealed.order, *sealed.bound_to, *sealed.columns)
    query = select(*columns).where(is_plain).order_by(*sealed.order)
    if after is not None:
        query = query.where(tuple_(*sealed.order) > tuple_(*after))
    rows = connection.execute(query.limit(BATCH)).all()
    done = 0
    unopened: list[str] = []
    for row in rows:
        place = tuple(row[: len(sealed.order)])
        texts = dict(zip(sealed.columns, row[-len(sealed.columns) :], strict=True))
        old = {column: text for column, text in texts.items() if text and kid_of(text) == PLAIN}
        try:
            new = _encrypted(envelopes, sealed, row._mapping, old)
        except StoreError as error:
            unopened.append(f"{sealed.table.name} {'/'.join(map(str, place))}: {error}")
            continue
        for column, text in new.items():
            # Skip rows that changed in the meantime, for example because their text was erased.
            changed = connection.execute(
                sealed.table.update()
                .where(*(a == b for a, b in zip(sealed.order, place, strict=True)))
                .where(column == old[column])
                .values({column: text})
            )
            done += changed.rowcount
    last = tuple(rows[-1][: len(sealed.order)]) if rows else None
    return Batch(last, len(rows), done, tuple(unopened))


def _encrypted(
    envelopes: Envelopes,
    sealed: Sealed,
    row: Mapping[Any, Any],
    old: Mapping[Column[Any], str],
) -> dict[Column[Any], str]:
    bound_to: Sequence[Place] = [row[column] for column in sealed.bound_to]
    new = {}
    for column, text in old.items():
        place = (f"{sealed.table.name}.{column.name}", *bound_to)
        data = envelopes.open(text, *place) if is_envelope(text) else text.encode("utf-8")
        new[column] = envelopes.seal(data, *place)
    return new


def _kid(column: Column[Any]) -> Any:  # noqa: ANN401  (an SQL expression)
    cases = [
        (
            func.substr(column, 1, len(prefix)) == prefix,
            func.substr(column, len(prefix) + 1, KID_LENGTH),
        )
        for prefix in SEALED_PREFIXES
    ]
    return case(*cases, else_=PLAIN)
