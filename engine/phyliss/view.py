"""What a seat may know, and the whole position as JSON.

`view` is the only place that decides what is shown (GEN-5). It is made from what lies open, from
what everyone saw go into a hand, and from the viewer's own hand; nothing is looked up by the face
of a hidden card (GEN-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.cards import Card
from engine.phyliss.scoring import has_left
from engine.phyliss.state import DealResult, SeatCards, State
from engine.plays import without
from engine.shedding import (
    cards_from_json,
    int_option,
    read_back,
    results_json,
    table_cards,
    table_from_json,
    table_json,
    what_is_wrong,
)


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, PHY-28).

    Per seat: `hand` (the viewer's own, else null), `hand_size`, `known` (cards of that hand that
    everyone saw), `up`, `blind` (numbers of the blind cards left), `blind_cards` (their faces, null
    while the game runs), `out` (place in the running deal), `resigned` (false where it changed
    nothing, GEN-7). For the table: `pile`,
    `gone` (seen faces of cards that left the game), `gone_hidden` (number of unseen ones),
    `stock_size`, `stock` (null while the game runs), `to_act`, `ply`, `deal` (from 1), `deals`,
    `dealer`, `results` (finished deals), `over`, `seat` (the viewer's). After the end everything is
    shown to everyone (GEN-15).
    """
    is_over = state.course.reason is not None
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand) if is_over or index == seat else None,
            "hand_size": len(own.hand),
            "known": list(own.known),
            "up": list(own.up),
            "blind": list(own.blind_numbers),
            "blind_cards": list(own.blind) if is_over else None,
            "out": own.out,
            "resigned": has_left(state, Seat(index)),
        }
        for index, own in enumerate(state.seats)
    ]
    gone = state.course.removed + state.course.left_seen
    return {
        "seat": seat,
        "seats": seats,
        "pile": list(state.pile),
        "gone": list(gone + state.course.left_unseen if is_over else gone),
        "gone_hidden": 0 if is_over else len(state.course.left_unseen),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "deal": state.course.deal + 1,
        "deals": int_option(state.setup, "deals"),
        "dealer": state.course.dealer,
        "results": results_json(state),
        "over": is_over,
    }


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seat whose turn it is; none after the end."""
    return () if state.to_act is None else (state.to_act,)


def state_json(state: State) -> JsonObject:
    """Return everything but the setup (GEN-1), as in `shedding.table_json`."""
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand),
            "known": list(own.known),
            "up": list(own.up),
            "blind": list(own.blind),
            "blind_numbers": list(own.blind_numbers),
            "out": own.out,
            "resigned": index in state.course.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    return table_json(state, to_act(state), seats)


def state_from_json(setup: Setup, data: Mapping[str, Any]) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    return read_back(
        "Phyliss", data, lambda data: _read_state(setup, data), state_json, _what_is_wrong
    )


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    to_act = [Seat(seat) for seat in data["to_act"]]
    seats = [
        SeatCards(
            hand=cards_from_json(own["hand"]),
            private=without(cards_from_json(own["hand"]), cards_from_json(own["known"])),
            up=cards_from_json(own["up"]),
            blind=cards_from_json(own["blind"]),
            blind_numbers=tuple(own["blind_numbers"]),
            out=own["out"],
        )
        for own in data["seats"]
    ]
    results = [DealResult(tuple(result["places"]), result["loser"]) for result in data["results"]]
    return table_from_json(setup, data, seats, to_act[0] if to_act else None, results)


def _what_is_wrong(state: State) -> str | None:
    return what_is_wrong(state, to_act(state), all_cards(state))


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, wherever it is: always the whole pack."""
    cards = table_cards(state)
    for own in state.seats:
        cards += [*own.hand, *own.up, *own.blind]
    return cards
