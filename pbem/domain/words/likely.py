"""Suggest legal moves for a line that could not be parsed as a move.

The cards, zones, players and verbs of the line are compared with each legal move. The most similar
moves are only suggested, never played. A line without any part of a move gets no suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from engine.orders import LIST_START
from engine.reading.lexicon import Lexicon, folded_words
from engine.reading.slots import card_at
from pbem.domain.words.around import is_chat
from pbem.domain.words.en import pairs, words
from pbem.domain.words.forms import Spelling
from pbem.domain.words.moves import rows_of, without_times
from pbem.games.lexicons import lexicons
from pbem.language import SOURCE, squeezed

MAX_SUGGESTIONS: Final = 3
_LONGEST: Final = 300
_MAX_WORDS: Final = 40
_MAX_MOVES, _FEW_CARDS = 500, 4
"""Moves that a line is compared with if it names so few cards; with more cards they are fewer."""
_MAX_CARDS: Final = 8
"""Cards of a line that are compared with those of each move."""
_MIN: Final = 1.0
"""Points of a move that is suggested; a card, a verb or a player by itself is enough."""
_BESIDE_THE_BEST: Final = 0.6
"""Minimum share of the best move's points for another suggestion."""

_CARD: Final = re.compile(
    r"(?<![\w@])(?:(10|[2-9JQKA])([cdhs])|([RBGY])(1[0-2]|[1-9])|([WS]))(?!\w)"
)
_LISTED: Final = re.compile(r"(?<![\d.:,-])([2-9]\d|[1-9]\d\d)(?![\d:-]|\.\d)")
_LETTERS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
_LETTER: Final = re.compile(r"(?<![\w'’])(?:[KQJ]|(?<=\s)A)(?![\w'’])")
"""Cards by a letter; `A` begins many sentences."""
_MIN_KNOWN: Final = 0.5
"""Minimum share of a line's words that must be about the game, if it is not only about cards."""
_STOPS: Final = re.compile(r"\s*[,.;:!?–—]+\s*|\s-+\s")

_HINTS: Final[Mapping[str, frozenset[str]]] = {
    "pickup": words(
        "pickup pick picking picked pile collect gather everything eat swallow whole heap aufnehmen stapel haufen heb hebe"
        " nehm nehme nehmen nimm auf uf alls ois schluck schlucke einsammeln sammle alles kassiere kassier"
    ),
    "god": words(
        "god gods luck lucky gamble risk chance fate pray stock deck gott gottes glueck risiko riskiere riskier schicksal"
        " nachziehstapel vorrat zock zocke versuch versuche probier probiere oberste oberstes top"
    ),
    "draw": words(
        "draw drawing stock deck blind unknown hidden new fresh facedown surprise ziehen ziehe zieh ziehn verdeckt verdeckte"
        " unbekannte neue frische nachziehstapel vorrat stapel ueberraschung"
    ),
    "take": words(
        "take taking discards discard gimme grab pick open top that nehm nehme nehmen nimm offene offen ablage ablagestapel"
        " obere oberste"
    ),
    "discard": words(
        "discard discarding chuck dump throw toss goes bin ditch rid away lose abwerfen ablegen abwurf weg werfe wirf fliegt"
        " trenne raus schmeiss ab"
    ),
    "play": words(
        "play playing put lay goes drop spiele spiel spielen lege leg legen hau setze raus"
    ),
    "flip": words("flip flipping blind turn reveal drehe drehen umdrehen aufdecken decke"),
    "keep": words("keep keeping reserve aside back behalte behalten reserve seite beiseite weg"),
    "open": words("open opening start begin first eroeffne eroeffnen anfangen beginne"),
    "pass": words("pass passing passe passen weiter"),
    "check": words(
        "check nothing pass stay no bet stake einsatz schiebe schieben nichts kein weiter passe"
    ),
    "match": words("match call see mitgehen gehe mit halte"),
    "raise": words(
        "raise raising bet stake einsatz more up extra add chips erhoehe erhoehen mehr drauf setze biete"
    ),
    "lay": words("phase lay down auslegen lege hinlegen raus phase"),
    "hit": words("hit hitting add onto to run set anlegen an dran reihe folge satz drilling"),
}
"""Words that suggest an order, in addition to the words of the games."""
_MANY: Final = words(
    "both two pair all three together double beide beiden zwei drei alle paar zusammen doppelt"
)
_SINGLE: Final = words("just only single one nur einen eine ein einzelne single bloss")
_JOKERS: Final = words("joker jokers")
"""Names that can mean either a wild or a skip."""
_OF_CARDS: Final = words("""
card cards pile stock deck hearts spades diamonds clubs karte karten stapel nachziehstapel vorrat ablagestapel joker
""")
"""Words after which a line is certainly about cards."""
_NOT: Final = words("dont don not never nicht nich net kein keine keinen")
_KEEPING: Final = words("""
keep keeping kept save saving spare sparing behalt behalte behalten aufheben aufheb heb hebe spar spare sparen
""")
_UNABLE: Final = words("cant cannot couldnt wont")
"""Words that reverse the meaning of `keep`: `I can't keep the ace`."""
_PARTING: Final = words("""
waste wasting play playing use using spend lose losing throw discard discarding give verschwende verschwenden spiel spiele
spielen leg lege legen verlieren verliere opfern opfere hergeben abgeben weggeben abwerfen
""")
_WITHOUT_NEED: Final = words("""
why need want like care warum wieso brauch brauche brauchen will mag moechte
""")
"""Words with which `not` refers to a card to play: `I don't want the 6`."""
_BINDS: Final = re.compile(r"\b(and|but|und|aber|sondern|because|weil|denn)\b")
_BESIDE_MOVES: Final = words("""
d s m id there you hilft nur for better me mir soll hihi haha hand of top zone side between turn out over away up down
where no one from oberste zone seite zwischen um aus auf ab an hin drauf rein nummer number von vom fuer in to on with and
und bei it them that this wuerd wuerde sagen sag glaub denk guess think or so oder
""")


