"""What a seat may know, and the whole position as JSON.

`view` is the only place that decides what is shown (GEN-5). It is made from what lies open, from
what everyone saw go into a hand, and from the viewer's own cards; nothing is looked up by the face
of a hidden card (GEN-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.cards import Card
from engine.cathedral.moves import RESERVE_SIZE
from engine.cathedral.scoring import stayers
from engine.cathedral.state import DealResult, SeatCards, State, is_choosing
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


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that have to act: those without a choice, or the one on turn."""
    if state.to_act is not None:
        return (state.to_act,)
    if is_choosing(state):
        return tuple(seat for seat in stayers(state) if state.seats[seat].choice is None)
    return ()


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, CAT-20).

    Per seat: `hand` (the viewer's own, else null; all six cards until the choices are made),
    `hand_size`, `known` (cards of that hand that everyone saw), `reserve` (own, else null),
    `reserve_size`, `chosen` (a choice is made and waits for the others), `choice` (own, else null),
    `resigned`. For the table: `pile`, `gone` (seen faces of cards that left the game), `gone_hidden`
    (number of unseen ones), `stock_size`, `stock` (null while the game runs), `choosing`, `to_act`,
    `ply`, `deal` (from 1), `deals`, `dealer`, `results` (finished deals), `over`, `seat` (the
    viewer's). After the end everything is shown to everyone (GEN-15).
    """
    is_over = state.course.reason is not None
    seats: list[JsonValue] = []
    for index, own in enumerate(state.seats):
        is_shown = is_over or index == seat
        seats.append(
            {
                "hand": list(own.hand) if is_shown else None,
                "hand_size": len(own.hand),
                "known": list(own.known),
                "reserve": list(own.reserve) if is_shown else None,
                "reserve_size": len(own.reserve),
                "chosen": own.choice is not None,
                "choice": _choice(own) if is_shown else None,
                "resigned": index in state.course.resigned,
            }
        )
    gone = state.course.removed + state.course.left_seen
    return {
        "seat": seat,
        "seats": seats,
        "pile": list(state.pile),
        "gone": list(gone + state.course.left_unseen if is_over else gone),
        "gone_hidden": 0 if is_over else len(state.course.left_unseen),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "choosing": is_choosing(state),
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "deal": state.course.deal + 1,
        "deals": int_option(state.setup, "deals"),
        "dealer": state.course.dealer,
        "results": results_json(state),
        "over": is_over,
    }


def _choice(own: SeatCards) -> list[JsonValue] | None:
    return None if own.choice is None else list(own.choice)


def state_json(state: State) -> JsonObject:
    """Return everything but the setup (GEN-1), as in `shedding.table_json`.

    A `choice` is a part of the `hand` until it is carried out; a `choice_mark` counts as in `turns`.
    """
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand),
            "known": list(own.known),
            "reserve": list(own.reserve),
            "choice": _choice(own),
            "choice_mark": own.choice_mark,
            "resigned": index in state.course.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    return table_json(state, to_act(state), seats, choosing=is_choosing(state))


def state_from_json(setup: Setup, data: Mapping[str, Any]) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    return read_back(
        "Cathedral", data, lambda data: _read_state(setup, data), state_json, _what_is_wrong
    )


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    waited_for = [Seat(seat) for seat in data["to_act"]]
    turn_of = waited_for[0] if waited_for and not data["choosing"] else None
    seats = [
        SeatCards(
            hand=cards_from_json(own["hand"]),
            private=without(cards_from_json(own["hand"]), cards_from_json(own["known"])),
            reserve=cards_from_json(own["reserve"]),
            choice=None if own["choice"] is None else cards_from_json(own["choice"]),
            choice_mark=own["choice_mark"],
        )
        for own in data["seats"]
    ]
    results = [
        DealResult(tuple(result["cards_left"]), result["winner"]) for result in data["results"]
    ]
    return table_from_json(setup, data, seats, turn_of, results)


def _what_is_wrong(state: State) -> str | None:
    if not all(type(own.choice_mark) is int and own.choice_mark >= 0 for own in state.seats):
        return "a choice_mark that is not a whole number"
    if len(state.seats) != state.setup.players:
        return f"not {state.setup.players} seats"
    wrong = what_is_wrong(state, to_act(state), all_cards(state))
    return wrong or next(filter(None, map(_what_is_wrong_with, state.seats)), None)


def _what_is_wrong_with(own: SeatCards) -> str | None:
    if (own.choice is None) != (own.choice_mark == 0):
        return "a choice that nobody made"
    if own.choice is not None and (
        len(set(own.choice)) != RESERVE_SIZE or not set(own.choice) <= set(own.hand)
    ):
        return "a choice that is not three cards of the hand"
    return None


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, wherever it is: always the whole pack."""
    cards = table_cards(state)
    for own in state.seats:
        cards += [*own.hand, *own.reserve]
    return cards
