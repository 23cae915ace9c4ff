"""Rulesets `phase10` and `phase10-family`, version 1: lay down ten phases.

There is one engine. Where the family rules differ (P10-18, P10-20, P10-22) the function that
implements the rule asks the state which rules are played. Where the rule book is ambiguous, this
version reads it as follows:

- A hand is kept in documented order: red 1 to 12, blue, green, yellow, wilds, skips.
- `draw` where only the top discard is left takes it, and the log has `take`. Where there is nothing
  to draw or take, `draw` is the only legal move and the turn goes on without a card (P10-11).
- Groups that fit more than one part of a phase go as they were written. Equal parts (two sets of
  three) are logged in the written order (P10-9).
- A wild hit onto a run always carries its end in the canonical text, a natural card never (P10-16).
- A bare number is the first such card in documented order. In a colour group it has the colour of
  which all the named numbers are held. A discard without a colour is ambiguous while a seat is at
  phase 8 or a colour group is on the table, since colour only matters then (GEN-9).
- A skip without a name names the only seat that can be named. A wrong name is refused even if no
  seat can be named.
- The mark of an official skip ends when play passes the place of the seat that discarded it. The
  mark of a family skip ends when the skipped seat begins a turn (P10-20).
- A card drawn for a family skip that was the last one (P10-22) may restock the stock first.
- Points are those of finished hands, in the stopping score too. A phase laid down in the running
  hand counts as completed (P10-14, P10-31). `max_plies` counts the plies of the whole game: if that
  ply ends a hand, the hand is scored and no other is dealt.
- In `ten_hands` phases do not count in the ranking (P10-V1).
- The seats that share the first place play off the tie. If all but one of them resign, the
  remaining seat has won. A tied seat that resigns ranks behind all seats that stay. A seat that is
  not tied has earned its place and keeps it when it resigns (GEN-7, P10-26).
- "Everybody is silent" (GEN-7) is checked when a turn ends and when a seat resigns. The record of
  turns continues from hand to hand and into a tie-break.
- Forced under `public` (GEN-11): the only way to draw, and the only legal move of a hand of which
  everyone knows every card.
- If several beginnings of a phase (P10-29) or lay-downs (P10-30) are equally good, the first in
  documented order counts, compared card by card, group after group.
- A group of wilds alone (P10-V4) stores its number until a number card is hit onto it. The
  finder proposes such a group only for a hand with one number card: with two, each group has one.
- Of equal cards the known card leaves the hand first (P10-32), for any kind of move.

Facts, all public unless an audience is named. `seat` is the seat that a fact is about:

- `dealt` (seat: who starts): `deal` from 0, `dealer`, `phases` per seat (None: not in this deal),
  `starter`, `stock_size`, and to each seat alone: `deal`, `hand`. A `skipped` after it was caused
  by the starter (P10-5).
- `drew`: `count` 1, and to the seat alone: `count`, `cards`. `took`: `card`. `no_draw`: nothing.
- `restocked`: `stock_size`.
- `laid`: `phase`, `groups` (`kind`, `cards`, of wilds alone also `as`: their number, in a run the
  lowest). `hit`: `card`, `owner`, `group`, `end` (of a run, else None), `cards` of the group
  afterwards, of wilds alone also `as`.
- `discarded`: `card`, `named` (the seat that a skip names, else None). `skipped` (seat: who lost a
  turn).
- `went_out`. `floated`. `resigned`: `seen` (cards of it that everyone knew), `unseen_count`.
- `deal_over` (seat: the winner or None): `deal`, `winner`, `points` per seat (None: none counted),
  `scores` per seat, `laid` per seat. `tie_break`: `seats`.
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
