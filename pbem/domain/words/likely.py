"""The legal moves that a sentence may mean: they are suggested, and never played.

Unlike an order, a sentence need not be understood to the last word: what it names of cards, numbers,
zones, players and verbs ranks the moves, and a move of which it names nothing is not suggested.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.orders import LIST_START
from pbem.domain.words.en import words
from pbem.domain.words.everyday import FILLERS
from pbem.domain.words.frames import is_chat
from pbem.language import SOURCE

MOST: Final = 3
_LONGEST: Final = 300
_MOST_MOVES: Final = 500
_LEAST: Final = 1.0
"""Points of a move that is suggested; a card, a verb or a player by itself is enough."""
_BESIDE_THE_BEST: Final = 0.6
"""Share of the points of the best move that another suggestion needs."""

_CARD: Final = re.compile(
    r"(?<![\w@])(?:(10|[2-9JQKA])([cdhs])|([RBGY])(1[0-2]|[1-9])|([WS]))(?!\w)"
)
_TYPED: Final = re.compile(
    r"(?<!\w)(?:(10|[2-9jqka])\s?([cdhs])|([rbgy])\s?(1[0-2]|[1-9]))(?!\w)", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W\d_]+|\d+|[♠♣♥♦]")
_LISTED: Final = re.compile(r"(?<![\d.:,-])([2-9]\d|[1-9]\d\d)(?![\d:-]|\.\d)")


def _table(rows: str) -> Mapping[str, tuple[str, ...]]:
    """Return each word with all that it may name."""
    found: dict[str, list[str]] = {}
    for row in filter(None, (row.strip() for row in rows.split(";"))):
        named, _, words = row.partition("=")
        for word in words.split():
            found.setdefault(word, []).append(named)
    return {word: tuple(named) for word, named in found.items()}


_WORDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    SOURCE: _table("""
#A=ace aces; #K=king kings; #Q=queen queens; #J=jack jacks; #2=two twos deuce deuces;
#3=three threes; #4=four fours; #5=five fives; #6=six sixes; #7=seven sevens; #8=eight eights;
#9=nine nines; #10=ten tens; #11=eleven elevens; #12=twelve twelves; #1=one ones;
#W=wild wilds; #S=skip skips misses miss;
%c=club clubs ♣; %d=diamond diamonds ♦; %h=heart hearts ♥; %s=spade spades ♠;
%r=red; %b=blue; %g=green; %y=yellow;
left=left; center=center centre middle; right=right;
pickup=pickup pick picking pile; god=god luck lucky stock;
draw=draw drawing stock blind unknown; take=take taking discards gimme grab pick;
discard=discard discarding chuck dump throw toss goes; play=play playing put lay;
flip=flip flipping blind; keep=keep keeping; open=open opening; pass=pass passing; check=check;
match=match call; raise=raise raising; lay=phase lay; hit=hit hitting add;
many=both two pair all three kings queens jacks aces twos threes fours fives sixes sevens eights
nines tens; single=one just only single
"""),
    "de": _table("""
