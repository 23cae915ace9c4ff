"""Rows that are bound: changed by somebody without the key, they no longer fit.

Addresses, the games of mails, and public events must be in the database as plain text, because they are searched.
So the column `bound` next to them has an envelope that belongs to exactly these values (for a log, to its end). It
is empty, but for old mails: what stays of one (`pbem.store.post.pruning`) lies in there. A person who can write the database but has no key cannot make one that fits; docs/keys.md says what they can
still do. A row that does not fit belongs to nobody, and stays so: it is bound again only on the word of an admin
(`Players.vouch`, `bind_anew`). Without a key every row fits.
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
"""By table, the columns whose values the seal of a row belongs to."""
_WAITING: Final[Mapping[Table, Any]] = {
    INBOX: INBOX_OPEN,
    OUTBOX: OUTBOX.c.status == spelt("pending"),
}
"""Mails that are settled are not looked at any more: what is erased of a person changes their rows."""


def bind(envelopes: Envelopes, table: Table, values: Mapping[Any, Any], inside: bytes = b"") -> str:
    """Seal a row with these values."""
    return envelopes.seal(inside, f"{table.name}.bound", *(values[name] for name in _NAMES[table]))


def bind_as(
    envelopes: Envelopes, table: Table, known: object, inside: bytes = b"", **changed: object
) -> str:
    """Seal the row of something that was read, e.g. of a mail, with some values changed."""
    values = {name: getattr(known, name) for name in _NAMES[table]}
    return bind(envelopes, table, values | changed, inside)


def bound_in(
    envelopes: Envelopes, table: Table, values: Mapping[Any, Any], *, holds: bool = False
) -> bytes | None:
    """Return what lies in the seal of a row, mostly nothing; None if the row does not fit it.

    Args:
        envelopes, table, values: the keys, and a row.
        holds: something must lie in there, or the row does not fit.

    Raises:
        KeyMissingError: something must, and the key that sealed it is not in the ring.
    """
    place = (f"{table.name}.bound", *(values[name] for name in _NAMES[table]))
    try:
        inside = envelopes.open(values["bound"], *place)
    except KeyMissingError:
        if holds:
            raise
        return None
    except StoreError:
        return None
    return None if holds and not inside else inside


def fits(envelopes: Envelopes, table: Table, values: Mapping[Any, Any]) -> bool:
    """True if this program wrote a row with its column `bound`."""
    return bound_in(envelopes, table, values) is not None


def players_under(connection: Connection, kids: Collection[str]) -> list[str]:
    """Name the players with rows or addresses bound with one of these keys."""
    columns = (PLAYER.c.id, PLAYER.c.bound), (ADDRESS.c.player_id, ADDRESS.c.bound)
    rows = [row for pair in columns for row in connection.execute(select(*pair))]
    return sorted({player_id for player_id, seal in rows if kid_of(seal) in kids})


def bind_anew(connection: Connection, envelopes: Envelopes, kids: Collection[str]) -> None:
    """Bind rows with lost keys as they are: they can no longer be checked.

    Mails are left as they are: those that waited are put aside.
    """
    for table in (HEAD, PLAYER, ADDRESS):
        key = table.primary_key.columns[0]
        for row in connection.execute(select(*BOUND[table], table.c.bound)).mappings().all():
            if kid_of(row["bound"]) in kids:
                seal = bind(envelopes, table, row)
                connection.execute(table.update().where(key == row[key.name]).values(bound=seal))


def unfit_players(connection: Connection, envelopes: Envelopes) -> list[str]:
    """Name the players with a row or address that does not fit; reads all of them."""
    found: set[str] = set()
    for table, name in ((PLAYER, "id"), (ADDRESS, "player_id")):
        for row in connection.execute(select(*BOUND[table], table.c.bound)).mappings():
            if not fits(envelopes, table, row):
                found.add(row[name])
    return sorted(found)


def unfit_mails(
    connection: Connection, envelopes: Envelopes, lost: Collection[str]
) -> Iterator[tuple[Table, int]]:
    """Name waiting mails with rows that do not fit, except those under a `lost` key."""
    for table, is_waiting in _WAITING.items():
        query = select(table.c.id, *BOUND[table], table.c.bound).where(is_waiting)
        for row in connection.execute(query.order_by(table.c.id)).mappings():
            is_lost = kid_of(row["bound"]) in lost
            if not is_lost and not fits(envelopes, table, row):
                yield table, row["id"]
