"""Resume from a backup: invalidate messages sent in the hours that were lost.

Players have messages from hours that this database does not know. As play continues, the same
version numbers occur again with different positions. So old reply addresses and list numbers must
be invalidated, and every player gets a message with the state of the game and a new address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game, OpenOffer
from pbem.errors import Refusal
from pbem.mail_out.kinds import INVITATION, NOTICE, OFFER, REMINDER, TURN, MailKind
from pbem.mail_out.times import when_text
from pbem.service.change import changing
from pbem.service.clock import downtime
from pbem.service.core import games, live_database
from pbem.service.core.context import Service
from pbem.service.core.live_database import COPIED
from pbem.service.core.names import new_rotation
from pbem.service.notify import mailings, outsiders, to_admins
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.copying import skip_ahead
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.rows.core import INBOX, OUTBOX

log = structlog.get_logger(__name__)

RESTORED = "restored"
"""Name of the heartbeat entry that records a restore."""
SILENT_FOR = timedelta(minutes=5)
"""If the last heartbeat is more recent than this, a service may still be running."""
REPLACED = {TURN.name, REMINDER.name, INVITATION.name}
"""Unsent messages of these kinds are replaced by new ones with valid reply addresses."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    Attributes:
        state_at: time of the state in the database.
        gap: time by which running deadlines were extended, or None if they were not.
        players: number of players whose reply addresses were revoked.
        games: games whose players get a message.
        mails: number of these messages.
        replaced: number of unsent messages that were superseded.
        unread: games with an unreadable log, whose players get no message.
        inbox_from, outbox_from: numbers that the numbers of new messages will exceed.
    """

    state_at: datetime
    gap: timedelta | None
    players: int
    games: tuple[GameId, ...]
    mails: int
    replaced: int
    unread: tuple[GameId, ...]
    inbox_from: int
    outbox_from: int


def mark_copy(copy: Store, at: datetime) -> None:
    """Mark a database as a copy, so that it is not served by mistake."""
    with copy.unit_of_work() as uow:
        uow.outages.note(COPIED, at)


def restored(service: Service, *, is_unmarked: bool = False) -> Restored:
    """Prepare a database that was restored from a backup for serving.

    Args:
        service: its database is not being served.
        is_unmarked: True if the backup was not made by `pbem db backup`.

    Raises: Refusal (the database is not marked as a copy, or a service is running), StoreError.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        state_at = _time_of_state(uow, now, is_unmarked=is_unmarked)
        uow.outages.forget_one(COPIED)
        gap = uow.outages.beat(live_database.SERVE, now, service.config.serve.outage_after)
        inbox_from = skip_ahead(uow.connection, INBOX, now)
        outbox_from = skip_ahead(uow.connection, OUTBOX, now)
        rotation = new_rotation(service, uow)
        players = uow.players.rotate_all(rotation)
        uow.outbox.release_all()
        replaced = uow.outbox.supersede_kinds(REPLACED)
        informed: list[GameId] = []
        unread: list[GameId] = []
        mails = 0
        for row in uow.projections.games():
            if row.status not in UNFINISHED:
                continue
            if games.load_if_sound(uow, row.id) is None:
                unread.append(row.id)
                continue
            mails += _tell_game(service, uow, row.id, state_at, f"restored{rotation}")
            informed.append(row.id)
        to_admins.queue(
            service,
            uow,
            key=f"restored:{rotation}",
            message=f"The database was put back, from a backup, to how it stood at"
            f" {state_at:%Y-%m-%d %H:%M} UTC. All reply addresses of before are void; the players of"
            f" {len(informed)} games that are not over were mailed where they stand. Mails to you from the"
            " time after that are about what is lost: please answer none of them.",
        )
        uow.outages.note(RESTORED, now)
    log.info(
        "database restored from a backup",
        action="restored",
        state_at=state_at.isoformat(),
        players=players,
        games=len(informed),
    )
    return Restored(
        state_at,
        None if gap is None else gap.end - gap.begin,
        players,
        tuple(informed),
        mails,
        replaced,
        tuple(unread),
        inbox_from,
        outbox_from,
    )


def _time_of_state(uow: UnitOfWork, now: datetime, *, is_unmarked: bool) -> datetime:
    """Return the time of the state in the database. Raises: Refusal."""
    copied = uow.outages.last_beat(COPIED)
    if copied is not None:
        return copied
    alive = uow.outages.last_beat(live_database.SERVE)
    if not is_unmarked:
        done = uow.outages.last_beat(RESTORED)
        raise Refusal(
            "no-copy",
            "There is no mark of `pbem db backup` in this database, so nothing was changed."
            + (f" `pbem db restored` was run in it at {done:%Y-%m-%d %H:%M} UTC." if done else "")
            + " If it was put back by other means (pg_restore, a snapshot of the disk), say so with"
            " --unmarked.",
        )
    if alive is not None and now - SILENT_FOR < alive:
        raise Refusal(
            "alive",
            f"A `pbem serve` was alive in this database at {alive:%Y-%m-%d %H:%M:%S} UTC. Stop it; five"
            " minutes later this can be done.",
        )
    return alive or now


def _tell_game(
    service: Service, uow: UnitOfWork, game_id: GameId, state_at: datetime, why: str
) -> int:
    """Send the players of a game its state, and record the reason in its log.

    Returns:
        The number of messages.
    """
    for entry in uow.projections.open_deadlines(game_id)[:1]:
        downtime.compensate(service, uow, entry)
    game = games.load(uow, game_id)
    mails = 0
    for seat, state in enumerate(game.seats):
        player = uow.players.get(state.player)
        if player is None or state.status not in AT_TABLE:
            continue
        notes = _notes(state_at, player.zone)
        mailings.queue_another(service, uow, game, seat, _kind_for(game, seat), why, notes)
        mails += 1
    for offer in game.offers:
        mails += _offer_again(service, uow, game, offer, state_at, why)
    if game.status != "running":
        return mails
    # after the messages, which explain it in their readers' languages
    actor, cause = games.LOCAL_ADMIN, service.new_cause()
    with changing(service, uow, game_id, actor=actor, cause=cause) as change:
        acts.explain(
            change.decision,
            f"The server was put back, from a backup, to how it stood at {state_at:%Y-%m-%d %H:%M} UTC."
            " What came after that does not count.",
        )
    return mails


def _offer_again(
    service: Service, uow: UnitOfWork, game: Game, offer: OpenOffer, state_at: datetime, why: str
) -> int:
    """Send the offer of a seat again and return the number of messages."""
    player = uow.players.get(offer.player)
    if player is None:
        return 0
    sentences = joined([*_notes(state_at, player.zone), outsiders.offered(uow, game, offer)])
    params = outsiders.offer(game, offer.seat, sentences)
    mail = Mailing(OFFER, params, f"{game.id}:{offer.version}:offer:{why}")
    queue_to_player(service, uow, offer.player, mail)
    return 1


def _kind_for(game: Game, seat: int) -> MailKind[Any]:
    state = game.seats[seat]
    if state.status == "invited":
        return INVITATION
    return TURN if seat in game.to_act and state.controller == "person" else NOTICE


def _notes(state_at: datetime, zone: str) -> Sequence[Sentence]:
    return [
        sentence(
            "This server had to be put back to an earlier state: {when}. What came after that does"
            " not count, and no mail from before this one can be answered any more. Please answer"
            " this one, or a newer one.",
            when=when_text(state_at, zone),
        )
    ]
