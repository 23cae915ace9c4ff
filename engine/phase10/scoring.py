"""Leaders, ties, and the ranking of the game.

Rules: P10-25, P10-26, P10-27, P10-31, GEN-17.
"""

from __future__ import annotations

from engine.api import JsonValue, Outcome, Seat
from engine.phase10.options import is_ten_hands, phase_list
from engine.phase10.state import State, Table
from engine.ranking import Groups, rank_by


def has_left(table: Table, seat: Seat) -> bool:
    """True if a seat counts as gone from the game.

    A seat that is not tied has earned its place: in a tie-break it resigns without losing anything
    (GEN-7). If it had resigned before, the last hand that counted has no points for it.
    """
    if seat not in table.resigned:
        return False
    if not table.tied or seat in table.tied:
        return True
    counted = [result.points for result in table.results if not result.is_tie_break]
    return counted[-1][seat] is None


def stayers(table: Table) -> list[Seat]:
    """Return the seats that are still in the game, ascending."""
    return [seat for seat in map(Seat, range(table.setup.players)) if not has_left(table, seat)]


def contenders(table: Table) -> list[Seat]:
    """Return the seats that can still win, ascending; in a tie-break the tied.

    Rules: P10-26.
    """
    return [seat for seat in stayers(table) if not table.tied or seat in table.tied]


def _score(table: Table, seat: Seat) -> tuple[int, ...]:
    """Return what a seat is ranked by, lowest first (P10-27, P10-V1)."""
    own = table.seats[seat]
    is_winner = seat == tie_break_winner(table)
    if is_ten_hands(table.setup):
        return own.score, not is_winner
    return -own.completed, own.score, not is_winner


def tie_break_winner(table: Table) -> Seat | None:
    """Return the first of the tied to go out; None: not decided, or no tie (P10-26)."""
    last = table.results[-1] if table.results else None
    return last.winner if last is not None and last.is_tie_break else None


def leaders(table: Table) -> tuple[Seat, ...]:
    """Return the seats that stay and share the first place at the moment."""
    return rank_by(stayers(table), lambda seat: _score(table, seat))[0]


def is_decided(table: Table) -> bool:
    """True if the deals that count are over: then the leaders win, or play off a tie.

    Rules: P10-25, P10-V1.
    """
    phases = phase_list(table.setup)
    if is_ten_hands(table.setup):
        return len(table.results) >= len(phases)
    return any(table.seats[seat].completed == len(phases) for seat in stayers(table))


def ranking(table: Table) -> Groups:
    """Rank the game: those who stay, then the resigned, the latest first (GEN-7)."""
    gone = tuple((seat,) for seat in reversed(table.resigned) if has_left(table, seat))
    return (*rank_by(stayers(table), lambda seat: _score(table, seat)), *gone)


def scores(table: Table) -> JsonValue:
    """Return per seat what the ranking was made from."""
    return [
        {
            "completed": own.completed,
            "score": own.score,
            "tied": seat in table.tied,
            "resigned": has_left(table, Seat(seat)),
        }
        for seat, own in enumerate(table.seats)
    ]


def outcome(state: State) -> Outcome | None:
    """Return the result of a game that is over."""
    if state.reason is None:
        return None
    return Outcome(ranking(state), state.reason, scores(state))
