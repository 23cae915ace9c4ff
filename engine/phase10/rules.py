"""Rulesets `phase10` and `phase10-family`, version 1: lay down ten phases.

Both rulesets share this code. Where the family rules differ (P10-18, P10-20, P10-22), the function
that implements the rule checks `is_family`. Where the rule book is ambiguous, this version
interprets it as follows:

- A hand is kept in documented order: red 1 to 12, blue, green, yellow, wilds, skips.
- If only the top discard is left, `draw` takes it and is logged as `take`. If no card is available
  at all, `draw` is the only legal move and the turn continues without a card (P10-11).
- Groups that fit several parts of a phase are assigned in the written order. Equal parts (two sets
  of three) are logged in the written order (P10-9).
- The canonical text of a hit on a run contains the end for a wild, but not for a number card
  (P10-16).
- A number without a colour means the first such card in documented order. In a colour group it has
  the colour in which the hand contains all named numbers. A discard without a colour is ambiguous
  while a seat is at phase 8 or a colour group is on the table, since only then colour matters
  (GEN-9).
- A skip without a named seat affects the only seat that can be named. A wrong seat is refused even
  if no seat can be named.
- The mark of an official skip ends when play passes the seat that discarded it. The mark of a
  family skip ends when the skipped seat begins a turn (P10-20).
- The draw after a family skip as the last card (P10-22) restocks an empty stock first.
- Only finished hands give points, also in the stopping score. A phase laid down in the current hand
  counts as completed (P10-14, P10-31). `max_plies` counts the plies of the whole game. If the last
  of them ends a hand, the hand is scored and no other hand is dealt.
- With `ten_hands`, phases do not count in the ranking (P10-V1).
- Seats that share first place play a tie-break. If all but one of them resign, the remaining seat
  wins. A tied seat that resigns ranks behind all seats that stay. A seat that is not tied keeps its
  rank if it resigns (GEN-7, P10-26).
- The "everybody is silent" rule of GEN-7 is checked when a turn ends and when a seat resigns. The
  record of turns continues from hand to hand and into a tie-break.
- Forced moves under `public` (GEN-11) are the only way to draw, and the only legal move of a hand
  whose cards are all known to everyone.
- If several beginnings of a phase (P10-29) or lay-downs (P10-30) are equally good, the first in
  documented order is used, compared card by card, group after group.
- A group that has only wilds (P10-V4) stores its number until a number card is added. The finder
  proposes such a group only for a hand with one number card, because with two of them each group
  gets one.
- Among equal cards, known ones leave the hand first (P10-32), for any kind of move.

Facts are public unless an audience is named. `seat` is the seat that a fact is about:

- `dealt` (seat: the starting seat): `deal` from 0, `dealer`, `phases` per seat (None for a seat
  that is not in this deal), `starter`, `stock_size`. To each seat alone: `deal`, `hand`. If the
  starter is a skip, `skipped` follows (P10-5).
- `drew`: `count` 1. To the seat alone: `count`, `cards`. `took`: `card`. `no_draw`: no data.
- `restocked`: `stock_size`.
- `laid`: `phase`, `groups` (`kind`, `cards`, and for groups of wilds only `as`: the number of a
  set, or the lowest number of a run). `hit`: `card`, `owner`, `group`, `end` (None except for
  runs), `cards` of the group afterwards, and `as` for groups of wilds only.
- `discarded`: `card`, `named` (the seat that a skip names, or None). `skipped` (seat: the seat that
  lost a turn).
- `went_out`. `floated`. `resigned`: `seen` (its cards that everyone knew), `unseen_count`.
- `deal_over` (seat: the winner or None): `deal`, `winner`, `points` per seat (None if none
  counted), `scores` per seat, `laid` per seat. `tie_break`: `seats`.
- `stopped`: `cause` (`silence`, `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.api import JsonObject, OptionSpec, OptionValue, RulesetId, Seat, Setup, left_of
from engine.errors import SetupError
from engine.options import (
    AUTO_FORCED_SPEC,
    DEALER_SPEC,
    choice,
    flag,
    not_allowed,
    number,
    show,
    special,
)
from engine.phase10 import forms, moves, orders, record, text
from engine.phase10.groups import PHASES
from engine.phase10.moves import Move
from engine.phase10.state import ALL_PHASES, DECKS, EVEN_PHASES, NATURALS, State
from engine.phase10.turn import Turns
from engine.rulebook import Terms
from engine.ruleset import Options
from engine.sentences import sentence


def _valid_phases(spec: OptionSpec, value: object) -> list[int]:
    if not isinstance(value, list):
        problem = show(value)
    elif not all(type(phase) is int and phase in PHASES for phase in value):
        problem = sentence("something else in the list")
    elif value and all(low < high for low, high in pairwise(value)):
        return [*value]
    elif value:
        problem = sentence("a list in another order, or with a phase twice")
    else:
        problem = sentence("an empty list")
    raise not_allowed(spec, problem)


def _count(players: int, given: Mapping[str, OptionValue]) -> int:
    """Return the length of the list of phases, or 1 if the list is invalid."""
    phases = given.get("phases", list(ALL_PHASES))
    if given.get("even_only") is True:
        return len(EVEN_PHASES)
    return len(phases) if isinstance(phases, list) else 1


SPECS: tuple[OptionSpec, ...] = (
    DEALER_SPEC,
    special(
        "phases",
        list(ALL_PHASES),
        sentence("a list of different numbers from 1 to 10, ascending, not empty"),
        "the phases that are played",
        _valid_phases,
    ),
    flag(
        "even_only",
        sentence("true, false; not together with phases"),
        "play phases 2, 4, 6, 8, 10",
    ),
    number(
        "phases_to_win",
        None,
        sentence("1 to the length of the list of phases"),
        "play only so many phases of the list (all of them)",
        least=1,
        most=_count,
        usual=_count,
    ),
    flag("ten_hands", "true, false", "one hand per phase, whoever made it; lowest total wins"),
    choice("deck", DECKS, "the cards that people read and write; the game is the same"),
    choice(
        "naturals",
        NATURALS,
        "what needs a number card beside its wilds: each group, or only the whole phase (P10-V4)",
    ),
    number(
        "max_plies",
        10_000,
        sentence("0 (no limit) to 1000000"),
        "plies after which the game is stopped (P10-31)",
    ),
    AUTO_FORCED_SPEC,
)


_TURNS = {10: {2: 342, 3: 425, 4: 523, 6: 658}, 5: {2: 143, 3: 151, 4: 157, 6: 175}}
"""Average number of turns with simple players, by phases to win and number of players."""


class Phase10(Turns):
    """The rulesets of Phase 10. Their decisions are listed in the module docstring."""

    id = RulesetId("phase10", 1)
    title = "Phase 10"
    players = range(2, 7)
    is_family = False
    options = SPECS
    order_words = forms.ORDER_WORDS

    def check_together(self, options: Options) -> None:
        """Reject a list of phases together with `even_only`. Raises: SetupError.

        `naturals` was added after the release. Its default is omitted, so that the options of
        existing games stay the same (GEN-1).
        """
        if options["even_only"] and options["phases"] != list(ALL_PHASES):
            raise SetupError(
                sentence(
                    "option even_only: not together with phases; name the phases or ask for the even ones"
                ),
                rule="GEN-14",
            )
        if options["naturals"] == NATURALS[0]:
            del options["naturals"]

    def rules_source(self, its: Terms) -> str:
        """Return the source of the rules for players."""
        return text.rules_source(its, is_family=self.is_family)

    def format_move(self, state: State, seat: Seat, move: Move) -> str:
        """Return the canonical text of a move."""
        return orders.format_move(move)

    def state_from_json(self, setup: Setup, data: JsonObject) -> State:
        """Parse the result of `state_json`. Raises: ReplayError."""
        return record.state_from_json(setup, data, is_family=self.is_family)

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the seat to the left of the last dealer (P10-4)."""
        return left_of(state.dealer, state.setup.players)

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the expected number of turns of a game with simple players."""
        phases = options["phases_to_win"]
        if options["ten_hands"] or not isinstance(phases, int):
            return None
        return _TURNS.get(phases, {}).get(players)

    def is_list_complete(self, state: State, seat: Seat) -> bool:
        """True if `legal_moves` is complete. Only lay-downs can be missing."""
        return moves.is_list_complete(state, seat)

    legal_moves = staticmethod(moves.legal_moves)
    reads_as_order = staticmethod(orders.reads_as_order)
    read_order = staticmethod(orders.read_order)
    only_move = staticmethod(moves.only_move)
    cautious_move = staticmethod(moves.standby_move)
    state_json = staticmethod(record.state_json)
    view = staticmethod(record.view)


class Family(Phase10):
    """The family rules. The differences depend on `is_family`."""

    id = RulesetId("phase10-family", 1)
    title = sentence("Phase 10, family rules")
    is_family = True


OFFICIAL = Phase10()
FAMILY = Family()
