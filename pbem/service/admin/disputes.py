"""Disputes of all games: list them, open them for players, or resolve them as an admin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import DisputeOpened, DisputeResolved, Recorded
from pbem.domain.play import disputes
from pbem.domain.table.game import Game
from pbem.errors import LogError, Refusal, UpcastError
from pbem.mail_out import texts
from pbem.service.admin.acts import carry_out
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.logbook import replays
from pbem.store.log import codec


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute, read from the log.

    Attributes:
        version: version of its DisputeOpened event.
        cause: cause of that event.
        text: the complaint, or empty if it was erased or may not be read.
        answer: the decision, or None while the dispute is open.
    """

    game_id: GameId
    number: int
    seat: int
    name: str
    version: int
    opened_at: datetime
    cause: str | None
    text: str = field(repr=False)
    answer: str | None = field(default=None, repr=False)
    answered_at: datetime | None = None


def all_disputes(service: Service, *, also_answered: bool = False) -> list[Dispute]:
    """List the disputes of all games, oldest first. Those of damaged logs have no texts."""
    with service.store.reading() as uow:
        streams = uow.events.games_with("DisputeOpened")
    found: list[Dispute] = []
    for game_id in streams:
        try:
            found += of_game(service, game_id)
        except (LogError, UpcastError):
            found += _of_broken(service, game_id)
    shown = (dispute for dispute in found if also_answered or dispute.answer is None)
    return sorted(shown, key=lambda dispute: dispute.opened_at)


def of_game(service: Service, game_id: GameId) -> list[Dispute]:
    """List the disputes of a game, oldest first. Raises: UnknownStreamError, LogError."""
    with service.store.reading() as uow:
        recorded = [codec.decode(event) for event in uow.events.read(game_id)]
        game = games.load(uow, game_id)
        names = texts.shown_names(games.seat_names(uow, game.seats))
    return list(_disputes_in(game_id, recorded, names))


def _of_broken(service: Service, game_id: GameId) -> list[Dispute]:
    """List the disputes of a game from its public data."""
    with service.store.reading() as uow:
        events = uow.events.read_public(game_id)
        recorded = [codec.decode(event, redacted=True) for event in events]
        seated = [seat.player_id for seat in uow.projections.seats(game_id)]
        names = texts.shown_names(games.shown_names(uow, seated))
    return list(_disputes_in(game_id, recorded, names))


def find(service: Service, game_id: GameId, number: int) -> Dispute:
    """Return one dispute of a game. Raises: Refusal, UnknownStreamError, LogError."""
    known = of_game(service, game_id)
    for dispute in known:
        if dispute.number == number:
            return dispute
    raise Refusal("dispute", f"The game has no dispute {number}; it had {len(known)} so far.")


def open_for(service: Service, game_id: GameId, who: str, text: str) -> Game:
    """Open a dispute for a player who complained by other means. Raises: Refusal."""
    seat = replays.seat_of(service, game_id, who)
    return carry_out(
        service, game_id, lambda change: disputes.open_dispute(change.decision, seat, text)
    )


def resolve(service: Service, game_id: GameId, number: int, text: str) -> Game:
    """Resolve a dispute. Every player is notified. Raises: Refusal."""
    return carry_out(
        service, game_id, lambda change: disputes.resolve_dispute(change.decision, number, text)
    )


def _disputes_in(
    game_id: GameId, recorded: Iterable[Recorded], names: list[str]
) -> Iterator[Dispute]:
    found: dict[int, Dispute] = {}
    for item in recorded:
        event = item.event
        if isinstance(event, DisputeOpened):
            found[event.number] = Dispute(
                game_id,
                event.number,
                event.seat,
                names[event.seat],
                item.version,
                item.recorded_at,
                item.cause,
                event.text,
            )
        elif isinstance(event, DisputeResolved):
            found[event.number] = replace(
                found[event.number], answer=event.text, answered_at=item.recorded_at
            )
    yield from found.values()
