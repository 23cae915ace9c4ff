"""Check skips in random games by following the public facts alone."""

import pytest

from engine.api import Seat, Setup
from engine.phase10.moves import Discard
from tests.engine.chance import chance
from tests.engine.phase10.players import choose
from tests.engine.phase10.tables import FAMILY, OFFICIAL

GAMES = 15
PLIES = 400


class Watcher:
    """Somebody at the table who keeps in mind who lost or loses a turn (P10-19 to P10-22)."""

    def __init__(self, players, is_family):
        self.players, self.is_family = players, is_family
        self.left = set()
        self.begin({"phases": [None] * players, "dealer": 0, "starter": "W"})

    def begin(self, dealt):
        self.playing = {seat for seat, phase in enumerate(dealt["phases"]) if phase is not None}
        self.to_serve, self.served, self.marks = set(), set(), set()
        if dealt["starter"] == "S":
            first = next(seat for seat in self.around(dealt["dealer"]) if seat in self.playing)
            self.to_serve.add(first)
            self.marks.add((first, dealt["dealer"]))
        self.turn = self.next_turn(dealt["dealer"])

    def around(self, seat):
        return [(seat + step) % self.players for step in range(1, self.players + 1)]

    def next_turn(self, after):
        """Skip seats with a mark until a seat plays."""
        for place in 2 * self.around(after):
            self.marks = {(named, by) for named, by in self.marks if by != place}
            if place not in self.playing:
                continue
            if place not in self.to_serve:
                self.served.discard(place)
                return place
            self.to_serve.discard(place)
            self.served.add(place)
        return None

    def can_be_named(self, seat):
        if self.is_family:
            return self.playing - self.to_serve - self.served - {seat}
        return self.playing - self.to_serve - {named for named, _ in self.marks} - {seat}

    def see(self, facts):
        """Read the facts of one move; the turn passes on once they are read."""
        passes = False
        for fact in facts:
            if fact.audience is not None:
                continue
            match fact.kind:
                case "discarded":
                    passes = True
                    if fact.data["named"] is not None:
                        self.to_serve.add(fact.data["named"])
                        self.marks.add((fact.data["named"], fact.seat))
                case "floated":
                    self.playing.discard(fact.seat)
                    passes = True
                case "resigned":
                    self.left.add(fact.seat)
                    self.playing.discard(fact.seat)
                    self.to_serve.discard(fact.seat)
                    passes = passes or fact.seat == self.turn
                case "dealt":
                    self.begin(fact.data)
                    passes = False
                case _:
                    pass
        if passes:
            self.turn = self.next_turn(self.turn)


def named_by(moves):
    return {move.named for move in moves if isinstance(move, Discard) and move.card == "S"}


@pytest.mark.no_cover
@pytest.mark.rule("P10-5", "P10-19", "P10-20", "P10-21", "P10-22", "P10-28")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY], ids=["official", "family"])
@pytest.mark.parametrize("players", range(2, 7))
def test_whom_a_skip_may_name_follows_from_what_all_saw(rules, players):
    """And whose turn it is, through skips, floating, resignations and tie-breaks."""
    asked = 0
    for number in range(GAMES):
        luck = chance(f"skips {players} {rules.title} {number}")
        options = rules.check_options(players, {"phases": [1, 7], "auto_forced": "off"})
        step = rules.start(Setup(players, luck.randbytes(32), options))
        watcher = Watcher(players, rules is FAMILY)
        for _ in range(PLIES):
            watcher.see(step.facts)
            state, seat = step.state, step.state.to_act
            if seat is None:
                break
            assert watcher.turn == seat
            moves = list(rules.legal_moves(state, seat))
            if named := named_by(moves):
                goes_out = rules is OFFICIAL and len(state.seats[seat].hand) == 1
                asked += not goes_out
                assert named == ((set() if goes_out else watcher.can_be_named(seat)) or {None})
            if luck.random() < 0.002:
                step = rules.resign(
                    state, Seat(luck.randrange(players)) if not state.resigned else seat
                )
                continue
            skips = [move for move in moves if isinstance(move, Discard) and move.card == "S"]
            wild = skips and luck.random() < 0.5
            step = rules.apply(
                state, seat, luck.choice(skips) if wild else choose(state, seat, moves, luck)
            )
    assert asked > GAMES
