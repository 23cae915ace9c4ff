"""Ruleset `ohhell`, version 1: bid how many tricks you take, and take exactly that many.

The game is in the public domain and has many forms. This version reads it so:

- The deals go down from `cards` to one; `course` turns that round, or goes down and up again.
- A bid that is not made exactly scores nothing, a bid that is made 10 and one for each trick.
- The last bidder is bound by the hook (OHH-6) also where the dealer has left.
- Each bid and each card is a turn of its own for silence (GEN-7). A game that is stopped is ranked by
  the points of its finished deals. The number of plies is known beforehand, so there is no
  `max_plies` (GEN-8).
- Forced moves (GEN-11): under `public` a bid or the last card of a hand.
- Deal k is dealt with shuffle k, both from 0 (GEN-2).

Facts, public unless an audience is named; `seat` is whom they are about:

- `dealt` (seat: who bids first): `deal` from 0, `dealer`, `cards`, `trump`; and to each seat alone:
  `deal`, `hand`.
- `bid`: `tricks`. `played`: `card`. `trick` (seat: who takes it): `card`.
- `deal_over`: `deal`, and by seat `bids`, `tricks`, `points`, `scores`.
- `resigned`: `unseen_count`. `stopped`: `cause` (`silence`, `agreed`).
- `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import rulebook
from engine.api import OptionSpec, OptionValue, RulesetId, Seat, left_of
from engine.options import (
    AUTO_FORCED_SPEC,
    DEALER_SPEC,
    check_auto_forced,
    check_choice,
    check_dealer,
    check_int,
    check_names,
    check_players,
    not_allowed,
    show,
)
from engine.sentences import sentence
from pbem_oh_hell import orders, play, text, view
from pbem_oh_hell.state import State, sizes

COURSES = ("down", "up", "both")
_CARDS = OptionSpec("cards", 5, sentence("1 to 7"), "cards in the largest hands (OHH-2)")
_COURSE = OptionSpec(
    "course", "down", ", ".join(COURSES), "how the size of the hands changes (OHH-2)"
)
_HOOK = OptionSpec("hook", True, "true, false", "the last bid cannot make the bids fit (OHH-6)")


class OhHell:
    """The rules behind the interface of all games; see the module docstring."""

    id = RulesetId("ohhell", 1)
    title = "Oh Hell"
    players = range(3, 8)
    """OHH-1."""
    options = (DEALER_SPEC, _CARDS, _COURSE, _HOOK, AUTO_FORCED_SPEC)
    order_words = orders.ORDER_WORDS

    def check_options(
        self, players: int, given: Mapping[str, OptionValue]
    ) -> dict[str, OptionValue]:
        """Complete and check the options (GEN-14, OHH-1). Raises: SetupError."""
        check_players(players, self.players, self.title)
        check_names(given, self.options, self.title)
        hook = given.get("hook", True)
        if not isinstance(hook, bool):
            raise not_allowed(_HOOK, show(hook))
        return {
            "dealer": check_dealer(given, players),
            "cards": check_int(given, _CARDS, default=5, least=1, most=7),
            "course": check_choice(given, _COURSE, default="down", choices=COURSES),
            "hook": hook,
            "auto_forced": check_auto_forced(given),
        }

    def is_choosing(self, state: State) -> bool:
        """Return False: bids are made openly, one after the other."""
        return False

    def ply(self, state: State) -> int:
        """Return the number of bids and cards so far."""
        return state.ply

    def is_list_complete(self, state: State, seat: Seat) -> bool:
        """Return True: the list has every legal move."""
        return True

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the seat at the left of the last dealer (OHH-3)."""
        return left_of(state.dealer, state.setup.players)

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the number of bids and cards; a few of them are forced."""
        return players * sum(cards + 1 for cards in sizes(options))

    def rules_text(
        self,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        say: rulebook.Say = str,
    ) -> str:
        """Return the rules for players, with the options in force. Raises: SetupError."""
        return text.rules_text(rulebook.terms(self, players, options), say)

    start = staticmethod(play.start)
    to_act = staticmethod(view.to_act)
    legal_moves = staticmethod(play.legal_moves)
    apply = staticmethod(play.apply)
    resign = staticmethod(play.resign)
    stop = staticmethod(play.stop)
    outcome = staticmethod(play.outcome)
    standby_move = staticmethod(play.standby_move)
    forced_move = staticmethod(play.forced_move)
    only_move = staticmethod(play.only_move)
    reads_as_order = staticmethod(orders.reads_as_order)
    parse_order = staticmethod(orders.parse_order)
    format_move = staticmethod(orders.format_move)
    state_json = staticmethod(view.state_json)
    state_from_json = staticmethod(view.state_from_json)
    view = staticmethod(view.view)
