"""Carries out each order of a seat and raises refusals, which `seat_mail` reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.api import Seat
from engine.orders import nearest_moves
from engine.sentences import all_of, sentence
from pbem.domain.play import decide, disputes
from pbem.domain.table.decision import playing, running
from pbem.domain.terms.occupants import is_tutor
from pbem.domain.words.orders import LineKind, OrderLine, names_list_number
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.service.clock import time_orders
from pbem.service.core.seat_reading import SeatOrders
from pbem.service.intake import person_orders
from pbem.service.lobby import making as lobby
from pbem.service.lobby import rematch, table_orders
from pbem.service.notify import second_mail
from pbem.service.standing_orders import giving as standing_orders
from pbem.service.talk import talk_orders
from pbem.service.votes import motion_orders, offers


def carry_out(reading: SeatOrders, line: OrderLine) -> str | None:
    """Carry out one order; return the canonical text of a move. Raises: Refusal."""
    if line.kind is LineKind.NEAR:
        raise _near(reading, line)
    if line.kind is LineKind.TAKEN_BACK:
        raise Refusal(
            "taken-back",
            sentence(
                "A line below seems to take this back, so it was not carried out. Please write again"
                " what you want."
            ),
        )
    if line.kind is LineKind.DOUBT:
        raise talk_orders.doubt(line)
    if line.word is None:
        return _play(reading, line)
    if person_orders.is_person_order(line):
        person_orders.carry_out(reading.mail_orders, line)
    else:
        act = ACTS.get(line.word)
        if act is None:
            raise Refusal(
                "not-asked",
                sentence('Nothing is asked that "{text}" would answer.', text=line.text),
            )
        act(reading, line)
    return None


def resign(reading: SeatOrders, lines: Sequence[OrderLine]) -> None:
    """Resign a seat, if the sender is proven. Raises: Refusal.

    The mail must contain only `resign` and `confirm`.
    """
    words = [line.word for line in lines]
    confirmed = words == [Word.RESIGN, Word.CONFIRM] or (
        words == [Word.RESIGN] and lines[0].argument is not None
    )
    if not confirmed:
        raise _unconfirmed()
    decide.resign(reading.decision, reading.seat)


def _unconfirmed() -> Refusal:
    return Refusal(
        "confirm",
        sentence(
            "Resigning cannot be undone. If you mean it, send a mail that holds nothing but"
            " the line: resign confirm"
        ),
        rule="GEN-7",
        suggestions=(sentence("resign confirm"),),
    )


def _ask_to_resign(reading: SeatOrders, line: OrderLine) -> None:
    """Ask the player of an unproven mail if they resign; `confirm` changes nothing."""
    if line.word is Word.CONFIRM and not reading.mail_orders.asked:
        raise _unconfirmed()
    game, seat = reading.game, reading.seat
    playing(game, seat)
    others = [name for number, name in enumerate(reading.names) if number != seat]
    second_mail.put_off(
        reading.mail_orders,
        second_mail.act_in(game, seat, "resign"),
        sentence(
            "You asked to resign from {title} with {others} [{game}], which cannot be undone.",
            title=game.ruleset.title,
            others=all_of(others),
            game=game.id,
        ),
    )


def _join(reading: SeatOrders, line: OrderLine) -> None:
    player = reading.game.seats[reading.seat].player
    is_operator = lobby.is_operator(reading.mail_orders.service, reading.mail_orders.uow, player)
    decide.join(reading.decision, reading.seat, line.argument, is_operator=is_operator)
    phrase = reading.game.seats[reading.seat].phrase
    if line.argument is not None and phrase is not None:
        reading.notes.append(
            sentence("Your phrase for the shuffles, exactly as it is used: {phrase}", phrase=phrase)
        )


def _decline(reading: SeatOrders, _line: OrderLine) -> None:
    decide.decline(reading.decision, reading.seat)


def _yes_or_no(reading: SeatOrders, line: OrderLine) -> None:
    """Answer an invitation, or else a vote."""
    game = reading.game
    is_asked = game.status == "inviting" and game.seats[reading.seat].status == "invited"
    if is_asked and line.argument is None:
        (_join if line.word is Word.YES else _decline)(reading, line)
    else:
        motion_orders.answer(reading, line)


def _skip(reading: SeatOrders, _line: OrderLine) -> None:
    game = reading.game
    if not any(is_tutor(seat.player) for seat in game.seats):
        raise Refusal(
            "lesson", sentence("This is no lesson; to leave a game, write: resign confirm")
        )
    if game.status == "inviting":
        decide.decline(reading.decision, reading.seat)
    else:
        decide.resign(reading.decision, reading.seat)


def _dispute(reading: SeatOrders, line: OrderLine) -> None:
    number = disputes.open_dispute(reading.decision, reading.seat, line.argument or "")
    reading.notes.append(
        sentence(
            "The number of your dispute is {number}. The admin was told, and may now read your"
            " own mails of this game, nobody else's.",
            number=number,
        )
    )


def _show(reading: SeatOrders, line: OrderLine) -> None:
    reading.catches_up = line.word is Word.BOARD


def _extend(reading: SeatOrders, line: OrderLine) -> None:
    said = time_orders.extend(reading.decision, reading.seat, line.argument, reading.names)
    reading.notes.append(said)


ACTS: dict[Word, Callable[[SeatOrders, OrderLine], None]] = {
    Word.JOIN: _join,
    Word.DECLINE: _decline,
    **dict.fromkeys((Word.RESIGN, Word.CONFIRM), _ask_to_resign),
    Word.DISPUTE: _dispute,
    Word.INVITE: table_orders.invite,
    Word.BOT: table_orders.bot,
    Word.WITHOUT: table_orders.start_without,
    Word.SKIP: _skip,
    Word.EXTEND: _extend,
    Word.UNDO: motion_orders.undo,
    Word.TEMPO: motion_orders.tempo,
    Word.REMATCH: rematch.ask,
    Word.REPLACE: offers.propose,
    **dict.fromkeys((Word.PAUSE, Word.RESUME), motion_orders.pause_or_resume),
    **dict.fromkeys((Word.YES, Word.NO), _yes_or_no),
    Word.NEXT: standing_orders.order_next,
    Word.DRAWING: standing_orders.rule_drawing,
    Word.TRY: standing_orders.try_order,
    **dict.fromkeys((Word.BOARD, Word.HAND), _show),
    **talk_orders.ACTS,
}


def _play(reading: SeatOrders, line: OrderLine) -> str:
    game, token = reading.game, reading.token
    seat = reading.seat
    running(game)
    if not game.may_decide(seat):
        raise Refusal("not-to-act", _whose_turn(reading))
    if token.decision != game.seats[seat].decision:
        raise Refusal(
            "stale",
            sentence(
                "Your mail answers an older position; others have moved since. Here is the table"
                " as it is now: please decide again."
            ),
        )
    if names_list_number(line.order, game.ruleset) and token.listing < game.position:
        raise Refusal(
            "old-number",
            sentence(
                "That number belongs to the list of an earlier mail. Use the list below, or name"
                " the cards."
            ),
        )
    return decide.play(reading.decision, seat, line.order, source="mail")


def _whose_turn(reading: SeatOrders) -> str:
    game, seat = reading.game, reading.seat
    if game.seats[seat].status in ("resigned", "removed"):
        return sentence("You have left this game and have nothing to decide in it.")
    if not game.to_act:
        return sentence("Nobody is to move now.")
    others = all_of([reading.names[number] for number in game.to_act])
    return sentence("It is not your turn: {others} must move first.", others=others)


def _near(reading: SeatOrders, line: OrderLine) -> Refusal:
    game, seat = reading.game, reading.seat
    suggestions: tuple[str, ...] = (line.guess,) if line.guess else ()
    if not suggestions and game.status == "running" and seat in game.to_act:
        suggestions = tuple(nearest_moves(game.ruleset, game.state, Seat(seat), line.text))
    message = sentence("This looks like an order with a typing mistake; nothing was guessed.")
    if line.guess is not None and line.guess.startswith("play "):
        message = sentence("This may be a card or just a word, so nothing was played.")
    return Refusal("near", message, suggestions=suggestions)
