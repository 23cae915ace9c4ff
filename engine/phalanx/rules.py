"""Ruleset `phalanx`, version 1: win zones and keep enough cards for a hand of seven.

Where the rule book is ambiguous, this version interprets it as follows:

- A hand is kept in canonical order: rank 2, 3, … 9, 10, J, Q, K, A, then clubs to spades.
- Shuffles are numbered in the order in which they happen (GEN-2): the pack is shuffle 0, followed
  by one per seat in each battle. In the gambling games there is one per seat before each battle,
  counted from 0.
- A ply includes all its consequences: the resolution, and the antes, eliminations and hands of the
  next battle. Only then is it checked whether the game is stopped (GEN-7, GEN-8).
- Every ply and every secret choice is a turn (GEN-7). A forced ply alone does not make a turn quiet.
- An eliminated seat may resign and keeps its rank. It ranks before seats that resigned earlier.
- A king of a silent seat takes the highest card by value and suit, then that of the nearest owner
  clockwise. Among equal cards of one owner it prefers king, then queen, then jack (PLX-27).
- An ante for the spoils is taken card by card from the top of the reserve (PLX-V4).
- The bets of one action are made in the order left, center, right, in whatever order they are
  written. A match that the chips do not cover takes all of them (PLX-V5).
- A seat's possible bets are determined when its turn comes. A raise by a seat that has since
  resigned needs no answer (PLX-V5, PLX-26).
- With `stakes=per_card` no zone is ever closed (PLX-V6).
- Chips that would be returned to a seat that has resigned leave the game but count for that seat.

Facts are public unless an audience is named. `seat` is the seat that a fact is about. Zones are
named `center` and `side:S` (to the left of seat S). `place` is the seat's own name for the zone:

- `anted`: `cards` (into the spoils) or `chips` (in all three zones).
- `eliminated`: `battle` from 0, `cards`, `chips` that were left.
- `dealt`: `battle` from 0, `ring`, `hand_size`, `reserve_sizes`, `spoils_size`, `chips`. To each
  seat alone: `battle`, `hand`.
- `chosen`: no data, on the first choice only. To the seat alone, on every choice: `card`.
- `revealed` (seat: the first player): `cards` (`seat`, `card`), `first`.
- `window_opened` (seat: the first bettor): `hand_size`. `bet`: `bets` (`zone`, `place`, `raise`, 0
  for a match, `paid`, `stake` in the zone afterwards), `chips` left. `checked`. `window_closed`:
  `pots`.
- `played`: `card`, `zone`, `place`, `target` (`seat`, `card`, or None). With `stakes=per_card` also
  `fee`. `turned_down` (seat: the player): `zone`, `cards` (`seat`, `card`).
- `passed`: no data. To the seat alone: `card`.
- `resolved` (seat: the winner or None), one per zone: `zone`, `owners` (for each seat that shares it
  `seat`, `cards` (face up: `card`, `printed`, `counted`, `why`: a list of `formed` or `jack`, and
  `ace` if an option sets the value of a doubled ace), `own`, `flanks`, `received` (`zone`,
  `amount`), `total`), `winner`, `tied`, `cards` of the zone (`seat`, `card`, `up`, `what`: `taken`,
  `back` or `spoils`, `to`), `spoils_taken` (seen ones), `spoils_taken_unseen` (their number), and in
  games with chips `pot` (`stakes` and `paid` by seat).
- `left_behind`: `cards`, the number of a resigned seat's cards that became spoils.
- `battle_over`: `battle`, `reserve_sizes`, `spoils_size`, `chips`.
- `resigned`: `keeps_place` if the seat was eliminated before. `stopped`: `cause` (`silence`,
  `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.api import (
    OptionSpec,
    OptionValue,
    RulesetId,
    Seat,
    left_of,
)
from engine.cards import PACK
from engine.errors import SetupError
from engine.options import (
    AUTO_FORCED_SPEC,
    DEALER_SPEC,
    MAX,
    Given,
    choice,
    not_allowed,
    number,
    scaled,
    show,
    special,
)
from engine.phalanx import moves, orders, reading, record, text
from engine.phalanx.state import CHOOSING, HAND_SIZE, State
from engine.phalanx.turn import Turns
from engine.rulebook import Terms
from engine.ruleset import Options
from engine.sentences import sentence

_ACES = (2, 4, 10, "highest")


def _valid_aces(spec: OptionSpec, value: Any) -> OptionValue:  # noqa: ANN401
    """Validate the value of a doubled ace: a number, or the word `highest` (PLX-V3)."""
    if isinstance(value, bool) or not isinstance(value, int | str) or value not in _ACES:
        raise not_allowed(spec, show(value))
    return value


def _has_chips(players: int, given: Given) -> int:
    return given.get("stakes", "cards") != "cards"


def _affordable(stakes: str, times: int) -> Callable[[int, Given], int]:
    """Return a function for an option's limit: the amount that the bankroll can pay `times` times.

    The limit applies only to games with these stakes.
    """

    def most(players: int, given: Given) -> int:
        bankroll = given.get("bankroll", 100)
        is_limited = given.get("stakes") == stakes and isinstance(bankroll, int)
        return bankroll // times if is_limited and isinstance(bankroll, int) else MAX

    return most


_TURNS: Mapping[tuple[OptionValue, OptionValue], tuple[int, Mapping[int, int]]] = {
    ("cards", "deal"): (5, {2: 65, 3: 96, 4: 107, 5: 113, 6: 109}),
    ("zones", "deal"): (3, {2: 81, 3: 130, 4: 181, 5: 229, 6: 286}),
    ("zones", "opening"): (3, {2: 76, 3: 122, 4: 166, 6: 265}),
}
"""Measured games, by stakes and first window: number of battles, and turns by number of players."""


class Phalanx(Turns):
    """The ruleset of Phalanx. Its decisions are listed in the module docstring."""

    id = RulesetId("phalanx", 1)
    title = "Phalanx"
    players = range(2, 7)
    """Number of players (PLX-1)."""
    options = (
        DEALER_SPEC,
        choice(
            "tie",
            ("back", "spoils", "swap"),
            "what becomes of the tied players' cards (PLX-V1, PLX-V2)",
        ),
        special("aces", 2, "2, 4, 10, highest", "what a doubled ace counts (PLX-V3)", _valid_aces),
        number(
            "ante",
            0,
            sentence("0 to 52/players - {cards}", cards=HAND_SIZE),
            "cards that each player lays as spoils before a battle (PLX-V4)",
            most=lambda players, _: len(PACK) // players - HAND_SIZE,
        ),
        number(
            "max_battles",
            0,
            sentence("0 (no limit) to 1000000; at least 1 where chips are played for"),
            "battles after which the game is over; 5 unless given where chips are played for (PLX-V7)",
            least=_has_chips,
            usual=lambda players, given: 5 * _has_chips(players, given),
        ),
        choice(
            "stakes",
            ("cards", "zones", "per_card"),
            "what is played for: the cards, or chips (PLX-V5, V6)",
        ),
        number(
            "bankroll",
            100,
            sentence("1 to 1000000"),
            "chips at the start (PLX-V5, PLX-V6)",
            least=1,
        ),
        number(
            "zone_ante",
            1,
            sentence("1 to bankroll/3"),
            "chips into each own zone before a battle (PLX-V5)",
            least=1,
            most=_affordable("zones", 3),
        ),
        choice(
            "first_window",
            ("deal", "opening"),
            "when betting begins: with seven cards, or not before the opening (PLX-V5)",
        ),
        number(
            "fee",
            1,
            sentence("1 to bankroll"),
            "chips for each card played (PLX-V6)",
            least=1,
            most=_affordable("per_card", 1),
        ),
        number(
            "max_plies",
            5000,
            sentence("0 (no limit) to 1000000"),
            "plies after which the game is stopped (PLX-28)",
        ),
        AUTO_FORCED_SPEC,
    )
    order_words = reading.ORDER_WORDS

    def check_together(self, options: Options) -> None:
        """Reject options that have no effect with the given stakes. Raises: SetupError."""
        stakes = str(options["stakes"])
        for spec in self.options:
            if spec.name in text.UNUSED[stakes] and options[spec.name] != spec.default:
                raise SetupError(
                    sentence(
                        "option {option}: {given} does not go with stakes={stakes};"
                        " allowed: {allowed}",
                        option=spec.name,
                        given=show(options[spec.name]),
                        stakes=stakes,
                        allowed=spec.default,
                    ),
                    rule="GEN-14",
                )

    def is_choosing(self, state: State) -> bool:
        """True while the opening cards are being chosen (GEN-6, PLX-7)."""
        return state.phase == CHOOSING

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the seat to the left of the dealer."""
        return left_of(state.setup.number("dealer"), state.setup.players)

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the expected number of turns of a game with simple players (PLX-V7)."""
        kind = options["stakes"], options["first_window"]
        battles, measured = _TURNS.get(kind, (1, {}))
        return scaled(measured.get(players), options["max_battles"], battles)

    def rules_source(self, its: Terms) -> str:
        """Return the source of the rules text for players."""
        return text.rules_source(its)

    def is_list_complete(self, state: State, seat: Seat) -> bool:
        """True if `legal_moves` is complete. False if a seat can raise by any amount."""
        return moves.is_list_complete(state, seat)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that must act, in ascending order. Several must act during the opening."""
        return state.to_act

    # Delegated to other modules. Attributes that hide a module name must come last.
    reads_as_order = staticmethod(reading.reads_as_order)
    read_order = staticmethod(orders.read_order)
    cautious_move = staticmethod(moves.standby_move)
    format_move = staticmethod(orders.format_move)
    only_move = staticmethod(moves.only_move)
    state_json = staticmethod(record.state_json)
    state_from_json = staticmethod(record.state_from_json)
    legal_moves = staticmethod(moves.legal_moves)
    view = staticmethod(record.view)
