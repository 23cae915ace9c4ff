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
from engine.errors import EngineError, IllegalMoveError, NotToActError, OrderError
from engine.phase10.cards import KINDS, SKIP, WILD
from engine.phase10.groups import End, Kind
from engine.phase10.moves import DRAW, TAKE, Discard, Hit, Lay, goes_out_with_skip
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.chance import chance
from tests.engine.phase10.hidden import exchanged
from tests.engine.phase10.players import choose
from tests.engine.phase10.tables import FAMILY, OFFICIAL
from tests.engine.phase10.test_random_games import VARIANTS, always_true


class Phase10Machine(RuleBasedStateMachine):
    """A table at which anything may be tried."""

    @initialize(
        rules=st.sampled_from([OFFICIAL, FAMILY]),
        players=st.integers(2, 6),
        seed=st.binary(min_size=32, max_size=32),
        options=st.sampled_from(VARIANTS),
        max_plies=st.sampled_from([0, 1, 40, 10_000]),
    )
    def begin(self, rules, players, seed, options, max_plies):
        self.rules = rules
        checked = rules.check_options(players, {"max_plies": max_plies, **options})
        self.setup = Setup(players, seed, checked)
        step = rules.start(self.setup)
        self.state = step.state
        self.entries = []
        self.shuffles = list(step.shuffles)

    # --- what may happen ---------------------------------------------------------------------

    def make(self, seat, move, source):
        before = self.state
        step = self.rules.apply(before, seat, move, source)
        assert self.rules.apply(before, seat, move, source) == step  # a pure function
        text = self.rules.format_move(before, seat, move)
        assert self.rules.parse_order(before, seat, text) == move
        assert self.rules.ply(step.state) == self.rules.ply(before) + 1
        self.entries.append(MoveEntry(seat, text, source))
        self.take(step)

    def take(self, step):
        self.state = step.state
        self.shuffles += step.shuffles
        for fact in step.facts:
            json.dumps(fact.data)

    def is_running(self):
        return bool(self.rules.to_act(self.state))

    @precondition(is_running)
    @rule(luck=st.integers(0, 999), source=st.sampled_from(Source), times=st.integers(1, 40))
    def play_legal_moves(self, luck, source, times):
        some = chance(luck)
        for _ in range(times):
            if self.is_running():
                seat = self.state.to_act
                moves = list(self.rules.legal_moves(self.state, seat))
                self.make(seat, choose(self.state, seat, moves, some), source)

    @precondition(is_running)
    @rule(times=st.integers(1, 12))
    def play_standby_moves(self, times):
        for _ in range(times):
            if self.is_running():
                seat = self.state.to_act
                move = self.rules.standby_move(self.state, seat)
                assert move in list(self.rules.legal_moves(self.state, seat))
                self.make(seat, move, Source.STANDBY)

    @precondition(lambda self: self.rules.forced_move(self.state) is not None)
    @rule()
    def play_a_forced_move(self):
        seat, move = self.rules.forced_move(self.state)
        assert [move] == list(self.rules.legal_moves(self.state, seat))
        self.make(seat, move, Source.FORCED)

    @rule(seat=st.integers(0, 5))
    def resign(self, seat):
        seat = Seat(seat % self.setup.players)
        try:
            step = self.rules.resign(self.state, seat)
        except NotToActError:
            assert not self.is_running() or seat in self.state.resigned
            return
        assert self.rules.ply(step.state) == self.rules.ply(self.state)
        self.entries.append(ResignEntry(seat))
        self.take(step)

    # --- what must not happen ----------------------------------------------------------------

    def every_move(self, seat):
        """Every move there is up to GEN-9 equivalence, but for lay-downs."""
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

    @rule()
    def everything_else_is_refused(self):
        """Every move there is: legal if and only if it is listed."""
        before = state_digest(self.rules, self.state)
        for seat in map(Seat, range(self.setup.players)):
            legal = set(self.rules.legal_moves(self.state, seat))
            may_act = seat == self.state.to_act
            assert may_act == bool(legal)
            for move in self.every_move(seat) if may_act else (DRAW, TAKE, Discard(WILD)):
                expected = "made" if move in legal else "refused" if may_act else "not to act"
                assert self.what_comes_of(seat, move) == expected
            for move in legal:
                assert self.what_comes_of(seat, move) == "made"
        assert state_digest(self.rules, self.state) == before

    def what_comes_of(self, seat, move):
        try:
            self.rules.apply(self.state, seat, move)
        except NotToActError:
            return "not to act"
        except IllegalMoveError:
            return "refused"
        return "made"

    @rule(
        text=st.text(max_size=12) | st.sampled_from(["draw", "take", "lay", "discard 5", "skip 1"])
    )
    def say_something(self, text):
        before = self.state
        for seat in map(Seat, range(self.setup.players)):
            try:
                move = self.rules.parse_order(before, seat, text)
            except NotToActError:
                assert seat != before.to_act
            except (OrderError, IllegalMoveError):
                assert seat == before.to_act
            else:
                self.rules.format_move(before, seat, move)

    @precondition(lambda self: not self.is_running())
    @rule(seat=st.integers(0, 5))
    def after_the_end_every_move_is_refused(self, seat):
        seat = Seat(seat % self.setup.players)
        for move in (DRAW, TAKE, Lay(()), Hit(WILD, Seat(0), 0), Discard(WILD)):
            with pytest.raises(NotToActError):
                self.rules.apply(self.state, seat, move)
        with pytest.raises(EngineError):
            self.rules.resign(self.state, seat)
        assert self.rules.forced_move(self.state) is None

    # --- what always holds -------------------------------------------------------------------

    @invariant()
    def cards_are_conserved(self):
        always_true(self.state)

    @invariant()
    def somebody_can_act_until_it_is_over(self):
        to_act = self.rules.to_act(self.state)
        assert (self.rules.outcome(self.state) is None) == bool(to_act)
        assert len(to_act) <= 1
        assert not self.rules.is_choosing(self.state)
        for seat in to_act:
            moves = list(self.rules.legal_moves(self.state, seat))
            assert moves
            assert len(set(moves)) == len(moves)

    @invariant()
    def max_plies_is_never_passed(self):
        limit = self.setup.options["max_plies"]
        if limit:
            assert self.state.ply <= limit
            assert self.state.ply < limit or not self.is_running()

    @invariant()
    def shuffles_are_numbered(self):
        assert [opened.number for opened in self.shuffles] == list(range(self.state.shuffles))

    @invariant()
    def hidden_cards_do_not_show(self):
        if not self.is_running():
            return
        for viewer in (None, *range(self.setup.players)):
            other = exchanged(self.state, viewer, chance(self.state.ply).shuffle)
            assert self.rules.view(other, viewer) == self.rules.view(self.state, viewer)

    @invariant()
    def a_state_goes_through_json(self):
        data = json.loads(json.dumps(self.rules.state_json(self.state)))
        assert self.rules.state_from_json(self.setup, data) == self.state

    def teardown(self):
        if not hasattr(self, "state"):
            return
        again = final_state(GameLog(self.rules, self.setup, tuple(self.entries)))
        assert state_digest(self.rules, again) == state_digest(self.rules, self.state)
        outcome = self.rules.outcome(self.state)
        if outcome is not None:
            ranked = [seat for place in outcome.ranking for seat in place]
            assert sorted(ranked) == list(range(self.setup.players))


@pytest.mark.no_cover
@pytest.mark.rule(
    "GEN-1", "GEN-5", "GEN-8", "GEN-12", "GEN-16", "P10-1", "P10-15", "P10-31", "P10-V4"
)
def test_phase10_keeps_its_promises():
    """Conservation, liveness, purity, legality, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        Phase10Machine, settings=settings(max_examples=60, stateful_step_count=30, deadline=None)
    )
