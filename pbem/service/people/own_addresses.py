"""`address add NEW`, `address remove OLD`, `address primary ONE`: the addresses of one person.

A new address counts only once a mail from there has answered the mail that was sent there
(`confirmed_address`). One of another player is taken over from them then, if they play nowhere.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime

from engine.sentences import Sentence, all_of, sentence
from pbem.domain.terms.tokens import AddressToken
from pbem.errors import Refusal
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.service.lobby import making as lobby
from pbem.service.notify import addressing, mailings
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

MARK_LENGTH = 12


def carry_out(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out what follows `address`; gives a sentence. Raises: Refusal."""
    known = uow.players.addresses(player.id)
    if words is None:
        return sentence(
            "Your addresses: {addresses}. Mails go to the first.", addresses=all_of(known)
        )
    act, address = _read(service, words, known)
    if act == "add":
        return _ask(service, uow, player, address)
    if act == "primary":
        addressing.make_primary(service, uow, player.id, address)
        return sentence("From now on your mails go to {address}.", address=address)
    addressing.remove(service, uow, player.id, address)
    return sentence("Mails from {address} are not yours any more.", address=address)


def asked_for(service: Service, uow: UnitOfWork, player_id: str, words: str) -> Sentence:
    """Return in a sentence what these words behind `address` ask for. Raises: Refusal."""
    act, address = _read(service, words, uow.players.addresses(player_id))
    if act == "add":
        return sentence("You asked to play from {address}, too.", address=address)
    if act == "primary":
        return sentence("You asked for all your mails to go to {address}.", address=address)
    return sentence("You asked that {address} is no address of yours any more.", address=address)


def _read(service: Service, words: str, known: list[str]) -> tuple[str, str]:
    """Return what is to be done with which address, if it can be done. Raises: Refusal."""
    act, _, text = words.partition(" ")
    act, address = act.lower(), lobby.checked_address(text.strip().strip("<>"))
    if act == "add":
        address = lobby.foreign_address(service, address)
        if address in known:
            raise Refusal("address", sentence("That is an address of yours already."))
    elif address not in known:
        raise Refusal("address", sentence("That is no address of yours."))
    elif act == "remove" and len(known) == 1:
        raise Refusal("address", sentence("That is your only address; add another one first."))
    return act, address


def _ask(service: Service, uow: UnitOfWork, player: Player, address: str) -> Sentence:
    if not limits.may_ask_address(service, uow, player.id):
        raise Refusal("address", sentence("That was asked often enough today; try again tomorrow."))
    other = uow.players.by_address(address)
    mailings.queue_to_player(
        service,
        uow,
        kind="confirm_address",
        player_id=player.id,
        key=f"{limits.ADDRESS}{service.new_id(16)}",
        params={
            "to": address,
            "day": day_of(service.now()),
            "other": "" if other is None else other.id,
            "message": sentence(
                "Somebody named {name} wants to play from this address, too. If that is you, reply to"
                ' this mail with "yes"; otherwise do nothing, and nothing happens.',
                name=player.name,
            )
            if other is None
            else sentence(
                "Somebody named {name} wants to play from this address, which is {other}'s so far. If"
                ' you are both, reply to this mail with "yes": then mails from here speak for {name}'
                " and no more for {other}, whose finished games stay as they are. Otherwise do"
                " nothing, and nothing happens.",
                name=player.name,
                other=other.name,
            ),
        },
    )
    return sentence(
        "A mail went to {address}: reply to it from there, and the address is yours.",
        address=address,
    )


def token_for(player: Player, address: str, day: int, other: str = "") -> AddressToken:
    """Return the token that only who reads a new address gets; `other` is the player whose it is so far.

    It ends with the other reply addresses of the player, when they are made void.
    """
    text = f"pbem-address-v1\n{player.id}\n{address.lower()}"
    if other:
        text = f"pbem-address-of-v1\n{player.id}\n{address.lower()}\n{other}"
    if player.rotation:
        text = f"{text}\n{player.rotation}"
    digest = hashlib.sha256(text.encode()).digest()
    return AddressToken(player.id, day, base64.b32encode(digest).decode().lower()[:MARK_LENGTH])


def day_of(moment: datetime) -> int:
    """Return the day on which a question is asked, as its token says it."""
    return moment.toordinal()
