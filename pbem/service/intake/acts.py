"""Registry of the order words, with their handlers for players and for seats.

Handlers raise `Refusal`, which the callers report to the player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.play import decide, disputes
from pbem.domain.table.decision import playing
from pbem.domain.terms.seats import is_tutor
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.errors import Refusal
from pbem.games.options import option_sentences
from pbem.service.clock import time_orders
from pbem.service.core import games, operators
from pbem.service.core.mail_context import MailContext, SeatContext
from pbem.service.intake import advice
from pbem.service.league import ladder
from pbem.service.league import orders as leagues
from pbem.service.lobby import never_invite, new_game, table_orders
from pbem.service.notify import questions, talking
from pbem.service.people import own_addresses, own_encryption, preferences
from pbem.service.standing_orders import giving as standing_orders
from pbem.service.standing_orders import standing_words
from pbem.service.votes import motion_orders, observing, offers


@dataclass(frozen=True, slots=True)
class OfPerson:
    """The handler of an order word that is allowed in any message from a registered player."""

    carry_out: Callable[[MailContext, OrderLine], None]


@dataclass(frozen=True, slots=True)
class OfSeat:
    """The handler of an order word that concerns the game of the answered message."""

    carry_out: Callable[[SeatContext, OrderLine], None]


def is_person_order(line: OrderLine) -> bool:
    """True if a line can be carried out without a seat."""
    return line.word is not None and not ORDER_WORDS[line.word].needs_seat


def carry_out(
    mail_context: MailContext, line: OrderLine, progress: SeatContext | None = None
) -> None:
    """Carry out a line with an order word.

    Args:
        progress: the seat that gives the order, or None if `is_person_order` is True.

    Raises:
        Refusal: the order is not possible.
        ValueError: the line has no order word, or needs a seat.
    """
    act = None if line.word is None else ACTS[line.word]
    if isinstance(act, OfPerson):
        act.carry_out(mail_context, line)
    elif act is not None and progress is not None:
        act.carry_out(progress, line)
    else:
        raise ValueError(f"{line.word} needs a seat")


def _ask(mail_context: MailContext, line: OrderLine) -> None:
    if line.word is not None:
        mail_context.lookups.append((line.word.value, line.argument))


def _too_late(_mail_orders: MailContext, _line: OrderLine) -> None:
    """Refuse `test` in a line that is not the first.

    On the first line it requests a dry run (`trial`).
    """
    raise Refusal(
        "test",
        sentence(
            'A test begins with "test" on the first line of a mail: then nothing in that mail is'
            " carried out, and the answer says how it is read."
        ),
    )


def _prefer(mail_context: MailContext, line: OrderLine) -> None:
    if line.word is Word.ADDRESS and line.argument is not None and not mail_context.is_strong:
        question = own_addresses.question_about(
            mail_context.service, mail_context.uow, mail_context.player_id, line.argument
        )
        questions.postpone(mail_context, {"act": "address", "words": line.argument}, question)
        return
    mail_context.notes.append(
        preferences.carry_out(mail_context.service, mail_context.uow, mail_context.player, line)
    )
    if line.word is Word.SETTINGS:
        here = None if mail_context.here is None else mail_context.here[0].game_id
        mail_context.notes += _game_options(mail_context)
        mail_context.notes += standing_words.in_other_games(
            mail_context.uow, mail_context.player_id, here, mail_context.language
        )


def _game_options(mail_context: MailContext) -> list[Sentence]:
    """List the non-default options of the game that the message was sent to."""
    if mail_context.here is None:
        return []
    game = mail_context.here[0].existing()
    sentences = option_sentences(
        game.ruleset, game.options, games.table_names(mail_context.uow, game)
    )
    return (
        [sentence("Agreed for this game: {options}", options=joined(sentences))]
        if sentences
        else []
    )


def _about_time(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `vacation …` or `back` in all games of the player."""
    player = mail_context.player
    if line.word is None:
        raise ValueError("an order has a word")
    effect, sentences = time_orders.effect_of(
        line.word, line.argument, player.zone, mail_context.service
    )
    report = time_orders.in_all_games(
        mail_context.service,
        mail_context.uow,
        player.id,
        effect,
        cause=mail_context.cause,
        here=mail_context.here,
    )
    mail_context.notes += [sentences, *report.notes(line.word)]
    mail_context.has_acted = True


