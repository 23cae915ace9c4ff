"""The best move in tables that fit a view: information-set Monte Carlo search.

A table is made up (`Knowledge.guess`). Every move still in the running is tried on it and played
out with the same dice, so that luck affects all moves alike. After each of a few rounds the worse
half of the moves drops out (sequential halving); the remaining moves have the most tries. The moves
of a seat depend only on what it sees, so the list is the same at every table.

A search ends when its plies are used up, never by a clock: the same view and the same stream give
the same move on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.api import AnyRuleset, OptionValue, Seat, Setup, Step
from pbem.bots.chance import Chance
from pbem.games.knowledge import Knowledge, View, place_share

LEAST_TABLES = 2
"""Tables of each round, whatever they cost."""

# Other costs of time, in plies.
_TABLE_COST = 15
_PLAYOUT_COST = 6


class Search:
    """One decision of one seat."""

    def __init__(
        self,
        rules: AnyRuleset,
        known: Knowledge,
        players: int,
        options: dict[str, OptionValue],
        view: View,
        chance: Chance,
    ) -> None:
        self.rules = rules
        self.known = known
        self.players = players
        self.options = options
        self.view = view
        self.seat = Seat(view["seat"])
        self.chance = chance
        self.dice = Chance()
        self.cost = 0
        """Plies played out so far, and what else took time."""

    def table(self) -> Any:  # noqa: ANN401  (a state, which is the ruleset's own affair)
        """Make up a state that agrees with the view; its later shuffles are also made up."""
        setup = Setup(self.players, self.chance.seed(), self.options)
        return self.rules.state_from_json(setup, self.known.guess(self.view, setup, self.chance))

    def best(self, moves: Sequence[Any], cautious: int, budget: int) -> int:
        """Return the place of the best move.

        Args:
            moves: the moves to try, at least one.
            cautious: place of the standby move, -1 if it is not among them. It is
                preferred to a move that is not clearly better; less so, the more tables were tried.
            budget: the plies to play out.
        """
        running = list(range(len(moves)))
        worth = [0.0] * len(moves)
        rounds = max(1, (len(moves) - 1).bit_length())
        tables = 0
        for number in range(1, rounds + 1):
            least = tables + LEAST_TABLES
            while tables < least or self.cost * rounds < budget * number:
                table = self.table()
                self.cost += _TABLE_COST + _PLAYOUT_COST * len(running)
                luck = self.chance.bits(64)
                for at in running:
                    self.dice.restart(luck)
                    worth[at] += self.play_out(table, moves[at])
                tables += 1
            # All moves still running have equally many tries; of equals, the first stays ahead.
            bonus = self.known.trust * math.sqrt(tables)
            running.sort(key=lambda at: (-worth[at] - (bonus if at == cautious else 0.0), at))
            del running[(len(running) + 1) // 2 :]
        return running[0]

    def play_out(self, state: Any, move: Any) -> float:  # noqa: ANN401  (see `table`)
        """Make a move, let all seats play carelessly for a while, and return the outcome."""
        rules, known, dice = self.rules, self.known, self.dice
        seat = self.seat
        has_ended = False
        for _ in range(known.horizon):
            step = rules.apply(state, seat, move)
            self.cost += 1
            state = step.state
            to_act = rules.to_act(state)
            if not to_act:
                break
            has_ended = self.has_ended(step)
            if has_ended:
                break
            seat = to_act[0]
            move = rules.standby_move(state, seat)
            if dice.number() >= known.caution:
                kind = type(move)
                likes = [like for like in rules.legal_moves(state, seat) if type(like) is kind]
                move = dice.pick(likes) if likes else move
        outcome = rules.outcome(state)
        if outcome is not None:
            return place_share(outcome, self.seat)
        return known.worth(rules.state_json(state), self.seat, self.options, has_ended)

    def has_ended(self, step: Step[Any]) -> bool:
        """True if a playout of an unfinished game stops after this."""
        ends, own_ends = self.known.ends, self.known.own_ends
        if not own_ends and not step.has_shuffled:
            # The next deal or battle begins with a shuffle; without one the facts stay unwritten.
            return False
        for fact in step.facts:
            if fact.kind in ends or (fact.kind in own_ends and fact.seat == self.seat):
                return True
        return False
