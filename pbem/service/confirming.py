"""Mails that would bind somebody, and that anybody could have written in their name: they are asked.

To the bare address From alone proves nothing. At a reply address it does for moves; but whoever was
forwarded a mail knows that address, so what ends a game, mails or addresses waits for a yes from the
registered address, unless a trusted mail server vouches for the sender (`Wishes.is_sure`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.api import JsonObject, JsonValue
from engine.sentences import joined, sentence
from pbem.domain.game import Game
from pbem.domain.orders import Line
from pbem.domain.service_words import Word
from pbem.errors import Refusal
from pbem.mail_in.message import InboundMail
from pbem.service import limits, mailings, preferences, time_orders
from pbem.service.asking import Wishes
from pbem.service.context import Service
from pbem.service.refusing import refuse
from pbem.service.verdict import Verdict
from pbem.service.whose import Proof
from pbem.store.inbox import InboxMail
from pbem.store.outgoing import Outgoing
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

NEEDS_PROOF = frozenset(
    {
        Word.NEW,
        Word.TAKE,
        Word.TUTORIAL,
        Word.NEVER,
        Word.OBSERVE,
        Word.UNOBSERVE,
        *time_orders.EVERYWHERE,
    }
)
"""What other people notice, or what closes a door; and any setting (`preferences.WORDS`)."""


def is_needed(lines: Sequence[Line]) -> bool:
    """True if one of these lines would change anything: what proves nothing may only ask."""
    return any(
        line.word in NEEDS_PROOF or (line.word in preferences.WORDS and line.argument is not None)
        for line in lines
    )


def ask(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    proof: Proof,
) -> Verdict:
    """Keep a mail that proves nothing, and ask at its own address whether it is the player's."""
    permit = limits.permit(service, uow, row.id, player.id, proof, limits.ASK)
    if permit is None:
        message = sentence(
            "You were asked about another mail a short time ago, so you are not asked about this one,"
            " and nothing in it was carried out. Please send it again as a reply to this mail: then it"
            " counts as yours."
        )
        return refuse(service, uow, row, mail, player, message, (), proof)
    uow.inbox.attribute(row.id, mail.sender, player.id)
    mailings.queue_to_player(
        uow,
        service,
        kind=limits.ASK,
        player_id=player.id,
        key=permit.key,
        params={"inbox_id": row.id, "notes": [*permit.notes(1)]},
        answers=mail.message_id,
    )
    return Verdict("held", "to the bare address: asked whether it is theirs")


def put_off(wishes: Wishes, act: JsonObject, said: str) -> None:
    """Put an order off until its player has said yes to it, as often as they may be asked. Raises: Refusal.

    Args:
        wishes: of the mail; what is put off is asked about by `ask_whether_meant`.
        act: as `confirmed_order` carries it out.
        said: what they asked for, in a sentence.
    """
    if not wishes.asked and not limits.may_ask_order(wishes.service, wishes.uow, wishes.player_id):
        raise Refusal(
            "asked-enough",
            sentence(
                "You were asked about so many of your mails today that this one was not. Please answer"
                " one of those questions with yes, or try again tomorrow."
            ),
        )
    wishes.asked.append((act, said))


def act_in(game: Game, seat: int, act: str) -> JsonObject:
    """Return what an act of a seat begins with; it ends with who sits there."""
    generation = game.seats[seat].generation
    return {"act": act, "game": game.id, "seat": seat, "generation": generation}


def ask_whether_meant(wishes: Wishes, row: InboxMail) -> None:
    """Ask at the registered address, in one mail, about all that was put off; nothing if there is none."""
    if not wishes.asked:
        return
    acts: list[JsonValue] = []
    for act, _ in wishes.asked:
        if act not in acts:
            acts.append(act)
    said = dict.fromkeys(said for _, said in wishes.asked)
    _queue(wishes, row, "ask_order", limits.ORDER, said, acts)


def ask_to_stop(wishes: Wishes, row: InboxMail, *, is_invited: bool) -> Verdict:
    """Ask once a day whether a person wants no more mails.

    Args:
        is_invited: all they know of us are invitations, which end, too.
    """
    service, uow = wishes.service, wishes.uow
    if not limits.may_ask_to_stop(service, uow, wishes.player_id):
        return Verdict("ignored", "wants no more mails, and was asked about it today")
    said = [sentence("You will get no more mails once you answer yes.")]
    if is_invited:
        said.append(sentence("Nobody can invite you from here any more then."))
    _queue(wishes, row, "ask_stop", limits.STOP, said, [])
    return Verdict("asked", "asked whether they want no more mails")


def question_about(uow: UnitOfWork, inbox_id: int) -> Outgoing | None:
    """Return the question whether a person means what this mail asks for."""
    keys = (f"{prefix}{inbox_id}:" for prefix in (limits.ORDER, limits.STOP))
    return next(filter(None, map(uow.outbox.newest_with_key, keys)), None)


def _queue(
    wishes: Wishes,
    row: InboxMail,
    kind: str,
    prefix: str,
    said: Iterable[str],
    acts: list[JsonValue],
) -> None:
    player = wishes.uow.players.get(wishes.player_id)
    mailings.queue_to_player(
        wishes.uow,
        wishes.service,
        kind=kind,
        player_id=wishes.player_id,
        key=f"{prefix}{row.id}:",
        params={
            "inbox_id": row.id,
            "rotation": 0 if player is None else player.rotation,
            "message": joined(list(said)),
            "acts": acts,
        },
        answers=wishes.message_id,
    )
