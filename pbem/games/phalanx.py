"""Profile of Phalanx: bots, picture, order forms and words.

A view does not show which cards are in which reserve, although players could remember them
(PLX-29), nor how many cards an eliminated seat had left. Reserves are therefore filled with any
cards, and eliminated seats get none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.api import JsonObject, OptionValue, Setup
from engine.cards import Card
from engine.phalanx.moves import standby_move
from engine.sentences import plural, sentence
from pbem.games.glossary import terms
from pbem.games.heuristics import phalanx as heuristics
from pbem.games.knowledge import (
    CHOSEN,
    Dice,
    Knowledge,
    View,
)
from pbem.games.options import plies_of_a_game, whole
from pbem.games.pack52 import CARDS_GERMAN, PLAY_GERMAN, hidden_cards
from pbem.games.picture import Cell, Grid, Line, Names, cards, hand, who, words
from pbem.games.profile import GameProfile, OptionSaid, Told
from pbem.games.subjects import HAND, Subject
from pbem.games.worlds import HiddenCards

_NO_WINDOW = 8
"""`window_size` without a window: a hand and one more (engine protocol, Phalanx)."""


def guess(view: View, setup: Setup, chance: Dice) -> JsonObject:
    """Generate random hands, reserves, choices, cards set aside and hidden spoils (PLX-29)."""
    seats = view["seats"]
    lying: list[list[str]] = [[] for _ in seats]
    for zone in view["zones"].values():
        for each in zone:
            lying[each["seat"]].append(each["card"])
    own = seats[view["seat"]]
    mine = [*own["hand"], *own["aside"]]
    spoils: list[str] = []
    guesses: list[JsonObject] = []
    if view["pots"] is None:
        seen = [*view["spoils"], *mine, *(each for cards in lying for each in cards)]
        hidden = hidden_cards(seen, chance)
        guesses = [_seat_json(view, seat, hidden, chance) for seat in range(len(seats))]
        spoils = [*hidden.rest()]
    else:
        for seat in range(len(seats)):
            seen = [*lying[seat], *(mine if seat == view["seat"] else ())]
            hidden = hidden_cards(seen, chance)
            guesses.append(_seat_json(view, seat, hidden, chance))
    no_pots = {name: [0] * len(seats) for name in view["zones"]}
    return {
        "to_act": view["to_act"],
        "ply": view["ply"],
        "seats": [*guesses],
        "zones": view["zones"],
        "spoils": [*view["spoils"], *spoils],
        "spoils_seen": len(view["spoils"]),
        "pots": no_pots if view["pots"] is None else view["pots"],
        "phase": view["phase"],
        "battle": view["battle"] - 1,
        "ring": view["ring"],
        "first": view["first"],
        "player": _player(view),
        "window": view["window"],
        "window_size": _window_size(view, setup.options),
        "shuffles": 1,
        "turns": [[CHOSEN, CHOSEN] for _ in seats],
        "resigned": [seat for seat, each in enumerate(seats) if each["resigned"]],
        "reason": None,
    }


def _seat_json(view: View, seat: int, hidden: HiddenCards[Card], chance: Dice) -> JsonObject:
    """Return the JSON of one seat. Its hidden cards are drawn from `hidden`."""
    own = view["seats"][seat]
    hand, aside, choice = own["hand"], own["aside"], own["choice"]
    if seat != view["seat"]:
        hand = [*hidden.hand(own["hand_size"])]
        aside = [*hidden.take(own["aside_size"])]
        choice = chance.pick(hand) if own["has_chosen"] else None
    out = own["eliminated"]
    return {
        "hand": hand,
        "reserve": [*hidden.take(own["reserve_size"])],
        "choice": choice,
        "choice_mark": CHOSEN if own["has_chosen"] else 0,
        "aside": aside,
        "chips": own["chips"],
        "out": None if out is None else {"battle": out - 1, "cards": 0},
    }


def _active(view: View) -> list[int]:
    return [seat for seat in view["ring"] if not view["seats"][seat]["resigned"]]


def _player(view: View) -> int | None:
    """Return the seat that plays the next card, or None before the openings.

    A betting window opens only when all seats have played equally often (PLX-V5), so the next
    player is the seat that opened highest, or the next remaining seat clockwise.
    """
    if view["phase"] == "playing":
        return int(view["to_act"][0])
    if view["first"] is None:
        return None
    players = len(view["seats"])
    return min(_active(view), key=lambda seat: (seat - view["first"]) % players)


def _window_size(view: View, options: Mapping[str, OptionValue]) -> int:
    """Return the size of the last window, which is the largest remaining hand."""
    if options["stakes"] != "zones":
        return _NO_WINDOW
    if view["phase"] == "choosing" and options["first_window"] == "opening":
        return _NO_WINDOW
    return max(int(view["seats"][seat]["hand_size"]) for seat in _active(view))


_NEIGHBOURS = 3
"""From this ring size on, each side zone is shared with a different neighbour."""
_PLACE_IN_MOVE = re.compile(r"(?:(?<=^play )\S+|(?:raise|match))\s(?P<place>left|center|right)\b")


def sides(view: View, names: Sequence[str]) -> dict[str, int]:
    """Return the seat by which the viewer can name each side zone.

    With two players both sides have the same neighbour, so they cannot be named. `names` contains
    the names that can be used in orders, or an empty text.
    """
    ring = view["ring"]
    if view["seat"] not in ring or len(ring) < _NEIGHBOURS:
        return {}
    index = ring.index(view["seat"])
    neighbours = {"left": ring[(index + 1) % len(ring)], "right": ring[index - 1]}
    return {place: seat for place, seat in neighbours.items() if seat < len(names) and names[seat]}


def said_move(move: str, context: Told) -> str:
    """Return a move with zones as players name them, e.g. `play 7c with Bob`, `raise middle 1`."""
    names = context.called
    called = sides({**context.view, "seat": context.seat}, names)

    def place(match: re.Match[str]) -> str:
        said = match["place"]
        word = "middle" if said == "center" else said
        with_whom = f"with {names[called[said]]}" if said in called else word
        return match[0].removesuffix(said) + with_whom

    return _PLACE_IN_MOVE.sub(place, move)


def picture(view: View, names: Names) -> list[Line | Grid]:
    """Return the zones with the seats that share them, followed by a row for each seat."""
    chips = view["pots"] is not None
    zones: list[Sequence[Cell]] = []
    for name, lying in view["zones"].items():
        shares = [
            seat for seat in view["ring"] if name in (view["seats"][seat]["zones"] or {}).values()
        ]
        where = (
            "middle" if name == "center" else "between " + " and ".join(names[s] for s in shares)
        )
        own = [_lying(lying, seat, names[seat]) for seat in shares]
        stakes = [words(f"{names[seat]} {view['pots'][name][seat]}") for seat in shares if chips]
        zones.append((where, own, *([stakes] * chips)))
    rows: list[Sequence[Cell]] = []
    for number, seat in enumerate(view["seats"]):
        choice: Cell = words("chosen" if seat["has_chosen"] else "–")
        if view["phase"] != "choosing" or number not in view["ring"]:
            choice = ""
        elif seat["choice"]:
            choice = cards([seat["choice"]])
        out = seat["eliminated"]
        held = words(f"out since battle {out}") if out else hand(seat)
        sizes = f"{seat['reserve_size']}", f"{seat['aside_size']}", *([f"{seat['chips']}"] * chips)
        rows.append((who(number, view, names), held, choice, *sizes))
    unseen = words(f"{view['spoils_unseen']} unseen") if view["spoils_unseen"] else ()
    spoils = (cards(view["spoils"]) if view["spoils"] else ()) + unseen
    return [
        words(f"Battle {view['battle']}"),
        Grid(("zone", "cards", *(("stakes",) * chips)), zones),
        *([words("Spoils:") + spoils] if spoils else []),
        Grid(("", "hand", "opening", "reserve", "aside", *(("chips",) * chips)), rows),
    ]


def _lying(lying: Iterable[View], seat: int, name: str) -> Line:
    own = [card for card in lying if card["seat"] == seat]
    return words(name) + tuple((card["card"], "card" if card["up"] else "down") for card in own)


_GERMAN = (
    (
        (
            r"(?:eröffnen?|eröffnung|beginne|starte|fange?)(?: mit)?[\s:]+(?P<words>\S.*?)(?: an)?"
            r"|(?:mit )?(?P<words2>\S.*?) (?:eröffnen|anfangen|beginnen|zur eröffnung|als eröffnung)"
        ),
        "open {words}",
    ),
    (r"schieben?|checken?", "check"),
    (r"passen?", "pass"),
    (r"(?P<words>(?:erhöhe|erhöhen|mitgehen)[\s:]+\S.*)", "{words}"),
    (r"(?P<words>\S.*?) erhöhen", "raise {words}"),
    (r"gehe? (?P<words>\S.*?) mit|(?P<words2>\S.*?) mitgehen", "match {words}"),
    (
        r"(?:mit )?(?P<words>\S.*?(?:links|rechts|mitte)) (?P<words2>\S.*?) (?:schlagen|nehmen)",
        "play {words} x {words2}",
    ),
    (PLAY_GERMAN, "play {words}"),
    (r"(?=.*\b(?:links|linke[nr]?|rechts|rechte[nr]?|mitte)\b)(?P<words>\S.*)", "play {words}"),
    (CARDS_GERMAN, "play {words}"),
)


def _zone(name: str, said: str) -> Subject:
    def found(view: View, seat: View) -> int | None:
        zones = seat["zones"]
        return None if zones is None else len(view["zones"][zones[name]])

    return Subject(name, (rf"(?:my\s+|the\s+)?{said}(?:\s+zone)?(?!\w)",), found)


_ZONES = (_zone("left", "left"), _zone("center", "cent(?:er|re)"), _zone("right", "right"))

_BOT = Knowledge(
    rule=heuristics.choose,
    why=heuristics.why,
    guess=guess,
    redeal=heuristics.redeal,
    worth=heuristics.worth,
    ends=frozenset({"battle_over"}),
    rollout=standby_move,
    caution=0.1,
    iterations=(900, 5000),
)

_OPTIONS: Mapping[str, OptionSaid] = {
    "tie": lambda value: (
        sentence("If players tie for the lead in a zone, all its cards become spoils.")
        if value == "spoils"
        else sentence("If players tie for the lead in a zone, they swap their cards there.")
    ),
    "aces": lambda value: (
        sentence("A doubled ace counts as much as the highest number card against it in its zone.")
        if value == "highest"
        else sentence("A doubled ace counts {value}.", value=value)
    ),
    "ante": lambda value: plural(
        "Before each battle, everybody adds {count} card to the spoils.",
        "Before each battle, everybody adds {count} cards to the spoils.",
        whole(value),
    ),
    "max_battles": lambda value: plural(
        "You play {count} battle at most.", "You play {count} battles at most.", whole(value)
    ),
    "stakes": lambda value: (
        sentence("You bet chips on zones, and every player keeps a pack of 52 cards.")
        if value == "zones"
        else sentence(
            "Each card that you play costs chips, and every player keeps a pack of 52 cards."
        )
    ),
    "bankroll": lambda value: plural(
        "Everybody starts with {count} chip.", "Everybody starts with {count} chips.", whole(value)
    ),
    "zone_ante": lambda value: plural(
        "Each battle begins with {count} chip of yours in each of your zones.",
        "Each battle begins with {count} chips of yours in each of your zones.",
        whole(value),
    ),
    "first_window": lambda _: sentence("You bet only once the opening cards lie on the table."),
    "fee": lambda value: plural(
        "Each card that you play costs {count} chip.",
        "Each card that you play costs {count} chips.",
        whole(value),
    ),
    "max_plies": plies_of_a_game,
}

_TERMS = terms("""
flanking; flank; flanks; flanked; flankieren; flanke; flankiert; flankierung | PLX-19
forming; form; formation; formation bonus; formieren; formierung; reihe bilden | PLX-17
jack; jacks; bube; buben | PLX-16 PLX-18
queen; queens; dame; damen | PLX-12 PLX-15
king; kings; koenig; koenige | PLX-13 PLX-14 PLX-15
face cards; face card; court cards; jack queen king; bube dame koenig; bildkarten; bilder; figuren | PLX-1 PLX-12 PLX-13 PLX-16
zone; zones; center; centre; left; right; zonen; mitte; links; rechts | PLX-3 PLX-4
opening; open; opened; eroeffnung; eroeffnen | PLX-7 PLX-8 PLX-10
first; begins; starts; anfangen; faengt an; beginnt | PLX-8 PLX-9
battle; battles; schlacht; schlachten | PLX-6 PLX-7 PLX-11
count; counting; counted; total; points; doubled; zaehlen; zaehlt; gezaehlt; punkte; verdoppelt | PLX-17 PLX-18 PLX-19
win; winning; won; winner; tie; tied; gewinnen; gewinnt; gleichstand; sieger | PLX-20
spoils; spoil; beute; beutekarte; beutekarten | PLX-22 PLX-2
reserve; reserves; vorrat; reserven | PLX-2 PLX-23
bet; bets; betting; raise; match; check; chips; pass; stake; setzen; einsatz; erhoehen; mitgehen; schieben; passen; wetten | PLX-V5*
cost; costs; price; kosten; preis | PLX-V6
end; over; game over; ende; zu ende | PLX-24 PLX-V7
secret; known; others see; they see; the others know; andere sehen; anderen sehen; geheim; bekannt | PLX-29
ace; aces; ass; asse | PLX-1 PLX-17
""")

_ROWS = """
open {card}
    en | open/opens/opening/opener/start/starting/begin/beginning/first/reveal/revealing/show/showing | card of for my to as with off me out in middle center centre put first opener to by
    de | eroeffne/eroeffnen/eroeffnung/eroeffnungskarte/anfangen/fange/fang/beginne/beginnen/starte/starten/start/eroeffnet/zuerst/erstes/decke/deck/aufdecken/vor | auf darf in mitte mit an als zur zu karte ist
