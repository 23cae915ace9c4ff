"""What is being decided: events so far, and the game with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pbem.domain.events import Decided, Event, Hidden, Recorded
from pbem.domain.evolve import evolve
from pbem.domain.game import Game
from pbem.domain.log import GameId

CLOCK, SYSTEM, HIDDEN = "clock", "system", "hidden"


@dataclass(frozen=True, slots=True)
class Timing:
    """The clock of a game: seconds per move, reminders in percent, what happens on silence.

    `unreachable` says what it does for a seat that mails do not reach: `run` or `wait`.
    """

    time_per_move: int
    reminders: tuple[int, ...] = (50, 90)
    on_timeout: str = "standby"
    unreachable: str = "run"


@dataclass(slots=True)
class Decision:
    """Events decided so far, and the game with them; built step by step, then appended at once."""

    game_id: GameId
    now: datetime
    actor: str
    cause: str | None
    game: Game | None = None
    events: list[Decided] = field(default_factory=list)

    def emit(self, event: Event, *, actor: str | None = None) -> Game:
        """Add an event and give the game that follows from it."""
        actor, cause = actor or self.actor, self.cause
        if isinstance(event, Hidden):
            actor, cause = HIDDEN, None
        version = (0 if self.game is None else self.game.version) + 1
        recorded = Recorded(version, self.now, actor, cause, "", event)
        self.game = evolve(self.game, recorded, self.game_id)
        self.events.append(Decided(event, actor, cause))
        return self.game
