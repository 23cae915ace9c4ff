"""What the rulesets of the program do in the same way.

`BaseRuleset` is the base of their classes. `engine.api.Ruleset` is the interface; a game of its own
package may implement that directly.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Mapping
from typing import Any, ClassVar, TypeAlias, cast

from engine import rulebook
from engine.api import AnyRuleset, OptionSpec, OptionValue, RulesetId, Seat
from engine.errors import NotToActError
from engine.options import check_names, check_players
from engine.sentences import sentence

Options: TypeAlias = dict[str, OptionValue]


def need_running(is_over: bool) -> None:
    """Refuse anything in a game that is over. Raises: NotToActError."""
    if is_over:
        raise NotToActError(sentence("the game is over"))


def need_seat(
    is_over: bool, players: int, resigned: Container[int], seat: Seat, *, again: bool = False
) -> None:
    """Refuse a seat that is not in a running game. Raises: NotToActError.

    Args:
        is_over: the game has ended.
        players: number of seats.
        resigned: seats that have resigned.
        seat: who wants to act.
        again: the seat wants to resign.
    """
    need_running(is_over)
    if not 0 <= seat < players:
        raise NotToActError(sentence("there is no seat {seat} at this table", seat=seat))
    if seat in resigned:
        left = sentence("this seat has resigned")
        raise NotToActError(sentence("this seat has already resigned") if again else left)


class BaseRuleset:
    """A ruleset whose states have a `ply`, and which lists every legal move."""

    id: ClassVar[RulesetId]
    title: ClassVar[str]
    players: ClassVar[range]
    options: ClassVar[tuple[OptionSpec, ...]]

    @abstractmethod
    def checked(self, players: int, given: Mapping[str, OptionValue]) -> Options:
        """Return the complete options of a possible table. Raises: SetupError."""

    @abstractmethod
    def rules_source(self, its: rulebook.Terms) -> str:
        """Return the rules for players as source for `rulebook.layout`."""

    def check_options(self, players: int, given: Mapping[str, OptionValue]) -> Options:
        """Complete and check options and the number of seats (GEN-14). Raises: SetupError."""
        check_players(players, self.players, self.title)
        check_names(given, self.options, self.title)
        return self.checked(players, given)

    def is_choosing(self, state: Any) -> bool:  # noqa: ANN401
        """True if the seats to act choose secretly (GEN-6); False in a game without such choices."""
        return False

    def is_list_complete(self, state: Any, seat: Seat) -> bool:  # noqa: ANN401
        """True if the list of legal moves is complete up to GEN-9 equivalence."""
        return True

    def ply(self, state: Any) -> int:  # noqa: ANN401
        """Return the number of plies so far."""
        return int(state.ply)

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: rulebook.Say = str,
    ) -> str:
        """Return the rules for players, with the options in force. Raises: SetupError."""
        its = rulebook.terms(cast("AnyRuleset", self), players, options)
        return rulebook.layout(self.rules_source(its), say)
