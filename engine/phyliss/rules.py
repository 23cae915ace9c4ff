"""Ruleset `phyliss`, version 1: get rid of all cards; the last holder loses.

The rule book leaves room in some places. This version reads them so:

- A hand is kept in canonical order: rank 2, 3, … 9, 10, J, Q, K, A, then clubs to spades.
- A turn goes on while the same seat goes again (PHY-16); GEN-7's "everybody is silent" is looked at
  when a turn ends and when a seat resigns. The record of turns runs on from deal to deal.
- Forced moves (GEN-11) never include a flip or the hand of god. Under `public` everybody must be
  able to tell: every card of the hand is known, or the seat plays from its face-up cards, or it
  holds one card and the pile is empty.
- `max_plies` (PHY-27) counts the plies of the running deal. A stopped deal gives places (equal ones
  shared, resigned seats last), nobody loses it, and no further deal is played.
- The loser of a deal (PHY-24) is the seat ranked last in it. A seat that resigned with cards in the
  deal ranks behind the last holder; of several, the later resignation is better.
- A seat that resigns with a place already earned keeps it: in the last deal the resignation changes
  nothing at all, in an earlier one the seat is last in the game and in no later deal (GEN-7).
- One seat left in the game: it is over, that seat is first, reason `last-seat`.
- Deal k is dealt with shuffle k, both from 0 (GEN-2).

Facts, all public unless an audience is named; `seat` is whom they are about:

- `dealt` (seat: who starts): `deal` from 0, `dealer`, `up` per seat, `stock_size`; and to each seat
  alone: `deal`, `hand`.
- `played`: `cards`, `from` (`hand` or `up`). `god`: `card`, `success`. `flipped`: `number`, `card`,
  `success`. A turned card that could be played lies on the pile with that fact; there is no
  `played` beside it.
- `destroyed`: `reason` (`tens`, `three`), `cards` of the whole pile, bottom to top.
- `picked_up`: `cards`, the pile bottom to top, then a turned card that could not be played.
- `drew`: `count`; and to the seat alone: `count`, `cards` in the order drawn.
- `goes_again`. `dropped_out`: `place` in the deal.
- `resigned`: `seen` (cards of it that everybody knew), `unseen_count`.
- `deal_over` (seat: the loser or None): `deal`, `places` per seat, `loser`.
- `stopped`: `cause` (`silence`, `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engine.api import RulesetId, Seat, left_of
from engine.deals import option_specs
from engine.phyliss import moves, orders, turn
from engine.phyliss.game import Game
from engine.phyliss.moves import Move
from engine.phyliss.state import State


class Phyliss(Game):
    """The rules behind the interface of all games; see the module docstring."""

    id = RulesetId("phyliss", 1)
    title = "Phyliss"
    players = range(2, 6)
    """PHY-1."""
    options = option_specs("PHY-24", "PHY-27")
    order_words = orders.ORDER_WORDS
    turns_a_deal: ClassVar = {2: 58, 3: 66, 4: 73, 5: 80}

    def format_move(self, state: State, seat: Seat, move: Move) -> str:
        """Return the canonical text of a move."""
        return orders.format_move(move)

    def standby_move(self, state: State, seat: Seat) -> Move:
        """Return the cautious move for a silent seat (PHY-26). Raises: NotToActError."""
        turn.need_to_act(state, seat)
        return moves.standby_move(state, seat)

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the loser of those who stayed (PHY-24); without one the deal moves left."""
        return places[-1][-1] if places else left_of(state.course.dealer, state.setup.players)

    reads_as_order = staticmethod(orders.reads_as_order)
    parse_order = staticmethod(orders.parse_order)
    legal_moves = staticmethod(moves.legal_moves)
    forced_move = staticmethod(moves.forced_move)
    apply = staticmethod(turn.make_move)
    resign = staticmethod(turn.resign)
