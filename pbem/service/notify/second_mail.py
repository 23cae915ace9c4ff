"""Acts that need more proof than a reply address: one second mail asks for a yes.

Everybody with a forwarded mail knows a reply address, and From can be forged. So an act that ends a
game, mails or addresses waits for a yes from the registered address, unless the writer is certain
(`MailOrders.is_sure`).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.api import JsonObject
from engine.sentences import joined, sentence
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import ConfirmToken
from pbem.errors import Refusal
from pbem.mail_out.kinds import ASK_ORDER, ASK_STOP, MailKind, QuestionParams
from pbem.service.core import limits
from pbem.service.core.asking import MailOrders
from pbem.service.core.context import Service
from pbem.service.core.incoming import Verdict
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.inbox import InboxMail
from pbem.store.post.outgoing import Outgoing

_CODE_LENGTH = 6
ENCRYPT, KEY = "encrypt", "key"
"""The acts that end encryption, and that replace the key of a player's mails."""


def put_off(mail_orders: MailOrders, act: JsonObject, said: str) -> None:
    """Put off an order until its player confirms it.

    The number of questions is limited.

    Args:
        mail_orders: of the mail; `ask_whether_meant` asks about the order later.
        act: in the form that `intake.confirmed` carries out.
        said: the order, in a sentence.

    Raises: Refusal.
    """
    if not mail_orders.asked and not limits.may_ask_order(
        mail_orders.service, mail_orders.uow, mail_orders.player_id
    ):
        raise Refusal(
            "asked-enough",
            sentence(
                "You were asked about so many of your mails today that this one was not. Please answer"
                " one of those questions with yes, or try again tomorrow."
            ),
        )
    mail_orders.asked.append((act, said))


def act_in(game: Game, seat: int, act: str) -> JsonObject:
    """Return the fields of every act of a seat; a new player in the seat voids it."""
    generation = game.seats[seat].generation
    return {"act": act, "game": game.id, "seat": seat, "generation": generation}


def ask_whether_meant(mail_orders: MailOrders, row: InboxMail) -> None:
    """Ask about all orders that were put off, in one mail to the registered address."""
    acts: list[JsonObject] = []
    for act, _ in mail_orders.asked:
        if act not in acts:
            acts.append(act)
    said = dict.fromkeys(said for _, said in mail_orders.asked)
    _queue(mail_orders, row, ASK_ORDER, limits.ORDER, said, acts)


def ask_to_stop(mail_orders: MailOrders, row: InboxMail, *, is_invited: bool) -> Verdict:
    """Ask a player, once a day, whether all mails are to end.

    Args:
        is_invited: the player has only invitations from us, which end, too.
    """
    service, uow = mail_orders.service, mail_orders.uow
    if not limits.may_ask_to_stop(service, uow, mail_orders.player_id):
        return Verdict("ignored", "wants no more mails, and was asked about it today")
    said = [sentence("You will get no more mails once you answer yes.")]
    if is_invited:
        said.append(sentence("Nobody can invite you from here any more then."))
    _queue(mail_orders, row, ASK_STOP, limits.STOP, said, [])
    return Verdict("asked", "asked whether they want no more mails")


def question_about(uow: UnitOfWork, inbox_id: int) -> Outgoing | None:
    """Return the question that asks a person to confirm this mail."""
    prefixes = (limits.ORDER, limits.STOP, limits.ADMIN_ORDER)
    keys = (f"{prefix}{inbox_id}:" for prefix in prefixes)
    return next(filter(None, map(uow.outbox.newest_with_key, keys)), None)


def needs_code(acts: Iterable[JsonObject]) -> bool:
    """True if only a reader of the encrypted question may say yes.

    Its Message-ID is not encrypted, and a reply that names it counts as one to its address.
    """
    return any(act["act"] == KEY for act in acts)


def code_of(service: Service, token: ConfirmToken) -> str:
    """Return the code in a question that `needs_code`: the end of its reply address."""
    return service.tokens.encode(token)[-_CODE_LENGTH:]


def _queue(
    mail_orders: MailOrders,
    row: InboxMail,
    kind: MailKind[QuestionParams],
    prefix: str,
    said: Iterable[str],
    acts: list[JsonObject],
) -> None:
    player = mail_orders.uow.players.get(mail_orders.player_id)
    rotation = 0 if player is None else player.rotation
    if needs_code(acts):
        code = code_of(mail_orders.service, ConfirmToken(row.id, rotation))
        what_to_add = sentence(
            'Write the code {code} on a line of its own below "yes": it shows that you can read this mail.',
            code=code,
        )
        said = [*said, what_to_add]
    params = QuestionParams(
        joined(list(said)),
        inbox_id=row.id,
        rotation=rotation,
        acts=tuple(acts),
        is_clear=bool(acts) and all(act["act"] == ENCRYPT for act in acts),
    )
    mail = Mailing(kind, params, f"{prefix}{row.id}:", mail_orders.message_id)
    queue_to_player(mail_orders.service, mail_orders.uow, mail_orders.player_id, mail)
