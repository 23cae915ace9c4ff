"""Oh Hell for people."""

from __future__ import annotations

from engine.api import OptionValue
from engine.sentences import Sentence, plural, sentence
from pbem.games.glossary import terms
from pbem.games.knowledge import View
from pbem.games.options import whole
from pbem.games.pack52 import CARDS_GERMAN, PLAY_GERMAN
from pbem.games.picture import Grid, Line, Names, cards, hand, who, words
from pbem.games.profile import GameProfile
from pbem.games.subjects import HAND
from pbem_oh_hell.heuristics import BOT


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Lay out the trump and the trick, and a row for each seat."""
    trick = cards(each["card"] for each in view["trick"])
    rows = []
    for number, seat in enumerate(view["seats"]):
        held = words("left the game") if seat["resigned"] else hand(seat)
        bid = "–" if seat["bid"] is None else f"{seat['bid']}"
        rows.append((who(number, view, names), held, bid, f"{seat['tricks']}", f"{seat['score']}"))
    return [
        words(f"Deal {view['deal']} of {view['deals']}, trump:") + cards([view["trump"]]),
        words("On the table:") + trick,
        Grid(("", "hand", "bid", "tricks", "points"), rows),
    ]


def _cards(value: OptionValue) -> Sentence:
    return plural(
        "The largest hands have {count} card.",
        "The largest hands have {count} cards.",
        whole(value),
    )


def _course(value: OptionValue) -> Sentence:
    return {
        "down": sentence("Each deal has one card less than the one before."),
        "up": sentence("Each deal has one card more than the one before."),
        "both": sentence("The deals go down to one card and up again."),
    }[str(value)]


def _hook(value: OptionValue) -> Sentence:
    if value:
        return sentence("The last bid cannot make the bids add up to the tricks.")
    return sentence("The last player to bid may choose any number.")


_SAY = r"(?:ich )?(?:sage?|biete?n?|ansagen?|reize?n?|melde?n?|nehme?|mache?)[\s:]+"
_NUMBER = r"(?:\d|zwei|drei|vier|fünf|sechs|sieben)"
_TRICKS = r"(?: stiche?)?(?: an(?:sagen)?)?"
_GERMAN = (
    (rf"(?:{_SAY})?(?:null|keinen?){_TRICKS}", "bid 0"),
    (
        rf"{_SAY}(?:1|einen?){_TRICKS}|(?:1|einen?) stich(?: an(?:sagen)?)?|(?:1|einen) ansagen",
        "bid 1",
    ),
    (rf"{_SAY}(?P<words>{_NUMBER}){_TRICKS}", "bid {words}"),
    (rf"(?P<words>{_NUMBER}) (?:stiche(?: an(?:sagen)?)?|ansagen|bieten)", "bid {words}"),
    (PLAY_GERMAN, "play {words}"),
    (CARDS_GERMAN, "play {words}"),
)

_ROWS = """
play {card}
    en | play/playing/lead/leads/leading/throw/throwing/put/putting/lay/laying/drop/goes/start/starting/open/opening/begin/beginning/first/out/trump/trumping/choose/pick | down from of out in on to the trick with low small high big trump first
    de | PUT/kommt/komm/komme/ausspielen/anspielen/fange/fang/beginne/eroeffne/raus/zuerst/trumpf/nehm/nehme | aus hin drauf raus ab an mit zu den stich kleiner kleinen hoher hohen trumpf
bid {number}
    en | bet/betting/bid/bidding/call/calling/say/saying/gofor/make/making/take/taking/get/getting/win/winning/want/expect/try/trying/tricks/trick/down | tricks trick take will for going make me put down of it i think reckon guess bid on
    de | ansage/ansagen/sagen/sage/sag/biete/biet/mache/mach/machen/nehm/nehme/nehmen/hole/hol/schaffe/schaff/kriege/krieg/trau/traue/tippe/will/gehe/geh/stueck/stiche/stich | an stiche stich mache mach nehm will nehme mir zu bei auf fuer ansage trau ist wir sagen einzigen
"""

_TERMS = terms("""
bid; bids; bidding; ansage; ansagen; bieten; gebot | OHH-5 OHH-6
hook; last bid; letzte ansage; haken | OHH-6
trump; trumps; trumpf; truempfe | OHH-4 OHH-9
follow; follow suit; suit; bedienen; farbe; farbzwang; zugeben | OHH-8
trick; tricks; take; stich; stiche; stechen | OHH-7 OHH-9
lead; leads; first; begins; ausspielen; anfangen; faengt an; beginnt; anspielen | OHH-7
points; score; scores; scoring; win; winning; punkte; wertung; gewinnen; gewinnt; zaehlen | OHH-10 OHH-11
deal; deals; dealer; hands; geben; geber; kartengeber; runden; runde | OHH-2 OHH-3 OHH-4
resign; resigns; leave; aufgeben; aufgibt; ausgestiegen | OHH-12
standby; safe move; timeout; silence; ersatzzug; sicherer zug | OHH-13
secret; known; others see; they see; the others know; andere sehen; anderen sehen; geheim; bekannt | OHH-14
""")

PROFILE = GameProfile(
    bot=BOT,
    aliases={"ohhell": ("ohell", "oohhell", "nominationwhist", "upanddowntheriver")},
    picture=picture,
    subjects=(HAND,),
    next_examples=(
        sentence("next: play A or play K"),
        sentence("next: bid 0"),
    ),
    ends_by_any_moves=True,
    long=("course", "both"),
    options={"cards": _cards, "course": _course, "hook": _hook},
    forms={"de": _GERMAN},
    rows=_ROWS,
    shown={"de": {"bid": "ansage"}},
    terms=_TERMS,
)
