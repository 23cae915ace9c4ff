"""Ruleset `cathedral`, version 1: be the first to get rid of all cards.

Where the rule book is ambiguous, this version interprets it as follows:

- Hands, reserves and choices are kept in canonical order: rank 2, 3, … 9, 10, J, Q, K, A, then
  clubs to spades. Cards are drawn from the top of the stock one by one.
- While cards are set aside (GEN-6) a hand still contains all six. A choice is three of them and is
  stored with the seat. `to_act` contains the seats without a choice. Moves are listed only for
  them, but a seat that has chosen may choose again until the last choice is made. Then each choice
  counts as one ply and one turn, in seat order.
- The starting seat is the first seat still in the game, counted from the dealer's left, when the
  choices are carried out (CAT-4, CAT-17).
- "Beats" means strictly higher (CAT-6). Exceptions: any card can be played on a 2, and a 2 or 10
  can be played on any card.
- No seat drops out of a deal, because the first seat without cards ends it. If only one seat is
  left in the game, it wins the deal (CAT-17), no further cards are revealed, and the reason is
  `last-seat`.
- A turn continues while the same seat goes again. The "everybody is silent" rule of GEN-7 is
  checked when a turn ends, when the choices are carried out and when a seat resigns. A choice made
  by a player ends the silence although it is not a ply yet. The record of turns continues from
  deal to deal.
- Forced moves (GEN-11) never set cards aside. Under `public` everyone must be able to deduce the
  move: every card of the hand is known, or the seat holds one card and the pile is empty.
- `max_plies` (CAT-19) limits the plies of the current deal, including the choices. If the choices
  together exceed the limit, all of them are still carried out. A stopped deal has no winner, its
  remaining cards count, and no further deal is played.
- Deal k uses shuffle k, both counted from 0 (GEN-2).

Facts are public unless an audience is named. `seat` is the seat that a fact is about:

- `dealt` (seat: the starting seat): `deal` from 0, `dealer`, `stock_size`. To each seat alone:
  `deal`, `hand`.
- `chosen`: a seat has set its cards aside. Reported once per deal, without data. `kept`, to the
  seat alone, for a choice and for each replacement: `cards`.
- `choices_made` (seat: the starting seat): `seats` whose choices are carried out.
- `played`: `cards`. `cleared`: `reason` (`tens`, `four`), `cards` of the whole pile, bottom to top,
  including the cards just played.
- `drew`: `count`. To the seat alone: `count`, `cards` in the order drawn.
- `took_reserve`: `count`. To the seat alone: `count`, `cards`.
- `picked_up`: `cards`, the pile bottom to top. `goes_again`.
- `resigned`: `seen` (its cards that everyone knew), `unseen_count`.
- `deal_over` (seat: the winner or None): `deal`, `winner`, `places` and `cards_left` per seat.
- `stopped`: `cause` (`silence`, `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, assert_never

from engine import shedding
from engine.api import (
    Fact,
    JsonObject,
    RulesetId,
    Seat,
    Source,
    Step,
    left_of,
    told_cards,
)
from engine.cards import RANK_OF, Card, sort_cards
from engine.cathedral import moves, orders
from engine.cathedral.moves import (
    CLEARING,
    LOWERING,
    NO_CARDS,
    RESERVE_SIZE,
    DealResult,
    Draft,
    Keep,
    Move,
    SeatCards,
    State,
    Table,
    check_keep,
    check_pick_up,
    check_play,
    is_choosing,
    may_choose,
)
from engine.cathedral.text import TEXT
from engine.deals import (
    HAND_SIZE,
    Shedding,
    draw_cards,
    next_seat,
    options,
    remove_pile,
)
from engine.plays import Cards, PickUp, Play, after_play, with_cards, without
from engine.position import Checks, new_tuple
from engine.ranking import places, rank_by
from engine.sentences import sentence
from engine.silence import TURN_MARK, with_turn

DEALT = 6
"""Number of cards dealt to each player (CAT-2)."""

CLEARING_COUNT: Final = 4
"""Number of cards of one rank that clear the pile if played together (CAT-10)."""


class Cathedral(Shedding):
    """The ruleset of Cathedral. Its decisions are listed in the module docstring."""

    id = RulesetId("cathedral", 1)
    title = "Cathedral"
    players = range(2, 7)
    """Number of players (CAT-1)."""
    options = options("CAT-4", "CAT-19")
    order_words = orders.ORDER_WORDS
    text = TEXT
    nothing = NO_CARDS
    result_class = DealResult
    turns_a_deal: ClassVar = {2: 68, 6: 38}
    choice_made = sentence("this seat has set its cards aside already")

    def has_chosen(self, state: State, seat: Seat) -> bool:
        """True if the seat has set its cards aside and another seat has not (CAT-3, GEN-6)."""
        return may_choose(state, seat) and state.seats[seat].choice is not None

    # --- a turn -----------------------------------------------------------------------------------

    def apply(
        self, state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN
    ) -> Step[State]:
        """Validate and make a move. Raises: NotToActError, IllegalMoveError."""
        if seat != state.to_act:
            self.need_to_act(state, seat)
        own = state.seats[seat]
        draft: Draft = shedding.Draft(state)
        # `match` takes ten times as long here.
        if isinstance(move, Play):
            goes_again = self._play(draft, seat, check_play(state, own, move.cards))
            self._after_ply(draft, seat, source, goes_again)
        elif isinstance(move, PickUp):
            check_pick_up(state)
            self.pick_up(draft, seat)
            self._after_ply(draft, seat, source, False)
        elif isinstance(move, Keep):
            check_keep(state, own, move.cards)
            self._choose(draft, seat, sort_cards(move.cards), source)
        else:
            assert_never(move)
        return draft.finish()

    def _choose(self, draft: Draft, seat: Seat, cards: Cards, source: Source) -> None:
        """Store or replace a choice. Others only learn that the seat has chosen (CAT-3, GEN-6)."""
        own = draft.seats[seat]
        if own.choice is None:
            draft.tell("chosen", seat, {})
        draft.tell("kept", seat, {"cards": list(cards)}, seat)
        draft.seats[seat] = own._replace(choice=cards, choice_mark=TURN_MARK[source])
        self._make_choices(draft)

    def _make_choices(self, draft: Draft) -> None:
        """Carry out the choices, one ply per seat, once all seats have chosen (CAT-4)."""
        seats = self.stayers(draft)
        if any(draft.seats[seat].choice is None for seat in seats):
            return
        for seat in seats:
            own = draft.seats[seat]
            reserve = own.choice or ()
            hand = without(own.hand, reserve)
            draft.seats[seat] = SeatCards(hand, hand, reserve)
            draft.turns = with_turn(draft.turns, seat, own.choice_mark)
            draft.ply += 1
        draft.to_act = next_seat(draft, draft.course.dealer)
        draft.tell("choices_made", draft.to_act, {"seats": list(seats)})
        self.stop_if_due(draft)

    def _play(self, draft: Draft, seat: Seat, cards: Cards) -> bool:
        """Move cards to the pile, clear it if required, and refill the hand to three cards.

        The seat takes up its reserve if stock and hand are empty. Return True if the seat goes
        again.

        Rules: CAT-8 to CAT-11, CAT-14.
        """
        own = draft.seats[seat]
        draft.facts.append(told_cards("played", seat, cards))
        draft.pile += cards
        rank = RANK_OF[cards[0]]
        reason = "tens" if rank == CLEARING else "four" if len(cards) == CLEARING_COUNT else None
        if reason is not None:
            cleared = remove_pile(draft)
            draft.tell("cleared", seat, {"reason": reason, "cards": list(cleared)})
        hand = after_play(own.hand, cards)
        private = own.private and without(own.private, cards)
        reserve = own.reserve
        if len(hand) < HAND_SIZE:
            drawn = draw_cards(draft, seat, len(hand))
            if drawn:
                hand, private = with_cards(hand, drawn), with_cards(private, drawn)
            elif not hand and reserve:
                # The other players never saw the reserve, so its cards are private (CAT-20).
                count = len(reserve)
                draft.tell("took_reserve", seat, {"count": count})
                draft.tell("took_reserve", seat, {"count": count, "cards": list(reserve)}, seat)
                hand, private, reserve = reserve, reserve, ()
        draft.seats[seat] = new_tuple(SeatCards, (hand, private, reserve, *NO_CARDS[3:]))
        return reason is not None or rank == LOWERING

    def _after_ply(self, draft: Draft, seat: Seat, source: Source, goes_again: bool) -> None:
        """End the deal, continue the turn or pass it on. Stop the game if the rules require it."""
        draft.ply += 1
        draft.turn |= TURN_MARK[source]
        # The hand is empty even after drawing and taking the reserve: CAT-15.
        if not draft.seats[seat].hand:
            draft.end_turn(seat)
            self.end_deal(draft)
        else:
            self.go_on(draft, seat, goes_again=goes_again)

    def leave(self, draft: Draft, seat: Seat) -> None:
        """Remove a resigned seat from the deal, together with its choice (GEN-7, CAT-17)."""
        self.take_out(draft, seat)
        if len(self.stayers(draft)) == 1:
            self.end_deal(draft)
            return
        if is_choosing(draft):
            self._make_choices(draft)  # all other seats may have chosen already
        self.stop_if_due(draft)

    # --- deals ------------------------------------------------------------------------------------

    def take_cards(self, stock: list[Card]) -> SeatCards:
        """Deal six cards from the top of the stock (CAT-2)."""
        hand = sort_cards(stock.pop() for _ in range(DEALT))
        return SeatCards(hand, hand, ())

    def begin(self, draft: Draft) -> tuple[Seat, JsonObject]:
        """Start with the choices. The seat to the dealer's left plays first (CAT-3, CAT-4)."""
        return next_seat(draft, draft.course.dealer), {}

    def is_choosing(self, state: State) -> bool:
        """True while cards are being set aside (CAT-3, GEN-6)."""
        return is_choosing(state)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that must act: all seats without a choice, or the seat whose turn it is."""
        if state.to_act is not None:
            return (state.to_act,)
        if is_choosing(state):
            return tuple([s for s in self.stayers(state) if state.seats[s].choice is None])
        return ()

    def running_mark(self, draft: Draft) -> int:
        """Return the marks of the current turn and of choices that are not yet carried out (GEN-7)."""
        running = draft.turn
        for own in draft.seats:
            running |= own.choice_mark
        return running

    def result(self, table: Table, *, is_stopped: bool) -> DealResult:
        """Compute the result of the deal from the cards left.

        The winner is the player without cards or the last one in the game (CAT-15, CAT-17, CAT-19).
        """
        seats, resigned = table.seats, table.resigned
        counts = [None if seat in resigned else own.cards_left for seat, own in enumerate(seats)]
        winner = min(self.stayers(table), key=lambda seat: seats[seat].cards_left)
        return DealResult(tuple(counts), None if is_stopped else winner)

    def result_fact(self, table: Table, result: DealResult) -> Fact:
        """Return the fact `deal_over`. Its seat is the winner.

        Seats are ranked by the number of cards left, with ties. Seats that resigned in this deal
        come last, in reverse order of resignation. A seat that was not dealt in has no rank.
        """
        cards_left, winner = result
        course = table.course
        groups = rank_by(self.stayers(table), lambda seat: cards_left[seat] or 0)
        gone = [(seat,) for seat in reversed(table.resigned) if seat in course.dealt_in]
        numbered = places((*groups, *gone))
        data: JsonObject = {
            "deal": course.deal,
            "winner": winner,
            "places": [numbered.get(Seat(seat)) for seat in range(table.setup.players)],
            "cards_left": [*cards_left],
        }
        return Fact("deal_over", winner, data)

    def following_dealer(self, table: Table, result: DealResult) -> Seat:
        """Return the dealer of the next deal, which is the winner of the last one (CAT-4)."""
        assert result.winner is not None  # noqa: S101  (the deal was not stopped)
        return result.winner

    def rank_key(self, table: Table, seat: Seat) -> tuple[int, int]:
        """Return the ranking key: deals won (negative), then cards left in all deals (CAT-16)."""
        results = table.course.results
        won = sum(result.winner == seat for result in results)
        return -won, sum(result.cards_left[seat] or 0 for result in results)

    def seat_score(self, table: Table, seat: Seat) -> JsonObject:
        """Return the numbers that determine a seat's rank."""
        minus_won, cards_sum = self.rank_key(table, seat)
        return {
            "deals_won": -minus_won,
            "cards_sum": cards_sum,
            "cards_left": [result.cards_left[seat] for result in table.course.results],
        }

    # --- view and JSON ----------------------------------------------------------------------------

    def phase_json(self, state: State) -> JsonObject:
        """Return the field `choosing`, which is True while cards are being set aside."""
        return {"choosing": is_choosing(state)}

    def seat_view(self, own: SeatCards, *, is_own: bool, is_over: bool) -> JsonObject:
        """Return a seat's view fields other than its hand (CAT-20).

        The fields are `reserve` (null for other seats), `reserve_size`, `chosen` (True if a choice
        was made and is not yet carried out) and `choice` (null for other seats). A `hand` contains
        all six cards until the choices are carried out.
        """
        is_shown = is_own or is_over
        return {
            "reserve": list(own.reserve) if is_shown else None,
            "reserve_size": len(own.reserve),
            "chosen": own.choice is not None,
            "choice": list(own.choice) if is_shown and own.choice is not None else None,
        }

    def seat_checks(self, state: State) -> Checks:
        """Map descriptions of impossible choices to True if the state contains such a choice."""
        marks = [(own.choice_mark, own.choice) for own in state.seats]
        return {
            "a choice that nobody made": any(
                type(mark) is not int or mark < 0 or (choice is None) != (mark == 0)
                for mark, choice in marks
            ),
            "a choice that is not three cards of the hand": any(
                own.choice is not None
                and len(set(own.choice).intersection(own.hand)) != RESERVE_SIZE
                for own in state.seats
            ),
        }

    # --- delegated to other modules ---------------------------------------------------------------

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the winner among the remaining seats (CAT-4), or the next seat if there is none."""
        return places[0][-1] if places else left_of(state.course.dealer, state.setup.players)

    reads_as_order = staticmethod(orders.reads_as_order)
    read_order = staticmethod(orders.read_order)
    legal_moves = staticmethod(moves.legal_moves)
    cautious_move = staticmethod(moves.standby_move)
