"""Phase 10 for people and bots, official and family rules.

A view shows everything except the hands of others, the order of the stock, the numbers of shuffles,
and the order in which seats resigned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.api import JsonObject, OptionValue, Setup
from engine.sentences import sentence
from pbem.games.face import DrawingOrders, GameFace
from pbem.games.knowledge import CHOSEN, Dice, Knowledge, Table, View, lead_share, unseen
from pbem.games.phase10_cards import SUBJECTS
from pbem.games.phase10_drawing import EXAMPLES, read_drawing
from pbem.games.phase10_hand import NATURALS, SKIP, WILD, fits, helpers, missing
from pbem.games.picture import Cell, Grid, Line, Names, cards, hand, heaps, who, words

_KINDS = (*NATURALS, WILD, SKIP)
"""Every kind of card once, in documented order (P10-3)."""
_POSITION = {card: at for at, card in enumerate(_KINDS)}
_COPIES = {WILD: 8, SKIP: 4}
PACK = tuple(card for card in _KINDS for _ in range(_COPIES.get(card, 2)))
"""All 108 cards (P10-1)."""

_LAST_CHEAP = 9
_POINTS = {
    card: {WILD: 25, SKIP: 15}.get(card, 5 if int(card[1:] or 0) <= _LAST_CHEAP else 10)
    for card in _KINDS
}
"""Points for a card left in the hand (P10-23)."""

_DISCARDS = (6, 3)
"""Discards besides skips to consider, by effort; more of them cause more errors."""

_PHASE_POINTS = 60.0
"""Points that one more phase is worth."""
_POINTS_LEAD = 60.0
"""A lead in points that gives about three chances in four."""


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Make up hands, stock and the hidden cards of resigned seats (P10-32)."""
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

    def made_up(own: View) -> list[str]:
        cards = [*own["known"], *take(own["hand_size"] - len(own["known"]))]
        return sorted(cards, key=_POSITION.__getitem__)

    seats = [
        {
            **{name: own[name] for name in _KEPT},
            "hand": own["hand"] if seat == me else made_up(own),
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


def worth(table: Table, seat: int, options: Mapping[str, OptionValue], has_ended: bool) -> float:
    """Return the value of a lead in phases and points; cards in hand count too.

    They count only before a hand has ended.
    """
    standing = [_standing(own, options, has_ended=has_ended) for own in table["seats"]]
    return lead_share(standing.pop(seat), standing, _POINTS_LEAD)


def _standing(own: Table, options: Mapping[str, OptionValue], *, has_ended: bool) -> float:
    if own["resigned"]:
        return -1e4
    held = 0 if has_ended else sum(_POINTS[card] for card in own["hand"])
    phases = 0 if options["ten_hands"] else own["completed"]
    return float(_PHASE_POINTS * phases - own["score"] - held)


def shortlist(view: View, orders: Sequence[str], effort: int) -> Sequence[int]:
    """Shortlist the moves that a good player would consider.

    A card from the pile is taken if it brings the phase nearer or can be hit. With little effort
    only a wild or a card that completes the phase is taken. A phase is laid down and cards are hit
    at once; only the last card, with which a player can float (P10-18), is worth considering.
    Discards to consider are skips, and those that hurt the hand least.
    """
    own = view["seats"][view["seat"]]
    if "take" in orders:
        return [orders.index("take" if _is_welcome(view, own, effort) else orders[0])]
    laid_down = [at for at, order in enumerate(orders) if order.startswith(("lay ", "hit "))]
    if laid_down:
        return laid_down[:1] if own["hand_size"] > 1 else range(len(orders))
    skips = [at for at, order in enumerate(orders) if order.startswith("discard S")]
    others = [at for at, order in enumerate(orders) if at not in skips]
    others.sort(key=lambda at: _loss(own, orders[at].removeprefix("discard ")))
    return [*others[: _DISCARDS[effort]], *skips]


def _is_welcome(view: View, own: View, effort: int) -> bool:
    card = view["pile"][-1]
    if card == WILD:
        return True
    if own["laid"]:
        return effort > 0 and fits(card, view["groups"])
    then = missing([*own["hand"], card], own["phase"])
    return then < missing(own["hand"], own["phase"]) and (effort > 0 or then == 0)


def _loss(own: View, card: str) -> tuple[int, ...]:
    """Return how much the loss of a card hurts, for sorting."""
    if card == WILD:
        return (len(PACK),)
    if own["laid"]:
        return (0, -_POINTS[card])
    left = [*own["hand"]]
    left.remove(card)
    phase = own["phase"]
    return (missing(left, phase), -helpers(left, phase), -_POINTS[card])


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the middle of the table, and a row with the groups of each seat."""
    rows: list[Sequence[Cell]] = []
    for number, seat in enumerate(view["seats"]):
        groups = [
            words(f"{number}.{at} {group['kind']}") + cards(group["cards"])
            for at, group in enumerate(view["groups"][number])
        ]
        states = [
            words(said)
            for said, holds in (
                ("left the game", seat["resigned"]),
                ("floats", seat["floating"]),
                ("loses a turn", seat["skips"]),
            )
            if holds
        ]
        phase = words(f"{seat['phase']}: {seat['phase_words']}" + ", down" * seat["laid"])
        done, points = f"{seat['completed']}", f"{seat['score']}"
        name = who(number, view, names)
        rows.append((name, [phase, *states], groups, hand(seat), done, points))
    titles = ("", "phase", "on the table", "hand", "done", "points")
    return [words(f"Hand {view['deal']}"), *heaps(view, "Discards"), Grid(titles, rows)]


_GERMAN = (
    (r"(?:ich )?(?:zieh|ziehe|ziehen)(?: (?:eine )?karte)?(?: vom (?:nachzieh)?stapel)?", "draw"),
    (
        r"(?:ich )?(?:nimm|nehme|nehmen)(?: (?:die )?(?:oberste(?: karte)?|karte))?(?: vom ablagestapel)?",
        "take",
    ),
    (r"(?:ich )?(?:nimm|nehme|nehmen) (?P<words>\S.*)", "take {words}"),
    (
        r"auslegen|(?:ich )?(?:leg|lege) aus|(?:(?:ich )?(?:leg|lege) )?(?:meine )?phase(?: aus| auslegen)",
        "lay",
    ),
    (r"auslegen (?P<words>\S.*)|(?:ich )?(?:leg|lege) (?P<words2>\S.*) aus", "lay {words}"),
    (
        r"anlegen (?P<words>\S.*)|(?:ich )?(?:leg|lege) (?P<words2>\S.*? an \S.*?)(?: an)?",
        "hit {words}",
    ),
    (
        r"(?:ablegen|abwerfen) (?P<words>\S.*)|(?:ich )?(?:leg|lege|wirf|werfe) (?P<words2>\S.*) ab",
        "discard {words}",
    ),
    (r"aussetzer (?P<words>\S.*)", "skip {words}"),
)


_BOT = Knowledge(
    guess=guess,
    worth=worth,
    ends=frozenset({"deal_over"}),
    own_ends=frozenset(),
    shortlist=shortlist,
    caution=1.0,
    trust=0.3,
    horizon=120,
    budgets=(1, 6000),
)

_ALIASES = {
    "phase10": ("phase10", "phaseten", "phase10official"),
    "phase10-family": (
        "phase10family",
        "phase10familyrules",
        "phase10withfamilyrules",
        "familyphase10",
        "phasetenfamily",
        "phase10familie",
    ),
}

FACE = GameFace(
    bot=_BOT,
    picture=picture,
    long=("phases_to_win", 10),
    aliases=_ALIASES,
    forms={"de": _GERMAN},
    subjects=SUBJECTS,
    drawing=DrawingOrders(read_drawing, EXAMPLES),
    next_examples=(
        sentence("next: if top is 5 take or draw"),
        sentence("next: if top is wild take"),
    ),
)
