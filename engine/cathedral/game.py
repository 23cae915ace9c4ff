"""What is particular to Cathedral in the course of a game: cards, the winner, the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.api import Fact, JsonObject, JsonValue, Seat
from engine.cards import Card, read_texts, sort_cards
from engine.cathedral import text
from engine.cathedral.state import (
    NO_CARDS,
    RESERVE_SIZE,
    DealResult,
    Draft,
    SeatCards,
    State,
    is_choosing,
)
from engine.deals import Shedding, next_seat
from engine.plays import Cards
from engine.ranking import places, rank_by
from engine.rulebook import Terms

Table: TypeAlias = State | Draft

DEALT = 6
"""Cards that everybody gets (CAT-2)."""


class Game(Shedding):
    """The course of a game of Cathedral."""

    def rules_source(self, its: Terms) -> str:
        """Return the source of the rules for players."""
        return text.rules_source(its)

    # --- the deals --------------------------------------------------------------------------------

    def no_cards(self) -> SeatCards:
        """Return what a seat has that is not in the deal."""
        return NO_CARDS

    def take_cards(self, stock: list[Card]) -> SeatCards:
        """Deal six cards (CAT-2)."""
        hand = sort_cards(stock.pop() for _ in range(DEALT))
        return SeatCards(hand, hand, ())

    def begin(self, draft: Draft) -> tuple[Seat, JsonObject]:
        """Let all choose first; then the dealer's left starts (CAT-3, CAT-4)."""
        return next_seat(draft, draft.course.dealer), {}

    def is_choosing(self, state: State) -> bool:
        """True if cards are being set aside (CAT-3, GEN-6)."""
        return is_choosing(state)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that have to act: those without a choice, or the one on turn."""
        if state.to_act is not None:
            return (state.to_act,)
        if is_choosing(state):
            return tuple([s for s in self.stayers(state) if state.seats[s].choice is None])
        return ()

    def running_mark(self, draft: Draft) -> int:
        """Return the mark of the running turn and of choices that are not carried out yet (GEN-7)."""
        running = draft.turn
        for own in draft.seats:
            running |= own.choice_mark
        return running

    def result(self, table: Table, *, is_stopped: bool) -> DealResult:
        """Count the cards left; who has none, or is alone, has won (CAT-15, CAT-17, CAT-19)."""
        seats, resigned = table.seats, table.course.resigned
        counts = [None if seat in resigned else own.cards_left for seat, own in enumerate(seats)]
        winner = min(self.stayers(table), key=lambda seat: seats[seat].cards_left)
        return DealResult(tuple(counts), None if is_stopped else winner)

    def result_fact(self, table: Table, result: DealResult) -> Fact:
        """Return the fact `deal_over`; it is about the winner.

        Places go by cards left, equal ones sharing; last are those who resigned in the deal, the
        latest first. A seat that was not dealt in has none.
        """
        cards_left, winner = result
        course = table.course
        groups = rank_by(self.stayers(table), lambda seat: cards_left[seat] or 0)
        gone = [(seat,) for seat in reversed(course.resigned) if seat in course.dealt_in]
        numbered = places((*groups, *gone))
        data: JsonObject = {
            "deal": course.deal,
            "winner": winner,
            "places": [numbered.get(Seat(seat)) for seat in range(table.setup.players)],
            "cards_left": [*cards_left],
        }
        return Fact("deal_over", winner, data)

    def following_dealer(self, table: Table, result: DealResult) -> Seat:
        """Return who deals next: the winner (CAT-4)."""
        assert result.winner is not None  # noqa: S101  (the deal was not stopped)
        return result.winner

    def rank_key(self, results: Sequence[DealResult], seat: Seat) -> tuple[int, int]:
        """Return the deals won, as a negative number, and the cards left in all deals (CAT-16)."""
        won = sum(result.winner == seat for result in results)
        return -won, sum(result.cards_left[seat] or 0 for result in results)

    def score(self, results: Sequence[DealResult], seat: Seat) -> JsonObject:
        """Return the source of the ranking of a seat."""
        minus_won, cards_sum = self.rank_key(results, seat)
        counts = [result.cards_left[seat] for result in results]
        return {"deals_won": -minus_won, "cards_sum": cards_sum, "cards_left": [*counts]}

    # --- the view and the JSON --------------------------------------------------------------------

    def phase_json(self, state: State) -> JsonObject:
        """Return `choosing`: cards are being set aside."""
        return {"choosing": is_choosing(state)}

    def seat_view(self, own: SeatCards, *, is_own: bool, is_over: bool) -> JsonObject:
        """Return what the view shows of a seat besides its hand (CAT-20).

        `reserve` (own, else null), `reserve_size`, `chosen` (a choice is made and waits for the
        others), `choice` (own, else null). A `hand` has all six cards until the choices are made.
        """
        is_shown = is_own or is_over
        return {
            "reserve": list(own.reserve) if is_shown else None,
            "reserve_size": len(own.reserve),
            "chosen": own.choice is not None,
            "choice": _choice(own) if is_shown else None,
        }

    def seat_json(self, own: SeatCards) -> JsonObject:
        """Return what the JSON of a seat holds besides its hand.

        A `choice` is a part of the `hand` until it is carried out; a `choice_mark` counts as in
        `turns`.
        """
        return {
            "reserve": list(own.reserve),
            "choice": _choice(own),
            "choice_mark": own.choice_mark,
        }

    def read_seat(self, own: Mapping[str, Any], hand: Cards, private: Cards) -> SeatCards:
        """Read the JSON of a seat. Raises: KeyError, TypeError, ValueError."""
        choice = None if own["choice"] is None else read_texts(own["choice"])
        return SeatCards(hand, private, read_texts(own["reserve"]), choice, own["choice_mark"])

    def read_result(self, data: Mapping[str, Any]) -> DealResult:
        """Read the JSON of a result. Raises: KeyError, TypeError."""
        return DealResult(tuple(data["cards_left"]), data["winner"])

    def wrong_seat(self, own: SeatCards) -> str | None:
        """Say what cannot be in the cards of a seat; None if nothing is wrong."""
        mark, choice = own.choice_mark, own.choice
        if type(mark) is not int or mark < 0 or (choice is None) != (mark == 0):
            return "a choice that nobody made"
        if choice is not None and not (
            len(set(choice)) == RESERVE_SIZE and set(choice) <= set(own.hand)
        ):
            return "a choice that is not three cards of the hand"
        return None


def _choice(own: SeatCards) -> list[JsonValue] | None:
    return None if own.choice is None else list(own.choice)


GAME = Game()