#A=ass asse asses; #K=koenig koenige koenigen; #Q=dame damen; #J=bube buben bub;
#2=zwei zwo zweien zweier; #3=drei dreien dreier; #4=vier vieren vierer; #5=fuenf fuenfen fuenfer;
#6=sechs sechsen sechser; #7=sieben siebener; #8=acht achten achter; #9=neun neunen neuner;
#10=zehn zehnen zehner; #11=elf; #12=zwoelf; #1=eins; #W=wildkarte joker;
#S=aussetzer aussetzen joker;
%c=kreuz treff; %d=karo; %h=herz; %s=pik schippe schippen;
%r=rot rote roten roter; %b=blau blaue blauen; %g=gruen gruene gruenen; %y=gelb gelbe gelben;
left=links linke linken; center=mitte mittig mittlere mittleren; right=rechts rechte rechten;
pickup=aufnehmen stapel haufen heb hebe nehm nehme nehmen nimm; god=gott gottes risiko
nachziehstapel vorrat; draw=ziehen ziehe zieh ziehn verdeckt verdeckte unbekannte nachziehstapel
vorrat; take=nehm nehme nehmen nimm offene offen ablage ablagestapel; discard=abwerfen ablegen
abwurf weg werfe wirf fliegt trenne; play=spiele spiel spielen lege leg legen;
flip=drehe drehen umdrehen aufdecken decke; keep=behalte behalten; open=eroeffne eroeffnen;
pass=passe passen; check=schiebe schieben; match=mitgehen; raise=erhoehe erhoehen;
lay=auslegen phase; hit=anlegen;
many=beide beiden zwei drei alle paar zusammen koenige damen buben asse; single=nur einen eine
"""),
}
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_COMPOUND: Final = re.compile(
    r"(kreuz|treff|karo|herz|pik)"
    r"(ass|koenig|dame|bube|zehn|neun|acht|sieben|sechs|fuenf|vier|drei|zwei)"
)


@dataclass(frozen=True, slots=True)
class Position:
    """What a sentence can name besides cards.

    Attributes:
        moves: the legal moves, as the list of the mail has them, with the names of players.
        names: of the other players.
        zones: the zone that each neighbour shares, by its name.
        top: the card on top of the pile; empty if there is none.
        is_numbered: the numbers of the answered mail are those of these moves.
    """

    moves: Sequence[str]
    names: Sequence[str] = ()
    zones: Mapping[str, str] | None = None
    top: str = ""
    is_numbered: bool = False


def likely_moves(text: str, language: str, position: Position) -> tuple[str, ...]:
    """Return the moves that a line most likely means, best first; empty if it names none."""
    said = text[:_LONGEST].casefold()
    if not _is_about_moves(said, language, position.names):
        return ()
    named = _named(said, language)
    players = {name for name in position.names if _says(said, name)}
    named |= {place for name, place in (position.zones or {}).items() if name in players}
    numbers = {int(found) for found in _LISTED.findall(said)} if position.is_numbered else set()
    points = dict[str, float]()
    for number, move in enumerate(position.moves[:_MOST_MOVES], LIST_START):
        points[move] = _points(move, named, position.top) + 4 * (number in numbers)
        if points[move]:
            points[move] += sum(_says(move.casefold(), name) for name in players)
    best = max(points.values(), default=0)
    near = (move for move in points if points[move] >= max(_LEAST, _BESIDE_THE_BEST * best))
    return tuple(sorted(near, key=points.__getitem__, reverse=True)[:MOST])


_TIME: Final = re.compile(
    r"(?<!\w)(?:(?:at|till|until|by|since|around|um|bis|gegen|seit|ab)\s+)\d+"
    r"|\d+(?:[.:]\d+)?\s?(?:%|°|am\b|pm\b|o.?clock|h\b|uhr|days?|tagen?|weeks?|wochen?|hours?|stunden?|min\w*"
    r"|years?|jahren?|times|mal|km|kg|euros?|grad|degrees)"
)
"""Numbers that are a time or an amount."""
_LEAST_KNOWN: Final = 0.5
"""Share of the words of a line that name something of the game, if it names no whole card."""


def _is_about_moves(said: str, language: str, names: Sequence[str]) -> bool:
    """True if a line is mostly of the game: who picks up the kids at 4 picks up no pile."""
    if is_chat(said):
        return False
    plain = _COMPOUND.sub(r"\1 \2", said.translate(_UMLAUTS))
    if _COMPOUND.search(said.translate(_UMLAUTS)) or _TYPED.search(said):
        return True
    people = {name.casefold() for name in names}
    said_words = [
        word
        for word in _WORD.findall(_TIME.sub(" x ", plain))
        if word not in FILLERS and word not in people
    ]
    known = [word for word in said_words if _meanings(word, language) or word in _BESIDE_MOVES]
    if not _OF_CARDS.isdisjoint(said_words):
        return True
    kinds = {named[0] for word in known for named in _meanings(word, language)}
    return kinds >= {"#", "%"} or len(known) >= _LEAST_KNOWN * len(said_words)


_OF_CARDS: Final = words("""
card cards pile stock deck king kings queen queens jack jacks ace aces hearts spades diamonds clubs
karte karten stapel nachziehstapel vorrat ablagestapel koenig koenige dame damen bube buben ass asse joker
""")
"""Words that speak of cards, whatever else a line says."""

_BESIDE_MOVES: Final = words("""
d s m id there you hilft nur for better collect me mir soll hihi haha
hand of top card cards zone side between open turn out for over away up down where no one
from karte karten oberste zone seite zwischen offen um aus auf ab an hin raus drauf rein
nummer von vom fuer
""")


def _named(said: str, language: str) -> set[str]:
    plain = _COMPOUND.sub(r"\1 \2", said.translate(_UMLAUTS))
    named: set[str] = set()
    for found in _TYPED.finditer(said):
        named |= _parts("".join(part or "" for part in found.groups()).upper())
    for word in _WORD.findall(plain):
        named.update(_meanings(word, language))
    return named


@cache
def _meanings(word: str, language: str) -> tuple[str, ...]:
    if word.isdigit():
        return (f"#{word}",)
    tables = (_WORDS[one] for one in dict.fromkeys((SOURCE, language)) if one in _WORDS)
    return tuple(named for table in tables for named in table.get(word, ()))


def _parts(card: str) -> set[str]:
    """Return the rank and the suit or colour of a card: `Kc`, `R12`, `W`."""
    if card in ("W", "S"):
        return {f"#{card}"}
    if card[0] in "RBGY" and card[1:].isdigit():
        return {f"#{card[1:]}", f"%{card[0].lower()}"}
    return {f"#{card[:-1].upper()}", f"%{card[-1].lower()}"}


def _points(move: str, named: set[str], top: str) -> float:
    verb, *words = move.split()
    cards = ["".join(part or "" for part in found.groups()) for found in _CARD.finditer(move)]
    points = sum(_likeness(_parts(card), named) for card in cards) / max(len(cards), 1)
    if not cards:
        points += 2 * (verb in named)
        if verb in ("pickup", "take") and top:
            points += _likeness(_parts(top), named) / 2
        return points
    if not points:
        return 0.0
    points += 0.25 * (verb in named) + sum(word in named for word in words)
    if {"many", "single"} & named:
        points += 0.5 * (("many" if len(cards) > 1 else "single") in named)
    return points


def _likeness(parts: set[str], named: set[str]) -> float:
    rank = next(part for part in parts if part.startswith("#"))
    kind = next((part for part in parts if part.startswith("%")), None)
    return 2.0 * (rank in named) + (1.5 if rank in named else 0.5) * (kind in named)


def _says(said: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w|['’]s\s+turn)", said) is not None