def _look_on(mail_context: MailContext, line: OrderLine) -> None:
    sentences = observing.ask(
        mail_context.service,
        mail_context.uow,
        mail_context.player_id,
        line,
        cause=mail_context.cause,
        here=None if mail_context.here is None else mail_context.here[0].game_id,
    )
    mail_context.notes.append(sentences)
    mail_context.has_acted = True


def unconfirmed(progress: SeatContext) -> Refusal:
    """Return the refusal of an unconfirmed `resign`. Raises: Refusal if the seat cannot resign."""
    playing(progress.game, progress.seat)
    return Refusal(
        "confirm",
        sentence(
            "Resigning cannot be undone. If you mean it, send a mail that holds nothing but"
            " the line: resign confirm"
        ),
        rule="GEN-7",
        suggestions=(sentence("resign confirm"),),
    )


def _ask_to_resign(progress: SeatContext, line: OrderLine) -> None:
    """Ask the sender of an unauthenticated message whether they want to resign.

    The word `confirm` has no effect in such a message.
    """
    if line.word is Word.CONFIRM and not progress.mail_context.put_off:
        raise unconfirmed(progress)
    game, seat = progress.game, progress.seat
    playing(game, seat)
    others = [name for number, name in enumerate(progress.names) if number != seat]
    questions.postpone(
        progress.mail_context,
        questions.act_in(game, seat, "resign"),
        sentence(
            "Resign from {title} with {others} [{game}]? That is final.",
            title=game.ruleset.title,
            others=all_of(others),
            game=game.id,
        ),
    )


def _join(progress: SeatContext, line: OrderLine) -> None:
    player = progress.game.seats[progress.seat].player
    is_operator = operators.is_operator(
        progress.mail_context.service, progress.mail_context.uow, player
    )
    decide.join(progress.decision, progress.seat, line.argument, is_operator=is_operator)
    phrase = progress.game.seats[progress.seat].phrase
    if line.argument is not None and phrase is not None:
        progress.notes.append(
            sentence("Your phrase for the shuffles, exactly as it is used: {phrase}", phrase=phrase)
        )


def _decline(progress: SeatContext, _line: OrderLine) -> None:
    if progress.game.is_challenge:
        ladder.decline(progress)
    else:
        decide.decline(progress.decision, progress.seat)


def _yes_or_no(progress: SeatContext, line: OrderLine) -> None:
    """Answer an invitation, or a motion if there is no invitation."""
    game = progress.game
    is_asked = game.status == "inviting" and game.seats[progress.seat].status == "invited"
    if is_asked and line.argument is None:
        (_join if line.word is Word.YES else _decline)(progress, line)
    else:
        motion_orders.answer(progress, line)


def _skip(progress: SeatContext, _line: OrderLine) -> None:
    game = progress.game
    if not any(is_tutor(seat.player) for seat in game.seats):
        playing(game, progress.seat)
        raise Refusal(
            "lesson", sentence("This isn't a lesson. To leave a game, write: resign confirm")
        )
    if game.status == "inviting":
        decide.decline(progress.decision, progress.seat)
    else:
        decide.resign(progress.decision, progress.seat)


def _dispute(progress: SeatContext, line: OrderLine) -> None:
    number = disputes.open_dispute(progress.decision, progress.seat, line.argument or "")
    progress.notes.append(
        sentence(
            "The number of your dispute is {number}. The admin was told, and may now read your"
            " own mails of this game, nobody else's.",
            number=number,
        )
    )


def _show(progress: SeatContext, line: OrderLine) -> None:
    progress.catches_up = line.word is Word.BOARD


