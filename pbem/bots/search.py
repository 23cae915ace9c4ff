"""Information-set Monte Carlo tree search for the best move, given a view.

It is single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012). Each iteration deals a world that is consistent with the seat's view. All worlds
share a tree, whose children are the moves that this seat can distinguish. Within the tree, the seat
to act makes the most promising legal move. Below it, all seats play by the heuristic to the end of
the deal, and the result is recorded on the path. `available` counts how often a child could have
been chosen. It replaces the visits of the parent in plain UCT.

If the replies of other seats matter little, a flat search is as good and cheaper: it tries every
move in the same worlds, and repeatedly drops the worse half (sequential halving).

A search ends after a number of iterations, never after a time: the same view and the same stream
give the same move on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from engine.api import AnyRuleset, OptionValue, Seat, Setup, Step
from pbem.bots.chance import Chance
from pbem.games.knowledge import Knowledge, Move, State, View, place_share

_TWO = 2
"""Number of seats of the smallest table."""


class _Node:
    __slots__ = ("available", "children", "mover", "total", "visits")

    def __init__(self, mover: Seat) -> None:
        self.mover = mover
        self.visits = 0
        self.available = 1
        self.total = 0.0
        self.children: dict[Hashable, _Node] = {}


class Search:
    """The search for a seat's best move in a position."""

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
        self.seat = Seat(view["seat"])
        self.chance = chance
        setup = Setup(players, chance.seed(), options)
        self.table = rules.state_from_json(setup, known.guess(view, setup, chance))
        """A state consistent with the view. Its hidden cards and later shuffles are random."""
        self.explore = known.explore[players > _TWO]
        self.patience = known.patience[players > _TWO]

    def best(self, moves: Sequence[Move], iterations: int) -> Move:
        """Return the best of these moves. There must be at least one."""
        by_key = {self.known.key(move): move for move in moves}
        if self.known.is_flat[self.players > _TWO]:
            return self._best_of_all([*by_key.values()], iterations)
        root = _Node(self.seat)
        for _ in range(iterations):
            world = self.known.redeal(self.table, self.seat, self.chance)
            self._iterate(root, world, by_key)
        return by_key[max(root.children, key=lambda key: root.children[key].visits)]

    def _best_of_all(self, moves: Sequence[Move], iterations: int) -> Move:
        """Compare all moves in the same worlds, dropping the worse half until one move is left.

        The effect of the deal is then the same for all of them. The heuristic's move is kept to the
        end, and is replaced only by a move that is significantly better.
        """
        rounds = math.ceil(math.log2(len(moves))) or 1
        key = self.known.key
        usual = key(self.known.rule(self.table, self.seat))
        first = next((index for index, move in enumerate(moves) if key(move) == usual), 0)
        left: dict[int, list[float]] = {index: [] for index in range(len(moves))}
        for _ in range(rounds):
            for _ in range(max(1, iterations // (rounds * len(left)))):
                world = self.known.redeal(self.table, self.seat, self.chance)
                for each, results in left.items():
                    results.append(self._play_out(world, moves[each]))
            better = sorted(left, key=lambda each: -sum(left[each]))[: (len(left) + 1) // 2]
            left = {each: left[each] for each in dict.fromkeys([*better, first])}
        best = next(iter(left))
        return moves[best if _is_better(left[best], left[first], self.known.doubt) else first]

    def _play_out(self, state: State, move: Move) -> float:
        """Make a move, play to the end of the deal, and return the seat's discounted result."""
        rules, known = self.rules, self.known
        seat, plies, has_ended = self.seat, 0, False
        while True:
            step = rules.apply(state, seat, move)
            state = step.state
            plies += 1
            to_act = rules.to_act(state)
            has_ended = step.has_shuffled and self._has_ended(step)
            if not to_act or has_ended or plies >= known.horizon:
                break
            if seat == self.seat and known.is_settled(state, seat):
                break
            seat = to_act[0]
            move = self._rollout(state, seat)
        return self._worth(state, has_ended=has_ended)[self.seat] * self.patience**plies

    def _iterate(self, root: _Node, state: State, legal: dict[Hashable, Move]) -> None:
        """Run an iteration: extend the tree in a world, play it out, and record the result."""
        rules, known, chance = self.rules, self.known, self.chance
        node, seat, plies = root, self.seat, 0
        path = []
        move = None
        is_new = has_ended = False
        while True:
            if is_new:
                move = self._rollout(state, seat)
            elif legal:
                key, is_new = _chosen(node, seat, legal, self.explore, chance)
                node = node.children[key]
                path.append(node)
                move = legal[key]
            step = rules.apply(state, seat, move)
            state = step.state
            plies += 1
            to_act = rules.to_act(state)
            if not to_act:
                break
            has_ended = step.has_shuffled and self._has_ended(step)
            if has_ended or plies >= known.horizon:
                break
            seat = to_act[0]
            if is_new:
                continue
            # A secret choice of another seat makes no node, because no seat can react to it
            # (GEN-6).
            if rules.is_choosing(state):
                legal, move = {}, known.rule(state, seat)
                continue
            moves = list(rules.legal_moves(state, seat))
            move = moves[0]
            legal = {known.key(each): each for each in moves} if len(moves) > 1 else {}
        worth = self._worth(state, has_ended=has_ended)
        left = self.patience**plies
        for each in path:
            each.visits += 1
            each.total += worth[each.mover] * left

    def _rollout(self, state: State, seat: Seat) -> Move:
        """Return the heuristic's move, or sometimes a random move of the kind listed first."""
        known, chance = self.known, self.chance
        if known.caution and (known.caution == 1 or chance.number() < known.caution):
            return known.rollout(state, seat)
        moves = list(self.rules.legal_moves(state, seat))
        kind = type(moves[0])
        return chance.pick([move for move in moves if type(move) is kind])

    def _has_ended(self, step: Step[Any]) -> bool:
        """True if a deal or a battle has ended. The next one begins with a shuffle."""
        return any(fact.kind in self.known.ends for fact in step.facts)

    def _worth(self, state: State, *, has_ended: bool) -> Sequence[float]:
        """Return each seat's result, from 0 (last) to 1 (first)."""
        outcome = self.rules.outcome(state)
        if outcome is None:
            return self.known.worth(state, has_ended=has_ended)
        return [place_share(outcome, seat) for seat in range(self.players)]


def _is_better(results: Sequence[float], usual: Sequence[float], doubt: float) -> bool:
    """True if the mean gain in the same worlds exceeds `doubt` standard errors."""
    gains = [result - other for result, other in zip(results, usual, strict=True)]
    mean = sum(gains) / len(gains)
    spread = math.sqrt(sum([(gain - mean) ** 2 for gain in gains])) / len(gains)
    return mean > doubt * spread


def _chosen(
    node: _Node, seat: Seat, legal: dict[Hashable, Move], explore: float, chance: Chance
) -> tuple[Hashable, bool]:
    """Choose a child by its upper confidence bound, and return its key and whether it is new.

    Moves without a child are tried first.
    """
    children = node.children
    new = []
    best, best_share = None, -1.0
    for key in legal:
        child = children.get(key)
        if child is None:
            new.append(key)
            continue
        child.available += 1
        if not new:
            visits = child.visits
            bound = child.total / visits + explore * math.sqrt(math.log(child.available) / visits)
            if bound > best_share:
                best, best_share = key, bound
    if not new:
        return best, False
    key = chance.pick(new)
    children[key] = _Node(seat)
    return key, True
