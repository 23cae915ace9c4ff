"""Places in a deal, and the ranking of the whole game.

Rules: PHY-23, PHY-24, PHY-27, GEN-7, GEN-17.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.api import JsonValue, Outcome, Seat
from engine.phyliss.state import DealResult, Draft, State
from engine.ranking import Groups, rank_by

Table: TypeAlias = State | Draft


def holders(table: Table) -> list[Seat]:
    """Return the seats that still hold cards in the running deal, ascending.

    Nobody else has any: who dropped out, resigned or was not dealt in holds none.
    """
    return [Seat(seat) for seat, own in enumerate(table.seats) if own.hand or own.up or own.blind]


def has_left(table: Table, seat: Seat) -> bool:
    """True if a seat counts as gone from the game.

    A player with a place in the last deal can resign without losing anything (GEN-7).
    """
    if seat not in table.course.resigned:
        return False
    is_last_deal = table.course.deal + 1 == table.setup.options["deals"]
    return not (is_last_deal and table.seats[seat].out is not None)


def stayers(table: Table) -> list[Seat]:
    """Return the seats that are still in the game, ascending."""
    return [Seat(seat) for seat in range(table.setup.players) if not has_left(table, Seat(seat))]


def deal_result(table: Table, *, is_stopped: bool) -> DealResult:
    """Rank the deal that has just ended.

    First those who dropped out, in that order; then the holders, in a finished deal only one, in a
    stopped deal by cards left, fewest first, equal ones sharing a place; last those who resigned
    with cards, the latest first.
    """
    places: dict[Seat, int] = {
        seat: place
        for seat in table.course.dealt_in
        if (place := table.seats[seat].out) is not None
    }
    left = holders(table)
    counts = [table.seats[seat].cards_left for seat in left]
    dropped = len(places)
    for seat, count in zip(left, counts, strict=True):
        places[seat] = dropped + 1 + sum(other < count for other in counts)
    for seat in reversed(table.course.resigned):
        if seat in table.course.dealt_in and table.seats[seat].out is None:
            places[seat] = len(places) + 1
    loser = None if is_stopped else max(places, key=lambda seat: places[seat])
    return DealResult(tuple(places.get(Seat(seat)) for seat in range(table.setup.players)), loser)


def next_dealer(table: Table, result: DealResult) -> Seat:
    """Return who deals next: the loser, or the worst placed seat that stays (PHY-24)."""
    places = {
        seat: place
        for seat in table.course.dealt_in
        if seat not in table.course.resigned and (place := result.places[seat]) is not None
    }
    return max(places, key=lambda seat: places[seat])


def ranking(table: Table) -> Groups:
    """Rank the game: stayers by deals lost, then by places; then the resigned."""
    groups = rank_by(stayers(table), lambda seat: _score(table.course.results, seat))
    gone = [(seat,) for seat in reversed(table.course.resigned) if has_left(table, seat)]
    return (*groups, *gone)


def _score(results: Sequence[DealResult], seat: Seat) -> tuple[int, int]:
    lost = sum(result.loser == seat for result in results)
    return lost, sum(result.places[seat] or 0 for result in results)


def scores(table: Table) -> JsonValue:
    """Return per seat what the ranking was made from."""
    per_seat: list[JsonValue] = []
    for seat in map(Seat, range(table.setup.players)):
        lost, place_sum = _score(table.course.results, seat)
        places: list[JsonValue] = [result.places[seat] for result in table.course.results]
        per_seat.append(
            {
                "deals_lost": lost,
                "place_sum": place_sum,
                "places": places,
                "resigned": has_left(table, seat),
            }
        )
    return per_seat


def outcome(state: State) -> Outcome | None:
    """Return the result of a game that is over."""
    reason = state.course.reason
    return None if reason is None else Outcome(ranking(state), reason, scores(state))
