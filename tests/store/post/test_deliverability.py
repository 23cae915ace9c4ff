"""Test bounces, unreachable players and failing servers, on both databases."""

from datetime import timedelta

import pytest

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import with_seat
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.post.deliverability import Deliverability
from pbem.store.rows.core import Bounce
from tests.store.samples import DAY, NOW, a_game, new_game_id
from tests.store.tables.test_projections import Rows

MINUTE = timedelta(minutes=1)


@pytest.fixture
def player(store: Store) -> str:
    with store.unit_of_work() as uow:
        return uow.players.add("Anna", "UTC", created_at=NOW).id


def _bounce(
    reach: Deliverability, player: str, key: str, mail: int, score: int, days: int = 0
) -> bool:
    return reach.add_bounce(
        Bounce(
            key=key,
            player_id=player,
            outbox_id=mail,
            kind="hard",
            status="5.1.1",
            score=score,
            bounced_at=NOW + days * DAY,
        )
    )


def test_each_mail_counts_once_with_its_worst_report(store: Store, player: str) -> None:
    """A warning, then a failure, then the failure once more: one mail that did not arrive."""
    with store.unit_of_work() as uow:
        assert _bounce(uow.deliverability, player, "inbox:1", 7, 0)
        assert _bounce(uow.deliverability, player, "inbox:2", 7, 2)
        assert not _bounce(uow.deliverability, player, "inbox:2", 7, 2)
        assert _bounce(uow.deliverability, player, "inbox:3", 7, 2)
        assert _bounce(uow.deliverability, player, "inbox:4", 8, 1)
        assert uow.deliverability.score(player, NOW - DAY) == 3
        assert uow.deliverability.score(player, NOW) == 0, "older than what is looked at"
        assert uow.deliverability.score("nobody", NOW - DAY) == 0


def test_who_was_heard_of_begins_anew(store: Store, player: str) -> None:
    """Lost once, found once; bounces of the time before do not count any more."""
    with store.unit_of_work() as uow:
        _bounce(uow.deliverability, player, "inbox:1", 7, 2)
        assert uow.deliverability.unreachable(player) is None
        assert not uow.deliverability.mark_reachable(player, NOW), "was not lost"
        assert uow.deliverability.mark_unreachable(player, NOW + DAY, "bounces")
        assert not uow.deliverability.mark_unreachable(player, NOW + 2 * DAY, "complaint"), (
            "told once"
        )
        loss = uow.deliverability.unreachable(player)
        assert loss is not None
        assert (loss.lost_at, loss.reason) == (NOW + DAY, "bounces")
        assert uow.deliverability.mark_reachable(player, NOW + 3 * DAY)
        assert uow.deliverability.unreachable(player) is None
        assert uow.deliverability.score(player, NOW - DAY) == 0
        _bounce(uow.deliverability, player, "inbox:2", 9, 2, days=4)
        assert uow.deliverability.score(player, NOW - DAY) == 2
        assert uow.deliverability.mark_unreachable(player, NOW + 5 * DAY, "bounces")


def test_seats_whose_log_does_not_know_yet(store: Store, player: str) -> None:
    """In every unfinished game of the person, until its log says so, and back."""
    game, over = new_game_id(), new_game_id()

    def seats(uow: UnitOfWork) -> list[tuple[GameId, int]]:
        return [(seat.game_id, seat.seat) for seat in uow.projections.reach_changes(10)]

    with store.unit_of_work() as uow:
        rows = Rows(uow, a_game(game, "x", player))
        Rows(uow, a_game(over, player, "x"))
        uow.connection.exec_driver_sql(f"UPDATE game SET status = 'stopped' WHERE id = '{over}'")  # noqa: S608
        assert seats(uow) == []
        uow.deliverability.mark_unreachable(player, NOW, "bounces")
        assert seats(uow) == [(game, 1)]
        rows.change(lambda now: with_seat(now, 1, is_unreachable=True))
        assert seats(uow) == []
        assert uow.projections.seats(game)[1].is_unreachable
        uow.deliverability.mark_reachable(player, NOW)
        assert seats(uow) == [(game, 1)]
        rows.change(lambda now: with_seat(now, 1, is_unreachable=False))
        assert seats(uow) == []
