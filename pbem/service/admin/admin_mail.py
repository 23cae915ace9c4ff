"""Admins' answers to our mails, which act on games as the commands do.

The writer must be an admin, at the address that our mail went to, and use its secret reply address. Our
answer says what was done or why not, and nothing that is hidden at a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, disputes
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import AdminToken
from pbem.domain.words import admin_orders
from pbem.domain.words.admin_orders import (
    BOT,
    EXTEND,
    HELP,
    PAUSE,
    REMOVE,
    RESOLVE,
    RESUME,
    STANDBY,
    AdminOrder,
)
from pbem.durations import in_words
from pbem.errors import LogError, Refusal, UpcastError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out import texts
from pbem.service.admin import clock_acts
from pbem.service.admin.acts import AdminAct
from pbem.service.change import changing
from pbem.service.core import games, same_message_id
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.notify import to_admins
from pbem.store.db.uow import UnitOfWork

HOUR = timedelta(hours=1)
BY_MAIL = "mail"
"""Name in the log of an admin who is not a player here."""
_UNTOUCHED = "Nothing was carried out."
_NO_ORDER = "None of its lines is an order, so nothing was done."
_QUOTED = "Not used, because it may only be quoted: if you mean it, send it again, above the quote."
_MOST_SHOWN = 10
_DOUBT = "Your own words could not be told from what the mail quotes, so nothing was done: write above it."


def handle(incoming: Incoming) -> Verdict:
    """Carry out what an admin answered, line by line; a refusal ends it (GEN-10)."""
    service, row, token = incoming.service, incoming.row, incoming.token_as(AdminToken)
    sender = incoming.sender.lower()
    if (
        sender not in service.config.service.admins
        or to_admins.token_for(sender, token.game_id) != token
    ):
        return Verdict("ignored", "an admin's reply address, and not from that admin")
    told: list[str] = []
    left, beside = list[AdminOrder](), list[str]()
    done = 0
    try:
        if row.is_doubtful:
            raise Refusal("doubt", same_message_id.DOUBT)
        left, beside = _orders(incoming.mail)
        while left:
            order = left.pop(0)
            if order.act == HELP:
                told.append("These are the orders that you can write.")
                continue
            said = _carry_out(incoming, order)
            told.append(f"> {order.text}\n{said}")
            done += 1
    except Refusal as refusal:
        told.append(f"{refusal.message}\n{_what_stands(done)}")
    except (LogError, UpcastError):
        told.append(f"The log of that game is damaged: see pbem verify.\n{_what_stands(done)}")
    told = told or [_NO_ORDER]
    told += [f"> {order.text}\nNot carried out." for order in left]
    told += [f"> {line}\n{_QUOTED}" for line in beside]
    return _answer(incoming, told, done)


def _orders(mail: InboundMail) -> tuple[list[AdminOrder], list[str]]:
    """Return the orders of a mail, and the lines that may only be quoted. Raises: Refusal."""
    if mail.unread is not None:
        raise Refusal("unread", f"Your mail could not be read: {mail.unread}.")
    reply = extract_reply(mail, recogniser=admin_orders)
    if reply.doubts:
        shown = "\n".join(f"> {line}" for line in reply.doubts[:_MOST_SHOWN])
        raise Refusal("doubt", f"{_DOUBT}\n{shown}")
    if reply.unread is not None:
        raise Refusal("unread", f"Your mail could not be read: {reply.unread}.")
    return admin_orders.read(reply.text), [*reply.left_out[:_MOST_SHOWN]]


def _carry_out(incoming: Incoming, order: AdminOrder) -> str:
    """Do what one line says; gives what the admin is told. Raises: Refusal, LogError."""
    service, uow, row = incoming.service, incoming.uow, incoming.row
    token, sender = incoming.token_as(AdminToken), incoming.sender.lower()

    def names_of(game_id: str) -> Sequence[str]:
        seats = games.load(uow, GameId(game_id)).seats
        return texts.shown_names(games.shown_names(uow, [seat.player for seat in seats]))

    deed = admin_orders.complete(
        order,
        token.game_id,
        lambda word: uow.projections.game(GameId(word)) is not None,
        names_of,
        lambda game_id: [one.number for one in games.load(uow, GameId(game_id)).disputes],
    )
    actor = f"admin:{_name_in_log(uow, sender)}"
    with changing(service, uow, GameId(deed.game), actor=actor, cause=row.cause) as change:
        _act_of(deed)(change)
    name = "" if deed.seat < 0 else names_of(deed.game)[deed.seat]
    return _done(deed, change.game, name)


def _act_of(deed: admin_orders.CompleteOrder) -> AdminAct:
    seat, reason = deed.seat, deed.reason
    match deed.act:
        case "extend":
            return clock_acts.granting(deed.time, reason)
        case "pause":
            return clock_acts.pausing(reason)
        case "resume":
            return clock_acts.resuming(reason)
        case "standby":
            return clock_acts.standing_by(seat, reason)
        case "bot":
            return clock_acts.handing_to_bot(seat, reason)
        case "remove":
            return lambda change: acts.remove(change.decision, seat, reason)
        case _:
            return lambda change: disputes.resolve_dispute(change.decision, deed.number, reason)


def _done(deed: admin_orders.CompleteOrder, after: Game, name: str) -> str:
    """Say what was done, in nothing but what the players read, too."""
    said = {
        EXTEND: f"There is more time now: {in_words(int(deed.time.total_seconds()))}.",
        PAUSE: "The clock stands still.",
        RESUME: "The clock runs again.",
        STANDBY: f"The seat of {name} was played for.",
        BOT: f"A bot plays for {name} until they write.",
        REMOVE: f"{name} has left the game.",
        RESOLVE: f"Dispute {deed.number} is resolved.",
    }[deed.act]
    due = None if after.paused_at or after.is_over else after.deadline
    until = "" if due is None else f" The deadline is {due.base_at:%Y-%m-%d %H:%M} UTC."
    if due is not None and due.due_at > due.base_at:
        until += f" Then the time bank runs, until {due.due_at:%Y-%m-%d %H:%M} UTC at the latest."
    return f"Done in game {after.id}, and told to the players. {said}{until}"


def _name_in_log(uow: UnitOfWork, sender: str) -> str:
    """Return an admin's name in the log: their id as a player, never an address."""
    player = uow.players.by_address(sender)
    return BY_MAIL if player is None else player.id


def _what_stands(done: int) -> str:
    return _UNTOUCHED if done == 0 else "What stands above it was carried out, nothing after it."


def _answer(incoming: Incoming, told: list[str], done: int) -> Verdict:
    """Answer; silent once too many answers within an hour changed nothing."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(AdminToken)
    prefix = f"admin-idle:{token.mark}:"
    limit = service.config.limits.idle_answers_per_hour
    if not done and uow.outbox.count_since(service.now() - HOUR, prefix=prefix) >= limit:
        return Verdict("ignored", "changed nothing, and enough such mails were answered")
    to_admins.answer(
        service,
        uow,
        address=incoming.sender.lower(),
        key=f"{'admin:' if done else prefix}{incoming.row.id}",
        text="\n\n".join(told),
        is_done=done > 0,
        game_id=token.game_id,
        answers=incoming.mail.message_id,
    )
    return Verdict("done", f"{done} acts of an admin")
