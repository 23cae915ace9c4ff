"""State machines: whatever is done in whatever order, the promises of the engine hold."""

import json

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine import registry
from engine.api import Seat, Setup, Source
from engine.cards import PACK, RANK_OF
from engine.deals import all_cards
from engine.errors import EngineError, IllegalMoveError, NotToActError, OrderError
from engine.phyliss.moves import FLIPS, GOD, cards_in_play
from engine.plays import PICK_UP, PLAYS, Play
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.chance import chance
from tests.engine.phyliss.hidden import exchanged


class PhylissMachine(RuleBasedStateMachine):
    """A table at which anything may be tried."""

    ruleset = registry.find("phyliss", 1)

    @initialize(
        players=st.integers(2, 5),
        seed=st.binary(min_size=32, max_size=32),
        deals=st.integers(1, 3),
        max_plies=st.sampled_from([0, 1, 15, 2000]),
        auto_forced=st.sampled_from(["public", "all", "off"]),
    )
    def begin(self, players, seed, **options):
        self.setup = Setup(players, seed, self.ruleset.check_options(players, options))
        step = self.ruleset.start(self.setup)
        self.state = step.state
        self.entries = []
        self.shuffles = list(step.shuffles)

    # --- what may happen ---------------------------------------------------------------------

    def make(self, seat, move, source):
        before = self.state
        step = self.ruleset.apply(before, seat, move, source)
        assert self.ruleset.apply(before, seat, move, source) == step  # a pure function
        text = self.ruleset.format_move(before, seat, move)
        assert self.ruleset.parse_order(before, seat, text) == move
        assert self.ruleset.ply(step.state) == self.ruleset.ply(before) + 1
        self.entries.append(MoveEntry(seat, text, source))
        self.take(step)

    def take(self, step):
        self.state = step.state
        self.shuffles += step.shuffles
        for fact in step.facts:
            json.dumps(fact.data)

    @property
    def seat(self):
        (seat,) = self.ruleset.to_act(self.state)
        return seat

    def is_running(self):
        return bool(self.ruleset.to_act(self.state))

    @precondition(is_running)
    @rule(choice=st.integers(0, 40), source=st.sampled_from(Source), times=st.integers(1, 12))
    def play_a_legal_move(self, choice, source, times):
        for _ in range(times):
            if self.is_running():
                moves = list(self.ruleset.legal_moves(self.state, self.seat))
                self.make(self.seat, moves[choice % len(moves)], source)

    @precondition(is_running)
    @rule(times=st.integers(1, 12))
    def play_standby_moves(self, times):
        for _ in range(times):
            if self.is_running():
                move = self.ruleset.standby_move(self.state, self.seat)
                assert move in list(self.ruleset.legal_moves(self.state, self.seat))
                self.make(self.seat, move, Source.STANDBY)

    @precondition(lambda self: self.ruleset.forced_move(self.state) is not None)
    @rule()
    def play_a_forced_move(self):
        seat, move = self.ruleset.forced_move(self.state)
        assert [move] == list(self.ruleset.legal_moves(self.state, seat))
        self.make(seat, move, Source.FORCED)

    @rule(seat=st.integers(0, 4))
    def resign(self, seat):
        seat = Seat(seat % self.setup.players)
        try:
            step = self.ruleset.resign(self.state, seat)
        except NotToActError:
            assert not self.is_running() or seat in self.state.resigned
            return
        assert self.ruleset.ply(step.state) == self.ruleset.ply(self.state)
        self.entries.append(ResignEntry(seat))
        self.take(step)

    # --- what must not happen ----------------------------------------------------------------

    @rule()
    def everything_else_is_refused(self):
        """Every move there is: legal if and only if it is listed, up to the suits."""
        before = state_digest(self.ruleset, self.state)
        for seat in map(Seat, range(self.setup.players)):
            listed = list(self.ruleset.legal_moves(self.state, seat))
            shapes = {self.shape(move) for move in listed}
            held = cards_in_play(self.state.seats[seat])
            for move in (*PLAYS.values(), PICK_UP, GOD, *FLIPS.values()):
                has_cards = not isinstance(move, Play) or set(move.cards) <= set(held)
                try:
                    self.ruleset.apply(self.state, seat, move)
                except (IllegalMoveError, NotToActError) as refusal:
                    legal, is_turn_error = False, isinstance(refusal, NotToActError)
                else:
                    legal, is_turn_error = True, False
                assert legal == (has_cards and self.shape(move) in shapes)
                assert is_turn_error == (seat not in self.ruleset.to_act(self.state))
        assert state_digest(self.ruleset, self.state) == before

    @staticmethod
    def shape(move):
        """What a move is up to GEN-9 equivalence."""
        return (RANK_OF[move.cards[0]], len(move.cards)) if isinstance(move, Play) else move

    @rule(text=st.text(max_size=12) | st.sampled_from(["play 7", "all 2", "flip", "god", "take"]))
    def say_something(self, text):
        before = self.state
        for seat in map(Seat, range(self.setup.players)):
            try:
                move = self.ruleset.parse_order(before, seat, text)
            except NotToActError:
                assert seat not in self.ruleset.to_act(before)
            except (OrderError, IllegalMoveError):
                assert seat in self.ruleset.to_act(before)
            else:
                self.ruleset.format_move(before, seat, move)

    @precondition(lambda self: not self.is_running())
    @rule(seat=st.integers(0, 4))
    def after_the_end_every_move_is_refused(self, seat):
        seat = Seat(seat % self.setup.players)
        for move in (GOD, PICK_UP, FLIPS[1]):
            with pytest.raises(NotToActError):
                self.ruleset.apply(self.state, seat, move)
        with pytest.raises(EngineError):
            self.ruleset.resign(self.state, seat)
        assert self.ruleset.forced_move(self.state) is None

    # --- what always holds -------------------------------------------------------------------

    @invariant()
    def cards_are_conserved(self):
        assert sorted(all_cards(self.state)) == sorted(PACK)
        for own in self.state.seats:
            assert set(own.known) <= set(own.hand)
            assert len(own.blind) == len(own.blind_numbers)

    @invariant()
    def somebody_can_act_until_it_is_over(self):
        to_act = self.ruleset.to_act(self.state)
        assert (self.ruleset.outcome(self.state) is None) == bool(to_act)
        assert len(to_act) <= 1  # Phyliss has no secret choices (GEN-6)
        for seat in to_act:
            moves = list(self.ruleset.legal_moves(self.state, seat))
            assert moves
            assert len(set(moves)) == len(moves)

    @invariant()
    def max_plies_is_never_passed(self):
        limit = self.setup.options["max_plies"]
        if limit:
            assert self.state.deal_ply <= limit
            assert self.state.deal_ply < limit or not self.is_running()

    @invariant()
    def shuffles_are_numbered(self):
        assert [opened.number for opened in self.shuffles] == list(
            range(self.state.course.deal + 1)
        )

    @invariant()
    def hidden_cards_do_not_show(self):
        if not self.is_running():
            return
        mix = chance(self.ruleset.ply(self.state)).shuffle
        for viewer in (None, *range(self.setup.players)):
            other = exchanged(self.state, viewer, mix)
            assert self.ruleset.view(other, viewer) == self.ruleset.view(self.state, viewer)

    @invariant()
    def a_state_goes_through_json(self):
        data = json.loads(json.dumps(self.ruleset.state_json(self.state)))
        assert self.ruleset.state_from_json(self.setup, data) == self.state

    def teardown(self):
        if not hasattr(self, "state"):
            return
        log = GameLog(self.ruleset, self.setup, tuple(self.entries))
        again = final_state(log)
        assert state_digest(self.ruleset, again) == state_digest(self.ruleset, self.state)
        outcome = self.ruleset.outcome(self.state)
        if outcome is not None:
            ranked = [seat for place in outcome.ranking for seat in place]
            assert sorted(ranked) == list(range(self.setup.players))


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16")
def test_phyliss_keeps_its_promises():
    """Conservation, liveness, purity, legality, hidden cards, replay, JSON, max_plies."""
    run_state_machine_as_test(
        PhylissMachine, settings=settings(max_examples=100, stateful_step_count=30, deadline=None)
    )
