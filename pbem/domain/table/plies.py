"""Effects of engine steps on a game: its state, decisions, news and punctuality.

`Steps` collects one or more steps and builds the resulting game. Folds of single events use it for
one step. `run` uses it for sequences of plies and deadlines, which make up most of a log, because
building the game once per sequence is faster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any

from engine.api import AnyRuleset, Fact, Seat, Source, Step
from engine.errors import EngineError
from engine.replay import DIGEST_VERSION, state_digest
from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.log.events import MovePlayed, Recorded
from pbem.domain.table import standing_fold
from pbem.domain.table.clock_folds import opened
from pbem.domain.table.game import (
    ENGINE_SOURCES,
    Game,
    News,
    OpenDeadline,
    SeatState,
    news_with,
    replace,
)
from pbem.domain.table.punctuality import answered
from pbem.domain.terms.seats import is_person
from pbem.errors import LogError
from pbem.games.profile import reason_of

OWN = ("mail", "admin")
"""Sources of plies and secret choices that the seat's player made at that moment."""
SERVED = {"standby": "timed_out", "forced": "forced"}
"""Sources of plies made by the service, with the name of the fact that reports them."""
_ANSWERS = ("mail", "standing")
"""Sources of plies that count as a player's answer to a deadline."""
_CHOSEN = Source.CHOSEN


def carried_out(rules: AnyRuleset, state: Any, seat: int, text: str, source: str) -> Step[Any]:  # noqa: ANN401
    """Make the ply of an event. Raises: EngineError if the rules do not allow it."""
    mover = Seat(seat)
    move = rules.parse_order(state, mover, text)
    return rules.apply(state, mover, move, ENGINE_SOURCES.get(source, _CHOSEN))


class Steps:
    """Accumulates the effects of engine steps and deadlines on a game."""

    def __init__(self, game: Game) -> None:
        self._before = game
        self._decisions = [seat.decision for seat in game.seats]
        self._own: dict[int, int] = {}
        """Version of the last own ply, by seat."""
        self._seen = [
            (n, seat.seen) for n, seat in enumerate(game.seats) if seat.status == "joined"
        ]
        """The seats of players, and the version up to which each had seen the news."""
        self._is_dealt = False
        self._news: deque[tuple[int, tuple[Fact, ...], Step[Any]]] = deque()
        """Version, facts of the service, and step of the engine, whose facts are built lazily.

        Steps that everyone has seen are dropped at once. Keeping all states of a long log would
        cost a tenth of its loading time in garbage collection.
        """
        self._position = game.position
        self._turns = {**game.turns}
        self._deadline: OpenDeadline | DeadlineSet | None = game.deadline
        self._set_at = 0 if game.deadline is None else game.deadline.version
        """Version of the DeadlineSet."""
        self.state = game.state
        self.to_act: tuple[Seat, ...] = ()

    def take(
        self,
        step: Step[Any],
        version: int,
        *,
        mover: int | None = None,
        told: tuple[Fact, ...] = (),
    ) -> None:
        """Apply a step: update the state, the news, and the open decision of each seat.

        A seat's own plies and resignations do not invalidate its reply token.

        Args:
            mover: the seat that made a ply, or None for the deal and for a resignation.
            told: news to insert before the facts of the step.
        """
        state = step.state
        to_act = tuple(self._before.ruleset.to_act(state))
        is_dealt = step.has_shuffled and "dealt" in [fact.kind for fact in step.facts]
        decisions: list[int | None] = [None] * len(self._decisions)
        for seat in to_act:
            since = self._decisions[seat]
            is_kept = since is not None and not is_dealt and mover in (None, seat)
            decisions[seat] = since if is_kept else version
        self._decisions = decisions
        self._is_dealt |= is_dealt
        seen_by_all = min([self._own.get(number, seen) for number, seen in self._seen], default=0)
        while self._news and self._news[0][0] <= seen_by_all:
            self._news.popleft()
        self._news.append((version, told, step))
        self.state, self.to_act, self._position = state, to_act, version

    def play(self, event: MovePlayed, version: int, recorded_at: datetime) -> None:
        """Make a ply.

        Raises: EngineError if the rules do not allow it. LogError if its number is wrong.
        """
        seat, source, rules = event.seat, event.source, self._before.ruleset
        step = carried_out(rules, self.state, seat, event.move, source)
        if event.ply != rules.ply(step.state):
            raise LogError(f"event {version} counts its ply wrong", version=version)
        facts: tuple[Fact, ...] = ()
        if source in OWN:
            self._own[seat] = version
        elif source in SERVED:
            facts = (Fact(SERVED[source], Seat(seat), {"move": event.move}),)
        elif source == "bot":
            facts = self._bot_fact(event)
        deadline = self._deadline
        if deadline is not None and source in _ANSWERS and self._set_at > self._position:
            answered(self._before, self._turns, seat, deadline, self._set_at, recorded_at)
        self.take(step, version, mover=seat, told=facts)

    def set_deadline(self, event: DeadlineSet, version: int) -> None:
        """Replace the current deadline."""
        self._deadline, self._set_at = event, version

    def _bot_fact(self, event: MovePlayed) -> tuple[Fact, ...]:
        """Return the fact that tells a player about a bot's move for them, with the reason."""
        seat, rules = Seat(event.seat), self._before.ruleset
        if not is_person(self._before.seats[seat].player):
            return ()
        move = rules.parse_order(self.state, seat, event.move)
        why = reason_of(rules, self.state, seat, move)
        return (Fact("bot_moved", seat, {"move": event.move, "why": why}, seat),)

    def game(self, **changes: Any) -> Game:  # noqa: ANN401  (as `replace`)
        """Return the game after all collected steps and deadlines, with additional changes."""
        before = self._before
        if self._news:
            seats = tuple(map(self._seat, range(len(before.seats)), before.seats, self._decisions))
            *earlier, (last, told, step) = self._news
            older = [
                News(version, fact)
                for version, of_service, taken in earlier
                for fact in (*of_service, *taken.facts)
            ]
            with_older = replace(before, seats=seats, news=(*before.news, *older))
            changes |= {
                "state": self.state,
                "position": self._position,
                "seats": seats,
                "turns": self._turns,
                "news": news_with(with_older, last, told + step.facts),
            }
        if isinstance(self._deadline, DeadlineSet):
            changes |= {
                "deadline": opened(self._deadline, self._set_at),
                "compensated": None,
                "asked": (),
            }
        return replace(before, **changes)

    def _seat(self, number: int, seat: SeatState, decision: int | None) -> SeatState:
        changes: dict[str, Any] = {}
        if decision != seat.decision:
            changes["decision"] = decision
        if number in self._own:
            changes |= {"seen": self._own[number], "misses": 0}
        if self._is_dealt and seat.standing.wanted:
            changes["standing"] = standing_fold.voided(seat.standing)
        return replace(seat, **changes) if changes else seat