@dataclass(frozen=True, slots=True)
class Position:
    """The situation that a line refers to.

    Attributes:
        game: name of the ruleset.
        moves: the legal moves in the order of the move list, with player names.
        names: names of the other players.
        zones: the zone shared with each neighbour, by the neighbour's name.
        top: the card on top of the pile, or empty.
        is_numbered: True if the answered message numbered these moves in the same way.
        own: name of the writer, for words such as `my`.
    """

    game: str
    moves: Sequence[str]
    names: Sequence[str] = ()
    zones: Mapping[str, str] | None = None
    top: str = ""
    is_numbered: bool = False
    own: str = ""


@dataclass(slots=True)
class _Named:
    """The parts of moves that a line names.

    Attributes:
        cards: rank and suit or colour of each card. One of them may be empty.
        kept: the same for cards that are not to be played, as in `keep the ace`.
        many: ranks that are named in the plural.
        verbs: points by order word.
        share: share of the words that are about the game.
        is_whole: True if a word of the line can only mean cards.
    """

    cards: list[tuple[str, str]] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    many: set[str] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    verbs: dict[str, float] = field(default_factory=dict)
    said: frozenset[str] = frozenset()
    share: float = 0.0
    is_whole: bool = False

    @property
    def has_card(self) -> bool:
        """True if a card is named with its suit or colour."""
        return any(all(card) for card in self.cards)


