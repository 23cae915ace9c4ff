"""Players and their addresses. The log contains only player IDs, so personal data can be erased."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import (
    Connection,
    CursorResult,
    Row,
    RowMapping,
    UpdateBase,
    bindparam,
    func,
    select,
    union,
)

from pbem.domain.log.chain import GameId
from pbem.domain.words.player_settings import Settings
from pbem.errors import KeyMissingError, RowVerificationError, StoreError
from pbem.language import SOURCE
from pbem.plain import words_in
from pbem.store.post.inbox import mails_of
from pbem.store.rows.core import ADDRESS, INBOX, OWN_KEY, PLAYER, REACH
from pbem.store.rows.game_rows import SEAT
from pbem.store.rows.texts import insert_for, random_id, storable
from pbem.store.seal.binding import is_authentic, sign_row
from pbem.store.seal.envelope import Envelopes, SealedTables

PING, OPENPGP, OWN_SECRET = "player.ping", "player.openpgp", "own_key.secret"
_DIGESTS_DUE = (
    select(PLAYER)
    .where(PLAYER.c.digest_at <= bindparam("now"))
    .order_by(PLAYER.c.digest_at, PLAYER.c.id)
    .limit(bindparam("most"))
)
_WITH_FILES = (
    select(PLAYER)
    .where(
        PLAYER.c.settings.contains('"has_calendar":true', autoescape=True)
        | PLAYER.c.settings.contains('"has_page":true', autoescape=True)
    )
    .order_by(PLAYER.c.id)
)
"""Query for players with a calendar or page.

JSON escapes quotes in strings, so the patterns match only keys.
"""
_BY_ID = select(PLAYER).where(PLAYER.c.id == bindparam("id"))
_BY_IDS = select(PLAYER).where(PLAYER.c.id.in_(bindparam("ids", expanding=True)))
_ADDRESSES = (
    select(ADDRESS)
    .where(ADDRESS.c.player_id == bindparam("id"))
    .order_by(ADDRESS.c.is_primary.desc(), ADDRESS.c.address)
)
_OWNER = (
    PLAYER,
    *(ADDRESS.c.address, ADDRESS.c.player_id, ADDRESS.c.is_primary),
    ADDRESS.c.bound.label("address_bound"),
    REACH.c.lost_at,
)
"""Columns of a player and one of their addresses. `lost_at` is set if the player is unreachable."""
_RECIPIENTS = (
    select(*_OWNER)
    .join(ADDRESS, ADDRESS.c.player_id == PLAYER.c.id)
    .join(REACH, REACH.c.player_id == PLAYER.c.id, isouter=True)
    .where(PLAYER.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(ADDRESS.c.is_primary.desc(), ADDRESS.c.address)
)
_ADDRESS = select(ADDRESS).where(ADDRESS.c.address == bindparam("address"))
_OF_ADDRESS = (
    select(
        *_OWNER,
        mails_of(ADDRESS.c.player_id)
        .where(INBOX.c.game_id == bindparam("game_id"))
        .scalar_subquery()
        .label("mails"),
    )
    .join(
        ADDRESS,
        (ADDRESS.c.player_id == PLAYER.c.id) & (ADDRESS.c.address == bindparam("address")),
        isouter=True,
    )
    .join(REACH, REACH.c.player_id == PLAYER.c.id, isouter=True)
    .where(
        PLAYER.c.id.in_(
            union(
                select(ADDRESS.c.player_id).where(ADDRESS.c.address == bindparam("address")),
                select(SEAT.c.player_id).where(SEAT.c.game_id == bindparam("game_id")),
            )
        )
    )
)
"""The owner of an address and the players of a game, whose `address` is NULL.

