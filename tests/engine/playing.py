"""Play orders in positions of any game, for the tests of its rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import pytest

from engine.api import AnyRuleset, Seat, Source, Step
from engine.errors import IllegalMoveError


def orders_of(rules: AnyRuleset, state: Any, who: int | None = None) -> list[str]:
    """Return the orders of the legal moves of a seat, by default of the first seat to act."""
    seat = rules.to_act(state)[0] if who is None else Seat(who)
    return [rules.format_move(state, seat, move) for move in rules.legal_moves(state, seat)]


def standby_of(rules: AnyRuleset, state: Any, who: int | None = None) -> str:
    """Return the order of the standby move of a seat, by default of the first seat to act."""
    seat = rules.to_act(state)[0] if who is None else Seat(who)
    return rules.format_move(state, seat, rules.standby_move(state, seat))


@dataclass
class Position:
    """A position in which tests play orders, with the steps that followed.

    A game subclasses it and sets `rules`.
    """

    rules: ClassVar[Any]
    state: Any
    steps: list[Step[Any]] = field(default_factory=list)

    def play(self, *orders: str, source: Source = Source.CHOSEN) -> Self:
        """Play orders one after another, each by the first seat to act."""
        for order in orders:
            self.by(self.rules.to_act(self.state)[0], order, source)
        return self

    def by(self, who: int, order: str, source: Source = Source.CHOSEN) -> Self:
        """Play an order of a seat."""
        move = self.rules.parse_order(self.state, Seat(who), order)
        return self.take(self.rules.apply(self.state, Seat(who), move, source))

    def standby(self, times: int = 1) -> Self:
        """Play standby moves, each of the first seat to act."""
        for _ in range(times):
            self.play(standby_of(self.rules, self.state), source=Source.STANDBY)
        return self

    def resign(self, who: int) -> Self:
        return self.take(self.rules.resign(self.state, Seat(who)))

    def take(self, step: Step[Any]) -> Self:
        """Continue from a step."""
        self.steps.append(step)
        self.state = step.state
        return self

    def refusal(self, order: str, who: int | None = None) -> str:
        """Return the refusal of an order, and check that it begins with its rule."""
        seat = self.rules.to_act(self.state)[0] if who is None else who
        with pytest.raises(IllegalMoveError) as caught:
            self.by(seat, order)
        assert str(caught.value).startswith(f"{caught.value.rule}: ")
        return str(caught.value)

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the public facts of the last step."""
        return [fact.kind for fact in self.steps[-1].facts if fact.audience is None]

    def facts(self, kind: str) -> list[Any]:
        """Return the data of the public facts of this kind in the last step."""
        facts = self.steps[-1].facts
        return [fact.data for fact in facts if fact.kind == kind and fact.audience is None]

    def fact(self, kind: str) -> Any:
        """Return the data of the only public fact of this kind in the last step."""
        (data,) = self.facts(kind)
        return data

    @property
    def result(self) -> Any:
        return self.rules.outcome(self.state)