def compare(rules: AnyRuleset, state: Any, digest: str, version: int) -> None:  # noqa: ANN401
    """Compare a state with a recorded digest. Raises: LogError if they do not match."""
    if digest != state_digest(rules, state):
        raise LogError(
            f"event {version} leads to another state than was recorded"
            f" (digest version {DIGEST_VERSION})",
            version=version,
        )


def run(
    game: Game,
    recorded: Sequence[Recorded],
    begin: int,
    compared: Container[int] | None,
    stops: Container[int],
) -> tuple[Game, int]:
    """Fold consecutive plies and deadlines as long as they have no side effects.

    An invalid event also ends the sequence. `fold.evolve` then rejects it.

    Args:
        begin: index of the first event.
        compared: versions of the events whose digests are checked. None means all of them.
        stops: versions after which the sequence must end.

    Returns:
        The game, and the index of the first event that was not folded.

    Raises:
        LogError: a digest does not match.
    """
    if not _is_plain(game):
        return game, begin
    steps, rules, version, head = Steps(game), game.ruleset, game.version, game.head
    steps.to_act = game.to_act
    index, is_choosing = begin, False
    for number, recorded_at, _, _, its_hash, event in recorded[begin:]:
        if number != version + 1 or version in stops or is_choosing:
            break
        if isinstance(event, DeadlineSet):
            if event.seats != steps.to_act:
                break
            steps.set_deadline(event, number)
        elif isinstance(event, MovePlayed) and event.source != "standing":
            if not 0 <= event.seat < len(game.seats):
                break
            try:
                steps.play(event, number, recorded_at)
            except (EngineError, IndexError, LogError, ValueError):
                break
            if compared is None or number in compared:
                compare(rules, steps.state, event.digest, number)
            is_choosing = rules.is_choosing(steps.state)
        else:
            break
        version, head, index = number, its_hash, index + 1
    return (game, begin) if index == begin else (steps.game(version=version, head=head), index)


def _is_plain(game: Game) -> bool:
    """True if plies have no side effects on motions, standing orders or excused turns."""
    if game.status != "running" or game.motions or game.offers or game.is_choosing:
        return False
    return not any(seat.standing.wanted or seat.excused for seat in game.seats)
