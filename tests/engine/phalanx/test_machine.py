"""A state machine: whatever is done in whatever order, the promises of the engine hold."""

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

from engine.api import Seat, Setup, Source
from engine.cards import PACK
from engine.errors import EngineError, IllegalMoveError, NotToActError, OrderError
from engine.phalanx.moves import CHECK, PASS, Open, Play
from engine.phalanx.state import BETTING
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.chance import chance
from tests.engine.phalanx.hidden import exchanged
from tests.engine.phalanx.tables import RULES
from tests.engine.phalanx.test_random_games import every_move, look_fast, some_options


class PhalanxMachine(RuleBasedStateMachine):
    """A table at which anything may be tried."""

    @initialize(
        players=st.integers(2, 6),
        seed=st.binary(min_size=32, max_size=32),
        luck=st.integers(0, 999),
    )
    def begin(self, players, seed, luck):
        options = RULES.check_options(players, some_options(chance(luck), players))
        self.setup = Setup(players, seed, options)
        step = RULES.start(self.setup)
        self.state = step.state
        self.entries = []
        self.shuffles = list(step.shuffles)

    # --- what may happen ---------------------------------------------------------------------

    def make(self, seat, move, source):
        before = self.state
        step = RULES.apply(before, seat, move, source)
        assert RULES.apply(before, seat, move, source) == step  # a pure function
        text = RULES.format_move(before, seat, move)
        assert RULES.parse_order(before, seat, text) == move
        plies = RULES.ply(step.state) - RULES.ply(before)
        if isinstance(move, Open):
            self.check_choice(seat, step, plies)
        else:
            assert plies == 1
        self.entries.append(MoveEntry(seat, text, source))
        self.take(step)

    def check_choice(self, seat, step, plies):
        """Nothing public but who has chosen, and all plies at the last one (GEN-6)."""
        waiting = set(RULES.to_act(self.state)) - {seat}
        first = self.state.seats[seat].choice is None
        public = [(f.kind, f.seat, f.data) for f in step.facts if f.audience is None]
        assert public[:1] == ([("chosen", seat, {})] if first else [])
        if waiting:
            assert plies == 0
            assert len(public) == first
            for viewer in (None, *range(self.setup.players)):
                if viewer != seat and not first:
                    assert RULES.view(step.state, viewer) == RULES.view(self.state, viewer)
        else:
            assert plies == len(set(self.state.ring) - set(self.state.resigned))

    def take(self, step):
        self.state = step.state
        self.shuffles += step.shuffles
        for fact in step.facts:
            json.dumps(fact.data)

    def some_seat(self, choice):
        to_act = RULES.to_act(self.state)
        return to_act[choice % len(to_act)]

    def is_running(self):
        return bool(RULES.to_act(self.state))

    @precondition(is_running)
    @rule(choice=st.integers(0, 60), source=st.sampled_from(Source), times=st.integers(1, 12))
    def play_a_legal_move(self, choice, source, times):
        for _ in range(times):
            if self.is_running():
                seat = self.some_seat(choice)
                moves = list(RULES.legal_moves(self.state, seat))
                self.make(seat, moves[choice % len(moves)], source)

    @precondition(is_running)
    @rule(times=st.integers(1, 12))
    def play_standby_moves(self, times):
        for _ in range(times):
            if self.is_running():
                seat = self.some_seat(times)
                move = RULES.standby_move(self.state, seat)
                assert move in list(RULES.legal_moves(self.state, seat))
                self.make(seat, move, Source.STANDBY)

    @precondition(lambda self: RULES.is_choosing(self.state))
    @rule(seat=st.integers(0, 5), luck=st.integers(0, 6), source=st.sampled_from(Source))
    def choose_for_the_first_time_or_anew(self, seat, luck, source):
        seat = Seat(seat % self.setup.players)
        if seat in self.state.ring and seat not in self.state.resigned:
            self.make(seat, Open(self.state.seats[seat].hand[luck]), source)

    @precondition(lambda self: RULES.forced_move(self.state) is not None)
    @rule()
    def play_a_forced_move(self):
        seat, move = RULES.forced_move(self.state)
        assert [move] == list(RULES.legal_moves(self.state, seat))
        assert not isinstance(move, Open)
        self.make(seat, move, Source.FORCED)

    @rule(seat=st.integers(0, 5))
    def resign(self, seat):
        seat = Seat(seat % self.setup.players)
        try:
            step = RULES.resign(self.state, seat)
        except NotToActError:
            assert not self.is_running() or seat in self.state.resigned
            return
        plies = RULES.ply(step.state) - RULES.ply(self.state)
        opened = [fact for fact in step.facts if fact.kind == "revealed"]
        assert plies == sum(len(fact.data["cards"]) for fact in opened)
        self.entries.append(ResignEntry(seat))
        self.take(step)

    # --- what must not happen ----------------------------------------------------------------

    @precondition(lambda self: self.state.phase != BETTING)  # there raises are not all listed
    @rule()
    def everything_else_is_refused(self):
        """Every move there is: legal if and only if it is listed, or chooses anew."""
        before = state_digest(RULES, self.state)
        to_act = RULES.to_act(self.state)
        for seat in map(Seat, range(self.setup.players)):
            own = self.state.seats[seat]
            legal = set(RULES.legal_moves(self.state, seat))
            if RULES.is_choosing(self.state) and own.choice is not None:
                legal = set(map(Open, own.hand))
            may_act = seat in to_act or bool(legal)
            for move in every_move(self.state, seat) if may_act else (CHECK, PASS, Open(PACK[0])):
                expected = "made" if move in legal else "refused" if may_act else "not to act"
                assert self.what_comes_of(seat, move) == expected
        assert state_digest(RULES, self.state) == before

    def what_comes_of(self, seat, move):
        try:
            RULES.apply(self.state, seat, move)
        except NotToActError:
            return "not to act"
        except IllegalMoveError:
            return "refused"
        return "made"

    @rule(text=st.text(max_size=12) | st.sampled_from(["7 left", "open A", "K left x 5", "check"]))
    def say_something(self, text):
        before = self.state
        for seat in map(Seat, range(self.setup.players)):
            may_choose = RULES.is_choosing(before) and before.seats[seat].choice is not None
            may_act = seat in RULES.to_act(before) or may_choose
            try:
                move = RULES.parse_order(before, seat, text)
            except NotToActError:
                assert not may_act
            except (OrderError, IllegalMoveError):
                assert may_act
            else:
                RULES.format_move(before, seat, move)

    @precondition(lambda self: not self.is_running())
    @rule(seat=st.integers(0, 5))
    def after_the_end_every_move_is_refused(self, seat):
        seat = Seat(seat % self.setup.players)
        for move in (CHECK, PASS, Open(PACK[0]), Play(PACK[0], "left")):
            with pytest.raises(NotToActError):
                RULES.apply(self.state, seat, move)
        with pytest.raises(EngineError):
            RULES.resign(self.state, seat)
        assert RULES.forced_move(self.state) is None

    # --- what always holds -------------------------------------------------------------------

    @invariant()
    def cards_and_chips_are_conserved(self):
        look_fast(self.state)

    @invariant()
    def somebody_can_act_until_it_is_over(self):
        to_act = RULES.to_act(self.state)
        assert (RULES.outcome(self.state) is None) == bool(to_act)
        assert RULES.is_choosing(self.state) or len(to_act) <= 1
        for seat in map(Seat, range(self.setup.players)):
            moves = list(RULES.legal_moves(self.state, seat))
            assert bool(moves) == (seat in to_act)
            assert len(set(moves)) == len(moves)

    @invariant()
    def max_plies_is_never_passed(self):
        limit = self.setup.options["max_plies"]
        if limit:
            # Openings that are revealed together may pass it as a whole (GEN-8).
            assert self.state.ply <= max(limit, limit - 1 + self.setup.players)
            assert self.state.ply < limit or not self.is_running()

    @invariant()
    def shuffles_are_numbered(self):
        assert [opened.number for opened in self.shuffles] == list(range(self.state.shuffles))

    @invariant()
    def hidden_cards_do_not_show(self):
        if not self.is_running():
            return
        for viewer in (None, *range(self.setup.players)):
            other = exchanged(self.state, viewer, chance(RULES.ply(self.state)))
            assert RULES.view(other, viewer) == RULES.view(self.state, viewer)

    @invariant()
    def a_state_goes_through_json(self):
        data = json.loads(json.dumps(RULES.state_json(self.state)))
        assert RULES.state_from_json(self.setup, data) == self.state

    def teardown(self):
        if not hasattr(self, "state"):
            return
        again = final_state(GameLog(RULES, self.setup, tuple(self.entries)))
        assert state_digest(RULES, again) == state_digest(RULES, self.state)
        outcome = RULES.outcome(self.state)
        if outcome is not None:
            ranked = [seat for place in outcome.ranking for seat in place]
            assert sorted(ranked) == list(range(self.setup.players))


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16", "PLX-7", "PLX-28")
def test_phalanx_keeps_its_promises():
    """Conservation, liveness, purity, legality, secret openings, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        PhalanxMachine, settings=settings(max_examples=60, stateful_step_count=30, deadline=None)
    )
