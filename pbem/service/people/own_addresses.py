"""A player's addresses: `address add`, `address remove`, `address primary`.

A new address counts only after its mailbox has answered the question that was sent there (`ask`,
`bind`), whether the player named it or wrote from it. The address may belong to another player, if
that player is in no unfinished game. An admin's address is never added by email.
"""

from __future__ import annotations

from dataclasses import replace

from engine.sentences import Sentence, all_of, joined, plural, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import is_ended
from pbem.domain.table.game import AT_TABLE
from pbem.domain.words.setting_values import NO_HOUR
from pbem.errors import Refusal
from pbem.mail_out.kinds import QuestionParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.sender_identity import AuthLevel
from pbem.service.lobby import creation as lobby
from pbem.service.notify import addressing, questions, refusing, to_admins
from pbem.service.notify.questions import GivenAnswer
from pbem.service.people import own_encryption
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.people.traces import Traces
from pbem.store.post.questions import What


def carry_out(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out the words after `address` and return a confirmation. Raises: Refusal."""
    known = uow.players.addresses(player.id)
    if words is None:
        return sentence(
            "Your addresses: {addresses}. Mails go to the first.", addresses=all_of(known)
        )
    act, address = _read(service, words, known)
    if act == "add":
        return ask(service, uow, player, address)
    if act == "primary":
        addressing.make_primary(service, uow, player.id, address)
        message = sentence("From now on your mails go to {address}.", address=address)
        return joined([message, *own_encryption.lacks_key(uow, player, address)])
    addressing.remove(service, uow, player.id, address)
    return sentence("Mails from {address} are not yours any more.", address=address)


def question_about(service: Service, uow: UnitOfWork, player_id: str, words: str) -> Sentence:
    """Describe an order about addresses as a question. Raises: Refusal."""
    act, address = _read(service, words, uow.players.addresses(player_id))
    player = uow.players.get(player_id)
    if act == "add":
        return sentence("Play from {address}, too?", address=address)
    if act == "primary":
        said = sentence("Send all your mails to {address}?", address=address)
        missing = [] if player is None else own_encryption.lacks_key(uow, player, address)
        return joined([said, *missing])
    return sentence("Remove {address} from your addresses?", address=address)


def _read(service: Service, words: str, known: list[str]) -> tuple[str, str]:
    """Parse the act and the address and check that the act is possible. Raises: Refusal."""
    act, _, text = words.partition(" ")
    act, address = act.lower(), lobby.checked_address(text.strip().strip("<>"))
    if act == "add":
        address = lobby.foreign_address(service, address)
        if address in known:
            raise Refusal("address", sentence("That is an address of yours already."))
    elif address not in known:
        raise Refusal("address", sentence("That isn't one of your addresses."))
    elif act == "remove" and len(known) == 1:
        raise Refusal("address", sentence("That is your only address; add another one first."))
    return act, address


def ask(service: Service, uow: UnitOfWork, player: Player, address: str) -> Sentence:
    """Ask an address by mail whether it belongs to the player, and return a confirmation.

    The confirmation does not depend on who owns the address.

    Raises: Refusal after too many such questions on one day.
    """
    if not questions.may_ask(service, uow, questions.ADDRESS, player.id):
        raise Refusal(
            "address",
            sentence(
                "You had other addresses asked often enough today; to add {address}, write"
                ' "address add" and the address tomorrow.',
                address=address,
            ),
        )
    other = uow.players.by_address(address)
    if other is None:
        message = sentence(
            "Somebody named {name} wants to play from this address, too. If that is you, reply to"
            ' this mail with "yes"; otherwise do nothing, and nothing happens.',
            name=player.name,
        )
    else:
        message = sentence(
            "Somebody named {name} wants to play from this address, which is {other}'s so far. If"
            ' you are both, reply to this mail with "yes": then mails from here speak for {name}'
            " and no more for {other}, whose finished games stay as they are. Otherwise do"
            " nothing, and nothing happens.",
            name=player.name,
            other=other.name,
        )
    other_id = "" if other is None else other.id
    what = What(address=address, acts=({"act": "bind", "other": other_id},))
    questions.ask(service, uow, questions.ADDRESS, player.id, QuestionParams(message), what)
    return sentence(
        "A mail went to {address}: reply to it from there, and the address is yours.",
        address=address,
    )


def bind(given: GivenAnswer) -> Verdict:
    """Add a new address to a player after a yes from there.

    An address of another player is taken over, unless that player is in an unfinished game. In that
    case, the reason is sent to its owner. For an admin's address, the reason is sent to the admin.
    The player who named the address does not learn who owns it.
    """
    incoming = given.incoming
    service, uow, player = incoming.service, incoming.uow, incoming.player
    sender = incoming.sender.lower()
    owner = uow.players.by_address(sender)
    if sender in service.config.service.admins:
        return _leave_to_admin(incoming, player)
    if owner is not None and owner.id == given.question.what.acts[0]["other"]:
        seated = _games_with_seat(uow, owner.id)
        if seated:
            stays = _stays(owner, sender, seated)
            uow.questions.reopen(given.question.id)
            asked = replace(incoming, writer=owner, auth_level=AuthLevel.TOKEN)
            refusing.refuse(asked, stays, suggestions=())
            return Verdict("done", "refused: who has the address sits in a game")
        _take_from(service, uow, owner, sender)
    if addressing.add(service, uow, player.id, sender):
        message = sentence("{address} is an address of yours from now on.", address=sender)
    else:
        message = sentence(
            "{address} belongs to a player here already, so nothing changed.", address=sender
        )
    refusing.note(incoming, joined([message, *given.beside]))
    return Verdict("done", "an address was confirmed")


def _leave_to_admin(incoming: Incoming, player: Player) -> Verdict:
    """Refuse an admin's address, which would make the player an operator, and notify the admin."""
    address = incoming.sender.lower()
    to_admins.answer(
        incoming.service,
        incoming.uow,
        address=address,
        key=f"admin-address:{incoming.row.id}",
        text="Your address is listed under `admins`, so no mail can make it a player's. If you are"
        f' this player, run "pbem player address {player.id} {address}" on the server.',
        is_done=False,
        game_id=None,
        answers=incoming.mail.message_id,
    )
    return Verdict("done", "refused: an admin's address")


def _games_with_seat(uow: UnitOfWork, player_id: str) -> list[GameId]:
    """Return the unfinished games in which a player has a seat, according to their logs.

    Unreadable games count, because their players are unknown.
    """
    result = []
    for game_id in Traces(uow.connection, uow.envelopes).games_of([player_id]):
        if is_ended([event.type for event in uow.events.read_public(game_id)]):
            continue
        game = games.load_if_sound(uow, game_id)
        if game is None or any(
            seat.player == player_id and seat.status in AT_TABLE for seat in game.seats
        ):
            result.append(game_id)
    return result


def _stays(owner: Player, address: str, seated: list[GameId]) -> Sentence:
    stays = plural(
        "As {name} you have a seat in {games}, which is not over, so {address} stays yours.",
        "As {name} you have seats in {games}, which are not over, so {address} stays yours.",
        len(seated),
        name=owner.name,
        games=all_of(seated),
        address=address,
    )
    what_to_do = sentence(
        'You decline an invitation with "decline", and leave a game that runs for good with "resign'
        ' confirm"; once you have no seat, reply to the question with "yes" again.'
    )
    return joined([stays, what_to_do])


def _take_from(service: Service, uow: UnitOfWork, owner: Player, address: str) -> None:
    """Remove an address from a player, even the only address, and notify all their addresses."""
    addressing.remove(service, uow, owner.id, address)
    if not uow.players.addresses(owner.id):
        uow.players.prefer(owner.id, digest_hour=NO_HOUR)
        uow.players.plan_digest(owner.id, None)
