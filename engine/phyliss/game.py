"""What is particular to Phyliss in the course of a game: cards, who starts, places, the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.api import Fact, JsonObject, Seat
from engine.cards import RANK_OF, Card, read_texts, sort_cards
from engine.deals import CLOCKWISE, Shedding
from engine.phyliss import text
from engine.phyliss.moves import DESTROYER, PHYLISS_RANKS, WILD
from engine.phyliss.state import NO_CARDS, DealResult, Draft, SeatCards, State
from engine.plays import Cards
from engine.rulebook import Terms

Table: TypeAlias = State | Draft

PILE_SIZE = 3
"""Cards of each kind that a seat gets: blind, face up, hand (PHY-4)."""

_ABOVE_ACE = len(PHYLISS_RANKS)


def holders(table: Table) -> list[Seat]:
    """Return the seats that still hold cards in the running deal, ascending.

    A seat that dropped out, resigned or was not dealt in holds none.
    """
    return [Seat(seat) for seat, own in enumerate(table.seats) if own.cards_left]


def first_to_play(draft: Draft) -> Seat:
    """Return the seat with the lowest face-up cards; ties: first from dealer's left.

    Rules: PHY-6, PHY-7.
    """
    seats = CLOCKWISE[draft.setup.players][draft.course.dealer]
    dealt_in = [seat for seat in seats if seat in draft.course.dealt_in]
    return min(dealt_in, key=lambda seat: shown(draft.seats[seat].up))


def shown(up: Cards) -> tuple[int, ...]:
    """Return a seat's face-up ranks for the start: sorted, no 2s and 10s, padded high."""
    counted = sorted(
        PHYLISS_RANKS.index(RANK_OF[card]) for card in up if RANK_OF[card] not in (WILD, DESTROYER)
    )
    return tuple(counted + [_ABOVE_ACE] * (PILE_SIZE - len(counted)))


class Game(Shedding):
    """The course of a game of Phyliss."""

    def rules_source(self, its: Terms) -> str:
        """Return the source of the rules for players."""
        return text.rules_source(its)

    # --- the deals --------------------------------------------------------------------------------

    def no_cards(self) -> SeatCards:
        """Return what a seat has that is not in the deal."""
        return NO_CARDS

    def take_cards(self, stock: list[Card]) -> SeatCards:
        """Deal nine cards: three blind, three face up, three for the hand (PHY-4)."""
        blind, up, hand = (tuple(stock.pop() for _ in range(PILE_SIZE)) for _ in range(PILE_SIZE))
        hand = sort_cards(hand)
        return SeatCards(hand, hand, up, blind, (1, 2, 3))

    def begin(self, draft: Draft) -> tuple[Seat, JsonObject]:
        """Let the seat with the lowest face-up cards start (PHY-6); all see those cards."""
        draft.to_act = starter = first_to_play(draft)
        return starter, {"up": [list(own.up) for own in draft.seats]}

    def has_left(self, table: Table, seat: Seat) -> bool:
        """True if a seat counts as gone from the game.

        A player with a place in the last deal can resign without losing anything (GEN-7).
        """
        if seat not in table.course.resigned:
            return False
        is_last_deal = table.course.deal + 1 == table.setup.options["deals"]
        return not (is_last_deal and table.seats[seat].out is not None)

    def result(self, table: Table, *, is_stopped: bool) -> DealResult:
        """Rank the deal that has just ended (PHY-23, PHY-24, PHY-27).

        First those who dropped out, in that order; then the holders, in a finished deal only one, in
        a stopped deal by cards left, fewest first, equal ones sharing a place; last those who
        resigned with cards, the latest first.
        """
        dealt_in, seats = table.course.dealt_in, table.seats
        places = {seat: place for seat in dealt_in if (place := seats[seat].out) is not None}
        counts = {seat: seats[seat].cards_left for seat in holders(table)}
        dropped = len(places)
        for seat, count in counts.items():
            places[seat] = dropped + 1 + sum(other < count for other in counts.values())
        for seat in reversed(table.course.resigned):
            if seat in dealt_in and seats[seat].out is None:
                places[seat] = len(places) + 1
        loser = None if is_stopped else max(places, key=places.__getitem__)
        return DealResult(tuple([places.get(Seat(seat)) for seat in range(len(seats))]), loser)

    def result_fact(self, table: Table, result: DealResult) -> Fact:
        """Return the fact `deal_over`; it is about the loser."""
        places, loser = result
        data: JsonObject = {"deal": table.course.deal, "places": [*places], "loser": loser}
        return Fact("deal_over", loser, data)

    def following_dealer(self, table: Table, result: DealResult) -> Seat:
        """Return who deals next: the loser, or the worst placed seat that stays (PHY-24)."""
        course = table.course
        staying = [seat for seat in course.dealt_in if seat not in course.resigned]
        return max(staying, key=lambda seat: result.places[seat] or 0)

    def rank_key(self, results: Sequence[DealResult], seat: Seat) -> tuple[int, int]:
        """Return the deals lost and the sum of the places of all deals (PHY-24)."""
        lost = sum(result.loser == seat for result in results)
        return lost, sum(result.places[seat] or 0 for result in results)

    def score(self, results: Sequence[DealResult], seat: Seat) -> JsonObject:
        """Return the source of the ranking of a seat."""
        lost, place_sum = self.rank_key(results, seat)
        places = [result.places[seat] for result in results]
        return {"deals_lost": lost, "place_sum": place_sum, "places": [*places]}

    # --- the view and the JSON --------------------------------------------------------------------

    def seat_view(self, own: SeatCards, *, is_own: bool, is_over: bool) -> JsonObject:
        """Return what the view shows of a seat besides its hand (PHY-28).

        `up`, `blind` (numbers of the blind cards left), `blind_cards` (their faces, null while the
        game runs), `out` (place in the running deal).
        """
        return {
            "up": list(own.up),
            "blind": list(own.blind_numbers),
            "blind_cards": list(own.blind) if is_over else None,
            "out": own.out,
        }

    def seat_json(self, own: SeatCards) -> JsonObject:
        """Return what the JSON of a seat holds besides its hand."""
        return {
            "up": list(own.up),
            "blind": list(own.blind),
            "blind_numbers": list(own.blind_numbers),
            "out": own.out,
        }

    def read_seat(self, own: Mapping[str, Any], hand: Cards, private: Cards) -> SeatCards:
        """Read the JSON of a seat. Raises: KeyError, TypeError, ValueError."""
        numbers = tuple(own["blind_numbers"])
        up, blind = read_texts(own["up"]), read_texts(own["blind"])
        return SeatCards(hand, private, up, blind, numbers, own["out"])

    def read_result(self, data: Mapping[str, Any]) -> DealResult:
        """Read the JSON of a result. Raises: KeyError, TypeError."""
        return DealResult(tuple(data["places"]), data["loser"])


GAME = Game()
