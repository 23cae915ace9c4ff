"""Queue single messages for seats, players and addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic

from pbem.domain.table.game import Game
from pbem.language import SOURCE
from pbem.mail_out.kinds import PING, REMINDER, STARTED, TURN, MailKind, P, PingParams, to_json
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import OutboxMail


@dataclass(frozen=True, slots=True)
class Mailing(Generic[P]):
    """A message to queue.

    Attributes:
        kind, params: its content.
        key: idempotency key, so that deciding twice sends one message.
        answers: Message-ID of the message that it answers.
        not_before: the earliest time to send it. None sends it at once.
        is_sent: False to store it without sending it, because a browser shows its content or only
            its ping is sent.
    """

    kind: MailKind[P]
    params: P
    key: str
    answers: str | None = None
    not_before: datetime | None = None
    is_sent: bool = True


def queue_for_seat(
    service: Service, uow: UnitOfWork, game: Game, seat: int, mail: Mailing[P]
) -> bool:
    """Queue a message to the player of a seat, with that seat's reply address.

    Players whose data was erased get no message.

    Returns:
        False if the key exists already. Nothing is changed then.
    """
    return queue_for_seats(service, uow, game, [(seat, mail)])


def queue_for_seats(
    service: Service, uow: UnitOfWork, game: Game, mails: Sequence[tuple[int, Mailing[Any]]]
) -> bool:
    """Queue messages to several seats, like `queue_for_seat`. False if any key existed already."""
    now = service.now()
    meant = [
        OutboxMail(
            key=mail.key,
            kind=mail.kind.name,
            player_id=player.id,
            game_id=game.id,
            seat=seat,
            version=game.version,
            decision=None if mail.kind.is_quiet else game.seats[seat].decision,
            params=to_json(mail.params, player.language),
            answers=mail.answers,
            message_id=message_id(service),
            created_at=mail.not_before or now,
            not_before=mail.not_before or now,
            status="pending" if mail.is_sent else "superseded",
        )
        for seat, mail in mails
        # The seat of an erased player may be played by a bot.
        if (player := uow.players.get(game.seats[seat].player)) is not None
    ]
    new = uow.outbox.add_all(meant)
    if service.config.pings.allow:
        for intention in meant:
            if intention.key in new:
                _queue_ping(service, uow, game, intention)
    return len(new) == len(meant)


def queue_to_player(
    service: Service,
    uow: UnitOfWork,
    player_id: str,
    mail: Mailing[P],
    *,
    rcpt_to: str | None = None,
) -> bool:
    """Queue a message to a player that is not about the current position of a game.

    Players whose data was erased get no message.

    Args:
        rcpt_to: the address to use, even if it no longer belongs to the player when the message is
            sent. None uses the primary address.

    Returns:
        False if nothing was queued, because there is no such player or the key exists already.
    """
    player = uow.players.get(player_id)
    if player is None:
        return False
    now = service.now()
    return uow.outbox.add(
        OutboxMail(
            key=mail.key,
            kind=mail.kind.name,
            player_id=player_id,
            rcpt_to=rcpt_to,
            params=to_json(mail.params, player.language),
            answers=mail.answers,
            message_id=message_id(service),
            created_at=now,
            not_before=mail.not_before or now,
        )
    )


def queue_to_address(
    service: Service, uow: UnitOfWork, address: str, mail: Mailing[P], language: str = SOURCE
) -> None:
    """Queue a message to the address of an admin or an unregistered person, in a language."""
    now = service.now()
    uow.outbox.add(
        OutboxMail(
            key=mail.key,
            kind=mail.kind.name,
            player_id=None,
            rcpt_to=address,
            params=to_json(mail.params, language),
            answers=mail.answers,
            message_id=message_id(service),
            created_at=now,
            not_before=now,
        )
    )


def message_id(service: Service) -> str:
    """Create a Message-ID, without angle brackets."""
    return f"{service.new_id(20)}@{service.message_domain}"


PING_KEY = "ping:"
"""Prefix of the keys of pings about turns. The player and the message's key follow."""
_BESIDE = frozenset({TURN.name, STARTED.name, REMINDER.name})


def _queue_ping(service: Service, uow: UnitOfWork, game: Game, mail: OutboxMail) -> None:
    """Queue a ping for a message that asks its reader to move, if the reader wants pings.

    The daily limit of pings is respected.
    """
    if mail.kind not in _BESIDE or mail.seat not in game.to_act or mail.decision is None:
        return
    player = None if mail.player_id is None else uow.players.get(mail.player_id)
    if player is None or player.ping is None:
        return
    begin, since = f"{PING_KEY}{player.id}:", service.now() - limits.DAY
    if uow.outbox.count_to(player.id, since, prefix=begin) < service.config.pings.per_day:
        params = PingParams(
            game=game.id,
            seat=int(mail.seat),
            decision=mail.decision,
            again=mail.kind == REMINDER.name,
        )
        uow.outbox.add(
            OutboxMail(
                key=f"{begin}{mail.key}",
                kind=PING.name,
                player_id=player.id,
                message_id=f"{service.new_id(20)}@{service.message_domain}",
                created_at=mail.created_at,
                not_before=mail.created_at,
                params=to_json(params, player.language),
            )
        )