play {card}!
    en | PUT/choose/choosing/pick/picking/gimme/select | of for with out there
    de | PUT/nehm/nehme/nehmen/nimm/waehle/waehl | aus hin rein raus als
raise {zone} {number}
    en | raise/raising/more/extra, bet/add/up | by chips chip on in to into put another zone side at
    de | erhoehe/erhoehen/mehr/noch/drauf/drauflegen | um chips chip in auf im setze setz lege leg noch mehr zone seite
check
    en | no/nothing bet/raise/stake/betting/raising, pass/check | from of nothing for anything me no
    de | schiebe/schieben/check, setze/setz/setzen/erhoehe/erhoehen/biete nichts/nicht | weiter
play {card} {zone}
    en | - | PUT goes of to in into on onto at zone side for hold down by row there belongs gets get with it up gimme add adding joins join
    de | - | PUT aus hin rein in nach auf zu geht kommt kommen gehoert zone seite im bei mit nehm nehme kriegt bekommt soll mich fuer geh gehe wandert
play {card} {zone} x {beaten}
    en | on/onto/over/by/into/beats/beat/beating/cover/covers/covering/takes/captures | PUT goes of to in into on onto at zone side for it gets there down
    de | auf/bei/ueber/obendrauf/schlaegt/schlage/deckt/decke | PUT in nach zone seite im geht kommt soll von hin
