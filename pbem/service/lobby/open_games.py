"""Seats that any registered player can take: those of open games, or with an invitation link."""

from __future__ import annotations

import re

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal, UnknownStreamError
from pbem.mail_out.kinds import ANSWER, GameParams
from pbem.service.change import changing, lock
from pbem.service.core import games, operators
from pbem.service.core.asking import MailOrders
from pbem.service.lobby import join_links
from pbem.service.lobby.join_links import Link
from pbem.service.notify import mailings
from pbem.service.notify.intentions import Mailing
from pbem.store.db.uow import UnitOfWork

_ARGUMENT = re.compile(
    r"([a-z0-9]{10}|l-[a-z2-7]{16})(?:[\s,;:.-]+phrase\s*[:=]?\s*(\S.*))?\.?", re.IGNORECASE
)
MAX_LISTED = 20
"""Maximum number of open games listed, the oldest first."""
_SUGGESTED = ("games",)


def listed(uow: UnitOfWork, player_id: str) -> list[Game]:
    """Return the games with a seat that a player can take, oldest first."""
    found = []
    for game_id in uow.projections.open_games(MAX_LISTED):
        game = games.load_if_sound(uow, game_id)
        if game is None or game.seats_of(player_id):
            continue
        if seating.open_seats(game):
            found.append(game)
    return found


def take(mail_orders: MailOrders, line: OrderLine) -> None:
    """Take a seat of an open game, or the seat of a link: `join k7q2m3x9ab`. Raises: Refusal."""
    name, phrase = _wanted(line.argument)
    link = _link(mail_orders, name)
    game_id = GameId(name) if link is None else link.game.id
    here = mail_orders.here
    if here is not None and here[0].game_id == game_id:
        _sit(mail_orders, here[0], here[1], phrase)
        return
    lock(mail_orders.uow, game_id)
    game = _found(mail_orders.uow, game_id, mail_orders.player_id, is_invited=link is not None)
    actor = f"player:{mail_orders.player_id}"
    with changing(
        mail_orders.service, mail_orders.uow, game_id, actor=actor, cause=mail_orders.cause
    ) as change:
        seats = game.seats_of(mail_orders.player_id)
        seat = seats[0] if seats else _free(game, is_invited=link is not None)[0]
        _sit(mail_orders, change.decision, seat, phrase)
        after = change.record()
        params = GameParams(facts_after=game.version, notes=tuple(_welcome(after, seat)))
        key = f"seated:{after.id}:{after.version}"
        mail = Mailing(ANSWER, params, key, mail_orders.message_id)
        change.answer = mailings.Answer(seat, mail)
    mail_orders.has_acted = True
    mail_orders.answers += 1


def _wanted(argument: str | None) -> tuple[str, str | None]:
    """Parse the game ID or the code of a link, and the phrase after `join`. Raises: Refusal."""
    match = _ARGUMENT.fullmatch(argument or "")
    if match is None:
        raise Refusal(
            "setup",
            sentence('Say which game, as in: join k7q2m3x9ab. "games" lists them.'),
            suggestions=_SUGGESTED,
        )
    return match[1].lower(), match[2]


def _link(mail_orders: MailOrders, name: str) -> Link | None:
    """Return the link with a code, or None for a game ID. Raises: Refusal if the link has ended."""
    if not name.startswith(join_links.PREFIX):
        return None
    link = join_links.find(mail_orders.service, mail_orders.uow, name)
    if link is None:
        raise Refusal(
            "link",
            sentence(
                "This invitation link has ended: its seats are taken, it is too old, or it was switched"
                " off. Ask for a new one."
            ),
            suggestions=_SUGGESTED,
        )
    return link


def _free(game: Game, *, is_invited: bool) -> list[int]:
    return join_links.free_seats(game) if is_invited else seating.open_seats(game)


def _sit(mail_orders: MailOrders, decision: Decision, seat: int, phrase: str | None) -> None:
    service, uow = mail_orders.service, mail_orders.uow
    is_operator = operators.is_operator(service, uow, mail_orders.player_id)
    game = decision.existing()
    if is_operator and phrase is not None and game.seats[seat].status != "joined":
        raise decide.phrase_of_operator(f"join {game.id}")
    status, player = game.seats[seat].status, game.seats[seat].player
    if status == "open":
        seating.take(decision, seat, mail_orders.player_id, phrase, is_operator=is_operator)
    else:
        if player != mail_orders.player_id:
            seating.ask(decision, seat, mail_orders.player_id)
        decide.join(decision, seat, phrase, is_operator=is_operator)
    is_elsewhere = mail_orders.here is None or decision is not mail_orders.here[0]
    if decision.existing().status == "running" and is_elsewhere:
        decide.settle(decision)


def _found(uow: UnitOfWork, game_id: GameId, player_id: str, *, is_invited: bool) -> Game:
    """Return a game that a player can join, revealing nothing about other games. Raises: Refusal."""
    try:
        game = games.load(uow, game_id)
    except UnknownStreamError:
        game = None
    is_theirs = game is not None and bool(game.seats_of(player_id))
    if game is None or not (is_theirs or _free(game, is_invited=is_invited)):
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
