"""Operators (players who run this server), and the deals that they ended early.

Their seats have an empty phrase, because operators can know the server secret (docs/fairness.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists, select

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import GameCreated, GameStopped
from pbem.domain.log.seat_events import InvitationExpired, PlayerDeclined
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.rows.core import EVENT
from pbem.store.rows.game_rows import GAME
from pbem.store.rows.texts import spelt

LOOK_BACK = timedelta(days=30)
"""How long a deal that was ended early is shown to invited people."""
_MAX = 200
"""Maximum number of stopped games that are read for a message."""
_MOVES = ("MovePlayed", "ChoicesRevealed")
_DOTLESS = ("gmail.com", "googlemail.com")
"""Domains of the same provider whose mailboxes ignore dots."""
_STOPPED = (
    select(GAME.c.id)
    .where(
        GAME.c.status == "stopped",
        GAME.c.finished_at > bindparam("since"),
        ~exists().where(
            EVENT.c.game_id == GAME.c.id, EVENT.c.type.in_([spelt(name) for name in _MOVES])
        ),
    )
    .order_by(GAME.c.finished_at.desc())
    .limit(_MAX)
)
"""Games that were stopped before their first move, newest first."""


def mailbox(address: str) -> str:
    """Normalize an address to its mailbox: lower case, without `+tag`, and for Gmail without dots."""
    local, _, domain = address.strip().casefold().rpartition("@")
    local = local.partition("+")[0]
    if domain in _DOTLESS:
        return f"{local.replace('.', '')}@{_DOTLESS[0]}"
    return f"{local}@{domain}"


def admins_among(service: Service, addresses: Iterable[str]) -> set[str]:
    """Return the configured admins who share a mailbox with one of these addresses."""
    mailboxes = set(map(mailbox, addresses))
    return {admin for admin in service.config.service.admins if mailbox(admin) in mailboxes}


def is_operator(service: Service, uow: UnitOfWork, player_id: str) -> bool:
    """True if a player is an admin of this server. Admins add no phrase (GEN-4)."""
    return bool(admins_among(service, uow.players.addresses(player_id)))


def ended_deals(uow: UnitOfWork, now: datetime) -> int:
    """Count the games that operators ended before the first move in the last 30 days.

    This includes games that an admin stopped, and games that an operator with a seat, or the
    operator who created them, called off, declined or let expire. The count is derived from the
    logs.
    """
    stopped = uow.connection.execute(_STOPPED, {"since": now - LOOK_BACK}).scalars()
    return sum(_ended_by_operator(uow, GameId(game_id)) for game_id in stopped)


def _ended_by_operator(uow: UnitOfWork, game_id: GameId) -> bool:
    events = [codec.decode(event, redacted=True) for event in uow.events.read_public(game_id)]
    created, ended = events[0], events[-1].event
    if not isinstance(created.event, GameCreated) or not isinstance(ended, GameStopped):
        return False
    own = created.event.operator_seats
    makers = {f"player:{created.event.seats[seat]}" for seat in own}
    if ended.code in ("called-off", "renewed"):
        return created.actor in makers
    left = [
        item.event for item in events if isinstance(item.event, PlayerDeclined | InvitationExpired)
    ]
    return ended.code == "admin" or any(event.seat in own for event in left)
