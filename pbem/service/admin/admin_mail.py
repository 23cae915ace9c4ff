"""Process admins' replies to our messages, which act on games like the commands.

The sender must be an admin, write from the address that our message was sent to, and use its secret
reply address, which is valid for two weeks. Irrevocable acts need a confirmation (`confirm`). The
answer reports the result or the reason for a refusal, and reveals nothing hidden.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from engine.api import JsonObject
from engine.sentences import Sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, disputes
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import AdminToken, QuestionToken
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
    CompleteOrder,
)
from pbem.durations import duration_words
from pbem.errors import LogError, Refusal, UpcastError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out import texts
from pbem.mail_out.kinds import AlertParams
from pbem.service.admin import clock_acts
from pbem.service.change import Change, changing
from pbem.service.core import games
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.notify import questions, to_admins
from pbem.service.notify.questions import GivenAnswer
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.questions import What

HOUR = timedelta(hours=1)
BY_MAIL = "mail"
"""Name in the log of an admin who is not a registered player."""
WHICH = Sentence("Please answer yes (do it) or no (it was not me).")
_ASKS = (
    "Reply to this mail with yes to confirm, or with no if it was not you: then all reply addresses in your"
    " earlier mails become void. As long as you do neither, nothing is done."
)
_UNTOUCHED = "Nothing was carried out."
_NO_ORDER = "None of its lines is an order, so nothing was done."
_QUOTED = "Not used, because it may only be quoted: if you mean it, send it again, above the quote."
_MAX_SHOWN = 10
_DOUBT = "Your own words could not be told from what the mail quotes, so nothing was done: write above it."


@dataclass(frozen=True, slots=True)
class _Row:
    """An order that an admin can write.

    Attributes:
        act: carries it out, or raises a Refusal.
        done: text about the result, with `{name}` of the seat, `{number}` and `{time}`.
        question: what the admin has to confirm first, or empty if no confirmation is needed.
    """

    act: Callable[[Change, CompleteOrder], object]
    done: str
    question: str = ""


_ROWS: Final[Mapping[str, _Row]] = {
    EXTEND: _Row(
        lambda change, order: clock_acts.extend(change, order.time, order.reason),
        "There is more time now: {time}.",
    ),
    PAUSE: _Row(
        lambda change, order: clock_acts.pause(change, order.reason), "The clock stands still."
    ),
    RESUME: _Row(
        lambda change, order: clock_acts.resume(change, order.reason), "The clock runs again."
    ),
    STANDBY: _Row(
        lambda change, order: clock_acts.stand_by(change, order.seat, order.reason),
        "The seat of {name} was played for.",
    ),
    BOT: _Row(
        lambda change, order: clock_acts.hand_to_bot(change, order.seat, order.reason),
        "A bot plays for {name} until they write.",
        "let a bot play for {name}",
    ),
    REMOVE: _Row(
        lambda change, order: acts.remove(change.decision, order.seat, order.reason),
        "{name} has left the game.",
        "take {name} out of the game",
    ),
    RESOLVE: _Row(
        lambda change, order: disputes.resolve_dispute(change.decision, order.number, order.reason),
        "Dispute {number} is resolved.",
        "resolve dispute {number}",
    ),
}
"""The orders of `admin_orders.ACTS`."""


def handle(incoming: Incoming) -> Verdict:
    """Carry out an admin's orders, line by line, and stop at the first refusal (GEN-10).

    Irrevocable orders need a confirmation, unless a trusted server authenticated the sender.
    """
    row, token = incoming.row, incoming.token_as(AdminToken)
    why_void = to_admins.why_void(incoming.service, incoming.uow, token, incoming.mail)
    if why_void is None:
        return Verdict("ignored", "an admin's reply address, and not from that admin")
    if why_void:
        return _answer(incoming, [why_void, to_admins.FRESH], 0)
    messages: list[str] = []
    asked: list[JsonObject] = []
    left, beside = list[AdminOrder](), list[str]()
    done = 0
    try:
        left, beside = _orders(incoming.mail)
        while left:
            order = left.pop(0)
            if order.act == HELP:
                messages.append("These are the orders that you can write.")
                continue
            deed = _complete(incoming, order)
            if _ROWS[deed.act].question and not incoming.auth_level.is_strong:
                asked.append(_act_for_question(incoming, deed))
                messages.append(f"> {order.text}\n{_question(incoming, deed)}")
                continue
            outcome = _carry_out(incoming, deed, row.cause)
            messages.append(f"> {order.text}\n{outcome}")
            done += 1
    except Refusal as refusal:
        messages.append(f"{refusal.message}\n{_describe_result(done)}")
    except (LogError, UpcastError):
        messages.append(
            f"The log of that game is damaged: see pbem verify.\n{_describe_result(done)}"
        )
    messages = messages or [_NO_ORDER]
    messages += [f"> {order.text}\nNot carried out." for order in left]
    messages += [f"> {line}\n{_QUOTED}" for line in beside]
    if asked:
        return _ask(incoming, messages, asked)
    return _answer(incoming, messages, done)


def confirm(given: GivenAnswer) -> Verdict:
    """Carry out the orders that an admin has confirmed."""
    incoming = given.incoming
    results, done = [], 0
    for act in given.question.what.acts:
        try:
            results.append(_confirmed(incoming, act, given.first.cause))
            done += 1
        except Refusal as refusal:
            results.append(refusal.message)
        except (LogError, UpcastError):
            results.append("The log of that game is damaged: see pbem verify.")
    return _answer(incoming, results, done)


def disown(given: GivenAnswer) -> Verdict:
    """Revoke the reply addresses of an admin who did not write a message in their name."""
    incoming = given.incoming
    to_admins.rotate(incoming.service, incoming.uow, incoming.sender.lower())
    return Verdict("done", "what an admin's mail asks for was disowned")


def refuse(incoming: Incoming, message: str, *_: object) -> Verdict:
    """Answer an admin's message that changed nothing."""
    return _answer(incoming, [message], 0)


