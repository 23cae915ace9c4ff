"""Play one game of a cell and check every promise of the engine in it.

Only the public interface and JSON are used, so this works for any ruleset.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random  # noqa: TID251  (who plays what, not what is dealt)

from engine import registry
from engine.api import AnyRuleset, Seat, Setup, Source
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.cathedral import hidden as cathedral
from tests.engine.chance import chance
from tests.engine.phalanx import hidden as phalanx
from tests.engine.phase10 import hidden as phase10
from tests.engine.phyliss import hidden as phyliss
from trials.soak.cells import Cell

EXCHANGED: dict[str, Callable[[object, int | None, Random], object]] = {
    "phyliss": lambda state, viewer, luck: phyliss.exchanged(state, viewer, luck.shuffle),
    "cathedral": lambda state, viewer, luck: cathedral.exchanged(state, viewer, luck.shuffle),
    "phalanx": phalanx.exchanged,
    "phase10": lambda state, viewer, luck: phase10.exchanged(state, viewer, luck.shuffle),
    "phase10-family": lambda state, viewer, luck: phase10.exchanged(state, viewer, luck.shuffle),
}
"""Ruleset to a function that redeals all cards unknown to a viewer."""

MAX_PLIES = 60_000
"""Maximum plies of a game. Every game ends, because some of its seats play carefully."""
PLACES_OF_A_SEAT = ("hand", "up", "blind", "reserve", "aside")
PLACES_OF_THE_TABLE = ("stock", "pile", "gone", "spoils")


@dataclass(frozen=True, slots=True)
class Told:
    """Statistics of a game."""

    reason: str
    plies: int
    looked: int
    """Number of positions that were checked closely."""


def cards_in(data: dict) -> Counter[str]:
    """Count every card of a `state_json`."""
    counts: Counter[str] = Counter()
    for own in data["seats"]:
        for location in PLACES_OF_A_SEAT:
            counts.update(own.get(location, ()))
    for location in PLACES_OF_THE_TABLE:
        counts.update(data.get(location, ()))
    for zone in data.get("zones", {}).values():
        counts.update(lying["card"] for lying in zone)
    for groups in data.get("groups", ()):
        for group in groups:
            counts.update(group["cards"])
    return counts


class Trial:
    """One game. `play` raises AssertionError for a broken promise, naming the game's number."""

    def __init__(self, cell: Cell, number: int) -> None:
        self.luck = chance(f"{cell} {number}")
        self.rules: AnyRuleset = registry.find(cell.ruleset)
        self.cell = cell
        options = self.rules.check_options(cell.players, dict(cell.options))
        self.setup = Setup(cell.players, self.luck.randbytes(32), options)
        step = self.rules.start(self.setup)
        self.state = step.state
        self.pack = cards_in(self.rules.state_json(self.state))
        self.shuffles = [shuffle.number for shuffle in step.shuffles]
        self.entries: list[MoveEntry | ResignEntry] = []
        self.staying = list(range(cell.players))
        self.careless = [self.luck.random() < 0.5 for _ in self.staying]
        self.careless[self.luck.randrange(cell.players)] = False
        self.quitting = self.luck.choice([0, 0, 0, 0.005])
        self.sleepy = self.luck.random() < 0.1
        self.looked = 0

    def play(self) -> Told:
        """Play the game to its end and return its statistics."""
        rules, luck = self.rules, self.luck
        while to_act := rules.to_act(self.state):
            assert len(self.entries) < MAX_PLIES, "this game does not end"
            assert list(to_act) == sorted(set(to_act))
            if luck.random() < self.quitting and len(self.staying) > 1:
                self.resign(luck.choice(self.staying))
                continue
            self.ply(luck.choice(to_act))
        return self.finish()

    def resign(self, seat: int) -> None:
        self.staying.remove(seat)
        self.entries.append(ResignEntry(Seat(seat)))
        self.follow(self.rules.resign(self.state, Seat(seat)))

    def ply(self, seat: Seat) -> None:
        rules, luck, state = self.rules, self.luck, self.state
        moves = list(rules.legal_moves(state, seat))
        assert moves, "a dead end"
        assert len(set(moves)) == len(moves), "a move is listed twice"
        if luck.random() < 0.01:
            self.look_closely(seat, moves)
        forced = rules.forced_move(state)
        if forced is not None:
            assert moves == [forced[1]], "a forced move that is not the only one"
            seat, move, source = *forced, Source.FORCED
        elif self.sleepy and len(self.entries) > 40:
            move, source = rules.standby_move(state, seat), Source.STANDBY
        elif self.careless[seat] or luck.random() < 0.1:
            move, source = luck.choice(moves), Source.CHOSEN
        else:
            move, source = rules.standby_move(state, seat), Source.CHOSEN
        self.entries.append(MoveEntry(seat, rules.format_move(state, seat, move), source))
        was_choosing, ply = rules.is_choosing(state), rules.ply(state)
        self.follow(rules.apply(state, seat, move, source))
        assert was_choosing or rules.ply(self.state) == ply + 1, "a ply counts one"

    def follow(self, step) -> None:
        self.state = step.state
        self.shuffles += [shuffle.number for shuffle in step.shuffles]

    def look_closely(self, seat: Seat, moves: list) -> None:
        """Check the properties of a position that are slow to check."""
        rules, state = self.rules, self.state
        self.looked += 1
        data = json.loads(json.dumps(rules.state_json(state)))
        assert cards_in(data) == self.pack, "a card is lost or doubled"
        assert rules.state_from_json(self.setup, data) == state
        standby = rules.standby_move(state, seat)
        assert standby in moves or not rules.is_list_complete(state, seat)
        for move in moves:
            text = rules.format_move(state, seat, move)
            assert rules.reads_as_order(text), text
            assert rules.parse_order(state, seat, text) == move, text
            rules.apply(state, seat, move)
        for viewer in (None, *range(self.cell.players)):
            other = EXCHANGED[self.cell.ruleset](state, viewer, self.luck)
            assert rules.view(other, viewer) == rules.view(state, viewer), "a view leaks"

    def finish(self) -> Told:
        rules = self.rules
        outcome = rules.outcome(self.state)
        assert outcome is not None
        places = sorted(seat for group in outcome.ranking for seat in group)
        assert places == list(range(self.cell.players))
        assert outcome.reason in ("finished", "stopped", "last-seat")
        assert self.shuffles == list(range(len(self.shuffles)))
        assert cards_in(rules.state_json(self.state)) == self.pack
        again = final_state(GameLog(rules, self.setup, tuple(self.entries)))
        assert state_digest(rules, again) == state_digest(rules, self.state)
        return Told(outcome.reason, rules.ply(self.state), self.looked)
