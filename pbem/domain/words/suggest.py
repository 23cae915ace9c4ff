"""Suggest legal moves for a line that could not be parsed as a move.

The cards, zones, players and verbs of the line are compared with each legal move. The verbs are those
of the game's rows, of which a line may lack any slot. The most similar moves are only suggested, never
played. A line without any part of a move gets no suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from engine.orders import LIST_START
from engine.reading.lexicon import Lexicon, folded_words
from engine.reading.slots import card_at
from pbem.domain.words.around import is_chat
from pbem.domain.words.forms import Spelling
from pbem.domain.words.moves import rows_of, without_times
from pbem.games.lexicons import all_words, spoken
from pbem.language import squeezed

MAX_SUGGESTIONS: Final = 3
_LONGEST: Final = 300
_MAX_WORDS: Final = 40
_MAX_MOVES, _FEW_CARDS = 500, 4
"""Moves that a line is compared with if it names so few cards; with more cards they are fewer."""
_MAX_DIGITS: Final = 2
"""Digits of an amount."""
_MAX_CARDS: Final = 8
"""Cards of a line that are compared with those of each move."""
_SHORTEST: Final = 5
"""Minimum number of letters of a word in which a typing mistake is corrected."""
_MIN: Final = 1.0
"""Minimum score of a suggested move. One card, verb or player is enough."""
_WHOLE: Final = 2.0
"""Points of a move all of whose required words are in the line."""
_BESIDE_THE_BEST: Final = 0.6
"""Minimum share of the best move's points for another suggestion."""
_MIN_KNOWN: Final = 0.5
"""Minimum share of a line's words that must be about the game, if it is not only about cards."""

