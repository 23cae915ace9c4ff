"""How plies and battles are told, when they are read (see `engine.api.Step`).

A resolved zone is told card by card, so that a mail can explain the sum (PLX-17 to 22).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.api import Fact, JsonObject, JsonValue, OptionValue, Seat
from engine.cards import RANK_OF, Card
from engine.phalanx.betting import Bet
from engine.phalanx.moves import Play
from engine.phalanx.resolving import ZoneResult, count_cards, face_up, opposing_cards, share_pot
from engine.phalanx.state import CENTER, Cards, Lying, Pots, Zone
from engine.phalanx.zones import zone_name, zone_number


def lying_json(lying: Lying) -> JsonObject:
    """Return a card in a zone as views and facts show it."""
    return {"seat": lying.seat, "card": lying.card, "up": lying.up}


def report_battle(
    results: Sequence[ZoneResult],
    aces: OptionValue,
    spoils: tuple[Cards, Cards],
    pots: Pots | None,
) -> list[Fact]:
    """Return the facts `resolved` of a battle.

    Args:
        results: how each zone was decided.
        aces: the option that it was decided with.
        spoils: what lay there for the winner of the center, seen and unseen ones.
        pots: by zone number and seat; None where no chips are played for.
    """
    facts = []
    for result in results:
        wins_spoils = result.zone == CENTER and result.winner is not None and pots is None
        stakes = None if pots is None else pots[result.zone]
        facts.append(report_zone(result, aces, spoils if wins_spoils else ((), ()), stakes))
    return facts


def report_zone(
    result: ZoneResult,
    aces: OptionValue,
    spoils: tuple[Cards, Cards],
    stakes: tuple[int, ...] | None,
) -> Fact:
    """Make the fact `resolved` of one zone; its seat is the winner, or None.

    Args:
        result: how the zone was decided.
        aces: the option that it was decided with.
        spoils: those that the winner of the center takes, seen and unseen ones.
        stakes: what lay in the pot, by seat; None where no chips are played for.
    """
    # Each fact owns its lists, since nothing keeps a reader from changing them.
    lying = face_up(result.cards)
    owners: list[JsonValue] = [
        {
            "seat": seat,
            "cards": [
                {"card": card, "printed": printed, "counted": counted, "why": [*why]}
                for card, printed, counted, why in count_cards(
                    lying.get(seat, ()), opposing_cards(lying, seat), aces
                )
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
    for seat, card, up in result.cards:
        taker = result.takers[seat]
        what = "spoils" if taker is None else "back" if taker == seat else "taken"
        cards.append({"seat": seat, "card": card, "up": up, "what": what, "to": taker})
    data: JsonObject = {
        "zone": zone_name(result.zone),
        "owners": owners,
        "winner": result.winner,
        "tied": list(result.tied),
        "cards": cards,
        "spoils_taken": list(spoils[0]),
        "spoils_taken_unseen": len(spoils[1]),
    }
    if stakes is not None:
        paid = share_pot(stakes, result.winner)
        data["pot"] = {"stakes": list(stakes), "paid": list(paid)}
    return Fact("resolved", result.winner, data)


def told_choice(seat: Seat, card: Card, is_first: bool) -> list[Fact]:
    """Tell everyone once that a seat has chosen, and the seat its choice."""
    private = Fact("chosen", seat, {"card": card}, seat)
    return [Fact("chosen", seat, {}), private] if is_first else [private]


def told_openings(first: Seat, opened: Mapping[Seat, Card]) -> list[Fact]:
    """Tell what was opened and who plays first."""
    cards: list[JsonValue] = [{"seat": seat, "card": card} for seat, card in opened.items()]
    return [Fact("revealed", first, {"cards": cards, "first": first})]


def told_play(
    seat: Seat, move: Play, zone: int, fee: int | None, before: Zone, after: Zone
) -> list[Fact]:
    """Tell of a card, and of those in its zone that it turned down, itself included."""
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
    """Tell what a seat has bet, or that it checked; the pots are those afterwards."""
    told: list[JsonValue] = []
    for bet, cost in zip(bets, paid, strict=True):
        zone = zone_number(bet.place, seat, ring)
        told.append(
            {
                "zone": zone_name(zone),
                "place": bet.place,
                "raise": bet.raise_by,
                "paid": cost,
                "stake": pots[zone][seat],
            }
        )
    if told:
        return [Fact("bet", seat, {"bets": told, "chips": chips})]
    return [Fact("checked", seat, {})]
