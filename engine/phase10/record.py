"""Positions of Phase 10 as JSON: the view of a seat (P10-32), and the whole state for digests.

A view uses open cards, cards that everyone saw being taken, and the viewer's own hand. It never
looks at the face of a hidden card (GEN-5, GEN-16).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.phase10.cards import PACK, Card, Cards, card, sort_cards
from engine.phase10.groups import HIGHEST, LOWEST, Group, Kind, group_json, is_of_wilds, phase_words
from engine.phase10.state import DealResult, SeatState, State, has_left, is_by_phase, phase_list
from engine.position import (
    Checks,
    fields_json,
    impossible,
    lists,
    read_back,
    read_fields,
    read_seats,
    read_turns,
)

_OPEN_FIELDS = ("completed", "score", "laid", "skips", "mark")
"""Public fields of a seat, with the same names in the state and in JSON."""
_SEAT_FIELDS = ("hand", "known", "phase", *_OPEN_FIELDS)
_RESULT_FIELDS = ("winner", "phases", "laid", "points")
_FIELDS = (
    "deal", "dealer", "dealt_in", "stock", "pile", "has_drawn", "ply", "shuffles", "turn", "resigned",
    "tied", "reason",
)  # fmt: skip
"""Fields with the same name and value in a state and in its JSON."""


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know.

    Each seat has the fields `hand` (null unless it is the viewer's), `hand_size`, `known` (cards of
    that hand that everyone saw being taken), `phase` and `phase_words` (of the current deal),
    `completed` (number of phases), `score`, `laid`, `skips` (turns to skip), `mark` (null if a skip
    may name the seat), `floating`, `in_deal` and `resigned` (False if the resignation had no
    effect, GEN-7). The table has `groups` by seat (`kind`, `cards`, and for groups of wilds only
    `as`, the number of a set or the lowest number of a run), `pile`, `gone` (visible cards of
    resigned seats), `gone_hidden` (the number of others), `stock_size`, `stock` (null while the
    game is running), `to_act`, `has_drawn`, `ply`, `deal` (from 1), `dealer`, `phases` and
    `naturals` (of the game), `tied`, `results` (finished deals), `over` and `seat` (the viewer's).
    After the end everything is visible to everyone (GEN-15).
    """
    is_over = state.reason is not None
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand) if is_over or index == seat else None,
            "hand_size": len(own.hand),
            "known": list(own.known),
            "phase": own.phase,
            "phase_words": phase_words(own.phase),
            **fields_json(own, _OPEN_FIELDS),
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
        **fields_json(state, ("has_drawn", "ply")),
        "deal": state.deal + 1,
        "dealer": state.dealer,
        "phases": list(phase_list(state.setup.options)),
        "naturals": "phase" if is_by_phase(state.setup.options) else "group",
        "tied": list(state.tied),
        "results": results_json(state),
        "over": is_over,
    }


def to_act_json(state: State) -> list[JsonValue]:
    """Return the seat that must act as a list, which is empty after the end."""
    return [] if state.to_act is None else [state.to_act]


def groups_json(state: State) -> list[JsonValue]:
    """Return the groups on the table as JSON, by seat."""
    return [[group_json(group) for group in groups] for groups in state.groups]


def results_json(state: State) -> list[JsonValue]:
    """Return the results of finished deals as JSON."""
    return [
        {**fields_json(result, _RESULT_FIELDS), "tie_break": result.is_tie_break}
        for result in state.results
    ]


# --- the state as JSON ----------------------------------------------------------------------------


