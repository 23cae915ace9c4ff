"""Build the content of the seat page, which is what a message to the seat would show now.

`view_digest` identifies what the seat sees, so that a page can detect changes.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

from engine.api import Seat
from pbem.domain.table.game import Game
from pbem.mail_out.content import GameMail
from pbem.mail_out.kinds import ANSWER, FINISHED, KINDS, TURN, GameParams, to_json
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.letters.game_mail import game_mail
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import OutboxMail

_NEWEST = 2**31 - 1
"""Pseudo-ID that is higher than all IDs of messages."""


def content(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    player: Player,
    answer: OutboxMail | None = None,
) -> GameMail:
    """Build the content that a message to a seat would have now.

    Args:
        answer: the answer to the player's submission, or None if they only view the page.
    """
    kind, params = TURN, GameParams()
    if answer is not None:
        kind = KINDS[answer.kind]
        params = kind.read(answer.params)
    elif game.is_over:
        kind = FINISHED
    elif seat not in game.to_act or game.seats[seat].controller != "person":
        kind, params = ANSWER, GameParams(is_look=True)
    now = service.now()
    row = OutboxMail(
        id=_NEWEST,
        key="",
        kind=kind.name,
        player_id=player.id,
        game_id=game.id,
        seat=seat,
        version=game.version,
        params=to_json(params, player.language),
        message_id="",
        created_at=now,
        not_before=now,
    )
    mail = game_mail(service, uow, row, params, game, seat, player)
    if game.is_choosing:
        mail = _without_choices(mail, games.load(uow, game.id, up_to=game.position))
    return replace(mail, answer_mailto="", page_url="", contest_url="", seat_url="")


def _without_choices(mail: GameMail, begun: Game) -> GameMail:
    """Show the other seats as they were when the secret choices began.

    Otherwise a page that is polled would reveal that another player chose (GEN-6).

    Args:
        begun: the game when the choices began.
    """
    me = mail.reader
    view = {**mail.view}
    before = begun.ruleset.view(begun.state, Seat(me))
    to_act = tuple(int(seat) for seat in begun.to_act if seat != me or me in mail.to_act)
    seats, seats_before = view.get("seats"), before.get("seats")
    if isinstance(seats, list) and isinstance(seats_before, list):
        view["seats"] = [*seats_before[:me], seats[me], *seats_before[me + 1 :]]
    if "to_act" in view:
        view["to_act"] = [*to_act]
    happened = tuple(fact for fact in mail.happened if fact.kind != "chosen" or fact.seat == me)
    return replace(mail, view=view, to_act=to_act, happened=happened)


def without_news(mail: GameMail) -> GameMail:
    """Remove news, talk and notes, which a browser that only has the link must not see."""
    return replace(mail, happened=(), talk=(), talk_left_out=0, notes=(), standing=())


def view_digest(service: Service, mail: GameMail) -> str:
    """Return a keyed digest of the content that a seat sees, given a content without an answer.

    It must not depend on anything else. A version number, for example, would reveal when another
    player made a secret choice or sent a private message.
    """
    seen = (
        mail.view,
        [move.text for move in mail.moves],
        mail.to_act,
        mail.happened,
        mail.talk,
        mail.ballots,
        mail.players,
        mail.bots,
        (mail.deadline, mail.paused, mail.motion, mail.asked, mail.gone, mail.awaited),
        (mail.standing, mail.result),
    )
    text = f"pbem-seat-view-v1\n{mail.game_id}\n{mail.reader}\n{seen!r}".encode()
    return hmac.new(service.tokens.keys[0], text, hashlib.sha256).hexdigest()[:32]
