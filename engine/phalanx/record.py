"""The whole position as JSON and back: what digests and snapshots are made of."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from engine.api import JsonObject, Seat, Setup
from engine.cards import PACK, Card, card, read_texts
from engine.phalanx.state import (
    BETTING,
    CHOOSING,
    OVER,
    PLAYING,
    Elimination,
    Lying,
    SeatState,
    State,
    Window,
    columns,
    is_gambling,
    number_option,
)
from engine.phalanx.view import pots_json, window_json, zones_json
from engine.phalanx.zones import zone_name
from engine.position import lists, read_back, read_seats, read_turns, what_is_wrong


def state_json(state: State) -> JsonObject:
    """Return everything but the setup; digests use it, so it is frozen (GEN-1).

    `battle` counts from 0 here. `spoils` holds the seen ones, `spoils_seen` of them, then the
    others. `shuffles` is the number of the next shuffle. `choice_mark` and `turns` are 1 (standby),
    2 (chosen) or 4 (forced).
    """
    return {
        "to_act": list(state.to_act),
        "ply": state.ply,
        "seats": [_seat_json(own) for own in state.seats],
        "zones": zones_json(state),
        "spoils": list(state.spoils_seen + state.spoils_unseen),
        "spoils_seen": len(state.spoils_seen),
        "pots": pots_json(state),
        "phase": state.phase,
        "battle": state.battle,
        "ring": list(state.ring),
        "first": state.first,
        "player": state.player,
        "window": window_json(state),
        "window_size": state.window_size,
        "shuffles": state.shuffles,
        "turns": lists(state.turns),
        "resigned": list(state.resigned),
        "reason": state.reason,
    }


def _seat_json(own: SeatState) -> JsonObject:
    return {
        "hand": list(own.hand),
        "reserve": list(own.reserve),
        "choice": own.choice,
        "choice_mark": own.choice_mark,
        "aside": list(own.aside),
        "chips": own.chips,
        "out": None if own.out is None else {"battle": own.out.battle, "cards": own.out.cards},
    }


def state_from_json(setup: Setup, data: Mapping[str, Any]) -> State:
    """Read `state_json` back. Raises: ReplayError."""
    return read_back(
        "Phalanx", data, lambda data: _read_state(setup, data), state_json, _what_is_wrong
    )


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    players = setup.players
    numbers = range(players + 1)
    names = {zone: zone_name(zone) for zone in numbers}
    zones, pots = data["zones"], data["pots"]
    spoils = read_texts(data["spoils"])
    return State(
        setup=setup,
        battle=data["battle"],
        ring=read_seats(data["ring"]),
        **columns(map(_read_seat, data["seats"])),
        zones=tuple(
            tuple(
                Lying(Seat(lying["seat"]), card(lying["card"]), lying["up"])
                for lying in zones.get(names[zone], ())
            )
            for zone in numbers
        ),
        pots=tuple(tuple(pots.get(names[zone], (0,) * players)) for zone in numbers),
        spoils_seen=spoils[: data["spoils_seen"]],
        spoils_unseen=spoils[data["spoils_seen"] :],
        phase=data["phase"],
        first=data["first"],
        player=data["player"],
        window=None if data["window"] is None else _read_window(data["window"], names),
        window_size=data["window_size"],
        ply=data["ply"],
        shuffles=data["shuffles"],
        turns=read_turns(data["turns"]),
        resigned=read_seats(data["resigned"]),
        reason=data["reason"],
    )


def _read_seat(own: Mapping[str, Any]) -> SeatState:
    out = own["out"]
    return SeatState(
        hand=read_texts(own["hand"]),
        reserve=read_texts(own["reserve"]),
        choice=None if own["choice"] is None else card(own["choice"]),
        choice_mark=own["choice_mark"],
        aside=read_texts(own["aside"]),
        chips=own["chips"],
        out=None if out is None else Elimination(out["battle"], out["cards"]),
    )


def _read_window(data: Mapping[str, Any], names: Mapping[int, str]) -> Window:
    return Window(
        bettor=data["bettor"],
        acted=tuple(data["acted"]),
        raises=tuple(data["raises"].get(name, 0) for name in names.values()),
        unanswered=tuple(tuple(data["unanswered"].get(name, ())) for name in names.values()),
    )


def _what_is_wrong(state: State) -> str | None:
    window = state.window
    seats = [*state.ring, *state.resigned]
    seats += [lying.seat for zone in state.zones for lying in zone]
    seats += [seat for seat in (state.first, state.player) if seat is not None]
    if window is not None:
        seats += [window.bettor, *window.acted, *chain.from_iterable(window.unanswered)]
    counts = [state.battle, state.ply, state.shuffles, state.window_size, *state.chips]
    wrong = what_is_wrong(
        state.setup.players,
        by_seat=(state.hands, state.turns, *state.pots),
        counts=chain(counts, *state.turns, *state.pots),
        seats=seats,
        to_act=state.to_act,
        reason=state.reason,
    )
    if wrong is not None:
        return wrong
    if list(state.ring) != sorted(set(state.ring)):
        return "a ring out of order"
    needs_player = state.phase == PLAYING or (state.phase == BETTING and state.first is not None)
    if not needs_player and state.phase not in (CHOOSING, BETTING, OVER):
        return "an unknown phase"
    if needs_player != (state.player is not None) or (state.phase == BETTING) != (
        window is not None
    ):
        return "nobody to act, or somebody too many"
    return _wrong_cards(state)


def _wrong_cards(state: State) -> str | None:
    for hand, choice in zip(state.hands, state.choices, strict=True):
        if choice is not None and choice not in hand:
            return "a choice that is not in the hand"
    chips = sum(state.chips) + sum(map(sum, state.pots))
    if is_gambling(state):
        if state.spoils_seen or state.spoils_unseen:
            return "spoils where there are none"
        packs = [cards_of_seat(state, Seat(seat)) for seat in range(state.setup.players)]
        chips -= number_option(state, "bankroll") * state.setup.players
    else:
        packs = [all_cards(state)]
    if chips != 0:
        return "chips too many or too few"
    if any(sorted(pack) != sorted(PACK) for pack in packs):
        return "not the 52 cards of one pack"
    return None


def cards_of_seat(state: State, seat: Seat) -> list[Card]:
    """Return the cards of a seat: hand, reserve, laid aside and in zones."""
    hand, reserve, aside = state.hands[seat], state.reserves[seat], state.asides[seat]
    lying = [lying.card for zone in state.zones for lying in zone if lying.seat == seat]
    return [*hand, *reserve, *aside, *lying]


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, spoils included."""
    cards = [*state.spoils_seen, *state.spoils_unseen]
    for seat in range(state.setup.players):
        cards += cards_of_seat(state, Seat(seat))
    return cards
