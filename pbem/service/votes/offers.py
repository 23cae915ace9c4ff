"""Replacements by email: `replace bob with eve@example.org`, and the offer of the seat."""

from __future__ import annotations

import re
from email.utils import parseaddr

from engine.sentences import Sentence, joined, sentence
from pbem.domain.play import voting
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.words import naming
from pbem.domain.words.game_forms import ME
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.mail_out.kinds import REPLACED, NoteParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.mail_context import SeatContext
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.notify import questions
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork

_WITH = re.compile(r"\s(?:with|by)[\s:]+", re.IGNORECASE)
HOW = ("replace bob with eve@example.org",)


def propose(progress: SeatContext, line: OrderLine) -> None:
    """Carry out `replace bob with eve@example.org`. Raises: Refusal."""
    who, _, whom = (_WITH.sub("\n", line.argument or "", count=1)).partition("\n")
    of = seat_called(progress, who)
    name, address = parseaddr(whom.strip(" .!"))
    if of is None or "@" not in address:
        raise Refusal(
            "replace",
            sentence("Please say who is replaced, and by which address."),
            suggestions=HOW,
        )
    mail_context, seat = progress.mail_context, progress.seat
    address = lobby.checked_address(address)
    person = lobby.Person(naming.clean_name(name) or naming.name_of_address(address), address)
    if of != seat or mail_context.is_strong:
        sentences = ask_for(
            mail_context.service, mail_context.uow, progress.decision, seat, of, person
        )
        progress.notes.append(sentences)
        return
    game = progress.game
    voting.check(progress.decision, "replace", seat, {"of": of, "player": None})
    questions.postpone(
        mail_context,
        {**questions.act_in(game, seat, "replace"), "name": person.name, "address": address},
        sentence(
            "Hand over your seat in {title} to {address} [{game}]?",
            title=game.ruleset.title,
            address=address,
            game=game.id,
        ),
    )


def ask_for(
    service: Service,
    uow: UnitOfWork,
    decision: Decision,
    seat: int,
    of: int,
    person: lobby.Person,
) -> Sentence:
    """Propose that a person takes over a seat, and return a confirmation. Raises: Refusal."""
    known = uow.players.by_address(person.address)
    # reveals no more than a declined offer would
    if never_invite.is_listed(service, uow, person.address):
        raise Refusal("declined", sentence("{name} declined.", name=person.name))
    who = None if known is None else known.id
    voting.check(decision, "replace", seat, {"of": of, "player": who})
    lobby.check_names([person.name], decision.existing().ruleset.id.name)
    player = lobby.player_of(service, uow, person)
    newcomer = games.shown_names(uow, [player])
    if voting.ask(decision, "replace", seat, {"of": of, "player": player}):
        return sentence("{name} is asked by mail.", name=newcomer[0])
    return sentence("The others are asked; if more than half agree, {name} is.", name=newcomer[0])


def seat_called(progress: SeatContext, who: str) -> int | None:
    """Return the seat of the player with a name, or None if no player at the table has it."""
    plain = who.strip().strip('"').casefold()
    if plain in ME:
        return progress.seat
    seats = [seat for seat, name in enumerate(progress.names) if name.casefold() == plain]
    return seats[0] if seats else None


def tell_former(service: Service, uow: UnitOfWork, game: Game, seat: int, why: str) -> None:
    """Inform the former player of a seat that another player has it now."""
    message = sentence(
        "This is about your game of {title} [{game}]. What you answer to its mails"
        " moves nothing any more.",
        title=game.ruleset.title,
        game=game.id,
    )
    key = f"{game.id}:{game.version + 1}:replaced:{seat}"
    mail = Mailing(REPLACED, NoteParams(joined([message, why])), key)
    queue_to_player(service, uow, game.seats[seat].player, mail)
