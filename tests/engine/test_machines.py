"""Check the promises of the engine in random sequences of actions of Phyliss."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine import registry
from engine.cards import PACK, RANK_OF
from engine.deals import all_cards
from engine.phyliss.moves import FLIPS, GOD, cards_in_play
from engine.plays import PICK_UP, PLAYS, Play
from engine.testing import Table, state_machine
from tests.engine.phyliss.hidden import exchanged


class PhylissTable(Table):
    rulesets = (registry.find("phyliss", 1),)
    orders = ("play 7", "all 2", "flip", "god", "take")

    def some_options(self, players):
        return {
            "deals": self.luck.choice([1, 2, 3]),
            "max_plies": self.luck.choice([0, 1, 15, 2000]),
            "auto_forced": self.luck.choice(["public", "all", "off"]),
        }

    def exchanged(self, viewer):
        return exchanged(self.state, viewer, self.luck.shuffle)

    def shape(self, move):
        return (RANK_OF[move.cards[0]], len(move.cards)) if isinstance(move, Play) else move

    def moves_to_try(self, seat):
        """Every move there is: legal if and only if it is listed, up to the suits."""
        shapes = {self.shape(move) for move in self.rules.legal_moves(self.state, seat)}
        held = cards_in_play(self.state.seats[seat])
        for move in (*PLAYS.values(), PICK_UP, GOD, *FLIPS.values()):
            has_cards = not isinstance(move, Play) or set(move.cards) <= set(held)
            yield move, has_cards and self.shape(move) in shapes

    def check(self):
        assert sorted(all_cards(self.state)) == sorted(PACK)
        for own in self.state.seats:
            assert set(own.known) <= set(own.hand)
            assert len(own.blind) == len(own.blind_numbers)
        assert len(self.shuffles) == self.state.course.deal + 1
        if limit := self.setup.options["max_plies"]:
            assert self.state.deal_ply <= limit
            assert self.state.deal_ply < limit or not self.is_running


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16")
def test_phyliss_keeps_its_promises():
    """Conservation, liveness, purity, legality, hidden cards, replay, JSON, max_plies."""
    run_state_machine_as_test(
        state_machine(PhylissTable),
        settings=settings(max_examples=25, stateful_step_count=30, deadline=None),
    )
