"""Open games, which have seats that any registered player can take."""

from __future__ import annotations

import re

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal, UnknownStreamError
from pbem.service.change import changing, lock
from pbem.service.core import games, operators
from pbem.service.core.asking import MailOrders
from pbem.service.notify import mailings
from pbem.store.db.uow import UnitOfWork

_ARGUMENT = re.compile(r"([a-z0-9]{10})(?:[\s,;:.-]+phrase\s*[:=]?\s*(\S.*))?\.?", re.IGNORECASE)
MOST_LISTED = 20
"""Maximum number of open games listed, the oldest first."""
_SUGGESTED = ("games",)


def listed(uow: UnitOfWork, player_id: str) -> list[Game]:
    """Return the games with a seat that a player can take, oldest first."""
    found = []
    for game_id in uow.projections.open_games(MOST_LISTED):
        game = games.load_if_sound(uow, game_id)
        if game is None or game.seats_of(player_id):
            continue
        if seating.open_seats(game):
            found.append(game)
    return found


def take(mail_orders: MailOrders, line: OrderLine) -> None:
    """Take a seat of an open game: `join k7q2m3x9ab`. Raises: Refusal."""
    game_id, phrase = _wanted(line.argument)
    here = mail_orders.here
    if here is not None and here[0].game_id == game_id:
        _sit(mail_orders, here[0], here[1], phrase)
        return
    lock(mail_orders.uow, game_id)
    game = _found(mail_orders.uow, game_id, mail_orders.player_id)
    actor = f"player:{mail_orders.player_id}"
    with changing(
        mail_orders.service, mail_orders.uow, game_id, actor=actor, cause=mail_orders.cause
    ) as change:
        seats = game.seats_of(mail_orders.player_id)
        seat = seats[0] if seats else seating.open_seats(game)[0]
        _sit(mail_orders, change.decision, seat, phrase)
        after = change.record()
        change.answer = mailings.Answer(
            seat=seat,
            message_id=mail_orders.message_id,
            notes=_welcome(after, seat),
            key=f"seated:{after.id}:{after.version}",
            since=game.version,
            unread_since=game.version,
        )
    mail_orders.has_acted = True
    mail_orders.answers += 1


def _wanted(argument: str | None) -> tuple[GameId, str | None]:
    """Parse the game ID and the phrase after `join`. Raises: Refusal."""
    match = _ARGUMENT.fullmatch(argument or "")
    if match is None:
        raise Refusal(
            "setup",
            sentence('Say which game, as in: join k7q2m3x9ab. "games" lists them.'),
            suggestions=_SUGGESTED,
        )
    return GameId(match[1].lower()), match[2]


def _sit(mail_orders: MailOrders, decision: Decision, seat: int, phrase: str | None) -> None:
    service, uow = mail_orders.service, mail_orders.uow
    is_operator = operators.is_operator(service, uow, mail_orders.player_id)
    game = decision.existing()
    if is_operator and phrase is not None and game.seats[seat].status != "joined":
        raise decide.phrase_of_operator(f"join {game.id}")
    if game.seats[seat].status == "open":
        seating.take(decision, seat, mail_orders.player_id, phrase, is_operator=is_operator)
    else:
        decide.join(decision, seat, phrase, is_operator=is_operator)
    is_elsewhere = mail_orders.here is None or decision is not mail_orders.here[0]
    if decision.existing().status == "running" and is_elsewhere:
        decide.settle(decision)


def _found(uow: UnitOfWork, game_id: GameId, player_id: str) -> Game:
    """Return a game that a player can join, revealing nothing about other games. Raises: Refusal."""
    try:
        game = games.load(uow, game_id)
    except UnknownStreamError:
        game = None
    is_theirs = game is not None and bool(game.seats_of(player_id))
    if game is None or not (is_theirs or seating.open_seats(game)):
        raise Refusal(
            "unknown-game",
            sentence(
                'There is no open place in a game {game}. A mail that says "games" lists what is open.',
                game=game_id,
            ),
            suggestions=_SUGGESTED,
        )
    return game


def _welcome(game: Game, seat: int) -> list[Sentence]:
    """Confirm that the player has a seat. For the last seat the message also shows the deal."""
    said: list[Sentence] = []
    if game.status == "inviting":
        said.append(
            sentence(
                "You have a seat in this game of {title}. It begins when all seats are taken; the"
                " commitment to its shuffles is {commitment}. Until then you can add words of your own"
                " with phrase: and your words.",
                title=game.ruleset.title,
                commitment=game.commitment,
            )
        )
    phrase = game.seats[seat].phrase
    if phrase is not None:
        said.append(
            sentence("Your phrase for the shuffles, exactly as it is used: {phrase}", phrase=phrase)
        )
    return said
