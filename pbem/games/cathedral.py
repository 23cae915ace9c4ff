"""Profile of Cathedral: bots, picture, order forms and words."""

from __future__ import annotations

from engine.api import JsonObject, Setup
from engine.cards import sort_cards
from engine.cathedral.moves import RESERVE_SIZE
from engine.sentences import sentence
from pbem.games.glossary import terms
from pbem.games.heuristics import cathedral as heuristics
from pbem.games.heuristics.shedding import move_key
from pbem.games.knowledge import CHOSEN, Dice, Knowledge, View
from pbem.games.options import deals, plies_of_a_deal
from pbem.games.pack52 import (
    SHEDDING_GERMAN,
    SHEDDING_ROWS,
    hidden_cards,
    table_json,
)
from pbem.games.picture import Grid, Line, Names, cards, heaps, hidden, place, who, words
from pbem.games.profile import GameProfile, Told
from pbem.games.subjects import SHEDDING


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Generate random hands, reserves, choices, stock and cards of resigned seats (CAT-20)."""
    me = view["seat"]
    seen = [*view["pile"], *view["gone"]]
    for seat, own in enumerate(view["seats"]):
        seen += [*own["hand"], *own["reserve"]] if seat == me else own["known"]
    pool = hidden_cards(seen, chance)
    seats = []
    for seat, own in enumerate(view["seats"]):
        hand, reserve, choice = own["hand"], own["reserve"], own["choice"]
        if seat != me:
            hand = pool.hand_of(own)
            reserve = [*pool.hand(own["reserve_size"])]
            choice = [*sort_cards(chance.take(hand, RESERVE_SIZE))] if own["chosen"] else None
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
    table = table_json(view, setup, pool)
    return {"seats": [*seats], "choosing": view["choosing"], **table}


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the middle of the table, followed by a row for each seat."""
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
        (
            r"(?:behalten?|beiseite(?: ?legen)?|zur seite(?: legen)?|zurücklegen|weglegen)[\s:]+(?P<words>\S.*)"
            r"|lege? (?P<words2>\S.*) (?:beiseite|zurück|zur seite|weg)"
        ),
        "keep {words}",
    ),
    (
        r"(?P<words>\S.*?),? (?:behalten|beiseite(?: ?legen)?|zur seite(?: legen)?|zurücklegen|weglegen)",
        "keep {words}",
    ),
    (r"(?P<words>\S+(?:(?:, ?| und | )\S+){2,5})", "{words}"),
    *SHEDDING_GERMAN,
)


_BOT = Knowledge(
    rule=heuristics.choose,
    why=heuristics.why,
    guess=guess,
    redeal=heuristics.redeal,
    worth=heuristics.worth,
    ends=frozenset({"deal_over"}),
    rollout=heuristics.choose,
    key=move_key,
    is_flat=(False, True),
    doubt=1.0,
    patience=(0.98, 0.998),
    iterations=(600, 3500),
)

_TERMS = terms("""
reserve; set aside; keep; reserves; beiseite; beiseitelegen; behalten | CAT-2 CAT-3 CAT-14
2; 2s; two; twos; deuce; zwei; zweien; zweier | CAT-8
10; 10s; ten; tens; zehn; zehnen; zehner | CAT-9
four of a kind; four; quad; vierling; vier gleiche | CAT-10 CAT-8
pick up; pickup; picking up; pile; take; aufnehmen; stapel; ablagestapel | CAT-12 CAT-13
stock; draw; drawing; nachziehstapel; vorrat; ziehen; nachziehen | CAT-11
again; another turn; go again; noch einmal; nochmal | CAT-8 CAT-9 CAT-10
higher; value; rank; play; same rank; wert; rang; spielen; hoeher | CAT-6 CAT-7
first; begins; starts; anfangen; faengt an; beginnt | CAT-4
out; win; winning; won; lose; loser; end; over; gewinnen; gewinnt; verlieren; verliert; ende | CAT-15 CAT-16
resign; resigns; leave; aufgeben; aufgibt | CAT-17
standby; safe move; timeout; silence; ersatzzug; sicherer zug | CAT-18
secret; known; others see; they see; the others know; andere sehen; anderen sehen; geheim; bekannt | CAT-20
""")

_ROWS = (
    SHEDDING_ROWS
    + """
keep {cards}
    en | keep/keeping/aside/reserve/reserving/away/save/saving/hold/holding/hide/hiding/end/last/later/bank/banking/stash/stashing/park/store | put putting set setting lay laying for later and of in back to into on till until very end last go goes with as side them to by tuck tucking gimme choose choosing pick picking
    de | behalte/behalt/behalten/weglegen/weg/beiseite/reserve/zurueck/zurueckhalten/aufheben/zuruecklegen/zurueckgelegt/spaeter/spare/spar/sparen/reserviere/reservieren/bleiben/letzte/letztes/waehle/waehl, heb/hebe auf | lege leg legen pack packe in zu zur fuer spaeter als auf weg beiseite zurueck kommen kommt wandern bleiben auf heb hebe nehm nehme nimm ist sind will liegen
"""
)


def said_move(move: str, _: Told) -> str:
    """Return `set aside 2c 2h 3d`. The word "keep" would suggest that the cards stay in the hand."""
    return move.replace("keep ", "set aside ", 1)


PROFILE = GameProfile(
    terms=_TERMS,
    bot=_BOT,
    picture=picture,
    ends_by_any_moves=True,
    forms={"de": _GERMAN},
    rows=_ROWS,
    subjects=SHEDDING,
    options={"deals": deals, "max_plies": plies_of_a_deal},
    next_examples=(
        sentence("next: if top < J play J or pickup"),
        sentence("next: if pile > 6 pickup or play 2"),
    ),
    choice_word="keep",
    said_move=said_move,
)