def _extend(progress: SeatContext, line: OrderLine) -> None:
    sentences = time_orders.extend(progress.decision, progress.seat, line.argument, progress.names)
    progress.notes.append(sentences)


ACTS: Mapping[Word, OfPerson | OfSeat] = {
    Word.HELP: OfPerson(_ask),
    Word.RULES: OfPerson(_ask),
    Word.GAMES: OfPerson(_ask),
    Word.STANDINGS: OfPerson(_ask),
    Word.RESEND: OfPerson(_ask),
    Word.EXPORT: OfPerson(_ask),
    Word.REPLAY: OfPerson(_ask),
    Word.TEST: OfPerson(_too_late),
    Word.NEW: OfPerson(new_game.from_line),
    Word.TUTORIAL: OfPerson(new_game.lesson),
    Word.TAKE: OfPerson(table_orders.take),
    Word.NEW_LEAGUE: OfPerson(leagues.create),
    Word.JOIN_LEAGUE: OfPerson(leagues.join),
    Word.LEAVE_LEAGUE: OfPerson(leagues.leave),
    Word.START_LEAGUE: OfPerson(leagues.start),
    Word.ANNOUNCE_LEAGUE: OfPerson(leagues.announce),
    Word.LEAGUE: OfPerson(_ask),
    Word.CHALLENGE: OfPerson(ladder.challenge),
    Word.LADDER: OfPerson(_ask),
    Word.NEVER: OfPerson(never_invite.from_line),
    Word.UNSUBSCRIBE: OfPerson(leagues.unsubscribe),
    Word.AUTO: OfPerson(new_game.explain_auto),
    Word.OBSERVE: OfPerson(_look_on),
    Word.UNOBSERVE: OfPerson(_look_on),
    **dict.fromkeys(time_orders.EVERYWHERE, OfPerson(_about_time)),
    **dict.fromkeys(
        (word for word, row in ORDER_WORDS.items() if row.is_setting), OfPerson(_prefer)
    ),
    Word.ENCRYPT: OfPerson(own_encryption.carry_out),
    Word.JOIN: OfSeat(_join),
    Word.DECLINE: OfSeat(_decline),
    Word.RESIGN: OfSeat(_ask_to_resign),
    Word.CONFIRM: OfSeat(_ask_to_resign),
    Word.DISPUTE: OfSeat(_dispute),
    Word.INVITE: OfSeat(table_orders.invite),
    Word.BOT: OfSeat(table_orders.bot),
    Word.WITHOUT: OfSeat(table_orders.start_without),
    Word.SKIP: OfSeat(_skip),
    Word.EXTEND: OfSeat(_extend),
    **dict.fromkeys(motion_orders.ASKED, OfSeat(motion_orders.ask)),
    Word.END: OfSeat(motion_orders.end),
    Word.PAUSE: OfSeat(motion_orders.pause_or_resume),
    Word.RESUME: OfSeat(motion_orders.pause_or_resume),
    Word.YES: OfSeat(_yes_or_no),
    Word.NO: OfSeat(_yes_or_no),
    Word.REMATCH: OfSeat(new_game.rematch),
    Word.REPLACE: OfSeat(offers.propose),
    Word.NEXT: OfSeat(standing_orders.order_next),
    Word.DRAWING: OfSeat(standing_orders.rule_drawing),
    Word.TRY: OfSeat(standing_orders.try_order),
    Word.HINT: OfSeat(advice.hint),
    Word.PLAY_FOR_ME: OfSeat(advice.play_for_me),
    Word.BOARD: OfSeat(_show),
    Word.HAND: OfSeat(_show),
    Word.SAY: OfSeat(talking.say),
    Word.MUTE: OfSeat(talking.mute),
    Word.UNMUTE: OfSeat(talking.mute),
    Word.HISTORY: OfSeat(lambda progress, line: _ask(progress.mail_context, line)),
    Word.PAGES: OfSeat(talking.pages),
}
"""The handler of each order word. Its type must match `needs_seat` of the word's row."""
