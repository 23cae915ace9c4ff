"""Games of bots against each other, for `pbem simulate`.

The engine plays the table like a game by email: forced moves follow at once (GEN-11), and every
seat is asked for secret choices (GEN-6). Each bot gets only the view of its seat. Game n of a seed
is always the same game, for all bots and on all machines.
"""

from __future__ import annotations

import hashlib
import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import process_time
from typing import Any

from engine import registry
from engine.api import AnyRuleset, JsonObject, OptionValue, RulesetId, Seat, Setup, Source, Step
from engine.errors import EngineError
from pbem.bots.bot_client import BotError, BotProcess, Question
from pbem.bots.chance import Chance
from pbem.bots.choosing import choose, find_level
from pbem.games.knowledge import State, place_share

HISTORY = 300
"""Maximum number of recent facts passed to external bots."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The games to play.

    Attributes:
        ruleset: name and version.
        options: complete, as `check_options` returns them.
        bots: names of levels or commands, for each seat of game 0. From game to game they move by a
            seat, so that each of them plays from every seat.
        seed: any text. The games of a seed are always the same.
        commands: command of each external bot, with its timeout in seconds per move.
    """

    ruleset: RulesetId
    options: Mapping[str, OptionValue]
    bots: tuple[str, ...]
    seed: str
    commands: Mapping[str, tuple[tuple[str, ...], float]] = field(default_factory=dict)

    def seated(self, number: int) -> tuple[str, ...]:
        """Return the names of the bots by seat in game `number`."""
        shift = number % len(self.bots)
        return self.bots[-shift:] + self.bots[:-shift] if shift else self.bots


