"""Check the promises of the engine in random sequences of actions of Cathedral."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine.api import Source
from engine.cards import PACK, RANK_OF
from engine.cathedral.moves import Keep
from engine.deals import all_cards
from engine.plays import PICK_UP, PLAYS, Play
from engine.testing import Table, state_machine
from tests.engine.cathedral.hidden import exchanged
from tests.engine.cathedral.tables import RULES


class CathedralTable(Table):
    rulesets = (RULES,)
    orders = ("play 7", "all 2", "take", "keep 2 3 4")

    def some_options(self, players):
        return {
            "deals": self.luck.choice([1, 2, 3]),
            "max_plies": self.luck.choice([0, 1, 15, 2000]),
            "auto_forced": self.luck.choice(["public", "all", "off"]),
        }

    def exchanged(self, viewer):
        return exchanged(self.state, viewer, self.luck.shuffle)

    def shape(self, move):
        if isinstance(move, Play | Keep):
            return (type(move), *sorted(RANK_OF[card] for card in move.cards))
        return move

    def has_chosen(self, seat):
        return self.rules.is_choosing(self.state) and self.state.seats[seat].choice is not None

    def may_act(self, seat):
        return super().may_act(seat) or self.has_chosen(seat)

    def play(self):
        """Play a random move. Sometimes a seat changes its choice."""
        chosen = [seat for seat in self.seats if self.has_chosen(seat) and seat not in self.left]
        if chosen and self.luck.random() < 0.5:
            seat = self.luck.choice(chosen)
            text = "keep " + " ".join(self.luck.sample(self.state.seats[seat].hand, 3))
            self.make(seat, self.rules.parse_order(self.state, seat, text), Source.CHOSEN)
        else:
            super().play()

    def moves_to_try(self, seat):
        """Every move there is: legal if and only if it is listed, up to the suits."""
        own = self.state.seats[seat]
        shapes = {self.shape(move) for move in self.rules.legal_moves(self.state, seat)}
        keeps = [Keep(tuple(self.luck.sample(PACK, 3))) for _ in range(5)]
        if len(own.hand) >= 4:
            keeps += [Keep(tuple(self.luck.sample(own.hand, count))) for count in (2, 3, 4)]
        for move in (*PLAYS.values(), PICK_UP, *keeps):
            has_cards = move is PICK_UP or set(move.cards) <= set(own.hand)
            is_listed = self.shape(move) in shapes
            if self.has_chosen(seat):
                is_listed = isinstance(move, Keep) and len(move.cards) == 3
            yield move, has_cards and is_listed

    def check(self):
        assert sorted(all_cards(self.state)) == sorted(PACK)
        for own in self.state.seats:
            assert set(own.known) <= set(own.hand)
            assert own.choice is None or set(own.choice) <= set(own.hand)
            assert len(own.reserve) in (0, 3)
        assert len(self.shuffles) == self.state.course.deal + 1
        if limit := self.setup.options["max_plies"]:
            # Choices that are made together may pass it as a whole (GEN-8).
            assert self.state.deal_ply <= max(limit, self.setup.players)
            assert self.state.deal_ply < limit or not self.is_running


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16", "CAT-20")
def test_cathedral_keeps_its_promises():
    """Conservation, liveness, purity, legality, secret choices, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        state_machine(CathedralTable),
        settings=settings(max_examples=25, stateful_step_count=30, deadline=None),
    )