play {card} x {beaten}!
    en | on/onto/over | PUT goes of to on onto for down
    de | auf/ueber | PUT geht kommt von hin
play {card} with {name} x {beaten}
    en | on/onto/over/by/into/beats/beat/beating/cover/covers/covering/takes/captures | PUT goes of to in into on onto at zone side for it gets there down
    de | auf/bei/ueber/schlaegt/schlage/deckt/decke | PUT in nach zone seite im geht kommt soll von hin
play {card} with {name}!
    en | with/at/on/side/zone/down/for | PUT of in into for hold there goes by
play {card} with {name}
    en | PUT/goes/by/gets/get/receives/belongs/give/giving/add/adding/gimme | of in into for hold there with at on side zone down against it up
    de | PUT/bei/seite/zone/geht/kommt/hin/rein/auf/fuer/an/gehe/geh/kriegt/bekommt | gehoert aus in s an mich rueber nehm nehme
"""

PROFILE = GameProfile(
    options=_OPTIONS,
    terms=_TERMS,
    bot=_BOT,
    picture=picture,
    ends_by_any_moves=True,
    long=("max_battles", 0),
    forms={"de": _GERMAN},
    rows=_ROWS,
    subjects=(*_ZONES, HAND),
    next_examples=(
        sentence("next: if left <= 2 play 9h left or play 9h right"),
        sentence("next: play 7s center"),
    ),
    choice_word="open",
    sides=sides,
    said_move=said_move,
)
