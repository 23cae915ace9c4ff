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
from engine.cards import PACK, RANK_OF
from engine.cathedral.moves import Keep
from engine.deals import all_cards
from engine.errors import EngineError, IllegalMoveError, NotToActError, OrderError
from engine.plays import PICK_UP, PLAYS, Play
from engine.replay import GameLog, MoveEntry, ResignEntry, final_state, state_digest
from tests.engine.cathedral.hidden import exchanged
from tests.engine.cathedral.tables import RULES
from tests.engine.chance import chance


class CathedralMachine(RuleBasedStateMachine):
    """A table at which anything may be tried."""

    @initialize(
        players=st.integers(2, 6),
        seed=st.binary(min_size=32, max_size=32),
        deals=st.integers(1, 3),
        max_plies=st.sampled_from([0, 1, 15, 2000]),
        auto_forced=st.sampled_from(["public", "all", "off"]),
    )
    def begin(self, players, seed, **options):
        self.setup = Setup(players, seed, RULES.check_options(players, options))
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
        if isinstance(move, Keep):
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
            assert plies == self.setup.players - len(self.state.resigned)

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
    @rule(choice=st.integers(0, 40), source=st.sampled_from(Source), times=st.integers(1, 12))
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
                listed = list(RULES.legal_moves(self.state, seat))
                assert self.shape(move) in map(self.shape, listed)
                self.make(seat, move, Source.STANDBY)

    @precondition(lambda self: RULES.is_choosing(self.state))
    @rule(seat=st.integers(0, 5), luck=st.integers(0, 999), source=st.sampled_from(Source))
    def choose_for_the_first_time_or_anew(self, seat, luck, source):
        seat = Seat(seat % self.setup.players)
        if seat not in self.state.resigned:
            hand = list(self.state.seats[seat].hand)
            chance(luck).shuffle(hand)
            text = "keep " + " ".join(hand[:3])
            self.make(seat, RULES.parse_order(self.state, seat, text), source)

    @precondition(lambda self: RULES.forced_move(self.state) is not None)
    @rule()
    def play_a_forced_move(self):
        seat, move = RULES.forced_move(self.state)
        assert [move] == list(RULES.legal_moves(self.state, seat))
        assert not isinstance(move, Keep)
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
        made = [fact for fact in step.facts if fact.kind == "choices_made"]
        assert plies == sum(len(fact.data["seats"]) for fact in made)
        self.entries.append(ResignEntry(seat))
        self.take(step)

    # --- what must not happen ----------------------------------------------------------------

    @rule(luck=st.integers(0, 999))
    def everything_else_is_refused(self, luck):
        """Every move there is: legal if and only if it is listed, up to the suits."""
        before = state_digest(RULES, self.state)
        some = chance(luck)
        for seat in map(Seat, range(self.setup.players)):
            own = self.state.seats[seat]
            may_replace = RULES.is_choosing(self.state) and own.choice is not None
            may_act = seat in RULES.to_act(self.state) or may_replace
            shapes = {self.shape(move) for move in RULES.legal_moves(self.state, seat)}
            keeps = [Keep(tuple(some.sample(PACK, 3))) for _ in range(5)]
            if len(own.hand) >= 4:
                keeps += [Keep(tuple(some.sample(own.hand, count))) for count in (2, 3, 4)]
            for move in (*PLAYS.values(), PICK_UP, *keeps):
                has_cards = move is PICK_UP or set(move.cards) <= set(own.hand)
                expected = has_cards and self.shape(move) in shapes
                if may_replace:
                    expected = has_cards and isinstance(move, Keep) and len(move.cards) == 3
                try:
                    RULES.apply(self.state, seat, move)
                except (IllegalMoveError, NotToActError) as refusal:
                    legal, is_turn_error = False, isinstance(refusal, NotToActError)
                else:
                    legal, is_turn_error = True, False
                assert legal == expected
                assert is_turn_error == (not may_act)
        assert state_digest(RULES, self.state) == before

    @staticmethod
    def shape(move):
        """What a move is up to GEN-9 equivalence."""
        if isinstance(move, Play | Keep):
            return (type(move), *sorted(RANK_OF[card] for card in move.cards))
        return move

    @rule(text=st.text(max_size=12) | st.sampled_from(["play 7", "all 2", "take", "keep 2 3 4"]))
    def say_something(self, text):
        before = self.state
        for seat in map(Seat, range(self.setup.players)):
            may_choose = RULES.is_choosing(before) and seat not in before.resigned
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
        for move in (PICK_UP, Keep(PACK[:3]), Play(PACK[:1])):
            with pytest.raises(NotToActError):
                RULES.apply(self.state, seat, move)
        with pytest.raises(EngineError):
            RULES.resign(self.state, seat)
        assert RULES.forced_move(self.state) is None

    # --- what always holds -------------------------------------------------------------------

    @invariant()
    def cards_are_conserved(self):
        assert sorted(all_cards(self.state)) == sorted(PACK)
        for own in self.state.seats:
            assert set(own.known) <= set(own.hand)
            assert own.choice is None or set(own.choice) <= set(own.hand)
            assert len(own.reserve) in (0, 3)

    @invariant()
    def somebody_can_act_until_it_is_over(self):
        to_act = RULES.to_act(self.state)
        assert (RULES.outcome(self.state) is None) == bool(to_act)
        assert RULES.is_choosing(self.state) or len(to_act) <= 1
        for seat in map(Seat, range(self.setup.players)):
            moves = list(RULES.legal_moves(self.state, seat))
            assert bool(moves) == (seat in to_act)
            assert len({self.shape(move) for move in moves}) == len(moves)

    @invariant()
    def max_plies_is_never_passed(self):
        limit = self.setup.options["max_plies"]
        if limit:
            # Choices that are made together may pass it as a whole (GEN-8).
            assert self.state.deal_ply <= max(limit, self.setup.players)
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
        mix = chance(RULES.ply(self.state)).shuffle
        for viewer in (None, *range(self.setup.players)):
            other = exchanged(self.state, viewer, mix)
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
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-6", "GEN-8", "GEN-12", "GEN-16", "CAT-20")
def test_cathedral_keeps_its_promises():
    """Conservation, liveness, purity, legality, secret choices, hidden cards, replay, max_plies."""
    run_state_machine_as_test(
        CathedralMachine, settings=settings(max_examples=60, stateful_step_count=30, deadline=None)
    )
