"""What a seat may know.

`view` is the only place that decides what is shown (GEN-5). It is made from what lies open, from
what everyone saw become spoils, and from the viewer's own hand; nothing is looked up by the face
of a hidden card (GEN-16).
"""

from __future__ import annotations

from engine.api import JsonObject, JsonValue, Seat
from engine.phalanx.report import lying_json
from engine.phalanx.scoring import has_left
from engine.phalanx.state import SeatState, State, Table, number_option
from engine.phalanx.zones import PLACES, all_zones, own_zones, zone_name


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, PLX-29).

    Per seat: `hand` (the viewer's own, else null), `hand_size`, `reserve_size`, `reserve` (null
    while the game runs), `has_chosen`, `choice` (the viewer's own, not yet revealed), `aside`
    (cards laid aside: the viewer's own, else null), `aside_size`, `chips`, `eliminated` (number of
    the battle, from 1), `resigned` (false for an eliminated one, GEN-7), `zones` (names of its left, center and right zone; null outside
    the ring). For the table: `zones` (name -> cards as they lie: `seat`, `card`, `up`), `pots`
    (name -> chips by seat; null where no chips are played for), `spoils` (those that everyone
    saw), `spoils_unseen` (how many others), `phase`, `to_act`, `first`, `window` (while bets are
    asked for), `ply`, `battle` (from 1), `max_battles`, `ring`, `dealer`, `over`, `seat` (the
    viewer's). After the end everything is shown to everyone (GEN-15).
    """
    is_over = state.reason is not None
    spoils = [*state.spoils_seen, *(state.spoils_unseen if is_over else ())]
    return {
        "seat": seat,
        "seats": [
            _seat_view(state, own, Seat(index), seat) for index, own in enumerate(state.seats)
        ],
        "zones": zones_json(state),
        "pots": None if state.setup.options["stakes"] == "cards" else pots_json(state),
        "spoils": [*spoils],
        "spoils_unseen": 0 if is_over else len(state.spoils_unseen),
        "phase": state.phase,
        "to_act": [*state.to_act],
        "first": state.first,
        "window": window_json(state),
        "ply": state.ply,
        "battle": state.battle + 1,
        "max_battles": number_option(state, "max_battles"),
        "ring": [*state.ring],
        "dealer": number_option(state, "dealer"),
        "over": is_over,
    }


def _seat_view(state: State, own: SeatState, seat: Seat, viewer: Seat | None) -> JsonObject:
    is_shown = state.reason is not None or seat == viewer
    zones: JsonValue = None
    if seat in state.ring:
        numbers = own_zones(seat, state.ring)
        zones = {
            place: zone_name(zone_number)
            for place, zone_number in zip(PLACES, numbers, strict=True)
        }
    return {
        "hand": [*own.hand] if is_shown else None,
        "hand_size": len(own.hand),
        "reserve": None if state.reason is None else [*own.reserve],
        "reserve_size": len(own.reserve),
        "has_chosen": own.choice is not None,
        "choice": own.choice if is_shown else None,
        "aside": [*own.aside] if is_shown else None,
        "aside_size": len(own.aside),
        "chips": own.chips,
        "eliminated": None if own.out is None else own.out.battle + 1,
        "resigned": has_left(state, seat),
        "zones": zones,
    }


def zones_json(state: State) -> JsonObject:
    """Return the zones of the battle, each with its cards in order of arrival."""
    return {
        zone_name(zone): [lying_json(lying) for lying in state.zones[zone]]
        for zone in all_zones(state.ring)
    }


def pots_json(state: Table) -> JsonObject:
    """Return the contents of the pots of the battle's zones, by seat."""
    return {zone_name(zone): [*state.pots[zone]] for zone in all_zones(state.ring)}


def window_json(state: State) -> JsonObject | None:
    """Return the open betting window: who is asked, who acted, raises, open answers."""
    window = state.window
    if window is None:
        return None
    zones = all_zones(state.ring)
    return {
        "bettor": window.bettor,
        "acted": [*window.acted],
        "raises": {zone_name(zone): window.raises[zone] for zone in zones},
        "unanswered": {zone_name(zone): [*window.unanswered[zone]] for zone in zones},
    }
