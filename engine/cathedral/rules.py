"""Ruleset `cathedral`, version 1: be the first to get rid of all cards.

The rule book leaves room in some places. This version reads them so:

- Hands, reserves and choices are kept in canonical order: rank 2, 3, … 9, 10, J, Q, K, A, then
  clubs to spades. Cards are drawn from the top of the stock one by one.
- While cards are set aside (GEN-6) a hand still holds all six; a choice is three of them, noted
  with the seat. `to_act` are the seats without a choice; only they have listed moves, but who has
  chosen may choose anew until the last choice is in. Then each choice is one ply and one turn, in
  seat order.
- The seat that starts is the first one still in the game from the dealer's left when the choices
  are made (CAT-4, CAT-17).
- "Beats" is strictly higher (CAT-6), but anything lies on a 2, and a 2 or 10 on anything.
- Nobody drops out of a deal: the first who is rid of everything ends it. So one seat left in a deal
  is one seat left in the game; it wins the deal (CAT-17), nothing is revealed any more, and the
  reason is `last-seat`.
- A turn goes on while the same seat goes again; GEN-7's "everybody is silent" is looked at when a
  turn ends, when the choices are made and when a seat resigns. A noted choice that a player has
  made ends silence although it is no ply yet. The record of turns runs on from deal to deal.
- Forced moves (GEN-11) never set cards aside. Under `public` everybody must be able to tell: every
  card of the hand is known, or the seat holds one card and the pile is empty.
- `max_plies` (CAT-19) counts the plies of the running deal, the choices too; choices that pass it
  together are all carried out. A stopped deal is won by nobody, its cards left count, and no
  further deal is played.
- Deal k is dealt with shuffle k, both from 0 (GEN-2).

Facts, all public unless an audience is named; `seat` is whom they are about:

- `dealt` (seat: who will start): `deal` from 0, `dealer`, `stock_size`; and to each seat alone:
  `deal`, `hand`.
- `chosen`: a seat has set its cards aside, told once per deal; no data. `kept`, to the seat alone,
  for a choice and for each replacement: `cards`.
- `choices_made` (seat: who starts): `seats` whose choices are carried out.
- `played`: `cards`. `cleared`: `reason` (`tens`, `four`), `cards` of the whole pile, bottom to top,
  with those just played.
- `drew`: `count`; and to the seat alone: `count`, `cards` in the order drawn.
- `took_reserve`: `count`; and to the seat alone: `count`, `cards`.
- `picked_up`: `cards`, the pile bottom to top. `goes_again`.
- `resigned`: `seen` (cards of it that everybody knew), `unseen_count`.
- `deal_over` (seat: the winner or None): `deal`, `winner`, `places` and `cards_left` per seat.
- `stopped`: `cause` (`silence`, `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engine.api import RulesetId, Seat, left_of
from engine.cathedral import moves, orders, turn
from engine.cathedral.game import Game
from engine.cathedral.moves import Move
from engine.cathedral.state import State
from engine.deals import option_specs


class Cathedral(Game):
    """The rules behind the interface of all games; see the module docstring."""

    id = RulesetId("cathedral", 1)
    title = "Cathedral"
    players = range(2, 7)
    """CAT-1."""
    options = option_specs("CAT-4", "CAT-19")
    order_words = orders.ORDER_WORDS
    turns_a_deal: ClassVar = {2: 68, 6: 38}

    def format_move(self, state: State, seat: Seat, move: Move) -> str:
        """Return the canonical text of a move."""
        return orders.format_move(move)

    def standby_move(self, state: State, seat: Seat) -> Move:
        """Return the cautious move for a silent seat (CAT-18). Raises: NotToActError."""
        turn.need_standby(state, seat)
        return moves.standby_move(state, seat)

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the winner of those who stayed (CAT-4); without one the deal moves left."""
        return places[0][-1] if places else left_of(state.course.dealer, state.setup.players)

    reads_as_order = staticmethod(orders.reads_as_order)
    parse_order = staticmethod(orders.parse_order)
    legal_moves = staticmethod(moves.legal_moves)
    forced_move = staticmethod(moves.forced_move)
    apply = staticmethod(turn.make_move)
    resign = staticmethod(turn.resign)
