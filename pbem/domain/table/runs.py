"""Runs of plies and deadlines, folded in place: they are most of every log.

`fold.evolve` makes a game for each event. As long as nothing but ordinary plies and deadlines follow each other, only
what they touch is kept here, and one game is made in the end. Anything else ends the run, and so does an event that
cannot follow: then `evolve` folds it, or says why not. Tests hold both ways equal after every event.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from engine.api import Fact, Seat, Step
from engine.errors import EngineError
from engine.replay import state_digest
from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.log.events import Event, MovePlayed, Recorded
from pbem.domain.table.card_folds import OWN, SERVED, carried_out
from pbem.domain.table.clock_folds import opened
from pbem.domain.table.game import (
    Game,
    News,
    SeatState,
    news_with,
    replace,
    seen_by_all,
)
from pbem.domain.terms.seats import is_bot


def run(
    game: Game,
    recorded: Sequence[Recorded],
    at: int,
    compared: Container[int] | None,
    stops: Container[int],
) -> tuple[Game, int]:
    """Fold the ordinary events from one on.

    Args:
        at: place of the first event.
        compared: versions of the events whose digests are compared; None = of all.
        stops: versions after which the run ends.

    Returns:
        The game, and the place of the first event that was not folded.
    """
    if type(recorded[at].event) not in _ORDINARY or not _is_plain(game):
        return game, at
    going = _Run(game)
    for version, _, _, _, head, event in recorded[at:]:
        if version != going.version + 1 or not going.takes(event, version, compared):
            break
        going.version, going.head = version, head
        at += 1
        if going.is_choosing or version in stops:
            break
    return going.game(), at


_ORDINARY = frozenset({MovePlayed, DeadlineSet})


def _is_plain(game: Game) -> bool:
    """True if plies end no motion, use up no order and count towards nothing."""
    if game.status != "running" or game.motions or game.offers or game.is_choosing:
        return False
    return not any(seat.standing.wanted or seat.excused for seat in game.seats)


class _Run:
    """A game in the making: what its plies and deadlines change."""

    def __init__(self, game: Game) -> None:
        self._before = game
        self._rules = game.ruleset
        self._state = game.state
        self._to_act = game.to_act
        self._decisions = [seat.decision for seat in game.seats]
        self._own: dict[int, int] = {}
        """By seat, the version of its last own ply in this run."""
        self._told: list[tuple[int, Fact | None, Step[Any]]] = []
        """Of each ply: its version, what the service did, and what happened, which is written when it is read."""
        self._position = game.position
        self._deadline: tuple[DeadlineSet, int] | None = None
        self.version, self.head = game.version, game.head
        self.is_choosing = False

    def takes(self, event: Event, version: int, compared: Container[int] | None) -> bool:
        """Fold an event; False if it is not ordinary, or cannot follow."""
        if isinstance(event, DeadlineSet):
            if event.seats != self._to_act:
                return False
            self._deadline = (event, version)
            return True
        if not isinstance(event, MovePlayed) or not 0 <= event.seat < len(self._decisions):
            return False
        is_ordinary = event.source in OWN or event.source in SERVED
        if not is_ordinary and not self._is_bot(event):
            return False
        is_compared = compared is None or version in compared
        try:
            return self._moves(event, version, is_compared)
        except (EngineError, IndexError, ValueError):
            return False

    def _is_bot(self, event: MovePlayed) -> bool:
        return event.source == "bot" and is_bot(self._before.seats[event.seat].player)

    def _moves(self, event: MovePlayed, version: int, is_compared: bool) -> bool:
        rules = self._rules
        step = carried_out(rules, self._state, event.seat, event.move, event.source)
        state = step.state
        if event.ply != rules.ply(state):
            return False
        if is_compared and event.digest != state_digest(rules, state):
            return False
        self.is_choosing = rules.is_choosing(state)
        self._to_act = to_act = tuple(rules.to_act(state))
        since = self._decisions[event.seat]
        is_dealt = step.has_shuffled and "dealt" in [fact.kind for fact in step.facts]
        if since is None or is_dealt:
            since = version
        decisions: list[int | None] = [None] * len(self._decisions)
        for seat in to_act:
            decisions[seat] = since if seat == event.seat else version
        self._decisions = decisions
        told = None
        if event.source in OWN:
            self._own[event.seat] = version
        elif event.source in SERVED:
            told = Fact(SERVED[event.source], Seat(event.seat), {"move": event.move})
        self._told.append((version, told, step))
        self._state, self._position = state, version
        return True

    def game(self) -> Game:
        """Return the game after the events that were taken."""
        before = self._before
        changes: dict[str, Any] = {"version": self.version, "head": self.head}
        if self._position != before.position:
            seats = tuple(self._seats(before.seats))
            changes |= {"state": self._state, "position": self._position, "seats": seats}
            *earlier, (last, told, step) = self._told
            seen = seen_by_all(seats)
            older = [
                News(at, fact) for at, by, what in earlier if at > seen for fact in _facts(by, what)
            ]
            with_older = replace(before, seats=seats, news=(*before.news, *older))
            changes["news"] = news_with(with_older, last, _facts(told, step))
        if self._deadline is not None:
            changes |= {"deadline": opened(*self._deadline), "compensated": None, "asked": ()}
        return replace(before, **changes)

    def _seats(self, seats: Sequence[SeatState]) -> Iterable[SeatState]:
        for number, (seat, decision) in enumerate(zip(seats, self._decisions, strict=True)):
            if number in self._own:
                yield replace(seat, decision=decision, seen=self._own[number], misses=0)
            else:
                yield seat if decision == seat.decision else replace(seat, decision=decision)


def _facts(told: Fact | None, step: Step[Any]) -> tuple[Fact, ...]:
    return step.facts if told is None else (told, *step.facts)
