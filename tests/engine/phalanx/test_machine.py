"""Check the promises of the engine in random sequences of actions of Phalanx."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine.api import Seat, Source
from engine.cards import PACK
from engine.phalanx.moves import CHECK, PASS, Open, Play, Target
from engine.phalanx.record import all_cards, cards_of_seat
from engine.phalanx.state import BETTING, is_gambling
from engine.testing import Table, state_machine
from tests.engine.phalanx.hidden import exchanged
from tests.engine.phalanx.tables import RULES


def every_move(state, seat):
    """Every move there is in this position, sensible or not."""
    yield from (CHECK, PASS, *map(Open, PACK))
    lying = [Target(one.seat, one.card) for zone in state.zones for one in zone]
    for card in PACK:
        for place in ("left", "center", "right", "side:0"):
            yield Play(card, place)
            if card in state.seats[seat].hand:
                yield from (Play(card, place, target) for target in lying)


class PhalanxTable(Table):
    rulesets = (RULES,)
    orders = ("7 left", "open A", "K left x 5", "check")

    def some_options(self, players):
        luck = self.luck
        stakes = luck.choice(["cards", "cards", "zones", "per_card"])
        given = {
            "stakes": stakes,
            "aces": luck.choice([2, 4, 10, "highest"]),
            "auto_forced": luck.choice(["public", "all", "off"]),
            "max_plies": luck.choice([5000, 5000, 0, 1, 60]),
            "dealer": luck.randrange(players),
        }
        if stakes == "cards":
            given["tie"] = luck.choice(["back", "spoils", "swap"])
            given["ante"] = luck.choice([0, 0, luck.randint(0, 52 // players - 7)])
            given["max_battles"] = luck.choice([0, 1, 3])
        else:
            given["bankroll"] = luck.choice([3, 7, 30, 100])
            given["max_battles"] = luck.choice([1, 2, 3])
        return given

    def exchanged(self, viewer):
        return exchanged(self.state, viewer, self.luck)

    def has_chosen(self, seat):
        return self.rules.is_choosing(self.state) and self.state.seats[seat].choice is not None

    def may_act(self, seat):
        return super().may_act(seat) or self.has_chosen(seat)

    def choosers(self):
        return len({*self.state.ring} - {*self.state.resigned})

    def play(self):
        """Play a random move. Sometimes a seat changes its choice."""
        chosen = [seat for seat in self.seats if self.has_chosen(seat) and seat not in self.left]
        if chosen and self.luck.random() < 0.5:
            seat = self.luck.choice(chosen)
            move = Open(self.luck.choice(self.state.seats[seat].hand))
            self.make(seat, move, Source.CHOSEN)
        else:
            super().play()

    def moves_to_try(self, seat):
        """Yield every move. It is legal if and only if it is listed or replaces a choice."""
        if self.state.phase == BETTING or not self.may_act(seat):
            return  # in betting not all raises are listed
        legal = {*self.rules.legal_moves(self.state, seat)}
        if self.has_chosen(seat):
            legal = {*map(Open, self.state.seats[seat].hand)}
        for move in every_move(self.state, seat):
            yield move, move in legal

    def check(self):
        if is_gambling(self.state):
            players = range(self.setup.players)
            chips = sum(self.state.chips) + sum(map(sum, self.state.pots))
            assert chips == len(players) * self.setup.options["bankroll"]
            assert all(len(cards_of_seat(self.state, Seat(n))) == 52 for n in players)
        else:
            assert len(all_cards(self.state)) == 52
        ring = {*self.state.ring} - {*self.state.resigned}
        sizes = {len(self.state.seats[n].hand) for n in ring}
        assert self.state.reason or max(sizes) - min(sizes) <= 1
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
        settings=settings(max_examples=25, stateful_step_count=30, deadline=None),
    )
