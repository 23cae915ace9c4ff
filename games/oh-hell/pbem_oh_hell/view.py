"""Who may know what of a position of Oh Hell, and the position as JSON (GEN-5, OHH-14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.cards import PACK, card
from engine.errors import ReplayError
from pbem_oh_hell.state import State, forbidden_bid, is_bidding, size, sizes

_REASONS = ("", "finished", "stopped", "last-seat")


def to_act(state: State) -> tuple[Seat, ...]:
    """Return whose turn it is."""
    return () if state.turn is None else (state.turn,)


def view(state: State, seat: Seat | None) -> JsonObject:
    """Show the own hand, of others its size; after the end everything (GEN-5, GEN-15)."""
    is_over = state.turn is None
    seats: list[JsonValue] = [
        {
            "hand": list(hand) if is_over or number == seat else None,
            "hand_size": len(hand),
            "bid": state.bids[number],
            "tricks": state.tricks[number],
            "score": state.scores[number],
            "resigned": number in state.resigned,
        }
        for number, hand in enumerate(state.hands)
    ]
    return {
        "seat": seat,
        "seats": seats,
        "deal": state.deal + 1,
        "deals": len(sizes(state.setup.options)),
        "cards": size(state),
        "dealer": state.dealer,
        "trump": state.trump,
        "bidding": is_bidding(state) and not is_over,
        "forbidden_bid": forbidden_bid(state),
        "trick": [{"seat": who, "card": held} for who, held in state.trick],
        "played": list(state.played),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "gone_hidden": 0 if is_over else len(state.gone),
        "gone": list(state.gone) if is_over else [],
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "over": is_over,
    }


def state_json(state: State) -> JsonObject:
    """Return everything but the setup: what digests are made of."""
    return {
        "deal": state.deal,
        "dealer": state.dealer,
        "hands": [list(hand) for hand in state.hands],
        "stock": list(state.stock),
        "trump": state.trump,
        "bids": list(state.bids),
        "trick": [[who, held] for who, held in state.trick],
        "tricks": list(state.tricks),
        "played": list(state.played),
        "gone": list(state.gone),
        "scores": list(state.scores),
        "resigned": list(state.resigned),
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "turns": [list(marks) for marks in state.turns],
        "reason": state.reason,
    }


def state_from_json(setup: Setup, data: JsonObject) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    try:
        state = _read(setup, data)
        held = [one for hand in state.hands for one in hand]
        cards = [*state.stock, state.trump, *held, *state.played, *state.gone]
        cards += [one for _, one in state.trick]
        fits = (
            sorted(cards) == sorted(PACK)
            and state_json(state) == data
            and state.reason in _REASONS
            and (state.turn is None) == bool(state.reason)
            and state.deal >= 0
            and all(len(one) == setup.players for one in (state.hands, state.bids, state.turns))
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ReplayError("this is no position of Oh Hell") from error
    if not fits:
        raise ReplayError("this is no position of Oh Hell")
    return state


def _read(setup: Setup, data: Mapping[str, Any]) -> State:
    turn = [Seat(seat) for seat in data["to_act"]]
    return State(
        setup=setup,
        deal=data["deal"],
        dealer=Seat(data["dealer"]),
        hands=tuple(tuple(map(card, hand)) for hand in data["hands"]),
        stock=tuple(map(card, data["stock"])),
        trump=card(data["trump"]),
        bids=tuple(data["bids"]),
        trick=tuple((Seat(who), card(held)) for who, held in data["trick"]),
        tricks=tuple(data["tricks"]),
        played=tuple(map(card, data["played"])),
        gone=tuple(map(card, data["gone"])),
        scores=tuple(data["scores"]),
        resigned=tuple(map(Seat, data["resigned"])),
        turn=turn[0] if turn else None,
        ply=data["ply"],
        turns=tuple((older, last) for older, last in data["turns"]),
        reason=data["reason"],
    )