def state_json(state: State) -> JsonObject:
    """Return the state as JSON, without its setup.

    `deal` counts from 0. `gone` contains the cards of seats that resigned in this deal: `left_seen`
    face-up and `left_unseen` other cards. Groups that have only wilds have the field `as` (P10-V4).
    `turn` and `turns` are sums of 1 (contained a standby ply), 2 (a chosen ply) and 4 (a forced
    ply).
    """
    seats: list[JsonValue] = [
        {
            **fields_json(own, _SEAT_FIELDS),
            "floating": own.is_floating,
            "resigned": index in state.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    return {
        **fields_json(state, _FIELDS),
        "to_act": to_act_json(state),
        "seats": seats,
        "groups": groups_json(state),
        "gone": list(state.left_seen + state.left_unseen),
        "left_seen": len(state.left_seen),
        "left_unseen": len(state.left_unseen),
        "turns": lists(state.turns),
        "results": results_json(state),
    }


def state_from_json(setup: Setup, data: Mapping[str, Any], *, is_family: bool) -> State:
    """Restore a state from the result of `state_json`. Raises: ReplayError."""
    return read_back(
        "Phase 10",
        data,
        lambda data: _read_state(setup, data, is_family),
        state_json,
        _checks,
    )


def _cards(texts: Iterable[str]) -> Cards:
    return tuple(map(card, texts))


def _read_state(setup: Setup, data: Mapping[str, Any], is_family: bool) -> State:
    gone = _cards(data["gone"])
    to_act = read_seats(data["to_act"])
    return State(
        setup=setup,
        is_family=is_family,
        **read_fields(data, _FIELDS, card),
        seats=tuple(
            SeatState(**read_fields(own, _SEAT_FIELDS, card), is_floating=own["floating"])
            for own in data["seats"]
        ),
        groups=tuple(
            tuple(
                Group(Kind(group["kind"]), _cards(group["cards"]), group.get("as"))
                for group in groups
            )
            for groups in data["groups"]
        ),
        left_seen=gone[: data["left_seen"]],
        left_unseen=gone[data["left_seen"] :],
        to_act=to_act[0] if to_act else None,
        turns=read_turns(data["turns"]),
        results=tuple(
            DealResult(
                **read_fields(result, _RESULT_FIELDS, card), is_tie_break=result["tie_break"]
            )
            for result in data["results"]
        ),
    )


def _checks(state: State) -> Checks:
    flags = [(own.laid, own.is_floating) for own in state.seats]
    marks = [own.mark for own in state.seats if own.mark is not None]
    winners = [result.winner for result in state.results if result.winner is not None]
    counts = [(own.phase, own.completed, own.score, own.skips) for own in state.seats]
    numbers = [state.deal, state.ply, state.shuffles, state.turn]
    common = impossible(
        state.setup.players,
        by_seat=(state.seats, state.turns, state.groups),
        counts=chain(numbers, *counts, *state.turns),
        seats=(*state.dealt_in, *state.resigned, *state.tied, state.dealer, *marks, *winners),
        to_act=() if state.to_act is None else (state.to_act,),
        reason=state.reason,
    )
    return {
        **common,
        "a flag that is neither true nor false": not all(
            type(is_so) is bool for is_so in chain(*flags)
        ),
        "a hand out of order": any(own.hand != sort_cards(own.hand) for own in state.seats),
        "a group whose number is not known, or known twice": not all(
            _is_numbered(group) for group in chain(*state.groups)
        ),
        "not the 108 cards of the pack": sorted(all_cards(state)) != sorted(PACK),
    }


def _is_numbered(group: Group) -> bool:
    """True if the number of a group is valid: given for a group of wilds, otherwise None."""
    if not is_of_wilds(group):
        return group.number is None
    if group.kind is Kind.COLOUR or type(group.number) is not int:
        return False
    last = group.number + (len(group.cards) - 1 if group.kind is Kind.RUN else 0)
    return group.number >= LOWEST and last <= HIGHEST


def all_cards(state: State) -> list[Card]:
    """Return all cards of the position. In a valid state they are exactly one pack."""
    piles = [state.stock, state.pile, state.left_seen, state.left_unseen]
    piles += [own.hand for own in state.seats]
    piles += [group.cards for groups in state.groups for group in groups]
    return [*chain.from_iterable(piles)]