_CARD: Final = re.compile(
    r"(?<![\w@])(?:(10|[2-9JQKA])([cdhs])|([RBGY])(1[0-2]|[1-9])|([WS]))(?!\w)"
)
_LISTED: Final = re.compile(r"(?<![\d.:,-])([2-9]\d|[1-9]\d\d)(?![\d:-]|\.\d)")
_LETTERS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
_LETTER: Final = re.compile(r"(?<![\w'’])(?:[KQJ]|(?<=\s)A)(?![\w'’])")
"""Cards by a letter; `A` begins many sentences."""
_AMOUNT: Final = re.compile(r"(?<=\s)\d+\Z")
_STOPS: Final = re.compile(r"\s*[,.;:!?–—]+\s*|\s-+\s")
_RANKS: Final = " 1 2 3 4 5 6 7 8 9 10 11 12 J Q K A W S "
_PACK52: Final[Mapping[str, tuple[str, ...]]] = {"r": ("d", "h"), "x": ("c", "s")}
"""The suits of red (`r`) and black (`x`), for games with standard packs."""
_OF_MOVES: Final = (
    *("rank", "several", "suit", "colour", "zone", "place", "thing", "extreme", "many", "single"),
    *("every", "PUT", "RID", "act", "verb", "picks", "onto", "of", "count", "beside"),
)
"""Kinds of words that are about the game."""


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
        said: the words of the line.
        lexicon: the words of all languages.
        cards: rank and suit or colour of each card. One of them may be empty.
        kept: the same for cards that are not to be played, as in `keep the ace`.
        many: ranks that are named in the plural.
        verbs: points by order word.
        share: share of the words that are about the game.
        is_whole: True if a word of the line can only mean cards.
    """

    said: frozenset[str]
    lexicon: Lexicon
    cards: list[tuple[str, str]] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    many: set[str] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    verbs: dict[str, float] = field(default_factory=dict)
    share: float = 0.0
    is_whole: bool = False

    def says(self, *kinds: str) -> bool:
        """True if the line has a word of one of these kinds."""
        return not self.lexicon.words(*kinds).isdisjoint(self.said)


def likely_moves(text: str, language: str, position: Position) -> tuple[str, ...]:
    """Return the moves that a line most likely means, the best first. Empty if there are none."""
    line = squeezed(_LETTER.sub(lambda found: _LETTERS[found[0]], text[:_LONGEST]).casefold())
    lexicon, is_courtesy = all_words(), is_chat(text)
    players = {name for name in position.names if _mentions(line, name)}
    named = _named(without_times(line, language), position.game, lexicon, players)
    named.zones |= {place for name, place in (position.zones or {}).items() if name in players}
    extreme, numbers = _extreme(position.moves, named), _numbers(line, named, position)
    chosen = numbers or _places(named, len(position.moves))
    is_exact = bool((named.cards and (named.zones or named.share == _MIN_KNOWN)) or extreme)
    is_known = (named.share > _MIN_KNOWN or is_exact) and not is_courtesy
    has_card = any(all(card) for card in named.cards)
    if not (numbers or is_known or (named.is_whole and (has_card or not is_courtesy))):
        return ()
    points = dict[str, float]()
    most = _MAX_MOVES * _FEW_CARDS // max(_FEW_CARDS, len(named.cards))
    for number, move in enumerate(position.moves[:most], LIST_START):
        if _parts_with_kept(move, named):
            continue
        found = _points(move, named, position.top) + 4 * (number in chosen)
        found += (1.5 + len(named.zones.intersection(move.split()))) * (move in extreme)
        if found > 0:
            said = move.casefold()
            found += sum(_mentions(said, name) for name in players)
            found += 0.5 * (named.says("mine") and _mentions(said, position.own or "-"))
        points[move] = max(points.get(move, 0), found)
    best = max(points.values(), default=0)
    near = (move for move in points if points[move] >= max(_MIN, _BESIDE_THE_BEST * best))
    likeliest = sorted(near, key=points.__getitem__, reverse=True)[:MAX_SUGGESTIONS]
    return tuple(dict.fromkeys(_with_amount(move, named) for move in likeliest))


def names_a_card(text: str, language: str) -> bool:
    """True if a line names a card, or a number that may be one."""
    said = without_times(_LETTER.sub(lambda found: _LETTERS[found[0]], text[:_LONGEST]), language)
    lexicon = spoken(language)
    words = lexicon.fold(said).split()[:_MAX_WORDS]
    return any(card_at(words[index : index + 3], lexicon)[1] for index in range(len(words)))


def _numbers(line: str, named: _Named, position: Position) -> set[int]:
    """Return the numbers of listed moves in a line, also as `the third of your suggestions`."""
    lexicon, written = named.lexicon, _LISTED.findall(line)
    phrased = {*lexicon.words_in(line)}.difference(lexicon.fold(line).split())
    numbers = {int(number) for number in {*written, *phrased} if number.isdigit()}
    return numbers & {*range(LIST_START, LIST_START + len(position.moves) * position.is_numbered)}


def _places(named: _Named, count: int) -> set[int]:
    """Return the number of the move at a place in a list of `count` moves, as in `the second`."""
    places = {place for word, place in named.lexicon["place"].items() if word in named.said}
    is_place = len(places) == 1 and not named.cards
    return {LIST_START - 1 + (int(*places) or count)} if is_place else set()


def _with_amount(move: str, named: _Named) -> str:
    """Replace the amount of a raise by the one in the line. Move lists omit some amounts."""
    ranks = named.lexicon["rank"]
    numbers = {ranks.get(word, word) for word in named.said}
    amounts = [number for number in numbers if number.isdigit() and len(number) <= _MAX_DIGITS]
    is_raise = move.startswith("raise ") and len(amounts) == 1
    return _AMOUNT.sub(amounts[0], move) if is_raise else move


@cache
def _vocabulary(game: str, lexicon: Lexicon) -> tuple[frozenset[str], Spelling]:
    """Return the words about a game, and an index of these and of words that say nothing."""
    known = lexicon.words(*_OF_MOVES).union(*(row.words for row in rows_of(game, lexicon).rows))
    return known, Spelling(known | lexicon.words("filler"), _SHORTEST)


def _named(said: str, game: str, lexicon: Lexicon, players: set[str]) -> _Named:
    """Extract the parts of moves from a line, in one language."""
    known, spelling = _vocabulary(game, lexicon)
    line = [spelling.nearest(word) for word in lexicon.fold(said).split()[:_MAX_WORDS]]
    found = _Named(frozenset([*line, *lexicon.tokens(" ".join(line))]), lexicon)
    for row in rows_of(game, lexicon).rows:
        verb = row.order.split()[0]
        said_groups = (
            [not found.said.isdisjoint(group) for group in way] for way in row.must if way
        )
        best = max((_WHOLE if all(way) else 1.0 * any(way) for way in said_groups), default=0.0)
        found.verbs[verb] = max(found.verbs.get(verb, 0), best)
    _name_cards(line, _kept_words(said, lexicon, can_keep="keep" in found.verbs), found)
    people = {part for name in players for part in folded_words(name).split()}
    silent = lexicon.words("filler") | people
    for part in dict.fromkeys([said, *_STOPS.split(said)]):
        every = map(spelling.nearest, lexicon.fold(part).split())
        telling = [word for word in every if word not in silent]
        share = sum(word in known or card_at([word], lexicon)[1] > 0 for word in telling) / max(
            len(telling), 1
        )
        found.share = max(found.share, share if share == 1 or part == said else 0)
    found.is_whole |= found.says("thing")
    return found


def _name_cards(line: Sequence[str], kept: set[int], found: _Named) -> None:
    """Add the cards, plurals and zones of a line. `kept` contains the places of words to keep."""
    lexicon, at = found.lexicon, 0
    kinds = {**lexicon["suit"], **lexicon["colour"]}
    many = lexicon.words("many")
    while at < len(line):
        word = line[at]
        card, size = card_at(line[at : at + 3], lexicon)
        behind = line[at + 1 : at + 2]
        is_counted = word in lexicon.words("many", "single") and not lexicon.words(
            "several", "rank"
        ).isdisjoint(behind)
        if size and not is_counted:
            parts = _parts(card)
            if at in kept:
                found.kept.append(parts)
            else:
                found.cards += [("W", ""), ("S", "")] if word.startswith("joker") else [parts]
                has_article = at > 0 and line[at - 1] in lexicon["article"] and not word.isdigit()
                is_several = word in lexicon["several"] and parts[0] not in "WS"
                found.is_whole |= all(parts) or has_article or is_several
                if word in lexicon["several"] or (at > 0 and line[at - 1] in many):
                    found.many.add(parts[0])
        elif word in kinds:
            found.cards.append(("", kinds[word].lower()))
        elif word in lexicon["zone"]:
            found.zones.add(lexicon["zone"][word])
        at += size or 1


def _kept_words(said: str, lexicon: Lexicon, *, can_keep: bool) -> set[int]:
    """Return the positions of words that name cards to keep, after or before a word like `keep`.

    Args:
        can_keep: True if to keep cards is a move of the game.
    """
    binding = lexicon.words("and", "because", "corrects") - lexicon["refuses"].keys()
    found, at = set[int](), 0
    for part in _STOPS.split(said):
        for _, words in groupby(lexicon.fold(part).split(), binding.__contains__):
            clause = list(words)
            found |= {at + place for place in _kept_in(clause, lexicon, can_keep=can_keep)}
            at += len(clause)
    return found


def _kept_in(clause: Sequence[str], lexicon: Lexicon, *, can_keep: bool) -> range:
    """Return the positions of the words of a clause that name cards to keep."""
    here, keeps = {*clause}, frozenset() if can_keep else lexicon["keeps"].keys()
    is_denied = not here.isdisjoint(lexicon["refuses"])
    is_kept = not here.isdisjoint(keeps) and here.isdisjoint(lexicon["unable"])
    is_spare = not here.isdisjoint(lexicon["wants"]) and here.isdisjoint(
        lexicon.words("PUT", "RID")
    )
    if is_kept == is_denied or (is_denied and is_spare):
        return range(0)
    first = next(
        at for at, word in enumerate(clause) if word in keeps or word in lexicon["refuses"]
    )
    behind = range(first + 1, len(clause))
    names = any(card_at(clause[place : place + 3], lexicon)[1] for place in behind)
    return behind if names else range(first)


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
        if named.cards and verb in ("pickup", "take") and top:
            likeness = max(_likeness(_parts(top), card) for card in named.cards)
            # "I take the two fives" speaks of the hand unless a five is on top
            points = points + likeness / 2 if likeness else 0
        elif named.cards and points < _WHOLE:
            points = 0
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
        if named.says("single") and size == 1:
            points += 0.5
        if len(left) == size:  # the line names no card of this move
            return 1.0 * (not named.cards and size > 1 and named.says("many"))
    places = {"left", "center", "right"}.intersection(word.strip(",") for word in others)
    if places and named.zones:
        points += len(places & named.zones) - 0.5 * len(places - named.zones)
    elif named.says("every"):
        points += 0.5 * len(places)
    return points


def _extreme(moves: Sequence[str], named: _Named) -> set[str]:
    """Return the moves of the lowest or highest card if the line mentions it, otherwise none."""
    extremes = named.lexicon["extreme"]
    wanted_ends = {extremes[word] for word in named.said & extremes.keys()}
    if len(wanted_ends) != 1:
        return set()
    found = {
        move: _RANKS.find(f" {_cards_of(move)[0][0]} ")
        for move in moves
        if len(_cards_of(move)) == 1
    }
    wanted = (min if "low" in wanted_ends else max)(found.values(), default=0)
    return {move for move, rank in found.items() if rank == wanted}


@lru_cache(4096)
def _cards_of(move: str) -> tuple[tuple[str, str], ...]:
    """Return the rank and the suit or colour of each card of a move."""
    found = _CARD.finditer(move)
    return tuple(_parts("".join(part or "" for part in card.groups())) for card in found)


@lru_cache(4096)
def _likeness(own: tuple[str, str], named: tuple[str, str]) -> float:
    """Return points for the similarity of a move's card and a card named in the line."""
    rank = own[0] == named[0] != ""
    kind = own[1] == named[1] != "" or own[1] in _PACK52.get(named[1], ())
    if named[0] and named[1]:
        return 3.5 if rank and kind else 1.5 * rank
    return 2.0 * rank + kind


def _mentions(said: str, name: str) -> bool:
    return (
        re.search(rf"(?<!\w){re.escape(name.casefold())}(?:['’]?s)?(?!\w|['’]s\s+turn)", said)
        is not None
    )
