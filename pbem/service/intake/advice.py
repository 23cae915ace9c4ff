"""Advice of a bot to a player: `hint` and `play for me`.

The bot sees only the player's view. It runs outside of the transaction: if a handler needs the
bot's answer, it raises `ThoughtNeededError`. `handle_mail` then asks the bot and handles the
message again.
"""

from __future__ import annotations

from dataclasses import replace

from engine.api import Seat
from engine.sentences import all_of, sentence
from pbem.bots import BotError, Question
from pbem.domain.play import decide
from pbem.domain.table.decision import running
from pbem.domain.table.game import Game
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.games.profile import reason_of
from pbem.mail_out.happened.moves import BOT_REASONS
from pbem.service.clock.bot_seats import MAX_PLIES, question
from pbem.service.core.context import Service
from pbem.service.core.mail_context import SeatContext
from pbem.service.standing_orders.giving import in_words

LEVEL, IN_ITS_PLACE = "medium", "easy"
"""The bot level that is asked, and the fallback if that bot times out or fails."""


def thought(service: Service, asked: Question) -> str:
    """Return the bot's order for a handler's question. Raises: BotError if the fallback fails too."""
    try:
        return service.thinker.order(asked)
    except BotError:
        return service.thinker.order(replace(asked, level=IN_ITS_PLACE))


def hint(progress: SeatContext, _line: OrderLine) -> None:
    """Show which move the bot would play, and why.

    Raises: Refusal, or ThoughtNeededError if the bot has to be asked first.
    """
    game, seat = _game(progress), progress.seat
    if not game.may_decide(seat):
        raise Refusal("not-to-act", _whose_turn(progress))
    rules, order = game.ruleset, _order(progress)
    view = rules.view(game.state, Seat(seat))
    why = reason_of(rules, game.state, Seat(seat), rules.parse_order(game.state, Seat(seat), order))
    move = in_words(game, order, view, progress.names, progress.mail_context.language)
    if why in BOT_REASONS:
        answer = sentence(
            "A bot would play “{move}” now: {why}. Nothing was played.",
            move=move,
            why=BOT_REASONS[why],
        )
    else:
        answer = sentence("A bot would play “{move}” now. Nothing was played.", move=move)
    progress.notes.append(answer)


def play_for_me(progress: SeatContext, _line: OrderLine) -> None:
    """Let the bot play this turn, recorded with source `bot`.

    Raises: Refusal, or ThoughtNeededError if the bot has to be asked first.
    """
    game, seat = _game(progress), progress.seat
    check_turn(progress)
    for _ in range(MAX_PLIES):
        now = progress.game
        is_same = now.is_choosing == game.is_choosing and seat in now.to_act
        if not is_same or now.outcome() is not None:
            return
        decide.play(progress.decision, seat, _order(progress), source="bot")


def check_turn(progress: SeatContext) -> None:
    """Check that a seat is to act and that its message is current. Raises: Refusal if not."""
    game, seat = progress.game, progress.seat
    if not game.may_decide(seat):
        moved = (sentence("undo"),) if game.seats[seat].seen and not game.is_over else ()
        raise Refusal("not-to-act", _whose_turn(progress), suggestions=moved)
    if progress.token.decision != game.seats[seat].decision:
        raise Refusal(
            "stale",
            sentence(
                "Your mail answers an older position; others have moved since. Here is the table"
                " as it is now: please decide again."
            ),
        )


def _whose_turn(progress: SeatContext) -> str:
    """Explain why a seat has nothing to decide now."""
    game, seat = progress.game, progress.seat
    if game.seats[seat].status in ("resigned", "removed"):
        return sentence("You have left this game and have nothing to decide in it.")
    if not game.to_act:
        return sentence("Nobody is to move now.")
    others = all_of([progress.names[number] for number in game.to_act])
    return sentence("It is not your turn: {others} must move first.", others=others)


def _game(progress: SeatContext) -> Game:
    """Return the running game. Raises: Refusal if the game is not running or hints are off."""
    game = running(progress.game)
    if game.league or game.is_challenge or not game.timing.hints:
        raise Refusal("hints", sentence("In this game nobody can ask a bot: hints are off."))
    return game


def _order(progress: SeatContext) -> str:
    asked = question(progress.game, progress.seat, LEVEL)
    return progress.mail_context.service.thinker.order(asked)
