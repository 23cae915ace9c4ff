"""Ruleset `phyliss`, version 1: get rid of all cards. The last player with cards loses.

Where the rule book is ambiguous, this version interprets it as follows:

- A hand is kept in canonical order: rank 2, 3, … 9, 10, J, Q, K, A, then clubs to spades.
- A turn continues while the same seat goes again (PHY-16). The "everybody is silent" rule of GEN-7
  is checked when a turn ends and when a seat resigns. The record of turns continues from deal to
  deal.
- Forced moves (GEN-11) never include a flip or the hand of god. Under `public` everyone must be
  able to deduce them: every card of the hand is known, or the seat plays from its face-up cards, or
  it holds one card and the pile is empty.
- `max_plies` (PHY-27) limits the plies of the current deal. A stopped deal is ranked (with ties,
  resigned seats last), has no loser, and no further deal is played.
- The loser of a deal (PHY-24) is the seat ranked last in it. A seat that resigned with cards in the
  deal ranks behind the last player with cards. Among several of them, later resignations rank
  better.
- A seat that resigns after earning a rank keeps it. In the last deal the resignation has no effect.
  In an earlier deal the seat becomes last in the game and is not dealt in again (GEN-7).
- If only one seat is left in the game, the game ends: that seat is first, and the reason is
  `last-seat`.
- Deal k uses shuffle k, both counted from 0 (GEN-2).

Facts are public unless an audience is named. `seat` is the seat that a fact is about:

- `dealt` (seat: the starting seat): `deal` from 0, `dealer`, `up` per seat, `stock_size`. To each
  seat alone: `deal`, `hand`.
- `played`: `cards`, `from` (`hand` or `up`). `god`: `card`, `success`. `flipped`: `number`, `card`,
  `success`. A card that was turned over and played is reported only by this fact, without
  `played`.
- `destroyed`: `reason` (`tens`, `three`), `cards` of the whole pile, bottom to top.
- `picked_up`: `cards`, the pile bottom to top, then a card that was turned over and did not fit.
- `drew`: `count`. To the seat alone: `count`, `cards` in the order drawn.
- `goes_again`. `dropped_out`: `place`, the rank in the deal.
- `resigned`: `seen` (its cards that everyone knew), `unseen_count`.
- `deal_over` (seat: the loser or None): `deal`, `places` per seat, `loser`.
- `stopped`: `cause` (`silence`, `max_plies`, `agreed`). `game_over`: `reason`, `ranking`, `scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, assert_never

from engine import shedding
from engine.api import (
    Fact,
    JsonObject,
    Note,
    RulesetId,
    Seat,
    Source,
    Step,
    left_of,
)
from engine.cards import RANK_OF, Card, sort_cards
from engine.deals import (
    HAND_SIZE,
    Shedding,
    draw_cards,
    options,
    remove_pile,
)
from engine.errors import NotToActError
from engine.phyliss import moves, orders
from engine.phyliss.moves import (
    DESTROYER,
    NO_CARDS,
    PHYLISS_RANKS,
    WILD,
    DealResult,
    Draft,
    Flip,
    God,
    Move,
    SeatCards,
    State,
    Table,
    check_flip,
    check_god,
    check_pick_up,
    check_play,
    playable,
)
from engine.phyliss.text import TEXT
from engine.plays import Cards, PickUp, Play, after_play, with_cards, without
from engine.position import CLOCKWISE, new_tuple
from engine.sentences import sentence
from engine.silence import TURN_MARK

PILE_SIZE = 3
"""Number of blind cards, of face-up cards and of hand cards dealt to each seat (PHY-4)."""

DESTROYING_COUNT: Final = 3
"""Number of equal cards on top of the pile that destroys it (PHY-11)."""

_ABOVE_ACE = len(PHYLISS_RANKS)


def first_to_play(draft: Draft) -> Seat:
    """Return the seat with the lowest face-up cards, or the first of them from the dealer's left.

    Rules: PHY-6, PHY-7.
    """
    seats = CLOCKWISE[draft.setup.players][draft.course.dealer]
    dealt_in = [seat for seat in seats if seat in draft.course.dealt_in]
    return min(dealt_in, key=lambda seat: shown(draft.seats[seat].up))


def shown(up: Cards) -> tuple[int, ...]:
    """Return a seat's face-up ranks in ascending order, without 2s and 10s.

    Missing cards count as higher than an ace.
    """
    counted = sorted(
        PHYLISS_RANKS.index(RANK_OF[card]) for card in up if RANK_OF[card] not in (WILD, DESTROYER)
    )
    return tuple(counted + [_ABOVE_ACE] * (PILE_SIZE - len(counted)))


def why_destroyed(pile: Cards) -> str | None:
    """Return why the pile is destroyed after a play: `tens`, `three`, or None.

    Args:
        pile: the pile, bottom to top, including the new cards.

    Rules: PHY-10, PHY-11.
    """
    top = RANK_OF[pile[-1]]
    if top == DESTROYER:
        return "tens"
    if len(pile) >= DESTROYING_COUNT and top == RANK_OF[pile[-2]] == RANK_OF[pile[-3]]:
        return "three"
    return None


def _told_play(seat: Seat, cards: Cards, source: str) -> Note:
    return lambda: [Fact("played", seat, {"cards": list(cards), "from": source})]


def _told_turning(seat: Seat, card: Card, number: int | None, success: bool) -> Note:
    data: JsonObject = {"card": card, "success": success}
    if number is None:
        return lambda: [Fact("god", seat, data)]
    return lambda: [Fact("flipped", seat, {"number": number, **data})]


class Phyliss(Shedding):
    """The ruleset of Phyliss. Its decisions are listed in the module docstring."""

    id = RulesetId("phyliss", 1)
    title = "Phyliss"
    players = range(2, 6)
    """Number of players (PHY-1)."""
    options = options("PHY-24", "PHY-27")
    order_words = orders.ORDER_WORDS
    text = TEXT
    nothing = NO_CARDS
    result_class = DealResult
    turns_a_deal: ClassVar = {2: 58, 3: 66, 4: 73, 5: 80}

    def refuse_turn(self, state: State, seat: Seat) -> None:
        """Reject a seat that has dropped out. Raises: NotToActError."""
        if state.seats[seat].out is not None:
            words = sentence("PHY-22: this seat is rid of all its cards")
            raise NotToActError(words, rule="PHY-22")

    # --- turns: each of the four moves returns True if the seat goes again ------------------------

    def apply(
        self, state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN
    ) -> Step[State]:
        """Validate and make a move. Raises: NotToActError, IllegalMoveError."""
        if seat != state.to_act:
            self.need_to_act(state, seat)
        draft: Draft = shedding.Draft(state)
        # `match` takes ten times as long here.
        if isinstance(move, Play):
            goes_again = self._play(draft, seat, move.cards)
        elif isinstance(move, PickUp):
            check_pick_up(draft)
            self.pick_up(draft, seat)
            goes_again = False
        elif isinstance(move, God):
            check_god(draft)
            card = draft.stock[-1]
            draft.stock = draft.stock[:-1]
            goes_again = self._turned_over(draft, seat, card, None)
        elif isinstance(move, Flip):
            goes_again = self._flip(draft, seat, move.number)
        else:
            assert_never(move)
        self._after_ply(draft, seat, source, goes_again)
        return draft.finish()

    def _play(self, draft: Draft, seat: Seat, cards: Cards) -> bool:
        own = draft.seats[seat]
        cards = check_play(draft.pile, own, cards)
        if own.hand:
            hand = after_play(own.hand, cards)
            private = own.private and without(own.private, cards)
            draft.seats[seat] = new_tuple(SeatCards, (hand, private, *own[2:]))
        else:
            up = after_play(own.up, cards)
            draft.seats[seat] = SeatCards((), (), up, own.blind, own.blind_numbers)
        draft.facts.append(_told_play(seat, cards, "hand" if own.hand else "up"))
        return self._land(draft, seat, cards)

    def _flip(self, draft: Draft, seat: Seat, number: int) -> bool:
        own = draft.seats[seat]
        check_flip(own, number)
        index = own.blind_numbers.index(number)
        blind = own.blind[:index] + own.blind[index + 1 :]
        numbers = own.blind_numbers[:index] + own.blind_numbers[index + 1 :]
        draft.seats[seat] = own._replace(blind=blind, blind_numbers=numbers)
        return self._turned_over(draft, seat, own.blind[index], number)

    def _turned_over(self, draft: Draft, seat: Seat, card: Card, number: int | None) -> bool:
        """Play a card that was just turned over, or pick it up with the pile (PHY-14, PHY-20).

        `number` is the number of a blind card, or None for the top card of the stock.
        """
        success = card in playable(draft.pile)
        draft.facts.append(_told_turning(seat, card, number, success))
        if success:
            return self._land(draft, seat, (card,))
        self.pick_up(draft, seat, (card,))
        return False

    def _land(self, draft: Draft, seat: Seat, cards: Cards) -> bool:
        """Move cards to the pile, destroy it if required, and refill the hand (PHY-10, 11, 15)."""
        draft.pile += cards
        reason = why_destroyed(draft.pile)
        if reason is not None:
            pile = remove_pile(draft)
            draft.tell("destroyed", seat, {"reason": reason, "cards": list(pile)})
        own = draft.seats[seat]
        if draft.stock and len(own.hand) < HAND_SIZE:
            drawn = draw_cards(draft, seat, len(own.hand))
            hand, private = with_cards(own.hand, drawn), with_cards(own.private, drawn)
            draft.seats[seat] = new_tuple(SeatCards, (hand, private, *own[2:]))
        return reason is not None

    def _after_ply(self, draft: Draft, seat: Seat, source: Source, goes_again: bool) -> None:
        """Drop out, continue the turn or pass it on. End the deal or stop the game if required."""
        draft.ply += 1
        draft.turn |= TURN_MARK[source]
        own = draft.seats[seat]
        if not own.hand and not own.cards_left:
            goes_again = False  # the seat has no cards left (PHY-23)
            rank = 1 + sum(other.out is not None for other in draft.seats)
            draft.seats[seat] = NO_CARDS._replace(out=rank)
            draft.tell("dropped_out", seat, {"place": rank})
            if len(self.holders(draft)) == 1:
                draft.end_turn(seat)
                self.end_deal(draft)
                return
        self.go_on(draft, seat, goes_again=goes_again)

    def leave(self, draft: Draft, seat: Seat) -> None:
        """Remove a resigned seat from the deal, which may end it (GEN-7, PHY-25)."""
        self.take_out(draft, seat)
        if len(self.holders(draft)) == 1:
            if draft.turn and draft.to_act is not None:
                draft.end_turn(draft.to_act)
            self.end_deal(draft)
        else:
            self.stop_if_due(draft)

    # --- the deals --------------------------------------------------------------------------------

    def take_cards(self, stock: list[Card]) -> SeatCards:
        """Deal nine cards: three blind, three face up, three for the hand (PHY-4)."""
        blind, up, hand = (tuple(stock.pop() for _ in range(PILE_SIZE)) for _ in range(PILE_SIZE))
        hand = sort_cards(hand)
        return SeatCards(hand, hand, up, blind, (1, 2, 3))

    def begin(self, draft: Draft) -> tuple[Seat, JsonObject]:
        """Start with the seat that has the lowest face-up cards (PHY-6). Face-up cards are public."""
        draft.to_act = starter = first_to_play(draft)
        return starter, {"up": [list(own.up) for own in draft.seats]}

    def has_left(self, table: Table, seat: Seat) -> bool:
        """True if a seat counts as resigned.

        A player with a rank in the last deal can resign without consequences (GEN-7).
        """
        if seat not in table.resigned:
            return False
        is_last_deal = table.course.deal + 1 == table.setup.options["deals"]
        return not (is_last_deal and table.seats[seat].out is not None)

    def result(self, table: Table, *, is_stopped: bool) -> DealResult:
        """Rank the seats of the deal that has just ended (PHY-23, PHY-24, PHY-27).

        Seats that dropped out come first, in that order, followed by the seats that still hold
        cards. A stopped deal can have several of these. They are ranked by the number of cards,
        fewest first, with ties. Seats that resigned with cards come last, in reverse order of
        resignation.
        """
        dealt_in, seats = table.course.dealt_in, table.seats
        places = {seat: rank for seat in dealt_in if (rank := seats[seat].out) is not None}
        counts = {seat: seats[seat].cards_left for seat in self.holders(table)}
        dropped = len(places)
        for seat, count in counts.items():
            places[seat] = dropped + 1 + sum(other < count for other in counts.values())
        for seat in reversed(table.resigned):
            if seat in dealt_in and seats[seat].out is None:
                places[seat] = len(places) + 1
        loser = None if is_stopped else max(places, key=places.__getitem__)
        return DealResult(tuple([places.get(Seat(seat)) for seat in range(len(seats))]), loser)

    def result_fact(self, table: Table, result: DealResult) -> Fact:
        """Return the fact `deal_over`. Its seat is the loser."""
        places, loser = result
        data: JsonObject = {"deal": table.course.deal, "places": [*places], "loser": loser}
        return Fact("deal_over", loser, data)

    def following_dealer(self, table: Table, result: DealResult) -> Seat:
        """Return the next dealer: the loser, or else the lowest ranked remaining seat (PHY-24)."""
        course = table.course
        staying = [seat for seat in course.dealt_in if seat not in table.resigned]
        return max(staying, key=lambda seat: result.places[seat] or 0)

    def rank_key(self, table: Table, seat: Seat) -> tuple[int, int]:
        """Return the ranking key: deals lost, then the sum of ranks in all deals (PHY-24)."""
        results = table.course.results
        lost = sum(result.loser == seat for result in results)
        return lost, sum(result.places[seat] or 0 for result in results)

    def seat_score(self, table: Table, seat: Seat) -> JsonObject:
        """Return the numbers that determine a seat's rank."""
        lost, place_sum = self.rank_key(table, seat)
        return {
            "deals_lost": lost,
            "place_sum": place_sum,
            "places": [result.places[seat] for result in table.course.results],
        }

    # --- view and JSON ----------------------------------------------------------------------------

    def seat_view(self, own: SeatCards, *, is_own: bool, is_over: bool) -> JsonObject:
        """Return a seat's view fields other than its hand (PHY-28).

        The fields are `up`, `blind` (numbers of the remaining blind cards), `blind_cards` (these
        cards, null while the game is running) and `out` (rank in the current deal).
        """
        return {
            "up": list(own.up),
            "blind": list(own.blind_numbers),
            "blind_cards": list(own.blind) if is_over else None,
            "out": own.out,
        }

    # --- delegated to other modules ---------------------------------------------------------------

    def next_dealer(self, state: State, places: Sequence[Sequence[Seat]]) -> Seat:
        """Return the loser among the remaining seats (PHY-24), or the next seat if there is none."""
        return places[-1][-1] if places else left_of(state.course.dealer, state.setup.players)

    reads_as_order = staticmethod(orders.reads_as_order)
    read_order = staticmethod(orders.read_order)
    legal_moves = staticmethod(moves.legal_moves)
    cautious_move = staticmethod(moves.standby_move)
