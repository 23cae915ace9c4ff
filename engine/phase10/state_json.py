"""The whole position as JSON, and back; digests use it, so it is frozen (GEN-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.api import JsonObject, JsonValue, Seat, Setup
from engine.canonical import canonical_json
from engine.errors import ReplayError
from engine.phase10.cards import PACK, Card, Cards, card, sort_cards
from engine.phase10.groups import Group, Kind
from engine.phase10.state import DealResult, SeatState, State
from engine.phase10.view import groups_json, results_json, to_act_json


def state_json(state: State) -> JsonObject:
    """Return everything but the setup.

    `deal` counts from 0. `gone` holds the cards of seats that resigned in this deal: `left_seen`
    open ones and `left_unseen` others. `turn` and `turns` are sums of 1 (held a standby ply), 2 (a
    chosen one), 4 (a forced one).
    """
    seats: list[JsonValue] = [
        {
            "hand": list(own.hand),
            "known": list(own.known),
            "phase": own.phase,
            "completed": own.completed,
            "score": own.score,
            "laid": own.laid,
            "skips": own.skips,
            "mark": own.mark,
            "floating": own.is_floating,
            "resigned": index in state.resigned,
        }
        for index, own in enumerate(state.seats)
    ]
    turns: list[JsonValue] = [list(pair) for pair in state.turns]
    return {
        "to_act": to_act_json(state),
        "ply": state.ply,
        "seats": seats,
        "stock": list(state.stock),
        "pile": list(state.pile),
        "groups": groups_json(state),
        "gone": list(state.left_seen + state.left_unseen),
        "left_seen": len(state.left_seen),
        "left_unseen": len(state.left_unseen),
        "deal": state.deal,
        "dealer": state.dealer,
        "dealt_in": list(state.dealt_in),
        "has_drawn": state.has_drawn,
        "shuffles": state.shuffles,
        "turn": state.turn,
        "turns": turns,
        "resigned": list(state.resigned),
        "tied": list(state.tied),
        "results": results_json(state),
        "reason": state.reason,
    }


def state_from_json(setup: Setup, data: Mapping[str, Any], *, is_family: bool) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    try:
        state = _read_state(setup, data, is_family)
        # As canonical texts, since 1 and True are equal in Python.
        is_same = canonical_json(state_json(state)) == canonical_json(dict(data))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ReplayError(f"this is no state of Phase 10: {error!r}") from error
    problem = _what_is_wrong(state)
    if problem is not None:
        raise ReplayError(f"this is no state of Phase 10: {problem}")
    if not is_same:
        raise ReplayError("this is no state of Phase 10: it does not read back the same")
    return state


def _cards(texts: Iterable[str]) -> Cards:
    return tuple(map(card, texts))


def _seats(numbers: Iterable[int]) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


def _read_state(setup: Setup, data: Mapping[str, Any], is_family: bool) -> State:
    gone = _cards(data["gone"])
    to_act = _seats(data["to_act"])
    return State(
        setup=setup,
        is_family=is_family,
        deal=data["deal"],
        dealer=Seat(data["dealer"]),
        dealt_in=_seats(data["dealt_in"]),
        seats=tuple(
            SeatState(
                phase=own["phase"],
                completed=own["completed"],
                score=own["score"],
                hand=_cards(own["hand"]),
                known=_cards(own["known"]),
                laid=own["laid"],
                is_floating=own["floating"],
                skips=own["skips"],
                mark=own["mark"],
            )
            for own in data["seats"]
        ),
        groups=tuple(
            tuple(Group(Kind(group["kind"]), _cards(group["cards"])) for group in groups)
            for groups in data["groups"]
        ),
        stock=_cards(data["stock"]),
        pile=_cards(data["pile"]),
        left_seen=gone[: data["left_seen"]],
        left_unseen=gone[data["left_seen"] :],
        to_act=to_act[0] if to_act else None,
        has_drawn=data["has_drawn"],
        ply=data["ply"],
        shuffles=data["shuffles"],
        turn=data["turn"],
        turns=tuple((older, last) for older, last in data["turns"]),
        resigned=_seats(data["resigned"]),
        tied=_seats(data["tied"]),
        results=tuple(
            DealResult(
                winner=result["winner"],
                phases=tuple(result["phases"]),
                laid=tuple(result["laid"]),
                points=tuple(result["points"]),
                is_tie_break=result["tie_break"],
            )
            for result in data["results"]
        ),
        reason=data["reason"],
    )


def _what_is_wrong(state: State) -> str | None:
    players = state.setup.players
    named: list[Any] = [*state.dealt_in, *state.resigned, *state.tied, state.dealer]
    named += [own.mark for own in state.seats if own.mark is not None]
    named += [result.winner for result in state.results if result.winner is not None]
    if state.to_act is not None:
        named.append(state.to_act)
    numbers: list[Any] = [state.deal, state.ply, state.shuffles, state.turn]
    numbers += [mark for pair in state.turns for mark in pair]
    for own in state.seats:
        numbers += [own.phase, own.completed, own.score, own.skips]
        if any(type(flag) is not bool for flag in (own.laid, own.is_floating)):
            return "a flag that is neither true nor false"
        if own.hand != sort_cards(own.hand):
            return "a hand out of order"
    if not all(type(number) is int and number >= 0 for number in numbers):
        return "a count that is not a whole number"
    if {len(state.seats), len(state.turns), len(state.groups)} != {players}:
        return f"not {players} seats"
    if not all(type(seat) is int and 0 <= seat < players for seat in named):
        return "a seat that is not at the table"
    if (state.to_act is None) != (state.reason is not None):
        return "over and not over"
    if sorted(all_cards(state)) != sorted(PACK):
        return "not the 108 cards of the pack"
    return None


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, wherever it is: always the whole pack."""
    cards = [*state.stock, *state.pile, *state.left_seen, *state.left_unseen]
    for own in state.seats:
        cards += own.hand
    for groups in state.groups:
        for group in groups:
            cards += group.cards
    return cards
