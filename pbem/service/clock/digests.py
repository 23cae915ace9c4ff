"""Daily digests, at an hour chosen by the player, instead of notices and most reminders.

Turn messages, answers and questions are still sent at once, so that no other player has to wait. A
digest reports the news of each game and whose turn it is.
"""

from __future__ import annotations

import structlog

from pbem.domain.terms.calendar import daily
from pbem.errors import LogError, UpcastError
from pbem.mail_out.kinds import DIGEST, DigestParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.notify import talking
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

log = structlog.get_logger(__name__)

AT_ONCE = 100
"""Maximum number of digests queued in one check."""


def queue_due(service: Service) -> int:
    """Queue the digests that are due and return their number."""
    now = service.now()
    with service.store.reading() as uow:
        due = uow.players.due_for_digest(now, AT_ONCE)
    queued = 0
    for player in due:
        with service.store.unit_of_work() as uow:
            if uow.players.move_digest(player, daily(now, player.digest_hour, player.zone)):
                queued += _queue(service, uow, player)
    return queued


def _queue(service: Service, uow: UnitOfWork, player: Player) -> bool:
    """Queue a digest if there is news or it is the player's turn. Return whether it was queued."""
    told = _told(uow, player)
    entries: list[tuple[str, int, int, int]] = []
    is_worth_a_mail = False
    for row in uow.projections.games_of(player.id):
        if row.status != "running":
            continue
        try:
            game = games.load(uow, row.id)
        except (LogError, UpcastError) as error:
            log.error(
                "game omitted, because its log is damaged",
                action="log_broken",
                game=row.id,
                error=str(error),
            )
            continue
        for seat in game.seats_of(player.id, ("joined",)):
            since = max(told.get(f"{game.id}.{seat}", 0), game.seats[seat].seen)
            entries.append((game.id, seat, since, game.version))
            is_worth_a_mail |= bool(game.news_for(seat, since)) or seat in game.to_act
            is_worth_a_mail |= bool(talking.untold(uow, game, seat, player))
    if is_worth_a_mail:
        key = f"digest:{player.id}:{service.now():%Y-%m-%dT%H:%M:%S}"
        mail = Mailing(DIGEST, DigestParams(tuple(entries)), key)
        queue_to_player(service, uow, player.id, mail)
    return is_worth_a_mail


def _told(uow: UnitOfWork, player: Player) -> dict[str, int]:
    """Return the version up to which the last digest reported, by `game.seat`."""
    last = uow.outbox.last_to_player(player.id, DIGEST.name)
    told = () if last is None else DIGEST.read(last.params).games
    return {f"{game_id}.{seat}": version for game_id, seat, _, version in told}