`mails` is the number of the player's handled messages in that game.
"""
_OWN_SECRET = select(OWN_KEY.c.secret).where(
    OWN_KEY.c.player_id == bindparam("player_id"), OWN_KEY.c.address == bindparam("address")
)
_SET_BOUND = (
    PLAYER.update()
    .where(PLAYER.c.id == bindparam("of"))
    .values(rotation=bindparam("now"), bound=bindparam("seal"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Player(Settings):
    """A player with the values of their settings.

    Attributes:
        id: random ID, which identifies the player in the log.
        rotation: number of times that their reply addresses were revoked. Addresses with a lower
            rotation are invalid.
        digest_at: when the next daily digest is due, or None if it is off.
        ping: encrypted `PingSettings`, see `Players.pinged`, or None if pings were never set up.
        openpgp: encrypted `EncryptionKey`, see `Players.keyed`, or None if their messages are not
            encrypted.
        offered: languages that they were offered, each once.
    """

    id: str
    name: str = field(repr=False)
    created_at: datetime
    offered: tuple[str, ...] = ()
    rotation: int = 0
    digest_at: datetime | None = None
    ping: str | None = field(default=None, repr=False)
    openpgp: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PingSettings:
    """A player's ping destination, such as `ntfy my-topic`, or empty for none."""

    place: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class EncryptionKey:
    """The OpenPGP key for the messages to a player.

    Attributes:
        key: the public key. It is empty if the database key that encrypted it is lost, so that no
            message can be encrypted.
        at: date of the message that contained the key (ISO 8601).
        address: the address that sent the key. Messages to the player's other addresses are not
            encrypted with it.
        asked: date on which the player was last asked whether to replace this key (ISO 8601).
    """

    key: bytes = field(default=b"", repr=False)
    at: str = ""
    address: str = field(default="", repr=False)
    asked: str = ""


_OWN = words_in("id name created_at rotation digest_at ping openpgp")
"""Columns of the table that are fields of `Player`."""
People: TypeAlias = list[Player]
"""Type alias, because `list` is a method inside the class below."""
Rows: TypeAlias = Sequence[RowMapping]


