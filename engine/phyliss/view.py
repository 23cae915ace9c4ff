"""What a seat may know, and the whole position as JSON.

`view` is the only place that decides what is shown (GEN-5). It is made from what lies open, from
what everybody saw go into a hand, and from the viewer's own hand; nothing is looked up by the face
of a hidden card (GEN-16).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.canonical import canonical_json
from engine.cards import PACK, Card, card
from engine.errors import ReplayError
from engine.phyliss.state import Cards, DealResult, SeatCards, State


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, PHY-28).

    Per seat: `hand` (the viewer's own, else null), `hand_size`, `known` (cards of that hand that
    everybody saw), `up`, `blind` (numbers of the blind cards left), `blind_cards` (their faces, null
    while the game runs), `out` (place in the running deal), `resigned`. For the table: `pile`,
    `gone` (seen faces of cards that left the game), `gone_hidden` (number of unseen ones),
    `stock_size`, `stock` (null while the game runs), `to_act`, `ply`, `deal` (from 1), `deals`,
    `dealer`, `results` (finished deals), `over`, `seat` (the viewer's). After the end everything is
    shown to everybody (GEN-15).
    """
    is_over = state.reason is not None
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand) if is_over or index == seat else None,
            "hand_size": len(own.hand),
            "known": list(own.known),
            "up": list(own.up),
            "blind": list(own.blind_numbers),
            "blind_cards": list(own.blind) if is_over else None,
            "out": own.out,
            "resigned": index in state.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    gone = state.destroyed + state.left_seen
    return {
        "seat": seat,
        "seats": seats,
        "pile": list(state.pile),
        "gone": list(gone + state.left_unseen if is_over else gone),
        "gone_hidden": 0 if is_over else len(state.left_unseen),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "to_act": _to_act(state),
        "ply": state.ply,
        "deal": state.deal + 1,
        "deals": state.deals,
        "dealer": state.dealer,
        "results": _results(state),
        "over": is_over,
    }


def _to_act(state: State) -> list[JsonValue]:
    return [] if state.to_act is None else [state.to_act]


def _results(state: State) -> list[JsonValue]:
    return [{"places": list(result.places), "loser": result.loser} for result in state.results]


def state_json(state: State) -> JsonObject:
    """Return everything but the setup; digests are made of this, so it is frozen (GEN-1).

    `deal` counts from 0 here, as the shuffles do. `gone` holds the destroyed cards, then those of
    resigned seats: `left_seen` open ones and `left_unseen` others. `turn` and `turns` are sums of
    1 (held a standby ply), 2 (a chosen one), 4 (a forced one).
    """
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand),
            "known": list(own.known),
            "up": list(own.up),
            "blind": list(own.blind),
            "blind_numbers": list(own.blind_numbers),
            "out": own.out,
            "resigned": index in state.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    turns: list[JsonValue] = [list(pair) for pair in state.turns]
    return {
        "to_act": _to_act(state),
        "ply": state.ply,
        "seats": seats,
        "stock": list(state.stock),
        "pile": list(state.pile),
        "gone": list(state.destroyed + state.left_seen + state.left_unseen),
        "left_seen": len(state.left_seen),
        "left_unseen": len(state.left_unseen),
        "deal": state.deal,
        "deal_ply": state.deal_ply,
        "dealer": state.dealer,
        "dealt_in": list(state.dealt_in),
        "turn": state.turn,
        "turns": turns,
        "resigned": list(state.resigned),
        "results": _results(state),
        "reason": state.reason,
    }


def state_from_json(setup: Setup, data: Mapping[str, Any]) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    try:
        state = _read_state(setup, data)
        # As canonical texts, since 1 and True are equal in Python.
        is_same = canonical_json(state_json(state)) == canonical_json(dict(data))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ReplayError(f"this is no state of Phyliss: {error!r}") from error
    problem = _what_is_wrong(state)
    if problem is not None:
        raise ReplayError(f"this is no state of Phyliss: {problem}")
    if not is_same:
        raise ReplayError("this is no state of Phyliss: it does not read back the same")
    return state


def _cards(texts: Iterable[str]) -> Cards:
    return tuple(map(card, texts))


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    gone = _cards(data["gone"])
    unseen_from = len(gone) - data["left_unseen"]
    seen_from = unseen_from - data["left_seen"]
    to_act = [Seat(seat) for seat in data["to_act"]]
    return State(
        setup=setup,
        deal=data["deal"],
        dealer=Seat(data["dealer"]),
        dealt_in=tuple(map(Seat, data["dealt_in"])),
        seats=tuple(
            SeatCards(
                hand=_cards(own["hand"]),
                known=_cards(own["known"]),
                up=_cards(own["up"]),
                blind=_cards(own["blind"]),
                blind_numbers=tuple(own["blind_numbers"]),
                out=own["out"],
            )
            for own in data["seats"]
        ),
        stock=_cards(data["stock"]),
        pile=_cards(data["pile"]),
        destroyed=gone[:seen_from],
        left_seen=gone[seen_from:unseen_from],
        left_unseen=gone[unseen_from:],
        to_act=to_act[0] if to_act else None,
        ply=data["ply"],
        deal_ply=data["deal_ply"],
        turn=data["turn"],
        turns=tuple((older, last) for older, last in data["turns"]),
        resigned=tuple(map(Seat, data["resigned"])),
        results=tuple(
            DealResult(tuple(result["places"]), result["loser"]) for result in data["results"]
        ),
        reason=data["reason"],
    )


def _what_is_wrong(state: State) -> str | None:
    players = state.setup.players
    named = [*state.dealt_in, *state.resigned, state.dealer]
    if state.to_act is not None:
        named.append(state.to_act)
    numbers = [state.deal, state.deal_ply, state.ply, state.turn, *sum(state.turns, ())]
    if not all(type(number) is int and number >= 0 for number in numbers):
        return "a count that is no whole number"
    if len(state.seats) != players or len(state.turns) != players:
        return f"not {players} seats"
    if not all(type(seat) is int and 0 <= seat < players for seat in named):
        return "a seat that is not at the table"
    if (state.to_act is None) != (state.reason is not None):
        return "over and not over"
    if sorted(all_cards(state)) != sorted(PACK):
        return "not the 52 cards of one pack"
    return None


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, wherever it lies: always the whole pack."""
    cards = [*state.stock, *state.pile, *state.destroyed, *state.left_seen, *state.left_unseen]
    for own in state.seats:
        cards += [*own.hand, *own.up, *own.blind]
    return cards
