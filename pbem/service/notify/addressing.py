"""Changes of a player's addresses, all in this place, so that old ones hear of it.

A thief of one mail, or of the database, must not be able to redirect a player's mails unseen. So
each earlier address of the player is told, even one that was removed.
"""

from __future__ import annotations

from engine.sentences import Sentence, joined, sentence
from pbem.mail_out.kinds import ADDRESSES, NoteParams
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork


def add(service: Service, uow: UnitOfWork, player_id: str, address: str) -> bool:
    """Add an address to a player; False if a player has it already.

    Raises: UnboundError.
    """
    before = uow.players.addresses(player_id)
    is_added = uow.players.add_address(player_id, address)
    if is_added:
        said = sentence(
            "From now on mails from {address} count as yours, too.", address=mask(address)
        )
        _tell(service, uow, player_id, before, said)
    return is_added


def make_primary(service: Service, uow: UnitOfWork, player_id: str, address: str) -> None:
    """Make one of a player's addresses the one that mails go to.

    Raises: UnboundError.
    """
    before = uow.players.addresses(player_id)
    uow.players.set_primary(player_id, address)
    said = sentence("From now on your mails go to {address}.", address=mask(address))
    _tell(service, uow, player_id, before, said)


def remove(service: Service, uow: UnitOfWork, player_id: str, address: str) -> None:
    """Remove an address from a player; another one becomes primary.

    Raises: UnboundError.
    """
    before = uow.players.addresses(player_id)
    uow.players.remove_address(player_id, address)
    said = sentence("Mails from {address} do not count as yours any more.", address=mask(address))
    _tell(service, uow, player_id, before, said)


def vouch(service: Service, uow: UnitOfWork, player_id: str, address: str, rotation: int) -> bool:
    """Send a player's mails to an address on the word of an admin.

    Rows that do not fit are removed.

    Args:
        service, uow, player_id, address: as everywhere.
        rotation: of the player's reply addresses, if it is not known otherwise.

    Returns:
        False if it is the address of another player: then nothing has changed.
    """
    before = uow.players.addresses(player_id)
    is_done = uow.players.vouch(player_id, address, rotation)
    if is_done:
        said = sentence(
            "The people who run this server have set your address: from now on your mails go to"
            " {address}.",
            address=mask(address),
        )
        _tell(service, uow, player_id, [*before, address], said)
    return is_done


def mask(address: str) -> str:
    """Mask an address so that only its owner recognises it: `s…@example.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def _tell(
    service: Service, uow: UnitOfWork, player_id: str, before: list[str], said: Sentence
) -> None:
    """Mail the news of a change to each address that the player had before it."""
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
