"""Change a player's addresses and notify all previous addresses.

Someone who intercepts a message, or gains write access to the database, must not be able to
redirect a player's messages unnoticed. So every previous address is notified, even if it was
removed.
"""

from __future__ import annotations

from engine.sentences import Sentence, joined, sentence
from pbem.mail_out.kinds import ADDRESSES, NoteParams
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork


def add(service: Service, uow: UnitOfWork, player_id: str, address: str) -> bool:
    """Add an address to a player. Return False if a player has it already.

    Raises: RowVerificationError.
    """
    before = uow.players.addresses(player_id)
    is_added = uow.players.add_address(player_id, address)
    if is_added:
        message = sentence(
            "From now on mails from {address} count as yours, too.", address=mask(address)
        )
        _notify_previous(service, uow, player_id, before, message)
    return is_added


def make_primary(service: Service, uow: UnitOfWork, player_id: str, address: str) -> None:
    """Make one of a player's addresses primary, so that messages are sent to it.

    Raises: RowVerificationError.
    """
    before = uow.players.addresses(player_id)
    uow.players.set_primary(player_id, address)
    message = sentence("From now on your mails go to {address}.", address=mask(address))
    _notify_previous(service, uow, player_id, before, message)


def remove(service: Service, uow: UnitOfWork, player_id: str, address: str) -> None:
    """Remove an address from a player. If it was primary, another one becomes primary.

    Raises: RowVerificationError.
    """
    before = uow.players.addresses(player_id)
    uow.players.remove_address(player_id, address)
    message = sentence(
        "Mails from {address} do not count as yours any more.", address=mask(address)
    )
    _notify_previous(service, uow, player_id, before, message)


def vouch(service: Service, uow: UnitOfWork, player_id: str, address: str, rotation: int) -> bool:
    """Make an address a player's primary one because an admin vouches for it.

    Rows that fail verification are removed.

    Args:
        rotation: new rotation of the player's reply addresses, if the stored one fails
            verification.

    Returns:
        False if the address belongs to another player. Nothing is changed then.
    """
    before = uow.players.addresses(player_id)
    is_done = uow.players.vouch(player_id, address, rotation)
    if is_done:
        message = sentence(
            "The people who run this server have set your address: from now on your mails go to"
            " {address}.",
            address=mask(address),
        )
        _notify_previous(service, uow, player_id, [*before, address], message)
    return is_done


def mask(address: str) -> str:
    """Mask an address so that only its owner recognises it: `s…@example.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def _notify_previous(
    service: Service, uow: UnitOfWork, player_id: str, before: list[str], said: Sentence
) -> None:
    """Notify each address that the player had before a change."""
    warning = sentence(
        "If that was not you, tell the people who run this server at once, in another way than by"
        " answering this mail."
    )
    change = service.new_id(16)
    for number, address in enumerate(dict.fromkeys(before)):
        mail = Mailing(
            ADDRESSES, NoteParams(joined([said, warning])), f"addresses:{change}:{number}"
        )
        queue_to_player(service, uow, player_id, mail, rcpt_to=address)
