"""People and their addresses. The log knows them by id only, so that a person can be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, CursorResult, Row, UpdateBase, bindparam, func, select

from pbem.language import SOURCE
from pbem.store.rows import ADDRESS, PLAYER
from pbem.store.texts import insert_for, random_id, storable

_BY_ID = select(PLAYER).where(PLAYER.c.id == bindparam("id"))
_BY_IDS = select(PLAYER).where(PLAYER.c.id.in_(bindparam("ids", expanding=True)))
_ADDRESSES = (
    select(ADDRESS.c.address)
    .where(ADDRESS.c.player_id == bindparam("id"))
    .order_by(ADDRESS.c.is_primary.desc(), ADDRESS.c.address)
)
_OWNER = select(ADDRESS.c.player_id).where(ADDRESS.c.address == bindparam("address"))


@dataclass(frozen=True, slots=True)
class Player:
    """A person.

    Attributes:
        id: random; what the log says.
        zone: IANA time zone, e.g. `Europe/Berlin`.
        rotation: how often their reply addresses were made void; older ones move nothing.
        wants_reminders: get reminders of deadlines.
        reminders: minutes before a deadline, the longest first; empty = as each game says.
        digest_hour: hour of the player's own day at which the daily mail comes.
        digest_at: when the next one is due; None = there is none.
        language: what they are written to in, one of `pbem.language.languages()`.
        talk: when to read what others say: `at once`, `folded` into other mails, or as usual (empty).
        wants_html: get mails with a page beside their text.
    """

    id: str
    name: str = field(repr=False)
    zone: str
    created_at: datetime
    rotation: int = 0
    wants_reminders: bool = True
    reminders: tuple[int, ...] = ()
    digest_hour: int = -1
    digest_at: datetime | None = None
    language: str = SOURCE
    talk: str = ""
    wants_html: bool = True


People: TypeAlias = list[Player]
"""Inside the class below, `list` is its method."""


class Players:
    """Players and addresses, on the connection of one unit of work; whom it knows, it asks for once."""

    def __init__(self, connection: Connection, draw_id: Callable[[], str] = random_id) -> None:
        self._connection = connection
        self._draw_id = draw_id
        self._known: dict[str, Player | None] = {}

    def add(self, name: str, zone: str, *, created_at: datetime, language: str = SOURCE) -> Player:
        """Register a person, without an address yet."""
        player = Player(self._draw_id(), storable(name), zone, created_at, language=language)
        self._change(
            PLAYER.insert().values(
                id=player.id,
                name=storable(player.name),
                zone=storable(player.zone),
                created_at=player.created_at,
                rotation=player.rotation,
                wants_reminders=player.wants_reminders,
                reminders="",
                digest_hour=player.digest_hour,
                language=player.language,
                talk=player.talk,
                wants_html=player.wants_html,
            )
        )
        return player

    def set_zone(self, player_id: str, zone: str) -> None:
        """Note in which zone (IANA name) a person wants to read times."""
        self._change(PLAYER.update().where(PLAYER.c.id == player_id).values(zone=storable(zone)))

    def set_language(self, player_id: str, language: str) -> None:
        """Note in which language a person wants to be written to."""
        self._change(PLAYER.update().where(PLAYER.c.id == player_id).values(language=language))

    def set_reminders(self, player_id: str, *, wanted: bool, minutes: tuple[int, ...] = ()) -> None:
        """Note whether a person wants reminders, and how long before a deadline, if not as usual."""
        self._change(
            PLAYER.update()
            .where(PLAYER.c.id == player_id)
            .values(wants_reminders=wanted, reminders=",".join(map(str, minutes)))
        )

    def set_digest(self, player_id: str, hour: int, at: datetime | None) -> None:
        """Note at which hour a person wants one mail a day, and when next; None = not any more."""
        self._change(
            PLAYER.update().where(PLAYER.c.id == player_id).values(digest_hour=hour, digest_at=at)
        )

    def set_talk(self, player_id: str, when: str) -> None:
        """Note when a person wants to read what others say: `at once`, `folded`, empty = as usual."""
        self._change(PLAYER.update().where(PLAYER.c.id == player_id).values(talk=when))

    def set_html(self, player_id: str, *, wanted: bool) -> None:
        """Note whether a person wants mails with a page beside their text."""
        self._change(PLAYER.update().where(PLAYER.c.id == player_id).values(wants_html=wanted))

    def move_digest(self, player: Player, at: datetime) -> bool:
        """Note when the next daily mail is due; False if somebody else did meanwhile."""
        changed = self._change(
            PLAYER.update()
            .where(PLAYER.c.id == player.id, PLAYER.c.digest_at == player.digest_at)
            .values(digest_at=at)
        )
        return changed.rowcount == 1

    def due_for_digest(self, now: datetime, limit: int) -> People:
        """List whose daily mail is due, longest ago first."""
        rows = self._connection.execute(
            select(PLAYER)
            .where(PLAYER.c.digest_at <= now)
            .order_by(PLAYER.c.digest_at, PLAYER.c.id)
            .limit(limit)
        )
        return [_player(row) for row in rows]

    def next_digest(self) -> datetime | None:
        """Give the instant at which the next daily mail is due."""
        at: datetime | None = self._connection.execute(
            select(func.min(PLAYER.c.digest_at))
        ).scalar_one()
        return at

    def rotate(self, player_id: str) -> None:
        """Make every reply address that a person has had so far void."""
        self._change(
            PLAYER.update().where(PLAYER.c.id == player_id).values(rotation=PLAYER.c.rotation + 1)
        )

    def rotate_all(self, rotation: int) -> int:
        """Make every reply address that anybody has had so far void; gives the number of people.

        Args:
            rotation: of the addresses that are good from now on; nobody has had it before.
        """
        return self._change(PLAYER.update().values(rotation=rotation)).rowcount

    def newest_rotation(self) -> int:
        """Give the highest rotation that anybody has; 0 where there is nobody."""
        found: int | None = self._connection.execute(
            select(func.max(PLAYER.c.rotation))
        ).scalar_one()
        return found or 0

    def add_address(self, player_id: str, address: str, *, is_primary: bool = False) -> bool:
        """Add an address; the first one of a player is primary, a new primary one replaces it.

        Returns:
            False if the address belongs to somebody already: then nothing has changed.
        """
        address = normal_address(address)
        owner = self._owner(address)
        if owner is not None:
            return False
        first = self._primary(player_id) is None
        if is_primary and not first:
            self._connection.execute(
                ADDRESS.update().where(ADDRESS.c.player_id == player_id).values(is_primary=False)
            )
        added = self._connection.execute(
            insert_for(self._connection, ADDRESS)
            .values(address=address, player_id=player_id, is_primary=is_primary or first)
            .on_conflict_do_nothing(index_elements=[ADDRESS.c.address])
            .returning(ADDRESS.c.address)
        )
        return added.first() is not None

    def set_primary(self, player_id: str, address: str) -> None:
        """Let mails to a person go to this address of theirs."""
        of_player = ADDRESS.c.player_id == player_id
        for is_primary, which in (
            (False, ADDRESS.c.is_primary),
            (True, ADDRESS.c.address == address),
        ):
            self._connection.execute(
                ADDRESS.update().where(of_player, which).values(is_primary=is_primary)
            )

    def remove_address(self, player_id: str, address: str) -> None:
        """Take an address from a person; of those that are left one is the primary one."""
        of_player = ADDRESS.c.player_id == player_id
        self._connection.execute(ADDRESS.delete().where(of_player, ADDRESS.c.address == address))
        left = self.addresses(player_id)
        if left and self._primary(player_id) is None:
            self.set_primary(player_id, left[0])

    def by_address(self, address: str) -> Player | None:
        """Find whose address it is, in whatever case it is written."""
        owner = self._owner(normal_address(address))
        return None if owner is None else self.get(owner)

    def get(self, player_id: str) -> Player | None:
        """Give one person, by id."""
        if player_id not in self._known:
            row = self._connection.execute(_BY_ID, {"id": player_id}).one_or_none()
            self._known[player_id] = None if row is None else _player(row)
        return self._known[player_id]

    def meet(self, player_ids: Collection[str]) -> None:
        """Ask for several people at once, whom `get` knows then."""
        strange = sorted(set(player_ids) - self._known.keys())
        if len(strange) > 1:
            rows = self._connection.execute(_BY_IDS, {"ids": strange})
            self._known |= {row.id: _player(row) for row in rows}

    def addresses(self, player_id: str) -> list[str]:
        """Give the addresses of a person, the primary one first."""
        return list(self._connection.execute(_ADDRESSES, {"id": player_id}).scalars())

    def list(self) -> list[Player]:
        """Give all people, in the order in which they came."""
        rows = self._connection.execute(select(PLAYER).order_by(PLAYER.c.created_at, PLAYER.c.id))
        return [_player(row) for row in rows]

    def _change(self, statement: UpdateBase) -> CursorResult[Any]:
        """Change rows of people; what was known of them is asked for anew."""
        self._known.clear()
        return self._connection.execute(statement)

    def _owner(self, address: str) -> str | None:
        owner: str | None = self._connection.execute(
            _OWNER, {"address": address}
        ).scalar_one_or_none()
        return owner

    def _primary(self, player_id: str) -> str | None:
        address: str | None = self._connection.execute(
            select(ADDRESS.c.address).where(ADDRESS.c.player_id == player_id, ADDRESS.c.is_primary)
        ).scalar_one_or_none()
        return address


def _player(row: Row[Any]) -> Player:
    minutes = tuple(int(count) for count in row.reminders.split(",") if count)
    return Player(**{**row._mapping, "reminders": minutes})


def normal_address(address: str) -> str:
    """Write an address as the table has it: lower case, no blanks around it."""
    return storable(address.strip().lower())
