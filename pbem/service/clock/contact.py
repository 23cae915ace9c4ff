"""Record in the games' logs that players became unreachable or reachable again."""

from __future__ import annotations

from pbem.domain.clock import clockwork
from pbem.domain.play import handover
from pbem.domain.table.decision import SYSTEM
from pbem.mail_out.kinds import TURN
from pbem.service.change import changing, set_apart
from pbem.service.core.context import Service
from pbem.service.notify import mailings
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import SeatStatus

GAMES_AT_ONCE = 100


def tell_games(service: Service) -> int:
    """Record changes of players' reachability in their games.

    Returns: the number of seats whose log was updated.
    """
    with service.store.reading() as uow:
        seats = uow.projections.reach_changes(GAMES_AT_ONCE)
    return sum(_tell_game(service, seat) for seat in seats)


def _tell_game(service: Service, seat: SeatStatus) -> bool:
    with set_apart(service, seat.game_id), service.store.unit_of_work() as uow:
        return _record(service, uow, seat)
    return False


def _record(service: Service, uow: UnitOfWork, seat: SeatStatus) -> bool:
    with changing(service, uow, seat.game_id, actor=SYSTEM, cause=None) as change:
        unreachable = uow.deliverability.unreachable(seat.player_id)
        if unreachable is not None:
            clockwork.lose_contact(change.decision, seat.seat, str(unreachable.reason))
        else:
            clockwork.restore_contact(change.decision, seat.seat)
            handover.stay(change.decision, seat.seat)
    if not change.events:
        return False
    after = change.game
    if unreachable is None and seat.seat in after.to_act and after.deadline is not None:
        since = after.deadline.version
        if not uow.outbox.has_unsent(after.id, seat.seat, since):
            mailings.queue_another(service, uow, after, seat.seat, TURN, "reached")
    return True
