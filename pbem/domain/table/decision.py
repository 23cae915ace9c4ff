"""A decision in progress: its events so far, and the resulting game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engine.api import JsonObject
from engine.sentences import sentence
from pbem.domain.log.chain import GameId, format_time
from pbem.domain.log.events import Event, Hidden, Recorded
from pbem.domain.table.fold import evolve
from pbem.domain.table.game import Game
from pbem.errors import Refusal

CLOCK, SYSTEM, HIDDEN = "clock", "system", "hidden"


@dataclass(slots=True)
class Decision:
    """The events decided so far, and the resulting game.

    The events are later appended to the log together.

    Attributes:
        now: time of the decision according to the clock.
        recorded_at: time recorded in the log. It is later than `now` if the clock was set back.
        zones: the players' IANA time zones by seat. Missing seats use UTC.
        auto_seats: seats whose players want forced moves to be played automatically.
        past: earlier games, by version, that a motion can restore.
        before: the game before the first event, or None for a new game.
    """

    game_id: GameId
    now: datetime
    actor: str
    cause: str | None
    game: Game | None = None
    zones: Mapping[int, str] = field(default_factory=dict)
    auto_seats: Collection[int] = ()
    events: list[Recorded] = field(default_factory=list)
    past: dict[int, Game] = field(default_factory=dict)
    recorded_at: datetime = field(kw_only=True)
    before: Game | None = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.game

    def emit(self, event: Event, *, actor: str | None = None) -> Game:
        """Add an event and return the resulting game."""
        actor, cause = actor or self.actor, self.cause
        if isinstance(event, Hidden):
            actor, cause = HIDDEN, None
        version = (0 if self.game is None else self.game.version) + 1
        recorded = Recorded(version, self.recorded_at, actor, cause, "", event)
        self.game = evolve(self.game, recorded, self.game_id, self.past)
        self.events.append(recorded)
        return self.game

    def emit_hidden(self, kind: str, payload: JsonObject, *, actor: str | None = None) -> Game:
        """Add a `Hidden` event and return the resulting game."""
        recorded_at = format_time(self.recorded_at)
        return self.emit(Hidden(kind, actor or self.actor, self.cause or "", recorded_at, payload))

    def existing(self) -> Game:
        """Return the current game. Raises: Refusal if it does not exist."""
        if self.game is None:
            raise Refusal("unknown-game", "There is no such game.")
        return self.game


NOT_BEGUN = sentence("The game has not begun: not everybody has joined yet.")


def running(game: Game) -> Game:
    """Return the game if it is running. Raises: Refusal."""
    if game.status == "inviting":
        raise Refusal("not-started", NOT_BEGUN)
    if game.is_over:
        raise Refusal("over", sentence("The game is over; no move can be made any more."))
    return game


def playing(game: Game, seat: int) -> Game:
    """Return the game if it is running and the seat has not left it. Raises: Refusal."""
    if running(game).seats[seat].status != "joined":
        raise Refusal("resigned", sentence("You have left this game already."), rule="GEN-7")
    return game
