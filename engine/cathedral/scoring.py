"""The end of a deal, and the ranking of the whole game.

Rules: CAT-15, CAT-16, CAT-19, GEN-7, GEN-17.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.api import JsonValue, Outcome, Seat
from engine.cathedral.state import DealResult, Draft, State
from engine.ranking import Groups, places, rank_by

Table: TypeAlias = State | Draft


def stayers(table: Table) -> list[Seat]:
    """Return the seats that are still in the game, ascending.

    Nobody drops out of a deal of Cathedral, so these are also the seats of the running deal.
    """
    return [
        seat for seat in map(Seat, range(table.setup.players)) if seat not in table.course.resigned
    ]


def deal_result(table: Table, winner: Seat | None) -> DealResult:
    """Count the cards at the end of a deal; without a winner it was stopped (GEN-8)."""
    counts = tuple(
        None if seat in table.course.resigned else own.cards_left
        for seat, own in enumerate(table.seats)
    )
    return DealResult(counts, winner)


def deal_places(table: Table, result: DealResult) -> list[JsonValue]:
    """Return the place of every seat in a deal; None for one that was not dealt in.

    By cards left, of which the winner has none (or is alone), equal ones sharing; last those who
    resigned, the latest first.
    """
    groups = rank_by(stayers(table), lambda seat: result.cards_left[seat] or 0)
    gone = tuple(
        (seat,) for seat in reversed(table.course.resigned) if seat in table.course.dealt_in
    )
    numbered = places((*groups, *gone))
    return [numbered.get(Seat(seat)) for seat in range(table.setup.players)]


def ranking(table: Table) -> Groups:
    """Rank the game: stayers by deals won, then by cards left; then the resigned."""
    groups = rank_by(stayers(table), lambda seat: _score(table.course.results, seat))
    return (*groups, *((seat,) for seat in reversed(table.course.resigned)))


def _score(results: Sequence[DealResult], seat: Seat) -> tuple[int, int]:
    """Return deals won, as a negative number, and the sum of cards left.

    Lower is better.
    """
    won = sum(result.winner == seat for result in results)
    return -won, sum(result.cards_left[seat] or 0 for result in results)


def scores(table: Table) -> JsonValue:
    """Return the source of the ranking per seat."""
    per_seat: list[JsonValue] = []
    for seat in map(Seat, range(table.setup.players)):
        minus_won, cards_sum = _score(table.course.results, seat)
        counts: list[JsonValue] = [result.cards_left[seat] for result in table.course.results]
        per_seat.append(
            {
                "deals_won": -minus_won,
                "cards_sum": cards_sum,
                "cards_left": counts,
                "resigned": seat in table.course.resigned,
            }
        )
    return per_seat


def outcome(state: State) -> Outcome | None:
    """Return the result of a game that is over."""
    reason = state.course.reason
    return None if reason is None else Outcome(ranking(state), reason, scores(state))
