"""Profile of Phase 10, official and family rules: bots, picture, order forms and words.

A view shows everything except the hands of other seats, the order of the stock, the numbers of
shuffles, and the order in which seats resigned.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import JsonObject, OptionValue, Setup
from engine.phase10.cards import PACK, card, sort_cards
from engine.sentences import Sentence, all_of, sentence
from pbem.games.glossary import terms
from pbem.games.heuristics import phase10 as heuristics
from pbem.games.knowledge import CHOSEN, Dice, Knowledge, View, unseen
from pbem.games.options import plies_of_a_game
from pbem.games.phase10_cards import SUBJECTS
from pbem.games.phase10_groups import fits_one, group_hit, group_words, said_move
from pbem.games.picture import Cell, Grid, Line, Names, cards, hand, heaps, who, words
from pbem.games.profile import GameProfile, GroupWords
from pbem.games.worlds import HiddenCards


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Generate random hands, stock and hidden cards of resigned seats (P10-32)."""
    me = view["seat"]
    seen = [*view["pile"], *view["gone"]]
    for groups in view["groups"]:
        for group in groups:
            seen += group["cards"]
    for seat, own in enumerate(view["seats"]):
        seen += own["hand"] if seat == me else own["known"]
    hidden = HiddenCards(map(card, unseen(PACK, seen)), chance, sort_cards)
    seats = [
        {
            **{name: own[name] for name in _KEPT},
            "hand": own["hand"] if seat == me else hidden.hand_of(own),
        }
        for seat, own in enumerate(view["seats"])
    ]
    return {
        **{name: view[name] for name in _KEPT_TABLE},
        "seats": [*seats],
        "gone": [*view["gone"], *hidden.take(view["gone_hidden"])],
        "left_seen": len(view["gone"]),
        "left_unseen": view["gone_hidden"],
        "stock": [*hidden.rest()],
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


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the middle of the table, followed by a row with the groups of each seat."""
    rows: list[Sequence[Cell]] = []
    for number, seat in enumerate(view["seats"]):
        groups = [
            words(f"{group_words(view['groups'][number], index, '')}{_meaning(group)}:")
            + cards(group["cards"])
            for index, group in enumerate(view["groups"][number])
        ]
        states = [
            words(text)
            for text, holds in (
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


def _meaning(group: View) -> str:
    """Return the start of a run of wilds only. For a set its name contains it (P10-V4)."""
    return f" from {group['as']}" if group["kind"] == "run" and "as" in group else ""


_STOCK = r"vo[nm] (?:dem )?(?:nachziehstapel|ziehstapel|verdeckten stapel|stapel|talon|deck)"
_PILE = r"vo[nm] (?:dem |der )?(?:ablagestapel|ablage|abwurfstapel|offenen stapel)"
_TOP = r"(?:die )?(?:oberste|offene|aufgedeckte)(?: karte)?"
_AWAY = r"(?:ab|weg|auf den ablagestapel|auf die ablage)"
_GERMAN = (
    (
        (
            r"ziehe?n?(?: (?:bitte|mal))?(?: (?:eine|ne|1))?(?: neue)?(?: verdeckte)?(?: karte)?"
            rf"(?: (?:verdeckt|blind))?(?: {_STOCK})?"
        ),
        "draw",
    ),
    (
        (
            r"(?:(?:eine|ne) )?(?:neue |verdeckte )?(?:karte )?(?:verdeckt |blind )?"
            rf"(?:{_STOCK} )?(?:verdeckt |blind )?ziehen"
        ),
        "draw",
    ),
    (
        (
            r"(?:eine )?(?:neue|verdeckte) karte(?: nehmen)?|(?:nimm|nehme?) (?:eine )?(?:neue|verdeckte) karte"
            rf"|(?:nimm|nehme?) (?:eine )?(?:karte )?(?!vom stapel){_STOCK}"
        ),
        "draw",
    ),
    (
        (
            rf"(?:nimm|nehmen?|nehm)(?: (?:{_TOP}|(?:die )?karte|eine|eine karte))?(?: {_PILE})?"
            rf"|{_TOP}(?: {_PILE})? nehmen|{_TOP}(?: {_PILE})|(?:eine )?(?:karte )?{_PILE} (?:nehmen|ziehen)"
            rf"|ziehe? (?:(?:eine |die )?karte )?{_PILE}"
        ),
        "take",
    ),
    (
        r"(?:nimm|nehmen?|nehm) (?!(?:ab|an|auf|zu|mit)\b)(?P<words>\S.*)|(?P<words2>\S.*) nehmen",
        "take {words}",
    ),
    (
        r"auslegen|lege? aus|(?:lege? )?(?:meine |die )?phase (?:aus|auslegen|ablegen|hinlegen)|lege? (?:meine |die )?phase",
        "lay",
    ),
    (
        (
            r"auslegen[\s:]+(?P<words>\S.*)|lege? (?P<words2>\S.*?) aus|lege? (?P<words3>[^/]+ / [^/]+)"
            r"|(?P<words4>\S.*) auslegen"
        ),
        "lay {words}",
    ),
    (
        (
            r"lege? (?:den |einen |meinen )?aussetzer (?:auf|gegen|für|bei) (?P<own>\S+)(?: ab)?"
            r"|(?:den |einen |meinen )?aussetzer (?:auf|gegen|für|bei) (?P<own2>\S+) (?:ablegen|legen|spielen)"
        ),
        "discard skip on {own}{own2}",
    ),
    (
        (
            r"anlegen[\s:]+(?P<words>\S.*)|lege? (?P<words2>\S.*? (?:an|bei|zu) \S.*?)(?: an)?"
            r"|(?P<words3>\S.*? (?:an|bei|zu|auf) \S.*?) anlegen"
        ),
        "hit {words}",
    ),
    (
        (
            r"(?:ablegen|abwerfen|wegwerfen|abwurf)[\s:]+(?P<words>\S.*)"
            rf"|(?:lege?|wirf|werfe?) (?P<words2>\S.*?) {_AWAY}"
        ),
        "discard {words}",
    ),
    (r"(?P<words>\S.*?) (?:ablegen|abwerfen|wegwerfen|weg)", "discard {words}"),
    (r"(?:wirf|werfe) (?P<words>\S.*)", "discard {words}"),
    (r"aussetzer (?:für|gegen) (?P<own>\S+)", "skip against {own}"),
    (r"aussetzer (?P<words>\S.*)", "skip {words}"),
    (
        r"(?P<own>\S+) (?:soll aussetzen|aussetzen lassen)|lasse? (?P<own2>\S+) aussetzen",
        "skip {own}{own2}",
    ),
)


_BOT = Knowledge(
    rule=heuristics.choose,
    why=heuristics.why,
    guess=guess,
    redeal=heuristics.redeal,
    iterations=(0, 0),
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


def _listed(value: OptionValue) -> Sentence:
    return all_of([str(phase) for phase in value] if isinstance(value, list) else [])


_TERMS = terms("""
phase; phases; phasen | P10-8*
set; sets; satz; saetze; drilling | P10-8* P10-13
run; runs; folge; folgen; reihe; strasse | P10-9
wild; wilds; wild card; joker; wildkarte; wildkarten | P10-10
skip; skips; skipped; aussetzer; aussetzen | P10-19 P10-20 P10-21 P10-22
draw; drawing; stock; discard pile; take; ziehen; nachziehstapel; ablagestapel; nehmen | P10-7 P10-11
lay; lay down; laying; laid; auslegen; auslegt; ausgelegt | P10-12 P10-13 P10-14
hit; hits; hitting; add; anlegen; anlegt; angelegt | P10-15 P10-16
discard; discards; discarding; ablegen; abwerfen; ablage | P10-6*
turn; steps; zug; schritte | P10-6*
points; score; scoring; counted; count; punkte; wertung; zaehlen; zaehlt | P10-23*
go out; going out; out; ausmachen; ausgehen | P10-17 P10-18
float; floats; floating; schweben | P10-18
deal; dealt; geben; ausgeteilt | P10-4 P10-5
first; begins; starts; anfangen; faengt an; beginnt | P10-4
resign; resigns; leave; aufgeben; aufgibt | P10-28
standby; safe move; timeout; silence; ersatzzug; sicherer zug | P10-29
secret; known; others see; they see; the others know; andere sehen; anderen sehen; geheim; bekannt | P10-32
""")


_ROWS = """
draw
    en | draw/drawing/pull/pulling/deck/stock/facedown/blind/unknown, new/fresh/another card/one | card pull pulling me gimme want it one again new fresh another top from off of take get gimme pile down pick
    de | ziehe/zieh/ziehen/ziehn/blind/verdeckt/verdeckte/verdeckten/nachziehstapel/unbekannte, neue/frische karte/mir/bitte, karte/eine vom stapel | karte vom von stapel nehm nehme nimm neue neu frische oben oberste verdeckt blind gib lieber nach verdeckten verdeckte hol hole
take {card}!
    en | take/taking/gimme/grab/pick/pickup/discards/faceup | discards from of up faceup off top
    de | nehm/nehme/nehmen/nimm/offene/gib/haette/hol/hole/will/schnapp/schnappe | offene offen auf mit
take
    en | discards, faceup/discard/top card/one/take/taking/grab/gimme/pickup | take taking gimme grab card one top pick pickup up off from of discard discards pile
    de | offene/offen/abgelegte, oberste/obere/ablage nehm/nehme/nehmen/nimm/karte | nehm nehme nehmen nimm karte von ablage oben oberste obere
lay
    en | lay/laying/table phase/sets/everything/all, put/putting/down phase/sets, lay/laying it/them, go/going/gofor down | it all out on both two down put phase sets my everything hand at with table i
    de | leg/lege/legen/auslegen/hinlegen/rauslegen/ablegen phase/saetze/satz/drillinge/drilling/alles/folge/aus, phase tisch/raus/hin/auf | phase saetze satz drillinge drilling alles folge aus hin raus ab beiden beide zwei auf tisch auslegen hinlegen
lay {many}
    en | lay/laying/down/table, put/putting out/on/down, and/with/plus | lay laying down put putting on out with of it table phase and plus set sets
    de | leg/lege/legen/auslegen/hinlegen/rauslegen/raus/hin/aus, und/mit/plus | leg lege aus hin raus auf tisch mit und plus satz saetze
hit {fit} on {name}'s {group}
    en | hit/hitting/add/adding/on/onto/with/by/PUT/goes/attach | off on onto to with by of set sets run group goes belongs
    de | anlegen/dazulegen/dazu/an/bei/auf/dran/hin/PUT/kommt/geht | PUT an bei auf zu dran dazu hin kommt geht passt anlegen dazulegen satz folge
hit {fit} on {name}
    en | hit/hitting/add/adding/attach/by/on/onto | on onto to with by of set sets run group cards
    de | anlegen/dazulegen/dazu/dran/an/bei/haenge/haeng, leg/lege an | an bei auf zu dran dazu hin leg lege satz folge karten noch
hit {fit} on {group}
    en | hit/hitting/add/adding/on/onto/by/PUT/goes/attach/belongs | off by with in goes of set sets run group onto on to her his
    de | anlegen/dazulegen/dazu/an/bei/auf/dran/hin | PUT an bei auf zu den dran dazu hin kommt geht passt satz folge
discard {fit}
    en | RID | get getting of off put pile discard it PUT in by
    de | RID | lege leg legen werfe werf wirf geht kommt kann mit hin schmeiss schmeisse hau haue RID gebe geb in
discard {skip} {name}
    en | RID/by/on/at/use/using/PUT/nextturn/for/give/giving | misses loses his her next turn a goes play it use get of with card
    de | RID/bei/fuer/auf/an/PUT/lass/lasse/lassen/gebe/geb/gib/kriegt/bekommt | lege leg werfe werf geht mit setzt muss trifft kriegt bekommt spiel spiele
hit {fit}
    de | anlegen/dazulegen, leg/lege an/dran/dazu | an dran dazu leg lege noch
"""

PROFILE = GameProfile(
    terms=_TERMS,
    bot=_BOT,
    picture=picture,
    long=("phases_to_win", 10),
    options={
        "phases": lambda value: sentence("You play these phases: {phases}.", phases=_listed(value)),
        "even_only": lambda _: sentence("You play only the even phases: 2, 4, 6, 8 and 10."),
        "phases_to_win": lambda value: (
            sentence("You play only the first phase.")
            if value == 1
            else sentence("You play only the first {count} phases.", count=value)
        ),
        "ten_hands": lambda _: sentence(
            "There is one hand for each phase, made or not, and the fewest points win."
        ),
        "deck": lambda _: sentence(
            "The cards are those of two packs of 52 with four jokers: suits are colours, kings are"
            " wilds, jokers are skips."
        ),
        "naturals": lambda _: sentence(
            "One number card in the whole phase is enough: a set or run beside it can be of wilds"
            " alone."
        ),
        "max_plies": plies_of_a_game,
    },
    aliases=_ALIASES,
    forms={"de": _GERMAN},
    rows=_ROWS,
    said_move=said_move,
    groups=GroupWords(group_words, group_hit, fits_one),
    subjects=SUBJECTS,
    drawing_examples=(
        sentence("drawing: take if it lays, else stock"),
        sentence("drawing: take if it hits, else stock"),
        sentence("drawing: always stock"),
        sentence("drawing: none"),
    ),
    next_examples=(
        sentence("next: if top is 5 take or draw"),
        sentence("next: if top is wild take"),
    ),
)
