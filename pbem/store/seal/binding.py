"""Signed rows: a change made without the key fails verification.

Addresses, the games of messages, and public events are stored as plain text, because they are
searched. The column `bound` of such a row contains an envelope with the row's values as its
context. A log has one such row for its head. The envelope is empty, except that pruned messages
keep their metadata in it (`pbem.store.post.pruning`). An attacker who can write to the database but
lacks the key cannot create a valid envelope. docs/keys.md describes the remaining risks.

A row that fails verification is trusted again only when an admin vouches for it (`Players.vouch`,
`bind_anew`). If the key ring has no key, every row passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, select

from pbem.errors import KeyMissingError, StoreError
from pbem.plain import words_in
from pbem.store.rows.core import ADDRESS, HEAD, INBOX, INBOX_OPEN, OUTBOX, PLAYER
from pbem.store.rows.texts import spelt
from pbem.store.seal.envelope import Envelopes, kid_of

_NAMES: Final[Mapping[Table, tuple[str, ...]]] = {
    HEAD: words_in("game_id version hash"),
    PLAYER: words_in("id rotation"),
    ADDRESS: words_in("address player_id is_primary"),
    INBOX: words_in("id key raw_sha256 arrived_at game_id seat player_id status"),
    OUTBOX: words_in("key player_id game_id seat kind"),
}
BOUND: Final[Mapping[Table, tuple[Column[Any], ...]]] = {
    table: tuple(table.c[name] for name in names) for table, names in _NAMES.items()
}
"""The columns that a row's signature covers, by table."""
_WAITING: Final[Mapping[Table, Any]] = {
    INBOX: INBOX_OPEN,
    OUTBOX: OUTBOX.c.status == spelt("pending"),
}
"""Conditions of the messages to check.

Others are skipped, because erasing personal data changes them.
"""


def sign_row(
    envelopes: Envelopes, table: Table, values: Mapping[Any, Any], inside: bytes = b""
) -> str:
    """Sign a row with these values and return the signature, which also contains `inside`."""
    return envelopes.seal(inside, f"{table.name}.bound", *(values[name] for name in _NAMES[table]))


def sign_object(
    envelopes: Envelopes, table: Table, known: object, inside: bytes = b"", **changed: object
) -> str:
    """Sign the row of an object read from the database, such as a message, with changed values."""
    values = {name: getattr(known, name) for name in _NAMES[table]}
    return sign_row(envelopes, table, values | changed, inside)


def bound_in(
    envelopes: Envelopes, table: Table, values: Mapping[Any, Any], *, holds: bool = False
) -> bytes | None:
    """Return the data in a row's signature (usually b""), or None if verification fails.

    Args:
        envelopes: the keys.
        table: the row's table.
        values: the row's columns, including `bound`.
        holds: True to require data, so that an empty signature also fails verification.

    Raises:
        KeyMissingError: data is required and its key is missing.
    """
    bound_to = (f"{table.name}.bound", *(values[name] for name in _NAMES[table]))
    try:
        inside = envelopes.open(values["bound"], *bound_to)
    except KeyMissingError:
        if holds:
            raise
        return None
    except StoreError:
        return None
    return None if holds and not inside else inside


def is_authentic(envelopes: Envelopes, table: Table, values: Mapping[Any, Any]) -> bool:
    """True if a row, including its column `bound`, was written by this program."""
    return bound_in(envelopes, table, values) is not None


def players_under(connection: Connection, kids: Collection[str]) -> list[str]:
    """Return the IDs of players whose row or address is signed with one of these keys."""
    columns = (PLAYER.c.id, PLAYER.c.bound), (ADDRESS.c.player_id, ADDRESS.c.bound)
    rows = [row for pair in columns for row in connection.execute(select(*pair))]
    return sorted({player_id for player_id, seal in rows if kid_of(seal) in kids})


def resign_lost(connection: Connection, envelopes: Envelopes, kids: Collection[str]) -> None:
    """Re-sign rows that were signed with these lost keys, without verifying them.

    Messages are not re-signed, because waiting messages are handled separately.
    """
    for table in (HEAD, PLAYER, ADDRESS):
        key = table.primary_key.columns[0]
        for row in connection.execute(select(*BOUND[table], table.c.bound)).mappings().all():
            if kid_of(row["bound"]) in kids:
                seal = sign_row(envelopes, table, row)
                connection.execute(table.update().where(key == row[key.name]).values(bound=seal))


def unfit_players(connection: Connection, envelopes: Envelopes) -> list[str]:
    """Return the IDs of players with a row or address that fails verification. Scans all of them."""
    result: set[str] = set()
    for table, name in ((PLAYER, "id"), (ADDRESS, "player_id")):
        for row in connection.execute(select(*BOUND[table], table.c.bound)).mappings():
            if not is_authentic(envelopes, table, row):
                result.add(row[name])
    return sorted(result)


def unfit_mails(
    connection: Connection, envelopes: Envelopes, lost: Collection[str]
) -> Iterator[tuple[Table, int]]:
    """Yield waiting messages that fail verification, except those signed with a key in `lost`."""
    for table, is_waiting in _WAITING.items():
        query = select(table.c.id, *BOUND[table], table.c.bound).where(is_waiting)
        for row in connection.execute(query.order_by(table.c.id)).mappings():
            is_lost = kid_of(row["bound"]) in lost
            if not is_lost and not is_authentic(envelopes, table, row):
                yield table, row["id"]
