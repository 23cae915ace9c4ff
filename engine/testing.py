"""Test that a ruleset keeps the contract of `engine.api.Ruleset`.

A game subclasses `Table` and overrides the methods in which it differs. `random_game` plays a
random game, and `state_machine` lets Hypothesis choose the steps. No other module of the engine
imports this one, and only `state_machine` needs Hypothesis.

    class MyTable(Table):
        rulesets = (RULES,)

    def test_random_games_keep_the_contract():
        for number in range(30):
            random_game(MyTable(Random(number)))

    def test_the_contract():
        run_state_machine_as_test(state_machine(MyTable))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from engine.api import AnyRuleset, OptionValue, Seat, Setup, Shuffle, Source, Step
from engine.errors import IllegalMoveError, NotToActError, OrderError
from engine.replay import Entry, GameLog, MoveEntry, ResignEntry, final_state, state_digest
from engine.ruleset import public_move

if TYPE_CHECKING:
    from hypothesis.stateful import RuleBasedStateMachine

T = TypeVar("T")


class Luck(Protocol):
    """The methods of `random.Random` that a table uses. It does not affect the deals (GEN-2)."""

    def random(self) -> float:
        """Return a number from 0 to 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return a random item."""

    def randbytes(self, n: int, /) -> bytes:
        """Return `n` random bytes."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Shuffle the items in place."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return `k` different random items."""

    def randrange(self, start: int, stop: int, /) -> int:
        """Return a random number from `start` to `stop - 1`."""


class Table:
    """A game whose every step is checked against the contract of `engine.api.Ruleset`.

    Attributes:
        rulesets: the rulesets from which one is drawn.
        orders: example orders of players, which are parsed in any position.
        left: the seats that have resigned.
        tried: a move of each type that was made in this game.
    """

    rulesets: ClassVar[Sequence[AnyRuleset]]
    orders: ClassVar[Sequence[str]] = ()

    def __init__(self, luck: Luck) -> None:
        self.luck = luck
        self.rules = luck.choice(self.rulesets)
        players = luck.choice(self.rules.players)
        options = self.rules.check_options(players, self.some_options(players))
        self.setup = Setup(players, luck.randbytes(32), options)
        self.entries: list[Entry] = []
        self.shuffles: list[Shuffle] = []
        self.left: set[Seat] = set()
        self.tried: dict[type, Any] = {}
        self.state: Any = None
        self._follow(self.rules.start(self.setup))

    # --- what a game may override

    def some_options(self, players: int) -> Mapping[str, OptionValue]:
        """Return random options, drawn with `self.luck`."""
        return {}

    def exchanged(self, viewer: Seat | None) -> Any:  # noqa: ANN401  (a state of any game)
        """Return a state that differs only in data that the viewer cannot know."""
        return self.state

    def check(self) -> None:
        """Assert the invariants of this game's positions, e.g. that no card is lost."""

    def shape(self, move: Any) -> object:  # noqa: ANN401  (a move of any game)
        """Return a key that is equal for equivalent moves, of which only one is listed (GEN-9)."""
        return move

    def may_act(self, seat: Seat) -> bool:
        """True if a seat may act, also to replace its secret choice (GEN-6)."""
        return seat in self.rules.to_act(self.state)

    def choosers(self) -> int:
        """Return the number of seats that make a secret choice together."""
        return self.setup.players - len(self.left)

    def choose(self, seat: Seat, moves: Sequence[Any]) -> Any:  # noqa: ANN401
        """Choose a random move from the legal moves."""
        return self.luck.choice(moves)

    def moves_to_try(self, seat: Seat) -> Iterable[tuple[Any, bool]]:
        """Yield moves, legal or not, and whether each is legal."""
        for move in self.rules.legal_moves(self.state, seat):
            yield move, True

    # --- what may happen

    @property
    def is_running(self) -> bool:
        """True until the game ends."""
        return bool(self.rules.to_act(self.state))

    @property
    def seats(self) -> Iterable[Seat]:
        """Return all seats."""
        return map(Seat, range(self.setup.players))

    def play(self) -> None:
        """Make a random legal move if the game is running."""
        if self.is_running:
            seat = self.luck.choice(self.rules.to_act(self.state))
            moves = list(self.rules.legal_moves(self.state, seat))
            self.make(seat, self.choose(seat, moves), self.luck.choice([*Source]))

    def stand_by(self) -> None:
        """Make the standby move of a seat (GEN-7) if the game is running."""
        if self.is_running:
            seat = self.luck.choice(self.rules.to_act(self.state))
            move = self.rules.standby_move(self.state, seat)
            listed = map(self.shape, self.rules.legal_moves(self.state, seat))
            assert self.shape(move) in listed or not self.rules.is_list_complete(self.state, seat)
            self.make(seat, move, Source.STANDBY)

    def force(self) -> None:
        """Make the forced move if there is one (GEN-11)."""
        if forced := self.rules.forced_move(self.state):
            seat, move = forced
            assert not self.rules.is_choosing(self.state)
            assert list(self.rules.legal_moves(self.state, seat)) == [move]
            self.make(seat, move, Source.FORCED)

    def resign(self, seat: Seat) -> None:
        """Let a seat resign. Expect a refusal if it has left or the game has ended."""
        was_running, was_choosing = self.is_running, self.rules.is_choosing(self.state)
        ply = self.rules.ply(self.state)
        try:
            step = self.rules.resign(self.state, seat)
        except NotToActError:
            assert not was_running or seat in self.left
        else:
            assert was_running
            assert seat not in self.left
            assert self.rules.ply(step.state) == ply or was_choosing
            self.left.add(seat)
            self.entries.append(ResignEntry(seat))
            self._follow(step)

    def make(self, seat: Seat, move: Any, source: Source) -> None:  # noqa: ANN401
        """Make a legal move.

        Assert that `apply` is pure, that the move's text can be parsed, and that the move counts as
        a ply (GEN-8).
        """
        rules, before = self.rules, self.state
        step = rules.apply(before, seat, move, source)
        assert rules.apply(before, seat, move, source) == step
        text = rules.format_move(before, seat, move)
        assert rules.reads_as_order(text)
        assert rules.parse_order(before, seat, text) == move
        plies = rules.ply(step.state) - rules.ply(before)
        if rules.is_choosing(before):
            self._check_choice(seat, step, plies)
        else:
            assert plies == 1
        self.tried[type(move)] = move
        self.entries.append(MoveEntry(seat, text, source))
        self._follow(step)

    def _check_choice(self, seat: Seat, step: Step[Any], plies: int) -> None:
        """Assert that the choices stay secret until the last one (GEN-6)."""
        waiting = self.rules.to_act(self.state)
        is_first = seat in waiting
        public = [(f.kind, f.seat, f.data) for f in step.facts if f.audience is None]
        assert public[:1] == ([("chosen", seat, {})] if is_first else [])
        if {*waiting} - {seat}:
            assert (plies, len(public)) == (0, is_first)
            for viewer in (None, *self.seats) if not is_first else ():
                is_own = viewer == seat
                views = [self.rules.view(state, viewer) for state in (step.state, self.state)]
                assert is_own or views[0] == views[1]
        else:
            assert plies == self.choosers()

    def _follow(self, step: Step[Any]) -> None:
        self.state = step.state
        self.shuffles += step.shuffles
        json.dumps([fact.data for fact in step.facts])

    # --- what must not happen

    def try_moves(self) -> None:
        """Assert that legal moves of all seats are accepted and all other moves refused."""
        before = state_digest(self.rules, self.state)
        for seat in self.seats:
            for move, is_legal in self.moves_to_try(seat):
                expected = "refused" if self.may_act(seat) else "not to act"
                assert self._verdict(seat, move) == ("made" if is_legal else expected), move
            for move in self.tried.values() if not self.may_act(seat) else ():
                assert self._verdict(seat, move) == "not to act", move
        assert state_digest(self.rules, self.state) == before

    def _verdict(self, seat: Seat, move: Any) -> str:  # noqa: ANN401
        try:
            self.rules.apply(self.state, seat, move)
        except NotToActError:
            return "not to act"
        except IllegalMoveError:
            return "refused"
        return "made"

    def speak(self, text: str) -> None:
        """Assert that a text of each seat is parsed into a move or raises the proper error."""
        for seat in self.seats:
            try:
                move = self.rules.parse_order(self.state, seat, text)
            except NotToActError:
                assert not self.may_act(seat)
            except (OrderError, IllegalMoveError):
                assert self.may_act(seat)
            else:
                assert self.rules.format_move(self.state, seat, move)

    # --- what always holds

    def check_position(self) -> None:
        """Assert the invariants of positions of all games, and those of this game."""
        rules, state = self.rules, self.state
        to_act = rules.to_act(state)
        assert (rules.outcome(state) is None) == bool(to_act)
        assert rules.is_choosing(state) or len(to_act) <= 1
        for seat in self.seats:
            moves = list(rules.legal_moves(state, seat))
            assert bool(moves) == (seat in to_act)
            assert len({self.shape(move) for move in moves}) == len(moves)
        assert [opened.number for opened in self.shuffles] == [*range(len(self.shuffles))]
        data = json.loads(json.dumps(rules.state_json(state)))
        assert rules.state_from_json(self.setup, data) == state
        for viewer in (None, *self.seats) if to_act else ():
            other = self.exchanged(viewer)
            assert rules.view(other, viewer) == rules.view(state, viewer)
            # an automatic move must not disclose a hand (GEN-16)
            assert (public_move(rules, other) is None) == (public_move(rules, state) is None)
        if not to_act:
            self._check_end()
        self.check()

    def _check_end(self) -> None:
        """Assert that a finished game accepts no moves and ranks every seat."""
        assert self.rules.forced_move(self.state) is None
        assert not any(map(self.may_act, self.seats))
        self.speak("")
        outcome = self.rules.outcome(self.state)
        assert outcome is not None
        assert sorted(seat for group in outcome.ranking for seat in group) == [*self.seats]
        for seat in self.seats:
            assert {self._verdict(seat, move) for move in self.tried.values()} <= {"not to act"}
            for act in (self.rules.resign, self.rules.standby_move):
                try:
                    act(self.state, seat)
                except NotToActError:
                    continue
                raise AssertionError(f"seat {seat} could act after the end")

    def replay(self) -> GameLog:
        """Return the log of the game, and assert that it replays to the same position (GEN-1)."""
        log = GameLog(self.rules, self.setup, tuple(self.entries))
        again = final_state(log)
        assert state_digest(self.rules, again) == state_digest(self.rules, self.state)
        return log