def _confirmed(incoming: Incoming, act: JsonObject, cause: str) -> str:
    """Carry out one act, if the same player still has the seat. Raises: Refusal, LogError."""
    deed = CompleteOrder(
        act=str(act["act"]),
        game=str(act["game"]),
        reason=str(act["reason"]),
        seat=int(str(act["seat"])),
        number=int(str(act["number"])),
    )
    if deed.seat >= 0:
        seat = games.load(incoming.uow, GameId(deed.game)).seats[deed.seat]
        if seat.generation != act["generation"]:
            raise Refusal(
                "replaced",
                f"Somebody else plays in seat {deed.seat} of game {deed.game} now, so nothing was done there.",
            )
    return _carry_out(incoming, deed, cause)


def _act_for_question(incoming: Incoming, deed: CompleteOrder) -> JsonObject:
    """Check that an order is possible now and return it as data for the question.

    Raises: Refusal, LogError.
    """
    service, uow = incoming.service, incoming.uow
    if not questions.may_ask(service, uow, questions.ADMIN, None):
        raise Refusal(
            "asked-enough",
            "The admins were asked about so many mails today that you are not asked about this one."
            ' "pbem game" and "pbem dispute" on the server do the same.',
        )
    game = games.load(uow, GameId(deed.game))
    actor = f"admin:{_name_in_log(uow, incoming.sender.lower())}"
    decision = games.begin(service, uow, game, actor=actor, cause=incoming.row.cause)
    _ROWS[deed.act].act(Change(service, uow, game, decision), deed)  # a dry run, not recorded
    generation = game.seats[deed.seat].generation if deed.seat >= 0 else 0
    return {
        "act": deed.act,
        "game": deed.game,
        "reason": deed.reason,
        "seat": deed.seat,
        "generation": generation,
        "number": deed.number,
    }


def _question(incoming: Incoming, deed: CompleteOrder) -> str:
    name = "" if deed.seat < 0 else _names_of(incoming.uow, deed.game)[deed.seat]
    what = _ROWS[deed.act].question.format(name=name, number=deed.number)
    return f"Not done yet. In game {deed.game}: {what}? Every player reads: {deed.reason}"


def _ask(incoming: Incoming, messages: list[str], asked: list[JsonObject]) -> Verdict:
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(AdminToken)
    address = incoming.sender.lower()
    text = "\n\n".join(messages)
    params = AlertParams(title="Please confirm", text=f"{text}\n\n{_ASKS}", game=token.game_id)
    what = What(address=address, inbox_id=incoming.row.id, acts=tuple(asked))
    message_id = incoming.mail.message_id
    questions.ask(service, uow, questions.ADMIN, None, params, what, answers=message_id)
    return Verdict("asked", "asked whether the admin means it")


