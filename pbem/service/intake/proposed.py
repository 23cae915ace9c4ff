"""What an unproven mail asks for, as a question to its player, checked before anybody is asked.

Only the words of the mail are looked at: a game, a seat or a person by that name may not exist, and
whoever wrote the mail does not learn it. Only whether all mails can end depends on the player's own
games: a yes to that question does what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.sentences import Sentence, joined, sentence
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.player_settings import SETTINGS
from pbem.domain.words.service_words import Word
from pbem.domain.words.translate import said_as
from pbem.errors import Refusal
from pbem.service.clock import time_orders
from pbem.service.core.incoming import Incoming
from pbem.service.intake import bare_address
from pbem.service.lobby import never_invite, new_game, open_games

_MOST = 5
"""Orders that a question names."""
_ANSWER = sentence('Reply "yes" if you wrote this, or "no" if you did not.')


def question(incoming: Incoming, lines: Sequence[OrderLine]) -> Sentence:
    """Return the question whether to do what these lines ask for, up to the first wrong one.

    Raises: Refusal if already the first is wrong.
    """
    said: dict[Sentence, None] = {}
    for line in lines:
        if not bare_address.needs_proof([line]):
            continue
        try:
            said[_proposal(incoming, line)] = None
        except Refusal:
            if not said:
                raise
            break
    return joined([*list(said)[:_MOST], _ANSWER])


def _proposal(incoming: Incoming, line: OrderLine) -> Sentence:
    of_word = None if line.word is None else _PROPOSALS.get(line.word)
    if of_word is not None:
        return of_word(incoming, line)
    order = said_as(line.text.lower(), incoming.language)
    return sentence('Carry out "{order}"?', order=order)


def _game(incoming: Incoming, line: OrderLine) -> Sentence:
    own = incoming.uow.players.addresses(incoming.player.id)
    return new_game.proposal(incoming.service, incoming.player, own, line.argument)


def _vacation(incoming: Incoming, line: OrderLine) -> Sentence:
    today = time_orders.today(incoming.service, incoming.player.zone)
    return time_orders.vacation_proposal(line.argument, today)


def _zone(incoming: Incoming, line: OrderLine) -> Sentence:
    zone = SETTINGS["zone"].value_of(line.argument, incoming.player.zone)
    return sentence("Show all times in the time zone {zone}?", zone=zone)


def _stop(incoming: Incoming, _line: OrderLine) -> Sentence:
    never_invite.may_unsubscribe(incoming.uow, incoming.player.id)
    return sentence("Stop all mails to you?")


def _always(said: Sentence) -> Callable[[Incoming, OrderLine], Sentence]:
    return lambda _incoming, _line: said


_PROPOSALS: Mapping[Word, Callable[[Incoming, OrderLine], Sentence]] = {
    Word.NEW: _game,
    Word.TAKE: lambda _incoming, line: open_games.proposal(line.argument),
    Word.VACATION: _vacation,
    Word.TIMEZONE: _zone,
    Word.TUTORIAL: _always(sentence("Start a lesson, a short game against a bot?")),
    Word.BACK: _always(sentence("End your vacation?")),
    Word.UNSUBSCRIBE: _stop,
}
"""How an order is asked about; any other one is quoted."""
