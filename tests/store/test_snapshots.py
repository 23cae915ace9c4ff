"""Snapshots: a cache that may go at any time. On both databases."""

from pbem.domain.log import GameId
from pbem.store.snapshots import Snapshot
from pbem.store.uow import Store
from tests.store.samples import NOW, a_stream, new_game_id


def _game_with_snapshots(store: Store, *versions: int) -> tuple[GameId, list[Snapshot]]:
    game = new_game_id()
    with store.unit_of_work() as uow:
        events = uow.events.append(game, 0, a_stream(), NOW)
        snapshots = [
            Snapshot(game, version, events[version - 1].hash, b"\x00state %d" % version)
            for version in versions
        ]
        for snapshot in snapshots:
            uow.snapshots.put(snapshot)
    return game, snapshots


def test_the_newest_that_is_not_too_new_is_given(store: Store) -> None:
    """`up_to` is inclusive; without it the newest."""
    game, (at_2, at_4) = _game_with_snapshots(store, 2, 4)
    with store.reading() as uow:
        assert uow.snapshots.latest(game) == at_4
        assert uow.snapshots.latest(game, 4) == at_4
        assert uow.snapshots.latest(game, 3) == at_2
        assert uow.snapshots.latest(game, 1) is None
        assert uow.snapshots.latest(new_game_id()) is None
    assert "state" not in repr(at_2)


def test_two_of_each_game_are_kept(store: Store) -> None:
    """The newest two; other games keep theirs."""
    other, _ = _game_with_snapshots(store, 1)
    game, snapshots = _game_with_snapshots(store, 1, 3, 4)
    with store.reading() as uow:
        assert uow.snapshots.latest(game, 2) is None
        assert uow.snapshots.latest(game, 3) == snapshots[1]
        assert uow.snapshots.latest(other) is not None


def test_a_snapshot_is_replaced_by_one_at_the_same_version(store: Store) -> None:
    """Two workers may fold the same game."""
    game, (old,) = _game_with_snapshots(store, 2)
    new = Snapshot(game, 2, old.hash, b"new")
    with store.unit_of_work() as uow:
        uow.snapshots.put(new)
        assert uow.snapshots.latest(game) == new


def test_a_snapshot_of_another_history_is_not_given(store: Store) -> None:
    """Its hash must be the log's at that version."""
    game, (good, _) = _game_with_snapshots(store, 2, 3)
    with store.unit_of_work() as uow:
        uow.snapshots.put(Snapshot(game, 3, "0" * 64, b"x"))
        assert uow.snapshots.latest(game) == good
        uow.snapshots.put(Snapshot(game, 99, "0" * 64, b"x"))
        assert uow.snapshots.latest(game) is None  # the good one had to go for it


def test_all_can_be_deleted(store: Store) -> None:
    """Nothing else changes."""
    game, _ = _game_with_snapshots(store, 2)
    with store.unit_of_work() as uow:
        uow.snapshots.delete_all()
        assert uow.snapshots.latest(game) is None
        assert len(uow.events.read(game)) == 5
