"""Profile of Phyliss: bots, picture, order forms and words."""

from __future__ import annotations

from engine.api import Fact, JsonObject, Setup
from engine.phyliss.moves import standby_move
from engine.sentences import Sentence, plural, sentence
from pbem.games.glossary import terms
from pbem.games.heuristics import phyliss as heuristics
from pbem.games.heuristics.shedding import move_key
from pbem.games.knowledge import Dice, Knowledge, View
from pbem.games.options import deals, plies_of_a_deal
from pbem.games.pack52 import (
    SHEDDING_GERMAN,
    SHEDDING_ROWS,
    hidden_cards,
    table_json,
)
from pbem.games.picture import Grid, Line, Names, cards, heaps, place, who
from pbem.games.profile import GameProfile
from pbem.games.subjects import SHEDDING


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Generate random hands, blind cards, stock and hidden cards of resigned seats (PHY-28)."""
    me = view["seat"]
    seen = [*view["pile"], *view["gone"]]
    for seat, own in enumerate(view["seats"]):
        seen += [*own["up"], *(own["hand"] if seat == me else own["known"])]
    hidden = hidden_cards(seen, chance)
    seats = [
        {
            "hand": own["hand"] if seat == me else hidden.hand_of(own),
            "known": own["known"],
            "up": own["up"],
            "blind": [*hidden.take(len(own["blind"]))],
            "blind_numbers": own["blind"],
            "out": own["out"],
            "resigned": own["resigned"],
        }
        for seat, own in enumerate(view["seats"])
    ]
    return {"seats": [*seats], **table_json(view, setup, hidden)}


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the middle of the table, followed by a row for each seat."""
    rows = []
    for number, seat in enumerate(view["seats"]):
        if seat["blind_cards"]:
            blind = cards(seat["blind_cards"])
        else:
            blind = tuple((f"▒{at}▒", "blue") for at in seat["blind"])
        rows.append((who(number, view, names), place(seat), cards(seat["up"]), blind))
    return [*heaps(view, "Pile"), Grid(("", "hand", "face up", "blind"), rows)]


def boast(fact: Fact, before: View, name: str) -> tuple[int, Sentence] | None:
    """Return the number of cards at stake in a hand of god, and a sentence about its result."""
    if fact.kind != "god":
        return None
    count = len(before["pile"])
    if fact.data["success"]:
        return count, plural(
            "The boldest hand of god: {name}, with {count} card on the pile, and it fitted.",
            "The boldest hand of god: {name}, with {count} cards on the pile, and it fitted.",
            count,
            name=name,
        )
    return count, plural(
        "The boldest hand of god: {name}, with {count} card on the pile, and had to take it.",
        "The boldest hand of god: {name}, with {count} cards on the pile, and had to take them all.",
        count,
        name=name,
    )


_GERMAN = (
    (
        (
            r"gott|(?:(?:spiele?|versuch['’]?e?s?|probier['’]?e?s?|riskier['’]?e?s?|nehme?|nutze|benutze|wähle)"
            r"(?: (?:es|mein glück))?(?: mit)? )?(?:die |der )?hand gottes"
            r"(?: (?:versuchen|riskieren|probieren|spielen|nehmen|benutzen))?"
        ),
        "god",
    ),
    (
        (
            r"(?:drehe?|decke?|umdrehen|aufdecken)[\s:]+(?P<words>\w+|\w.*?(?= (?:um|auf)))(?: um| auf)?"
            r"|(?P<words2>\w.*?) (?:umdrehen|aufdecken)"
        ),
        "flip {words}",
    ),
    *SHEDDING_GERMAN,
)


_BOT = Knowledge(
    rule=heuristics.choose,
    why=heuristics.why,
    guess=guess,
    redeal=heuristics.redeal,
    worth=heuristics.worth,
    ends=frozenset({"deal_over"}),
    rollout=standby_move,
    key=move_key,
    is_flat=(True, True),
    doubt=0.5,
    is_settled=lambda state, seat: state.seats[seat].out is not None,
    patience=(0.99, 0.998),
    iterations=(250, 1500),
)

_TERMS = terms("""
god; hand of god; gods hand; gott; hand gottes; gottes hand | PHY-14
pick up; pickup; picking up; pile; take; aufnehmen; stapel; ablagestapel | PHY-12 PHY-13 PHY-19
destroy; destroyed; destroys; three of a kind; zerstoeren; zerstoert; vernichtet; drilling | PHY-10 PHY-11
2; 2s; two; twos; deuce; zwei; zweien; zweier | PHY-2
10; 10s; ten; tens; zehn; zehnen; zehner | PHY-3 PHY-10
blind; blind card; blind cards; hidden; hidden card; hidden cards; flip; face down; verdeckt; verdeckte karten; verdeckten karten; umdrehen; aufdecken | PHY-20 PHY-21
face up; face up cards; offene karten; offenen karten; aufgedeckt | PHY-17 PHY-18 PHY-19
stock; draw; drawing; nachziehstapel; vorrat; ziehen; nachziehen | PHY-15
again; another turn; go again; goes again; noch einmal; nochmal; nochmal dran | PHY-16
first; begins; starts; who begins; anfangen; faengt an; beginnt; anfaengt | PHY-6 PHY-7
out; win; winning; won; lose; loser; end; over; gewinnen; gewinnt; verlieren; verliert; ende; verlierer | PHY-22 PHY-23
higher; value; rank; play; same rank; at once; two cards; several cards; wert; rang; spielen; hoeher; auf einmal; zwei karten; mehrere karten | PHY-8 PHY-9
deal; dealt; cards; geben; ausgeteilt; karten | PHY-4
resign; resigns; leave; aufgeben; aufgibt; ausgestiegen | PHY-25
standby; safe move; timeout; silence; ersatzzug; sicherer zug | PHY-26
secret; known; others see; they see; the others know; andere sehen; anderen sehen; geheim; bekannt | PHY-28
""")

_ROWS = (
    SHEDDING_ROWS
    + """
god
    en | hand god, luck/try/trying/risk/chance/chances/gofor/trust/decide/decides god, flip/turn/reveal/try/take/draw stock/deck | of top card over try trying go for first next from off one luck play use with my hand gofor let trust it is comes goes up me take taking a in on
    de | hand gottes, entscheiden/entscheidet/entscheide gott, risiko/versuche/setz/setze/riskiere/glueck/spiele/spiel gott/gottes, aufdecken/umdrehen/dreh/drehe/deck/decke/zieh/ziehe/ziehen/nehm/nehme/versuche nachziehstapel/stock/vorrat/talon | oberste karte vom von auf um versuche versuch probier probiere mit nehme nehm nutze hand lass soll spiel spiele mach mache setz setze vertrau die vertraue wag wage
flip {number}
    en | flip/reveal/blind/hidden/facedown, turn over | turn over up card one number blind hidden facedown
    de | dreh/drehe/umdrehen/aufdecken/deck/decke/verdeckte/verdeckten/blinde/blinden | um auf karte nummer verdeckte verdeckten blinde blinden
"""
)

PROFILE = GameProfile(
    terms=_TERMS,
    bot=_BOT,
    picture=picture,
    ends_by_any_moves=True,
    aliases={"phyliss": ("phyllis", "phylliss", "phylis")},  # misspellings by autocorrection
    forms={"de": _GERMAN},
    rows=_ROWS,
    subjects=SHEDDING,
    boast=boast,
    options={"deals": deals, "max_plies": plies_of_a_deal},
    next_examples=(
        sentence("next: if top <= 9 play 9 or pickup"),
        sentence("next: play K or play A or god"),
    ),
)
