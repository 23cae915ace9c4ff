"""What a seat may know, and the whole position as JSON.

`view` is the only place that decides what is shown (GEN-5). It is made from what lies open, from
what everybody saw go into a hand, and from the viewer's own cards; nothing is looked up by the face
of a hidden card (GEN-16).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.canonical import canonical_json
from engine.cards import PACK, Card, card
from engine.cathedral.moves import RESERVE_SIZE
from engine.cathedral.scoring import stayers
from engine.cathedral.state import Cards, DealResult, SeatCards, State
from engine.errors import ReplayError


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that have something to decide: who has not chosen, or whose turn it is."""
    if state.is_choosing:
        return tuple(seat for seat in stayers(state) if state.seats[seat].choice is None)
    return () if state.to_act is None else (state.to_act,)


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, CAT-20).

    Per seat: `hand` (the viewer's own, else null; all six cards until the choices are made),
    `hand_size`, `known` (cards of that hand that everybody saw), `reserve` (own, else null),
    `reserve_size`, `chosen` (a choice is made and waits for the others), `choice` (own, else null),
    `resigned`. For the table: `pile`, `gone` (seen faces of cards that left the game), `gone_hidden`
    (number of unseen ones), `stock_size`, `stock` (null while the game runs), `choosing`, `to_act`,
    `ply`, `deal` (from 1), `deals`, `dealer`, `results` (finished deals), `over`, `seat` (the
    viewer's). After the end everything is shown to everybody (GEN-15).
    """
    is_over = state.reason is not None
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
                "resigned": index in state.resigned,
            }
        )
    gone = state.cleared + state.left_seen
    return {
        "seat": seat,
        "seats": seats,
        "pile": list(state.pile),
        "gone": list(gone + state.left_unseen if is_over else gone),
        "gone_hidden": 0 if is_over else len(state.left_unseen),
        "stock_size": len(state.stock),
        "stock": list(state.stock) if is_over else None,
        "choosing": state.is_choosing,
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "deal": state.deal + 1,
        "deals": state.deals,
        "dealer": state.dealer,
        "results": _results(state),
        "over": is_over,
    }


def _choice(own: SeatCards) -> list[JsonValue] | None:
    return None if own.choice is None else list(own.choice)


def _results(state: State) -> list[JsonValue]:
    return [
        {"cards_left": list(result.cards_left), "winner": result.winner} for result in state.results
    ]


def state_json(state: State) -> JsonObject:
    """Return everything but the setup; digests are made of this, so it is frozen (GEN-1).

    `deal` counts from 0 here, as the shuffles do. A `choice` is a part of the `hand` until it is
    carried out; `choice_mark`, `turn` and `turns` are sums of 1 (a standby ply), 2 (a chosen one),
    4 (a forced one). `gone` holds the cleared cards, then those of resigned seats: `left_seen` open
    ones and `left_unseen` others.
    """
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand),
            "known": list(own.known),
            "reserve": list(own.reserve),
            "choice": _choice(own),
            "choice_mark": own.choice_mark,
            "resigned": index in state.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    turns: list[JsonValue] = [list(pair) for pair in state.turns]
    return {
        "to_act": list(to_act(state)),
        "ply": state.ply,
        "seats": seats,
        "stock": list(state.stock),
        "pile": list(state.pile),
        "gone": list(state.cleared + state.left_seen + state.left_unseen),
        "left_seen": len(state.left_seen),
        "left_unseen": len(state.left_unseen),
        "choosing": state.is_choosing,
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
        problem = _what_is_wrong(state)
        # As canonical texts, since 1 and True are equal in Python.
        is_same = problem is not None or canonical_json(state_json(state)) == canonical_json(
            dict(data)
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ReplayError(f"this is no state of Cathedral: {error!r}") from error
    if problem is not None:
        raise ReplayError(f"this is no state of Cathedral: {problem}")
    if not is_same:
        raise ReplayError("this is no state of Cathedral: it does not read back the same")
    return state


def _cards(texts: Iterable[str]) -> Cards:
    return tuple(map(card, texts))


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    gone = _cards(data["gone"])
    unseen_from = len(gone) - data["left_unseen"]
    seen_from = unseen_from - data["left_seen"]
    is_choosing = data["choosing"]
    seats = [Seat(seat) for seat in data["to_act"]]
    return State(
        setup=setup,
        deal=data["deal"],
        dealer=Seat(data["dealer"]),
        dealt_in=tuple(map(Seat, data["dealt_in"])),
        seats=tuple(
            SeatCards(
                hand=_cards(own["hand"]),
                known=_cards(own["known"]),
                reserve=_cards(own["reserve"]),
                choice=None if own["choice"] is None else _cards(own["choice"]),
                choice_mark=own["choice_mark"],
            )
            for own in data["seats"]
        ),
        stock=_cards(data["stock"]),
        pile=_cards(data["pile"]),
        cleared=gone[:seen_from],
        left_seen=gone[seen_from:unseen_from],
        left_unseen=gone[unseen_from:],
        is_choosing=is_choosing,
        to_act=seats[0] if seats and not is_choosing else None,
        ply=data["ply"],
        deal_ply=data["deal_ply"],
        turn=data["turn"],
        turns=tuple((older, last) for older, last in data["turns"]),
        resigned=tuple(map(Seat, data["resigned"])),
        results=tuple(
            DealResult(tuple(result["cards_left"]), result["winner"]) for result in data["results"]
        ),
        reason=data["reason"],
    )


def _what_is_wrong(state: State) -> str | None:
    players = state.setup.players
    named = [*state.dealt_in, *state.resigned, state.dealer]
    if state.to_act is not None:
        named.append(state.to_act)
    numbers = [state.deal, state.deal_ply, state.ply, state.turn, *sum(state.turns, ())]
    numbers += [own.choice_mark for own in state.seats]
    if type(state.is_choosing) is not bool:
        return "neither choosing nor playing"
    if not all(type(number) is int and number >= 0 for number in numbers):
        return "a count that is no whole number"
    if len(state.seats) != players or len(state.turns) != players:
        return f"not {players} seats"
    if not all(type(seat) is int and 0 <= seat < players for seat in named):
        return "a seat that is not at the table"
    if bool(to_act(state)) != (state.reason is None):
        return "over and not over"
    if sorted(all_cards(state)) != sorted(PACK):
        return "not the 52 cards of one pack"
    return next(filter(None, map(_what_is_wrong_with, state.seats)), None)


def _what_is_wrong_with(own: SeatCards) -> str | None:
    if not set(own.known) <= set(own.hand):
        return "known cards that are not in the hand"
    if (own.choice is None) != (own.choice_mark == 0):
        return "a choice that nobody made"
    if own.choice is not None and (
        len(set(own.choice)) != RESERVE_SIZE or not set(own.choice) <= set(own.hand)
    ):
        return "a choice that is not three cards of the hand"
    return None


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, wherever it lies: always the whole pack."""
    cards = [*state.stock, *state.pile, *state.cleared, *state.left_seen, *state.left_unseen]
    for own in state.seats:
        cards += [*own.hand, *own.reserve]
    return cards