def random_game(table: Table, resigning: float = 0.01) -> GameLog:
    """Play a game at a new table to its end and return its log.

    Args:
        resigning: probability that a seat resigns instead of a move.
    """
    luck = table.luck
    while table.is_running:
        table.check_position()
        table.try_moves()
        chance = luck.random()
        if chance < resigning:
            table.resign(luck.choice([seat for seat in table.seats if seat not in table.left]))
        elif chance > 0.9:  # noqa: PLR2004  (one of ten)
            table.stand_by()
        else:
            table.play()
    table.check_position()
    return table.replay()


def state_machine(table: type[Table], max_times: int = 12) -> type[RuleBasedStateMachine]:
    """Return a state machine for `hypothesis.stateful.run_state_machine_as_test`.

    Args:
        max_times: maximum number of moves in one step.
    """
    from hypothesis import strategies as st  # noqa: PLC0415  (the engine runs without it)
    from hypothesis.stateful import (  # noqa: PLC0415
        RuleBasedStateMachine,
        initialize,
        invariant,
        precondition,
        rule,
    )

    times, seats = st.integers(1, max_times), st.integers(0, 9)
    texts = st.text(max_size=12)
    if table.orders:
        texts |= st.sampled_from(table.orders)

    class Machine(RuleBasedStateMachine):
        table: Table

        @initialize(luck=st.randoms(use_true_random=True))
        def begin(self, luck: Luck) -> None:
            self.table = table(luck)

        @rule(times=times)
        def play(self, times: int) -> None:
            for _ in range(times):
                self.table.play()

        @rule(times=times)
        def stand_by(self, times: int) -> None:
            for _ in range(times):
                self.table.stand_by()

        @precondition(lambda self: self.table.rules.forced_move(self.table.state) is not None)
        @rule()
        def force(self) -> None:
            self.table.force()

        @rule(seat=seats)
        def resign(self, seat: int) -> None:
            self.table.resign(Seat(seat % self.table.setup.players))

        @rule()
        def try_moves(self) -> None:
            self.table.try_moves()

        @rule(text=texts)
        def speak(self, text: str) -> None:
            self.table.speak(text)

        @invariant()
        def check_position(self) -> None:
            self.table.check_position()

        def teardown(self) -> None:
            if hasattr(self, "table"):
                self.table.replay()

    return Machine
