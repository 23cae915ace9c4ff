"""Common code of Phyliss and Cathedral: one pack, hands with a known part, deals.

A view lacks some data, which are filled in simply: which seats were dealt in before resignations in
a later deal, the order of resignations, the plies of a later deal, and the record of silence. None
of them affects the legal moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import JsonObject, Setup
from engine.cards import PACK, Card, card, sort_cards
from pbem.games.knowledge import CHOSEN, Dice, View, unseen
from pbem.games.worlds import HiddenCards

_PICK_UP = (
    r"(?:(?:den|die|alle|ganzen|gesamten) )*(?:(?:stapel|haufen|karten|ablagestapel) )?(?:aufnehmen|aufheben)"
    r"|(?:(?:den|ganzen|gesamten) )*(?:stapel|haufen|ablagestapel) nehmen"
    r"|(?:nimm|nehme?|hebe?) (?:alles |(?:(?:den|die|alle|ganzen|gesamten) )*(?:stapel|haufen|karten|ablagestapel) )?auf"
    r"|(?:nimm|nehme?) (?:(?:den|ganzen|gesamten) )*(?:stapel|haufen|ablagestapel)"
)
PLAY_GERMAN = (
    r"(?:spiele?|spielen|lege?|setze?|werfe?|wirf)[\s:]+(?P<words>\S.*?)"
    r"(?: (?:aus|ab|hin|raus|drauf|auf den stapel))?"
    r"|(?P<words2>\S.*?) (?:spielen|ausspielen|legen|ablegen|hinlegen|setzen|werfen|abwerfen)"
)
_SUITS = r"(?:kreuz|treff|karo|caro|eckstein|herz|pik|schippen?)"
CARDS_GERMAN = (
    rf"(?=.*\b{_SUITS}|(?:(?:die|das|den|der|meinen|meine beiden|meine zwei|meine drei|beiden?|alle|eine?n?|nen?|nur) )+\S|.+ und \S"
    r"|(?:zwei|drei|vier|[2-4]) \w+(?:en|er|e|s)\b)"
    r"(?!(?:die|das|der|den|alle|meine) (?-i:zwei|drei|vier|beiden)$|(?:die|alle) (?:beiden?|eine)$)"
    r"(?P<words>\S.*)"
)
"""A card alone is a move if it is clearly named: with a suit, an article, or a number of cards."""
SHEDDING_GERMAN = (
    (_PICK_UP, "pickup"),
    (PLAY_GERMAN, "play {words}"),
    (CARDS_GERMAN, "play {words}"),
)


SHEDDING_ROWS = """
play {card}
    en | PUT/goes/fromhand/rid/ontop/beats/select/selecting/start/starting | get down from of ontop there on it over with in
    de | PUT/kommt/kommen/ausspielen/drauf/drueber/raus/obendrauf/rauf/ran/reicht/reichen/genuegt/loswerden/schlaegt/schlage/schlag/ueberbiete/ueberbiet | aus hin drauf drueber raus ab rein rauf obendrauf dicke locker fliegt auf
take the {card}!
    en | take/taking/grab/gimme/choose/choosing/pick/picking | from of that
    de | nehm/nehme/nehmen/nimm/waehle/waehl/hol/hole | dafuer
pickup the {card}!
    en | pickup/collect/swallow/gather, take/taking/put/gimme/get intohand | all up it of them whole
    de | aufnehmen/aufheben/schluck/schlucke/schlucken/kassiere/kassier/einsammeln, nehm/nehme/nehmen/nimm/hebe/heb auf/aufhand/hoch/mit | aufhand auf hoch
pickup
    en | pickup/collect/swallow, take/taking/grab/gather pile/everything/stack/heap/lot/all, gimme/want/eat/get pile/stack/heap, take/gimme it intohand, pile me/please | cards whole all up the of them pass passing cant must it intohand me by please
    de | aufnehmen/aufheben, nehm/nehme/nehmen/nimm/hebe/heb/gib/schluck/schlucke/schlucken/sammle/sammel/hol/hole/kassiere/kassier/schnapp/schnappe auf/stapel/haufen/alles/aufhand, einsammeln, stapel/haufen/alles bitte/her/aufhand | auf alles alle karten ganzen stapel haufen hoch passe ein aufhand spiele geht
"""


def hidden_cards(seen: Sequence[str], chance: Dice) -> HiddenCards[Card]:
    """Return the cards of the pack that a viewer cannot see."""
    return HiddenCards(map(card, unseen(PACK, seen)), chance, sort_cards)


def table_json(view: View, setup: Setup, hidden: HiddenCards[Card]) -> JsonObject:
    """Return the state JSON outside the seats. Consumes the remaining hidden cards."""
    players = setup.players
    resigned = [seat for seat in range(players) if view["seats"][seat]["resigned"]]
    is_first = view["deal"] == 1
    left = hidden.take(view["gone_hidden"])
    return {
        "to_act": view["to_act"],
        "ply": view["ply"],
        "stock": list(hidden.take(view["stock_size"])),
        "pile": view["pile"],
        "gone": [*view["gone"], *left],
        "left_seen": 0,
        "left_unseen": len(left),
        "deal": view["deal"] - 1,
        "deal_ply": view["ply"] if is_first else 0,
        "dealer": view["dealer"],
        "dealt_in": [seat for seat in range(players) if is_first or seat not in resigned],
        "turn": 0,
        "turns": [[CHOSEN, CHOSEN] for _ in range(players)],
        "resigned": [*resigned],
        "results": view["results"],
        "reason": None,
    }
