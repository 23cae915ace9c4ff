"""Pings: their text, their destination, and whether they are still needed."""

from __future__ import annotations

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.language import translate
from pbem.mail_out import texts
from pbem.mail_out.kinds import PingParams
from pbem.mail_out.times import short_text
from pbem.pings.services import read_place
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player


def is_over(uow: UnitOfWork, params: PingParams, player: Player) -> bool:
    """True if a ping is obsolete: its decision has been made, or its code has been used."""
    if params.code:
        question = uow.questions.get(params.question)
        return question is None or question.answered_at is not None
    game = games.load_if_sound(uow, GameId(params.game))
    if game is None or params.seat not in game.to_act:
        return True
    seat = game.seats[params.seat]
    return seat.player != player.id or seat.decision != params.decision


def destination_of(
    service: Service, uow: UnitOfWork, params: PingParams, player: Player
) -> str | None:
    """Return the destination of a ping, or None if its reader wants none or it is not allowed."""
    place = params.to
    if not place:
        unreachable = uow.deliverability.unreachable(player.id)
        if unreachable is not None and unreachable.reason != "bounces":
            return None
        place = uow.players.pinged(player).place
    found = read_place(place)
    return place if found is not None and found[0] in service.config.pings.allow else None


def render(service: Service, uow: UnitOfWork, params: PingParams, player: Player) -> bytes:
    """Render a ping: one line in the reader's language, without cards, tokens or email addresses.

    With seat pages, the second line is the URL of the reader's tables, which shows them only to a
    known browser.
    """
    if params.code:
        message = sentence(
            'Your code is {code}. Answer any of my mails with "ping {code}". If you did not ask'
            " for it, do nothing.",
            code=params.code,
        )
    else:
        message = _turn(uow, games.load(uow, GameId(params.game)), player, params)
    text = translate(message, player.language)
    web = service.config.web
    if web is not None and not params.code:
        text = f"{text}\n{web.url}/seat/"
    return text.encode("utf-8")


def _turn(uow: UnitOfWork, game: Game, player: Player, params: PingParams) -> Sentence:
    names = games.seat_names(uow, game.seats)
    about = texts.game_name(str(game.ruleset.title), names, params.seat)
    if game.deadline is None or game.paused_at is not None:
        return (
            sentence("Still your turn in {game}", game=about)
            if params.again
            else sentence("Your turn in {game}", game=about)
        )
    until = short_text(game.deadline.due_at, player.zone)
    if params.again:
        return sentence("Still your turn in {game}, until {time}", game=about, time=until)
    return sentence("Your turn in {game}, until {time}", game=about, time=until)