class Players(SealedTables):
    """Access to players and addresses within one unit of work. Reads each player only once.

    Attributes:
        unfit: IDs of players with a row or address that failed verification.
        reached: IDs of players who were looked up by address and are not marked unreachable.
        mailed: by player and game, the number of handled messages, as counted by
            `Inbox.count_from`. Filled by `by_address`.
    """

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        self.unfit: set[str] = set()
        self.reached: set[str] = set()
        self.mailed: dict[tuple[str, GameId], int] = {}
        super().__init__(connection, envelopes)
        self._known: dict[str, Player | None] = {}
        self._recipients: dict[str, Row[Any]] = {}

    def add(self, name: str, zone: str, *, created_at: datetime, language: str = SOURCE) -> Player:
        """Create a player without an address."""
        own: dict[str, Any] = {"id": random_id(), "name": storable(name), "created_at": created_at}
        own["rotation"] = 0
        chosen: dict[str, Any] = {"zone": zone, "language": language}
        seal = sign_row(self._envelopes, PLAYER, own)
        self._change(PLAYER.insert().values(**own, settings=_json(chosen), bound=seal))
        return Player(**own, **chosen)

    def prefer(self, player_id: str, **wanted: object) -> Player:
        """Store settings that a player has chosen, and return the updated player.

        Args:
            wanted: the new values by field of `Settings`.
        """
        Settings(**wanted)  # type: ignore[arg-type]  # raises TypeError for unknown settings
        row = self._locked(player_id)
        chosen = {} if row is None else msgspec.json.decode(row["settings"])
        self._set(player_id, settings=_json(chosen | wanted))
        player = self.get(player_id)
        if player is None:
            raise StoreError(f"there is no player {player_id}")
        return player

    def mark_offered(self, player_id: str, language: str) -> bool:
        """Record that a player was offered a language. False if that was recorded before."""
        row = self._locked(player_id)
        stored = {} if row is None else msgspec.json.decode(row["settings"])
        offered = stored.get("offered", [])
        if language in offered:
            return False
        self._set(player_id, settings=_json(stored | {"offered": [*offered, language]}))
        return True

    def with_files(self) -> People:
        """List the players who have turned on a calendar or a personal page, ordered by ID."""
        rows = self._connection.execute(_WITH_FILES)
        return [_player(row) for row in rows]

    def pinged(self, player: Player) -> PingSettings:
        """Return a player's ping destination, or an empty one if its encryption key is missing."""
        if player.ping is None:
            return PingSettings()
        try:
            return msgspec.json.decode(
                self._envelopes.open(player.ping, PING, player.id), type=PingSettings
            )
        except KeyMissingError:
            return PingSettings()

    def set_pinged(self, player_id: str, pinged: PingSettings) -> None:
        """Store a player's ping destination."""
        sealed = None
        if pinged != PingSettings():
            sealed = self._envelopes.seal(msgspec.json.encode(pinged), PING, player_id)
        self._set(player_id, ping=sealed)

    def keyed(self, player: Player) -> EncryptionKey | None:
        """Return the key for encrypting a player's messages, or None if they are not encrypted."""
        if player.openpgp is None:
            return None
        try:
            opened = self._envelopes.open(player.openpgp, OPENPGP, player.id)
        except KeyMissingError:
            return EncryptionKey()
        return msgspec.json.decode(opened, type=EncryptionKey)

    def set_keyed(self, player_id: str, keyed: EncryptionKey | None) -> None:
        """Encrypt a player's future messages with this key. None turns encryption off."""
        sealed = None
        if keyed is not None:
            sealed = self._envelopes.seal(msgspec.json.encode(keyed), OPENPGP, player_id)
        self._set(player_id, openpgp=sealed)

    def keyed_ids(self) -> Sequence[str]:
        """Return the IDs of the players whose messages are encrypted."""
        query = select(PLAYER.c.id).where(PLAYER.c.openpgp.is_not(None))
        return [*self._connection.execute(query).scalars()]

    def has_own_secret(self) -> bool:
        """True if the service has created its own OpenPGP key for any player."""
        return self._connection.execute(select(OWN_KEY.c.address).limit(1)).first() is not None

    def own_secret(self, player_id: str, address: str) -> bytes | None:
        """Return the service's secret OpenPGP key for a player and one of its sending addresses.

        Returns None if there is no such key, or if the database key that encrypted it is missing.
        """
        key = {"player_id": player_id, "address": address}
        sealed = self._connection.execute(_OWN_SECRET, key).scalar_one_or_none()
        try:
            if sealed is not None:
                return self._envelopes.open(sealed, OWN_SECRET, player_id, address)
        except KeyMissingError:
            pass
        return None

    def keep_own_secret(self, player_id: str, address: str, secret: bytes) -> None:
        """Store the service's secret OpenPGP key, unless a readable key is already stored."""
        key = {"player_id": player_id, "address": address}
        here = self._connection.execute(_OWN_SECRET, key).scalar_one_or_none()
        if here is not None and self.own_secret(player_id, address) is None:
            self._connection.execute(OWN_KEY.delete().where(OWN_KEY.c.secret == here))
        sealed = self._envelopes.seal(secret, OWN_SECRET, player_id, address)
        row = insert_for(self._connection, OWN_KEY).values(**key, secret=sealed)
        self._connection.execute(
            row.on_conflict_do_nothing(index_elements=[OWN_KEY.c.player_id, OWN_KEY.c.address])
        )

    def plan_digest(self, player_id: str, due_at: datetime | None) -> None:
        """Schedule the next daily digest. None turns it off."""
        self._set(player_id, digest_at=due_at)

    def move_digest(self, player: Player, at: datetime) -> bool:
        """Schedule the next daily digest. Return False if another worker did so first."""
        changed = self._change(
            PLAYER.update()
            .where(PLAYER.c.id == player.id, PLAYER.c.digest_at == player.digest_at)
            .values(digest_at=at)
        )
        return changed.rowcount == 1

    def due_for_digest(self, now: datetime, limit: int) -> People:
        """List the players whose daily digest is due, oldest first."""
        rows = self._connection.execute(_DIGESTS_DUE, {"now": now, "most": limit})
        return [_player(row) for row in rows]

    def next_digest(self) -> datetime | None:
        """Return when the next daily digest is due."""
        return self._scalar(select(func.min(PLAYER.c.digest_at)), default=None)

    def rotate(self, player_id: str) -> None:
        """Revoke all reply addresses issued to a player.

        Raises: RowVerificationError if the player's row fails verification.
        """
        row = self._locked(player_id)
        if row is not None:
            self._require_fit(is_authentic(self._envelopes, PLAYER, row), player_id)
            self._set_rotations([player_id], row["rotation"] + 1)

    def rotate_all(self, rotation: int) -> int:
        """Revoke all reply addresses ever issued, and return the number of players.

        Args:
            rotation: the new rotation of all players. Must be higher than any used before.
        """
        ids = self._connection.execute(select(PLAYER.c.id)).scalars().all()
        self._set_rotations(ids, rotation)
        return len(ids)

    def newest_rotation(self) -> int:
        """Return the highest rotation of all players, or 0 if there are none."""
        return self._scalar(select(func.max(PLAYER.c.rotation)), default=0)

    def add_address(self, player_id: str, address: str, *, is_primary: bool = False) -> bool:
        """Add an address. A player's first address becomes the primary one.

        Returns:
            False if the address already belongs to a player. Nothing is changed in that case.

        Raises:
            RowVerificationError: the existing row of the address fails verification, so its owner is
                uncertain.
        """
        address = normal_address(address)
        known = self._connection.execute(_ADDRESS, {"address": address}).mappings().one_or_none()
        if known is not None:
            self._require_fit(is_authentic(self._envelopes, ADDRESS, known), known["player_id"])
            return False
        rows = self._rows(player_id)
        if is_primary:
            self._mark(rows, None)
        row = {
            "address": address,
            "player_id": player_id,
            "is_primary": is_primary or not any(row["is_primary"] for row in rows),
        }
        added = self._connection.execute(
            insert_for(self._connection, ADDRESS)
            .values(**row, bound=sign_row(self._envelopes, ADDRESS, row))
            .on_conflict_do_nothing(index_elements=[ADDRESS.c.address])
            .returning(ADDRESS.c.address)
        )
        return added.first() is not None

    def set_primary(self, player_id: str, address: str) -> None:
        """Make an address a player's primary one, to which messages are sent.

        Raises: RowVerificationError if an address row of the player fails verification.
        """
        rows = self._rows(player_id)
        for row in rows:
            self._require_fit(is_authentic(self._envelopes, ADDRESS, row), player_id)
        self._mark(rows, None)
        self._mark(rows, address)

    def remove_address(self, player_id: str, address: str) -> None:
        """Remove an address of a player. If it was primary, another address becomes primary.

        Raises: RowVerificationError if a remaining address row fails verification.
        """
        of_player = ADDRESS.c.player_id == player_id
        self._connection.execute(ADDRESS.delete().where(of_player, ADDRESS.c.address == address))
        left = self._rows(player_id)
        if left and not any(row["is_primary"] for row in left):
            self.set_primary(player_id, left[0]["address"])

    def vouch(self, player_id: str, address: str, rotation: int) -> bool:
        """Make an address a player's primary one because an admin vouches for it.

        Rows of the player or of this address that fail verification are deleted or re-signed.

        Args:
            player_id: the player.
            address: the address.
            rotation: new rotation of the player's reply addresses, used if the player's row fails
                verification.

        Returns:
            False if the address belongs to another player. Nothing is changed in that case.
        """
        address = normal_address(address)
        known = self._connection.execute(_ADDRESS, {"address": address}).mappings().one_or_none()
        is_sound = known is not None and is_authentic(self._envelopes, ADDRESS, known)
        if known is not None and is_sound and known["player_id"] != player_id:
            return False
        unfit = [
            row for row in self._rows(player_id) if not is_authentic(self._envelopes, ADDRESS, row)
        ]
        for row in unfit if is_sound or known is None else [*unfit, known]:
            gone = ADDRESS.c.address == row["address"]
            self._connection.execute(ADDRESS.delete().where(gone))
        player = self._locked(player_id)
        if player is not None and not is_authentic(self._envelopes, PLAYER, player):
            self._set_rotations([player_id], rotation)
        self.unfit.discard(player_id)
        self.add_address(player_id, address)
        self.set_primary(player_id, address)
        return True

    def by_address(
        self, address: str, game_id: GameId | None = None, *, since: datetime | None = None
    ) -> Player | None:
        """Return the owner of an address, ignoring case, or None if the row fails verification.

        With `game_id`, the players of that game are cached for `get`. With `since` as well,
        `mailed` gets the number of the owner's later messages in that game.
        """
        given = {"address": normal_address(address), "game_id": game_id, "since": since}
        owner = None
        for row in self._connection.execute(_OF_ADDRESS, given):
            if row.address is not None:
                owner = row
            elif row.id not in self._known:
                self._known[row.id] = _player(row)
        if owner is None:
            return None
        if not self._fits(owner):
            self.unfit.add(owner.id)
            return None
        if game_id is not None and since is not None:
            self.mailed[owner.id, game_id] = owner.mails
        return self._met(owner)

    def get(self, player_id: str) -> Player | None:
        """Return a player by ID, or None."""
        if player_id not in self._known:
            row = self._connection.execute(_BY_ID, {"id": player_id}).one_or_none()
            self._known[player_id] = None if row is None else _player(row)
        return self._known[player_id]

    def preload(self, player_ids: Collection[str]) -> None:
        """Cache several players for later calls of `get`."""
        strange = sorted(set(player_ids) - self._known.keys())
        if len(strange) > 1:
            rows = self._connection.execute(_BY_IDS, {"ids": strange})
            self._known |= {row.id: _player(row) for row in rows}

    def addresses(self, player_id: str) -> list[str]:
        """Return a player's verified addresses, the primary one first."""
        rows = self._connection.execute(_ADDRESSES, {"id": player_id}).mappings()
        return [row["address"] for row in rows if is_authentic(self._envelopes, ADDRESS, row)]

    def preload_recipients(self, player_ids: Collection[str]) -> None:
        """Cache several players for later calls of `recipient` in a read-only unit of work."""
        for row in self._connection.execute(_RECIPIENTS, {"ids": sorted(set(player_ids))}):
            self._recipients.setdefault(row.id, row)

    def recipient(self, player_id: str) -> str | None:
        """Return the address for a player's messages, or None.

        Also caches the player and whether they are reachable.

        Raises: RowVerificationError if the address row or the player row fails verification.
        """
        if player_id not in self._recipients:
            self.preload_recipients([player_id])
        row = self._recipients.get(player_id)
        if row is None:
            return None
        self._require_fit(self._fits(row), player_id)
        self._met(row)
        return str(row.address)

    def _fits(self, owner: Row[Any]) -> bool:
        """True if the row of a player and the row of their address pass verification."""
        row = owner._mapping
        return is_authentic(self._envelopes, PLAYER, row) and is_authentic(
            self._envelopes, ADDRESS, {**row, "bound": row["address_bound"]}
        )

    def _met(self, owner: Row[Any]) -> Player:
        """Cache a player, and record whether they are reachable."""
        if owner.lost_at is None:
            self.reached.add(owner.id)
        player = self._known.get(owner.id) or _player(owner)
        self._known[owner.id] = player
        return player

    def list(self) -> list[Player]:
        """Return all players in order of registration."""
        rows = self._connection.execute(select(PLAYER).order_by(PLAYER.c.created_at, PLAYER.c.id))
        return [_player(row) for row in rows]

    def _change(self, statement: UpdateBase) -> CursorResult[Any]:
        """Execute a statement that changes player rows, and clear the cache."""
        self._known.clear()
        return self._connection.execute(statement)

    def _set(self, player_id: str, **values: object) -> None:
        self._change(PLAYER.update().where(PLAYER.c.id == player_id).values(values))

    def _require_fit(self, is_fit: bool, player_id: str) -> None:
        if not is_fit:
            self.unfit.add(player_id)
            raise RowVerificationError(PLAYER.name, player_id)

    def _rows(self, player_id: str) -> Rows:
        """Return and lock the rows of a player's addresses, the primary one first."""
        rows = self._connection.execute(_ADDRESSES.with_for_update(), {"id": player_id})
        return rows.mappings().all()

    def _mark(self, rows: Rows, primary: str | None) -> None:
        """Make an address primary, or with None make the primary address secondary.

        Raises: RowVerificationError if a row to be changed fails verification.
        """
        for row in rows:
            if row["is_primary"] if primary is None else row["address"] == primary:
                self._require_fit(is_authentic(self._envelopes, ADDRESS, row), row["player_id"])
                self._write(row, is_primary=primary is not None)

    def _write(self, row: Mapping[Any, Any], *, is_primary: bool) -> None:
        values = {**row, "is_primary": is_primary}
        self._connection.execute(
            ADDRESS.update()
            .where(ADDRESS.c.address == row["address"])
            .values(is_primary=is_primary, bound=sign_row(self._envelopes, ADDRESS, values))
        )

    def _locked(self, player_id: str) -> RowMapping | None:
        """Return a player's row, locked until the end of the unit of work."""
        return (
            self._connection.execute(_BY_ID.with_for_update(), {"id": player_id})
            .mappings()
            .one_or_none()
        )

    def _set_rotations(self, ids: Sequence[str], rotation: int) -> None:
        self._known.clear()
        rows = [
            {
                "of": player_id,
                "now": rotation,
                "seal": sign_row(self._envelopes, PLAYER, {"id": player_id, "rotation": rotation}),
            }
            for player_id in ids
        ]
        if rows:
            self._connection.execute(_SET_BOUND, rows)


def _json(chosen: Mapping[str, object]) -> str:
    """Serialize chosen settings for the `settings` column."""
    return msgspec.json.encode(chosen).decode()


def _player(row: Row[Any]) -> Player:
    own = {name: getattr(row, name) for name in _OWN}
    return msgspec.convert(msgspec.json.decode(row.settings) | own, Player)


def normal_address(address: str) -> str:
    """Normalize an address for storage: lower case, without surrounding white space."""
    return storable(address.strip().lower())
