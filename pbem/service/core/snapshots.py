"""Saved folds of games, trusted as far as the log agrees with them.

A MAC proves that a program with our keys wrote a snapshot (`pbem.store.log.snapshots`). Its cards
must also match the digest in the log. Only a fold from the first event proves the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.replay import state_digest
from pbem.domain.log.chain import GameId, check_chain
from pbem.domain.log.events import MovesRetracted, Recorded
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table import snapshot
from pbem.domain.table.fold import digest_of, folded
from pbem.domain.table.game import Game
from pbem.errors import LogError
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.log.snapshots import Snapshot

EVERY = 25
"""Versions between snapshots: folding so many events costs about as much as reading one snapshot."""
_LOOK_BACK = 8
"""So many events are read at once in search of the last digest; mostly it is one of them."""


def keep(uow: UnitOfWork, game: Game) -> None:
    """Store a snapshot of a running game."""
    uow.snapshots.put(Snapshot(game.id, game.version, game.head, snapshot.pack(game)))


def bases(
    uow: UnitOfWork, game_id: GameId, up_to: int | None = None
) -> Iterator[tuple[Snapshot, Game]]:
    """Return the readable snapshots of a game with their contents, newest first."""
    for kept in uow.snapshots.newest_first(game_id, up_to):
        try:
            game = snapshot.unpack(kept.payload)
        except Exception:  # noqa: BLE001  (a cache: whatever is wrong with it, the log is the truth)
            uow.snapshots.refuse(kept)
            continue
        if game is None:  # another version of this program wrote it
            continue
        if (game.id, game.version, game.head) != (kept.game_id, kept.version, kept.hash):
            uow.snapshots.refuse(kept)
            continue
        yield kept, game


def is_proven(uow: UnitOfWork, base: Game, after: Sequence[Recorded]) -> bool:
    """True if the log proves the cards of a snapshot; False if it has no digest.

    Args:
        base: the game in the snapshot.
        after: the events folded next; a digest among them also proves the cards.

    Raises: LogError if the log has a digest of other cards.
    """
    if any(_tells_of_the_table(item) for item in after):
        return True
    place = base.version
    events = uow.events.read(base.id, after=max(0, place - _LOOK_BACK), up_to=place)
    while True:
        recorded = [codec.decode(event) for event in events]
        touched = [item for item in recorded if _touches_cards(item)]
        if touched or events[0].version == 1:
            break
        place = events[0].version - 1
        events = uow.events.read(base.id, after=max(0, place - _LOOK_BACK), up_to=place) + events
    check_chain(events, base.id, (events[0].version - 1, events[0].prev_hash))
    digest = digest_of(touched[-1].event) if touched else None
    if digest is None:
        return False
    if digest != state_digest(base.ruleset, base.state):
        version = touched[-1].version
        raise LogError(f"event {version} leads to another state than is kept", version=version)
    return True


def _tells_of_the_table(item: Recorded) -> bool:
    """True if folding an event compares a digest, or goes back to an earlier position."""
    return digest_of(item.event) is not None or isinstance(item.event, MovesRetracted)


def _touches_cards(item: Recorded) -> bool:
    return _tells_of_the_table(item) or isinstance(item.event, SeatResigned | SeatRemoved)


def compare(uow: UnitOfWork, game_id: GameId) -> None:
    """Fold a game from its first event, and refuse snapshots that differ from it."""
    kept = {game.version: (one, game) for one, game in bases(uow, game_id)}
    if not kept:
        return
    events = uow.events.read(game_id, up_to=max(kept))
    for game in folded([codec.decode(event) for event in events], game_id, compared=()):
        if game.version in kept and game != kept[game.version][1]:
            uow.snapshots.refuse(kept[game.version][0])
