"""Cathedral for people and bots."""

from __future__ import annotations

from collections.abc import Mapping

from engine.api import JsonObject, OptionValue, Setup
from engine.sentences import sentence
from pbem.games.face import GameFace
from pbem.games.knowledge import CHOSEN, Dice, Knowledge, Table, View, everything, lead_share
from pbem.games.pack52 import (
    BEHIND_ALL,
    LEAD,
    SHEDDING_GERMAN,
    HiddenCards,
    burden_of,
    sorted_cards,
    table_json,
)
from pbem.games.picture import Grid, Line, Names, cards, heaps, hidden, place, who, words
from pbem.games.subjects import SHEDDING

_RESERVE_SIZE = 3


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Make up hands, reserves, choices, stock and cards of resigned seats (CAT-20)."""
    me = view["seat"]
    seen = [*view["pile"], *view["gone"]]
    for seat, own in enumerate(view["seats"]):
        seen += [*own["hand"], *own["reserve"]] if seat == me else own["known"]
    hidden = HiddenCards(seen, chance)
    seats = []
    for seat, own in enumerate(view["seats"]):
        hand, reserve, choice = own["hand"], own["reserve"], own["choice"]
        if seat != me:
            hand = hidden.hand(own)
            reserve = sorted_cards(hidden.take(own["reserve_size"]))
            choice = sorted_cards(chance.take(hand, _RESERVE_SIZE)) if own["chosen"] else None
        seats.append(
            {
                "hand": hand,
                "known": own["known"],
                "reserve": reserve,
                "choice": choice,
                "choice_mark": CHOSEN if own["chosen"] else 0,
                "resigned": own["resigned"],
            }
        )
    table = table_json(view, setup, hidden)
    return {"seats": [*seats], "choosing": view["choosing"], **table}


def worth(table: Table, seat: int, _options: Mapping[str, OptionValue], has_ended: bool) -> float:
    """Return a seat's result in a finished deal, or else its chances by its cards."""
    if has_ended:
        counts = table["results"][-1]["cards_left"]
        left = [BEHIND_ALL if count is None else float(count) for count in counts]
    else:
        left = [_burden(own) for own in table["seats"]]
    return lead_share(-left.pop(seat), [-burden for burden in left], LEAD)


def _burden(own: Table) -> float:
    """Return how much a seat still has to get rid of; a resigned seat has the most."""
    if own["resigned"]:
        return BEHIND_ALL
    return burden_of([*own["hand"], *own["reserve"]])


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the middle of the table, and a row for each seat."""
    rows = []
    for number, seat in enumerate(view["seats"]):
        if view["choosing"]:
            chosen = words("chosen" if seat["chosen"] else "not chosen yet")
            reserve = cards(seat["choice"]) if seat["choice"] else chosen
        elif seat["reserve"] is None and seat["reserve_size"]:
            reserve = hidden(seat["reserve_size"])
        else:
            reserve = cards(seat["reserve"] or ())
        rows.append((who(number, view, names), place(seat), reserve))
    return [*heaps(view, "Pile"), Grid(("", "hand", "reserve"), rows)]


_GERMAN = (
    (
        r"(?:ich )?behalten? (?P<words>\S.*)|(?:ich )?lege? (?P<words2>\S.*) (?:beiseite|zurück)",
        "keep {words}",
    ),
    *SHEDDING_GERMAN,
)


_BOT = Knowledge(
    guess=guess,
    worth=worth,
    ends=frozenset({"deal_over"}),
    own_ends=frozenset(),
    shortlist=everything,
    caution=0.75,
    trust=0.15,
    horizon=100,
    budgets=(250, 4000),
)

FACE = GameFace(
    bot=_BOT,
    picture=picture,
    ends_by_any_moves=True,
    forms={"de": _GERMAN},
    subjects=SHEDDING,
    next_examples=(
        sentence("next: if top < J play J or pickup"),
        sentence("next: if pile > 6 pickup or play 2"),
    ),
    choice_word="keep",
)
