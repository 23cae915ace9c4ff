"""Count the messages of a game of Phase 10, with and without a rule for drawing.

    python -m trials.soak.mails --games 300

The players are simple and sensible. They take a card if it completes their phase, can be hit or is a
wild. They lay down and hit whenever possible, and discard like the standby move. The games are the
same with and without the rule. Without it, a player who draws from the stock must see the card
before continuing, and so writes twice in that turn. Forced moves (GEN-11) need no message.
docs/standing-orders.md contains the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from engine import registry
from engine.api import OptionValue, Setup, Source
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import fitting, read_drawing

RULE = read_drawing(
    "take if it is a wild or it lays or it hits, else stock", TableVocabulary("phase10")
)
VARIANTS: tuple[tuple[str, str, dict[str, OptionValue]], ...] = (
    ("phase10", "all ten phases", {}),
    ("phase10", "phases_to_win=5", {"phases_to_win": 5}),
    ("phase10", "even_only", {"even_only": True}),
    ("phase10-family", "all ten phases", {}),
)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of turns of a game, and of messages by all its players."""

    turns: int = 0
    by_hand: int = 0
    with_rule: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.turns + other.turns,
            self.by_hand + other.by_hand,
            self.with_rule + other.with_rule,
        )


def count(name: str, players: int, options: Mapping[str, OptionValue], number: int) -> Count:
    """Play one game to its end. Each player needs one message to set the rule."""
    rules = registry.find(name)
    seed = hashlib.sha256(f"pbem-mails/{number}".encode()).digest()
    state = rules.start(Setup(players, seed, rules.check_options(players, options))).state
    turns, by_hand, with_rule = 0, 0, players
    last, has_written, has_ordered = None, False, False
    while to_act := rules.to_act(state):
        seat, ply = to_act[0], rules.ply(state)
        view = rules.view(state, seat)
        if (seat, view["has_drawn"]) != last and not view["has_drawn"]:
            turns, has_written, has_ordered = turns + 1, False, False
        last = (seat, view["has_drawn"])
        forced = rules.forced_move(state)
        if forced is not None:
            state = rules.apply(state, forced[0], forced[1], Source.FORCED).state
            continue
        if view["has_drawn"]:
            by_hand += not has_written
            with_rule += not has_ordered
            has_written = has_ordered = True
            move = rules.standby_move(state, seat)
        else:
            order = fitting(RULE, rules, state, seat).order
            by_hand += 1
            has_written = order == "take"  # the card was face up, so one message covers the turn
            move = rules.parse_order(state, seat, order or "draw")
        state = rules.apply(state, seat, move).state
        if rules.ply(state) == ply:
            raise AssertionError("the game stands still")
        if not rules.view(state, None)["has_drawn"]:
            last = None
    return Count(turns, by_hand, with_rule)


def mean(name: str, players: int, options: Mapping[str, OptionValue], games: int) -> Count:
    """Return the rounded averages over `games` games."""
    total = sum((count(name, players, options, number) for number in range(games)), Count())
    return Count(*(round(each / games) for each in (total.turns, total.by_hand, total.with_rule)))


def main() -> None:
    """Write the table of docs/standing-orders.md."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=300)
    games = parser.parse_args().games
    for name, words, options in VARIANTS:
        for players in range(2, 7):
            result = mean(name, players, options, games)
            less = 100 - round(100 * result.with_rule / result.by_hand)
            sys.stdout.write(
                f"| {name}, {words} | {players} | {result.turns} | {result.by_hand}"
                f" | {result.with_rule} | {less} % |\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
