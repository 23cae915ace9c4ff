"""Pings in addition to messages: one line without cards, for players who asked for them.

A ping does not count as a notification and does not move a deadline. It is superseded once its
decision has been made.
"""

from __future__ import annotations

from pbem.domain.table.game import Game
from pbem.mail_out.kinds import PING, REMINDER, STARTED, TURN, PingParams, to_json
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import Outgoing

TOLD = "ping:"
"""Prefix of the keys of pings about turns. The player and the message's key follow."""
_BESIDE = frozenset({TURN.name, STARTED.name, REMINDER.name})


def queue_beside(service: Service, uow: UnitOfWork, game: Game, mail: Outgoing) -> None:
    """Queue a ping for a message that asks its reader to move, if the reader wants pings.

    The daily limit of pings is respected.
    """
    if mail.kind not in _BESIDE or mail.seat not in game.to_act or mail.decision is None:
        return
    player = None if mail.player_id is None else uow.players.get(mail.player_id)
    if player is None or player.ping is None:
        return
    begin, since = f"{TOLD}{player.id}:", service.now() - limits.DAY
    if uow.outbox.count_to(player.id, since, prefix=begin) < service.config.pings.per_day:
        params = PingParams(
            game=game.id,
            seat=int(mail.seat),
            decision=mail.decision,
            again=mail.kind == REMINDER.name,
        )
        uow.outbox.add(
            Outgoing(
                key=f"{begin}{mail.key}",
                kind=PING.name,
                player_id=player.id,
                message_id=f"{service.new_id(20)}@{service.message_domain}",
                created_at=mail.created_at,
                not_before=mail.created_at,
                params=to_json(params, player.language),
            )
        )
