"""Create games for tests of the domain from events and commands, without a database."""

from __future__ import annotations

import random  # noqa: TID251  (which moves a test makes, never what the game deals)
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from engine import registry
from engine.api import Seat
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Event, Recorded
from pbem.domain.play import decide
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GAME_ID = GameId("k7q2m3x9ab")
PLAYERS = ("anna", "bob", "carol", "dora", "emil")
SECRET = b"\x07" * 32


class Story:
    """A game as a list of recorded events. Every command appends its events."""

    def __init__(self) -> None:
        self.recorded: list[Recorded] = []
        self.now = NOW
        self.game_or_none: Game | None = None

    @property
    def game(self) -> Game:
        assert self.game_or_none is not None
        return self.game_or_none

    @property
    def events(self) -> list[Event]:
        return [item.event for item in self.recorded]

    @property
    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def do(
        self, command: Callable[..., Any], *args: Any, actor: str = "seat:0", **named: Any
    ) -> Any:
        """Run a command, record its events, and check that their fold equals the decided game."""
        decision = Decision(GAME_ID, self.now, actor, None, self.game_or_none, recorded_at=self.now)
        result = command(decision, *args, **named)
        new = [
            Recorded(number, self.now, decided.actor, decided.cause, "", decided.event)
            for number, decided in enumerate(decision.events, len(self.recorded) + 1)
        ]
        if new:
            assert fold(new, GAME_ID, self.game_or_none) == decision.game
        self.recorded.extend(new)
        self.game_or_none = decision.game
        return result

    def play(self, seat: int, text: str, source: str = "mail") -> str:
        move: str = self.do(_play, seat, text, source, actor=f"seat:{seat}")
        return move

    def later(self, **amount: float) -> None:
        self.now += timedelta(**amount)


def _play(decision: Decision, seat: int, text: str, source: str) -> str:
    before = None if decision.game is None else decision.game.position
    move = decide.play(decision, seat, text, source=source)
    if decision.game is not None and decision.game.position != before:
        decide.settle(decision)  # a secret choice alone changes no position (GEN-6)
    return move


def created(
    players: int = 2,
    *,
    operators: Sequence[int] = (),
    secret: bytes = SECRET,
    options: dict[str, Any] | None = None,
    ruleset: str = "phyliss",
    timing: Timing | None = None,
) -> Story:
    story = Story()
    story.do(
        decide.create_game,
        ruleset=ruleset,
        players=PLAYERS[:players],
        options=options or {},
        operator_seats=operators,
        timing=timing or Timing(3 * 86400),
        server_secret=secret,
        actor="admin:local",
    )
    return story


def join(decision: Decision, seat: int, phrase: str | None = None) -> None:
    """Let a seat join as by a message, and settle the game if it has started."""
    decide.join(decision, seat, phrase)
    if decision.game is not None and decision.game.status == "running":
        decide.settle(decision)


def started(players: int = 2, **named: Any) -> Story:
    story = created(players, **named)
    for seat in range(players):
        story.do(join, seat, actor=f"seat:{seat}")
    return story


def legal_orders(game: Game, seat: int) -> list[str]:
    moves = game.ruleset.legal_moves(game.state, Seat(seat))
    return [game.ruleset.format_move(game.state, Seat(seat), move) for move in moves]


def played(seed: int, players: int = 3, plies: int = 10_000, ruleset: str = "phyliss") -> Story:
    """Play a random game that depends only on the arguments.

    The number of players is adjusted to the rules.
    """
    chance = random.Random(seed)  # noqa: S311
    story = started(
        max(players, registry.find(ruleset).players[0]),
        secret=bytes([seed % 256]) * 32,
        ruleset=ruleset,
    )
    for _ in range(plies):
        if story.game.is_over:
            break
        seat = int(chance.choice(story.game.to_act))
        orders = legal_orders(story.game, seat)
        plays = [order for order in orders if order != "pickup"]
        story.play(seat, chance.choice(plays or orders))
    return story
