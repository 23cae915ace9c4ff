"""How a resolved zone is told: the sum card by card, so that a mail can explain it (PLX-17 to 22)."""

from __future__ import annotations

from engine.api import Fact, JsonObject, JsonValue
from engine.phalanx.resolving import Fate, Total, ZoneResult
from engine.phalanx.state import Cards, Lying
from engine.phalanx.zones import zone_name


def lying_json(lying: Lying) -> JsonObject:
    """Return a card in a zone as views and facts show it."""
    return {"seat": lying.seat, "card": lying.card, "up": lying.up}


def report_zone(
    result: ZoneResult,
    spoils: tuple[Cards, Cards],
    stakes: tuple[int, ...] | None = None,
    shares: tuple[int, ...] | None = None,
) -> Fact:
    """Make the fact `resolved` of one zone; its seat is the winner, None if there is none.

    Args:
        result: how the zone was decided.
        spoils: those that the winner of the center takes, seen and unseen ones.
        stakes: what lay in the pot, by seat; None where no chips are played for.
        shares: what each seat gets out of the pot.
    """
    data: JsonObject = {
        "zone": zone_name(result.zone),
        "owners": [_owner_json(total) for total in result.totals],
        "winner": result.winner,
        "tied": list(result.tied),
        "cards": [_fate_json(fate) for fate in result.fates],
        "spoils_taken": list(spoils[0]),
        "spoils_taken_unseen": len(spoils[1]),
    }
    if stakes is not None and shares is not None:
        data["pot"] = {"stakes": list(stakes), "paid": list(shares)}
    return Fact("resolved", result.winner, data)


def _owner_json(total: Total) -> JsonObject:
    cards: list[JsonValue] = [
        {
            "card": counted.card,
            "printed": counted.printed,
            "counted": counted.counted,
            "why": list(counted.why),
        }
        for counted in total.cards
    ]
    received: list[JsonValue] = [
        {"zone": zone_name(zone), "amount": amount} for zone, amount in total.received
    ]
    return {
        "seat": total.seat,
        "cards": cards,
        "own": total.own,
        "flanks": total.is_flanking,
        "received": received,
        "total": total.total,
    }


def _fate_json(fate: Fate) -> JsonObject:
    kept = "back" if fate.taker == fate.lying.seat else "taken"
    what = "spoils" if fate.taker is None else kept
    return {**lying_json(fate.lying), "what": what, "to": fate.taker}
