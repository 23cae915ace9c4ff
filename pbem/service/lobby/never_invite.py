"""People who want no invitations (`never`), and what inviters learn about it.

The list contains only keyed hashes of addresses. Inviters only learn that the person declined.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.service.change import changing, lock
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.mail_context import MailContext
from pbem.service.notify import questions
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import GameStatus

_SHUT_OUT = sentence(
    "You will not be invited from here again, whoever asks for you. Should you change your"
    " mind, write: invitations on"
)


# --- the list -------------------------------------------------------------------------------------


def hashes(service: Service, address: str) -> list[str]:
    """Return the keyed hashes of an address without its `+tag`, newest key first."""
    local, _, domain = address.strip().lower().rpartition("@")
    text = b"pbem-uninvited-v1\n" + f"{local.partition('+')[0]}@{domain}".encode()
    return [hmac.new(key, text, hashlib.sha256).hexdigest() for key in service.tokens.keys]


def is_listed(service: Service, uow: UnitOfWork, address: str) -> bool:
    """True if this address, or another one of its player, must not be invited again."""
    known = uow.players.by_address(address)
    addresses = [address, *([] if known is None else uow.players.addresses(known.id))]
    return any(uow.invitations.is_uninvited(hashes(service, one)) for one in addresses)


def among(service: Service, uow: UnitOfWork, players: Iterable[str]) -> list[str]:
    """Return the IDs of the players who must not be invited again."""
    return [
        player
        for player in players
        if any(
            uow.invitations.is_uninvited(hashes(service, address))
            for address in uow.players.addresses(player)
        )
    ]


def check(service: Service, uow: UnitOfWork, address: str) -> None:
    """Refuse an admin's invitation to a person who has opted out. Raises: Refusal."""
    if is_listed(service, uow, address):
        raise Refusal(
            "uninvited",
            "One of these people wants no invitations from this server. Should they have asked you for"
            " one, `pbem player allow ADDRESS` takes them off the list.",
        )


def allow(service: Service, address: str) -> None:
    """Remove an address from the list, at its owner's request to an admin. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        if not uow.invitations.allow(hashes(service, address)):
            raise Refusal("unknown-address", "That address is not on the list.")


# --- the order ------------------------------------------------------------------------------------


def from_line(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `never`, `invitations off` or `invitations on`. Raises: Refusal."""
    here = None if mail_context.here is None else mail_context.here[0]
    if line.argument is None and here is not None and here.existing().state is not None:
        raise Refusal(
            "never",
            sentence(
                "You may have said that to the others: nothing was done. If nobody shall be able to"
                " invite you from here any more, write: invitations off"
            ),
            suggestions=(sentence("invitations off"),),
        )
    service, uow, player_id = mail_context.service, mail_context.uow, mail_context.player_id
    if line.argument != "on" and not mail_context.is_strong:
        question = sentence("Stop all invitations to you from here?")
        questions.postpone(mail_context, {"act": "never"}, question)
        return
    mail_context.has_acted = True
    if line.argument == "on":
        for address in uow.players.addresses(player_id):
            uow.invitations.allow(hashes(service, address))
        mail_context.notes.append(sentence("People can invite you again."))
        return
    mail_context.notes.append(
        shut_out(service, uow, player_id, cause=mail_context.cause, here=here)
    )


def shut_out(
    service: Service,
    uow: UnitOfWork,
    player_id: str,
    *,
    cause: str,
    here: Decision | None = None,
) -> Sentence:
    """Stop and decline all invitations to a player, and return a confirmation.

    Raises: VersionConflictError if another worker has one of the games. Retry the whole message.
    """
    for address in uow.players.addresses(player_id):
        uow.invitations.never(hashes(service, address)[0], service.now())
    for row in uow.projections.games_of(player_id):
        if row.status != "inviting":
            continue
        if here is not None and here.game_id == row.id:
            _decline(here, player_id)
            continue
        lock(uow, GameId(row.id))
        game = games.load_if_sound(uow, GameId(row.id))
        seat = None if game is None else _invited_seat(game, player_id)
        if game is None or seat is None:
            continue
        with changing(service, uow, game.id, actor=f"seat:{seat}", cause=cause) as change:
            _decline(change.decision, player_id)
    return _SHUT_OUT


def may_unsubscribe(uow: UnitOfWork, player_id: str) -> None:
    """Raise Refusal, with alternatives, if a player is at a table or invited to a game."""
    statuses = {
        seat.status
        for game in uow.projections.games_of(player_id)
        if game.status in UNFINISHED and not _is_undealt_round(uow, game)
        for seat in uow.projections.seats(game.id)
        if seat.player_id == player_id and seat.status in AT_TABLE
    }
    if "joined" in statuses:
        raise Refusal(
            "at-table",
            sentence(
                "You are in a game, and without mails nobody could go on playing with you. The mails"
                " end once you leave your games; until then you can have fewer of them."
            ),
            suggestions=(
                sentence("resign confirm"),
                sentence("reminders off"),
                sentence("digest 8"),
            ),
        )
    if statuses:
        raise Refusal(
            "at-table",
            sentence(
                "You are invited to a game. If you decline, its mails end; with the second of these"
                " nobody can invite you again."
            ),
            suggestions=(sentence("decline"), sentence("never again")),
        )


def _is_undealt_round(uow: UnitOfWork, row: GameStatus) -> bool:
    """True if this is a league game before the deal.

    Such a game cannot be declined and starts without an answer.
    """
    game = games.load_if_sound(uow, row.id) if row.status == "inviting" else None
    return game is not None and bool(game.league)


def _invited_seat(game: Game, player_id: str) -> int | None:
    if game.league:
        return None
    return next(iter(game.seats_of(player_id, ("invited", "expired"))), None)


def _decline(decision: Decision, player_id: str) -> None:
    seat = _invited_seat(decision.existing(), player_id)
    if seat is not None:
        decide.decline(decision, seat)