def likely_moves(text: str, language: str, position: Position) -> tuple[str, ...]:
    """Return the moves that a line most likely means, the best first. Empty if there are none."""
    said = squeezed(_LETTER.sub(lambda found: _LETTERS[found[0]], text[:_LONGEST]).casefold())
    is_courtesy = is_chat(text)
    players = {name for name in position.names if _mentions(said, name)}
    listed = range(LIST_START, LIST_START + len(position.moves) * position.is_numbered)
    numbers = _numbers(said, language).intersection(listed)
    points = dict[str, float]()
    for lexicon in lexicons(language, SOURCE):
        named = _named(without_times(said, language), said, position, lexicon, players)
        named.zones |= {place for name, place in (position.zones or {}).items() if name in players}
        extreme = _extreme(position.moves, named)
        is_exact = bool((named.cards and (named.zones or named.share == _MIN_KNOWN)) or extreme)
        is_known = (named.share > _MIN_KNOWN or is_exact) and not is_courtesy
        if not (numbers or is_known or (named.is_whole and (named.has_card or not is_courtesy))):
            continue
        places = {lexicon["place"][word] for word in named.said & lexicon["place"].keys()}
        is_place = len(places) == 1 and not (named.cards or numbers)
        chosen = {LIST_START - 1 + (int(*places) or len(position.moves))} if is_place else numbers
        most = _MAX_MOVES * _FEW_CARDS // max(_FEW_CARDS, len(named.cards))
        for number, move in enumerate(position.moves[:most], LIST_START):
            if _parts_with_kept(move, named):
                continue
            found = _points(move, named, position.top) + 4 * (number in chosen)
            found += (1.5 + len(named.zones.intersection(move.split()))) * (move in extreme)
            if found > 0:
                found += sum(_mentions(move.casefold(), name) for name in players)
                is_own = not {"my", "mine", "own", "meine", "meinen", "mein"}.isdisjoint(named.said)
                found += 0.5 * (is_own and _mentions(move.casefold(), position.own or "-"))
            points[move] = max(points.get(move, 0), found)
    best = max(points.values(), default=0)
    near = (move for move in points if points[move] >= max(_MIN, _BESIDE_THE_BEST * best))
    likeliest = sorted(near, key=points.__getitem__, reverse=True)[:MAX_SUGGESTIONS]
    return tuple(dict.fromkeys(_with_amount(move, said) for move in likeliest))


def _numbers(said: str, language: str) -> set[int]:
    """Return the move numbers in a line, including ordinals: `the third of your suggestions`."""
    numbers = {*_LISTED.findall(said)}
    for lexicon in lexicons(language, SOURCE):
        line = lexicon.fold(said)
        numbers.update({*lexicon.tokens(line)}.difference(line.split()))
    return {int(number) for number in numbers if number.isdigit()}


def names_a_card(text: str, language: str) -> bool:
    """True if a line names a card, or a number that may be one."""
    said = without_times(_LETTER.sub(lambda found: _LETTERS[found[0]], text[:_LONGEST]), language)
    for lexicon in lexicons(language, SOURCE):
        words = lexicon.fold(said).split()[:_MAX_WORDS]
        if any(card_at(words[index : index + 3], lexicon)[1] for index in range(len(words))):
            return True
    return False


def _with_amount(move: str, said: str) -> str:
    """Replace the amount of a raise by the one in the line. Move lists omit some amounts."""
    amounts = re.findall(
        r"(?<!\d)[1-9]\d?(?!\d)", _AMOUNT.sub(lambda word: _AMOUNTS[word[0]], said)
    )
    return re.sub(r"^(raise \w+) \d+$", rf"\1 {amounts[0]}", move) if len(amounts) == 1 else move


_AMOUNTS: Final = pairs("one=1; two=2; three=3; four=4; five=5; zwei=2; drei=3; vier=4; fünf=5")
_AMOUNT: Final = re.compile(rf"(?<!\w)(?:{'|'.join(_AMOUNTS)})(?!\w)")


@cache
def _vocabulary(game: str, lexicon: Lexicon) -> tuple[frozenset[str], Spelling]:
    rows = rows_of(game, lexicon.code)
    named = lexicon.words("rank", "several", "suit", "colour", "zone", "place")
    verbs = (row.words for row in (rows.rows if rows else ()))
    fillers = lexicon.words("filler").union(*(one.words("filler") for one in lexicons(SOURCE)))
    found = _OF_CARDS.union(
        *(_BESIDE_MOVES, _MANY, _SINGLE, _LOWEST, _HIGHEST, _EVERY),
        *(named, *verbs, *_HINTS.values()),
    )
    return found, Spelling(found | fillers, 5)


