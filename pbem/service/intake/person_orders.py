"""Orders that a person can send in any mail, to a seat's address or their own."""

from __future__ import annotations

from collections.abc import Callable

from engine.sentences import sentence
from pbem.domain.table.decision import Decision
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.errors import Refusal
from pbem.service.clock import time_orders
from pbem.service.core.asking import MailOrders
from pbem.service.core.incoming import Incoming
from pbem.service.lobby import never_invite, new_game, open_games
from pbem.service.notify import second_mail
from pbem.service.people import own_addresses, preferences
from pbem.service.standing_orders import standing_words
from pbem.service.votes import observing


def begin(incoming: Incoming, here: tuple[Decision, int] | None = None) -> MailOrders:
    """Prepare to carry out a player's orders in a mail; `here` as in `MailOrders`."""
    return MailOrders(
        incoming.service,
        incoming.uow,
        incoming.player.id,
        incoming.row.cause,
        here,
        message_id=incoming.mail.message_id,
        is_sure=incoming.proof.is_sure,
    )


def is_person_order(line: OrderLine) -> bool:
    """True if a line can be carried out without a seat."""
    return line.word is not None and not ORDER_WORDS[line.word].needs_seat


def carry_out(mail_orders: MailOrders, line: OrderLine) -> None:
    """Carry out one line for which `is_person_order` is True. Raises: Refusal."""
    if line.word is None:
        raise ValueError("an order has a word")
    ACTS[line.word](mail_orders, line)


def _ask(mail_orders: MailOrders, line: OrderLine) -> None:
    if line.word is not None:
        mail_orders.questions.append((line.word.value, line.argument))


def _prefer(mail_orders: MailOrders, line: OrderLine) -> None:
    if line.word is Word.ADDRESS and line.argument is not None and not mail_orders.is_sure:
        said = own_addresses.asked_for(
            mail_orders.service, mail_orders.uow, mail_orders.player_id, line.argument
        )
        second_mail.put_off(mail_orders, {"act": "address", "words": line.argument}, said)
        return
    mail_orders.notes.append(
        preferences.carry_out(mail_orders.service, mail_orders.uow, mail_orders.player_id, line)
    )
    if line.word is Word.SETTINGS:
        here = None if mail_orders.here is None else mail_orders.here[0].game_id
        mail_orders.notes += standing_words.in_other_games(
            mail_orders.uow, mail_orders.player_id, here
        )


def _about_time(mail_orders: MailOrders, line: OrderLine) -> None:
    """Carry out `vacation …` or `back` in all of the person's games."""
    player = mail_orders.uow.players.get(mail_orders.player_id)
    if player is None or line.word is None:
        raise Refusal("player", sentence("Nobody is known by that name any more."))
    effect, said = time_orders.effect_of(line.word, line.argument, player.zone, mail_orders.service)
    report = time_orders.in_all_games(
        mail_orders.service,
        mail_orders.uow,
        player.id,
        effect,
        cause=mail_orders.cause,
        here=mail_orders.here,
    )
    mail_orders.notes += [said, *report.notes(line.word)]
    mail_orders.has_acted = True


def _look_on(mail_orders: MailOrders, line: OrderLine) -> None:
    said = observing.ask(
        mail_orders.service,
        mail_orders.uow,
        mail_orders.player_id,
        line,
        cause=mail_orders.cause,
        here=None if mail_orders.here is None else mail_orders.here[0].game_id,
    )
    mail_orders.notes.append(said)
    mail_orders.has_acted = True


_LOBBY = {
    Word.NEW: new_game.from_line,
    Word.TUTORIAL: new_game.lesson,
    Word.TAKE: open_games.take,
    Word.NEVER: never_invite.from_line,
}


_SETTINGS = [row.word for row in ORDER_WORDS.values() if row.is_setting]

ACTS: dict[Word, Callable[[MailOrders, OrderLine], None]] = {
    **dict.fromkeys(
        (Word.HELP, Word.RULES, Word.GAMES, Word.STANDINGS, Word.RESEND, Word.EXPORT), _ask
    ),
    **_LOBBY,
    **dict.fromkeys(_SETTINGS, _prefer),
    Word.AUTO: new_game.explain_auto,
    **dict.fromkeys((Word.OBSERVE, Word.UNOBSERVE), _look_on),
    **dict.fromkeys(time_orders.EVERYWHERE, _about_time),
}
