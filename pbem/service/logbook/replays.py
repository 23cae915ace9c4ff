"""Replay a game as an observer or as its seats. In a running game, the latter is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.domain.log.chain import GameId
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_out import texts
from pbem.mail_out.render import Renderer
from pbem.service.change import changing, retried
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.logbook import replaying
from pbem.service.logbook.replaying import ReplayStep
from pbem.store.db.uow import UnitOfWork


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay of a game between two positions.

    Attributes:
        game: the game as it is now.
        eyes: seats whose hidden cards may be shown.
        steps: the events from the first to the last position.
        renderer: provides the texts.
    """

    game: Game
    names: tuple[str, ...]
    eyes: tuple[int, ...]
    steps: tuple[ReplayStep, ...]
    renderer: Renderer

    def sentences(
        self, step: ReplayStep, eye: int | None, *, without: frozenset[str] = frozenset()
    ) -> list[str]:
        """Describe an event to one of the permitted seats (None: to an observer).

        Facts of the kinds in `without` are left out.
        """
        if eye is not None and eye not in self.eyes:
            raise ValueError("these eyes were not asked for")
        facts = tuple(fact for fact in step.facts_for(eye) if fact.kind not in without)
        content = replaying.content(step, self.names, eye, facts)
        return self.renderer.sentences(content) if facts else []

    def scores(self) -> list[str]:
        """Describe each seat's final score. The result may be empty."""
        return self.renderer.scores(replaying.content(self.steps[-1], self.names, None, ()))


def seat_of(service: Service, game_id: GameId, who: str) -> int:
    """Return the seat with this name or number (0 is the first). Raises: Refusal."""
    with service.store.reading() as uow:
        game = games.load(uow, game_id)
        names = texts.shown_names(games.seat_names(uow, game.seats))
    if who.isdecimal():
        return _checked_seat(int(who), len(names))
    seats = [seat for seat, name in enumerate(names) if name.casefold() == who.strip().casefold()]
    if len(seats) != 1:
        listed = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        raise Refusal("seat", f"Nobody there is called {who}. The game has the seats {listed}.")
    return seats[0]


def replay(
    service: Service,
    game_id: GameId,
    *,
    first: str | None = None,
    last: str | None = None,
    seats: Sequence[int] = (),
    reason: str | None = None,
) -> Replay:
    """Replay a game from its log.

    Args:
        first: position of the first event to show, such as `17` or `@41`, or None for the
            beginning.
        last: position of the last event to show, or None for the end.
        seats: seats whose hidden cards are shown, or empty for an observer. In a running game this
            is a reveal: it needs `reason`, is recorded, and every player is notified.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    with service.store.reading() as uow:
        game = games.load(uow, game_id)
        for seat in seats:
            _checked_seat(seat, len(game.seats))
        result = seen_by(service, uow, game, ())
    steps = result.steps
    end = len(steps) - 1 if last is None else replaying.find(steps, last, may_be_gone=True)
    begin = 0 if first is None else replaying.find(steps, first, may_be_gone=True)
    if begin > end:
        raise Refusal("place", "The first place comes after the last one.")
    result = replace(result, steps=steps[begin : end + 1])
    return replay_as_seats(service, result, seats, reason=reason)


def seen_by(service: Service, uow: UnitOfWork, game: Game, seats: Sequence[int]) -> Replay:
    """Replay a game as these seats, or as an observer without seats. Nothing is recorded.

    Raises: LogError.
    """
    names = tuple(texts.shown_names(games.seat_names(uow, game.seats)))
    steps = replaying.walk(uow, game.id, names)
    return _with_eyes(Replay(game, names, (), steps, service.renderer), seats)


def replay_as_seats(
    service: Service,
    replayed: Replay,
    seats: Sequence[int],
    *,
    reason: str | None = None,
) -> Replay:
    """Show the hidden cards of these seats. In a running game this is recorded as a reveal.

    Raises: Refusal.
    """
    game, last = replayed.game, replayed.steps[-1].version
    if seats and not game.is_over:
        record_reveal(service, game.id, seats, last, reason=reason)
    return _with_eyes(replayed, seats)


def _with_eyes(found: Replay, seats: Sequence[int]) -> Replay:
    looking = tuple(seats)
    return replace(
        found,
        eyes=tuple(range(len(found.names))) if found.game.is_over else looking,
        steps=tuple(replace(step, eyes=looking) for step in found.steps),
    )


def _checked_seat(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Refusal("seat", f"The game has seats 0 to {seats - 1}.")
    return seat


def record_reveal(
    service: Service,
    game_id: GameId,
    seats: Sequence[int],
    at_version: int,
    *,
    reason: str | None,
) -> None:
    """Record that an admin sees these seats' hidden cards. Every player is notified.

    Raises: Refusal, for example without a reason.
    """

    def look(uow: UnitOfWork) -> None:
        cause = service.new_cause()
        with changing(service, uow, game_id, actor=games.LOCAL_ADMIN, cause=cause) as change:
            decide.reveal(change.decision, seats, at_version, reason or "")

    retried(service, look)