def _named(said: str, text: str, position: Position, lexicon: Lexicon, players: set[str]) -> _Named:
    """Extract the parts of moves from a line, in one language. `said` is the text without times."""
    vocabulary, spelling = _vocabulary(position.game, lexicon)
    fillers = lexicon["filler"]
    people = {part for name in players for part in folded_words(name).split()}
    line = [spelling.nearest(word) for word in lexicon.fold(said).split()[:_MAX_WORDS]]
    found, at = _Named(said=frozenset(line)), 0
    rows = rows_of(position.game, lexicon.code)
    for row in rows.rows if rows else ():
        verb = row.order.split()[0]
        full = any(
            way and all(not found.said.isdisjoint(group) for group in way) for way in row.must
        )
        found.verbs[verb] = max(found.verbs.get(verb, 0), 2.0 * full)
    for verb, hints in _HINTS.items():
        if not found.said.isdisjoint(hints):
            found.verbs[verb] = max(found.verbs.get(verb, 0), 1.0)
    kinds = {**lexicon["suit"], **lexicon["colour"]}
    keeps = any(move.startswith("keep ") for move in position.moves)
    kept = _kept_words(said, lexicon, _NOT if keeps else _NOT | _KEEPING)
    while at < len(line):
        word = line[at]
        card, size = card_at(line[at : at + 3], lexicon)
        is_counted = word in _MANY | _SINGLE and any(
            other in lexicon["several"] or other in lexicon["rank"]
            for other in line[at + 1 : at + 2]
        )
        if size and not is_counted:
            parts = _parts(card)
            if at in kept:
                found.kept.append(parts)
                at += size
                continue
            found.cards += [parts] if word not in _JOKERS else [("W", ""), ("S", "")]
            has_article = at > 0 and line[at - 1] in lexicon["article"] and not word.isdigit()
            is_several = word in lexicon["several"] and parts[0] not in "WS"
            found.is_whole |= all(parts) or has_article or is_several
            if word in lexicon["several"] or (at > 0 and line[at - 1] in _MANY):
                found.many.add(parts[0])
        elif word in kinds:
            found.cards.append(("", kinds[word].lower()))
        elif word in lexicon["zone"]:
            found.zones.add(lexicon["zone"][word])
        at += size or 1
    for part in dict.fromkeys([said, *_STOPS.split(said)]):
        every = map(spelling.nearest, lexicon.fold(part).split())
        telling = [word for word in every if word not in fillers and word not in people]
        of_it = sum(word in vocabulary or card_at([word], lexicon)[1] > 0 for word in telling)
        share = of_it / max(len(telling), 1)
        found.share = max(found.share, share if share == 1 or part == said else 0)
    found.is_whole |= not found.said.isdisjoint(_OF_CARDS)
    return found


def _kept_words(said: str, lexicon: Lexicon, keeping: frozenset[str]) -> set[int]:
    """Return the positions of words that name cards to keep, after or before a word like `keep`."""
    found, at = set[int](), 0
    for part in _STOPS.split(said):
        for clause in _BINDS.split(lexicon.fold(part)):
            line = clause.split()
            here = set(line)
            is_denied, is_kept = not here.isdisjoint(_NOT), not here.isdisjoint(keeping - _NOT)
            is_kept &= here.isdisjoint(_UNABLE)
            is_spare = not here.isdisjoint(_WITHOUT_NEED) and here.isdisjoint(_PARTING)
            if is_kept != is_denied and not (is_denied and is_spare):
                first = next(place for place, word in enumerate(line) if word in keeping)
                behind = range(first + 1, len(line))
                names = any(card_at(line[place : place + 3], lexicon)[1] for place in behind)
                found |= {at + place for place in (behind if names else range(first))}
            at += len(line)
    return found


def _parts_with_kept(move: str, named: _Named) -> bool:
    """True if a move plays a card that the line wants to keep and does not name otherwise."""
    return any(
        _is_meant(card, named.kept) and not _is_meant(card, named.cards) for card in _cards_of(move)
    )


def _is_meant(card: tuple[str, str], named: Sequence[tuple[str, str]]) -> bool:
    return any(
        rank in ("", card[0]) and (kind in ("", card[1]) or card[1] in _PACK52.get(kind, ()))
        for rank, kind in named
    )


