"""Scores, ranking and result.

Rules: PLX-24, PLX-28, PLX-V5, PLX-V7, GEN-7, GEN-17.
"""

from __future__ import annotations

from engine.api import JsonValue, Outcome, Seat
from engine.phalanx.state import State, Table, active, is_gambling
from engine.ranking import Groups, rank_by


def cards_of(table: Table, seat: Seat) -> int:
    """Count a seat's cards: reserve, hand, laid aside, own cards in zones; no spoils."""
    hand, reserve, aside = table.hands[seat], table.reserves[seat], table.asides[seat]
    lying = sum(lying.seat == seat for zone in table.zones for lying in zone)
    return len(reserve) + len(hand) + len(aside) + lying


def chips_of(table: Table, seat: Seat) -> int:
    """Count the chips of a seat, with its stakes in the pots."""
    return table.chips[seat] + sum(pot[seat] for pot in table.pots)


def has_left(table: Table, seat: Seat) -> bool:
    """True if a seat counts as resigned; an eliminated seat keeps its place."""
    return seat in table.resigned and table.outs[seat] is None


def ranking(table: Table) -> Groups:
    """Rank the game: stayers, then the eliminated, then the resigned, latest first.

    Where chips are played for, the eliminated are ranked by their chips among the others.
    """
    staying = [seat for seat in active(table) if table.outs[seat] is None]
    out = [Seat(seat) for seat, out in enumerate(table.outs) if out is not None]
    gone = tuple((seat,) for seat in reversed(table.resigned) if has_left(table, seat))
    if table.reason == "last-seat":
        return (tuple(staying), *_rank(table, out), *gone)
    return (*_rank(table, [*staying, *out]), *gone)


def _rank(table: Table, seats: list[Seat]) -> Groups:
    def score(seat: Seat) -> tuple[int, int]:
        out = table.outs[seat]
        battle = table.battle + 1 if out is None else out.battle
        if is_gambling(table):
            return -chips_of(table, seat), -battle
        return -battle, -(cards_of(table, seat) if out is None else out.cards)

    return rank_by(seats, score)


def scores(table: Table) -> JsonValue:
    """Return per seat what the ranking was made from."""
    per_seat: list[JsonValue] = []
    for seat, out in enumerate(table.outs):
        cards = cards_of(table, Seat(seat)) if out is None else out.cards
        per_seat.append(
            {
                "cards": cards,
                "chips": chips_of(table, Seat(seat)),
                "eliminated": None if out is None else out.battle,
                "resigned": has_left(table, Seat(seat)),
            }
        )
    return per_seat


def outcome(state: State) -> Outcome | None:
    """Return the result of a game that is over."""
    if state.reason is None:
        return None
    return Outcome(ranking(state), state.reason, scores(state))