def _orders(mail: InboundMail) -> tuple[list[AdminOrder], list[str]]:
    """Return the orders of a message, and the lines that may be quoted. Raises: Refusal."""
    if mail.unread is not None:
        raise Refusal("unread", f"Your mail could not be read: {mail.unread}.")
    reply = extract_reply(mail, recogniser=admin_orders)
    if reply.doubts:
        shown = "\n".join(f"> {line}" for line in reply.doubts[:_MAX_SHOWN])
        raise Refusal("doubt", f"{_DOUBT}\n{shown}")
    if reply.unread is not None:
        raise Refusal("unread", f"Your mail could not be read: {reply.unread}.")
    return admin_orders.read(reply.text), [*reply.left_out[:_MAX_SHOWN]]


def _complete(incoming: Incoming, order: AdminOrder) -> CompleteOrder:
    """Determine the game and the arguments of an order. Raises: Refusal, LogError."""
    uow = incoming.uow
    return admin_orders.complete(
        order,
        incoming.token_as(AdminToken).game_id,
        lambda word: uow.projections.game(GameId(word)) is not None,
        partial(_names_of, uow),
        lambda game_id: [dispute.number for dispute in games.load(uow, GameId(game_id)).disputes],
    )


def _carry_out(incoming: Incoming, deed: CompleteOrder, cause: str) -> str:
    """Carry out an order and return a sentence for the admin. Raises: Refusal, LogError."""
    service, uow = incoming.service, incoming.uow
    actor = f"admin:{_name_in_log(uow, incoming.sender.lower())}"
    with changing(service, uow, GameId(deed.game), actor=actor, cause=cause) as change:
        _ROWS[deed.act].act(change, deed)
    name = "" if deed.seat < 0 else _names_of(uow, deed.game)[deed.seat]
    return _done(deed, change.game, name)


def _names_of(uow: UnitOfWork, game_id: str) -> Sequence[str]:
    seats = games.load(uow, GameId(game_id)).seats
    return texts.shown_names(games.seat_names(uow, seats))


def _done(deed: CompleteOrder, after: Game, name: str) -> str:
    """Describe an act that was carried out, using only data that the players see as well."""
    messages = _ROWS[deed.act].done.format(
        name=name, number=deed.number, time=duration_words(int(deed.time.total_seconds()))
    )
    due = None if after.paused_at or after.is_over else after.deadline
    until = "" if due is None else f" The deadline is {due.base_at:%Y-%m-%d %H:%M} UTC."
    if due is not None and due.due_at > due.base_at:
        until += f" Then the time bank runs, until {due.due_at:%Y-%m-%d %H:%M} UTC at the latest."
    return f"Done in game {after.id}, and told to the players. {messages}{until}"


def _name_in_log(uow: UnitOfWork, sender: str) -> str:
    """Return an admin's name in the log: their player ID, never an address."""
    player = uow.players.by_address(sender)
    return BY_MAIL if player is None else player.id


def _describe_result(done: int) -> str:
    return _UNTOUCHED if done == 0 else "What stands above it was carried out, nothing after it."


def _answer(incoming: Incoming, messages: list[str], done: int) -> Verdict:
    """Queue an answer, unless too many answers within an hour reported that nothing was done."""
    service, uow = incoming.service, incoming.uow
    prefix = f"admin-idle:{hashlib.sha256(incoming.sender.lower().encode()).hexdigest()[:16]}:"
    limit = service.config.limits.idle_answers_per_hour
    if not done and uow.outbox.count_since(service.now() - HOUR, prefix=prefix) >= limit:
        return Verdict("ignored", "changed nothing, and enough such mails were answered")
    to_admins.answer(
        service,
        uow,
        address=incoming.sender.lower(),
        key=f"{'admin:' if done else prefix}{incoming.row.id}",
        text="\n\n".join(messages),
        is_done=done > 0,
        game_id=_game_of(incoming),
        answers=incoming.mail.message_id,
    )
    return Verdict("done", f"{done} acts of an admin")


def _game_of(incoming: Incoming) -> GameId | None:
    """Return the game that the answered message or question was about, or None."""
    if isinstance(incoming.token, AdminToken):
        return incoming.token.game_id
    question = incoming.uow.questions.get(incoming.token_as(QuestionToken).question_id)
    named = {str(act["game"]) for act in (() if question is None else question.what.acts)}
    return GameId(named.pop()) if len(named) == 1 else None
