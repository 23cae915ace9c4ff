"""Acts of admins on mails and reply addresses."""

from __future__ import annotations

from pbem.domain.table.game import UNFINISHED
from pbem.errors import Refusal
from pbem.mail_out.kinds import INVITATION, TURN
from pbem.service.core import games, names
from pbem.service.core.context import Service
from pbem.service.lobby import making as lobby
from pbem.service.notify import addressing, mailings
from pbem.service.people import stored as people
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.outgoing import Outgoing


def outgoing(uow: UnitOfWork, mail_id: int) -> Outgoing:
    """Return one mail of the outbox. Raises: Refusal."""
    row = uow.outbox.get(mail_id)
    if row is None:
        raise Refusal("unknown-mail", f"There is no mail {mail_id} in the outbox.")
    return row


def retry(service: Service, mail_id: int) -> None:
    """Try a waiting, failed or cancelled mail now. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        row = outgoing(uow, mail_id)
        if not uow.outbox.reopen(mail_id, service.now()):
            what = "being sent at this moment" if row.status == "pending" else row.status
            raise Refusal("not-waiting", f"Mail {mail_id} is {what}; it is not sent again.")
        uow.pauses.end_all()


def retry_all(service: Service) -> int:
    """Try all waiting mails now; return how many. Mails that were given up stay so."""
    with service.store.unit_of_work() as uow:
        uow.pauses.end_all()
        return uow.outbox.reopen_all(service.now())


def cancel(service: Service, mail_id: int, reason: str) -> None:
    """Cancel an unsent mail; its game and clock go on. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        row = outgoing(uow, mail_id)
        if not uow.outbox.cancel(mail_id, f"admin: {reason}"):
            raise Refusal("not-waiting", f"Mail {mail_id} is {row.status}; nothing to cancel.")


def rotate(service: Service, who: str) -> Player:
    """Void every reply address of a person, and mail them new ones where needed.

    Args:
        who: id, address or name.

    Raises: Refusal.
    """
    with service.store.unit_of_work() as uow:
        player = people.find(uow, who)
        uow.players.rotate(player.id)
        mail_again(service, uow, player, why=f"rotation{player.rotation + 1}")
    return player


def set_address(service: Service, who: str, address: str) -> Player:
    """Send a person's mails to this address from now on, and tell all earlier ones.

    Args:
        who: id, name, or an address whose row fits.
        address: of which the admin knows that it is theirs.

    Raises: Refusal.
    """
    with service.store.unit_of_work() as uow:
        player = people.find(uow, who)
        address = lobby.foreign_address(service, address)
        rotation = names.new_rotation(service, uow)
        if not addressing.vouch(service, uow, player.id, address, rotation):
            raise Refusal(
                "known", "That is the address of another player, and nothing is wrong with it."
            )
        mail_again(service, uow, player, why=f"address:{service.new_id()}")
    return player


def mail_again(service: Service, uow: UnitOfWork, player: Player, *, why: str) -> None:
    """Mail a person again what they have to answer; `why` makes it another mail."""
    for game in games.of_player(uow, player.id, UNFINISHED):
        for seat in game.seats_of(player.id):
            if game.seats[seat].status == "invited":
                mailings.queue_again(service, uow, game, seat, INVITATION, why)
            elif seat in game.to_act:
                mailings.queue_again(service, uow, game, seat, TURN, why)
