"""Common base class of the built-in rulesets.

`engine.api.Ruleset` is the interface. Games in separate packages may implement it directly.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias, cast

from engine import rulebook
from engine.api import (
    AnyRuleset,
    JsonObject,
    JsonValue,
    OptionSpec,
    OptionValue,
    Outcome,
    RulesetId,
    Seat,
    Step,
)
from engine.errors import NotToActError
from engine.options import check_names, check_players
from engine.position import BaseDraft
from engine.ranking import Groups, rank_by
from engine.sentences import all_of, sentence
from engine.silence import is_silent

Options: TypeAlias = dict[str, OptionValue]
AnyState: TypeAlias = Any
AnyDraft: TypeAlias = Any
Table: TypeAlias = Any
"""A state or a draft of it. Every game has `setup`, `ply`, `turns`, `resigned` and `reason`."""
AnyMove: TypeAlias = Any


def need_running(table: Table) -> None:
    """Reject any action in a game that has ended. Raises: NotToActError."""
    if table.reason is not None:
        raise NotToActError(sentence("the game is over"))


def public_move(rules: AnyRuleset, state: AnyState) -> tuple[Seat, AnyMove] | None:
    """Return the only legal move if everyone at the table can deduce it, or None.

    The ruleset's method `only_move` decides. A ruleset without this method has no such moves.
    """
    only_move = getattr(rules, "only_move", None)
    return None if only_move is None else only_move(state, "public")


class BaseRuleset:
    """Base class of rulesets whose states have a `ply`.

    Its methods suit games in which one seat acts at a time and all moves are listed. Phase 10 and
    Phalanx override `is_list_complete`. Games with secret choices override `to_act` and
    `is_choosing`.
    """

    id: ClassVar[RulesetId]
    title: ClassVar[str]
    players: ClassVar[range]
    options: ClassVar[tuple[OptionSpec, ...]]
    read_order: ClassVar[staticmethod[[AnyState, Seat, str], AnyMove]]
    """Parse an order of a seat that may act. Raises the same errors as `parse_order`."""
    draft: ClassVar[staticmethod[[AnyState], AnyDraft]]
    """Return a draft of a state."""
    cautious_move: ClassVar[staticmethod[[AnyState, Seat], AnyMove]]
    """Return the move for a silent seat that must act (GEN-7)."""

    choice_made: ClassVar[str]
    """The sentence that a seat has made its secret choice. Only for games with such choices."""

    # --- differences between the games ------------------------------------------------------------

    @abstractmethod
    def rules_source(self, its: rulebook.Terms) -> str:
        """Return the rules for players as source for `rulebook.layout`."""

    @abstractmethod
    def rank_key(self, table: Table, seat: Seat) -> tuple[int, ...]:
        """Return the ranking key of a remaining seat, lowest first."""

    @abstractmethod
    def seat_score(self, table: Table, seat: Seat) -> JsonObject:
        """Return the numbers that determine a seat's rank, most important first."""

    @abstractmethod
    def leave(self, draft: AnyDraft, seat: Seat) -> None:
        """Remove a seat that has just resigned from the current deal and apply all consequences."""

    def has_left(self, table: Table, seat: Seat) -> bool:
        """True if a seat counts as resigned."""
        return seat in table.resigned

    def refuse_turn(self, state: AnyState, seat: Seat) -> None:
        """Reject a seat whose turn it is not, with a game-specific reason. Raises: NotToActError."""

    # --- the table --------------------------------------------------------------------------------

    def check_options(self, players: int, given: Mapping[str, OptionValue]) -> Options:
        """Validate options and number of seats, and add defaults (GEN-14). Raises: SetupError."""
        check_players(players, self.players, self.title)
        check_names(given, self.options, self.title)
        checked = {
            row.name: row.check(row, players, given)
            for row in self.options
            if row.check is not None
        }
        self.check_together(checked)
        return checked

    def check_together(self, options: Options) -> None:
        """Reject invalid combinations of options, or adjust options that depend on others."""

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: rulebook.Say = str,
    ) -> str:
        """Return the rules for players, adapted to the options. Raises: SetupError."""
        its = rulebook.terms(cast("AnyRuleset", self), players, options)
        return rulebook.layout(self.rules_source(its), say)

    # --- turns ------------------------------------------------------------------------------------

    def to_act(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seat whose turn it is. Empty after the end."""
        return () if state.to_act is None else (state.to_act,)

    def is_choosing(self, state: AnyState) -> bool:
        """True while the seats that must act make secret choices (GEN-6). False by default."""
        return False

    def is_list_complete(self, state: AnyState, seat: Seat) -> bool:
        """True if `legal_moves` is complete, apart from equivalent moves (GEN-9)."""
        return True

    def ply(self, state: AnyState) -> int:
        """Return the number of plies so far."""
        return int(state.ply)

    def need_player(self, state: AnyState, seat: Seat, *, again: bool = False) -> None:
        """Reject a seat that is not in a running game. Raises: NotToActError.

        Args:
            state: the position.
            seat: the seat that wants to act.
            again: True if the seat wants to resign.
        """
        need_running(state)
        if not 0 <= seat < state.setup.players:
            raise NotToActError(sentence("there is no seat {seat} at this table", seat=seat))
        if seat in state.resigned:
            raise NotToActError(
                sentence("this seat has already resigned")
                if again
                else sentence("this seat has resigned")
            )

    def has_chosen(self, state: AnyState, seat: Seat) -> bool:
        """True if the seat has made a secret choice that is not yet revealed. False by default."""
        return False

    def need_to_act(self, state: AnyState, seat: Seat) -> None:
        """Reject a seat that has nothing to decide. Raises: NotToActError.

        A seat that has made a secret choice may still change it (GEN-6).
        """
        to_act = self.to_act(state)
        if seat in to_act or self.has_chosen(state, seat):
            return
        self.need_player(state, seat)
        self.refuse_turn(state, seat)
        waiting = all_of([sentence("seat {seat}", seat=other) for other in to_act])
        raise NotToActError(sentence("it is the turn of {waiting}", waiting=waiting))

    def standby_move(self, state: AnyState, seat: Seat) -> AnyMove:
        """Return the cautious move for a silent seat (GEN-7). Raises: NotToActError."""
        self.need_to_act(state, seat)
        if seat not in self.to_act(state):
            raise NotToActError(self.choice_made)
        return self.cautious_move(state, seat)

    def parse_order(self, state: AnyState, seat: Seat, text: str) -> AnyMove:
        """Parse one order into a move. The legality of the move is checked when it is applied.

        Raises: NotToActError, InvalidOrderError, AmbiguousOrderError, IllegalMoveError.
        """
        self.need_to_act(state, seat)
        return self.read_order(state, seat, text)

    def only_move(self, state: AnyState, policy: OptionValue) -> tuple[Seat, AnyMove] | None:
        """Return the only legal move if it may be played automatically, or None.

        The default implementation returns None.

        Args:
            state: the position.
            policy: `public` for moves that everyone at the table can deduce, `all` for any only
                move.

        Rules: GEN-11.
        """
        return None

    def forced_move(self, state: AnyState) -> tuple[Seat, AnyMove] | None:
        """Return the forced move to play now because of `auto_forced`, or None (GEN-11)."""
        policy = state.setup.options["auto_forced"]
        return None if policy == "off" else self.only_move(state, policy)

    # --- end of the game --------------------------------------------------------------------------

    def waited_for(self, table: Table) -> Iterable[Seat]:
        """Return the seats that can still win. The game ends when all of them are silent."""
        return self.stayers(table)

    def running_mark(self, draft: AnyDraft) -> int:
        """Return the marks of the plies since the last finished turn."""
        return int(draft.turn)

    def is_silent(self, draft: AnyDraft) -> bool:
        """True if no seat has made a choice in its last two turns (GEN-7)."""
        waited_for = self.waited_for(draft)
        return is_silent(draft.turns, self.running_mark(draft), lambda seat: seat not in waited_for)

    def stop_if_due(self, draft: AnyDraft) -> None:
        """Stop a running game if all seats are silent (GEN-7) or its ply limit is reached (GEN-8)."""
        limit = draft.setup.number("max_plies")
        if draft.reason is not None:
            return
        if self.is_silent(draft):
            self.stop_game(draft, "silence")
        elif 0 < limit <= self.counted_plies(draft):
            # Several simultaneous choices may exceed the limit.
            self.stop_game(draft, "max_plies")

    def counted_plies(self, draft: AnyDraft) -> int:
        """Return the number of plies that `max_plies` limits, by default those of the whole game."""
        return int(draft.ply)

    def resign(self, state: AnyState, seat: Seat) -> Step[Any]:
        """Remove a seat that resigned or was removed from the game (GEN-7). Raises: NotToActError."""
        self.need_player(state, seat, again=True)
        draft = self.draft(state)
        draft.resigned = (*state.resigned, seat)
        self.leave(draft, seat)
        step: Step[Any] = draft.finish()
        return step

    def stop(self, state: AnyState) -> Step[Any]:
        """End the game and rank it by the stopping score (GEN-8). Raises: NotToActError."""
        need_running(state)
        draft: BaseDraft[Any] = self.draft(state)
        self.stop_game(draft, "agreed")
        return draft.finish()

    def stop_game(self, draft: AnyDraft, cause: str) -> None:
        """Stop the game early: `silence` (GEN-7), `max_plies` or `agreed` (GEN-8)."""
        draft.tell("stopped", None, {"cause": cause})
        self.end_game(draft, "stopped")

    def end_game(self, draft: AnyDraft, reason: str) -> None:
        """End the game. All cards may be revealed from now on (GEN-15)."""
        draft.reason = reason
        ranking = [list(group) for group in self.ranking(draft)]
        result = {"reason": reason, "ranking": ranking, "scores": self.scores(draft)}
        draft.tell("game_over", None, result)

    def stayers(self, table: Table) -> list[Seat]:
        """Return the seats that are still in the game, in ascending order."""
        return [s for s in map(Seat, range(table.setup.players)) if not self.has_left(table, s)]

    def ranking(self, table: Table) -> Groups:
        """Rank the remaining seats, followed by the resigned ones, latest first (GEN-7, GEN-17)."""
        groups = rank_by(self.stayers(table), lambda seat: self.rank_key(table, seat))
        gone = [(seat,) for seat in reversed(table.resigned) if self.has_left(table, seat)]
        return (*groups, *gone)

    def scores(self, table: Table) -> JsonValue:
        """Return the numbers that determine the ranking, per seat."""
        return [
            {**self.seat_score(table, seat), "resigned": self.has_left(table, seat)}
            for seat in map(Seat, range(table.setup.players))
        ]

    def outcome(self, state: AnyState) -> Outcome | None:
        """Return the result of a game that has ended, or None."""
        if state.reason is None:
            return None
        return Outcome(self.ranking(state), state.reason, self.scores(state))
