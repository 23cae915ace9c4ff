"""Check the promises of the engine in random sequences of actions of Phase 10."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine.api import Seat, Setup
from engine.phase10.cards import KINDS, PACK, SKIP, WILD, less
from engine.phase10.groups import End, Kind
from engine.phase10.moves import DRAW, TAKE, Discard, Hit, goes_out_with_skip
from engine.phase10.record import all_cards
from engine.testing import Table, state_machine
from tests.engine.phase10.hidden import exchanged
from tests.engine.phase10.players import choose
from tests.engine.phase10.tables import FAMILY, OFFICIAL, orders_of

VARIANTS = (
    {},
    {"phases_to_win": 2},
    {"even_only": True},
    {"ten_hands": True, "phases": [1, 7, 9]},
    {"phases": [1], "auto_forced": "all"},
    {"phases": [8, 10], "deck": "standard"},
    {"phases": [2, 3], "ten_hands": True, "auto_forced": "off"},
    {"max_plies": 150},
    {"naturals": "phase", "phases": [1, 2, 3]},
    {"naturals": "phase", "phases": [2, 9], "deck": "standard"},
)


class Phase10Table(Table):
    rulesets = (OFFICIAL, FAMILY)
    orders = ("draw", "take", "lay", "discard 5", "skip 1")

    def some_options(self, players):
        limit = self.luck.choice([0, 1, 40, 10_000])
        return {"max_plies": limit, **self.luck.choice(VARIANTS)}

    def exchanged(self, viewer):
        return exchanged(self.state, viewer, self.luck.shuffle)

    def choose(self, seat, moves):
        return choose(self.state, seat, moves, self.luck)

    def moves_to_try(self, seat):
        """Every move there is up to GEN-9 equivalence, but for lay-downs that are not listed."""
        if not self.may_act(seat):
            return
        legal = {*self.rules.legal_moves(self.state, seat)}
        for move in {*self.every_move(seat), *legal}:
            yield move, move in legal

    def every_move(self, seat):
        yield from (DRAW, TAKE)
        for card in KINDS:
            yield Discard(card)
            if card != SKIP or not goes_out_with_skip(self.state, seat):
                yield from (Discard(card, Seat(named)) for named in range(-1, 7))
            for owner, groups in enumerate(self.state.groups):
                yield Hit(card, Seat(owner), len(groups))
                for number, group in enumerate(groups):
                    is_wild_on_run = card == WILD and group.kind is Kind.RUN
                    for end in End if is_wild_on_run else (None,):
                        yield Hit(card, Seat(owner), number, end)

    def check(self):
        state = self.state
        assert sorted(all_cards(state)) == sorted(PACK)
        for seat, own in enumerate(state.seats):
            assert not less(own.known, own.hand)
            assert own.skips in (0, 1)
            assert own.laid or not state.groups[seat]
            if state.to_act == seat:
                assert own.hand
                assert not own.is_floating
                assert seat in state.dealt_in
                assert seat not in state.resigned
        if self.setup.options["auto_forced"] == "public":  # by what everybody knows (GEN-11)
            for viewer in (None, *self.seats) if self.is_running else ():
                if state.to_act != viewer:
                    forced = self.rules.forced_move(self.exchanged(viewer))
                    assert forced == self.rules.forced_move(state)
        assert not self.rules.is_choosing(self.state)
        assert len(self.shuffles) == self.state.shuffles
        if limit := self.setup.options["max_plies"]:
            assert self.state.ply <= limit
            assert self.state.ply < limit or not self.is_running


@pytest.mark.no_cover
@pytest.mark.rule(
    "GEN-1", "GEN-5", "GEN-8", "GEN-12", "GEN-13", "GEN-16", "P10-1", "P10-15", "P10-31", "P10-V4"
)
def test_phase10_keeps_its_promises():
    """Conservation, liveness, purity, legality, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        state_machine(Phase10Table, max_times=40),
        settings=settings(max_examples=25, stateful_step_count=30, deadline=None),
    )


@pytest.mark.no_cover
@pytest.mark.rule("P10-29")
@pytest.mark.parametrize("rules", [OFFICIAL, FAMILY])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_standby_alone_makes_progress(rules, players):
    """A table that only draws, lays, hits and discards by rule ends the whole game."""
    state = rules.start(
        Setup(players, bytes([players]) * 32, rules.check_options(players, {"phases_to_win": 5}))
    ).state
    while state.to_act is not None:
        move = rules.standby_move(state, state.to_act)
        assert rules.format_move(state, state.to_act, move) in orders_of(state)
        # As if chosen, so that silence does not stop it.
        state = rules.apply(state, state.to_act, move).state
    assert rules.outcome(state).reason == "finished"
