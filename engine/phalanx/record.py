"""External representations of Phalanx: facts, views, and states as JSON for digests.

Facts are built on first access (`engine.api.Step`). A resolved zone is reported card by card so
that a message can explain the sum (PLX-17 to 22).

Only `view` decides what is shown (GEN-5). It uses open cards, cards that everyone saw becoming
spoils, and the viewer's own hand, and never looks at the face of a hidden card (GEN-16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from engine.api import Fact, JsonObject, JsonValue, OptionValue, Seat, Setup
from engine.cards import PACK, RANK_OF, Card, card, read_texts
from engine.phalanx.betting import Bet
from engine.phalanx.moves import Play
from engine.phalanx.resolving import ZoneResult, count_zone, share_pot
from engine.phalanx.state import (
    BETTING,
    CENTER,
    CHOOSING,
    OVER,
    PLACES,
    PLAYING,
    SEAT_PLACES,
    Cards,
    Elimination,
    Pots,
    SeatState,
    State,
    Table,
    TableCard,
    Window,
    Zone,
    all_zones,
    cards_of_seat,
    columns,
    has_left,
    is_gambling,
    own_zones,
    zone_name,
)
from engine.position import (
    Checks,
    fields_json,
    impossible,
    lists,
    read_back,
    read_fields,
    read_turns,
)


def report_battle(
    results: Sequence[ZoneResult],
    aces: OptionValue,
    spoils: tuple[Cards, Cards],
    pots: Pots | None,
) -> list[Fact]:
    """Return the `resolved` facts of a battle, one for each zone.

    Args:
        results: the result of each zone.
        aces: the value of the option.
        spoils: the spoils for the winner of the center, seen and unseen.
        pots: stakes by zone number and seat, or None in games without chips.
    """
    return [report_zone(result, aces, spoils, pots) for result in results]


def report_zone(
    result: ZoneResult,
    aces: OptionValue,
    spoils: tuple[Cards, Cards],
    pots: Pots | None,
) -> Fact:
    """Return the `resolved` fact of one zone. Its seat is the winner, or None.

    Args:
        result: the result of the zone.
        aces: the value of the option.
        spoils: the spoils for the winner of the center, seen and unseen.
        pots: stakes by zone number and seat, or None in games without chips.
    """
    # Every fact gets its own lists, so that callers can modify them.
    cards_counted = count_zone(result.cards, aces)
    owners: list[JsonValue] = [
        {
            "seat": seat,
            "cards": [
                {"card": name, "printed": printed, "counted": counted, "why": [*why]}
                for name, printed, counted, why in cards_counted.get(seat, ())
            ],
            "own": result.own.get(seat, 0),
            "flanks": result.own.keys() == {seat},
            "received": [
                {"zone": zone_name(zone), "amount": amount}
                for zone, amount in result.received.get(seat, ())
            ],
            "total": total,
        }
        for seat, total in result.totals.items()
    ]
    cards: list[JsonValue] = []
    for lying in result.cards:
        taker = result.takers[lying.seat]
        what = "spoils" if taker is None else "back" if taker == lying.seat else "taken"
        cards.append({**lying._asdict(), "what": what, "to": taker})
    wins_spoils = result.zone == CENTER and result.winner is not None and pots is None
    seen, unseen = spoils if wins_spoils else ((), ())
    data: JsonObject = {
        "zone": zone_name(result.zone),
        "owners": owners,
        "winner": result.winner,
        "tied": list(result.tied),
        "cards": cards,
        "spoils_taken": list(seen),
        "spoils_taken_unseen": len(unseen),
    }
    if pots is not None:
        stakes = pots[result.zone]
        paid = share_pot(stakes, result.winner)
        data["pot"] = {"stakes": list(stakes), "paid": list(paid)}
    return Fact("resolved", result.winner, data)


def told_play(
    seat: Seat, move: Play, zone: int, fee: int | None, before: Zone, after: Zone
) -> list[Fact]:
    """Return the facts of a play, including the cards that it turned face down."""
    card, place, target = move
    name = zone_name(zone)
    data: JsonObject = {
        "card": card,
        "zone": name,
        "place": place,
        "target": None if target is None else {"seat": target.seat, "card": target.card},
    }
    if fee is not None:
        data["fee"] = fee
    facts = [Fact("played", seat, data)]
    if RANK_OF[card] in "QK":
        was_up = [*[lying.up for lying in before], True]
        down: list[JsonValue] = [
            {"seat": lying.seat, "card": lying.card}
            for lying, fell in zip(after, was_up, strict=True)
            if fell and not lying.up
        ]
        facts.append(Fact("turned_down", seat, {"zone": name, "cards": down}))
    return facts


def told_bets(
    seat: Seat,
    bets: Sequence[Bet],
    paid: Sequence[int],
    ring: tuple[Seat, ...],
    pots: Pots,
    chips: int,
) -> list[Fact]:
    """Return the facts of a seat's bets or of its check.

    Args:
        paid: cost of each bet.
        pots: the pots after the bets.
        chips: chips left to the seat.
    """
    zones = SEAT_PLACES[ring][seat].zones
    told: list[JsonValue] = [
        {
            "zone": zone_name(zones[bet.place]),
            "place": bet.place,
            "raise": bet.raise_by,
            "paid": cost,
            "stake": pots[zones[bet.place]][seat],
        }
        for bet, cost in zip(bets, paid, strict=True)
    ]
    if told:
        return [Fact("bet", seat, {"bets": told, "chips": chips})]
    return [Fact("checked", seat, {})]


def view(state: State, seat: Seat | None) -> JsonObject:
    """Return what a seat, or an observer (None), may know (GEN-5, PLX-29).

    Each seat has the fields `hand` (null unless it is the viewer's), `hand_size`, `reserve_size`,
    `reserve` (null while the game is running), `has_chosen`, `choice` (of the viewer, until it is
    revealed), `aside` (cards set aside, null unless they are the viewer's), `aside_size`, `chips`,
    `eliminated` (number of the battle, from 1), `resigned` (False for an eliminated seat, GEN-7)
    and `zones` (names of its left, center and right zone, or null outside the ring).

    The table has `zones` (maps a name to its cards in order: `seat`, `card`, `up`), `pots` (maps a
    name to chips by seat, null in games without chips), `spoils` (those that everyone saw),
    `spoils_unseen` (the number of others), `phase`, `to_act`, `first`, `window` (the open betting
    window), `ply`, `battle` (from 1), `max_battles`, `ring`, `dealer`, `over` and `seat` (the
    viewer's). After the end everything is visible to everyone (GEN-15).
    """
    is_over = state.reason is not None
    return {
        "seat": seat,
        "seats": [
            _seat_view(state, own, Seat(index), seat) for index, own in enumerate(state.seats)
        ],
        "zones": zones_json(state),
        "pots": None if state.setup.options["stakes"] == "cards" else pots_json(state),
        "spoils": [*state.spoils_seen, *(state.spoils_unseen if is_over else ())],
        "spoils_unseen": 0 if is_over else len(state.spoils_unseen),
        **fields_json(state, ("phase", "to_act", "first")),
        "window": window_json(state),
        "ply": state.ply,
        "battle": state.battle + 1,
        "max_battles": state.setup.number("max_battles"),
        "ring": [*state.ring],
        "dealer": state.setup.number("dealer"),
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
    """Return the zones of the battle as JSON, with the cards of each in order of arrival."""
    return {
        zone_name(zone): [lying._asdict() for lying in state.zones[zone]]
        for zone in all_zones(state.ring)
    }


def pots_json(state: Table) -> JsonObject:
    """Return the pots of the battle's zones as JSON: zone name to chips by seat."""
    return {zone_name(zone): [*state.pots[zone]] for zone in all_zones(state.ring)}


def window_json(state: State) -> JsonObject | None:
    """Return the open betting window as JSON, or None if there is no window."""
    window = state.window
    if window is None:
        return None
    zones = all_zones(state.ring)
    return {
        **fields_json(window, ("bettor", "acted")),
        "raises": {zone_name(zone): window.raises[zone] for zone in zones},
        "unanswered": {zone_name(zone): [*window.unanswered[zone]] for zone in zones},
    }


# --- the state as JSON ----------------------------------------------------------------------------


_FIELDS = (
    "battle", "ring", "phase", "first", "player", "window_size", "ply", "shuffles", "resigned",
    "reason",
)  # fmt: skip
_SEAT_FIELDS = ("hand", "reserve", "choice_mark", "aside", "chips")
"""Fields with the same name and value in the state of a seat and in its JSON."""


def state_json(state: State) -> JsonObject:
    """Return the state as JSON, without its setup. Digests cover it, so it is frozen (GEN-1).

    `battle` counts from 0 here. `spoils` contains the `spoils_seen` seen cards, followed by the
    others. `shuffles` is the number of the next shuffle. `choice_mark` and `turns` contain 1
    (standby), 2 (chosen) or 4 (forced).
    """
    return {
        **fields_json(state, _FIELDS),
        "to_act": list(state.to_act),
        "seats": [
            {
                **fields_json(own, own._fields),
                "reserve": list(own.reserve),
                "out": None if own.out is None else own.out._asdict(),
            }
            for own in state.seats
        ],
        "zones": zones_json(state),
        "spoils": list(state.spoils_seen + state.spoils_unseen),
        "spoils_seen": len(state.spoils_seen),
        "pots": pots_json(state),
        "window": window_json(state),
        "turns": lists(state.turns),
    }


def state_from_json(setup: Setup, data: Mapping[str, Any]) -> State:
    """Restore a state from the result of `state_json`. Raises: ReplayError."""
    return read_back("Phalanx", data, lambda data: _read_state(setup, data), state_json, _checks)


def _read_state(setup: Setup, data: Mapping[str, Any]) -> State:
    players = setup.players
    numbers = range(players + 1)
    names = {zone: zone_name(zone) for zone in numbers}
    zones, pots, window = data["zones"], data["pots"], data["window"]
    spoils = read_texts(data["spoils"])
    return State(
        setup=setup,
        **read_fields(data, _FIELDS, card),
        **columns(
            SeatState(
                **read_fields(own, _SEAT_FIELDS, card),
                choice=None if own["choice"] is None else card(own["choice"]),
                out=None if own["out"] is None else Elimination(**own["out"]),
            )
            for own in data["seats"]
        ),
        zones=tuple(
            tuple(
                TableCard(Seat(lying["seat"]), card(lying["card"]), lying["up"])
                for lying in zones.get(names[zone], ())
            )
            for zone in numbers
        ),
        pots=tuple(tuple(pots.get(names[zone], (0,) * players)) for zone in numbers),
        spoils_seen=spoils[: data["spoils_seen"]],
        spoils_unseen=spoils[data["spoils_seen"] :],
        window=None
        if window is None
        else Window(
            **read_fields(window, ("bettor", "acted"), card),
            raises=tuple(window["raises"].get(name, 0) for name in names.values()),
            unanswered=tuple(tuple(window["unanswered"].get(name, ())) for name in names.values()),
        ),
        turns=read_turns(data["turns"]),
    )


def _checks(state: State) -> Checks:
    window = state.window
    seats = [*state.ring, *state.resigned]
    seats += [lying.seat for zone in state.zones for lying in zone]
    seats += [seat for seat in (state.first, state.player) if seat is not None]
    if window is not None:
        seats += [window.bettor, *window.acted, *chain.from_iterable(window.unanswered)]
    counts = [state.battle, state.ply, state.shuffles, state.window_size, *state.chips]
    common = impossible(
        state.setup.players,
        by_seat=(state.hands, state.turns, *state.pots),
        counts=chain(counts, *state.turns, *state.pots),
        seats=seats,
        to_act=state.to_act,
        reason=state.reason,
    )
    needs_player = state.phase == PLAYING or (state.phase == BETTING and state.first is not None)
    is_betting = state.phase == BETTING
    every_seat = map(Seat, range(state.setup.players))
    is_with_chips = is_gambling(state)
    packs = [cards_of_seat(state, s) for s in every_seat] if is_with_chips else [all_cards(state)]
    chips = state.setup.number("bankroll") * state.setup.players if is_with_chips else 0
    return {
        **common,
        "a ring out of order": list(state.ring) != sorted(set(state.ring)),
        "an unknown phase": state.phase not in (PLAYING, CHOOSING, BETTING, OVER),
        "nobody to act, or somebody too many": needs_player != (state.player is not None)
        or is_betting != (window is not None),
        "a choice that is not in the hand": any(
            choice is not None and choice not in hand
            for hand, choice in zip(state.hands, state.choices, strict=True)
        ),
        "spoils where there are none": is_with_chips
        and bool(state.spoils_seen or state.spoils_unseen),
        "chips too many or too few": sum(state.chips) + sum(map(sum, state.pots)) != chips,
        "not the 52 cards of one pack": any(sorted(pack) != sorted(PACK) for pack in packs),
    }


def all_cards(state: State) -> list[Card]:
    """Return every card of the position, including spoils."""
    cards = [*state.spoils_seen, *state.spoils_unseen]
    for seat in range(state.setup.players):
        cards += cards_of_seat(state, Seat(seat))
    return cards
