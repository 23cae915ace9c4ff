"""Play random games and replay logs through the public interface of a ruleset."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from random import Random

from engine import registry
from engine.api import AnyRuleset, Setup
from engine.replay import Entry, GameLog, MoveEntry, replay

CHECK_EVERY = 1_000
"""Steps in a batch, which takes much less time than a round, and much more than reading the clock."""


def setup_of(ruleset: AnyRuleset, players: int, given: Mapping[str, object], number: int) -> Setup:
    """Return the setup of a game whose seed is its number."""
    options = ruleset.check_options(players, dict(given))  # type: ignore[arg-type]
    return Setup(players, number.to_bytes(32, "big"), options)


class RandomGames:
    """An endless sequence of random games. Each call plays some steps and counts them.

    In each step all legal moves are listed, one is picked, and `apply` checks and makes it.
    """

    def __init__(self, name: str, players: int, given: Mapping[str, object] | None = None) -> None:
        self._ruleset = registry.find(name)
        self._players = players
        self._given = given or {}
        self._luck = Random(1)  # noqa: S311
        self._games = 0
        self._state = self._next_game()

    def _next_game(self) -> object:
        self._games += 1
        setup = setup_of(self._ruleset, self._players, self._given, self._games)
        return self._ruleset.start(setup).state

    def __call__(self) -> int:
        """Play a batch of steps and return their number."""
        ruleset, pick = self._ruleset, self._luck.random
        state = self._state
        for _ in range(CHECK_EVERY):
            to_act = ruleset.to_act(state)
            if not to_act:
                state = self._next_game()
                to_act = ruleset.to_act(state)
            seat = to_act[0]
            moves = list(ruleset.legal_moves(state, seat))
            state = ruleset.apply(state, seat, moves[int(pick() * len(moves))]).state
        self._state = state
        return CHECK_EVERY


def random_log(name: str, players: int, given: Mapping[str, object], length: int) -> GameLog:
    """Return the first `length` moves of the first random game that has at least that many."""
    ruleset = registry.find(name)
    luck = Random(2)  # noqa: S311
    for number in itertools.count(1):
        setup = setup_of(ruleset, players, given, number)
        state = ruleset.start(setup).state
        entries: list[Entry] = []
        while (to_act := ruleset.to_act(state)) and len(entries) < length:
            moves = list(ruleset.legal_moves(state, to_act[0]))
            move = moves[int(luck.random() * len(moves))]
            entries.append(MoveEntry(to_act[0], ruleset.format_move(state, to_act[0], move)))
            state = ruleset.apply(state, to_act[0], move).state
        if len(entries) == length:
            return GameLog(ruleset, setup, tuple(entries))
    raise AssertionError("itertools.count has no end")


class Replays:
    """Replay one log from its texts repeatedly. The unit is an entry of the log."""

    def __init__(self, log: GameLog) -> None:
        self._log = log

    def __call__(self) -> int:
        """Replay the log once and return the number of its entries."""
        log = self._log
        for _ in replay(log.ruleset, log.setup, log.entries):
            pass
        return len(log.entries)