@dataclass(frozen=True, slots=True)
class Thought:
    """Thinking time of a seat's decisions, in seconds of CPU time. Forced moves do not count."""

    count: int = 0
    total: float = 0.0
    longest: float = 0.0

    @property
    def mean(self) -> float:
        """Return the seconds per decision, or 0 without a decision."""
        return self.total / self.count if self.count else 0.0

    def __add__(self, other: Thought) -> Thought:
        return Thought(
            self.count + other.count,
            self.total + other.total,
            max(self.longest, other.longest),
        )


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game. Tuples are by seat.

    Attributes:
        bots: names of levels or commands.
        wins: share of the first place: 1 if alone, 1/2 each if two seats share it.
        shares: place as a number from 1 (first) to 0 (last). Tied seats get the mean of their
            places.
        plies: number of plies in the game.
        turns: number of times that the turn passed to another seat.
        reason: see `engine.api.Outcome`.
        thought: the thinking time of each seat. For external bots, the CPU time spent here.
        faults: number of each seat's illegal or missing answers, which were replaced by safe moves.
    """

    bots: tuple[str, ...]
    wins: tuple[float, ...]
    shares: tuple[float, ...]
    plies: int
    turns: int
    reason: str
    thought: tuple[Thought, ...]
    faults: tuple[int, ...] = ()


def play(pairing: Pairing, number: int) -> Played:
    """Play game `number` of a pairing to its end."""
    rules = registry.get(pairing.ruleset)
    bots = pairing.seated(number)
    seed = hashlib.sha256(f"pbem-simulate/{pairing.seed}/{number}".encode()).digest()
    setup = Setup(len(bots), seed, pairing.options)
    table = _Table(pairing, rules, number)
    thought = [Thought() for _ in bots]
    faults = [0] * len(bots)
    step = rules.start(setup)
    state = step.state
    turns, last = 0, None
    while to_act := rules.to_act(state):
        table.tell(step)
        forced = rules.forced_move(state)
        if forced is not None:
            seat, move = forced
            source = Source.FORCED
        else:
            seat = to_act[0]
            began = process_time()
            try:
                move = rules.parse_order(state, seat, table.order(state, seat, bots[seat]))
            except (BotError, EngineError):
                if bots[seat] not in pairing.commands:
                    raise
                faults[seat] += 1
                move = rules.standby_move(state, seat)
            took = process_time() - began
            thought[seat] += Thought(1, took, took)
            source = Source.CHOSEN
        turns += seat != last
        last = seat
        step = rules.apply(state, seat, move, source)
        state = step.state
    outcome = rules.outcome(state)
    assert outcome is not None  # noqa: S101  (the game has ended, because no seat must act)
    first = outcome.ranking[0]
    seats = range(len(bots))
    return Played(
        bots=bots,
        wins=tuple(1 / len(first) if seat in first else 0.0 for seat in seats),
        shares=tuple(place_share(outcome, seat) for seat in seats),
        plies=rules.ply(state),
        turns=turns,
        reason=outcome.reason,
        thought=tuple(thought),
        faults=tuple(faults),
    )


class _Table:
    """Asks the bots of a game for moves."""

    def __init__(self, pairing: Pairing, rules: AnyRuleset, number: int) -> None:
        self.pairing = pairing
        self.rules = rules
        self.number = number
        self.asked = 0
        self.history: deque[JsonObject] = deque(maxlen=HISTORY)

    def tell(self, step: Step[Any]) -> None:
        """Record the public facts of a step if an external bot takes part."""
        if self.pairing.commands:
            self.history += [
                {"kind": fact.kind, "seat": fact.seat, "data": fact.data}
                for fact in step.facts
                if fact.audience is None
            ]

    def order(self, state: State, seat: Seat, bot: str) -> str:
        """Return the order of a bot. Raises: BotError for external bots."""
        pairing, rules = self.pairing, self.rules
        self.asked += 1
        view = rules.view(state, seat)
        words = (pairing.seed, self.number, self.asked, seat)
        if bot not in pairing.commands:
            return choose(
                rules.id, len(pairing.bots), pairing.options, view, find_level(bot), Chance(*words)
            )
        legal = [rules.format_move(state, seat, move) for move in rules.legal_moves(state, seat)]
        question = Question(
            rules.id,
            len(pairing.bots),
            pairing.options,
            view,
            legal,
            bot,
            "/".join(map(str, words)),
            f"{pairing.seed}/{self.number}",
            [*self.history],
        )
        return _process(*pairing.commands[bot], seat).order(question)


@cache
def _process(command: tuple[str, ...], seconds: float, _seat: Seat) -> BotProcess:
    """Return the process for a seat, which this worker uses in all its games."""
    return BotProcess(command, seconds)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def estimate(values: Sequence[float]) -> Estimate:
    """Estimate the mean of values between 0 and 1, one per game, with Wilson's score interval.

    With shared places the values vary less than wins and losses, so the interval is never too
    narrow.
    """
    z = 1.959964
    count = len(values)
    mean = sum(values) / count
    spread = z * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    middle = mean + z * z / (2 * count)
    denominator = 1 + z * z / count
    return Estimate(
        mean, max(0.0, (middle - spread) / denominator), min(1.0, (middle + spread) / denominator)
    )


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """The results of a bot.

    Attributes:
        bot: name of the level or command.
        seats: the number of its seats in each game.
        wins: the share of games that one of its seats won.
        even_wins: the value of `wins` if all bots played equally well.
        share: mean of its seats' `Played.shares`. It is 0.5 if all bots play equally well.
        thought: the thinking time of all its decisions.
        faults: number of its illegal or missing answers.
    """

    bot: str
    seats: int
    wins: Estimate
    even_wins: float
    share: Estimate
    thought: Thought
    faults: int = 0


def standings(games: Sequence[Played]) -> list[ArenaScore]:
    """Sum up the games of a pairing by bot, in the seat order of the first game."""
    result = []
    for bot in dict.fromkeys(games[0].bots):
        seats = games[0].bots.count(bot)
        wins, shares, thought, faults = [], [], Thought(), 0
        for game in games:
            own = [seat for seat, name in enumerate(game.bots) if name == bot]
            wins.append(sum(game.wins[seat] for seat in own))
            shares.append(sum(game.shares[seat] for seat in own) / seats)
            thought = sum((game.thought[seat] for seat in own), thought)
            faults += sum(game.faults[seat] for seat in own if game.faults)
        even = seats / len(games[0].bots)
        result.append(
            ArenaScore(bot, seats, estimate(wins), even, estimate(shares), thought, faults)
        )
    return result
