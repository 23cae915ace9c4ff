"""Addresses that are never to be invited again: kept as keyed hashes, so that the list names nobody."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork


def hashes(service: Service, address: str) -> list[str]:
    """Return the keyed hashes of an address, the one of the newest key first; a tag (`+x`) is left out."""
    local, _, domain = address.strip().lower().rpartition("@")
    text = b"pbem-uninvited-v1\n" + f"{local.partition('+')[0]}@{domain}".encode()
    return [hmac.new(key, text, hashlib.sha256).hexdigest() for key in service.tokens.keys]


def is_uninvited(service: Service, uow: UnitOfWork, address: str) -> bool:
    """True if this address, or another one of its player, is never to be invited again."""
    known = uow.players.by_address(address)
    addresses = [address, *([] if known is None else uow.players.addresses(known.id))]
    return any(uow.invitations.is_uninvited(hashes(service, one)) for one in addresses)


def among(service: Service, uow: UnitOfWork, players: Iterable[str]) -> list[str]:
    """Return the ids of those of these people who are never to be invited again."""
    return [
        player
        for player in players
        if any(
            uow.invitations.is_uninvited(hashes(service, one))
            for one in uow.players.addresses(player)
        )
    ]


def check(service: Service, uow: UnitOfWork, address: str) -> None:
    """Refuse an admin's invitation to somebody who wants none. Raises: Refusal."""
    if is_uninvited(service, uow, address):
        raise Refusal(
            "uninvited",
            "One of these people wants no invitations from this server. Should they have asked you for"
            " one, `pbem player allow ADDRESS` takes them off the list.",
        )


def allow(service: Service, address: str) -> None:
    """Take an address off the list, for an admin whom its owner asked. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        if not uow.invitations.allow(hashes(service, address)):
            raise Refusal("unknown-address", "That address is not on the list.")