def _parts(card: str) -> tuple[str, str]:
    """Split a card such as `Kc`, `R12`, `W` or `7` into its rank and its suit or colour."""
    if card[0] in "RBGYX" and card[1:].isdigit():
        return card[1:], card[0].lower()
    if card[-1] in "cdhs" and len(card) > 1:
        return card[:-1], card[-1]
    return card, ""


def _points(move: str, named: _Named, top: str) -> float:
    verb, *others = move.split()
    left = list(_cards_of(move))
    points = named.verbs.get(verb, 0)
    if not left:
        if verb in ("pickup", "take") and top and named.cards:
            likeness = max(_likeness(_parts(top), card) for card in named.cards)
            # "I take the two fives" speaks of the hand unless a five is on top
            points = points + likeness / 2 if likeness else 0
    else:
        size = len(left)
        points = 0.25 * points
        ranks = {rank for rank, _ in left}
        for card in named.cards[:_MAX_CARDS]:
            alike = [_likeness(own, card) for own in left]
            most = max(alike, default=0.0)
            points += most or (-0.5 if card[0] else 0)
            if most:
                del left[alike.index(most)]
        is_many = not named.many.isdisjoint(ranks)
        left = [card for card in left if card[0] not in named.many]
        points -= 0.75 * len(left) - 0.5 * (is_many and size > 1)
        if not named.said.isdisjoint(_SINGLE) and size == 1:
            points += 0.5
        if len(left) == size:  # the line names no card of this move
            return 1.0 * (not named.cards and size > 1 and not named.said.isdisjoint(_MANY))
    places = {"left", "center", "right"}.intersection(word.strip(",") for word in others)
    if places and named.zones:
        points += len(places & named.zones) - 0.5 * len(places - named.zones)
    elif not named.said.isdisjoint(_EVERY):
        points += 0.5 * len(places)
    return points


def _extreme(moves: Sequence[str], named: _Named) -> set[str]:
    """Return the moves of the lowest or highest card if the line mentions it, otherwise none."""
    is_low, is_high = (not named.said.isdisjoint(said) for said in (_LOWEST, _HIGHEST))
    if is_low == is_high:
        return set()
    found = {
        move: _RANKS.find(f" {_cards_of(move)[0][0]} ")
        for move in moves
        if len(_cards_of(move)) == 1
    }
    wanted = (min if is_low else max)(found.values(), default=0)
    return {move for move, rank in found.items() if rank == wanted}


@lru_cache(4096)
def _cards_of(move: str) -> tuple[tuple[str, str], ...]:
    """Return the rank and the suit or colour of each card of a move."""
    found = _CARD.finditer(move)
    return tuple(_parts("".join(part or "" for part in card.groups())) for card in found)


_RANKS: Final = " 1 2 3 4 5 6 7 8 9 10 11 12 J Q K A W S "
_LOWEST: Final = words(
    "lowest smallest low small niedrigste niedrigsten kleinste kleinsten niedrige kleine"
)
_HIGHEST: Final = words(
    "highest biggest largest high big hoechste hoechsten groesste groessten dicke"
)
_EVERY: Final = words("all each every everywhere three both alle jede jeder ueberall beide jeweils")


@lru_cache(4096)
def _likeness(own: tuple[str, str], named: tuple[str, str]) -> float:
    """Return points for the similarity of a move's card and a card named in the line."""
    rank = own[0] == named[0] != ""
    kind = own[1] == named[1] != "" or own[1] in _PACK52.get(named[1], ())
    if named[0] and named[1]:
        return 3.5 if rank and kind else 1.5 * rank
    return 2.0 * rank + kind


_PACK52: Final[Mapping[str, tuple[str, ...]]] = {"r": ("d", "h"), "x": ("c", "s")}
"""The suits of red (`r`) and black (`x`), for games with standard packs."""


def _mentions(said: str, name: str) -> bool:
    return (
        re.search(rf"(?<!\w){re.escape(name.casefold())}(?:['’]?s)?(?!\w|['’]s\s+turn)", said)
        is not None
    )
