"""The addresses of a player, changed: here and nowhere else, so that all earlier ones hear of it.

Somebody who got hold of one mail, or of the database, must not be able to turn a player's mails away
unseen. So each address that was theirs before is told, also one that was taken away.
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
    """Let mails to a player go to one of their addresses. Raises: UnboundError."""
    before = uow.players.addresses(player_id)
    uow.players.set_primary(player_id, address)
    said = sentence("From now on your mails go to {address}.", address=mask(address))
    _tell(service, uow, player_id, before, said)


def remove(service: Service, uow: UnitOfWork, player_id: str, address: str) -> None:
    """Take an address from a player; another one becomes primary. Raises: UnboundError."""
    before = uow.players.addresses(player_id)
    uow.players.remove_address(player_id, address)
    said = sentence("Mails from {address} do not count as yours any more.", address=mask(address))
    _tell(service, uow, player_id, before, said)


def vouch(service: Service, uow: UnitOfWork, player_id: str, address: str, rotation: int) -> bool:
    """Let mails to a player go to an address on the word of an admin; rows that do not fit are gone.

    Args:
        service, uow, player_id, address: as everywhere.
        rotation: of the player's reply addresses, where nobody can say which it is.

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
    """Write an address so that its owner knows it and nobody else learns it: `s…@example.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def _tell(
    service: Service, uow: UnitOfWork, player_id: str, before: list[str], said: Sentence
) -> None:
    """Mail each address that was the player's before a change what changed."""
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
