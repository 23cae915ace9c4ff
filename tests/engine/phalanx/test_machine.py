"""Phalanx: whatever is done in whatever order, the promises of the engine hold."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine.api import Source
from engine.phalanx.moves import Open
from engine.phalanx.state import BETTING
from engine.testing import Table, state_machine
from tests.engine.phalanx.hidden import exchanged
from tests.engine.phalanx.tables import RULES
from tests.engine.phalanx.test_random_games import every_move, look_fast, some_options


class PhalanxTable(Table):
    rulesets = (RULES,)
    orders = ("7 left", "open A", "K left x 5", "check")

    def some_options(self, players):
        return some_options(self.luck, players)

    def exchanged(self, viewer):
        return exchanged(self.state, viewer, self.luck)

    def has_chosen(self, seat):
        return self.rules.is_choosing(self.state) and self.state.seats[seat].choice is not None

    def may_act(self, seat):
        return super().may_act(seat) or self.has_chosen(seat)

    def choosers(self):
        return len({*self.state.ring} - {*self.state.resigned})

    def play(self):
        """Now and then a seat that has chosen chooses anew."""
        chosen = [seat for seat in self.seats if self.has_chosen(seat) and seat not in self.left]
        if chosen and self.luck.random() < 0.5:
            seat = self.luck.choice(chosen)
            move = Open(self.luck.choice(self.state.seats[seat].hand))
            self.make(seat, move, Source.CHOSEN)
        else:
            super().play()

    def moves_to_try(self, seat):
        """Every move there is: legal if and only if it is listed, or chooses anew."""
        if self.state.phase == BETTING or not self.may_act(seat):
            return  # in betting not all raises are listed
        legal = {*self.rules.legal_moves(self.state, seat)}
        if self.has_chosen(seat):
            legal = {*map(Open, self.state.seats[seat].hand)}
        for move in every_move(self.state, seat):
            yield move, move in legal

    def check(self):
        look_fast(self.state)
        assert len(self.shuffles) == self.state.shuffles
        if limit := self.setup.options["max_plies"]:
            # Openings that are revealed together may pass it as a whole (GEN-8).
            assert self.state.ply <= max(limit, limit - 1 + self.setup.players)
            assert self.state.ply < limit or not self.is_running


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16", "PLX-7", "PLX-28")
def test_phalanx_keeps_its_promises():
    """Conservation, liveness, purity, legality, secret openings, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        state_machine(PhalanxTable),
        settings=settings(max_examples=40, stateful_step_count=30, deadline=None),
    )
