"""Admins' acts on messages, reply addresses and unregistered senders."""

from __future__ import annotations

from datetime import timedelta

from engine import registry
from pbem.domain.table.game import UNFINISHED
from pbem.domain.words import naming
from pbem.errors import Refusal
from pbem.mail_out.kinds import INVITATION, TURN
from pbem.service.core import games, names
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.service.notify import addressing, mailings, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import InboxMail, OutboxMail

RETRIED = timedelta(days=14)
"""Messages that were abandoned longer ago are retried only by number."""


def waiting(uow: UnitOfWork) -> list[InboxMail]:
    """List the messages of unregistered senders that wait for an admin, oldest first."""
    held = [uow.inbox.get(mail_id) for mail_id, *_ in uow.inbox.held_of(None)]
    return [mail for mail in held if mail is not None]


def admit_or_decline(service: Service, number: int, *, is_admitted: bool) -> str:
    """Register the sender of a waiting message and handle it, or drop it. Return the address.

    Raises: Refusal if there is no such message.
    """
    with service.store.unit_of_work() as uow:
        mail = next((row for row in waiting(uow) if row.id == number), None)
        if mail is None or mail.sender is None:
            raise Refusal("unknown-mail", f"No stranger waits with mail {number}.")
        if not is_admitted:
            uow.inbox.mark(number, "dropped", verdict={"why": "a stranger whom an admin declined"})
            return mail.sender
        name = naming.playable(naming.name_of_address(mail.sender), registry.latest())
        lobby.player_of(service, uow, lobby.Person(name, mail.sender))
        uow.inbox.mark(number, "new")
        return mail.sender


def outgoing(uow: UnitOfWork, mail_id: int) -> OutboxMail:
    """Return a message of the outbox. Raises: Refusal."""
    row = uow.outbox.get(mail_id)
    if row is None:
        raise Refusal("unknown-mail", f"There is no mail {mail_id} in the outbox.")
    return row


def retry(service: Service, mail_id: int) -> None:
    """Retry a waiting, failed or cancelled message now. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        row = outgoing(uow, mail_id)
        if not uow.outbox.reopen(mail_id, service.now()):
            what = "being sent at this moment" if row.status == "pending" else row.status
            raise Refusal("not-waiting", f"Mail {mail_id} is {what}; it is not sent again.")
        uow.pauses.end_all()


def retry_all(service: Service) -> int:
    """Retry all waiting messages now, and those abandoned within `RETRIED`. Return the number.

    Messages whose decision has been made are then superseded.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        uow.pauses.end_all()
        return uow.outbox.reopen_all(now, now - RETRIED)


def cancel(service: Service, mail_id: int, reason: str) -> None:
    """Cancel an unsent message. Its game and clock continue. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        row = outgoing(uow, mail_id)
        if not uow.outbox.cancel(mail_id, f"admin: {reason}"):
            raise Refusal("not-waiting", f"Mail {mail_id} is {row.status}; nothing to cancel.")


def rotate(service: Service, who: str) -> Player | None:
    """Revoke all reply addresses of a person, and send new ones where needed.

    Args:
        who: ID, address or name. An admin's address also revokes that admin's reply addresses.

    Returns: the player, or None for an admin who is not a player.

    Raises: Refusal.
    """
    with service.store.unit_of_work() as uow:
        address = who.strip().lower()
        if address in service.config.service.admins:
            to_admins.rotate(service, uow, address)
            if uow.players.by_address(address) is None:
                return None
        player = names.find_player(uow, who)
        uow.players.rotate(player.id)
        mail_again(service, uow, player, why=f"rotation{player.rotation + 1}")
    return player


def set_address(service: Service, who: str, address: str) -> Player:
    """Change the address a player's messages are sent to, and notify all earlier addresses.

    Args:
        who: ID, name, or an address whose row passes verification.
        address: an address that the admin knows to be theirs.

    Raises: Refusal.
    """
    with service.store.unit_of_work() as uow:
        player = names.find_player(uow, who)
        address = lobby.foreign_address(service, address)
        rotation = names.new_rotation(service, uow)
        if not addressing.vouch(service, uow, player.id, address, rotation):
            raise Refusal(
                "known", "That is the address of another player, and nothing is wrong with it."
            )
        mail_again(service, uow, player, why=f"address:{service.new_id()}")
    return player


def mail_again(service: Service, uow: UnitOfWork, player: Player, *, why: str) -> None:
    """Send a player another copy of each message that awaits their move or answer.

    `why` makes the keys unique.
    """
    for game in games.of_player(uow, player.id, UNFINISHED):
        for seat in game.seats_of(player.id):
            if game.seats[seat].status == "invited":
                mailings.queue_another(service, uow, game, seat, INVITATION, why)
            elif seat in game.to_act:
                mailings.queue_another(service, uow, game, seat, TURN, why)
