"""What a seat may know (GEN-5, GEN-16, P10-32).

The view is made from what lies open, from what everyone saw go into a hand, and from the viewer's
own hand; nothing is looked up by the face of a hidden card.
"""

from __future__ import annotations

from engine.api import JsonObject, JsonValue, Seat
from engine.phase10.groups import group_json, phase_words
from engine.phase10.options import is_by_phase, phase_list
from engine.phase10.scoring import has_left
from engine.phase10.state import State


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know.

    Per seat: `hand` (the viewer's own, else null), `hand_size`, `known` (cards of that hand that
    everyone saw being taken), `phase` and `phase_words` (of the running deal), `completed` (number
    of phases), `score`, `laid`, `skips` (turns to lose), `mark` (null: a skip may name it),
    `floating`, `in_deal`, `resigned` (false where it changed nothing, GEN-7). For the table: `groups`
    by seat (`kind`, `cards`, and of wilds alone `as`, their number or lowest number), `pile`, `gone` (seen faces of cards that left with a seat), `gone_hidden` (number of unseen ones),
    `stock_size`, `stock` (null while the game runs), `to_act`, `has_drawn`, `ply`, `deal` (from 1),
    `dealer`, `phases` and `naturals` (of the game), `tied`, `results` (finished deals), `over`, `seat` (the
    viewer's). After the end everything is shown to everyone (GEN-15).
    """
    is_over = state.reason is not None
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand) if is_over or index == seat else None,
            "hand_size": len(own.hand),
            "known": list(own.known),
            "phase": own.phase,
            "phase_words": phase_words(own.phase),
            "completed": own.completed,
            "score": own.score,
            "laid": own.laid,
            "skips": own.skips,
            "mark": own.mark,
            "floating": own.is_floating and index not in state.resigned,
            "in_deal": index in state.dealt_in,
            "resigned": has_left(state, Seat(index)),
        }
        for index, own in enumerate(state.seats)
    ]
    return {
        "seat": seat,
        "seats": seats,
        "groups": groups_json(state),
        "pile": list(state.pile),
        "gone": list(state.left_seen + state.left_unseen if is_over else state.left_seen),
        "gone_hidden": 0 if is_over else len(state.left_unseen),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "to_act": to_act_json(state),
        "has_drawn": state.has_drawn,
        "ply": state.ply,
        "deal": state.deal + 1,
        "dealer": state.dealer,
        "phases": list(phase_list(state.setup)),
        "naturals": "phase" if is_by_phase(state.setup.options) else "group",
        "tied": list(state.tied),
        "results": results_json(state),
        "over": is_over,
    }


def to_act_json(state: State) -> list[JsonValue]:
    """Return who is to act, at most one seat."""
    return [] if state.to_act is None else [state.to_act]


def groups_json(state: State) -> list[JsonValue]:
    """Return per seat its groups on the table."""
    return [[group_json(group) for group in groups] for groups in state.groups]


def results_json(state: State) -> list[JsonValue]:
    """Return the finished deals: a score sheet."""
    return [
        {
            "winner": result.winner,
            "phases": list(result.phases),
            "laid": list(result.laid),
            "points": list(result.points),
            "tie_break": result.is_tie_break,
        }
        for result in state.results
    ]
