"""Phase 10 for bots, official and family rules.

A view holds everything but the hands of others and the order of the stock, the numbers of shuffles,
and the order in which seats resigned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.api import JsonObject, OptionValue, Setup
from pbem.bots.chance import Chance
from pbem.bots.knowledge import CHOSEN, Knowledge, Table, View, lead_share, unseen

_KINDS = (*(f"{colour}{number}" for colour in "RBGY" for number in range(1, 13)), "W", "S")
"""Every card once, in documented order (P10-3)."""
_POSITION = {card: at for at, card in enumerate(_KINDS)}
_COPIES = {"W": 8, "S": 4}
PACK = tuple(card for card in _KINDS for _ in range(_COPIES.get(card, 2)))
"""All 108 cards (P10-1)."""

_PHASE_POINTS = 60.0
"""Points that a phase more is worth."""
_POINTS_LEAD = 60.0
"""So many points more: about three chances in four."""


def guess(view: View, setup: Setup, chance: Chance) -> JsonObject:
    """Make up hands, stock, and the unseen cards of who resigned (P10-32)."""
    me = view["seat"]
    seen = [*view["pile"], *view["gone"]]
    for groups in view["groups"]:
        for group in groups:
            seen += group["cards"]
    for seat, own in enumerate(view["seats"]):
        seen += own["hand"] if seat == me else own["known"]
    hidden = unseen(PACK, seen)
    chance.shuffle(hidden)

    def take(count: int) -> list[str]:
        taken = hidden[:count]
        del hidden[:count]
        return taken

    def hand(own: View) -> list[str]:
        cards = [*own["known"], *take(own["hand_size"] - len(own["known"]))]
        return sorted(cards, key=_POSITION.__getitem__)

    seats = [
        {
            **{name: own[name] for name in _KEPT},
            "hand": own["hand"] if seat == me else hand(own),
        }
        for seat, own in enumerate(view["seats"])
    ]
    return {
        **{name: view[name] for name in _KEPT_TABLE},
        "seats": [*seats],
        "gone": [*view["gone"], *take(view["gone_hidden"])],
        "left_seen": len(view["gone"]),
        "left_unseen": view["gone_hidden"],
        "stock": [*hidden],
        "deal": view["deal"] - 1,
        "dealt_in": [seat for seat, own in enumerate(view["seats"]) if own["in_deal"]],
        "shuffles": 1,
        "turn": 0,
        "turns": [[CHOSEN, CHOSEN] for _ in range(setup.players)],
        "resigned": [seat for seat, own in enumerate(view["seats"]) if own["resigned"]],
        "reason": None,
    }


_KEPT = (
    "known", "phase", "completed", "score", "laid", "skips", "mark", "floating", "resigned",
)  # fmt: skip
_KEPT_TABLE = (
    "to_act", "ply", "pile", "groups", "dealer", "has_drawn", "tied", "results",
)  # fmt: skip


def worth(table: Table, seat: int, options: Mapping[str, OptionValue], _has_ended: bool) -> float:
    """Return what a lead in phases and points promises."""
    standing = [_standing(own, options) for own in table["seats"]]
    return lead_share(standing.pop(seat), standing, _POINTS_LEAD)


def _standing(own: Table, options: Mapping[str, OptionValue]) -> float:
    if own["resigned"]:
        return -1e4
    phases = 0 if options["ten_hands"] else own["completed"]
    return float(_PHASE_POINTS * phases - own["score"])


def shortlist(view: View, orders: Sequence[str]) -> Sequence[int]:
    """Shortlist a lay-down alone; else hits before discards; of equal discards all."""
    for word in ("lay", "hit"):
        places = [at for at, order in enumerate(orders) if order.startswith(word)]
        if places:
            return places
    return range(len(orders))


KNOWLEDGE = Knowledge(
    guess=guess,
    worth=worth,
    ends=frozenset({"deal_over"}),
    own_ends=frozenset(),
    shortlist=shortlist,
    caution=0.9,
    horizon=120,
    budgets=(200, 2000),
)
